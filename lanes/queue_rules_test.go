package lanes_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/lanes"
)

// The tests of this file, and of the other queue_*_rules_test.go, are the rules
// of per-session FIFO admission, by their numbers.

func TestQueueRule00AnEndedContextComesFirst(t *testing.T) {
	c := coordinator(t, lanes.QueueConfig{})
	c.Close(bg, "") // the context is looked at before that, too
	if _, err := c.Submit(ended(t), lanes.Request{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Submit: %v", err)
	}
	if err := c.Run(ended(t), lanes.Request{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Run: %v", err)
	}
	late, cancel := context.WithTimeout(bg, -1)
	defer cancel()
	if _, err := c.Submit(late, asks("s", "x")); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, lanes.ErrCoordinatorClosed) {
		t.Errorf("Submit: %v", err)
	}
}

func TestQueueRule01TheOrderOfChecks(t *testing.T) {
	c := coordinator(t, lanes.QueueConfig{Cap: 1, MaxSessions: 2})
	submit := func(session, execution string) error {
		_, err := c.Submit(bg, asks(session, execution))
		return err
	}
	first := mustSubmit(t, c, "s", "a")
	mustSubmit(t, c, "s", "b")
	wantState(t, first, lanes.TicketRunning)

	// Duplicate before full, of those that run, wait and have ended.
	wantRefusal(t, submit("s", "a"), lanes.ErrDuplicateExecution, "submit.duplicate")
	wantRefusal(t, submit("s", " b "), lanes.ErrDuplicateExecution, "submit.duplicate")
	no := wantRefusal(t, submit("s", "c"), lanes.ErrQueueFull, "submit.full")
	if no.State != "open" || no.Event != "submit" || no.Machine != "queue" {
		t.Errorf("got %+v", no)
	}
	mustComplete(t, c, first)
	wantRefusal(t, submit("s", "a"), lanes.ErrDuplicateExecution, "submit.duplicate")

	// Closed before duplicate.
	c.CloseSession(bg, "s", "enough")
	if no := wantRefusal(t, submit("s", "a"), lanes.ErrSessionClosed, "submit.closed"); no.Reason != "enough" {
		t.Errorf("the reason is %q", no.Reason)
	}

	// Too many sessions are so for a new one only.
	mustSubmit(t, c, "t", "a")
	wantRefusal(t, submit("u", "a"), lanes.ErrTooManySessions, "submit.tooMany")
	mustSubmit(t, c, "t", "b")
	wantRefusal(t, submit("s", "z"), lanes.ErrSessionClosed, "submit.closed")

	// The coordinator before all.
	c.Close(bg, "night")
	for _, session := range []string{"s", "t", "u"} {
		if no := wantRefusal(t, submit(session, "a"), lanes.ErrCoordinatorClosed, "submit.shut"); no.Reason != "night" {
			t.Errorf("the reason is %q", no.Reason)
		}
	}
}

func TestQueueRule01ARefusalLeavesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := coordinator(t, lanes.QueueConfig{Cap: 1, MaxSessions: 1})
		a := mustSubmit(t, c, "s", "a")
		mustSubmit(t, c, "s", "b")
		events := listen(t, c, lanes.SubscribeOptions{})
		before := snapshot(t, c, "s")
		for _, r := range []lanes.Request{asks("s", "c"), asks("s", "b"), asks("t", "a"), {Session: "s"}, {Session: " ", Owner: agent}} {
			if _, err := c.Submit(bg, r); err == nil {
				t.Fatalf("%+v is accepted", r)
			}
		}
		events.want(t)
		if diff := cmp.Diff(before, snapshot(t, c, "s")); diff != "" {
			t.Fatalf("(-before +after):\n%s", diff)
		}
		if all := sessions(c); !slices.Equal(all, []string{"s"}) {
			t.Fatalf("sessions are %v", all)
		}
		// No id is used up, nor a serial number.
		mustComplete(t, c, a)
		if v := mustSubmit(t, c, "s", "c").View(); elsewhere == nil && v.Serial != 3 || v.Position != 1 {
			t.Fatalf("got %+v", v)
		}
	})
}

