package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// Cell is an event in a control state, with the decisions that some values of
// what the event reads lead to, in the order of the table.
type Cell struct {
	Event *Event
	State *State
	Rows  []*Row
}

// maxCell bounds the values that are tried to decide one event in one state.
const maxCell = 1 << 20

// cells decides every cell: for all values of what an event reads exactly one
// check or row applies, and everything that the row computes is defined. Of
// identities as many values are tried as the event mentions and one more, which
// is enough, since only equality and order are ever asked for.
func (b *builder) cells() {
	for _, e := range b.t.Events {
		d := newDecider(b, e)
		if d == nil {
			continue
		}
		for _, s := range b.t.States {
			b.t.Cells = append(b.t.Cells, d.cell(s))
		}
		for _, r := range e.Decisions() {
			if !d.used[r] && len(*b.diags) == 0 {
				b.diags.Add(diag.DeadRow, r.Pos, "%s can never apply", r.Name()).
					WithHint("its conditions contradict each other, or a check before it covers them").Width = len(r.ID)
			}
		}
	}
}

// decider tries the values of one event.
type decider struct {
	b      *builder
	event  *Event
	reads  []*expr.Symbol
	domain [][]uint64
	values map[*expr.Symbol]uint64
	env    expr.Env
	used   map[*Row]bool
	told   map[string]bool
}

func newDecider(b *builder, e *Event) *decider {
	d := &decider{b: b, event: e, values: map[*expr.Symbol]uint64{}, used: map[*Row]bool{}, told: map[string]bool{}}
	d.env.Value = func(s *expr.Symbol, _ bool) uint64 { return d.values[s] }
	for _, x := range d.expressions() {
		for _, s := range x.Reads(expr.SymVar, expr.SymShared, expr.SymArg, expr.SymParam) {
			if !slices.Contains(d.reads, s) {
				d.reads = append(d.reads, s)
			}
		}
	}
	d.env.Size = d.mentions
	total := 1
	for _, s := range d.reads {
		values := d.codes(s)
		if total *= max(1, len(values)); total > maxCell {
			b.diags.Add(diag.TooLarge, e.Pos, "%s reads too many values to be decided: more than %d", e.Name, maxCell).
				WithHint("smaller ranges, or fewer variables in its conditions").Width = len(e.Name)
			return nil
		}
		d.domain = append(d.domain, values)
	}
	return d
}

// expressions are the conditions of the event's rows, and whatever else may be
// undefined.
func (d *decider) expressions() []*expr.Node {
	var out []*expr.Node
	for _, r := range d.event.Decisions() {
		for _, c := range append(slices.Clone(r.When), r.Unless...) {
			out = append(out, c.Expr)
		}
		for _, x := range r.results() {
			if x.partial() {
				out = append(out, x.Node)
			}
		}
	}
	return out
}

// result is an expression that a move computes.
type result struct {
	*expr.Node
	src string
	pos diag.Pos
}

func (r *Row) results() []result {
	var out []result
	for _, a := range r.Set {
		out = append(out, result{a.Expr, a.Src, a.Pos})
	}
	for _, em := range r.Emit {
		for _, x := range em.Args {
			out = append(out, result{x, em.Src, em.Pos})
		}
	}
	return out
}

func (r result) partial() bool {
	found := false
	r.Walk(func(n *expr.Node) bool {
		found = found || n.Op == expr.OpGet
		return !found
	})
	return found
}

// mentions counts the names of a type that the event reads, and one other.
func (d *decider) mentions(t *expr.Type) int {
	n := 1
	for _, s := range d.reads {
		if expr.Same(s.Type, t) || s.Type.Elem != nil && expr.Same(s.Type.Elem, t) {
			n++
		}
	}
	return n
}

// codes lists the values that s may have.
func (d *decider) codes(s *expr.Symbol) []uint64 {
	lo, n := 0, 0
	switch t := s.Type; t.Kind {
	case expr.Bool:
		n = 2
	case expr.Int:
		lo, n = t.Lo, min(t.Hi-t.Lo+1, maxCell+1)
	case expr.Enum:
		n = len(t.Values)
	case expr.Identity:
		lo, n = 1, d.mentions(t)
	case expr.Serial:
		n = d.mentions(t) + 1
		if s.Kind == expr.SymArg && !d.event.Args[s.Index].Origin {
			lo, n = 1, n-1
		}
	case expr.Optional:
		inner := *s
		inner.Type = t.Elem
		out := []uint64{0}
		for _, v := range d.codes(&inner) {
			out = append(out, v+1)
		}
		return out
	}
	out := make([]uint64, n)
	for i := range out {
		out[i] = uint64(lo + i)
	}
	return out
}

