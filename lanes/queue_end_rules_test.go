package lanes_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/lanes"
)

type key struct{}

func TestQueueRule10RunReturns(t *testing.T) {
	broken := errors.New("broken")
	for name, r := range map[string]struct {
		f         func(t *testing.T, c *lanes.Coordinator) error
		interrupt bool
		err       error
		want      lanes.TicketState
		reported  lanes.Report
	}{
		"nil":               {nil, false, nil, lanes.TicketCompleted, lanes.Report{}},
		"an error":          {nil, false, broken, lanes.TicketFailed, lanes.Report{}},
		"nil, cancelled":    {nil, true, nil, lanes.TicketCancelled, lanes.Report{State: lanes.TicketCompleted}},
		"error, cancelled":  {nil, true, broken, lanes.TicketCancelled, lanes.Report{State: lanes.TicketFailed, Error: "broken"}},
		"cause, cancelled":  {nil, true, context.Canceled, lanes.TicketCancelled, lanes.Report{State: lanes.TicketFailed, Error: "context canceled"}},
		"nested, cancelled": {nil, true, lanes.ErrQueueFull, lanes.TicketCancelled, lanes.Report{State: lanes.TicketFailed, Error: lanes.ErrQueueFull.Error()}},
	} {
		t.Run(name, func(t *testing.T) {
			c := coordinator(t, lanes.QueueConfig{})
			var ticket lanes.Ticket
			ctx, cancel := context.WithCancel(context.WithValue(bg, key{}, "value"))
			err := c.Run(ctx, asks("s", "x"), func(ctx context.Context, own lanes.Ticket) error {
				cancel() // the submitter's context is another
				if ctx.Err() != nil || ctx.Value(key{}) != "value" {
					t.Errorf("the function's context: %v, %v", ctx.Err(), ctx.Value(key{}))
				}
				ticket = own
				wantState(t, own, lanes.TicketRunning)
				if r.interrupt {
					target := aimed("s", "x")
					target.Reason = "stop it"
					if _, err := c.Interrupt(bg, target); err != nil {
						t.Error(err)
					}
					<-ctx.Done()
					wantWait(t, context.Cause(ctx), lanes.ErrAdmissionCancelled, "stop it")
				}
				return r.err
			})
			switch {
			case r.err != nil && err != r.err:
				t.Errorf("Run returned %v", err)
			case r.err == nil && r.interrupt:
				wantWait(t, err, lanes.ErrAdmissionCancelled, "stop it")
			case r.err == nil && err != nil:
				t.Errorf("Run returned %v", err)
			}
			v := ticket.View()
			if v.State != r.want || v.Reported != r.reported {
				t.Errorf("got %+v", v)
			}
			if s := snapshot(t, c, "s"); s.Owner != nil {
				t.Errorf("the place is %s's", s.Owner.Execution)
			}
		})
	}
}

func TestQueueRule10RunFreesThePlaceWhateverHappens(t *testing.T) {
	for name, r := range map[string]struct {
		f    func()
		text string
	}{
		"panic":            {func() { panic("no!") }, "panic: no!"},
		"panic with error": {func() { panic(errors.New("no!")) }, "panic: no!"},
		"panic with nil":   {func() { panic(nil) }, "panic: panic called with nil argument"},
		"hostile panic":    {func() { panic(hostile{}) }, "panic: %!v(PANIC=Error method: me too)"},
		"Goexit":           {runtime.Goexit, "runtime.Goexit was called"},
	} {
		t.Run(name, func(t *testing.T) {
			c := coordinator(t, lanes.QueueConfig{})
			var ticket lanes.Ticket
			var recovered any
			done := make(chan struct{})
			returned := false
			go func() {
				defer close(done)
				defer func() { recovered = recover() }()
				c.Run(bg, asks("s", "x"), func(_ context.Context, own lanes.Ticket) error {
					ticket = own
					mustSubmit(t, c, "s", "next")
					r.f()
					return nil
				})
				returned = true
			}()
			<-done
			if returned {
				t.Fatal("Run returned")
			}
			if strings.Contains(name, "panic") != (recovered != nil) {
				t.Fatalf("recovered %v", recovered)
			}
			if v := ticket.View(); v.State != lanes.TicketFailed || !strings.HasPrefix(v.Error, r.text) {
				t.Fatalf("got %+v", v)
			}
			if s := snapshot(t, c, "s"); s.Owner == nil || s.Owner.Execution != "next" {
				t.Fatalf("got %+v", s)
			}
		})
	}
}

