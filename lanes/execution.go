package lanes

import (
	"context"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/interlock-go/interlock/fsm/queue"
)

// execution is what a ticket is on: what its submitter gave, and what the table
// doesn't keep of it. One that has ended is held by its handles alone.
type execution struct {
	// Set by Submit, and only read once the ticket is out.
	coordinator *Coordinator
	number      queue.Ticket
	session, id string
	owner       Owner
	branch      string
	language    string
	generation  string
	resources   []string
	metadata    map[string]string

	// Of a store; the coordinator's lock guards these.
	placed  bool // a new session of it has room
	waiters int  // how many wait for its admission
	taken   bool // one of them was told that it runs

	over atomic.Bool // it has ended; set under the coordinator's lock

	// The coordinator's lock guards these.
	state                      TicketState
	queued, started, finished  time.Time
	ran                        bool // it was admitted, and may have ended since; final once admission is closed
	asked                      bool // its cancellation was requested
	reason                     string
	failure                    string
	reported                   Report
	admission, ending, cancels chan struct{}           // closed once it waits no more, has ended, is to be cancelled; made when somebody asks
	stop                       context.CancelCauseFunc // of the context of Run
}

// copy makes x another execution of the same ticket as y, which nobody knows of.
func (x *execution) copy(y *execution) {
	x.coordinator, x.number, x.session, x.id, x.owner = y.coordinator, y.number, y.session, y.id, y.owner
	x.branch, x.language, x.generation, x.resources, x.metadata = y.branch, y.language, y.generation, y.resources, y.metadata
	x.state, x.queued, x.started, x.ran, x.asked, x.reason = y.state, y.queued, y.started, y.ran, y.asked, y.reason
}

// enter makes x be in state, as a step says.
func (x *execution) enter(state TicketState, a *act) {
	x.state = state
	switch state {
	case TicketQueued:
		x.queued = a.at
		return
	case TicketRunning:
		x.started, x.ran = a.at, true
		a.wake(x.admission)
		return
	case TicketOrphaned:
		return
	case TicketFailed:
		x.failure = a.report.Error
	case TicketCancelled:
		x.reported = a.report
		if !x.asked || a.forced {
			x.ask(a)
		}
	}
	x.finished = a.at
	x.over.Store(true)
	if !x.ran {
		a.wake(x.admission)
	}
	a.wake(x.ending)
}

// ask requests x's cancellation.
func (x *execution) ask(a *act) {
	first := !x.asked
	x.asked, x.reason = true, a.reason
	if !first {
		return
	}
	a.wake(x.cancels)
	if x.stop != nil {
		stop, cause := x.stop, x.cancelled(nil)
		a.stops = append(a.stops, func() { stop(cause) })
	}
}

// await returns the channel that is kept in c, and a closed one if it happened
// before. Its caller holds the coordinator's lock.
func await(c *chan struct{}, happened bool) <-chan struct{} {
	if happened {
		return closed
	}
	if *c == nil {
		*c = make(chan struct{})
	}
	return *c
}

var closed = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

func (x *execution) signalled() <-chan struct{} {
	x.coordinator.mu.Lock()
	defer x.coordinator.mu.Unlock()
	return await(&x.cancels, x.asked)
}

// look returns what can be seen of x, for who doesn't hold the lock.
func (x *execution) look() TicketView {
	c := x.coordinator
	c.mu.Lock()
	place := NoPosition
	switch x.state {
	case TicketRunning, TicketOrphaned:
		place = 0
	case TicketQueued:
		for n := range c.lines.at(x.session).machine.Waiting.All() {
			if place = max(place, 0) + 1; n == x.number {
				break
			}
		}
	}
	v := x.view(place)
	c.mu.Unlock()
	v.part()
	return v
}

// view returns what can be seen of x at that place. Its caller holds the lock;
// what the view refers to is x's own until part.
func (x *execution) view(place int) TicketView {
	return TicketView{
		Execution: x.id, Session: x.session, Branch: x.branch, Owner: x.owner, Language: x.language, Generation: x.generation,
		ResourceKeys: x.resources, Metadata: x.metadata,
		State: x.state, QueuedAt: x.queued, StartedAt: x.started, FinishedAt: x.finished,
		CancelRequested: x.asked, CancelReason: x.reason, Error: x.failure, Reported: x.reported,
		Serial: uint64(x.number), Position: place,
	}
}

// part copies what v shares with others.
func (v *TicketView) part() {
	v.ResourceKeys = slices.Clone(v.ResourceKeys)
	v.Metadata = maps.Clone(v.Metadata)
}
