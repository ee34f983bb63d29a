package explore

import (
	"context"
	"errors"
)

// Options say what a search judges and how far it goes. The zero Options
// explore everything and judge only what every system must satisfy.
type Options[S comparable, L any] struct {
	Properties []Property[S, L]
	Rows       int // how many rows the machine has, so that those that never fired are counted as 0

	// Deadlock asks for a state without a step that changes it. States in
	// which MayEnd is true are none; a nil MayEnd is true nowhere.
	Deadlock bool
	MayEnd   func(s S) (bool, error)

	// MaxStates bounds the states that are kept; 0: no bound but 2^31-1. The
	// search ends at the first state too many, and the report is incomplete.
	MaxStates int

	// Visit gets every step, parallel ones and those that change nothing
	// included, in the order of the search. Its error ends the search.
	Visit func(from S, st Step[S, L]) error
	// Progress is called once in ProgressEvery expanded states.
	Progress func(p Progress)
}

// ProgressEvery is how many states are expanded between two calls of
// Options.Progress.
const ProgressEvery = 1 << 16

// Progress is how far a search has come.
type Progress struct {
	States   int // found
	Expanded int // of these, those whose steps were all seen
	Edges    int
	Depth    int // of the farthest state found
}

// Run searches everything that sys can do and judges each property by itself:
// the search goes on after a violation, and every verdict and path are those
// of a run with that property alone.
//
// An error in a property, or of the system about its steps, is a verdict of
// the report and not an error of Run. Run's error is ErrProperty or ErrNoInit,
// without a report; ErrUnstable, without one; or, with the report of what was
// seen so far, the cause for which ctx ended or the error of Visit.
func Run[S comparable, L any](ctx context.Context, sys System[S, L], opts Options[S, L]) (*Report[S, L], error) {
	j, err := newJudge(sys, opts)
	if err != nil {
		return nil, err
	}
	err = j.walk.run(ctx, visitor[S, L]{state: j.state, step: j.step, closed: j.closed})
	var fault *faultError
	switch {
	case err == nil:
		j.report.Complete = true
	case errors.Is(err, ErrNoInit):
		return nil, err
	case errors.Is(err, ErrBudget):
		err = nil
	case errors.As(err, &fault):
		j.steps.decide(false, fault.err, uint32(j.walk.done))
		err = nil
	}
	rep, unstable := j.finish()
	if unstable != nil {
		return nil, unstable
	}
	return rep, err
}
