package spec

import (
	"slices"

	"github.com/interlock-go/interlock/spec/expr"
)

// mentions counts the names of a type that the rows read, and one other.
func (v *values) mentions(t *expr.Type) int {
	type place struct {
		sym, key *expr.Symbol
	}
	seen := map[place]bool{}
	add := func(s *expr.Symbol, key *expr.Symbol) {
		if expr.Same(s.Type, t) || s.Type.Elem != nil && expr.Same(s.Type.Elem, t) && (s.Type.Kind != expr.List || v.looked) {
			seen[place{s, key}] = true
		}
	}
	for _, x := range v.reads {
		x.Walk(func(n *expr.Node) bool {
			switch {
			case n.Op == expr.OpRef:
				add(n.Sym, nil)
			case n.Op == expr.OpField && len(n.Args[0].Args) == 0:
				add(n.Sym, n.Args[0].Sym)
			case n.Op == expr.OpField || n.Op == expr.OpFieldValues:
				add(n.Sym, nil)
			}
			return true
		})
	}
	return len(seen) + 1
}

// codes lists the values of type t that s may have.
func (v *values) codes(s *expr.Symbol, t *expr.Type) []uint64 {
	lo, n := 0, 0
	switch t.Kind {
	case expr.Bool:
		n = 2
	case expr.Int:
		if v.ordered {
			return v.compared(t)
		}
		lo, n = t.Lo, min(t.Hi-t.Lo+1, maxCell+1)
	case expr.Enum:
		n = len(t.Values)
	case expr.Identity:
		lo, n = 1, v.mentions(t)
	case expr.Serial:
		n = v.mentions(t) + 1
		if s.Kind == expr.SymArg && !v.origins[s] {
			lo, n = 1, n-1
		}
	case expr.Optional:
		out := []uint64{0}
		for _, c := range v.elements(s, t) {
			out = append(out, c+1)
		}
		return out
	case expr.Set:
		return v.sets(s, t)
	case expr.List:
		return v.lists(s, t)
	}
	out := make([]uint64, n)
	for i := range out {
		out[i] = uint64(lo + i)
	}
	return out
}

// elements lists the values that an optional, set or list may hold: a key of
// parts in them names one, and isn't the origin.
func (v *values) elements(s *expr.Symbol, t *expr.Type) []uint64 {
	out := v.codes(s, t.Elem)
	if v.t.IsKey(t.Elem) && out[0] == 0 {
		return out[1:]
	}
	return out
}

// compared lists the numbers of a range that are enough where they are only
// compared.
func (v *values) compared(t *expr.Type) []uint64 {
	var out []int
	span := v.terms * (1 + v.slack)
	from := 0
	if v.slack > 0 {
		from = -span
	}
	for _, c := range append([]int{t.Lo}, v.numbers...) {
		for i := from; i <= span; i++ {
			if c+i >= t.Lo && c+i <= t.Hi {
				out = append(out, c+i)
			}
		}
	}
	var codes []uint64
	for _, n := range sortedUnique(out) {
		codes = append(codes, uint64(n))
	}
	return codes
}

// sets lists all sets of the values of the element's type.
func (v *values) sets(s *expr.Symbol, t *expr.Type) []uint64 {
	elems := v.elements(s, t)
	out := []uint64{0}
	for _, e := range elems[:min(len(elems), 20)] {
		for _, set := range slices.Clone(out) {
			out = append(out, set|1<<e)
		}
	}
	return out
}

// lists lists all lists within the bound; where no element is looked at, one
// value stands for all. Lists that have no code are left out, and cut says so.
func (v *values) lists(s *expr.Symbol, t *expr.Type) []uint64 {
	bound, _ := v.env.Eval(t.Bound)
	base := v.base(t)
	elems := v.elements(s, t)
	if !v.looked {
		elems = elems[len(elems)-1:]
	}
	out, last := []uint64{0}, []uint64{0}
	for range bound {
		if _, ok := base.Lists(base.Size(last[0]) + 1); !ok || len(out) > maxCell {
			v.cut = true
			break
		}
		var longer []uint64
		for _, l := range last {
			for _, e := range elems {
				longer = append(longer, base.Append(l, e))
			}
		}
		out, last = append(out, longer...), longer
	}
	return out
}

func (v *values) base(t *expr.Type) expr.ListBase { return expr.BaseOf(t.Elem, v.mentions(t.Elem)) }

// fits reports whether a list is within the bound of t.
func (v *values) fits(t *expr.Type, list uint64) bool {
	bound, _ := v.env.Eval(t.Bound)
	return v.base(t).Size(list) <= int(bound)
}
