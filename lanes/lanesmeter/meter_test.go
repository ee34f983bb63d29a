package lanesmeter_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/lanes"
	"github.com/interlock-go/interlock/lanes/lanesmeter"
)

// notes writes down what it is told, and adds up the depth.
type notes struct {
	lines            []string
	waiting, running int
	dropped          uint64
	overtaken        int
	block            chan struct{} // if set, the first Depth waits for it
}

func (n *notes) Waited(kind string, end lanesmeter.Wait, d time.Duration) {
	n.lines = append(n.lines, fmt.Sprint("waited ", kind, " ", end, " ", d))
}
func (n *notes) Held(kind string, end lanes.TicketState, d time.Duration) {
	n.lines = append(n.lines, fmt.Sprint("held ", kind, " ", end, " ", d))
}
func (n *notes) Depth(waiting, running int) {
	if n.block != nil && running > 0 {
		<-n.block
		n.block = nil
	}
	n.waiting += waiting
	n.running += running
}
func (n *notes) Overtaken(tickets int) { n.overtaken += tickets }
func (n *notes) Dropped(events uint64) { n.dropped += events }

// want fails unless the lines since the last call, and the depth, are these.
func (n *notes) want(t *testing.T, waiting, running int, lines ...string) {
	t.Helper()
	synctest.Wait()
	if diff := cmp.Diff(lines, n.lines); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n.waiting != waiting || n.running != running {
		t.Errorf("%d wait and %d run; want %d and %d", n.waiting, n.running, waiting, running)
	}
	n.lines = nil
}

func open(t testing.TB) (*lanes.Manager, *lanes.Coordinator) {
	t.Helper()
	m, err := lanes.Open(lanes.Config{Queue: lanes.QueueConfig{Cap: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m, m.Coordinator()
}

func submit(t testing.TB, c *lanes.Coordinator, session, execution, kind string) lanes.Ticket {
	t.Helper()
	ticket, err := c.Submit(context.Background(), lanes.Request{Session: session, Execution: execution, Owner: lanes.Owner{Kind: kind, ID: "me"}})
	if err != nil {
		t.Fatal(err)
	}
	return ticket
}

func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, c := open(t)
		ctx := context.Background()
		early := submit(t, c, "s", "early", lanes.OwnerSystem)
		n := &notes{}
		if _, err := lanesmeter.Watch(ctx, c, n); err != nil {
			t.Fatal(err)
		}
		n.want(t, 0, 1) // it was there before

		a := submit(t, c, "s", "a", lanes.OwnerAgent)
		b := submit(t, c, "s", "b", "made up: 4711")
		submit(t, c, "t", "a", lanes.OwnerUserREPL)
		n.want(t, 2, 2, "waited user_repl admitted 0s")

		time.Sleep(3 * time.Second)
		c.Complete(ctx, early)
		n.want(t, 1, 2, "held system completed 3s", "waited agent admitted 3s")

		time.Sleep(time.Second)
		if err := c.CancelQueued(ctx, lanes.Target{Session: "s", Execution: "b", Owner: b.Owner()}); err != nil {
			t.Fatal(err)
		}
		c.Fail(ctx, a, errors.New("no"))
		n.want(t, 0, 1, "waited other cancelled 4s", "held agent failed 1s")

		if err := c.ForceEnd(ctx, lanes.Target{Session: "t", Execution: "a", Reason: "lost"}); err != nil {
			t.Fatal(err)
		}
		n.want(t, 0, 0, "held user_repl cancelled 4s")

		submit(t, c, "u", "a", lanes.OwnerAgent)
		submit(t, c, "u", "b", lanes.OwnerAgent)
		n.want(t, 1, 1, "waited agent admitted 0s")
		m.Close() // what still runs is nobody's to measure any more
		n.want(t, 0, 0, "waited agent cancelled 0s")
		if n.overtaken != 0 || n.dropped != 0 {
			t.Errorf("%d overtaken, %d dropped", n.overtaken, n.dropped)
		}
	})
}

// A subscription that is closed, and one whose context ends, end at depth 0.
func TestWatchEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, c := open(t)
		submit(t, c, "s", "a", lanes.OwnerAgent)
		ctx, cancel := context.WithCancel(context.Background())
		first, second := &notes{}, &notes{}
		s, err := lanesmeter.Watch(context.Background(), c, first)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := lanesmeter.Watch(ctx, c, second); err != nil {
			t.Fatal(err)
		}
		first.want(t, 0, 1)
		second.want(t, 0, 1)
		s.Close()
		first.want(t, 0, 0)
		second.want(t, 0, 1)
		cancel()
		second.want(t, 0, 0)
		if _, err := lanesmeter.Watch(ctx, c, first); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

