package diff

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// aspect says what a change of a piece concerns.
type aspect uint8

const (
	shape    aspect = iota // what a thing is: its type, its place
	decision               // what the machine decides
	world                  // what only the model knows
	claims                 // what properties say
	sizes                  // how large the models are
	order                  // of checks
)

// piece is one thing that a table says of an entity.
type piece struct {
	aspect aspect
	label  string // for people: "from", "when", "set holder"
	term
	src string // as written
}

// entity is something in a table that has a name.
type entity struct {
	kind   string
	name   string
	doc    string
	obj    any     // its identity in the table
	of     *entity // what it belongs to; nil: the table
	at     int     // among those of its kind and parent
	pieces []piece
	words  []string // that ride along: reasons, sentences, words of conditions
}

// path returns the entity's name with that of what it belongs to.
func (e *entity) path() string {
	if e.of == nil {
		return e.name
	}
	return e.of.path() + "." + e.name
}

func (e *entity) say(a aspect, label string, t term, src string) {
	e.pieces = append(e.pieces, piece{a, label, t, src})
}

// facts are all entities of a table, in its order.
type facts struct {
	*reader
	all   []*entity
	by    map[any]*entity
	count map[string]int
}

func newFacts(t *spec.Table) *facts {
	f := &facts{reader: newReader(t), by: map[any]*entity{}, count: map[string]int{}}
	m := f.add("machine", t.Name, t.Doc, t, nil)
	if t.Per != "" {
		f.add("instance", t.Per, "", &t.Per, nil)
	}
	f.types()
	f.states("state", t.States, nil)
	f.variables()
	f.groups(t.Groups, t.States, nil)
	for _, d := range t.Defs {
		e := f.add("definition", d.Name, d.Doc, d, nil)
		e.say(shape, "is", f.expr(d.Body, nil, false), d.Src)
	}
	for _, a := range t.Answers {
		f.add("code", a.Code, a.Says, a, nil)
	}
	for _, x := range t.Effects {
		e := f.add("effect", x.Name, x.Doc, x, nil)
		f.arguments(x.Args, nil, e)
	}
	f.partsAndTables()
	for _, e := range t.Events {
		f.event("event", e)
	}
	for _, e := range t.World {
		f.event("world event", e)
	}
	for _, x := range t.Follows {
		f.follow(x)
	}
	f.claims()
	f.models()
	_ = m
	return f
}

func (f *facts) add(kind, name, doc string, obj any, of *entity) *entity {
	key := kind
	if of != nil {
		key += " " + of.kind + " " + of.path()
	}
	e := &entity{kind: kind, name: name, doc: doc, obj: obj, of: of, at: f.count[key]}
	f.count[key]++
	f.all = append(f.all, e)
	f.by[obj] = e
	return e
}

func (f *facts) types() {
	for _, t := range f.t.Types {
		e := f.add("type", t.Name, t.Doc, t, nil)
		switch t.Kind {
		case expr.Enum:
			e.say(shape, "is", word("enumeration"), "an enumeration")
			for i, v := range t.Values {
				f.add("value", v, "", value{t, i}, e)
			}
		case expr.Identity:
			e.say(shape, "is", word("identity"), "identity")
		case expr.Serial:
			e.say(shape, "is", word("serial"), "serial")
		case expr.Int:
			src := fmt.Sprintf("%d..%d", t.Lo, t.Hi)
			e.say(shape, "is", word(src), src)
		default:
			e.say(shape, "is", word(t.String()), t.String())
		}
		if t.Else != "" {
			e.say(decision, "else", f.code(t.Else), t.Else)
		}
		if t.Shared {
			e.say(shape, "shared", word("shared"), "shared")
		}
	}
}

// code names an answer.
func (f *facts) code(code string) term {
	for _, a := range f.t.Answers {
		if a.Code == code {
			return named(a)
		}
	}
	return word(code)
}

