package explore

import (
	"context"
	"errors"
	"fmt"
	"math"
)

var (
	// ErrNoInit says that a system has no state to start in, so that
	// anything would hold of it.
	ErrNoInit = errors.New("explore: no initial state")
	// ErrProperty says that a property hasn't exactly one of State and Step,
	// or a Kind that isn't declared.
	ErrProperty = errors.New("explore: a property needs a known kind, and State or Step but not both")
	// ErrBudget says that there are more states than the search may keep.
	ErrBudget = errors.New("explore: more states than the budget")
	// ErrUnstable says that a system gave other steps when it was asked about
	// a state again.
	ErrUnstable = errors.New("explore: the system's steps differ from one time to the next")
)

// errStop ends a walk early without being a fault.
var errStop = errors.New("stop")

// ctxEvery is how many states are expanded between two looks at the context.
const ctxEvery = 64

// noPred marks an initial state. No state has that number.
const noPred = math.MaxUint32

// faultError is a system's own error about the state that was being expanded.
type faultError struct{ err error }

func (e *faultError) Error() string { return e.err.Error() }

// walk is one breadth-first search: the states found so far, in the order in
// which they were found, and a way to each. States are their own queue.
type walk[S comparable, L any] struct {
	sys      System[S, L]
	max      int // most states to keep
	states   []S
	index    map[S]uint32
	pred     []uint32 // the state from which a state was found first, or noPred
	nth      []uint32 // by which of its steps
	inits    int
	done     int // states expanded
	depth    int // of the farthest state found
	levelEnd int // the first state after those that are as far as the one being expanded
}

// visitor is what a walk tells of what it finds. An error ends the walk. It is
// called while the system gives its steps and may not ask the system for more:
// a system may reuse what it keeps between two calls.
type visitor[S comparable, L any] struct {
	state  func(at uint32) error                             // a new state
	step   func(from uint32, st Step[S, L], to uint32) error // each step, once its target has a number
	closed func(at uint32) error                             // all steps of a state were given; may be nil
}

func newWalk[S comparable, L any](sys System[S, L], maxStates int) *walk[S, L] {
	if maxStates <= 0 || maxStates > math.MaxInt32 {
		maxStates = math.MaxInt32
	}
	return &walk[S, L]{sys: sys, max: maxStates, index: make(map[S]uint32)}
}

// run walks the whole graph. It returns nil when every state was expanded, a
// *faultError when the system couldn't tell the steps of state number done,
// ErrBudget, the context's error, or the visitor's.
func (w *walk[S, L]) run(ctx context.Context, v visitor[S, L]) error {
	for _, s := range w.sys.Init() {
		if _, err := w.intern(s, noPred, 0, v); err != nil {
			return err
		}
	}
	if w.inits == 0 {
		return ErrNoInit
	}
	for w.done < len(w.states) {
		if w.done%ctxEvery == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if w.done == w.levelEnd {
			w.levelEnd = len(w.states)
		}
		if err := w.expand(uint32(w.done), v); err != nil {
			return err
		}
		w.done++
	}
	return nil
}

// expand gives all steps of one state to the visitor.
func (w *walk[S, L]) expand(from uint32, v visitor[S, L]) error {
	var stop error
	nth := uint32(0)
	err := w.sys.Steps(w.states[from], func(st Step[S, L]) bool {
		if stop != nil {
			return false
		}
		var to uint32
		if to, stop = w.intern(st.To, from, nth, v); stop == nil {
			stop = v.step(from, st, to)
		}
		nth++
		return stop == nil
	})
	if stop != nil {
		return stop
	}
	if err != nil {
		return &faultError{err}
	}
	if v.closed != nil {
		return v.closed(from)
	}
	return nil
}

// intern returns the number of a state, a new one if it has none yet.
func (w *walk[S, L]) intern(s S, pred, nth uint32, v visitor[S, L]) (uint32, error) {
	if at, ok := w.index[s]; ok {
		return at, nil
	}
	if len(w.states) >= w.max {
		return 0, ErrBudget
	}
	at := uint32(len(w.states))
	switch {
	case pred == noPred:
		w.inits++
	case len(w.states) == w.levelEnd:
		w.depth++
	}
	w.index[s] = at
	w.states = append(w.states, s)
	w.pred = append(w.pred, pred)
	w.nth = append(w.nth, nth)
	return at, v.state(at)
}

// path returns a shortest path to a state, and tail after it. The labels on it
// come from the system, which is asked again for the steps of the states on
// the way.
func (w *walk[S, L]) path(to uint32, tail ...Step[S, L]) (*Path[S, L], error) {
	var way []uint32
	for at := to; w.pred[at] != noPred; at = w.pred[at] {
		way = append(way, at)
	}
	p := &Path[S, L]{Init: w.states[to]}
	if len(way) > 0 {
		p.Init = w.states[w.pred[way[len(way)-1]]]
	}
	for i := len(way) - 1; i >= 0; i-- {
		at := way[i]
		st, ok := w.again(w.pred[at], w.nth[at])
		if !ok || st.To != w.states[at] {
			return nil, fmt.Errorf("%w: from %v, step %d", ErrUnstable, w.states[w.pred[at]], w.nth[at])
		}
		p.Steps = append(p.Steps, st)
	}
	p.Steps = append(p.Steps, tail...)
	return p, nil
}

// again asks the system for a step that it gave before, and reports whether
// there still is one.
func (w *walk[S, L]) again(from, nth uint32) (found Step[S, L], ok bool) {
	n := uint32(0)
	_ = w.sys.Steps(w.states[from], func(st Step[S, L]) bool { // an error, if any, comes after the step
		if n == nth {
			found, ok = st, true
		}
		n++
		return !ok
	})
	return found, ok
}
