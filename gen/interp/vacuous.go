package interp

import (
	"slices"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// Premise is something without which a property says nothing: the left side of
// its implication, all but the last of its alternatives being false, or a step
// that one of its clauses speaks of.
type Premise struct {
	Property *spec.Property
	Pos      diag.Pos
	What     string
}

// Premises returns what must be true somewhere for the given properties to say
// something, and a Sometimes that finds each, in the same order.
func Premises(m *Machine, of ...*spec.Property) ([]Premise, []Property, error) {
	var premises []Premise
	var found []Property
	for _, p := range of {
		switch p.Kind {
		case spec.Eventually:
			waits, err := m.waits(p)
			if err != nil {
				return nil, nil, err
			}
			premises = append(premises, Premise{p, p.From.Pos, "nothing ever begins to wait for it: its from is never true"})
			found = append(found, Property{Name: p.Name, Kind: explore.Sometimes, State: func(s State) (bool, error) {
				return slices.ContainsFunc(waits, func(w wait) bool { is, err := w.From(s); return is && err == nil }), nil
			}})
		case spec.Invariant:
			for _, n := range leftSides(p.Holds) {
				holds, err := m.full.with(nil, nil, nil).compile(n, false)
				if err != nil {
					return nil, nil, err
				}
				premises = append(premises, Premise{p, n.Pos, "its premise is never true"})
				found = append(found, m.somewhere(claim{p.Name, p.Src, holds}))
			}
		case spec.StepAlways:
			clauses, err := m.clauses(p)
			if err != nil {
				return nil, nil, err
			}
			for i, c := range clauses {
				premises = append(premises, Premise{p, p.Clauses[i].Pos, "no step that it speaks of is ever taken"})
				found = append(found, m.taken(c, claim{}))
				for _, n := range leftSides(p.Clauses[i].Holds) {
					var args []*expr.Symbol
					if e := p.Clauses[i].Event; e != nil {
						args = argSyms(e)
					}
					holds, err := m.full.with(args, nil, nil).compile(n, false)
					if err != nil {
						return nil, nil, err
					}
					premises = append(premises, Premise{p, n.Pos, "its premise is never true"})
					found = append(found, m.taken(c, claim{p.Name, p.Src, holds}))
				}
			}
		}
	}
	return premises, found, nil
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

// leftSides returns the conditions under which the parts of a condition say
// something: of each, that its last alternative decides.
func leftSides(n *expr.Node) []*expr.Node {
	switch n.Op {
	case expr.OpImplies:
		return []*expr.Node{n.Args[0]}
	case expr.OpOr:
		var all *expr.Node
		for _, a := range n.Args[:len(n.Args)-1] {
			not := &expr.Node{Op: expr.OpNot, Type: expr.BoolType, Args: []*expr.Node{a}, Pos: a.Pos}
			if all == nil {
				all = not
			} else {
				all = &expr.Node{Op: expr.OpAnd, Type: expr.BoolType, Args: []*expr.Node{all, not}, Pos: all.Pos}
			}
		}
		return []*expr.Node{all}
	case expr.OpAnd:
		var out []*expr.Node
		for _, a := range n.Args {
			out = append(out, leftSides(a)...)
		}
		return out
	case expr.OpCond:
		return []*expr.Node{n.Args[0], {Op: expr.OpNot, Type: expr.BoolType, Args: n.Args[:1], Pos: n.Args[0].Pos}}
	case expr.OpAll:
		var out []*expr.Node
		for _, a := range leftSides(n.Args[1]) {
			out = append(out, &expr.Node{Op: expr.OpExists, Type: expr.BoolType, Sym: n.Sym, Args: []*expr.Node{n.Args[0], a}, Pos: a.Pos})
		}
		return out
	}
	return nil
}
