package lanes_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/interlock-go/interlock/lanes"
)

var errLost = fmt.Errorf("no answer: %w", lanes.ErrStoreUncertain)

// fail has the store fail writes with err until the function returned is called.
func (f *failing) fail(err error, written bool) (heal func()) {
	f.written = written
	f.err.Store(&err)
	return func() { f.err.Store(nil) }
}

func onFailing(t *testing.T, test func(t *testing.T, store *failing, c *lanes.Coordinator)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		store := &failing{Store: lanes.NewMemory(epoch)}
		test(t, store, coordinatorOf(t, lanes.Config{Store: store}))
	})
}

// The wait fails by the store's error: its ticket is never admitted, and the next
// one starts.
func TestQueueCase47AFailedWaitLeavesNothing(t *testing.T) {
	for _, fault := range []struct {
		err     error
		written bool
	}{{errDown, false}, {errLost, false}, {errLost, true}} {
		onFailing(t, func(t *testing.T, store *failing, c *lanes.Coordinator) {
			a, b, d := mustSubmit(t, c, "s", "a"), mustSubmit(t, c, "s", "b"), mustSubmit(t, c, "s", "d")
			heal := store.fail(fault.err, fault.written)
			if err := c.Wait(ended(t), b); !errors.Is(err, fault.err) || !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if _, err := c.Complete(bg, a); !errors.Is(err, fault.err) {
				t.Fatalf("the end of a: %v", err)
			}
			heal()
			mustComplete(t, c, a)
			if err := c.Wait(bg, d); err != nil {
				t.Fatal(err)
			}
			wantState(t, b, lanes.TicketCancelled, d, lanes.TicketRunning)
			if reason, _ := b.CancelRequested(); reason != "context canceled" {
				t.Fatalf("b was cancelled: %q", reason)
			}
		})
		// Nobody asks again: it goes by itself.
		onFailing(t, func(t *testing.T, store *failing, c *lanes.Coordinator) {
			mustSubmit(t, c, "s", "a")
			b := mustSubmit(t, c, "s", "b")
			heal := store.fail(fault.err, fault.written)
			if err := c.Wait(ended(t), b); !errors.Is(err, fault.err) {
				t.Fatal(err)
			}
			time.Sleep(5 * time.Second)
			heal()
			time.Sleep(10 * time.Second)
			wantState(t, b, lanes.TicketCancelled)
			if s := snapshot(t, c, "s"); len(s.Queue) != 0 || s.Owner == nil {
				t.Fatalf("%+v", s)
			}
		})
	}
}

// An end that the store failed has ended nothing, and works when it is made
// again; one whose result nobody knows is found out.
func TestQueueCase48AFailedEndWorksAgain(t *testing.T) {
	onFailing(t, func(t *testing.T, store *failing, c *lanes.Coordinator) {
		events := listen(t, c, lanes.SubscribeOptions{})
		a, b := mustSubmit(t, c, "s", "a"), mustSubmit(t, c, "s", "b")
		events.take()
		heal := store.fail(errDown, false)
		for _, call := range []func() error{
			func() error { _, err := c.Complete(bg, a); return err },
			func() error { _, err := c.Submit(bg, asks("s", "x")); return err },
			func() error { return c.CancelQueued(bg, aimed("s", "b")) },
			func() error { _, err := c.Interrupt(bg, aimed("s", "a")); return err },
			func() error { return c.ForceEnd(bg, lanes.Target{Session: "s", Execution: "a", Reason: "gone"}) },
			func() error { _, err := c.CloseSession(bg, "s", ""); return err },
			func() error { _, err := c.CleanupSession(bg, "s", ""); return err },
			func() error { _, err := c.Close(bg, ""); return err },
		} {
			err := call()
			if no := (*lanes.Refusal)(nil); !errors.Is(err, errDown) || errors.As(err, &no) {
				t.Fatal(err)
			}
		}
		heal()
		events.want(t)
		wantState(t, a, lanes.TicketRunning, b, lanes.TicketQueued)
		if e := mustComplete(t, c, a); e.Already {
			t.Fatalf("%+v", e)
		}
		wantState(t, a, lanes.TicketCompleted, b, lanes.TicketRunning)
	})
	for _, written := range []bool{false, true} {
		onFailing(t, func(t *testing.T, store *failing, c *lanes.Coordinator) {
			events := listen(t, c, lanes.SubscribeOptions{})
			a, b := mustSubmit(t, c, "s", "a"), mustSubmit(t, c, "s", "b")
			events.take()
			admitted := make(chan error, 1)
			go func() { admitted <- c.Wait(bg, b) }()
			heal := store.fail(errLost, written)
			if _, err := c.Complete(bg, a); !errors.Is(err, lanes.ErrStoreUncertain) {
				t.Fatal(err)
			}
			events.want(t)
			heal()
			if written { // whoever waits is woken though nobody asks again
				if err := <-admitted; err != nil {
					t.Fatal(err)
				}
			} else {
				time.Sleep(time.Minute)
				wantState(t, a, lanes.TicketRunning)
			}
			if e := mustComplete(t, c, a); e.Already != written {
				t.Fatalf("%+v", e)
			}
			events.want(t, "a completed at -1", "owner was a: completed", "b running at 0", "owner is b: admitted", "queue b")
			mustComplete(t, c, b)
		})
	}
}

