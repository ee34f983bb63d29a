// Package literal prints machines, events and effects as Go literals of a
// generated package, from the codes of gen/interp: the tables of generated
// tests are made of them, and the scripts of failing ones.
package literal

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// Printer prints literals for one table. Go has names for values of the
// table's types; codes outside of them are printed as conversions.
type Printer struct {
	*spec.Table
	Pkg string // the package's name
}

// Of returns the printer of t.
func Of(t *spec.Table) Printer {
	return Printer{t, strings.ToLower(strings.ReplaceAll(t.Name, "_", ""))}
}

// Type returns t in Go: "lane.Lease", "fsm.Optional[lane.Lease]", "bool".
func (p Printer) Type(t *expr.Type) string {
	switch {
	case t.Kind == expr.Optional:
		return "fsm.Optional[" + p.Type(t.Elem) + "]"
	case t.Name != "":
		return p.Pkg + "." + t.Name
	case t.Kind == expr.Bool:
		return "bool"
	}
	return "int"
}

// Offset returns what is added to a code of t to have the value in Go: an
// enumeration whose zero is answered as outside the type starts at one.
func Offset(t *expr.Type) int {
	switch {
	case t.Kind == expr.Int:
		return t.Lo
	case t.Kind == expr.Enum && t.Else != "":
		return 1
	}
	return 0
}

// zero reports whether Go's zero value has that code.
func zero(t *expr.Type, code uint64) bool {
	return code+uint64(Offset(t)) == 0
}

// Value returns the value with that code, where its type is known: a plain
// number for numbers, identities and serials.
func (p Printer) Value(t *expr.Type, code uint64) string {
	switch t.Kind {
	case expr.Bool:
		return strconv.FormatBool(code != 0)
	case expr.Enum:
		switch {
		case code >= uint64(len(t.Values)):
			return fmt.Sprintf("%s(%d)", p.Type(t), code+uint64(Offset(t)))
		case t == p.State.Type:
			return p.Pkg + "." + names.Exported(t.Values[code])
		}
		return p.Pkg + "." + names.Value(t, int(code))
	case expr.Optional:
		if code == 0 {
			return fmt.Sprintf("fsm.None[%s]()", p.Type(t.Elem))
		}
		elem := p.Value(t.Elem, code-1)
		if t.Elem.Kind == expr.Enum || t.Elem.Kind == expr.Optional {
			return "fsm.Some(" + elem + ")"
		}
		return fmt.Sprintf("fsm.Some[%s](%s)", p.Type(t.Elem), elem)
	case expr.Int:
		return strconv.FormatInt(int64(code)+int64(t.Lo), 10)
	}
	return strconv.FormatUint(code, 10)
}

// field is "Name: value", or nothing for Go's zero value.
func (p Printer) field(name string, t *expr.Type, code uint64) []string {
	if zero(t, code) {
		return nil
	}
	return []string{name + ": " + p.Value(t, code)}
}

// Machine returns a machine with these parameters, as in spec.Model.Params,
// and the codes of its state and variables. But for the state, fields with zero
// values are left out.
func (p Printer) Machine(params []int, vars []uint64) string {
	var consts, fields []string
	for i, s := range p.Params {
		consts = append(consts, p.field(names.Exported(s.Name), s.Type, uint64(params[i]-paramOffset(s.Type)))...)
	}
	if len(consts) > 0 {
		fields = append(fields, fmt.Sprintf("Params: %s.Params{%s}", p.Pkg, strings.Join(consts, ", ")))
	}
	fields = append(fields, "State: "+p.Value(p.State.Type, vars[0]))
	for i, v := range p.Vars {
		fields = append(fields, p.field(names.Exported(v.Sym.Name), v.Sym.Type, vars[i+1])...)
	}
	return p.Pkg + ".Machine{" + strings.Join(fields, ", ") + "}"
}

// paramOffset turns a constant's value in a model, which is a number itself,
// into its code.
func paramOffset(t *expr.Type) int {
	if t.Kind == expr.Int {
		return t.Lo
	}
	return 0
}

// Event returns an event with the codes of its arguments. All of them are
// named, those with zero values too.
func (p Printer) Event(e *spec.Event, args []uint64) string {
	var fields []string
	for i, a := range e.Args {
		fields = append(fields, names.Exported(a.Sym.Name)+": "+p.Value(a.Sym.Type, args[i]))
	}
	return p.Pkg + "." + names.Exported(e.Name) + "{" + strings.Join(fields, ", ") + "}"
}

// Effect returns an effect. Fields with zero values are left out.
func (p Printer) Effect(f interp.Effect) string {
	fields := []string{"Kind: " + p.Pkg + ".Effect" + names.Exported(f.Effect.Name)}
	for i, a := range f.Effect.Args {
		fields = append(fields, p.field(p.EffectField(a), a.Type, f.Args[i])...)
	}
	return p.Pkg + ".Effect{" + strings.Join(fields, ", ") + "}"
}

// EffectField returns the field of Effect that holds an argument of an effect.
// Effects share it where their arguments agree in name and type; the next one
// of that name is named after its effect too.
func (p Printer) EffectField(arg *expr.Symbol) string {
	types := map[string]*expr.Type{}
	for _, e := range p.Effects {
		for _, a := range e.Args {
			name := names.Exported(a.Name)
			if t := types[name]; t != nil && !expr.Same(t, a.Type) {
				name = names.Exported(e.Name) + name
			}
			types[name] = a.Type
			if a == arg {
				return name
			}
		}
	}
	return names.Exported(arg.Name)
}

// Outside returns the type of an argument whose values in Go may be outside
// it, with an answer of the table to that, or nil: the argument's own, or that
// of what an optional one holds.
func Outside(a *spec.Arg) *expr.Type {
	t := a.Sym.Type
	if t.Kind == expr.Optional {
		t = t.Elem
	}
	if t.Else == "" {
		return nil
	}
	return t
}

// IsOutside reports whether a code of an argument stands for a value outside
// its type that the table has an answer to.
func IsOutside(a *spec.Arg, code uint64) bool {
	t := Outside(a)
	if t == nil {
		return false
	}
	if a.Sym.Type.Kind == expr.Optional {
		if code == 0 {
			return false
		}
		code--
	}
	switch t.Kind {
	case expr.Enum:
		return code >= uint64(len(t.Values))
	case expr.Int:
		return code > uint64(t.Hi-t.Lo)
	}
	return code == 0
}

// OutsideRow returns the name of the row that answers the first argument
// outside its type, before any check, with its code; false if there is none.
func OutsideRow(e *spec.Event, args []uint64) (name, code string, ok bool) {
	for i, a := range e.Args {
		if IsOutside(a, args[i]) {
			return e.Name + "." + a.Sym.Name, Outside(a).Else, true
		}
	}
	return "", "", false
}
