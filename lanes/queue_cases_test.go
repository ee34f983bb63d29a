package lanes_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/interlock-go/interlock/lanes"
)

// The tests of this file are the cases from public reports that are about
// queues, by their numbers.

// Case 31: the head of the line leaves, and those behind it move up.
func TestQueueCase31TheHeadLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := coordinator(t, lanes.QueueConfig{})
		a, b, d := mustSubmit(t, c, "s", "a"), mustSubmit(t, c, "s", "b"), mustSubmit(t, c, "s", "d")
		admitted := make(chan error, 1)
		go func() { admitted <- c.Wait(bg, d) }()
		synctest.Wait()
		if err := c.CancelQueued(bg, aimed("s", "b")); err != nil {
			t.Fatal(err)
		}
		mustComplete(t, c, a)
		if err := <-admitted; err != nil {
			t.Fatal(err)
		}
		wantState(t, b, lanes.TicketCancelled, d, lanes.TicketRunning)
	})
}

// Case 32: the context has ended, and the place is free.
func TestQueueCase32AnEndedContextIsRefusedThoughThePlaceIsFree(t *testing.T) {
	c := coordinator(t, lanes.QueueConfig{})
	called := false
	err := c.Run(ended(t), asks("s", "a"), func(context.Context, lanes.Ticket) error { called = true; return nil })
	if !errors.Is(err, context.Canceled) || called || len(sessions(c)) > 0 {
		t.Fatalf("%v, called: %v, sessions %v", err, called, sessions(c))
	}
}

// Cases 32 and 33: hand-over against submission and cancel, many times: nobody
// is left waiting beside a free place.
func TestQueueCase33NoWakeUpIsLost(t *testing.T) {
	rounds := 300
	if testing.Short() || elsewhere != nil {
		rounds = 30
	}
	for range rounds {
		c := coordinator(t, lanes.QueueConfig{})
		soon(t, "a hand-over", func() {
			atOnce(8, func(i int) {
				for j := range 5 {
					ctx, cancel := context.WithCancel(bg)
					if (i+j)%3 == 0 {
						go cancel()
					}
					err := c.Run(ctx, asks("s", ""), func(context.Context, lanes.Ticket) error { runtime.Gosched(); return nil })
					if err != nil && !errors.Is(err, context.Canceled) {
						t.Error(err)
					}
					cancel()
				}
			})
		})
		if s := snapshot(t, c, "s"); s.Owner != nil || s.Queue != nil {
			t.Fatalf("got %+v", s)
		}
	}
}

// Case 34: the function panics, or calls Goexit, and somebody waits.
func TestQueueCase34WaitersOutliveAPanic(t *testing.T) {
	for _, f := range []func(){func() { panic("no!") }, runtime.Goexit} {
		synctest.Test(t, func(t *testing.T) {
			c := coordinator(t, lanes.QueueConfig{})
			begin := make(chan struct{})
			go func() {
				defer func() { recover() }()
				c.Run(bg, asks("s", "a"), func(context.Context, lanes.Ticket) error { <-begin; f(); return nil })
			}()
			synctest.Wait()
			b := mustSubmit(t, c, "s", "b")
			admitted := make(chan error, 1)
			go func() { admitted <- c.Wait(bg, b) }()
			synctest.Wait()
			close(begin)
			if err := <-admitted; err != nil {
				t.Fatal(err)
			}
		})
	}
}

// Case 35: the submitter goes away while its ticket runs.
func TestQueueCase35ThePlaceIsTakenUntilTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := coordinator(t, lanes.QueueConfig{})
		ctx, cancel := context.WithCancel(bg)
		end := make(chan struct{})
		result := make(chan error, 1)
		go func() {
			result <- c.Run(ctx, asks("s", "a"), func(context.Context, lanes.Ticket) error { <-end; return nil })
		}()
		synctest.Wait()
		b := mustSubmit(t, c, "s", "b")
		cancel()
		time.Sleep(time.Hour)
		wantState(t, b, lanes.TicketQueued)
		close(end)
		if err := <-result; err != nil {
			t.Fatal(err)
		}
		wantState(t, b, lanes.TicketRunning)
	})
}

// Case 36: a third submit cancels nobody; beyond the cap the newcomer is refused.
func TestQueueCase36TheNewcomerIsRefused(t *testing.T) {
	c := coordinator(t, lanes.QueueConfig{Cap: 2})
	a, b, d := mustSubmit(t, c, "s", "a"), mustSubmit(t, c, "s", "b"), mustSubmit(t, c, "s", "d")
	_, err := c.Submit(bg, asks("s", "e"))
	wantRefusal(t, err, lanes.ErrQueueFull, "submit.full")
	wantState(t, a, lanes.TicketRunning, b, lanes.TicketQueued, d, lanes.TicketQueued)
}

// Case 37: a queued ticket is cancelled at once, and never tells that it started.
func TestQueueCase37ACancelDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := coordinator(t, lanes.QueueConfig{})
		a, b := mustSubmit(t, c, "s", "a"), mustSubmit(t, c, "s", "b")
		events := listen(t, c, lanes.SubscribeOptions{})
		if err := c.CancelQueued(bg, aimed("s", "b")); err != nil {
			t.Fatal(err)
		}
		wantState(t, a, lanes.TicketRunning, b, lanes.TicketCancelled)
		mustComplete(t, c, a)
		for _, e := range events.take() {
			if strings.HasPrefix(e, "b running") {
				t.Fatal(e)
			}
		}
	})
}

// Case 38: one session is blocked, and the others go on.
func TestQueueCase38SessionsDontWaitForEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := coordinator(t, lanes.QueueConfig{})
		end := make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			c.Run(bg, asks("blocked", "a"), func(context.Context, lanes.Ticket) error { <-end; return nil })
		})
		synctest.Wait()
		for i := range 100 {
			if err := c.Run(bg, asks(fmt.Sprint(i), "a"), func(context.Context, lanes.Ticket) error { return nil }); err != nil {
				t.Fatal(err)
			}
		}
		close(end)
		wg.Wait()
	})
}

// Case 39: an interrupt of the first arrives after the second has started.
func TestQueueCase39ALateInterruptSparesTheNext(t *testing.T) {
	c := coordinator(t, lanes.QueueConfig{})
	a, b := mustSubmit(t, c, "s", "a"), mustSubmit(t, c, "s", "b")
	mustComplete(t, c, a)
	_, err := c.Interrupt(bg, aimed("s", "a"))
	wantRefusal(t, err, lanes.ErrNotRunning, "interrupt.notRunning")
	if _, requested := b.CancelRequested(); requested {
		t.Fatal("the second is interrupted")
	}
}

// Case 40: a slow subscriber sees the gap, and reads again from there.
func TestQueueCase40TheGapCanBeReadAgain(t *testing.T) {
	c := coordinator(t, lanes.QueueConfig{Replay: 100})
	slow, err := c.Subscribe(bg, lanes.SubscribeOptions{Buffer: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	mustComplete(t, c, mustSubmit(t, c, "s", "a"))
	for e := range slow.Events() {
		if e.Type != lanes.EventEventsDropped || e.Dropped != 5 || e.Seq != 5 {
			t.Fatalf("got %+v", e)
		}
		break
	}
	again, err := c.Subscribe(bg, lanes.SubscribeOptions{Replay: true})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	next := uint64(1)
	for e := range again.Events() {
		if e.Seq != next {
			t.Fatalf("event %d; want %d", e.Seq, next)
		}
		if next++; next == 8 {
			break
		}
	}
}
