package tlaplus

import (
	"slices"
	"strconv"
	"strings"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// event prints e's checks and rows and the operators over them.
func (w *printer) event(e *spec.Event) {
	m := w.m
	w.section()
	head := e.Signature()
	if m.ofWorld(e) {
		head = "The world: " + head
	} else if e.By != "" && e.By != "caller" {
		head += " by " + e.By
	}
	w.comment(head, e.Doc)
	if e.Can != nil && !m.ofWorld(e) {
		w.line("")
		w.comment("The world lets it happen only so.")
		when := m.guardOf(e).expr(e.Can)
		if m.worldless {
			when = binary(implies, "=>", text("~Alone"), when)
		}
		w.define(m.event(can(e), e).flat(), when)
	}
	for _, c := range e.Checks {
		w.row(c)
	}
	if len(e.Checks) > 1 {
		var ids []string
		for _, c := range e.Checks {
			ids = append(ids, c.ID)
		}
		w.line("")
		w.comment("None of the checks answers: " + strings.Join(ids, ", ") + ".")
		w.define(m.event(passes(e), e).flat(), conj(m.reached(e, len(e.Checks), nil)...))
	}
	for _, r := range e.Rows {
		w.row(r)
	}
	w.operators(e)
}

// can names when the world lets an event of the machine happen. It has a name
// so that a trace, which knows little of the world, can do without.
func can(e *spec.Event) string { return names.Exported(e.Name) + "Can" }

func (m *module) ofWorld(e *spec.Event) bool { return slices.Contains(m.t.World, e) }

// operators prints e as the choice between its rows.
func (w *printer) operators(e *spec.Event) {
	m := w.m
	var moves, accepted []doc
	for _, r := range e.Decisions() {
		if m.moves(r) {
			moves = append(moves, m.row(r))
		}
		if accepts(r) {
			accepted = append(accepted, m.row(r))
		}
	}
	name := names.Exported(e.Name)
	w.line("")
	w.define(m.event(name, e).flat(), choose(moves))
	if m.accepted[e] == name {
		return
	}
	w.line("")
	if slices.ContainsFunc(e.Decisions(), func(r *spec.Row) bool { return m.moves(r) && !accepts(r) }) {
		w.comment("The answers that accept it.")
	} else {
		w.comment("With the answers that accept it and change nothing.")
	}
	w.define(m.event(m.accepted[e], e).flat(), choose(accepted))
}

func choose(kids []doc) doc {
	if len(kids) == 0 {
		return text("FALSE")
	}
	return disj(kids...)
}

// reached is where the first n checks of e don't answer. What row's states say
// already isn't said again.
func (m *module) reached(e *spec.Event, n int, row *spec.Row) []doc {
	var out []doc
	for _, a := range e.Args {
		if a.Fresh {
			next := binary(sum, "+", text(m.counter(a.Sym.Type).at(m.p, false)), text("1"))
			out = append(out, binary(relation, "=", text(a.Sym.Name), next))
		}
	}
	if m.worldless && m.ofWorld(e) {
		out = append(out, text("~Alone"))
	}
	switch {
	case e.Can != nil && m.ofWorld(e):
		out = append(out, m.guardOf(e).expr(e.Can))
	case e.Can != nil:
		out = append(out, m.event(can(e), e))
	}
	for _, c := range e.Checks[:n] {
		if row == nil || !apartByState(c, row) {
			out = append(out, m.negated(c))
		}
	}
	return out
}

// apartByState reports whether c speaks of states alone and row of others.
func apartByState(c, row *spec.Row) bool {
	if len(c.When)+len(c.Unless) > 0 {
		return false
	}
	return disjoint(c.From, row.From) || disjoint(c.PartFrom, row.PartFrom)
}

// disjoint reports whether both lists are given and have nothing in common.
func disjoint(a, b []int) bool {
	return a != nil && b != nil && !slices.ContainsFunc(a, func(i int) bool { return slices.Contains(b, i) })
}

func (m *module) guardOf(e *spec.Event) scope {
	s := m.here()
	s.guard = true
	s.taken = argNames(e)
	return s
}

// conditions returns what r itself asks for.
func (m *module) conditions(r *spec.Row) []doc {
	s := m.here()
	s.guard, s.taken = true, argNamesOf(r)
	out := m.from(r, false)
	for _, c := range r.When {
		out = append(out, s.expr(c.Expr))
	}
	for _, c := range r.Unless {
		out = append(out, s.not(c.Expr))
	}
	return out
}

// negated is where r's conditions don't hold.
func (m *module) negated(r *spec.Row) doc {
	s := m.guardOf(r.Event)
	conds, from := len(r.When)+len(r.Unless), m.from(r, true)
	switch {
	case len(from) == 1 && conds == 0:
		return from[0]
	case len(from) == 0 && len(r.When) == 1 && conds == 1:
		return s.not(r.When[0].Expr)
	case len(from) == 0 && len(r.Unless) == 1 && conds == 1:
		return s.expr(r.Unless[0].Expr)
	}
	if own := m.conditions(r); len(own) > 0 {
		return not(conj(own...))
	}
	return text("FALSE")
}

// from compares the state, and the subject's, with those that r is from.
func (m *module) from(r *spec.Row, opposite bool) []doc {
	var out []doc
	if r.From != nil {
		state := m.variable(m.t.State).at(m.p, false)
		out = append(out, among(state, r.FromSrc, m.t.Groups, r.From, m.t.States, opposite))
	}
	if r.PartFrom != nil {
		p := r.Event.Of
		state := m.variable(p.Sym).at(m.p, false) + "[" + r.Event.Args[0].Sym.Name + "].state"
		out = append(out, among(state, r.PartFromSrc, p.Groups, r.PartFrom, p.States, opposite))
	}
	return out
}

// among compares a state with some: by the name of a group, if one was written.
func among(state string, written []string, groups []*expr.Symbol, which []int, of []*spec.State, opposite bool) doc {
	in, is := `\in`, "="
	if opposite {
		in, is = `\notin`, "#"
	}
	for _, g := range groups {
		if len(written) == 1 && written[0] == g.Name {
			return binary(relation, in, text(state), text(names.Exported(g.Name)))
		}
	}
	var states []doc
	for _, i := range which {
		states = append(states, text(strconv.Quote(of[i].Name)))
	}
	if len(states) == 1 {
		return binary(relation, is, text(state), states[0])
	}
	return binary(relation, in, text(state), filled("{", states, "}"))
}
