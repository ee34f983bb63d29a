package lanes_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/lanes"
)

func TestQueueRule15EventsOfEachCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := coordinator(t, lanes.QueueConfig{})
		events := listen(t, c, lanes.SubscribeOptions{})
		a := mustSubmit(t, c, "s", "a")
		events.want(t, "a queued at 1", "a running at 0", "owner is a: admitted", "queue a")
		b := mustSubmit(t, c, "s", "b")
		events.want(t, "b queued at 1", "queue a 1.b")
		mustSubmit(t, c, "s", "d")
		events.want(t, "d queued at 2", "queue a 1.b 2.d")
		mustComplete(t, c, a)
		events.want(t, "a completed at -1", "owner was a: completed", "b running at 0", "owner is b: admitted", "queue b 1.d")
		c.Interrupt(bg, aimed("s", "b"))
		events.want(t, "interrupt b: interrupt requested by owner", "queue b 1.d")
		c.Interrupt(bg, aimed("s", "b"))
		events.want(t)
		c.ForceEnd(bg, lanes.Target{Session: "s", Execution: "b", Reason: "hangs"})
		events.want(t, "force end b: hangs", "b cancelled at -1: hangs", "owner was b: cancelled", "d running at 0", "owner is d: admitted", "queue d")
		mustComplete(t, c, b)
		events.want(t)
		e := mustSubmit(t, c, "s", "e")
		events.take()
		c.WaitFor(bg, e, time.Second)
		events.want(t, "e cancelled at -1: admission timed out", "queue d")
		c.CleanupSession(bg, "s", "")
		events.want(t, "interrupt d: session cleaned up", "session closed: session cleaned up", "queue closed(session cleaned up) d")
		c.ForceEnd(bg, lanes.Target{Session: "s", Execution: "d", Reason: "hangs"})
		events.want(t, "force end d: hangs", "d cancelled at -1: hangs", "owner was d: cancelled",
			"queue closed(session cleaned up) nobody", "session forgotten")
		c.Close(bg, "")
		events.want(t, "coordinator closed: coordinator closed")
	})
}

// Numbers have no gap, and each event its time, whoever listens from when.
func TestQueueRule15NumbersAndTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := coordinator(t, lanes.QueueConfig{})
		a := mustSubmit(t, c, "s", "a") // 1 to 4, which nobody hears
		events := listen(t, c, lanes.SubscribeOptions{})
		time.Sleep(time.Minute)
		now := time.Now()
		mustComplete(t, c, a)
		synctest.Wait()
		for i, e := range events.events {
			if e.Seq != uint64(5+i) || !e.At.Equal(now) || e.Session != "s" {
				t.Errorf("got %+v", e)
			}
		}
		if n := len(events.events); n != 3 {
			t.Fatalf("%d events", n)
		}
		if s := snapshot(t, c, "s"); s.Seq != 7 || events.events[2].Snapshot.Seq != 7 {
			t.Fatalf("got %+v", s)
		}
	})
}