func TestQueueRule02TheCapCountsThoseThatWait(t *testing.T) {
	c := coordinator(t, lanes.QueueConfig{})
	running := mustSubmit(t, c, "s", "")
	for range 64 {
		mustSubmit(t, c, "s", "")
	}
	if _, err := c.Submit(bg, asks("s", "")); !errors.Is(err, lanes.ErrQueueFull) {
		t.Fatalf("got %v", err)
	}
	mustComplete(t, c, running)
	mustSubmit(t, c, "s", "")
	if _, err := c.Submit(bg, asks("s", "")); !errors.Is(err, lanes.ErrQueueFull) {
		t.Fatalf("got %v", err)
	}
	if s := snapshot(t, c, "s"); len(s.Queue) != 64 {
		t.Fatalf("%d wait", len(s.Queue))
	}
	for _, bad := range []lanes.QueueConfig{{Cap: -1}, {Cap: 1_000_001}, {Remember: -2}, {MaxSessions: -1}, {ForgetIdle: -1}, {Replay: -1}} {
		if _, err := lanes.Open(lanes.Config{Queue: bad}); !errors.Is(err, lanes.ErrInvalidArgument) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func TestQueueRule03OneRunsAndTheHeadFollows(t *testing.T) {
	for name, finish := range map[string]func(c *lanes.Coordinator, t lanes.Ticket) error{
		"complete": func(c *lanes.Coordinator, t lanes.Ticket) error { _, err := c.Complete(bg, t); return err },
		"fail": func(c *lanes.Coordinator, t lanes.Ticket) error {
			_, err := c.Fail(bg, t, errors.New("no"))
			return err
		},
		"force": func(c *lanes.Coordinator, t lanes.Ticket) error {
			return c.ForceEnd(bg, lanes.Target{Session: "s", Execution: t.Execution(), Reason: "gone"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := coordinator(t, lanes.QueueConfig{})
			var tickets []lanes.Ticket
			for i := range 5 {
				tickets = append(tickets, mustSubmit(t, c, "s", fmt.Sprint(i)))
			}
			for i, ticket := range tickets {
				for j, other := range tickets[i:] {
					want := lanes.TicketQueued
					if j == 0 {
						want = lanes.TicketRunning
					}
					wantState(t, other, want)
					if p := other.View().Position; p != j {
						t.Fatalf("%v is at %d; want %d", other, p, j)
					}
				}
				if err := finish(c, ticket); err != nil {
					t.Fatal(err)
				}
			}
			if s := snapshot(t, c, "s"); s.Owner != nil || s.Queue != nil || s.Closed {
				t.Fatalf("got %+v", s)
			}
		})
	}
}

func TestQueueRule03AClosedSessionAdmitsNobody(t *testing.T) {
	c := coordinator(t, lanes.QueueConfig{})
	running, waiting := mustSubmit(t, c, "s", "a"), mustSubmit(t, c, "s", "b")
	if _, err := c.CloseSession(bg, "s", ""); err != nil {
		t.Fatal(err)
	}
	wantState(t, running, lanes.TicketRunning, waiting, lanes.TicketCancelled)
	mustComplete(t, c, running)
	wantState(t, waiting, lanes.TicketCancelled)
	if s := snapshot(t, c, "s"); s.Owner != nil {
		t.Fatalf("got %+v", s)
	}
}

func TestQueueRule05OnlyTheActiveTicketEnds(t *testing.T) {
	c, other := coordinator(t, lanes.QueueConfig{}), coordinator(t, lanes.QueueConfig{})
	a, b := mustSubmit(t, c, "s", "a"), mustSubmit(t, c, "s", "b")
	theirs := mustSubmit(t, other, "s", "a")
	_, err := c.Complete(bg, b)
	wantRefusal(t, err, lanes.ErrStillQueued, "end.queued")
	_, err = c.Fail(bg, b, nil)
	wantRefusal(t, err, lanes.ErrStillQueued, "end.queued")
	_, err = c.Complete(bg, theirs)
	wantRefusal(t, err, lanes.ErrForeignTicket, "shell.ticket")
	_, err = c.Complete(bg, lanes.Ticket{})
	wantRefusal(t, err, lanes.ErrInvalidArgument, "shell.argument")
	wantState(t, a, lanes.TicketRunning, b, lanes.TicketQueued, theirs, lanes.TicketRunning)

	if e, err := c.Fail(bg, a, errors.New("")); err != nil || e != (lanes.Ended{State: lanes.TicketFailed}) {
		t.Fatalf("%+v, %v", e, err)
	}
	if e := mustComplete(t, c, a); e != (lanes.Ended{State: lanes.TicketFailed, Already: true}) {
		t.Fatalf("%+v", e)
	}
	wantState(t, a, lanes.TicketFailed, b, lanes.TicketRunning)
	mustComplete(t, other, theirs)
	_, err = c.Fail(bg, theirs, nil) // also if it has ended
	wantRefusal(t, err, lanes.ErrForeignTicket, "shell.ticket")
}

func TestQueueRule06CancellationWins(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(c *lanes.Coordinator, t lanes.Ticket) (lanes.Ended, error)
		want lanes.Report
	}{
		{"complete", func(c *lanes.Coordinator, t lanes.Ticket) (lanes.Ended, error) { return c.Complete(bg, t) }, lanes.Report{State: lanes.TicketCompleted}},
		{"fail", func(c *lanes.Coordinator, t lanes.Ticket) (lanes.Ended, error) { return c.Fail(bg, t, errors.New("x")) }, lanes.Report{State: lanes.TicketFailed, Error: "x"}},
		{"fail without a text", func(c *lanes.Coordinator, t lanes.Ticket) (lanes.Ended, error) { return c.Fail(bg, t, nil) }, lanes.Report{State: lanes.TicketFailed}},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := coordinator(t, lanes.QueueConfig{})
			a, b := mustSubmit(t, q, "s", "a"), mustSubmit(t, q, "s", "b")
			target := aimed("s", "a")
			target.Reason = "wrong turn"
			if _, err := q.Interrupt(bg, target); err != nil {
				t.Fatal(err)
			}
			wantState(t, a, lanes.TicketRunning)
			e, err := c.end(q, a)
			if err != nil || e != (lanes.Ended{State: lanes.TicketCancelled}) {
				t.Fatalf("%+v, %v", e, err)
			}
			v := a.View()
			if v.Error != "" || v.CancelReason != "wrong turn" || v.Reported != c.want {
				t.Fatalf("got %+v", v)
			}
			// Without a request it is what its owner says.
			if e, err := c.end(q, b); err != nil || e.State != c.want.State {
				t.Fatalf("%+v, %v", e, err)
			}
			if v := b.View(); v.Error != c.want.Error || v.CancelRequested || v.CancelReason != "" || v.Reported != (lanes.Report{}) {
				t.Fatalf("got %+v", v)
			}
		})
	}
}

