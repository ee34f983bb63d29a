package lanes_test

import (
	"errors"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/lanes"
)

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

// Whoever waits for any of the tickets is woken.
func TestQueueRule11AllWaitersAreWoken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := coordinator(t, lanes.QueueConfig{})
		a := mustSubmit(t, c, "s", "a")
		results := make(chan error, 9)
		for _, id := range []string{"b", "d", "e"} {
			ticket := mustSubmit(t, c, "s", id)
			go func() { results <- c.Wait(bg, ticket) }()
			go func() {
				v, err := c.WaitEnd(bg, ticket)
				if v.State != lanes.TicketCancelled {
					t.Errorf("%+v, %v", v, err)
				}
				results <- lanes.ErrAdmissionCancelled
			}()
			signal := ticket.Cancelled()
			go func() { <-signal; results <- lanes.ErrAdmissionCancelled }()
		}
		synctest.Wait()
		c.CloseSession(bg, "s", "")
		synctest.Wait()
		if len(results) != 9 {
			t.Fatalf("%d of 9 are woken", len(results))
		}
		for range 9 {
			if err := <-results; !errors.Is(err, lanes.ErrAdmissionCancelled) {
				t.Errorf("got %v", err)
			}
		}
		mustComplete(t, c, a)
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

// Whoever sees the first session closed by the coordinator's close sees the last
// one closed too; and what is submitted meanwhile is cancelled or refused.
func TestQueueRule13TheCloseIsOneStep(t *testing.T) {
	const sessions = 20_000
	for range 3 {
		c := coordinator(t, lanes.QueueConfig{Cap: 1_000_000})
		for i := range sessions {
			mustSubmit(t, c, fmt.Sprint(i), "active")
		}
		var waiting []lanes.Ticket
		atOnce(3, func(i int) {
			switch i {
			case 0:
				runtime.Gosched()
				c.Close(bg, "")
			case 1:
				for !snapshot(t, c, "0").Closed {
				}
				if !snapshot(t, c, fmt.Sprint(sessions-1)).Closed {
					t.Error("the first session is closed, and the last one isn't")
				}
			case 2:
				var err error
				for i := 0; err == nil; i++ {
					var ticket lanes.Ticket
					if ticket, err = c.Submit(bg, asks(fmt.Sprint(sessions-1-i%sessions), "")); err == nil {
						waiting = append(waiting, ticket)
					}
				}
				wantRefusal(t, err, lanes.ErrCoordinatorClosed, "submit.shut")
			}
		})
		for _, ticket := range waiting {
			wantState(t, ticket, lanes.TicketCancelled)
		}
	}
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
		// The serial numbers are first's, then second's, by turns; a store numbers
		// the end in between too.
		if a != 0 && b != 0 && (b > a+2 || elsewhere == nil && b > a+1) {
			t.Errorf("first is at %d, second at %d", a, b)
			break
		}
	}
	close(stop)
	<-done
}
