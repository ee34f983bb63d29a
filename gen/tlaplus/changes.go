package tlaplus

import (
	"slices"
	"strconv"
	"strings"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// changes returns r's primes, aligned, and what it leaves; a row that goes on
// with a sub-table ends in that.
func (m *module) changes(r *spec.Row) []doc {
	switch {
	case r.Then != nil:
		sub := m.subs[r.Then]
		return append(m.primes(m.updates(r, change{}), sub.before), sub.entered(m, r))
	case r.Table != nil && r.Outcome == spec.Move:
		sub := m.subs[r.Table]
		return m.primes(m.updates(r, change{left: sub.params}), sub.after)
	}
	return m.primes(m.updates(r, change{}), m.vars)
}

// primes gives each of some variables its next value.
func (m *module) primes(next map[*variable]doc, of []*variable) []doc {
	column := 0
	for _, v := range of {
		if _, ok := next[v]; ok {
			column = max(column, len(v.name)+1)
		}
	}
	var out, rest []doc
	for _, v := range of {
		d, ok := next[v]
		if !ok {
			rest = append(rest, text(v.name))
			continue
		}
		head := v.name + "'" + strings.Repeat(" ", column-len(v.name)-1) + " = "
		out = append(out, wrapped(head, d, ""))
	}
	switch len(rest) {
	case 0:
		return out
	case len(m.vars):
		return append(out, text("UNCHANGED vars"))
	case 1:
		return append(out, text("UNCHANGED "+rest[0].op))
	}
	return append(out, filled("UNCHANGED <<", rest, ">>"))
}

// change says how updates are written. The zero one is for primes.
type change struct {
	passed bool                 // values of the instance, to be passed to a sub-table
	left   map[*variable]string // of a sub-row: names of what the row before it leaves
}

// updates returns the new values of all variables that r sets, the world's
// included.
func (m *module) updates(r *spec.Row, c change) map[*variable]doc {
	next := map[*variable]doc{}
	for v, name := range c.left {
		next[v] = m.whole(v, text(name))
	}
	if r.Outcome == spec.Move {
		m.ownUpdates(next, r, c)
	}
	set := map[*variable]diag.Pos{}
	for _, f := range m.t.Follows {
		if f.Follows(r) {
			m.assign(next, set, r, f.Set, nil, c)
		}
	}
	for _, em := range r.Emit {
		args := map[*expr.Symbol]doc{}
		for i, a := range em.Effect.Args {
			args[a] = m.emitted(r, em.Args[i])
		}
		for _, f := range m.t.Follows {
			if f.Effect != em.Effect {
				continue
			}
			if em.Each != nil {
				m.fail(diag.Unsupported, em.Pos, "in TLA+, %s is sent for each %s, and something follows it", em.Effect.Name, em.Each.Name)
			}
			m.assign(next, set, r, f.Set, args, c)
		}
	}
	return next
}

func (m *module) ownUpdates(next map[*variable]doc, r *spec.Row, c change) {
	if r.To != nil {
		state := m.variable(m.t.State)
		next[state] = m.next(state, text(strconv.Quote(r.To.Name)), c)
	}
	for _, p := range m.t.Parts {
		m.partUpdates(next, r, p, c)
	}
	m.assign(next, map[*variable]diag.Pos{}, r, r.Set, nil, c)
	if r.Event == nil {
		return
	}
	for _, a := range r.Event.Args {
		if a.Fresh {
			v := m.counter(a.Sym.Type)
			next[v] = m.next(v, text(a.Sym.Name), c)
		}
	}
}

// assign adds updates, of parts' fields aside, and to done where they stand. All
// of a step read its old state, so that two of one variable would lose one.
func (m *module) assign(next map[*variable]doc, done map[*variable]diag.Pos, r *spec.Row, set []*spec.Assign, args map[*expr.Symbol]doc, c change) {
	for _, a := range set {
		if a.Key != nil {
			continue
		}
		v := m.variable(a.Var)
		if first, again := done[v]; again {
			m.fail(diag.TwoUpdates, a.Pos, "%s sets %s twice", r.Name(), v.name).Also(first, "the first time")
		}
		done[v] = a.Pos
		s := m.here()
		s.args, s.taken = args, argNamesOf(r)
		if v.indexed && !c.passed {
			s.self = v.sym
		}
		next[v] = m.next(v, s.expr(a.Expr), c)
	}
}

// emitted prints an argument of an effect that r emits.
func (m *module) emitted(r *spec.Row, n *expr.Node) doc {
	s := m.here()
	s.taken = argNamesOf(r)
	return s.expr(n)
}

// next returns v's next value: as a whole, or for the instance if it is passed
// on.
func (m *module) next(v *variable, value doc, c change) doc {
	if c.passed {
		return value
	}
	return m.whole(v, value)
}

// whole returns v with another value for the instance.
func (m *module) whole(v *variable, value doc) doc {
	if !v.indexed {
		return operand(value, relation)
	}
	if value.prec == relation {
		value = parens(value)
	}
	d := wrapped("["+v.name+" EXCEPT !["+m.p+"] = ", value, "]")
	d.hang = true
	return d
}

// sets returns what r may change, in the order of the variables.
func (m *module) sets(r *spec.Row) []*variable {
	set := map[*variable]bool{}
	assigned := func(as []*spec.Assign) {
		for _, a := range as {
			if a.Key == nil {
				set[m.variable(a.Var)] = true
			} else {
				set[m.variable(a.Var.Part)] = true
			}
		}
	}
	if r.To != nil {
		set[m.variable(m.t.State)] = true
	}
	assigned(r.Set)
	for _, f := range r.Fire {
		set[m.variable(f.Move.Part.Sym)] = true
		if how := m.remembers(f); how != noChange {
			set[m.variable(f.Move.Part.Memory.List.Sym)] = true
		}
	}
	for _, p := range r.Forget {
		set[m.variable(p.Sym)] = true
		if p.Memory != nil {
			set[m.variable(p.Memory.List.Sym)] = true
		}
	}
	for _, f := range m.t.Follows {
		if f.Follows(r) || f.Effect != nil && slices.ContainsFunc(r.Emit, func(e *spec.Emit) bool { return e.Effect == f.Effect }) {
			assigned(f.Set)
		}
	}
	if r.Event != nil && r.Outcome == spec.Move {
		for _, a := range r.Event.Args {
			if a.Fresh {
				set[m.counter(a.Sym.Type)] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(m.vars), func(v *variable) bool { return !set[v] })
}
