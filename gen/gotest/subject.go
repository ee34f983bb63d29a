package gotest

import (
	"fmt"
	"strconv"

	"github.com/interlock-go/interlock/gen/mbt/literal"
	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// subject prints the type that implements mbt.Subject.
func (p *printer) subject() {
	p.printf("// subject drives the machine by the codes of gen/interp.\n")
	if p.sized {
		p.printf("type subject struct{ model mbt.Model }\n\n")
		p.printf("func (subject) In(m mbt.Model) mbt.Subject[%[1]s.Machine, %[1]s.Effect] { return subject{m} }\n\n", p.Pkg)
	} else {
		p.printf("type subject struct{}\n\n")
	}
	p.machine()
	p.vars()
	p.step()
	p.effect()
}

// receiver is that of methods which need to know the model where any does.
func (p *printer) receiver() string {
	if p.sized {
		return "s subject"
	}
	return "subject"
}

func (p *printer) machine() {
	params, made := "params", "return "
	if len(p.Params) == 0 {
		params = "_"
	}
	if len(p.Parts) > 0 {
		made = "m := "
	}
	p.printf("func (%s) Machine(%s []int, v []uint64) %s.Machine {\n", p.receiver(), params, p.Pkg)
	end := p.offsets()
	p.printf("%s%s.Machine{\n", made, p.Pkg)
	if len(p.Params) > 0 {
		p.printf("Params: %s.Params{", p.Pkg)
		for i, s := range p.Params {
			if i > 0 {
				p.printf(", ")
			}
			p.printf("%s: %s", names.Exported(s.Name), p.param(s.Type, fmt.Sprintf("params[%d]", i)))
		}
		p.printf("},\n")
	}
	if len(p.Shared) > 0 {
		p.printf("Shared: %s.Shared{\n", p.Pkg)
		for i, v := range p.Shared {
			p.printf("%s: %s,\n", names.Exported(v.Sym.Name), p.decode(v.Sym.Type, fmt.Sprintf("v[%s]", plus(end, i))))
		}
		p.printf("},\n")
	}
	p.printf("State: %s,\n", p.decode(p.State.Type, "v[0]"))
	for i, v := range p.Vars {
		p.printf("%s: %s,\n", names.Exported(v.Sym.Name), p.decode(v.Sym.Type, fmt.Sprintf("v[%d]", i+1)))
	}
	for i, x := range p.Parts {
		p.printf("%s: mbt.Parts(%s,\nfunc(c uint64) %s { return %s },\nfunc(v []uint64) %s.%s {\nreturn %s.%s{\n", names.Exported(x.Name), p.records(i),
			p.Type(x.Key), p.decode(x.Key, "c"), p.Pkg, names.Record(x), p.Pkg, names.Record(x))
		for j, f := range x.Fields() {
			p.printf("%s: %s,\n", names.Exported(f.Name), p.decode(f.Type, fmt.Sprintf("v[%d]", j)))
		}
		p.printf("}\n}),\n")
	}
	p.printf("}\n")
	for _, x := range p.Parts {
		for _, f := range x.Fields() {
			if f.Unique {
				p.printf("m.%s = mbt.Index(m.%s, func(it %s.%s) %s { return it.%s })\n", names.Index(x, f), names.Exported(x.Name),
					p.Pkg, names.Record(x), p.Type(f.Type), names.Exported(f.Name))
			}
		}
	}
	if len(p.Parts) > 0 {
		p.printf("return m\n")
	}
	p.printf("}\n\n")
}

// offsets prints where the records of each kind of parts begin and where the
// last ones end, at1, at2, .., and returns the last of these: shared variables
// follow.
func (p *printer) offsets() string {
	end := fmt.Sprint(1 + len(p.Vars))
	for i, x := range p.Parts {
		if i == len(p.Parts)-1 && len(p.Shared) == 0 {
			continue
		}
		next := fmt.Sprint("at", i+1)
		p.printf("%s := %s + %d*s.model.Sizes[%q]\n", next, end, len(x.Fields()), x.Key.Name)
		end = next
	}
	return end
}

// records prints the codes of the records of parts i, where they begin among
// those at the start, and how many fields a record has.
func (p *printer) records(i int) string {
	x := p.Parts[i]
	from := fmt.Sprint(1 + len(p.Vars))
	if i > 0 {
		from = fmt.Sprint("at", i)
	}
	return fmt.Sprintf("v[%s:], s.model.Start[%s:], s.model.Sizes[%q], %d", from, from, x.Key.Name, len(x.Fields()))
}

// plus prints a sum; end may be a number.
func plus(end string, i int) string {
	if n, err := strconv.Atoi(end); err == nil {
		return fmt.Sprint(n + i)
	}
	if i == 0 {
		return end
	}
	return fmt.Sprint(end, "+", i)
}

// param returns the Go value of a parameter, which models give as a number.
func (p *printer) param(t *expr.Type, x string) string {
	switch t.Kind {
	case expr.Bool:
		return x + " != 0"
	case expr.Int:
		return x
	}
	return p.decode(t, "uint64("+x+")")
}

// decode returns the Go value for the code x of type t.
func (p *printer) decode(t *expr.Type, x string) string {
	switch t.Kind {
	case expr.Bool:
		return x + " != 0"
	case expr.Optional:
		return fmt.Sprintf("mbt.Optional(%s, func(c uint64) %s { return %s })", x, p.Type(t.Elem), p.decode(t.Elem, "c"))
	case expr.List:
		return fmt.Sprintf("mbt.List(%s, %s, func(c uint64) %s { return %s })", x, p.base(t), p.Type(t.Elem), p.decode(t.Elem, "c"))
	case expr.Set:
		return fmt.Sprintf("mbt.Set(%s, func(c uint64) %s { return %s })", x, p.Type(t.Elem), p.decode(t.Elem, "c"))
	}
	switch o := literal.Offset(t); {
	case t.Text:
		x = "mbt.Text(" + x + ")"
	case o != 0 && t.Kind == expr.Int:
		return fmt.Sprintf("int(%s) + %d", x, o)
	case o != 0:
		x += fmt.Sprintf(" + %d", o)
	}
	return p.Type(t) + "(" + x + ")"
}

// encode returns the code of the Go value x of type t.
func (p *printer) encode(t *expr.Type, x string) string {
	switch t.Kind {
	case expr.Bool:
		return "mbt.Bit(" + x + ")"
	case expr.Optional:
		return fmt.Sprintf("mbt.Some(%s, func(x %s) uint64 { return %s })", x, p.Type(t.Elem), p.encode(t.Elem, "x"))
	case expr.List:
		return fmt.Sprintf("mbt.Listed(%s, %s, func(x %s) uint64 { return %s })", x, p.base(t), p.Type(t.Elem), p.encode(t.Elem, "x"))
	case expr.Set:
		return fmt.Sprintf("mbt.Elements(%s, func(x %s) uint64 { return %s })", x, p.Type(t.Elem), p.encode(t.Elem, "x"))
	}
	switch o := literal.Offset(t); {
	case t.Text:
		return "mbt.Number(" + x + ")"
	case o != 0 && t.Kind == expr.Int:
		return fmt.Sprintf("uint64(%s - %d)", x, o)
	case o != 0:
		return fmt.Sprintf("uint64(%s) - %d", x, o)
	}
	return "uint64(" + x + ")"
}

// base prints the base of the codes of lists of type t, see expr.ListBase.
func (p *printer) base(t *expr.Type) string {
	if t.Elem.Kind == expr.Enum {
		return fmt.Sprint(uint64(expr.BaseOf(t.Elem, 0)))
	}
	return fmt.Sprintf("s.model.Base(%q)", t.Elem.Name)
}

func (p *printer) vars() {
	p.printf("func (%s) Vars(m *%s.Machine, v []uint64) {\n", p.receiver(), p.Pkg)
	end := p.offsets()
	p.printf("v[0] = %s\n", p.encode(p.State.Type, "m.State"))
	for i, v := range p.Vars {
		p.printf("v[%d] = %s\n", i+1, p.encode(v.Sym.Type, "m."+names.Exported(v.Sym.Name)))
	}
	for i, x := range p.Parts {
		p.printf("mbt.Records(m.%s, %s,\nfunc(c uint64) %s { return %s },\nfunc(it %s.%s, v []uint64) {\n", names.Exported(x.Name), p.records(i),
			p.Type(x.Key), p.decode(x.Key, "c"), p.Pkg, names.Record(x))
		for j, f := range x.Fields() {
			p.printf("v[%d] = %s\n", j, p.encode(f.Type, "it."+names.Exported(f.Name)))
		}
		p.printf("})\n")
	}
	for i, v := range p.Shared {
		p.printf("v[%s] = %s\n", plus(end, i), p.encode(v.Sym.Type, "m."+names.Exported(v.Sym.Name)))
	}
	p.printf("}\n\n")
}

func (p *printer) step() {
	args := "_"
	for _, e := range p.Events {
		if len(e.Args) > 0 {
			args = "a"
		}
	}
	p.printf("func (subject) Step(m *%[1]s.Machine, event int, %[2]s []uint64, buf []%[1]s.Effect) (fsm.Info, []%[1]s.Effect) {\n", p.Pkg, args)
	p.printf("var d %s.Decision\nswitch event {\n", p.Pkg)
	for i, e := range p.Events {
		p.printf("case %d:\nd, buf = m.Step(%s, buf)\n", i, p.eventOf(e))
	}
	info := "d.Row.Info()"
	if len(p.Tables) > 0 {
		info = "d.Info()"
	}
	p.printf("}\nreturn %s, buf\n}\n\n", info)
}

// eventOf returns the event for the codes in a.
func (p *printer) eventOf(e *spec.Event) string {
	s := p.Pkg + "." + names.Exported(e.Name) + "{"
	for i, a := range e.Args {
		if i > 0 {
			s += ", "
		}
		s += names.Exported(a.Sym.Name) + ": " + p.decode(a.Sym.Type, fmt.Sprintf("a[%d]", i))
	}
	return s + "}"
}

func (p *printer) effect() {
	if len(p.Effects) == 0 {
		p.printf("func (subject) Effect(%s.Effect) (int, []uint64) { return -1, nil }\n\n", p.Pkg)
		return
	}
	p.printf("func (subject) Effect(f %s.Effect) (int, []uint64) {\nswitch f.Kind {\n", p.Pkg)
	for i, e := range p.Effects {
		p.printf("case %s.Effect%s:\nreturn %d, []uint64{", p.Pkg, names.Exported(e.Name), i)
		for j, a := range e.Args {
			if j > 0 {
				p.printf(", ")
			}
			p.printf("%s", p.encode(a.Type, "f."+p.EffectField(a)))
		}
		p.printf("}\n")
	}
	p.printf("}\nreturn -1, nil\n}\n\n")
}
