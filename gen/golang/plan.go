package golang

import (
	"slices"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// step is one thing that a move does to the machine.
type step struct {
	reads, writes []*expr.Symbol
	moves         bool // it moves parts: such steps keep their order
	move          *spec.PartMove
	own           []*expr.Symbol // what the move reads of the part that it moves
	target        *expr.Symbol   // of an assignment to a variable; nil: another step
	value         *expr.Node     // normal
	place         string         // of target, in Go
	print         func(*body)
}

// plan returns the steps of a row in an order in which each reads the old state
// though the ones before it are done: one that reads a place comes before the
// one that overwrites it. Those that can't be put in such an order are left;
// plain assignments among them can still be made together.
func (m *machine) plan(r *spec.Row) (order, left []step) { return arrange(m.steps(r)) }

func arrange(steps []step) (order, left []step) {
	left = steps
	for len(left) > 0 {
		if i := slices.IndexFunc(left, func(s step) bool { return !s.tooEarly(left) }); i >= 0 {
			order = append(order, left[i])
			left = slices.Delete(left, i, i+1)
			continue
		}
		plain := func(s step) bool { return s.plain() && len(s.reads) > 0 }
		i := slices.IndexFunc(left, plain)
		if i < 0 || !slices.ContainsFunc(left, func(s step) bool { return !s.plain() }) {
			break
		}
		var kept step
		kept, left[i] = left[i].early()
		order = append(order, kept)
	}
	return order, left
}

// plain reports whether s assigns a value to a variable of the machine or to a
// field of a record.
func (s *step) plain() bool { return s.target != nil && !collection(s.target.Type) }

// early parts s in two: its value is kept in a local, and assigned later.
func (s *step) early() (keep, set step) {
	local, place, value, typ := "next"+names.Exported(s.target.Name), s.place, s.value, s.target.Type
	keep = step{reads: s.reads, print: func(b *body) {
		if value.Op == expr.OpCond {
			b.printf("var %s %s\n", local, b.goType(typ))
			b.choose(value, b.assigningTo(local))
			return
		}
		b.printf("%s := %s\n", local, b.operand(value, 0))
	}}
	set = *s
	set.reads = nil
	set.print = func(b *body) { b.printf("%s = %s\n", place, local) }
	return keep, set
}

// tooEarly reports whether another step that is left must come before s.
func (s *step) tooEarly(left []step) bool {
	before := true
	for i := range left {
		o := &left[i]
		if o.is(s) {
			before = false
			continue
		}
		if before && s.moves && o.moves || common(o.reads, s.writes) || common(o.own, s.writes) && !s.apart(o) {
			return true
		}
	}
	return false
}

// apart reports whether a part that s has moved can't be moved by o.
func (s *step) apart(o *step) bool {
	return s.move != nil && o.move != nil && !common(leads(s.move), o.move.From)
}

func common[T comparable](a, b []T) bool {
	return slices.ContainsFunc(a, func(x T) bool { return slices.Contains(b, x) })
}

// is reports whether s and o are the same step of a row: no two write the same.
func (s *step) is(o *step) bool { return s.target == o.target && slices.Equal(s.writes, o.writes) }

// steps returns what a row does: to parts, to the state and to variables, in
// the table's order.
func (m *machine) steps(r *spec.Row) []step {
	var out []step
	done := map[*spec.Part]bool{}
	for _, f := range r.Fire {
		switch p := f.Move.Part; {
		case !inPlace(r, p):
			out = append(out, m.fire(f))
		case !done[p]:
			done[p] = true
			out = append(out, m.change(r, p))
		}
	}
	if r.To != nil {
		out = append(out, m.assign(m.State, &expr.Node{Op: expr.OpValue, Type: m.State.Type, Int: r.To.Index}))
	}
	for _, a := range r.Set {
		if a.Key == nil {
			out = append(out, m.assign(a.Var, a.Expr))
			continue
		}
		switch p := m.partOf(a.Var); {
		case !inPlace(r, p):
			out = append(out, m.setField(a))
		case !done[p]:
			done[p] = true
			out = append(out, m.change(r, p))
		}
	}
	return out
}

var state = []expr.SymKind{expr.SymState, expr.SymVar, expr.SymShared, expr.SymField}

func reads(ns ...*expr.Node) []*expr.Symbol {
	var out []*expr.Symbol
	for _, n := range ns {
		out = append(out, n.Reads(state...)...)
	}
	return out
}

// assign is the step that gives a variable, or the state, a value.
func (m *machine) assign(target *expr.Symbol, value *expr.Node) step {
	n := normal(value)
	return step{
		reads: reads(value), writes: []*expr.Symbol{target}, target: target, value: n, place: ref(target),
		print: func(b *body) {
			if collection(target.Type) {
				b.collect(target, n)
				return
			}
			b.choose(n, b.assigning(target))
		},
	}
}

// writesOf returns what a move writes.
func writesOf(v *spec.PartMove) []*expr.Symbol {
	out := []*expr.Symbol{v.Part.State}
	for _, a := range v.Set {
		out = append(out, a.Var)
	}
	if remembers(v) {
		out = append(out, v.Part.Memory.List.Sym)
	}
	return out
}

// readsOf returns what a move reads of the part that it moves, and of all else.
func readsOf(v *spec.PartMove) (own, other []*expr.Symbol) {
	for _, a := range v.Set {
		a.Expr.Walk(func(n *expr.Node) bool {
			switch {
			case n.Op == expr.OpField && n.Args[0].Op == expr.OpRef && n.Args[0].Sym == v.It:
				own = append(own, n.Sym)
				return false
			case n.Op == expr.OpRef || n.Op == expr.OpField || n.Op == expr.OpFieldValues:
				other = append(other, n.Sym)
			}
			return true
		})
	}
	return own, other
}

// fire is the step of a move that has a method of its own.
func (m *machine) fire(f *spec.Fire) step {
	own, other := readsOf(f.Move)
	return step{
		reads: append(reads(f.On), other...), own: own, writes: writesOf(f.Move), moves: true, move: f.Move,
		print: func(b *body) { b.fire(f) },
	}
}

// setField is the step that sets a variable of the part with a key.
func (m *machine) setField(a *spec.Assign) step {
	return step{
		reads: reads(a.Key, a.Expr), writes: []*expr.Symbol{a.Var},
		print: func(b *body) { b.setField(a) },
	}
}

// change is the step of all that a row does to its event's subject.
func (m *machine) change(r *spec.Row, p *spec.Part) step {
	s := step{moves: true, print: func(b *body) { b.change(r, p) }}
	for _, f := range r.Fire {
		if f.Move.Part == p {
			s.move = f.Move // of several the last one: a subject that it leaves is where it leads
			own, other := readsOf(f.Move)
			s.reads, s.writes = append(append(s.reads, own...), other...), append(s.writes, writesOf(f.Move)...)
		}
	}
	for _, a := range r.Set {
		if a.Key != nil && a.Var.Part == p.Sym {
			s.reads, s.writes = append(s.reads, reads(a.Expr)...), append(s.writes, a.Var)
		}
	}
	return s
}