func (f *facts) states(kind string, states []*spec.State, of *entity) {
	for _, s := range states {
		e := f.add(kind, s.Name, s.Doc, s, of)
		if s.Initial {
			e.say(decision, "initial", word("initial"), "initial")
		}
	}
}

func (f *facts) groups(groups []*expr.Symbol, states []*spec.State, of *entity) {
	for _, g := range groups {
		e := f.add("group", g.Name, g.Doc, g, of)
		e.say(shape, "is", unordered("", f.reader.states(states, g.Members)...), "")
	}
}

func (f *facts) variables() {
	for _, p := range f.t.Params {
		e := f.add("constant", p.Name, p.Doc, p, nil)
		e.say(shape, "type", f.typ(p.Type), p.Type.String())
	}
	for _, l := range []struct {
		kind string
		vars []*spec.Var
	}{{"variable", f.t.Vars}, {"shared variable", f.t.Shared}, {"ghost", f.t.Ghosts}} {
		for _, v := range l.vars {
			f.variable(l.kind, v, nil)
		}
	}
}

func (f *facts) variable(kind string, v *spec.Var, of *entity) *entity {
	e := f.add(kind, v.Sym.Name, v.Sym.Doc, v.Sym, of)
	about := decision
	if kind == "ghost" {
		about = world
	}
	e.say(about, "type", f.typ(v.Sym.Type), v.Sym.Type.String())
	if v.Sym.Unique {
		e.say(about, "unique", word("unique"), "unique")
	}
	if v.Any {
		e.say(about, "initial", word("any"), "any")
	}
	if v.Init != nil {
		e.say(about, "initial", f.expr(v.Init, nil, false), "initial")
	}
	return e
}

func (f *facts) arguments(args []*expr.Symbol, spec []*spec.Arg, of *entity) {
	for i, a := range args {
		e := f.add("argument", a.Name, a.Doc, a, of)
		t := f.typ(a.Type)
		src := a.Type.String()
		if spec != nil && spec[i].Fresh {
			t, src = word("fresh", t), "fresh "+src
		}
		if spec != nil && spec[i].Origin {
			t = word("origin", t)
		}
		e.say(decision, "type", t, src)
		e.say(order, "place", word(strconv.Itoa(i)), "place "+strconv.Itoa(i+1))
	}
}

func (f *facts) partsAndTables() {
	for _, p := range f.t.Parts {
		e := f.add("part", p.Name, p.Doc, p, nil)
		e.say(decision, "key", f.typ(p.Key), p.Key.Name)
		f.states("part state", p.States, e)
		for _, v := range p.Vars {
			f.variable("part variable", v, e)
		}
		f.groups(p.Groups, p.States, e)
		if m := p.Memory; m != nil {
			e.say(decision, "remember", word("remember", named(m.List.Sym), f.expr(m.Most, nil, false), unordered("", f.reader.states(p.States, m.States)...)),
				fmt.Sprintf("%s, at most %s", m.List.Sym.Name, m.MostSrc))
		}
	}
	for _, p := range f.t.Parts {
		for _, m := range p.Moves {
			e := f.add("move", m.Name, m.Doc, m, f.by[p])
			f.from(e, "from", p.States, m.From)
			for _, i := range m.To {
				e.say(decision, "to", named(p.States[i]), p.States[i].Name)
			}
			f.sets(e, decision, m.Set, []*expr.Symbol{m.It})
		}
	}
	for _, s := range f.t.Tables {
		e := f.add("table", s.Name, s.Doc, s, nil)
		for _, r := range s.Rows {
			f.row(r, e, false)
		}
	}
}

// ofKind returns the entities of a kind, in order.
func (f *facts) ofKind(kinds ...string) []*entity {
	var out []*entity
	for _, e := range f.all {
		if slices.Contains(kinds, e.kind) {
			out = append(out, e)
		}
	}
	return out
}