// Of a submit that nobody knows the result of nobody has a handle: it is taken
// back, whether it waits or was admitted.
func TestQueueCase47AnUncertainSubmitBlocksNobody(t *testing.T) {
	for _, first := range []bool{true, false} {
		for _, written := range []bool{true, false} {
			onFailing(t, func(t *testing.T, store *failing, c *lanes.Coordinator) {
				var a lanes.Ticket
				if !first {
					a = mustSubmit(t, c, "s", "a")
				}
				mustSubmit(t, c, "other", "o")
				heal := store.fail(errLost, written)
				if ticket, err := c.Submit(bg, asks("s", "b")); !errors.Is(err, lanes.ErrStoreUncertain) || !ticket.IsZero() {
					t.Fatal(ticket, err)
				}
				heal()
				ran := false
				done := make(chan error, 1)
				go func() {
					done <- c.Run(bg, asks("s", "d"), func(context.Context, lanes.Ticket) error { ran = true; return nil })
				}()
				if !first {
					time.Sleep(time.Minute)
					mustComplete(t, c, a)
				}
				if err := <-done; err != nil || !ran {
					t.Fatal(ran, err)
				}
				if s := snapshot(t, c, "s"); s.Owner != nil || len(s.Queue) > 0 {
					t.Fatalf("%+v", s)
				}
			})
		}
	}
}

// Run frees its place though the store failed its end.
func TestQueueCase48RunEndsLater(t *testing.T) {
	for _, fault := range []error{errDown, errLost} {
		onFailing(t, func(t *testing.T, store *failing, c *lanes.Coordinator) {
			var heal func()
			err := c.Run(bg, asks("s", "a"), func(context.Context, lanes.Ticket) error {
				heal = store.fail(fault, false)
				return nil
			})
			if !errors.Is(err, fault) {
				t.Fatal(err)
			}
			b := make(chan error, 1)
			go func() {
				b <- c.Run(bg, asks("s", "b"), func(context.Context, lanes.Ticket) error { return nil })
			}()
			time.Sleep(3 * time.Second)
			heal()
			time.Sleep(time.Minute)
			if err := c.Run(bg, asks("s", "d"), func(context.Context, lanes.Ticket) error { return nil }); err != nil {
				t.Fatal(err)
			}
			if err := <-b; err != nil && !errors.Is(err, fault) {
				t.Fatal(err)
			}
		})
	}
}

// tardy is a store whose next write, once it is asked for, isn't answered, and is
// done later if it still can be.
type tardy struct {
	lanes.Store
	next bool
	late []lanes.Write
}

func (s *tardy) Swap(ctx context.Context, w lanes.Write) (lanes.Version, error) {
	if s.next {
		s.next = false
		s.late = append(s.late, w)
		return lanes.Version{}, errLost
	}
	return s.Store.Swap(ctx, w)
}

// A step of which nobody knows isn't done behind its coordinator's back, once that
// has seen that it wasn't.
func TestQueueCase48AnEndMayNotComeLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &tardy{Store: lanes.NewMemory(epoch)}
		c := coordinatorOf(t, lanes.Config{Store: store})
		a, b := mustSubmit(t, c, "s", "a"), mustSubmit(t, c, "s", "b")
		store.next = true
		if _, err := c.Complete(bg, a); !errors.Is(err, lanes.ErrStoreUncertain) {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if _, err := store.Store.Swap(bg, store.late[0]); !errors.Is(err, lanes.ErrConflict) {
			t.Fatalf("the late write: %v", err)
		}
		wantState(t, a, lanes.TicketRunning, b, lanes.TicketQueued)
		if e := mustComplete(t, c, a); e.Already {
			t.Fatalf("%+v", e)
		}
		// Of a session that isn't there yet it may, and is found out then.
		store.next = true
		if _, err := c.Submit(bg, asks("new", "x")); !errors.Is(err, lanes.ErrStoreUncertain) {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Minute)
		if _, err := store.Store.Swap(bg, store.late[1]); err != nil {
			t.Fatalf("the late write: %v", err)
		}
		time.Sleep(2 * time.Minute)
		if s := snapshot(t, c, "new"); s.Owner != nil || len(s.Queue) != 0 {
			t.Fatalf("%+v", s)
		}
		if _, err := c.Submit(bg, asks("new", "x")); !errors.Is(err, lanes.ErrDuplicateExecution) {
			t.Fatal(err)
		}
	})
}
