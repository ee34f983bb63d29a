// Package literal prints machines, events and effects as Go literals of a
// generated package, from the codes of gen/interp: the tables of generated
// tests are made of them, and the scripts of failing ones.
package literal

import (
	"fmt"
	"slices"
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
	Pkg   string // the package's name
	sizes map[*expr.Type]int
	start []uint64
}

// Of returns the printer of t. Codes of lists, and those of a machine with
// parts, depend on a model: see [Printer.In].
func Of(t *spec.Table) Printer {
	return Printer{Table: t, Pkg: strings.ToLower(strings.ReplaceAll(t.Name, "_", ""))}
}

// In returns the printer for the codes of m's model.
func (p Printer) In(m *interp.Machine) Printer {
	p.sizes, p.start = m.Model().Sizes, Vars(m, m.Init()[0], 0)
	return p
}

// Vars returns what a machine in Go has of an instance in state s: the codes of
// the control state, the variables, the parts and the shared variables, as
// interp.Stepper takes them.
func Vars(m *interp.Machine, s interp.State, instance int) []uint64 {
	own, shared := m.Fields()
	values := m.Values(s)
	var out []uint64
	add := func(fields []interp.Field, at int) {
		for i, f := range fields {
			if f.Kind != interp.Ghost && f.Kind != interp.Issued {
				out = append(out, values[at+i])
			}
		}
	}
	add(own, instance*len(own))
	add(shared, m.Instances()*len(own))
	return out
}

// Fields returns what the codes of a machine in Go stand for: those of Vars.
func Fields(m *interp.Machine) []interp.Field {
	own, shared := m.Fields()
	var out []interp.Field
	for _, list := range [][]interp.Field{own, shared} {
		for _, f := range list {
			if f.Kind != interp.Ghost && f.Kind != interp.Issued {
				out = append(out, f)
			}
		}
	}
	return out
}

// Limited reports whether a machine holds parts, lists or sets: only then does
// a model's size limit which identities and serials it can hold.
func Limited(t *spec.Table) bool {
	for _, list := range [][]*spec.Var{t.Vars, t.Shared} {
		for _, v := range list {
			if v.Sym.Type.Kind == expr.List || v.Sym.Type.Kind == expr.Set {
				return true
			}
		}
	}
	return len(t.Parts) > 0
}

