package diff

import (
	"slices"
	"strconv"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

func (f *facts) models() {
	for _, m := range f.t.Models {
		e := f.add("model", m.Name, m.Doc, m, nil)
		if f.t.Per != "" {
			e.say(sizes, f.t.Per, word("instances"+strconv.Itoa(m.Instances)), strconv.Itoa(m.Instances))
		}
		for _, t := range f.t.Types {
			if n, ok := m.Sizes[t]; ok {
				e.say(sizes, t.Name, word(strconv.Itoa(n), named(t)), strconv.Itoa(n))
			}
		}
		for i, p := range f.t.Params {
			e.say(sizes, p.Name, word(strconv.Itoa(m.Params[i]), named(p)), param(p, m.Params[i]))
		}
		if m.Up != nil {
			f.up(e, m)
		}
		if m.Alone {
			e.say(sizes, "world", word("alone"), "false")
		}
		for _, a := range m.Assume {
			e.say(sizes, "assume", named(a), a.Name)
		}
		for _, p := range m.Checks {
			e.say(sizes, "checks", named(p), p.Name)
		}
	}
}

// up says what a model's next size is where it isn't the same.
func (f *facts) up(e *entity, m *spec.Model) {
	say := func(name string, was, is int, text string, of ...term) {
		if was != is {
			e.say(sizes, "up "+name, word(text, of...), text)
		}
	}
	say(f.t.Per, m.Instances, m.Up.Instances, strconv.Itoa(m.Up.Instances))
	for _, t := range f.t.Types {
		say(t.Name, m.Sizes[t], m.Up.Sizes[t], strconv.Itoa(m.Up.Sizes[t]), named(t))
	}
	for i, p := range f.t.Params {
		say(p.Name, m.Params[i], m.Up.Params[i], param(p, m.Up.Params[i]), named(p))
	}
}

func param(p *expr.Symbol, v int) string {
	if p.Type.Kind == expr.Bool {
		return strconv.FormatBool(v == 1)
	}
	return strconv.Itoa(v)
}

// claims are assumptions and properties.
func (f *facts) claims() {
	for _, a := range f.t.Assumptions {
		e := f.add("assumption", a.Name, a.Doc, a, nil)
		for _, on := range a.On {
			e.say(world, "on", named(on), on.Name)
		}
		if a.Only != nil {
			e.say(world, "only", f.expr(a.Only, nil, false), a.Src)
		}
		for _, b := range a.All {
			e.say(world, "all", named(b), b.Name)
		}
	}
	for _, p := range f.t.Properties {
		f.property(p)
	}
}

var propertyKinds = map[spec.PropertyKind]string{
	spec.Invariant: "invariant", spec.StepAlways: "step", spec.Isolated: "isolated", spec.Sometimes: "sometimes", spec.Eventually: "eventually",
	spec.Ends: "ends",
}

func (f *facts) property(p *spec.Property) {
	e := f.add("property", p.Name, p.Doc, p, nil)
	e.say(claims, "form", word(propertyKinds[p.Kind]), propertyKinds[p.Kind])
	for _, a := range p.Given {
		e.say(claims, "given", named(a), a.Name)
	}
	for i, b := range p.Each {
		e.say(claims, "each", word("each"+strconv.Itoa(i), f.typ(b.Type)), b.Name+" "+b.Type.String())
	}
	if p.Holds != nil {
		e.say(claims, "holds", f.expr(p.Holds, p.Each, false), p.Src)
	}
	if p.On != nil {
		e.say(claims, "on", named(p.On), p.On.Name)
	}
	if p.From != nil {
		e.say(claims, "from", f.expr(p.From, p.Each, false), p.FromSrc)
		e.say(claims, "to", f.expr(p.To, p.Each, false), p.ToSrc)
	}
	for _, x := range p.Fair {
		t := word("fair"+strconv.FormatBool(x.Strong), named(x.Event))
		if x.Row != nil {
			t.args = append(t.args, named(x.Row))
		}
		for _, a := range x.Each {
			t.args = append(t.args, word("each"+strconv.Itoa(slices.Index(x.Event.Args, a))))
		}
		e.say(claims, "fair", t, x.String())
	}
	for _, c := range p.Clauses {
		e.say(claims, "holds", f.clause(c), c.Src)
	}
}

func (f *facts) clause(c *spec.Clause) term {
	t := word("clause"+strconv.Itoa(int(c.Kind)), f.expr(c.Holds, nil, false))
	if c.Event != nil {
		t.args = append(t.args, named(c.Event))
	}
	if c.Row != nil {
		t.args = append(t.args, named(c.Row))
	}
	var except []term
	for _, e := range c.Except {
		except = append(except, named(e))
	}
	if except != nil {
		t.args = append(t.args, unordered("except", except...))
	}
	return t
}
