package lanes_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/interlock-go/interlock/lanes"
)

func TestQueueRule04Waits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := coordinator(t, lanes.QueueConfig{})
		a, b := mustSubmit(t, c, "s", "a"), mustSubmit(t, c, "s", "b")
		if err := c.Wait(bg, a); err != nil {
			t.Fatal(err)
		}
		if err := c.Wait(ended(t), a); err != nil {
			t.Fatalf("a wait for a ticket that runs, under a context that has ended: %v", err)
		}
		if err := c.WaitFor(ended(t), a, 0); err != nil {
			t.Fatal(err)
		}
		admitted := make(chan error, 2)
		for range 2 {
			go func() { admitted <- c.Wait(bg, b) }()
		}
		synctest.Wait()
		if len(admitted) > 0 {
			t.Fatal("admitted while another runs")
		}
		mustComplete(t, c, a)
		for range 2 {
			if err := <-admitted; err != nil {
				t.Fatal(err)
			}
		}
		w := wantWait(t, c.Wait(bg, a), lanes.ErrEndedBeforeWait, "")
		if w.State != lanes.TicketCompleted || !strings.Contains(w.Error(), "completed") {
			t.Fatalf("got %v", w)
		}
		c.Fail(bg, b, nil)
		if w := wantWait(t, c.Wait(ended(t), b), lanes.ErrEndedBeforeWait, ""); w.State != lanes.TicketFailed {
			t.Fatalf("got %v", w)
		}
		// Cancelled, before or after it ran, is the cancelled error.
		x, y := mustSubmit(t, c, "s", "x"), mustSubmit(t, c, "s", "y")
		c.Interrupt(bg, aimed("s", "x"))
		if err := c.CancelQueued(bg, aimed("s", "y")); err != nil {
			t.Fatal(err)
		}
		wantWait(t, c.Wait(bg, y), lanes.ErrAdmissionCancelled, "cancelled by owner")
		mustComplete(t, c, x)
		wantWait(t, c.Wait(bg, x), lanes.ErrAdmissionCancelled, "interrupt requested by owner")
	})
}

func TestQueueRule04WhoLeavesCancels(t *testing.T) {
	why := errors.New("the user went home")
	for name, leave := range map[string]struct {
		wait   func(c *lanes.Coordinator, ticket lanes.Ticket) error
		code   lanes.Code
		reason string
		is     error
	}{
		"time-out": {func(c *lanes.Coordinator, ticket lanes.Ticket) error { return c.WaitFor(bg, ticket, time.Minute) },
			lanes.ErrAdmissionTimedOut, "admission timed out", context.DeadlineExceeded},
		"no time": {func(c *lanes.Coordinator, ticket lanes.Ticket) error { return c.WaitFor(bg, ticket, 0) },
			lanes.ErrAdmissionTimedOut, "admission timed out", context.DeadlineExceeded},
		"deadline": {func(c *lanes.Coordinator, ticket lanes.Ticket) error {
			ctx, cancel := context.WithTimeout(bg, time.Minute)
			defer cancel()
			return c.Wait(ctx, ticket)
		}, lanes.ErrAdmissionTimedOut, "admission timed out", context.DeadlineExceeded},
		"cancel": {func(c *lanes.Coordinator, ticket lanes.Ticket) error {
			ctx, cancel := context.WithCancelCause(bg)
			time.AfterFunc(time.Minute, func() { cancel(why) })
			return c.Wait(ctx, ticket)
		}, lanes.ErrAdmissionCancelled, "the user went home", why},
		"ended before": {func(c *lanes.Coordinator, ticket lanes.Ticket) error { return c.Wait(ended(t), ticket) },
			lanes.ErrAdmissionCancelled, "context canceled", context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := coordinator(t, lanes.QueueConfig{})
				a, b, d := mustSubmit(t, c, "s", "a"), mustSubmit(t, c, "s", "b"), mustSubmit(t, c, "s", "d")
				other := make(chan error, 1)
				go func() { other <- c.Wait(bg, b) }()
				synctest.Wait()
				err := leave.wait(c, b)
				wantWait(t, err, leave.code, leave.reason)
				if !errors.Is(err, leave.is) {
					t.Errorf("%v isn't %v", err, leave.is)
				}
				wantWait(t, <-other, lanes.ErrAdmissionCancelled, leave.reason)
				v := b.View()
				if v.State != lanes.TicketCancelled || !v.CancelRequested || v.CancelReason != leave.reason || !v.StartedAt.IsZero() {
					t.Errorf("got %+v", v)
				}
				// The turn goes to the next one, and none is kept.
				mustComplete(t, c, a)
				if err := c.WaitFor(bg, d, 0); err != nil {
					t.Fatal(err)
				}
				wantState(t, b, lanes.TicketCancelled, d, lanes.TicketRunning)
			})
		})
	}
}