// hostile is an error whose text can't be had.
type hostile struct{}

func (hostile) Error() string { panic("me too") }

func TestQueueRule10AnErrorWithoutAText(t *testing.T) {
	c := coordinator(t, lanes.QueueConfig{})
	var ticket lanes.Ticket
	err := c.Run(bg, asks("s", "x"), func(_ context.Context, own lanes.Ticket) error { ticket = own; return hostile{} })
	if err != (hostile{}) {
		t.Fatal("another error")
	}
	if v := ticket.View(); v.State != lanes.TicketFailed || !strings.Contains(v.Error, "me too") {
		t.Fatalf("got %+v", v)
	}
}

// The context of a run that was ended by force ends too: another has its place.
func TestQueueRule10RunIsToldOfItsForcedEnd(t *testing.T) {
	c := coordinator(t, lanes.QueueConfig{})
	err := c.Run(bg, asks("s", "x"), func(ctx context.Context, own lanes.Ticket) error {
		if err := c.ForceEnd(bg, lanes.Target{Session: "s", Execution: "x", Reason: "hangs"}); err != nil {
			t.Error(err)
		}
		<-ctx.Done()
		return nil
	})
	wantWait(t, err, lanes.ErrAdmissionCancelled, "hangs")
}

// An interrupt that comes before the function's context is made isn't lost.
func TestQueueRule10RunInterruptedBeforeItsFunction(t *testing.T) {
	var c *lanes.Coordinator
	c = coordinatorOf(t, lanes.Config{Clock: usingClock{func() {
		if c != nil {
			if s := snapshot(t, c, "s"); s.Owner != nil && !s.Owner.CancelRequested {
				use := c
				c = nil // its own calls read the clock too
				use.Interrupt(bg, aimed("s", "x"))
			}
		}
	}}})
	used := c
	err := used.Run(bg, asks("s", "x"), func(ctx context.Context, _ lanes.Ticket) error {
		<-ctx.Done()
		return nil
	})
	wantWait(t, err, lanes.ErrAdmissionCancelled, "interrupt requested by owner")
}

// A run whose session was closed before its function was called finds its
// context ended; one that wasn't admitted never calls it.
func TestQueueRule10RunThatNeverRan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := coordinator(t, lanes.QueueConfig{})
		a := mustSubmit(t, c, "s", "a")
		never := func(context.Context, lanes.Ticket) error { t.Error("called"); return nil }
		r := asks("s", "b")
		r.Timeout = time.Second
		wantWait(t, c.Run(bg, r, never), lanes.ErrAdmissionTimedOut, "admission timed out")
		result := make(chan error)
		go func() { result <- c.Run(bg, asks("s", "c"), never) }()
		synctest.Wait()
		c.CloseSession(bg, "s", "over")
		wantWait(t, <-result, lanes.ErrAdmissionCancelled, "over")
		wantRefusal(t, c.Run(bg, asks("s", "d"), never), lanes.ErrSessionClosed, "submit.closed")
		mustComplete(t, c, a)
	})
}

func TestQueueRule11CloseSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := coordinator(t, lanes.QueueConfig{})
		events := listen(t, c, lanes.SubscribeOptions{})
		_, err := c.CloseSession(bg, "s", "")
		wantRefusal(t, err, lanes.ErrNoSuchSession, "close.unknown")
		events.want(t)
		a := mustSubmit(t, c, "s", "a") // unknown leaves nothing behind
		b, d := mustSubmit(t, c, "s", "b"), mustSubmit(t, c, "s", "d")
		events.take()
		got, err := c.CloseSession(bg, " s ", "enough")
		if err != nil || got != (lanes.Closed{Reason: "enough"}) {
			t.Fatalf("%+v, %v", got, err)
		}
		events.want(t, "b cancelled at -1: enough", "d cancelled at -1: enough", "interrupt a: enough", "session closed: enough", "queue closed(enough) a")
		wantState(t, a, lanes.TicketRunning, b, lanes.TicketCancelled, d, lanes.TicketCancelled)
		got, err = c.CloseSession(bg, "s", "again")
		if err != nil || got != (lanes.Closed{Already: true, Reason: "enough"}) {
			t.Fatalf("%+v, %v", got, err)
		}
		events.want(t)
		<-a.Cancelled()
		mustComplete(t, c, a)
		events.want(t, "a cancelled at -1: enough", "owner was a: cancelled", "queue closed(enough) nobody")
		if s := snapshot(t, c, "s"); !s.Closed || s.CloseReason != "enough" {
			t.Fatalf("got %+v", s)
		}
	})
}

