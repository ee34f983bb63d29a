package markdown

import (
	"slices"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// reach is what the page says of states beyond their rows. All of it follows
// from the rows; nothing is searched.
type reach struct {
	t      *spec.Table
	cells  map[*spec.Row][]int // the states that a row concerns, ascending
	param  *expr.Symbol        // the first bool parameter that some state needs
	only   []int               // states that can't be reached without it
	holder *spec.Var           // the first optional variable that some states, not all, are sure to hold
	holds  []int               // those states
}

func newReach(t *spec.Table) *reach {
	r := &reach{t: t, cells: map[*spec.Row][]int{}}
	for _, e := range t.Events {
		open := make([]bool, len(t.States))
		for i := range open {
			open[i] = true
		}
		for _, row := range e.Decisions() {
			for s := range t.States {
				if open[s] && (row.From == nil || slices.Contains(row.From, s)) {
					r.cells[row] = append(r.cells[row], s)
				}
			}
			if row.Check && len(row.When)+len(row.Unless) == 0 && row.PartFrom == nil {
				for _, s := range r.cells[row] {
					open[s] = false
				}
			}
		}
	}
	for _, sub := range t.Tables {
		for _, row := range sub.Rows {
			for s := range t.States {
				if row.From == nil || slices.Contains(row.From, s) {
					r.cells[row] = append(r.cells[row], s)
				}
			}
		}
	}
	for _, p := range t.Params {
		only := r.reachedOnlyWith(p)
		if len(only) > 0 || slices.ContainsFunc(t.Parts, func(o *spec.Part) bool { return len(r.partOnly(o, p)) > 0 }) {
			r.param, r.only = p, only
			break
		}
	}
	for _, v := range t.Vars {
		if v.Sym.Type.Kind != expr.Optional {
			continue
		}
		if holds := r.surelyHolding(v); len(holds) > 0 && len(holds) < len(t.States) {
			r.holder, r.holds = v, holds
			break
		}
	}
	return r
}

// targets returns the states that a move leads to from state s: several where
// it goes on with a sub-table.
func targets(row *spec.Row, s int) []int {
	switch {
	case row.To != nil:
		return []int{row.To.Index}
	case row.Then == nil:
		return []int{s}
	}
	var out []int
	for _, sub := range row.Then.Rows {
		if sub.Outcome != spec.Move || sub.From != nil && !slices.Contains(sub.From, s) {
			continue
		}
		for _, to := range targets(sub, s) {
			if !slices.Contains(out, to) {
				out = append(out, to)
			}
		}
	}
	return out
}

// needs reports whether row can apply in state s only where the bool parameter
// p is true: it says so, or a check before it answers otherwise.
func (r *reach) needs(row *spec.Row, s int, p *expr.Symbol) bool {
	if row.Event.Can != nil && demands(&spec.Cond{Expr: row.Event.Can}, p, true) {
		return true
	}
	if slices.ContainsFunc(row.When, func(c *spec.Cond) bool { return demands(c, p, true) }) ||
		slices.ContainsFunc(row.Unless, func(c *spec.Cond) bool { return demands(c, p, false) }) {
		return true
	}
	for _, check := range row.Event.Checks {
		if check == row {
			break
		}
		only := len(check.When) + len(check.Unless)
		if only == 1 && slices.Contains(r.cells[check], s) &&
			(len(check.Unless) == 1 && demands(check.Unless[0], p, true) || len(check.When) == 1 && demands(check.When[0], p, false)) {
			return true
		}
	}
	return false
}

// demands reports whether c is the bare "p", or "!p" if is is false.
func demands(c *spec.Cond, p *expr.Symbol, is bool) bool {
	n := c.Expr
	if n != nil && !is {
		if n.Op != expr.OpNot {
			return false
		}
		n = n.Args[0]
	}
	return n != nil && n.Op == expr.OpRef && n.Sym == p && p.Type.Kind == expr.Bool
}

// reachedOnlyWith returns the states that rows lead to, but only with p.
func (r *reach) reachedOnlyWith(p *expr.Symbol) []int {
	if p.Type.Kind != expr.Bool {
		return nil
	}
	with, without := r.reached(nil), r.reached(p)
	var only []int
	for s := range r.t.States {
		if with[s] && !without[s] {
			only = append(only, s)
		}
	}
	return only
}

// reached returns which states some rows lead to, guards aside; without the
// rows that need p, unless it is nil.
func (r *reach) reached(p *expr.Symbol) []bool {
	seen := make([]bool, len(r.t.States))
	var queue []int
	visit := func(s int) {
		if !seen[s] {
			seen[s] = true
			queue = append(queue, s)
		}
	}
	for _, s := range r.t.States {
		if s.Initial {
			visit(s.Index)
		}
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		r.moves(func(row *spec.Row, from, to int) {
			if from == s && (p == nil || !r.needs(row, from, p)) {
				visit(to)
			}
		})
	}
	return seen
}

// moves calls f for each way of each move, in the table's order.
func (r *reach) moves(f func(row *spec.Row, from, to int)) {
	for _, e := range r.t.Events {
		for _, row := range e.Rows {
			if row.Outcome != spec.Move {
				continue
			}
			for _, s := range r.cells[row] {
				for _, to := range targets(row, s) {
					f(row, s, to)
				}
			}
		}
	}
}

// surelyHolding returns the states in which v always has a value: each row
// that leads there gives it one, or leaves it alone and comes from such a
// state. States that no row leads to are left out.
func (r *reach) surelyHolding(v *spec.Var) []int {
	reached := r.reached(nil)
	sure := slices.Clone(reached)
	for _, s := range r.t.States {
		if s.Initial && (v.Any || v.Init == nil || v.Init.Op != expr.OpSome) {
			sure[s.Index] = false
		}
	}
	for changed := true; changed; {
		changed = false
		r.moves(func(row *spec.Row, from, to int) {
			if sure[to] && reached[from] && !gives(row, v.Sym, sure[from]) {
				sure[to] = false
				changed = true
			}
		})
	}
	var holds []int
	for s, is := range sure {
		if is {
			holds = append(holds, s)
		}
	}
	return holds
}

// gives reports whether v surely has a value after row, if it surely has one
// before or not.
func gives(row *spec.Row, v *expr.Symbol, before bool) bool {
	var has func(n *expr.Node) bool
	has = func(n *expr.Node) bool {
		switch n.Op {
		case expr.OpSome:
			return true
		case expr.OpRef:
			return n.Sym == v && before
		case expr.OpCond:
			return has(n.Args[1]) && has(n.Args[2])
		}
		return false
	}
	for _, a := range row.Set {
		if a.Var == v {
			return has(a.Expr)
		}
	}
	if row.Then != nil {
		return !slices.ContainsFunc(row.Then.Rows, func(sub *spec.Row) bool { return !gives(sub, v, before) })
	}
	return before
}
