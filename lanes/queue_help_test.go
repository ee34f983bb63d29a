package lanes_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/lanes"
)

// coordinator opens a manager's coordinator, which is closed with the test.
func coordinator(t testing.TB, q lanes.QueueConfig) *lanes.Coordinator {
	t.Helper()
	return coordinatorOf(t, lanes.Config{Queue: q})
}

func coordinatorOf(t testing.TB, c lanes.Config) *lanes.Coordinator {
	t.Helper()
	if c.Store == nil && elsewhere != nil {
		c.Store = elsewhere(lanes.NewMemory(epoch))
	}
	m, err := lanes.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m.Coordinator()
}

// elsewhere, while it is set, makes the stores that coordinators are opened on:
// see TestQueueElsewhere.
var elsewhere func(lanes.Store) lanes.Store

var agent = lanes.Owner{Kind: lanes.OwnerAgent, ID: "a1"}

// asks is a request of agent's.
func asks(session, execution string) lanes.Request {
	return lanes.Request{Session: session, Execution: execution, Owner: agent}
}

func aimed(session, execution string) lanes.Target {
	return lanes.Target{Session: session, Execution: execution, Owner: agent}
}

func mustSubmit(t testing.TB, c *lanes.Coordinator, session, execution string) lanes.Ticket {
	t.Helper()
	ticket, err := c.Submit(bg, asks(session, execution))
	if err != nil {
		t.Fatalf("Submit(%s, %s): %v", session, execution, err)
	}
	return ticket
}

func mustComplete(t testing.TB, c *lanes.Coordinator, ticket lanes.Ticket) lanes.Ended {
	t.Helper()
	e, err := c.Complete(bg, ticket)
	if err != nil {
		t.Fatalf("Complete(%v): %v", ticket, err)
	}
	return e
}

func snapshot(t testing.TB, c *lanes.Coordinator, session string) lanes.Snapshot {
	t.Helper()
	s, err := c.Snapshot(bg, session)
	if err != nil {
		t.Fatalf("Snapshot(%s): %v", session, err)
	}
	return s
}

// wantState fails unless each ticket, then its state, is so.
func wantState(t testing.TB, pairs ...any) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		ticket, want := pairs[i].(lanes.Ticket), pairs[i+1].(lanes.TicketState)
		if got := ticket.View().State; got != want {
			t.Fatalf("%v is %s; want %s", ticket, got, want)
		}
	}
}

// wantWait fails unless err is a WaitError with that code and reason.
func wantWait(t testing.TB, err error, code lanes.Code, reason string) *lanes.WaitError {
	t.Helper()
	var w *lanes.WaitError
	if !errors.As(err, &w) || w.Code != code || !errors.Is(err, code) || w.Reason != reason {
		t.Fatalf("got %v; want %s with reason %q", err, code, reason)
	}
	return w
}

// listener is what a subscriber saw, each event in a few words.
type listener struct {
	mu     sync.Mutex
	events []lanes.Event
}

// listen subscribes a listener to c.
func listen(t testing.TB, c *lanes.Coordinator, o lanes.SubscribeOptions) *listener {
	t.Helper()
	l := &listener{}
	s, err := c.SubscribeFunc(bg, o, func(e lanes.Event) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.events = append(l.events, e)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return l
}

// take returns what has come since the last take, within a bubble.
func (l *listener) take() (words []string) {
	synctest.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.events {
		words = append(words, inWords(e))
	}
	l.events = nil
	return words
}

// want fails unless the events since the last take are these.
func (l *listener) want(t testing.TB, words ...string) {
	t.Helper()
	if diff := cmp.Diff(words, l.take()); diff != "" {
		t.Fatalf("events (-want +got):\n%s", diff)
	}
}

// inWords returns e in a few words, without its session.
func inWords(e lanes.Event) string {
	reason := ""
	if e.Reason != "" {
		reason = ": " + e.Reason
	}
	switch e.Type {
	case lanes.EventTicketState:
		return fmt.Sprintf("%s %s at %d%s", e.Ticket.Execution, e.Ticket.State, e.Ticket.Position, reason)
	case lanes.EventOwnerChanged:
		if e.Ticket != nil && e.Previous != nil {
			return "owner changed from one ticket to another"
		}
		if e.Ticket != nil {
			return "owner is " + e.Ticket.Execution + reason
		}
		return "owner was " + e.Previous.Execution + reason
	case lanes.EventQueueChanged:
		s := "queue"
		if e.Snapshot.Closed {
			s += " closed(" + e.Snapshot.CloseReason + ")"
		}
		if o := e.Snapshot.Owner; o != nil {
			s += " " + o.Execution
		} else {
			s += " nobody"
		}
		for _, v := range e.Snapshot.Queue {
			s += fmt.Sprintf(" %d.%s", v.Position, v.Execution)
		}
		return s
	case lanes.EventInterruptRequested:
		return "interrupt " + e.Ticket.Execution + reason
	case lanes.EventForceEnded:
		return "force end " + e.Ticket.Execution + reason
	case lanes.EventSessionClosed:
		return "session closed" + reason
	case lanes.EventSessionForgotten:
		return "session forgotten"
	case lanes.EventCoordinatorClosed:
		return "coordinator closed" + reason
	case lanes.EventEventsDropped:
		return fmt.Sprintf("%d dropped up to %d", e.Dropped, e.Seq)
	}
	return string(e.Type)
}

// counter is an id factory that makes ids in order.
func counter(prefix string) func() string {
	var mu sync.Mutex
	n := 0
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		n++
		return fmt.Sprint(prefix, n)
	}
}

// soon fails unless f returns within a time that no call should need.
func soon(t testing.TB, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatalf("%s is stuck", what)
	}
}

// yieldingClock lets others run whenever it is asked, now and then.
type yieldingClock struct{}

func (yieldingClock) Now() time.Time {
	if rand.IntN(2) == 0 {
		runtime.Gosched()
	}
	return epoch
}

func (yieldingClock) AfterFunc(d time.Duration, f func()) lanes.Timer { return time.AfterFunc(d, f) }
