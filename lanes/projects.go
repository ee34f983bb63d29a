package lanes

import (
	"context"
	"fmt"
	"iter"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/lane"
)

// Projects says who owns each project's lane. Manager.Projects returns it; any
// number of goroutines may use it.
//
// A call looks at its arguments first, then at its context, and only then at the
// lane: under a context that has ended it does nothing, and its error wraps the
// context's. Of the errors, a *Refusal means that the lane said no, and one that
// wraps ErrStoreUncertain that nobody knows whether the call was done; after any
// other error it wasn't.
type Projects struct {
	lanes   records[place, *place]
	refused watcher
	record  recorder // of the steps on lanes in memory; nil for none
}

// Claim gives run the lane of project, if it is free. If it is occupied,
// whatever the occupant's label, the refusal is ErrProjectBusy and has a view
// of the occupant. It never waits for a lane: whether to try again is the
// caller's to decide.
//
// Project and run are labels, as the package says; what isn't one is refused with
// ErrInvalidLabel before anything else.
//
// After ErrStoreUncertain, which a Memory never answers, the lane may be
// occupied by run, under a lease that nobody has.
func (ps *Projects) Claim(ctx context.Context, project, run string) (_ Lease, err error) {
	if ps.closed() {
		return Lease{}, ErrNotOpen
	}
	defer ps.refused.tell(ctx, &err)
	if err := labelled("claim", "project", project); err != nil {
		return Lease{}, err
	}
	if err := labelled("claim", "run", run); err != nil {
		return Lease{}, err
	}
	c := call{event: claim, run: run}
	if err := ps.act(ctx, project, &c); err != nil {
		return Lease{}, err
	}
	return c.place.lease(), nil
}

// RequestStop marks the lane of lease as stop-requested, and returns its view.
// Asking again changes nothing and succeeds. The lane stays occupied until it is
// released: nobody has confirmed that the run has ended.
//
// Any lease but the current one is refused with ErrLeaseNotCurrent, the zero
// Lease with ErrInvalidLease.
func (ps *Projects) RequestStop(ctx context.Context, lease Lease) (_ View, err error) {
	if ps.closed() {
		return View{}, ErrNotOpen
	}
	defer ps.refused.tell(ctx, &err)
	c := call{event: requestStop, lease: lease.place()}
	if err := ps.act(ctx, lease.Project(), &c); err != nil {
		return View{}, err
	}
	return c.view, nil
}

// Release frees the lane of lease, and returns a receipt. It is refused with
// ErrInvalidOutcome, ErrInvalidLease for the zero Lease, or ErrLeaseNotCurrent
// for any lease but the current one: a second release is refused so, and leaves
// alone whoever has claimed the lane since, under the same label too. A refused
// release leaves the lane occupied.
//
// A run whose own context has ended still has to release its lane: it passes
// context.WithoutCancel of that context.
func (ps *Projects) Release(ctx context.Context, lease Lease, outcome Outcome) (_ Receipt, err error) {
	if ps.closed() {
		return Receipt{}, ErrNotOpen
	}
	defer ps.refused.tell(ctx, &err)
	c := call{event: release, lease: lease.place(), outcome: outcomeNamed(outcome)}
	if err := ps.act(ctx, lease.Project(), &c); err != nil {
		return Receipt{}, err
	}
	return c.receipt, nil
}

// View returns what can be seen of the lane of project. A project that nobody
// ever claimed is a free lane, and leaves nothing behind.
func (ps *Projects) View(ctx context.Context, project string) (_ View, err error) {
	if ps.closed() {
		return View{}, ErrNotOpen
	}
	defer ps.refused.tell(ctx, &err)
	if err := labelled("view", "project", project); err != nil {
		return View{}, err
	}
	var v View
	err = ps.lanes.read(ctx, project, func(p *place) { v = p.view() })
	if err != nil {
		return View{}, fmt.Errorf("lanes: view of %s: %w", project, err)
	}
	return v, nil
}

// All yields a view of each occupied lane, in the order of their projects. Each
// is true at some moment of the iteration; a lane that is occupied all the time
// is not left out. After an error it ends.
func (ps *Projects) All(ctx context.Context) iter.Seq2[View, error] {
	return func(yield func(View, error) bool) {
		if ps.closed() {
			yield(View{}, ErrNotOpen)
			return
		}
		for v, err := range all(ctx, &ps.lanes, (*place).view) {
			if err != nil {
				err = fmt.Errorf("lanes: all: %w", err)
			}
			if !yield(v, err) {
				return
			}
		}
	}
}

