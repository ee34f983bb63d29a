package golang

import (
	"strings"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// startsAnywhere returns the variables, not the world's, that may start with any
// value of their type.
func (m *machine) startsAnywhere() []*spec.Var {
	var out []*spec.Var
	for _, v := range m.owned() {
		if v.Any {
			out = append(out, v)
		}
	}
	return out
}

// newMachine prints New, for machines that don't start at zero.
func (p *printer) newMachine() {
	params, machine := p.blank()
	p.comment("New returns a Machine at its start.")
	p.printf("func New(%s) Machine {\nm := %s\n", params, machine)
	p.startValues(func(v *spec.Var) bool { return startsElsewhere(v) })
	p.printf("return m\n}\n\n")
}

// blank returns the parameters of New, and a Machine in its first state with
// nothing else set.
func (p *printer) blank() (params, machine string) {
	var fields []string
	if len(p.Params) > 0 {
		params, fields = "p Params", append(fields, "Params: p")
	}
	if s := p.start(); s.Index != 0 {
		fields = append(fields, "State: "+names.Exported(s.Name))
	}
	return params, "Machine{" + strings.Join(fields, ", ") + "}"
}

// startValues sets the variables of m that want it to what they start with.
func (p *printer) startValues(wanted func(*spec.Var) bool) {
	for _, v := range p.owned() {
		if !wanted(v) {
			continue
		}
		switch t := v.Sym.Type; {
		case v.Init != nil && collection(t):
			b := body{printer: p}
			b.collect(v.Sym, normal(v.Init))
		case v.Init != nil:
			p.choose(normal(v.Init), p.assigning(v.Sym))
		case t.Kind == expr.Enum:
			p.printf("%s = %s\n", ref(v.Sym), p.value(t, 0))
		default:
			p.printf("%s = %s\n", ref(v.Sym), start(t))
		}
	}
}

// startMachine prints Start, for machines that may start with other values than
// the declared ones.
func (p *printer) startMachine() {
	vars := p.startsAnywhere()
	if len(vars) == 0 {
		return
	}
	p.comment("Starts are the values that a Machine may start with.")
	p.printf("type Starts struct {\n")
	p.symbolFields(symbolsOf(vars))
	p.printf("}\n\n")
	params, machine := p.blank()
	if params != "" {
		params += ", "
	}
	p.comment("Start returns a Machine that starts with these values, and false if one is outside its type. Without it a Machine starts with the first value of each.")
	p.printf("func Start(%ss Starts) (Machine, bool) {\n", params)
	for _, v := range vars {
		if out := p.outsideOf("s."+names.Exported(v.Sym.Name), v.Sym.Type); out != "" {
			p.printf("if %s {\nreturn Machine{}, false\n}\n", out)
		}
	}
	p.printf("m := %s\n", machine)
	for _, v := range vars {
		p.printf("%s = s.%s\n", ref(v.Sym), names.Exported(v.Sym.Name))
	}
	p.startValues(func(v *spec.Var) bool { return !v.Any && startsElsewhere(v) })
	p.printf("return m, true\n}\n\n")
}

// outsideOf prints the condition that x is no value of t; empty for a bool,
// which can't be.
func (p *printer) outsideOf(x string, t *expr.Type) string {
	if t.Kind == expr.Optional {
		if t.Elem.Kind == expr.Bool {
			return ""
		}
		return x + ".HasValue() && (" + p.beyond(x+".Value()", t.Elem) + ")"
	}
	if t.Kind == expr.Bool {
		return ""
	}
	if t.Kind == expr.Enum && firstValue(t) == 0 { // no number is below the first
		return x + " > " + p.value(t, len(t.Values)-1)
	}
	return p.beyond(x, t)
}