func TestQueueRule07CancelQueued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := coordinator(t, lanes.QueueConfig{})
		a, b := mustSubmit(t, c, "s", "a"), mustSubmit(t, c, "s", "b")
		events := listen(t, c, lanes.SubscribeOptions{})
		cancel := func(session, execution, kind, id string) error {
			return c.CancelQueued(bg, lanes.Target{Session: session, Execution: execution, Owner: lanes.Owner{Kind: kind, ID: id}})
		}
		wantRefusal(t, cancel("t", "b", "agent", "a1"), lanes.ErrNoSuchSession, "cancelQueued.noSession")
		wantRefusal(t, cancel("s", "nobody", "agent", "a1"), lanes.ErrNotWaiting, "cancelQueued.notWaiting")
		wantRefusal(t, cancel("s", "a", "agent", "a1"), lanes.ErrNotWaiting, "cancelQueued.notWaiting") // it runs
		wantRefusal(t, cancel("s", "b", "agent", "a2"), lanes.ErrNotOwner, "cancelQueued.notOwner")
		wantRefusal(t, cancel("s", "b", "system", "a1"), lanes.ErrNotOwner, "cancelQueued.notOwner")
		wantRefusal(t, cancel("s", "b", "agent", ""), lanes.ErrNotOwner, "cancelQueued.notOwner")
		wantRefusal(t, cancel("s", "b", "agenta", "1"), lanes.ErrNotOwner, "cancelQueued.notOwner")
		events.want(t)
		wantState(t, a, lanes.TicketRunning, b, lanes.TicketQueued)
		if err := cancel(" s\t", "\nb", " agent", "a1 "); err != nil {
			t.Fatal(err)
		}
		wantState(t, a, lanes.TicketRunning, b, lanes.TicketCancelled)
		wantRefusal(t, cancel("s", "b", "agent", "a1"), lanes.ErrNotWaiting, "cancelQueued.notWaiting")
		events.want(t, "b cancelled at -1: cancelled by owner", "queue a")
	})
}

