package gotest

import (
	"fmt"

	"github.com/interlock-go/interlock/gen/mbt/literal"
	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// subject prints the type that implements mbt.Subject.
func (p *printer) subject() {
	p.printf("// subject drives the machine by the codes of gen/interp.\ntype subject struct{}\n\n")
	p.machine()
	p.vars()
	p.step()
	p.effect()
}

func (p *printer) machine() {
	params := "params"
	if len(p.Params) == 0 {
		params = "_"
	}
	p.printf("func (subject) Machine(%s []int, v []uint64) %s.Machine {\nreturn %s.Machine{\n", params, p.Pkg, p.Pkg)
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
	p.printf("State: %s,\n", p.decode(p.State.Type, "v[0]"))
	for i, v := range p.Vars {
		p.printf("%s: %s,\n", names.Exported(v.Sym.Name), p.decode(v.Sym.Type, fmt.Sprintf("v[%d]", i+1)))
	}
	p.printf("}\n}\n\n")
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
	}
	switch o := literal.Offset(t); {
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
	}
	switch o := literal.Offset(t); {
	case o != 0 && t.Kind == expr.Int:
		return fmt.Sprintf("uint64(%s - %d)", x, o)
	case o != 0:
		return fmt.Sprintf("uint64(%s) - %d", x, o)
	}
	return "uint64(" + x + ")"
}

func (p *printer) vars() {
	p.printf("func (subject) Vars(m *%s.Machine, v []uint64) {\n", p.Pkg)
	p.printf("v[0] = %s\n", p.encode(p.State.Type, "m.State"))
	for i, v := range p.Vars {
		p.printf("v[%d] = %s\n", i+1, p.encode(v.Sym.Type, "m."+names.Exported(v.Sym.Name)))
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
	p.printf("}\nreturn d.Row.Info(), buf\n}\n\n")
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
