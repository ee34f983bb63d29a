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