func TestQueueRule08Interrupt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := coordinator(t, lanes.QueueConfig{})
		a, b := mustSubmit(t, c, "s", "a"), mustSubmit(t, c, "s", "b")
		events := listen(t, c, lanes.SubscribeOptions{})
		interrupt := func(session, execution, kind, id string) error {
			_, err := c.Interrupt(bg, lanes.Target{Session: session, Execution: execution, Owner: lanes.Owner{Kind: kind, ID: id}})
			return err
		}
		wantRefusal(t, interrupt("t", "a", "agent", "a1"), lanes.ErrNoSuchSession, "interrupt.noSession")
		wantRefusal(t, interrupt("s", "b", "agent", "a1"), lanes.ErrNotRunning, "interrupt.notRunning")
		wantRefusal(t, interrupt("s", "nobody", "agent", "a1"), lanes.ErrNotRunning, "interrupt.notRunning")
		wantRefusal(t, interrupt("s", "a", "agent", "a2"), lanes.ErrNotOwner, "interrupt.notOwner")
		wantRefusal(t, interrupt("s", "a", "recovery", "a1"), lanes.ErrNotOwner, "interrupt.notOwner")
		events.want(t)
		target := aimed("s", "a")
		target.Reason = "first"
		got, err := c.Interrupt(bg, target)
		if err != nil || got != (lanes.Interrupted{Reason: "first"}) {
			t.Fatalf("%+v, %v", got, err)
		}
		wantRefusal(t, interrupt("s", "a", "agent", "a2"), lanes.ErrNotOwner, "interrupt.notOwner") // before already requested
		target.Reason = "second"
		got, err = c.Interrupt(bg, target)
		if err != nil || got != (lanes.Interrupted{Already: true, Reason: "first"}) {
			t.Fatalf("%+v, %v", got, err)
		}
		events.want(t, "interrupt a: first", "queue a 1.b")
		wantState(t, a, lanes.TicketRunning, b, lanes.TicketQueued)
		mustComplete(t, c, a)
		wantState(t, a, lanes.TicketCancelled, b, lanes.TicketRunning)
		wantRefusal(t, interrupt("s", "a", "agent", "a1"), lanes.ErrNotRunning, "interrupt.notRunning")
	})
}

func TestQueueRule09TheSignal(t *testing.T) {
	c := coordinator(t, lanes.QueueConfig{})
	a, b := mustSubmit(t, c, "s", "a"), mustSubmit(t, c, "s", "b")
	early := a.Cancelled()
	select {
	case <-early:
		t.Fatal("the signal is set")
	default:
	}
	if reason, requested := a.CancelRequested(); requested || reason != "" {
		t.Fatal("the signal is set")
	}
	if _, err := c.Interrupt(bg, aimed("s", "a")); err != nil {
		t.Fatal(err)
	}
	<-early
	<-a.Cancelled() // it is a level: who looks later sees it too
	if reason, requested := a.CancelRequested(); !requested || reason != "interrupt requested by owner" {
		t.Fatalf("%q, %v", reason, requested)
	}
	mustComplete(t, c, a)
	<-a.Cancelled()
	select {
	case <-b.Cancelled():
		t.Fatal("the next one's signal is set")
	default:
	}
	mustComplete(t, c, b)
	select {
	case <-b.Cancelled():
		t.Fatal("the signal of a completed one is set")
	default:
	}
}

func sessions(c *lanes.Coordinator) (all []string) {
	for s := range c.Snapshots(bg) {
		all = append(all, s.Session)
	}
	return all
}
