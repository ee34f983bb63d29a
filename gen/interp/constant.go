package interp

import (
	"slices"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// Varying returns the variables of the machine, its parts and its world, and for
// each a Sometimes that is reached if it ever has another value than at the
// start, in the same order.
func Varying(m *Machine) ([]*expr.Symbol, []Property) {
	var syms []*expr.Symbol
	lists := [][]*spec.Var{m.table.Vars, m.table.Shared, m.table.Ghosts}
	for _, p := range m.table.Parts {
		lists = append(lists, p.Vars)
	}
	for _, v := range slices.Concat(lists...) {
		syms = append(syms, v.Sym)
	}
	type span struct{ from, to int }
	places := map[*expr.Symbol][]span{}
	at := 0
	for i, w := range m.widths {
		sym := m.field(i).Sym
		places[sym] = append(places[sym], span{at, at + int(w)})
		at += int(w)
	}
	var out []Property
	for _, s := range syms {
		out = append(out, Property{Name: s.Name, Kind: explore.Sometimes, State: func(st State) (bool, error) {
			return slices.ContainsFunc(places[s], func(p span) bool { return st[p.from:p.to] != m.inits[0][p.from:p.to] }), nil
		}})
	}
	return syms, out
}

// Pinned returns the ghosts that p, an invariant, keeps at what they are at the
// start: one of its conditions is false of each other value. Such a ghost keeps
// watch, and is to stay as it is.
func Pinned(m *Machine, p *spec.Property) ([]*expr.Symbol, error) {
	if p.Kind != spec.Invariant {
		return nil, nil
	}
	var out []*expr.Symbol
	for _, n := range joined(p.Holds) {
		ghosts := n.Reads(expr.SymGhost)
		if len(ghosts) != 1 || len(n.Reads(expr.SymState, expr.SymVar, expr.SymShared, expr.SymField)) > 0 {
			continue
		}
		holds, err := m.full.with(nil, nil, nil).compile(n, false)
		if err != nil {
			return nil, err
		}
		slots := make([]uint64, m.length())
		m.unpack(slots, m.inits[0])
		e := &env{old: slots, new: slots}
		at := m.slots[ghosts[0]].at
		start, codes := slots[at], m.field(at).Codes
		pinned := codes <= maxValues
		for c := uint64(0); pinned && c < codes; c++ {
			slots[at], e.undefined = c, nil
			pinned = (holds(e) != 0 && e.undefined == nil) == (c == start)
		}
		if pinned {
			out = append(out, ghosts[0])
		}
	}
	return out, nil
}