func TestQueueRule04NobodyNeedsToWait(t *testing.T) {
	c := coordinator(t, lanes.QueueConfig{})
	a, b := mustSubmit(t, c, "s", "a"), mustSubmit(t, c, "s", "b")
	mustComplete(t, c, a)
	wantState(t, b, lanes.TicketRunning)
	if err := c.Wait(bg, b); err != nil {
		t.Fatal(err)
	}
}

// An admission and the end of a wait at the same time: either the wait succeeds
// and the ticket runs, or it fails and the next one does.
func TestQueueRule04LeaveOrAdmission(t *testing.T) {
	rounds, admitted := 2000, 0
	if testing.Short() {
		rounds = 200
	}
	for range rounds {
		c := coordinator(t, lanes.QueueConfig{})
		a, b, d := mustSubmit(t, c, "s", "a"), mustSubmit(t, c, "s", "b"), mustSubmit(t, c, "s", "d")
		ctx, cancel := context.WithCancel(bg)
		var err error
		atOnce(3, func(i int) {
			switch i {
			case 0:
				err = c.Wait(ctx, b)
			case 1:
				cancel()
			case 2:
				mustComplete(t, c, a)
			}
		})
		if err == nil {
			admitted++
			wantState(t, b, lanes.TicketRunning, d, lanes.TicketQueued)
		} else {
			wantState(t, b, lanes.TicketCancelled, d, lanes.TicketRunning)
		}
	}
	t.Logf("%d of %d were admitted", admitted, rounds)
}

// A ticket that ran and has ended before its waiter was given the processor.
func TestQueueRule04EndedBeforeTheWaiterLooked(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	late := 0
	for range 100 {
		c := coordinator(t, lanes.QueueConfig{})
		a, b := mustSubmit(t, c, "s", "a"), mustSubmit(t, c, "s", "b")
		result := make(chan error)
		go func() { result <- c.Wait(bg, b) }()
		for range 10 {
			runtime.Gosched()
		}
		c.Complete(bg, a)
		c.Complete(bg, b)
		if err := <-result; err != nil { // else it was quick
			wantWait(t, err, lanes.ErrEndedBeforeWait, "")
			late++
		}
	}
	if late == 0 {
		t.Error("no waiter was late")
	}
}

func TestQueueRule04WaitEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := coordinator(t, lanes.QueueConfig{})
		a, b := mustSubmit(t, c, "s", "a"), mustSubmit(t, c, "s", "b")
		if _, err := c.WaitEndFor(bg, b, time.Second); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("got %v", err)
		}
		if _, err := c.WaitEnd(ended(t), b); !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
		wantState(t, a, lanes.TicketRunning, b, lanes.TicketQueued) // it changes nothing
		time.AfterFunc(time.Hour, func() { c.Complete(bg, a); c.Fail(bg, b, errors.New("broken")) })
		v, err := c.WaitEnd(bg, b)
		if err != nil || v.State != lanes.TicketFailed || v.Error != "broken" || v.Position != lanes.NoPosition {
			t.Fatalf("%+v, %v", v, err)
		}
		if v, err := c.WaitEnd(ended(t), a); err != nil || v.State != lanes.TicketCompleted {
			t.Fatalf("%+v, %v", v, err)
		}
	})
}