// Across goroutines, what a subscriber sees is the order of the steps: its
// picture of each session is that of the machine at each event.
func TestQueueRule15TheOrderIsThatOfTheSteps(t *testing.T) {
	c := coordinator(t, lanes.QueueConfig{Cap: 1000})
	s, err := c.Subscribe(bg, lanes.SubscribeOptions{Buffer: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	atOnce(8, func(i int) {
		for j := range 50 {
			session := fmt.Sprint("s", j%3)
			err := c.Run(bg, asks(session, fmt.Sprintf("%d-%d", i, j)), func(context.Context, lanes.Ticket) error { return nil })
			if err != nil {
				t.Error(err)
			}
		}
	})
	c.Close(bg, "")
	running, last := map[string]string{}, uint64(0)
	for e := range s.Events() {
		if e.Seq != last+1 {
			t.Fatalf("event %d after %d", e.Seq, last)
		}
		last = e.Seq
		switch e.Type {
		case lanes.EventOwnerChanged:
			if e.Ticket != nil {
				if running[e.Session] != "" {
					t.Fatalf("%s runs after %s", e.Ticket.Execution, running[e.Session])
				}
				running[e.Session] = e.Ticket.Execution
			} else {
				if running[e.Session] != e.Previous.Execution {
					t.Fatalf("%s ends, and %q ran", e.Previous.Execution, running[e.Session])
				}
				running[e.Session] = ""
			}
		case lanes.EventQueueChanged:
			var owner string
			if o := e.Snapshot.Owner; o != nil {
				owner = o.Execution
			}
			if owner != running[e.Session] {
				t.Fatalf("the picture has %q, the events %q", owner, running[e.Session])
			}
		}
		if e.Type == lanes.EventCoordinatorClosed {
			break
		}
	}
}

func TestQueueRule15ASinkHarmsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := coordinator(t, lanes.QueueConfig{})
		block := make(chan struct{})
		blocked, err := c.SubscribeFunc(bg, lanes.SubscribeOptions{Buffer: 2}, func(lanes.Event) { <-block })
		if err != nil {
			t.Fatal(err)
		}
		panics := 0
		panicking, err := c.SubscribeFunc(bg, lanes.SubscribeOptions{}, func(e lanes.Event) {
			panics++
			panic(e.Seq)
		})
		if err != nil {
			t.Fatal(err)
		}
		// A sink may use the coordinator, and change what it was given.
		nested, err := c.SubscribeFunc(bg, lanes.SubscribeOptions{}, func(e lanes.Event) {
			if e.Type == lanes.EventTicketState && e.Session == "s" && e.Ticket.State == lanes.TicketRunning {
				mustSubmit(t, c, "from a sink", e.Ticket.Execution)
			}
			if e.Snapshot != nil && e.Snapshot.Owner != nil {
				e.Snapshot.Owner.Execution = "overwritten"
				e.Snapshot.Owner.Metadata["k"] = "overwritten"
				clear(e.Snapshot.Queue)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		events := listen(t, c, lanes.SubscribeOptions{})
		for i := range 10 {
			r := asks("s", fmt.Sprint(i))
			r.Metadata = map[string]string{"k": "v"}
			ticket, err := c.Submit(bg, r)
			if err != nil {
				t.Fatal(err)
			}
			if v := ticket.View(); v.Metadata["k"] != "v" {
				t.Fatalf("got %+v", v)
			}
			mustComplete(t, c, ticket)
		}
		synctest.Wait()
		for _, e := range events.events {
			if s := e.Snapshot; s != nil && s.Owner != nil && (s.Owner.Execution == "overwritten" || s.Owner.Metadata["k"] == "overwritten") {
				t.Fatalf("got %+v", s.Owner)
			}
		}
		if err := panicking.Err(); err == nil || panics < 70 {
			t.Errorf("%d panics, %v", panics, err)
		}
		if s := snapshot(t, c, "from a sink"); s.Owner == nil || len(s.Queue) != 9 {
			t.Errorf("got %+v", s)
		}
		close(block)
		for _, s := range []*lanes.Subscription{blocked, panicking, nested} {
			s.Close()
			s.Close()
		}
	})
}

func TestQueueRule15GapsAreToldAndCounted(t *testing.T) {
	c := coordinator(t, lanes.QueueConfig{})
	s, err := c.Subscribe(bg, lanes.SubscribeOptions{Buffer: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	a := mustSubmit(t, c, "s", "a")
	mustComplete(t, c, a) // 7 events, of which 3 have room
	var got []string
	for e := range s.Events() {
		got = append(got, fmt.Sprint(e.Seq, " ", inWords(e)))
		if len(got) == 2 {
			b := mustSubmit(t, c, "s", "b") // 8 to 11 beside 2 that wait
			_ = b
		}
		if e.Seq == 11 {
			break
		}
	}
	want := []string{"4 4 dropped up to 4", "5 a completed at -1", "8 3 dropped up to 8", "9 b running at 0", "10 owner is b: admitted", "11 queue b"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
}

func TestQueueRule15Replay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := coordinator(t, lanes.QueueConfig{Replay: 5})
		mustComplete(t, c, mustSubmit(t, c, "s", "a")) // 1 to 7
		for _, r := range []struct {
			after uint64
			want  []string
		}{
			{7, nil},
			{5, []string{"owner was a: completed", "queue nobody"}},
			{2, []string{"owner is a: admitted", "queue a", "a completed at -1", "owner was a: completed", "queue nobody"}},
			{0, []string{"2 dropped up to 2", "owner is a: admitted", "queue a", "a completed at -1", "owner was a: completed", "queue nobody"}},
		} {
			events := listen(t, c, lanes.SubscribeOptions{Replay: true, After: r.after, Buffer: 1})
			events.want(t, r.want...)
		}
		if _, err := c.Subscribe(bg, lanes.SubscribeOptions{Replay: true, After: 8}); !errors.Is(err, lanes.ErrInvalidArgument) {
			t.Fatalf("got %v", err)
		}
		none := coordinator(t, lanes.QueueConfig{})
		mustSubmit(t, none, "s", "a")
		listen(t, none, lanes.SubscribeOptions{Replay: true, After: 1}).want(t, "3 dropped up to 4")
	})
}

func TestQueueRule15SubscriptionsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, err := lanes.Open(lanes.Config{})
		if err != nil {
			t.Fatal(err)
		}
		c := m.Coordinator()
		ctx, cancel := context.WithCancel(bg)
		var loops sync.WaitGroup
		counts := make([]int, 3)
		for i, ctx := range []context.Context{ctx, bg, bg} {
			s, err := c.Subscribe(ctx, lanes.SubscribeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			loops.Go(func() {
				for range s.Events() {
					counts[i]++
					if i == 1 && counts[i] == 2 {
						s.Close()
					}
				}
			})
		}
		a := mustSubmit(t, c, "s", "a")
		synctest.Wait()
		cancel()
		synctest.Wait()
		m.Close() // the last one sees what that does: interrupt, session closed, queue, coordinator closed
		loops.Wait()
		if diff := cmp.Diff([]int{4, 2, 8}, counts); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		m.Close()
		mustComplete(t, c, a)
		s, err := c.Subscribe(bg, lanes.SubscribeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for e := range s.Events() {
			t.Errorf("got %+v", e)
		}
		if _, err := c.Subscribe(ended(t), lanes.SubscribeOptions{}); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}
