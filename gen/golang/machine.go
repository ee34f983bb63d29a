package golang

import (
	"slices"
	"strconv"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// machine is what is printed of a table: all but its world.
type machine struct {
	*spec.Table
	types      []*expr.Type     // declared ones that the rest mentions
	defs       []*expr.Symbol   // those that the rest reads
	predicates []*spec.Property // invariants that Go can tell
	fields     []*field
	decisions  []decision

	bound   map[*expr.Symbol]string // names that the printed function gives to what is bound
	records map[*expr.Symbol]string // and to the record of the part with that key
	heads   map[*expr.Symbol]string // and to the first element of a list
	asked   bool                    // such a record was read
	uses    map[string]bool         // packages that the printed file imports
}

// field is a field of Effect. Effects share it where their arguments agree in
// name and type.
type field struct {
	name string
	typ  *expr.Type
	of   []*spec.Effect
	args []*expr.Symbol // of each of them
}

// decision is a constant of type Row: an answer to a value outside its type, a
// check or a row.
type decision struct {
	event *spec.Event // nil: of a sub-table
	arg   *spec.Arg   // of an answer to a value outside its type
	row   *spec.Row
}

func newMachine(t *spec.Table) *machine {
	m := &machine{Table: t, bound: map[*expr.Symbol]string{}, records: map[*expr.Symbol]string{}, heads: map[*expr.Symbol]string{}}
	for _, p := range t.Properties {
		if p.Kind == spec.Invariant && tellable(p.Holds) {
			m.predicates = append(m.predicates, p)
		}
	}
	m.defs = m.defsRead()
	m.types = m.typesRead()
	for _, e := range t.Effects {
		for _, a := range e.Args {
			m.addField(e, a)
		}
	}
	for _, e := range t.Events {
		for _, a := range e.Args {
			if outsider(a) {
				m.decisions = append(m.decisions, decision{event: e, arg: a})
			}
		}
		for _, r := range e.Decisions() {
			m.decisions = append(m.decisions, decision{event: e, row: r})
		}
	}
	for _, s := range t.Tables {
		for _, r := range s.Rows {
			m.decisions = append(m.decisions, decision{row: r})
		}
	}
	return m
}

// tellable reports whether n reads nothing of the world and nothing that Go
// can't say. A property that isn't tellable stays with the model.
func tellable(n *expr.Node) bool {
	return len(n.Reads(expr.SymGhost)) == 0 && sayable(n)
}

// expressions returns what production code evaluates, definitions' bodies
// left out.
func (m *machine) expressions() []*expr.Node {
	var out []*expr.Node
	for _, v := range m.variables() {
		if v.Init != nil {
			out = append(out, v.Init)
		}
	}
	for _, r := range m.rows() {
		for _, c := range slices.Concat(r.When, r.Unless) {
			out = append(out, c.Expr)
		}
		for _, f := range r.Fire {
			out = append(out, f.On)
		}
		for _, a := range r.Set {
			out = append(out, a.Expr)
			if a.Key != nil {
				out = append(out, a.Key)
			}
		}
		for _, e := range r.Emit {
			out = append(out, e.Args...)
			if e.Each != nil {
				out = append(out, e.In)
			}
		}
	}
	for _, p := range m.Parts {
		for _, v := range p.Moves {
			for _, a := range v.Set {
				out = append(out, a.Expr)
			}
		}
		if p.Memory != nil {
			out = append(out, p.Memory.Most)
		}
	}
	for _, p := range m.predicates {
		out = append(out, p.Holds)
	}
	return out
}

// owned returns the variables of a machine, shared ones last.
func (m *machine) owned() []*spec.Var { return slices.Concat(m.Vars, m.Shared) }

// variables returns those of the machine, then those of its parts.
func (m *machine) variables() []*spec.Var {
	out := m.owned()
	for _, p := range m.Parts {
		out = append(out, p.Vars...)
	}
	return out
}

// rows returns the checks and rows of the events and sub-tables.
func (m *machine) rows() []*spec.Row {
	var out []*spec.Row
	for _, e := range m.Events {
		out = append(out, e.Decisions()...)
	}
	for _, s := range m.Tables {
		out = append(out, s.Rows...)
	}
	return out
}

func (m *machine) defsRead() []*expr.Symbol {
	read := map[*expr.Symbol]bool{}
	for _, n := range m.expressions() {
		n.Walk(func(n *expr.Node) bool {
			if n.Op == expr.OpDef {
				read[n.Sym] = true
			}
			return true
		})
	}
	return slices.DeleteFunc(slices.Clone(m.Defs), func(d *expr.Symbol) bool { return !read[d] })
}

// symbols returns the declared names whose types are printed.
func (m *machine) symbols() []*expr.Symbol {
	out := slices.Concat(m.Params, m.defs)
	for _, v := range m.variables() {
		out = append(out, v.Sym)
	}
	for _, e := range m.Events {
		for _, a := range e.Args {
			out = append(out, a.Sym)
		}
	}
	for _, e := range m.Effects {
		out = append(out, e.Args...)
	}
	return out
}

func (m *machine) typesRead() []*expr.Type {
	read := map[*expr.Type]bool{}
	mention := func(t *expr.Type) {
		for ; t != nil; t = t.Elem {
			read[t] = true
		}
	}
	for _, s := range m.symbols() {
		mention(s.Type)
	}
	for _, p := range m.Parts {
		mention(p.Key)
	}
	for _, n := range m.expressions() {
		n.Walk(func(n *expr.Node) bool {
			mention(n.Type)
			return true
		})
	}
	return slices.DeleteFunc(slices.Clone(m.Types), func(t *expr.Type) bool { return !read[t] })
}

func (m *machine) addField(e *spec.Effect, a *expr.Symbol) {
	name := names.Exported(a.Name)
	for _, f := range m.fields {
		switch {
		case f.name != name:
		case expr.Same(f.typ, a.Type):
			f.of, f.args = append(f.of, e), append(f.args, a)
			return
		default: // another type under this name: the field is named after its effect too
			name = names.Exported(e.Name) + name
		}
	}
	m.fields = append(m.fields, &field{name: name, typ: a.Type, of: []*spec.Effect{e}, args: []*expr.Symbol{a}})
}

// fieldOf returns the field that holds the argument of an effect.
func (m *machine) fieldOf(a *expr.Symbol) *field {
	i := slices.IndexFunc(m.fields, func(f *field) bool { return slices.Contains(f.args, a) })
	return m.fields[i]
}

// outsider reports whether a Go value of the argument may be outside its type
// and the table says what answers it.
func outsider(a *spec.Arg) bool { return plain(a).Else != "" }

// plain returns the type of an argument, or of what an optional one holds.
func plain(a *spec.Arg) *expr.Type {
	if t := a.Sym.Type; t.Kind == expr.Optional {
		return t.Elem
	}
	return a.Sym.Type
}

// name returns the decision's name in the table.
func (d decision) name() string {
	if d.row == nil {
		return d.event.Name + "." + d.arg.Sym.Name
	}
	return d.row.Name()
}

// constant returns the decision's name in Go.
func (d decision) constant() string {
	if d.row == nil {
		return names.TypeRow(d.event, d.arg)
	}
	return names.Row(d.row)
}

// outcome returns what the decision does and its code, if it has one.
func (d decision) outcome() (spec.Outcome, string) {
	if d.row != nil {
		return d.row.Outcome, d.row.Code
	}
	return spec.Refuse, plain(d.arg).Else
}

// growing reports whether the machine holds maps or the like: a copy of it then
// shares them.
func (m *machine) growing() bool {
	return len(m.Parts) > 0 || slices.ContainsFunc(m.owned(), func(v *spec.Var) bool { return collection(v.Sym.Type) })
}

// emits reports whether a move of the event has an effect.
func emits(e *spec.Event) bool {
	return slices.ContainsFunc(e.Rows, func(r *spec.Row) bool { return len(r.Emit) > 0 || r.Then != nil && anyEmits(r.Then) })
}

// anyEmits reports whether a row of the sub-table has an effect.
func anyEmits(s *spec.SubTable) bool {
	return slices.ContainsFunc(s.Rows, func(r *spec.Row) bool { return len(r.Emit) > 0 })
}

// start returns the state in which the machine starts.
func (m *machine) start() *spec.State {
	return m.States[slices.IndexFunc(m.States, func(s *spec.State) bool { return s.Initial })]
}

// startsAtZero reports whether the zero Machine, with Params, is the start.
func (m *machine) startsAtZero() bool {
	return m.start().Index == 0 && !slices.ContainsFunc(m.owned(), startsElsewhere)
}

// startsElsewhere reports whether v's value at the start may differ from Go's
// zero value.
func startsElsewhere(v *spec.Var) bool {
	if v.Init == nil {
		return startValue(v.Sym.Type) != 0
	}
	switch n := normal(v.Init); n.Op {
	case expr.OpBool, expr.OpInt:
		return n.Int != 0
	case expr.OpValue:
		return n.Int+firstValue(n.Type) != 0
	case expr.OpNone, expr.OpOrigin, expr.OpEmpty:
		return false
	}
	return true
}

// startValue returns the default of a type as Go holds it.
func startValue(t *expr.Type) int {
	switch t.Kind {
	case expr.Int:
		return t.Lo
	case expr.Enum:
		return firstValue(t)
	case expr.Identity:
		return 1
	}
	return 0
}

// start returns startValue as a literal.
func start(t *expr.Type) string {
	n := strconv.Itoa(startValue(t))
	if t.Text {
		return strconv.Quote(n)
	}
	return n
}

// firstValue returns the number of an enumeration's first value: where zero is
// answered as outside the type it is none of the values.
func firstValue(t *expr.Type) int {
	if t.Else != "" {
		return 1
	}
	return 0
}
