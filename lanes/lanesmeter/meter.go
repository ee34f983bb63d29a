// Package lanesmeter turns the events of a coordinator into measures, for
// whatever keeps them. Modules lanesotel and lanesprom, which are nested in this
// one, do so for OpenTelemetry and Prometheus.
package lanesmeter

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/interlock-go/interlock/lanes"
)

// Wait is how a ticket's wait for its turn ended.
type Wait string

// The ends of waits.
const (
	WaitAdmitted  Wait = "admitted"
	WaitCancelled Wait = "cancelled"
)

// Other stands for an owner's kind, and for a refusal's code, that package lanes
// has no constant for: whatever callers make up, there are only so many values.
const Other = "other"

// Recorder takes measures. None of its texts is a session, an execution or the
// id of an owner: each has a few values, all known beforehand. Its methods must
// be safe for concurrent use if it serves several coordinators; they mustn't
// panic.
type Recorder interface {
	// Waited tells how long a ticket was queued, once that is over.
	Waited(kind string, end Wait, d time.Duration)

	// Held tells how long a ticket had its session's place, and how it ended.
	Held(kind string, end lanes.TicketState, d time.Duration)

	// Depth tells by how much the number of tickets that wait, and of those that
	// run, has changed.
	Depth(waiting, running int)

	// Overtaken tells that so many tickets were passed by a later one of their
	// session. It is 0 for as long as the coordinator keeps its word.
	Overtaken(tickets int)

	// Dropped tells that so many events never came, since they came too fast.
	// What the tickets in them waited and held is missing; the depth is right
	// again within a second.
	Dropped(events uint64)
}

// Watch tells r what happens to c's tickets from now on, and how many there are
// already, until ctx ends, the subscription that it returns is closed, or the
// manager is. At the end the depth is taken back to 0. It keeps a few numbers
// for each session in which something runs or waits.
//
// As any subscriber, it has a picture of a queue made at each of its steps.
func Watch(ctx context.Context, c *lanes.Coordinator, r Recorder) (*lanes.Subscription, error) {
	s, err := c.Subscribe(ctx, lanes.SubscribeOptions{Buffer: 1 << 14})
	if err != nil {
		return nil, err
	}
	w := &watch{recorder: r, busy: map[string]depth{}}
	w.recount(c)
	go func() {
		defer w.end()
		for e := range s.Events() {
			w.mu.Lock()
			w.see(e)
			if e.Type == lanes.EventEventsDropped && w.timer == nil {
				w.timer = time.AfterFunc(time.Second, func() { w.recount(c) })
			}
			w.mu.Unlock()
		}
	}()
	return s, nil
}

// CodeOf returns the code of the refusal that err is or wraps, and Other for a
// code that package lanes doesn't have; found is false for any other error.
func CodeOf(err error) (code string, found bool) {
	var no *lanes.Refusal
	if !errors.As(err, &no) {
		return "", false
	}
	if no.Code.Error() == string(no.Code) { // without a meaning
		return Other, true
	}
	return string(no.Code), true
}

// watch is what is known of the sessions in which something runs or waits.
type watch struct {
	mu       sync.Mutex // held while the recorder is told
	recorder Recorder
	busy     map[string]depth
	timer    *time.Timer // of a recount that is to come
	over     bool
}

// depth is how many wait in a session, and the serial number of the ticket that
// runs; 0 for none.
type depth struct {
	waiting int
	runs    uint64
}

func (d depth) running() int { return int(min(d.runs, 1)) }

// see records what e tells.
func (w *watch) see(e lanes.Event) {
	switch {
	case e.Type == lanes.EventTicketState && e.Ticket != nil:
		w.ticket(e.Ticket)
	case e.Type == lanes.EventQueueChanged && e.Snapshot != nil:
		now := depthOf(e.Snapshot)
		if now.runs != 0 && now.runs != w.busy[e.Session].runs {
			if n := passed(e.Snapshot); n > 0 {
				w.recorder.Overtaken(n)
			}
		}
		w.set(e.Session, now)
	case e.Type == lanes.EventEventsDropped:
		w.recorder.Dropped(e.Dropped)
	}
}

func (w *watch) ticket(v *lanes.TicketView) {
	kind := kindOf(v.Owner)
	switch {
	case v.State == lanes.TicketQueued, v.State == lanes.TicketOrphaned:
	case v.State == lanes.TicketRunning:
		w.recorder.Waited(kind, WaitAdmitted, between(v.QueuedAt, v.StartedAt))
	case v.StartedAt.IsZero():
		w.recorder.Waited(kind, WaitCancelled, between(v.QueuedAt, v.FinishedAt))
	default:
		w.recorder.Held(kind, v.State, between(v.StartedAt, v.FinishedAt))
	}
}

// set notes that session is as deep as now.
func (w *watch) set(session string, now depth) {
	was := w.busy[session]
	if now == (depth{}) {
		delete(w.busy, session)
	} else {
		w.busy[session] = now
	}
	if waiting, running := now.waiting-was.waiting, now.running()-was.running(); waiting != 0 || running != 0 {
		w.recorder.Depth(waiting, running)
	}
}

// recount takes the depths from what c shows. It may be ahead of the events that
// still wait: they bring each session back to where it is, since each queue's
// picture is whole. A picture of everything is dear, and events are dropped where
// there are too many already: so it is taken once a second at most.
func (w *watch) recount(c *lanes.Coordinator) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = nil
	if w.over {
		return
	}
	now := map[string]depth{}
	for s, err := range c.Snapshots(context.Background()) {
		if err != nil {
			return
		}
		if d := depthOf(&s); d != (depth{}) {
			now[s.Session] = d
		}
	}
	for session := range w.busy {
		if _, still := now[session]; !still {
			w.set(session, depth{})
		}
	}
	for session, d := range now {
		w.set(session, d)
	}
}

// end takes the depth back to 0, for good.
func (w *watch) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	if w.timer != nil {
		w.timer.Stop()
	}
	for session := range w.busy {
		w.set(session, depth{})
	}
}

func depthOf(s *lanes.Snapshot) depth {
	d := depth{waiting: len(s.Queue)}
	if s.Owner != nil {
		d.runs = s.Owner.Serial
	}
	return d
}

// passed returns how many of those that wait were submitted before the one that
// runs.
func passed(s *lanes.Snapshot) (n int) {
	for i := range s.Queue {
		if s.Queue[i].Serial < s.Owner.Serial {
			n++
		}
	}
	return n
}

func kindOf(o lanes.Owner) string {
	switch o.Kind {
	case lanes.OwnerAgent, lanes.OwnerUserREPL, lanes.OwnerRecovery, lanes.OwnerLifecycle, lanes.OwnerSystem:
		return o.Kind
	}
	return Other
}

// between returns how long it is from a to b, and 0 if the clock went back.
func between(a, b time.Time) time.Duration { return max(b.Sub(a), 0) }