// The active one's first reason stays.
func TestQueueRule11TheFirstReasonStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := coordinator(t, lanes.QueueConfig{})
		a := mustSubmit(t, c, "s", "a")
		c.Interrupt(bg, aimed("s", "a"))
		events := listen(t, c, lanes.SubscribeOptions{})
		c.CloseSession(bg, "s", "")
		events.want(t, "session closed: session closed", "queue closed(session closed) a")
		mustComplete(t, c, a)
		if v := a.View(); v.CancelReason != "interrupt requested by owner" {
			t.Fatalf("got %+v", v)
		}
	})
}

func TestQueueRule12CleanUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := coordinator(t, lanes.QueueConfig{})
		cleanUp := func(want lanes.CleanedUp) {
			t.Helper()
			got, err := c.CleanupSession(bg, "s ", "")
			if err != nil || got != want {
				t.Fatalf("%+v, %v; want %+v", got, err, want)
			}
		}
		_, err := c.CleanupSession(bg, "s", "")
		wantRefusal(t, err, lanes.ErrNoSuchSession, "cleanUp.unknown")

		// Idle and open: forgotten now, and closed before that, as events tell.
		a := mustSubmit(t, c, "s", "x")
		mustComplete(t, c, a)
		events := listen(t, c, lanes.SubscribeOptions{})
		cleanUp(lanes.CleanedUp{Forgotten: true})
		events.want(t, "session closed: session cleaned up", "queue closed(session cleaned up) nobody", "session forgotten")
		wantState(t, a, lanes.TicketCompleted)
		if e := mustComplete(t, c, a); e != (lanes.Ended{State: lanes.TicketCompleted, Already: true}) {
			t.Fatalf("got %+v", e)
		}
		if len(sessions(c)) > 0 {
			t.Fatal("it isn't forgotten")
		}

		// Busy and open: forgotten when its owner ends. The execution id is free.
		b := mustSubmit(t, c, "s", "x")
		d := mustSubmit(t, c, "s", "y")
		events.take()
		cleanUp(lanes.CleanedUp{})
		events.want(t, "y cancelled at -1: session cleaned up", "interrupt x: session cleaned up", "session closed: session cleaned up",
			"queue closed(session cleaned up) x")
		cleanUp(lanes.CleanedUp{ClosedBefore: true, Already: true})
		_, err = c.Submit(bg, asks("s", "z"))
		wantRefusal(t, err, lanes.ErrSessionClosed, "submit.closed")
		mustComplete(t, c, b)
		events.want(t, "x cancelled at -1: session cleaned up", "owner was x: cancelled", "queue closed(session cleaned up) nobody", "session forgotten")
		wantState(t, b, lanes.TicketCancelled, d, lanes.TicketCancelled)

		// Closed before: keeps its reason, and no second close.
		e := mustSubmit(t, c, "s", "x")
		c.CloseSession(bg, "s", "first")
		events.take()
		cleanUp(lanes.CleanedUp{ClosedBefore: true})
		events.want(t)
		if s := snapshot(t, c, "s"); s.CloseReason != "first" {
			t.Fatalf("got %+v", s)
		}
		mustComplete(t, c, e)
		events.want(t, "x cancelled at -1: first", "owner was x: cancelled", "queue closed(first) nobody", "session forgotten")

		f := mustSubmit(t, c, "s", "x")
		mustComplete(t, c, f)
		c.CloseSession(bg, "s", "first")
		events.take()
		cleanUp(lanes.CleanedUp{ClosedBefore: true, Forgotten: true})
		events.want(t, "session forgotten")
	})
}