// event is one of the events that a caller may send to a lane.
type event uint8

const (
	claim event = iota
	requestStop
	release
)

func (e event) String() string {
	return [...]string{claim: "claim", requestStop: "requestStop", release: "release"}[e]
}

// call is an event, what its caller gave with it, and what becomes of it.
type call struct {
	event   event
	run     string
	lease   *place // nil for the zero Lease
	outcome lane.Outcome

	place   *place  // of a claim, what its lease is on
	view    View    // of a stop, and of a lane that is busy
	receipt Receipt // of a release
}

// act sends c to the lane of project. It is where Step's decisions become
// answers, refusals and effects.
func (ps *Projects) act(ctx context.Context, project string, c *call) error {
	var state lane.State
	var row lane.Row
	var kind fsm.Kind
	var room [1]lane.Effect
	effects := room[:0]
	step := func(p *place, fresh Version) bool {
		g := &p[0]
		state = g.machine.State
		var d lane.Decision
		switch c.event {
		case claim:
			d, effects = g.machine.Step(lane.Claim{Lease: lane.Lease(fresh.Number), Fence: lane.Fence(fresh.Number)}, room[:0])
			if d.Row == lane.ClaimWon {
				g.run, g.fencing = c.run, Fencing(fresh)
			}
		case requestStop:
			d, effects = g.machine.Step(lane.RequestStop{Lease: p.as(c.lease, ps)}, room[:0])
		case release:
			d, effects = g.machine.Step(lane.Release{Outcome: c.outcome, Lease: p.as(c.lease, ps)}, room[:0])
		}
		if ps.record != nil && ps.lanes.memory != nil && c.typed() {
			ps.record.lane(p, c.sent(p, fresh, ps), d, effects)
		}
		if c.event == requestStop || d.Row == lane.ClaimBusy {
			c.view = p.view()
		}
		row, kind = d.Row, d.Row.Info().Kind
		return kind == fsm.Move
	}

	if !c.typed() {
		step(new(place), Version{}) // refused by its arguments, of whatever lane
		return refusal("lane", row.Info(), "")
	}
	p, err := ps.lanes.apply(ctx, project, c.event == claim, step)
	if err != nil {
		return fmt.Errorf("lanes: %s of %s: %w", c.event, project, err)
	}

	switch kind {
	case fsm.Move, fsm.Stay:
	case fsm.Refuse:
		no := refusal("lane", row.Info(), state.String())
		if row == lane.ClaimBusy {
			occupant := c.view
			no.Occupant = &occupant
		}
		return no
	default:
		return fmt.Errorf("lanes: %s of %s, which is %s: decided by row %s, which must never apply", c.event, project, state, row)
	}
	if row == lane.ClaimWon {
		p[0].issuer = ps // nobody else looks at it until the lease is out
		c.place = p
	}
	for _, e := range effects {
		switch e.Kind {
		case lane.EffectReceipt:
			c.receipt = Receipt{Project: project, Run: c.lease[0].run, Outcome: Outcome(e.Outcome.String()), StopRequested: e.StopRequested}
		}
	}
	return nil
}

// typed reports whether c's lease and outcome are of their types at all.
func (c *call) typed() bool {
	switch c.event {
	case requestStop:
		return c.lease != nil
	case release:
		return c.lease != nil && c.outcome != 0
	}
	return true
}

// outcomeNamed returns the table's value of o, and 0, which is none of its
// values, if it has none.
func outcomeNamed(o Outcome) lane.Outcome {
	switch o {
	case OutcomeSucceeded:
		return lane.OutcomeSucceeded
	case OutcomeFailed:
		return lane.OutcomeFailed
	case OutcomeCancelled:
		return lane.OutcomeCancelled
	case OutcomeNeedsReview:
		return lane.OutcomeNeedsReview
	}
	return 0
}

// labelled refuses label, which is event's argument of that name, unless it is
// one.
func labelled(event, argument, label string) error {
	if validLabel(label) {
		return nil
	}
	no := refusal("lane", fsm.Info{Name: "shell.label", Code: string(ErrInvalidLabel)}, "")
	no.Event = event
	no.Message = argument + ": " + no.Message
	return no
}