// Whatever was dropped is counted, and the depth is right a second later, again
// and again; but not once the subscription was closed.
func TestDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, c := open(t)
		n := &notes{}
		s, err := lanesmeter.Watch(context.Background(), c, n)
		if err != nil {
			t.Fatal(err)
		}
		for round := range 3 {
			gate := make(chan struct{})
			n.block = gate
			gone := submit(t, c, "gone", fmt.Sprint(round), lanes.OwnerAgent) // at which it blocks
			synctest.Wait()
			submit(t, c, fmt.Sprint("stays", round), "a", lanes.OwnerAgent)
			submit(t, c, fmt.Sprint("stays", round), "b", lanes.OwnerAgent)
			c.Complete(context.Background(), gone)
			for range 4000 { // 7 events each
				c.Complete(context.Background(), submit(t, c, "busy", "", lanes.OwnerAgent))
			}
			close(gate)
			synctest.Wait()
			if n.dropped < 10_000*uint64(round+1) {
				t.Errorf("%d dropped", n.dropped)
			}
			if round == 2 {
				break
			}
			time.Sleep(time.Second)
			synctest.Wait()
			n.lines = nil
			n.want(t, round+1, round+1)
		}
		s.Close() // before what was dropped last is looked at
		time.Sleep(2 * time.Second)
		synctest.Wait()
		n.lines = nil
		n.want(t, 0, 0)
	})
}

// One that is admitted before earlier ones counts them, once.
func TestOvertaken(t *testing.T) {
	picture := func(owner uint64, queue ...uint64) lanes.Event {
		s := &lanes.Snapshot{Session: "s", Owner: &lanes.TicketView{Serial: owner}}
		for _, serial := range queue {
			s.Queue = append(s.Queue, lanes.TicketView{Serial: serial})
		}
		return lanes.Event{Type: lanes.EventQueueChanged, Session: "s", Snapshot: s}
	}
	n := &notes{}
	lanesmeter.Tell(n, picture(1, 2, 3, 4), picture(2, 3, 4))
	if n.overtaken != 0 {
		t.Fatalf("%d overtaken", n.overtaken)
	}
	lanesmeter.Tell(n, picture(1, 2, 3, 4), picture(4, 2, 3), picture(4, 2, 3, 5), picture(2, 3, 5))
	if n.overtaken != 2 {
		t.Errorf("%d overtaken; want 2", n.overtaken)
	}
}

// A clock that goes back makes no negative times, and events of no sense none.
func TestStrangeEvents(t *testing.T) {
	n := &notes{}
	now := time.Unix(100, 0)
	lanesmeter.Tell(n,
		lanes.Event{Type: lanes.EventTicketState},
		lanes.Event{Type: lanes.EventQueueChanged},
		lanes.Event{},
		lanes.Event{Type: lanes.EventTicketState, Ticket: &lanes.TicketView{State: lanes.TicketRunning, QueuedAt: now, StartedAt: now.Add(-time.Hour)}},
		lanes.Event{Type: lanes.EventTicketState, Ticket: &lanes.TicketView{State: lanes.TicketOrphaned, QueuedAt: now, StartedAt: now}}, // it has ended nothing
	)
	if diff := cmp.Diff([]string{"waited other admitted 0s"}, n.lines); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCodeOf(t *testing.T) {
	m, c := open(t)
	_, refused := c.Submit(context.Background(), lanes.Request{})
	for _, r := range []struct {
		err   error
		code  string
		found bool
	}{
		{nil, "", false},
		{errors.New("QUEUE_FULL"), "", false},
		{lanes.ErrQueueFull, "", false},
		{refused, "INVALID_ARGUMENT", true},
		{fmt.Errorf("turn: %w", &lanes.Refusal{Code: lanes.ErrProjectBusy}), "PROJECT_BUSY", true},
		{&lanes.Refusal{Code: "session 4711"}, lanesmeter.Other, true},
		{&lanes.Refusal{}, lanesmeter.Other, true},
	} {
		if code, found := lanesmeter.CodeOf(r.err); code != r.code || found != r.found {
			t.Errorf("%v: %q, %v; want %q, %v", r.err, code, found, r.code, r.found)
		}
	}
	m.Close()
}
