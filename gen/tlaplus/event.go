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
	for i, c := range e.Checks {
		w.row(c, conj(m.checkGuards(e, i)...))
	}
	passes := names.Exported(e.Name) + "Passes"
	if len(e.Checks) > 1 {
		var ids []string
		for _, c := range e.Checks {
			ids = append(ids, c.ID)
		}
		w.line("")
		w.comment("None of the checks answers: " + strings.Join(ids, ", ") + ".")
		w.define(m.event(passes, e).flat(), conj(m.reached(e, len(e.Checks), nil)...))
	}
	for _, r := range e.Rows {
		var guards []doc
		if len(e.Checks) > 1 {
			guards = append(guards, m.event(passes, e))
		} else {
			guards = m.reached(e, len(e.Checks), r)
		}
		guards = append(guards, m.conditions(r)...)
		if accepts(r) && len(m.assumptions(e)) > 0 {
			guards = append(guards, m.event(names.Exported(e.Name)+"Allowed", e))
		}
		w.row(r, conj(guards...))
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
			moves = append(moves, m.event(names.Row(r), e))
		}
		if accepts(r) {
			accepted = append(accepted, m.event(names.Row(r), e))
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
	if len(c.When)+len(c.Unless) > 0 || c.From == nil || row.From == nil {
		return false
	}
	return !slices.ContainsFunc(row.From, func(i int) bool { return slices.Contains(c.From, i) })
}

func (m *module) checkGuards(e *spec.Event, i int) []doc {
	return append(m.reached(e, i, e.Checks[i]), m.conditions(e.Checks[i])...)
}

func (m *module) guardOf(e *spec.Event) scope {
	s := m.here()
	s.guard = true
	s.taken = argNames(e)
	return s
}

// conditions returns what r itself asks for.
func (m *module) conditions(r *spec.Row) []doc {
	s := m.guardOf(r.Event)
	var out []doc
	if r.From != nil {
		out = append(out, m.from(r, false))
	}
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
	switch {
	case r.From != nil && len(r.When)+len(r.Unless) == 0:
		return m.from(r, true)
	case r.From == nil && len(r.When) == 1 && len(r.Unless) == 0:
		return s.not(r.When[0].Expr)
	case r.From == nil && len(r.When) == 0 && len(r.Unless) == 1:
		return s.expr(r.Unless[0].Expr)
	}
	if own := m.conditions(r); len(own) > 0 {
		return not(conj(own...))
	}
	return text("FALSE")
}

// from compares the state with those that r is from.
func (m *module) from(r *spec.Row, opposite bool) doc {
	state := text(m.variable(m.t.State).at(m.p, false))
	in, is := `\in`, "="
	if opposite {
		in, is = `\notin`, "#"
	}
	for _, g := range m.t.Groups {
		if len(r.FromSrc) == 1 && r.FromSrc[0] == g.Name {
			return binary(relation, in, state, text(names.Exported(g.Name)))
		}
	}
	var states []doc
	for _, i := range r.From {
		states = append(states, text(strconv.Quote(m.t.States[i].Name)))
	}
	if len(states) == 1 {
		return binary(relation, is, state, states[0])
	}
	return binary(relation, in, state, filled("{", states, "}"))
}

// row prints one check or row: its guards, then what it changes.
func (w *printer) row(r *spec.Row, guards doc) {
	var parts []doc
	if guards.form == list && guards.op == `/\` {
		parts = guards.kids
	} else if guards.form != list || len(guards.kids) > 0 {
		parts = []doc{guards}
	}
	what := r.Outcome.String() + " " + r.Code
	switch r.Outcome {
	case spec.Never:
		what = "never: " + r.Claim
	case spec.Move:
		what = ""
		if len(r.Emit) > 0 {
			var emits []string
			for _, e := range r.Emit {
				emits = append(emits, e.Src)
			}
			what = "Emits " + strings.Join(emits, ", ") + "."
		}
	}
	w.line("")
	w.comment(what, r.Why)
	w.line("%s ==", w.m.event(names.Row(r), r.Event).flat())
	for _, l := range indent(2, conjunction(append(parts, w.m.changes(r)...)).lines(2, 0)) {
		w.line("%s", l)
	}
}

// conjunction is a list with bullets even if it is short.
func conjunction(kids []doc) doc {
	if len(kids) == 1 {
		return kids[0]
	}
	return doc{form: list, prec: junction, op: `/\`, kids: kids, hang: true}
}

// changes returns r's primes, aligned, and what it leaves.
func (m *module) changes(r *spec.Row) []doc {
	next := m.updates(r)
	column := 0
	for _, v := range m.vars {
		if _, ok := next[v]; ok {
			column = max(column, len(v.name)+1)
		}
	}
	var out []doc
	for _, v := range m.vars {
		if d, ok := next[v]; ok {
			head := v.name + "'" + strings.Repeat(" ", column-len(v.name)-1) + " = "
			out = append(out, wrapped(head, d, ""))
		}
	}
	rest := m.varNames(func(v *variable) bool { _, ok := next[v]; return !ok })
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

// updates returns the new values of all variables that r sets, the world's
// included.
func (m *module) updates(r *spec.Row) map[*variable]doc {
	next := map[*variable]doc{}
	if r.Outcome == spec.Move {
		m.ownUpdates(r, next)
	}
	for _, f := range m.t.Follows {
		if f.Follows(r) {
			m.assign(next, r, f.Set, nil)
		}
	}
	for _, em := range r.Emit {
		args := map[*expr.Symbol]doc{}
		for i, a := range em.Effect.Args {
			args[a] = m.emitted(r, em.Args[i])
		}
		for _, f := range m.t.Follows {
			if f.Effect == em.Effect {
				m.assign(next, r, f.Set, args)
			}
		}
	}
	return next
}

func (m *module) ownUpdates(r *spec.Row, next map[*variable]doc) {
	if r.To != nil {
		state := m.variable(m.t.State)
		next[state] = m.update(state, text(strconv.Quote(r.To.Name)))
	}
	m.assign(next, r, r.Set, nil)
	for _, a := range r.Event.Args {
		if a.Fresh {
			v := m.counter(a.Sym.Type)
			next[v] = m.update(v, text(a.Sym.Name))
		}
	}
}

// assign adds updates. All of a step read its old state, so that two of one
// variable would lose one.
func (m *module) assign(next map[*variable]doc, r *spec.Row, set []*spec.Assign, args map[*expr.Symbol]doc) {
	for _, a := range set {
		v := m.variable(a.Var)
		if _, ok := next[v]; ok {
			m.fail("%s: %s sets %s twice", a.Pos, r.Name(), v.name)
		}
		s := m.here()
		s.args, s.taken = args, argNames(r.Event)
		if v.indexed {
			s.self = v.sym
		}
		next[v] = m.update(v, s.expr(a.Expr))
	}
}

// emitted prints an argument of an effect that r emits.
func (m *module) emitted(r *spec.Row, n *expr.Node) doc {
	s := m.here()
	s.taken = argNames(r.Event)
	return s.expr(n)
}

// update returns v's next value as a whole.
func (m *module) update(v *variable, value doc) doc {
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
