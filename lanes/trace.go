package lanes

import (
	"slices"

	"github.com/interlock-go/interlock/fsm/lane"
	"github.com/interlock-go/interlock/fsm/queue"
	"github.com/interlock-go/interlock/fsm/session"
)

// taken is one step of a machine. It shares nothing.
type taken struct {
	Machine  string // the table's name
	Instance string // the project's or session's; of Coordinator.Close none
	Event    any    // an Event of the machine's package
	Decision any    // a Decision of it
	Effects  any    // a slice of its Effects
	After    any    // the Machine after it
}

// recorder is told of each step, in the order of the steps of an instance. It is
// called under a lock, and never if there is none: then it costs one branch.
type recorder func(taken)

// lane records a step of a lane that is kept in memory; those of another store
// aren't known to be done before it said so.
func (f recorder) lane(p *place, e lane.Event, d lane.Decision, effects []lane.Effect) {
	f(taken{"lane", p[0].project, e, d, slices.Clone(effects), p[0].machine})
}

func (f recorder) queue(l *line, e queue.Event, d queue.Decision, effects []queue.Effect) {
	f(taken{"queue", l.session, ownQueueEvent(e), d, slices.Clone(effects), l.machine.Clone()})
}

func (f recorder) session(directory, id string, m *session.Machine, e session.Event, d session.Decision) {
	f(taken{"session", SessionKey{directory, id}.String(), ownSessionEvent(e), d, []session.Effect(nil), *m})
}

// sent is the event that c sends, once more: one that is kept is on the heap.
func (c *call) sent(p *place, fresh Version, by *Projects) lane.Event {
	switch c.event {
	case claim:
		return lane.Claim{Lease: lane.Lease(fresh.Number), Fence: lane.Fence(fresh.Number)}
	case requestStop:
		return lane.RequestStop{Lease: p.as(c.lease, by)}
	}
	return lane.Release{Outcome: c.outcome, Lease: p.as(c.lease, by)}
}

// ownQueueEvent returns a copy of e, so that e itself can stay on its caller's
// stack; a frame of its own has room for the copies.
//
//go:noinline
func ownQueueEvent(e queue.Event) queue.Event {
	switch e := e.(type) {
	case queue.Submit:
		return e
	case queue.End:
		return e
	case queue.Leave:
		return e
	case queue.CancelQueued:
		return e
	case queue.Interrupt:
		return e
	case queue.ForceEnd:
		return e
	case queue.Close:
		return e
	case queue.CleanUp:
		return e
	case queue.Shut:
		return e
	}
	return nil
}

// ownSessionEvent is ownQueueEvent for a session's.
func ownSessionEvent(e session.Event) session.Event {
	switch e := e.(type) {
	case session.Begin:
		return e
	case session.Sent:
		return e
	case session.Status:
		return e
	case session.PromptFailed:
		return e
	case session.SendExpired:
		return e
	case session.GraceExpired:
		return e
	case session.TtlExpired:
		return e
	case session.Abort:
		return e
	case session.AbortAnswered:
		return e
	case session.Delete:
		return e
	}
	return nil
}