func TestQueueRule13CloseTheCoordinator(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := coordinator(t, lanes.QueueConfig{})
		z, a, b := mustSubmit(t, c, "z", "1"), mustSubmit(t, c, "a", "2"), mustSubmit(t, c, "b", "3")
		mustSubmit(t, c, "a", "4")
		mustComplete(t, c, b)
		mustSubmit(t, c, "was closed", "5")
		c.CloseSession(bg, "was closed", "before")
		events := listen(t, c, lanes.SubscribeOptions{})
		got, err := c.Close(bg, "night")
		if err != nil || got != (lanes.Closed{Reason: "night"}) {
			t.Fatalf("%+v, %v", got, err)
		}
		events.want(t,
			"interrupt 1: night", "session closed: night", "queue closed(night) 1",
			"4 cancelled at -1: night", "interrupt 2: night", "session closed: night", "queue closed(night) 2",
			"session closed: night", "queue closed(night) nobody",
			"coordinator closed: night")
		if s := snapshot(t, c, "was closed"); s.CloseReason != "before" {
			t.Fatalf("got %+v", s)
		}
		got, err = c.Close(bg, "again")
		if err != nil || got != (lanes.Closed{Already: true, Reason: "night"}) {
			t.Fatalf("%+v, %v", got, err)
		}
		events.want(t)
		_, err = c.Submit(bg, asks("new", "x"))
		if no := wantRefusal(t, err, lanes.ErrCoordinatorClosed, "submit.shut"); no.Reason != "night" {
			t.Fatalf("got %+v", no)
		}
		mustComplete(t, c, z)
		mustComplete(t, c, a)
		for _, session := range []string{"a", "b", "z"} {
			if got, err := c.CleanupSession(bg, session, ""); err != nil || got != (lanes.CleanedUp{ClosedBefore: true, Forgotten: true}) {
				t.Fatalf("%+v, %v", got, err)
			}
		}
	})
}

func TestQueueRule14Snapshots(t *testing.T) {
	c := coordinator(t, lanes.QueueConfig{})
	if diff := cmp.Diff(lanes.Snapshot{Session: "s"}, snapshot(t, c, " s")); diff != "" {
		t.Fatalf("an unknown session (-want +got):\n%s", diff)
	}
	mustSubmit(t, c, "s", "a")
	mustSubmit(t, c, "s", "b")
	mustSubmit(t, c, "r", "x")
	mustSubmit(t, c, "s", "d")
	s := snapshot(t, c, "s")
	if s.Owner == nil || s.Owner.Execution != "a" || s.Owner.Position != 0 || len(s.Queue) != 2 ||
		s.Queue[0].Execution != "b" || s.Queue[0].Position != 1 || s.Queue[1].Execution != "d" || s.Queue[1].Position != 2 {
		t.Fatalf("got %+v", s)
	}
	var all []lanes.Snapshot
	for s, err := range c.Snapshots(bg) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	if diff := cmp.Diff([]lanes.Snapshot{s, snapshot(t, c, "r")}, all); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	for range c.Snapshots(bg) {
		break
	}
	c.Close(bg, "")
	if s := snapshot(t, c, "unknown"); !s.Closed || s.CloseReason != "coordinator closed" || s.Owner != nil || s.Queue != nil {
		t.Fatalf("got %+v", s)
	}
	if _, err := c.Snapshot(bg, " \n"); !errors.Is(err, lanes.ErrInvalidArgument) {
		t.Fatalf("got %v", err)
	}
}

// While tickets move on in two sessions by turns, no picture shows the second
// ahead of the first.
func TestQueueRule14OnePictureOfAllSessions(t *testing.T) {
	c := coordinator(t, lanes.QueueConfig{Remember: lanes.RememberNone})
	serial := map[bool]uint64{}
	first, second := mustSubmit(t, c, "first", ""), mustSubmit(t, c, "second", "")
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
			}
			mustComplete(t, c, first)
			first = mustSubmit(t, c, "first", "")
			mustComplete(t, c, second)
			second = mustSubmit(t, c, "second", "")
		}
	}()
	for range 2000 {
		clear(serial)
		for s := range c.Snapshots(bg) {
			if s.Owner != nil {
				serial[s.Session == "first"] = s.Owner.Serial
			}
		}
		a, b := serial[true], serial[false]
		// The serial numbers are first's, then second's, by turns.
		if a != 0 && b != 0 && b > a+1 {
			t.Errorf("first is at %d, second at %d", a, b)
			break
		}
	}
	close(stop)
	<-done
}
