package lanes_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

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

// TestQueueOnAnUnreliableStore has goroutines take turns on a store that fails at
// random. Never do two run at once in a session, and once the store is well again
// nobody waits for ever and nothing is left; the events tell all of it.
//
//	LANES_SEEDS=10000 go test -run TestQueueOnAnUnreliableStore ./lanes
func TestQueueOnAnUnreliableStore(t *testing.T) {
	seeds := seedsOr(t, 60)
	faults := 0
	for seed := range seeds {
		synctest.Test(t, func(t *testing.T) { faults += unreliableTurns(t, seed) })
	}
	if faults < int(seeds)*10 {
		t.Errorf("%d calls failed in %d runs: that shows little", faults, seeds)
	}
}

func unreliableTurns(t *testing.T, seed uint64) int {
	store := newUnreliable(seed)
	store.late = true
	m, err := lanes.Open(lanes.Config{Store: store, Queue: lanes.QueueConfig{Cap: 4, ForgetIdle: time.Duration(seed%2) * time.Second}})
	if err != nil {
		t.Fatal(err)
	}
	c := m.Coordinator()
	told := tellingOf(t, c)
	var running [2]atomic.Int32
	var failed atomic.Int32
	fails := func(err error) {
		if no := (*lanes.Refusal)(nil); errors.Is(err, errDown) || errors.Is(err, lanes.ErrStoreUncertain) && !errors.As(err, &no) {
			failed.Add(1)
		}
	}
	work := func(i int, random *rand.Rand) {
		if running[i].Add(1) > 1 {
			t.Errorf("seed %d: two run at once", seed)
		}
		time.Sleep(time.Duration(random.IntN(300)) * time.Millisecond)
		running[i].Add(-1)
	}
	var wg sync.WaitGroup
	for g := range 6 {
		random := rand.New(rand.NewPCG(seed, uint64(g)))
		wg.Go(func() {
			for n := range 8 {
				i := random.IntN(2)
				r := asks(fmt.Sprint("s", i), fmt.Sprint("x", g, "-", n))
				ctx, cancel := context.WithTimeout(bg, time.Duration(random.IntN(900))*time.Millisecond)
				switch random.IntN(6) {
				case 0, 1, 2:
					fails(c.Run(ctx, r, func(context.Context, lanes.Ticket) error { work(i, random); return nil }))
				case 3, 4:
					ticket, err := c.Submit(ctx, r)
					if fails(err); err != nil {
						break
					}
					if err := c.Wait(ctx, ticket); err != nil {
						fails(err)
						break
					}
					work(i, random)
					for {
						_, err := c.Complete(bg, ticket)
						if fails(err); err == nil {
							break
						}
						time.Sleep(time.Millisecond)
					}
				default:
					_, err := c.CleanupSession(bg, r.Session, "")
					fails(err)
				}
				cancel()
			}
		})
	}
	wg.Wait()
	store.soothe(true)
	time.Sleep(5 * time.Minute)
	for s, err := range c.Snapshots(bg) {
		if err != nil {
			t.Fatal(err)
		}
		if s.Owner != nil || len(s.Queue) > 0 {
			t.Errorf("seed %d: left: %+v", seed, s)
		}
	}
	told.check(t, seed, c)
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	return int(failed.Load())
}

// telling keeps what events tell: of each session the last picture, and of each
// ticket its states.
type telling struct {
	mu       sync.Mutex
	last     uint64
	states   map[string][]lanes.TicketState
	pictures map[string]lanes.Snapshot
	wrong    []string
}

func tellingOf(t *testing.T, c *lanes.Coordinator) *telling {
	told := &telling{states: map[string][]lanes.TicketState{}, pictures: map[string]lanes.Snapshot{}}
	s, err := c.SubscribeFunc(bg, lanes.SubscribeOptions{Buffer: 1 << 20}, func(e lanes.Event) {
		told.mu.Lock()
		defer told.mu.Unlock()
		if e.Seq != told.last+1 {
			told.wrong = append(told.wrong, fmt.Sprintf("event %d after %d", e.Seq, told.last))
		}
		told.last = e.Seq
		switch e.Type {
		case lanes.EventTicketState:
			k := fmt.Sprint(e.Session, " ", e.Ticket.Execution, " ", e.Ticket.Serial)
			told.states[k] = append(told.states[k], e.Ticket.State)
		case lanes.EventQueueChanged:
			told.pictures[e.Session] = *e.Snapshot
		case lanes.EventSessionForgotten:
			delete(told.pictures, e.Session)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return told
}

// check holds what was told against how it is.
func (told *telling) check(t *testing.T, seed uint64, c *lanes.Coordinator) {
	synctest.Wait()
	told.mu.Lock()
	defer told.mu.Unlock()
	for _, w := range told.wrong {
		t.Errorf("seed %d: %s", seed, w)
	}
	for k, states := range told.states {
		s := fmt.Sprint(states)
		switch s {
		case "[queued running completed]", "[queued running failed]", "[queued running cancelled]", "[queued cancelled]":
		default:
			t.Errorf("seed %d: %s was %s", seed, k, s)
		}
	}
	for s, err := range c.Snapshots(bg) {
		if err != nil {
			t.Fatal(err)
		}
		was := told.pictures[s.Session]
		delete(told.pictures, s.Session)
		was.Seq, s.Seq = 0, 0
		if diff := cmp.Diff(was, s); diff != "" {
			t.Errorf("seed %d: the last picture told (-told +is):\n%s", seed, diff)
		}
	}
	for name := range told.pictures {
		t.Errorf("seed %d: session %s is gone, and nobody was told", seed, name)
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
