package interp

import (
	"slices"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// Premise is something without which a property says nothing: the left side of
// an implication in it, all but the last of its alternatives being false, a step
// that one of its clauses speaks of, somewhere to rest, another to be disturbed.
type Premise struct {
	Property *spec.Property
	Pos      diag.Pos
	What     string
	At, In   int // its number among the property's, and that of the one that it presumes; -1: none
}

// Premises returns what must be true somewhere for the given properties to say
// something, and a Sometimes that finds each, in the same order.
func Premises(m *Machine, of ...*spec.Property) ([]Premise, []Property, error) {
	var all []Premise
	var found []Property
	for _, p := range of {
		l := premises{m: m, of: p}
		if err := l.look(); err != nil {
			return nil, nil, err
		}
		all, found = append(all, l.list...), append(found, l.found...)
	}
	return all, found, nil
}

// premises are those of one property.
type premises struct {
	m     *Machine
	of    *spec.Property
	list  []Premise
	found []Property
}

// look finds them.
func (l *premises) look() error {
	m, p := l.m, l.of
	switch p.Kind {
	case spec.Eventually:
		waits, err := m.waits(p)
		if err != nil {
			return err
		}
		l.state(p.From.Pos, "nothing ever begins to wait for it: its from is never true, or its to is so at once", func(s State) (bool, error) {
			return slices.ContainsFunc(waits, func(w wait) bool { return w.waits(s) }), nil
		})
	case spec.Invariant:
		return l.sides(p.Holds, true, nil, -1, m.somewhere)
	case spec.Ends:
		if p.Holds.IsFalse() { // that it never ends is the claim
			return nil
		}
		goesOn := m.ends(claim{p.Name, p.Src, func(*env) uint64 { return 0 }})
		l.state(p.Pos, "it comes to rest nowhere, but for want of fresh values", func(s State) (bool, error) {
			on, err := goesOn(s)
			return !on && err == nil, nil
		})
	case spec.Isolated:
		l.state(p.Pos, "there is just one "+m.table.Per+" in each model, and so none to disturb", func(State) (bool, error) { return m.instances > 1, nil })
	case spec.StepAlways:
		clauses, err := m.clauses(p)
		if err != nil {
			return err
		}
		for i, c := range clauses {
			from := p.Clauses[i]
			in := l.must(from.Pos, "no step that it speaks of is ever taken", -1, m.taken(c, claim{}))
			is := func(holds claim) Property { return m.taken(c, holds) }
			if err := l.sides(from.Holds, !from.Answered, from.Event, in, is); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *premises) state(pos diag.Pos, what string, is func(State) (bool, error)) {
	l.must(pos, what, -1, Property{Name: l.of.Name, Kind: explore.Sometimes, State: is})
}

// must adds a premise and returns its number. Of an answered condition each row
// has a clause; that one of them meets a premise is enough.
func (l *premises) must(pos diag.Pos, what string, in int, is Property) int {
	n := Premise{l.of, pos, what, len(l.list), in}
	if len(l.of.Clauses) > 0 && l.of.Clauses[0].Answered {
		if i := slices.IndexFunc(l.list, func(o Premise) bool { return o.Pos == pos && o.What == what }); i >= 0 {
			n = l.list[i]
		}
	}
	l.list, l.found = append(l.list, n), append(l.found, is)
	return n.At
}

// sides adds those of a condition, under the premise in.
func (l *premises) sides(n *expr.Node, written bool, on *spec.Event, in int, is func(claim) Property) error {
	var args []*expr.Symbol
	if on != nil {
		args = argSyms(on)
	}
	var known []int // the sides' numbers
	for _, s := range leftSides(n, written) {
		holds, err := l.m.full.with(args, nil, nil).compile(s.holds, false)
		if err != nil {
			return err
		}
		under := in
		if s.in >= 0 {
			under = known[s.in]
		}
		known = append(known, l.must(s.holds.Pos, s.what, under, is(claim{l.of.Name, l.of.Src, holds})))
	}
	return nil
}

// waits reports whether w waits in s: what it waits for isn't so there.
func (w wait) waits(s State) bool {
	is, err := w.From(s)
	if !is || err != nil {
		return false
	}
	is, err = w.goal(s)
	return !is && err == nil
}

// somewhere finds a state in which c is true of some instance.
func (m *Machine) somewhere(c claim) Property {
	return Property{Name: c.name, Kind: explore.Sometimes, State: func(s State) (bool, error) {
		sc := m.scratch()
		defer m.done(sc)
		m.load(sc, s)
		for i := range m.instances {
			sc.env.base = i * len(m.layout.own)
			if ok, fault := c.judge(sc); ok && fault == nil {
				return true, nil
			}
			sc.env.undefined = nil
		}
		return false, nil
	}}
}

// taken finds a step that cl speaks of, and of which c, if it has a condition,
// is true.
func (m *Machine) taken(cl *clause, c claim) Property {
	return Property{Name: cl.name, Kind: explore.Sometimes, Step: func(from State, st Step) (bool, error) {
		if !cl.judges(&st) || c.holds == nil {
			return cl.judges(&st), nil
		}
		sc := m.scratch()
		defer m.done(sc)
		m.loadStep(sc, from, &st)
		ok, fault := c.judge(sc)
		return ok && fault == nil, nil
	}}
}