// cell tries every value of what the event reads, in state s.
func (d *decider) cell(s *State) *Cell {
	c := &Cell{Event: d.event, State: s}
	d.values[d.b.t.State] = uint64(s.Index)
	seen := map[*Row]bool{}
	d.each(0, func() bool {
		r, ok := d.decide(s)
		if r != nil {
			seen[r], d.used[r] = true, true
			ok = d.defined(s, r)
		}
		return ok
	})
	for _, r := range d.event.Decisions() {
		if seen[r] {
			c.Rows = append(c.Rows, r)
		}
	}
	return c
}

// each runs f for every assignment of the symbols from i on, until it returns
// false.
func (d *decider) each(i int, f func() bool) bool {
	if i == len(d.reads) {
		return f()
	}
	for _, v := range d.domain[i] {
		d.values[d.reads[i]] = v
		if !d.each(i+1, f) {
			return false
		}
	}
	return true
}

// decide returns the one check or row that applies. It complains once a cell
// of a gap, an overlap or something undefined, and then says to stop.
func (d *decider) decide(s *State) (*Row, bool) {
	for _, r := range d.event.Checks {
		applies, ok := d.applies(s, r)
		switch {
		case !ok:
			return nil, false
		case applies:
			return r, true
		}
	}
	var found *Row
	for _, r := range d.event.Rows {
		applies, ok := d.applies(s, r)
		switch {
		case !ok:
			return nil, false
		case applies && found != nil:
			d.overlap(s, found, r)
			return nil, true
		case applies:
			found = r
		}
	}
	if found == nil {
		d.b.diags.Add(diag.Gap, d.event.Pos, "no check or row decides %s when %s", d.event.Name, d.witness(s)).
			WithHint("add a row for it: a move, stay, refuse, ignore, or never with the reason").Width = len(d.event.Name)
		return nil, false
	}
	return found, true
}

func (d *decider) overlap(s *State, a, b *Row) {
	key := a.Name() + " " + b.Name()
	if d.told[key] {
		return
	}
	d.told[key] = true
	d.used[a], d.used[b] = true, true
	d.b.diags.Add(diag.Overlap, b.Pos, "%s and %s both apply when %s", a.Name(), b.Name(), d.witness(s)).
		WithHint("rows have no order: let one exclude the other").Also(a.Pos, "%s", a.Name()).Width = len(b.ID)
}

// applies reports whether a check's or row's conditions hold; ok is false if
// one is undefined.
func (d *decider) applies(s *State, r *Row) (applies, ok bool) {
	if r.From != nil && !slices.Contains(r.From, s.Index) {
		return false, true
	}
	for i, c := range append(slices.Clone(r.When), r.Unless...) {
		v, undefined := d.env.Eval(c.Expr)
		if undefined != nil {
			d.undefined(s, r, undefined, c.Src)
			return false, false
		}
		if (v == 1) != (i < len(r.When)) {
			return false, true
		}
	}
	return true, true
}

// defined tries everything that a move computes.
func (d *decider) defined(s *State, r *Row) bool {
	for _, x := range r.results() {
		if !x.partial() {
			continue
		}
		if _, undefined := d.env.Eval(x.Node); undefined != nil {
			d.undefined(s, r, undefined, x.src)
			return false
		}
	}
	return true
}

func (d *decider) undefined(s *State, r *Row, n *expr.Node, src string) {
	key := r.Name() + " " + src
	if d.told[key] {
		return
	}
	d.told[key] = true
	d.b.diags.Add(diag.Undefined, n.Pos, "in %s, %s has no value when %s", r.Name(), src, d.witness(s)).
		WithHint("ask hasValue() before, in this condition or an earlier one").Also(r.Pos, "%s", r.Name())
}

// witness says the values that are being tried.
func (d *decider) witness(s *State) string {
	parts := []string{"state = " + s.Name}
	for _, r := range d.reads {
		parts = append(parts, r.Name+" = "+say(r.Type, d.values[r]))
	}
	return strings.Join(parts, ", ")
}

// say writes a code as a person would: identities are numbered values of their
// type.
func say(t *expr.Type, code uint64) string {
	switch t.Kind {
	case expr.Bool:
		return fmt.Sprint(code == 1)
	case expr.Enum:
		return t.Values[code]
	case expr.Identity, expr.Serial:
		if code == 0 {
			return "origin"
		}
		return fmt.Sprintf("%s %d", t.Name, code)
	case expr.Optional:
		if code == 0 {
			return "none"
		}
		return say(t.Elem, code-1)
	}
	return fmt.Sprint(int64(code))
}
