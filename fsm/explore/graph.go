package explore

import (
	"context"

	"github.com/interlock-go/interlock/fsm"
)

// Graph is everything that a system can do, kept in memory.
type Graph[S comparable, L any] struct {
	States []S       // in the order of the search
	Inits  int       // the first so many states are the initial ones
	Edges  []Edge[L] // in the order of the search: ascending by From
}

// Edge is a step between two states of a Graph, given by their indices.
type Edge[L any] struct {
	From, To int
	Row      int
	Kind     fsm.Kind
	Label    L
}

// GraphOf returns the whole graph of sys: all states and all steps, parallel
// ones and those that change nothing included. Its error is ErrNoInit,
// ErrBudget if there are more than maxStates states (0: no bound), the
// system's own, or the cause for which ctx ended.
func GraphOf[S comparable, L any](ctx context.Context, sys System[S, L], maxStates int) (*Graph[S, L], error) {
	g := &Graph[S, L]{}
	w := newWalk(sys, maxStates)
	err := w.run(ctx, visitor[S, L]{
		state: func(uint32) error { return nil },
		step: func(from uint32, st Step[S, L], to uint32) error {
			g.Edges = append(g.Edges, Edge[L]{From: int(from), To: int(to), Row: st.Row, Kind: st.Kind, Label: st.Label})
			return nil
		},
	})
	if err != nil {
		return nil, unwrapFault(err)
	}
	g.States, g.Inits = w.states, w.inits
	return g, nil
}

// ShortestPath returns a shortest path to a state or step at which to is true,
// or nil if there is none. It calls to(s, nil) for each state and
// to(from, &step) for each step; the step is only lent. Errors are those of
// GraphOf, and ErrUnstable.
func ShortestPath[S comparable, L any](ctx context.Context, sys System[S, L], maxStates int, to func(s S, st *Step[S, L]) bool) (*Path[S, L], error) {
	w := newWalk(sys, maxStates)
	var (
		lent Step[S, L] // one place for all steps, or each would be allocated
		at   uint32
		tail []Step[S, L]
	)
	err := w.run(ctx, visitor[S, L]{
		state: func(s uint32) error {
			if to(w.states[s], nil) {
				at = s
				return errStop
			}
			return nil
		},
		step: func(from uint32, st Step[S, L], _ uint32) error {
			if lent = st; to(w.states[from], &lent) {
				at, tail = from, []Step[S, L]{st}
				return errStop
			}
			return nil
		},
	})
	if err == errStop {
		return w.path(at, tail...)
	}
	return nil, unwrapFault(err)
}

// unwrapFault returns a system's own error as it gave it.
func unwrapFault(err error) error {
	if f, ok := err.(*faultError); ok {
		return f.err
	}
	return err
}
