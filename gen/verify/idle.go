package verify

import (
	"cmp"
	"slices"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// Vacuous returns the premises that no search met, though the property is the
// job of its model: there the property says nothing.
func Vacuous(t *spec.Table, searches []*Search) []interp.Premise {
	met, asked := map[interp.Premise]bool{}, map[interp.Premise]bool{}
	for _, s := range searches {
		for p, is := range s.Premises {
			asked[p], met[p] = true, met[p] || is
		}
	}
	unmet := map[*spec.Property]map[int]bool{}
	for p := range asked {
		if unmet[p.Property] == nil {
			unmet[p.Property] = map[int]bool{}
		}
		unmet[p.Property][p.At] = !met[p]
	}
	var out []interp.Premise
	for p := range asked {
		if !met[p] && !unmet[p.Property][p.In] { // what it presumes is told
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b interp.Premise) int {
		return cmp.Or(before(a.Pos, b.Pos), cmp.Compare(a.At, b.At))
	})
	return out
}

func before(a, b diag.Pos) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col)) }

// Constant returns the variables, the parts' and the world's included, that have
// one value only in all searches, but for ghosts that an invariant wants so.
func Constant(t *spec.Table, searches []*Search) []*expr.Symbol {
	lists := [][]*spec.Var{t.Vars, t.Shared, t.Ghosts}
	for _, p := range t.Parts {
		lists = append(lists, p.Vars)
	}
	var out []*expr.Symbol
	for _, v := range slices.Concat(lists...) {
		if !slices.ContainsFunc(searches, func(s *Search) bool { return s.Varies[v.Sym] || slices.Contains(s.pinned, v.Sym) }) {
			out = append(out, v.Sym)
		}
	}
	return out
}

// NotEntered returns the states, the parts' included, to which no row leads
// that fired in one of the searches. Those in which the machine and its parts
// start aren't among them. Of a move of a list that is always empty it believes
// that it was made.
func NotEntered(t *spec.Table, searches []*Search) []*spec.State {
	entered := map[*spec.State]bool{}
	for _, r := range t.Rows() {
		if !slices.ContainsFunc(searches, func(s *Search) bool { return s.Report.Fired[r.Index] > 0 }) {
			continue
		}
		entered[r.To] = true
		for _, f := range r.Fire {
			entered[f.To] = true
		}
	}
	states := slices.Clone(t.States)
	for _, p := range t.Parts {
		states = append(states, p.States...)
	}
	return slices.DeleteFunc(states, func(s *spec.State) bool { return s.Initial || entered[s] })
}

// Unfired returns the checks and rows that decided nothing in any of the
// searches, never rows apart: those are to stay unreached.
func Unfired(t *spec.Table, searches []*Search) []*spec.Row {
	var out []*spec.Row
	for _, r := range t.Rows() {
		fired := slices.ContainsFunc(searches, func(s *Search) bool { return s.Report.Fired[r.Index] > 0 })
		if !fired && r.Outcome != spec.Never {
			out = append(out, r)
		}
	}
	return out
}
