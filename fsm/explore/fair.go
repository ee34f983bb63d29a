package explore

import "slices"

// components returns the strongly connected components of the given states, by
// the steps between them (Tarjan's algorithm, without recursion). Each is
// sorted by rank, so that its nearest state comes first.
func (s *pending[S, L]) components(of []uint32) [][]uint32 {
	const unseen = 0
	var (
		index = make(map[uint32]uint32, len(of)) // from 1; 0 for those not seen yet
		low   = make(map[uint32]uint32, len(of))
		on    = make(map[uint32]bool, len(of))
		stack []uint32
		out   [][]uint32
		next  uint32
	)
	type frame struct{ at, edge uint32 }
	for _, at := range of {
		index[at] = unseen
	}
	open := func(at uint32) frame {
		next++
		index[at], low[at], on[at] = next, next, true
		stack = append(stack, at)
		return frame{at, s.first[at]}
	}
	for _, root := range of {
		if index[root] != unseen {
			continue
		}
		frames := []frame{open(root)}
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			if f.edge < s.first[f.at+1] {
				to := s.Moves.to[f.edge]
				f.edge++
				switch seen, mine := index[to]; {
				case !mine:
				case seen == unseen:
					frames = append(frames, open(to))
				case on[to]:
					low[f.at] = min(low[f.at], seen)
				}
				continue
			}
			at := f.at
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				up := frames[len(frames)-1].at
				low[up] = min(low[up], low[at])
			}
			if low[at] != index[at] {
				continue
			}
			i := len(stack) - 1
			for ; stack[i] != at; i-- {
				on[stack[i]] = false
			}
			on[at] = false
			component := slices.Clone(stack[i:])
			stack = stack[:i]
			slices.SortFunc(component, func(a, b uint32) int { return int(s.rank[a]) - int(s.rank[b]) })
			out = append(out, component)
		}
	}
	return out
}

// fairPart returns the part of a component that a fair behaviour can stay in for
// ever, going through all of it again and again; nil if there is none. A single
// state is none: rest looks for those.
func (s *pending[S, L]) fairPart(component []uint32) []uint32 {
	if len(component) < 2 {
		return nil
	}
	in := make(map[uint32]bool, len(component))
	for _, at := range component {
		in[at] = true
	}
	var avoid []int // fairness that the component can't satisfy while it can be asked for
	for f := range s.fair {
		if s.taken(f, component, in) {
			continue
		}
		all, some := true, false
		for _, at := range component {
			all, some = all && s.can[f][at], some || s.can[f][at]
		}
		switch {
		case s.fair[f].Strong && some:
			avoid = append(avoid, f)
		case !s.fair[f].Strong && all:
			return nil // so it is in each part of it
		}
	}
	if len(avoid) == 0 {
		return component
	}
	rest := slices.DeleteFunc(slices.Clone(component), func(at uint32) bool {
		return slices.ContainsFunc(avoid, func(f int) bool { return s.can[f][at] })
	})
	var best []uint32
	for _, c := range s.components(rest) {
		if part := s.fairPart(c); part != nil && (best == nil || s.rank[part[0]] < s.rank[best[0]]) {
			best = part
		}
	}
	return best
}

// taken reports whether a step of fairness f stays within the component.
func (s *pending[S, L]) taken(f int, component []uint32, in map[uint32]bool) bool {
	for _, at := range component {
		if s.can[f][at] && s.inner(f, at, in) != nil {
			return true
		}
	}
	return false
}

// inner returns the steps of fairness f from a state that stay within.
func (s *pending[S, L]) inner(f int, at uint32, in map[uint32]bool) []uint32 {
	var out []uint32
	for e := s.first[at]; e < s.first[at+1]; e++ {
		if in[s.Moves.to[e]] && s.fair[f].Of(s.steps[e].Label) {
			out = append(out, e)
		}
	}
	return out
}

// loop returns steps from the part's first state through the part and back that
// do justice to every fairness: each has a step in it, or, if it is weak, a
// state in which it can do nothing.
func (s *pending[S, L]) loop(part []uint32) []uint32 {
	in := make(map[uint32]bool, len(part))
	for _, at := range part {
		in[at] = true
	}
	var steps []uint32
	at := part[0]
	for f := range s.fair {
		if s.served(f, part[0], steps) {
			continue
		}
		way := s.nearest(at, in, func(x uint32) bool {
			return !s.fair[f].Strong && !s.can[f][x] || len(s.inner(f, x, in)) > 0
		})
		steps = append(steps, way...)
		if len(way) > 0 {
			at = s.Moves.to[way[len(way)-1]]
		}
		if s.can[f][at] {
			if own := s.inner(f, at, in); len(own) > 0 {
				steps, at = append(steps, own[0]), s.Moves.to[own[0]]
			}
		}
	}
	if len(steps) == 0 { // nothing is asked for but to go on
		for e := s.first[at]; e < s.first[at+1]; e++ {
			if in[s.Moves.to[e]] {
				steps, at = append(steps, e), s.Moves.to[e]
				break
			}
		}
	}
	return append(steps, s.nearest(at, in, func(x uint32) bool { return x == part[0] })...)
}

// served reports whether the steps from a state do justice to fairness f
// already. A strong one that the whole part never can ask for is.
func (s *pending[S, L]) served(f int, start uint32, steps []uint32) bool {
	idle := !s.can[f][start]
	for _, e := range steps {
		if s.fair[f].Of(s.steps[e].Label) {
			return true
		}
		idle = idle || !s.can[f][s.Moves.to[e]]
	}
	return idle && !s.fair[f].Strong
}

// nearest returns a shortest way from a state, within, to one that will do, and
// none if there is none.
func (s *pending[S, L]) nearest(from uint32, in map[uint32]bool, will func(uint32) bool) []uint32 {
	by := map[uint32]uint32{}
	queue := []uint32{from}
	for i := 0; i < len(queue); i++ {
		at := queue[i]
		if will(at) {
			var back []uint32
			for at != from {
				e := by[at]
				back = append(back, e)
				at = s.source(e)
			}
			slices.Reverse(back)
			return back
		}
		for e := s.first[at]; e < s.first[at+1]; e++ {
			to := s.Moves.to[e]
			if _, seen := by[to]; in[to] && !seen && to != from {
				by[to] = e
				queue = append(queue, to)
			}
		}
	}
	return nil
}
