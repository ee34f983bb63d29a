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