// Type returns t in Go: "lane.Lease", "fsm.Optional[lane.Lease]", "bool".
func (p Printer) Type(t *expr.Type) string {
	switch {
	case t.Kind == expr.Optional:
		return "fsm.Optional[" + p.Type(t.Elem) + "]"
	case t.Kind == expr.List:
		return "fsm.FIFO[" + p.Type(t.Elem) + "]"
	case t.Kind == expr.Set:
		return "fsm.Set[" + p.Type(t.Elem) + "]"
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
		for _, x := range p.Parts {
			if t == x.State.Type {
				return p.Pkg + "." + names.PartValue(x, int(code))
			}
		}
		return p.Pkg + "." + names.Value(t, int(code))
	case expr.List:
		return "fsm.NewFIFO[" + p.Type(t.Elem) + "](" + p.values(t.Elem, expr.BaseOf(t.Elem, p.sizes[t.Elem]).Elements(code)) + ")"
	case expr.Set:
		var elems []uint64
		for c := range uint64(64) {
			if code>>c&1 != 0 {
				elems = append(elems, c)
			}
		}
		return "fsm.NewSet[" + p.Type(t.Elem) + "](" + p.values(t.Elem, elems) + ")"
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
	if t.Text {
		return strconv.Quote(Text(code))
	}
	return strconv.FormatUint(code, 10)
}

// Text returns the value with that code of an identity that is a string in Go:
// its number, and the empty string for what is no value.
func Text(code uint64) string {
	if code == 0 {
		return ""
	}
	return strconv.FormatUint(code, 10)
}

func (p Printer) values(t *expr.Type, codes []uint64) string {
	var out []string
	for _, c := range codes {
		out = append(out, p.Value(t, c))
	}
	return strings.Join(out, ", ")
}

// field is "Name: value", or nothing for Go's zero value.
func (p Printer) field(name string, t *expr.Type, code uint64) []string {
	if zero(t, code) {
		return nil
	}
	return []string{name + ": " + p.Value(t, code)}
}

// Machine returns a machine with these parameters, as in spec.Model.Params,
// and these codes, as Vars returns them. But for the state, fields with zero
// values are left out, and so are parts that are as at the start.
func (p Printer) Machine(params []int, vars []uint64) string {
	var fields []string
	if consts := p.params(params); len(consts) > 0 {
		fields = append(fields, "Params: "+p.ParamsOf(params))
	}
	common := vars[len(vars)-len(p.Shared):]
	var shared []string
	for i, v := range p.Shared {
		shared = append(shared, p.field(names.Exported(v.Sym.Name), v.Sym.Type, common[i])...)
	}
	if len(shared) > 0 {
		fields = append(fields, fmt.Sprintf("Shared: %s.Shared{%s}", p.Pkg, strings.Join(shared, ", ")))
	}
	fields = append(fields, "State: "+p.Value(p.State.Type, vars[0]))
	for i, v := range p.Vars {
		fields = append(fields, p.field(names.Exported(v.Sym.Name), v.Sym.Type, vars[i+1])...)
	}
	at := 1 + len(p.Vars)
	for _, x := range p.Parts {
		fields = append(fields, p.parts(x, vars, at)...)
		at += len(x.Fields()) * p.sizes[x.Key]
	}
	if text := strings.Join(fields, ", "); len(p.Parts) == 0 || len(text) < 100 {
		return p.Pkg + ".Machine{" + text + "}"
	}
	return p.Pkg + ".Machine{\n" + strings.Join(fields, ",\n") + ",\n}"
}

// ParamsOf returns parameters, as in spec.Model.Params.
func (p Printer) ParamsOf(params []int) string {
	return fmt.Sprintf("%s.Params{%s}", p.Pkg, strings.Join(p.params(params), ", "))
}

func (p Printer) params(params []int) []string {
	var out []string
	for i, s := range p.Params {
		out = append(out, p.field(names.Exported(s.Name), s.Type, uint64(params[i]-paramOffset(s.Type)))...)
	}
	return out
}

// parts returns the maps that hold the parts whose records begin at vars[at].
func (p Printer) parts(x *spec.Part, vars []uint64, at int) []string {
	var held []string
	index := make([][]string, len(x.Fields()))
	for key := uint64(1); key <= uint64(p.sizes[x.Key]); key++ {
		record, start := vars[at:at+len(x.Fields())], p.start[at:at+len(x.Fields())]
		at += len(record)
		if slices.Equal(record, start) {
			continue
		}
		k := p.Value(x.Key, key)
		var fields []string
		for i, f := range x.Fields() {
			fields = append(fields, p.field(names.Exported(f.Name), f.Type, record[i])...)
			if f.Unique && record[i] != 0 {
				index[i] = append(index[i], p.Value(f.Type.Elem, record[i]-1)+": "+k)
			}
		}
		held = append(held, k+": {"+strings.Join(fields, ", ")+"}")
	}
	if held == nil {
		return nil
	}
	records := held[0]
	if len(held) > 1 {
		records = "\n" + strings.Join(held, ",\n") + ",\n"
	}
	out := []string{fmt.Sprintf("%s: map[%s]%s.%s{%s}", names.Exported(x.Name), p.Type(x.Key), p.Pkg, names.Record(x), records)}
	for i, f := range x.Fields() {
		if index[i] != nil {
			out = append(out, fmt.Sprintf("%s: map[%s]%s{%s}", names.Index(x, f), p.Type(f.Type.Elem), p.Type(x.Key), strings.Join(index[i], ", ")))
		}
	}
	return out
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
