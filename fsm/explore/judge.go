package explore

import (
	"fmt"
	"slices"

	"github.com/interlock-go/interlock/fsm"
)

// claim is a property with what was found out about it.
type claim[S comparable, L any] struct {
	Property[S, L]
	verdict Verdict // Undecided: still open
	err     error
	at      uint32       // the state that decided it, or from which the step did
	tail    []Step[S, L] // that step
}

// decide takes in what the property says of a state or a step, and reports
// whether that decides it.
func (c *claim[S, L]) decide(holds bool, err error, at uint32) bool {
	switch {
	case err != nil:
		c.verdict, c.err = Error, err
	case c.Kind == Always && !holds:
		c.verdict = Violated
	case c.Kind == Sometimes && holds:
		c.verdict = Reached
	default:
		return false
	}
	c.at = at
	return true
}

// judge is the visitor of Run: it counts, and keeps of each claim the first
// state or step that decides it. First is shortest, since the walk finds
// states in the order of their distance.
type judge[S comparable, L any] struct {
	opts     Options[S, L]
	walk     *walk[S, L]
	report   Report[S, L]
	claims   []*claim[S, L] // of opts.Properties
	never    *claim[S, L]
	deadlock *claim[S, L]   // nil: not asked for
	steps    *claim[S, L]   // decided only by a fault of the system
	ofStates []*claim[S, L] // open ones
	ofSteps  []*claim[S, L] // open ones
	moved    bool           // the state being expanded has a step that changes it
}

func newJudge[S comparable, L any](sys System[S, L], opts Options[S, L]) (*judge[S, L], error) {
	named := func(name string) *claim[S, L] {
		return &claim[S, L]{Property: Property[S, L]{Name: name}}
	}
	j := &judge[S, L]{
		opts:   opts,
		walk:   newWalk(sys, opts.MaxStates),
		report: Report[S, L]{Fired: make([]int, max(opts.Rows, 0))},
		never:  named("no internal step"),
		steps:  named("steps defined"),
	}
	if opts.Deadlock {
		j.deadlock = named("no deadlock")
	}
	for _, p := range opts.Properties {
		c := &claim[S, L]{Property: p}
		j.claims = append(j.claims, c)
		switch {
		case (p.State == nil) == (p.Step == nil) || p.Kind > Sometimes:
			return nil, fmt.Errorf("%w: %q", ErrProperty, p.Name)
		case p.State != nil:
			j.ofStates = append(j.ofStates, c)
		default:
			j.ofSteps = append(j.ofSteps, c)
		}
	}
	j.never.Step = func(_ S, st Step[S, L]) (bool, error) { return st.Kind != fsm.Internal, nil }
	j.ofSteps = append(j.ofSteps, j.never)
	return j, nil
}

func (j *judge[S, L]) state(at uint32) error {
	decided := false
	for _, c := range j.ofStates {
		holds, err := c.State(j.walk.states[at])
		decided = c.decide(holds, err, at) || decided
	}
	if decided {
		j.ofStates = open(j.ofStates)
	}
	return nil
}

func (j *judge[S, L]) step(from uint32, st Step[S, L], to uint32) error {
	j.report.Edges++
	if to != from {
		j.report.Moves++
		j.moved = true
	}
	if st.Row >= 0 {
		if more := st.Row + 1 - len(j.report.Fired); more > 0 {
			j.report.Fired = append(j.report.Fired, make([]int, more)...)
		}
		j.report.Fired[st.Row]++
	}
	decided := false
	for _, c := range j.ofSteps {
		holds, err := c.Step(j.walk.states[from], st)
		if c.decide(holds, err, from) {
			c.tail = []Step[S, L]{st}
			decided = true
		}
	}
	if decided {
		j.ofSteps = open(j.ofSteps)
	}
	if j.opts.Visit != nil {
		return j.opts.Visit(j.walk.states[from], st)
	}
	return nil
}

func (j *judge[S, L]) closed(at uint32) error {
	if d := j.deadlock; d != nil && d.verdict == Undecided && !j.moved {
		mayEnd, err := false, error(nil)
		if j.opts.MayEnd != nil {
			mayEnd, err = j.opts.MayEnd(j.walk.states[at])
		}
		d.decide(mayEnd, err, at)
	}
	j.moved = false
	if expanded := int(at) + 1; j.opts.Progress != nil && expanded%ProgressEvery == 0 {
		j.opts.Progress(Progress{
			States: len(j.walk.states), Expanded: expanded, Edges: j.report.Edges, Depth: j.walk.depth,
		})
	}
	return nil
}

// open returns the claims that aren't decided yet, in place.
func open[S comparable, L any](cs []*claim[S, L]) []*claim[S, L] {
	return slices.DeleteFunc(cs, func(c *claim[S, L]) bool { return c.verdict != Undecided })
}

// finish turns what was found into the report. Its error is ErrUnstable.
func (j *judge[S, L]) finish() (*Report[S, L], error) {
	var unstable error
	result := func(c *claim[S, L]) Result[S, L] {
		res, err := j.result(c)
		if unstable == nil {
			unstable = err
		}
		return res
	}
	r := &j.report
	r.Inits, r.States, r.Depth = j.walk.inits, len(j.walk.states), j.walk.depth
	for _, c := range j.claims {
		r.Properties = append(r.Properties, result(c))
	}
	r.Never = result(j.never)
	if j.deadlock != nil {
		res := result(j.deadlock)
		r.Deadlock = &res
	}
	r.Steps = result(j.steps)
	if unstable != nil {
		return nil, unstable
	}
	return r, nil
}

// result is what was found out about one claim.
func (j *judge[S, L]) result(c *claim[S, L]) (Result[S, L], error) {
	res := Result[S, L]{Name: c.Name, Kind: c.Kind, Verdict: c.verdict, Err: c.err}
	var err error
	switch {
	case c.verdict != Undecided:
		res.Path, err = j.walk.path(c.at, c.tail...)
	case j.report.Complete && c.Kind == Always:
		res.Verdict = Holds
	case j.report.Complete:
		res.Verdict = NotReached
	}
	return res, err
}
