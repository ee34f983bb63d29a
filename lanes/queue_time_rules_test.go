package lanes_test

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/lanes"
)

// usingClock is a clock that uses the coordinator whenever it is asked.
type usingClock struct {
	use func()
}

func (c usingClock) Now() time.Time { c.use(); return time.Now() }

func (c usingClock) AfterFunc(d time.Duration, f func()) lanes.Timer {
	c.use()
	return time.AfterFunc(d, f)
}

// Clock and id factory are called outside of any lock: what they do can't be
// waited for, and may use the coordinator.
func TestQueueRule17ClockAndIDsRunOutsideOfLocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c *lanes.Coordinator
		calls := 0
		use := func() {
			if c != nil {
				calls++
				snapshot(t, c, "s")
			}
		}
		ids := counter("id")
		q := coordinatorOf(t, lanes.Config{
			Clock: usingClock{use}, IDs: func() string { use(); return ids() }, Queue: lanes.QueueConfig{ForgetIdle: time.Second},
		})
		c = q
		a, err := c.Submit(bg, asks("s", ""))
		if err != nil || a.Execution() != "id1" {
			t.Fatalf("%v, %v", a, err)
		}
		b := mustSubmit(t, c, "s", "b")
		if err := c.WaitFor(bg, b, time.Second); !errors.Is(err, lanes.ErrAdmissionTimedOut) {
			t.Fatal(err)
		}
		mustComplete(t, c, a)
		time.Sleep(time.Minute)
		if all := sessions(c); all != nil {
			t.Fatalf("sessions are %v", all)
		}
		c.Close(bg, "")
		if calls < 6 {
			t.Errorf("%d calls", calls)
		}
		c = nil
	})
}

// Of the ids that the factory makes three are tried.
func TestQueueRule17TakenIDs(t *testing.T) {
	var ids []string
	c := coordinatorOf(t, lanes.Config{IDs: func() string {
		id := ids[0]
		ids = ids[1:]
		return id
	}})
	for _, r := range []struct {
		ids  []string
		want string
		left int
	}{
		{[]string{"a", "z"}, "a", 1},
		{[]string{"a", " a ", "b", "z"}, "b", 1},
		{[]string{"a", "b", "a", "z"}, "", 1},
	} {
		ids = r.ids
		ticket, err := c.Submit(bg, asks("s", ""))
		if r.want == "" {
			wantRefusal(t, err, lanes.ErrDuplicateExecution, "submit.duplicate")
		} else if err != nil || ticket.Execution() != r.want {
			t.Fatalf("%v, %v", ticket, err)
		}
		if len(ids) != r.left {
			t.Fatalf("%d ids of %v are left", len(ids), r.ids)
		}
	}
	ids = []string{" "}
	_, err := c.Submit(bg, asks("s", ""))
	wantRefusal(t, err, lanes.ErrInvalidArgument, "shell.argument")
	random := coordinator(t, lanes.QueueConfig{})
	if a, b := mustSubmit(t, random, "s", ""), mustSubmit(t, random, "s", ""); len(a.Execution()) != 26 || a.Execution() == b.Execution() {
		t.Fatalf("%v, %v", a, b)
	}
}

func TestQueueRule18RememberedIDs(t *testing.T) {
	for _, r := range []struct {
		remember int
		free     []string // of a, b, d and e, which end in this order
		taken    []string
	}{
		{0, nil, []string{"a", "b", "d", "e"}},
		{2, []string{"a", "b"}, []string{"d", "e"}},
		{lanes.RememberNone, []string{"a", "b", "d", "e"}, nil},
	} {
		t.Run(fmt.Sprint(r.remember), func(t *testing.T) {
			c := coordinator(t, lanes.QueueConfig{Remember: r.remember})
			mustSubmit(t, c, "s", "d")
			d := mustSubmit(t, c, "s", "a") // it is cancelled first
			if err := c.CancelQueued(bg, aimed("s", "a")); err != nil {
				t.Fatal(err)
			}
			mustSubmit(t, c, "s", "b")
			if err := c.WaitFor(bg, mustSubmit(t, c, "s", "x"), 0); err == nil {
				t.Fatal("admitted")
			}
			_ = d
			c.CancelQueued(bg, aimed("s", "b"))
			c.ForceEnd(bg, lanes.Target{Session: "s", Execution: "d", Reason: "r"})
			mustComplete(t, c, mustSubmit(t, c, "s", "e"))
			holder := mustSubmit(t, c, "s", "holder")
			for _, id := range r.taken {
				_, err := c.Submit(bg, asks("s", id))
				wantRefusal(t, err, lanes.ErrDuplicateExecution, "submit.duplicate")
			}
			for _, id := range r.free {
				mustSubmit(t, c, "s", id)
				_, err := c.Submit(bg, asks("s", id)) // unique among those that live
				wantRefusal(t, err, lanes.ErrDuplicateExecution, "submit.duplicate")
			}
			// A forgotten ticket keeps its state, and is answered as one that ended.
			wantState(t, d, lanes.TicketCancelled)
			if e := mustComplete(t, c, d); !e.Already || e.State != lanes.TicketCancelled {
				t.Fatalf("got %+v", e)
			}
			wantWait(t, c.Wait(bg, d), lanes.ErrAdmissionCancelled, "cancelled by owner")
			wantState(t, holder, lanes.TicketRunning)
		})
	}
}

func TestQueueRule18IdleSessionsAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := coordinator(t, lanes.QueueConfig{ForgetIdle: time.Hour})
		events := listen(t, c, lanes.SubscribeOptions{})
		busy := mustSubmit(t, c, "busy", "x")
		open := mustSubmit(t, c, "open", "x")
		shut := mustSubmit(t, c, "shut", "x")
		mustComplete(t, c, open)
		time.Sleep(30 * time.Minute)
		mustComplete(t, c, shut)
		c.CloseSession(bg, "shut", "before")
		used := mustSubmit(t, c, "open", "y") // it isn't idle any more
		time.Sleep(20 * time.Minute)
		mustComplete(t, c, used)
		events.take()

		time.Sleep(39 * time.Minute)
		synctest.Wait()
		if diff := cmp.Diff([]string{"busy", "open", "shut"}, sessions(c)); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if diff := cmp.Diff([]string{"busy", "open"}, sessions(c)); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		events.want(t, "session forgotten")
		time.Sleep(20 * time.Minute)
		events.want(t, "session closed: idle", "queue closed(idle) nobody", "session forgotten")
		time.Sleep(1000 * time.Hour)
		if diff := cmp.Diff([]string{"busy"}, sessions(c)); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		wantState(t, busy, lanes.TicketRunning)
		mustComplete(t, c, busy)
		time.Sleep(time.Hour)
		synctest.Wait()
		if all := sessions(c); all != nil {
			t.Fatalf("sessions are %v", all)
		}
	})
}

// Many sessions that become idle at once are all forgotten, and a manager that
// is closed sets no timer.
func TestQueueRule18ManyIdleSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, err := lanes.Open(lanes.Config{Queue: lanes.QueueConfig{ForgetIdle: time.Hour}})
		if err != nil {
			t.Fatal(err)
		}
		c := m.Coordinator()
		for i := range 1000 {
			mustComplete(t, c, mustSubmit(t, c, fmt.Sprint(i), "x"))
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if n := len(sessions(c)); n > 0 {
			t.Fatalf("%d sessions are left", n)
		}
		a := mustSubmit(t, c, "s", "x")
		m.Close()
		mustComplete(t, c, a)
		time.Sleep(10 * time.Hour)
		if n := len(sessions(c)); n != 1 {
			t.Fatalf("%d sessions are left", n)
		}
	})
}

// A timer that goes off as its manager is closed does nothing.
func TestQueueRule18NothingIsForgottenAfterTheEnd(t *testing.T) {
	var due func()
	m, err := lanes.Open(lanes.Config{Clock: stubborn{&due}, Queue: lanes.QueueConfig{ForgetIdle: time.Hour}})
	if err != nil {
		t.Fatal(err)
	}
	c := m.Coordinator()
	mustComplete(t, c, mustSubmit(t, c, "s", "x"))
	m.Close()
	due()
	if all := sessions(c); len(all) != 1 {
		t.Fatalf("sessions are %v", all)
	}
}

// stubborn is a clock whose last timer can't be stopped, and once it is set all
// that it waits for is due.
type stubborn struct{ due *func() }

func (s stubborn) Now() time.Time {
	if *s.due != nil {
		return epoch.Add(2 * time.Hour)
	}
	return epoch
}

func (s stubborn) AfterFunc(_ time.Duration, f func()) lanes.Timer {
	*s.due = f
	return stubbornTimer{}
}

type stubbornTimer struct{}

func (stubbornTimer) Stop() bool { return false }

// The default is never.
func TestQueueRule18NothingIsForgottenByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := coordinator(t, lanes.QueueConfig{})
		mustComplete(t, c, mustSubmit(t, c, "s", "x"))
		time.Sleep(100_000 * time.Hour)
		_, err := c.Submit(bg, asks("s", "x"))
		wantRefusal(t, err, lanes.ErrDuplicateExecution, "submit.duplicate")
	})
}

func TestQueueRule19ForceEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := coordinator(t, lanes.QueueConfig{})
		a := mustSubmit(t, c, "s", "a")
		b := mustSubmit(t, c, "s", "b")
		since := time.Now()
		time.Sleep(1000 * time.Hour) // no time-out frees the place
		wantState(t, a, lanes.TicketRunning, b, lanes.TicketQueued)
		if s := snapshot(t, c, "s"); !s.Owner.StartedAt.Equal(since) {
			t.Fatalf("got %+v", s.Owner)
		}
		force := func(session, execution, reason string) error {
			return c.ForceEnd(bg, lanes.Target{Session: session, Execution: execution, Reason: reason})
		}
		wantRefusal(t, force("t", "a", "r"), lanes.ErrNoSuchSession, "forceEnd.noSession")
		wantRefusal(t, force("s", "nobody", "r"), lanes.ErrNotRunning, "forceEnd.notRunning")
		wantRefusal(t, force("s", "b", "r"), lanes.ErrNotRunning, "forceEnd.notRunning")
		wantRefusal(t, force("s", "a", ""), lanes.ErrInvalidArgument, "shell.argument")
		wantState(t, a, lanes.TicketRunning)
		c.Interrupt(bg, aimed("s", "a"))
		if err := force(" s", "a ", "its owner vanished"); err != nil {
			t.Fatal(err)
		}
		v := a.View()
		if v.State != lanes.TicketCancelled || v.CancelReason != "its owner vanished" || v.Reported != (lanes.Report{}) || v.Error != "" {
			t.Fatalf("got %+v", v)
		}
		wantState(t, b, lanes.TicketRunning)
		wantRefusal(t, force("s", "a", "r"), lanes.ErrNotRunning, "forceEnd.notRunning")
		if e, err := c.Fail(bg, a, errors.New("late")); err != nil || e != (lanes.Ended{State: lanes.TicketCancelled, Already: true}) {
			t.Fatalf("%+v, %v", e, err)
		}
		if after := a.View(); !cmp.Equal(v, after) {
			t.Fatal(cmp.Diff(v, after))
		}
	})
}

func TestQueueRule20ANamesakeIsSpared(t *testing.T) {
	c := coordinator(t, lanes.QueueConfig{})
	old := mustSubmit(t, c, "s", "x")
	c.CleanupSession(bg, "s", "")
	mustComplete(t, c, old)
	holder := mustSubmit(t, c, "s", "holder")
	next := mustSubmit(t, c, "s", "x")
	if old.Serial() == next.Serial() || old.Equal(next) {
		t.Fatal("a serial number is used again")
	}
	if e := mustComplete(t, c, old); !e.Already {
		t.Fatalf("got %+v", e)
	}
	wantWait(t, c.Wait(bg, old), lanes.ErrAdmissionCancelled, "session cleaned up")
	if v, err := c.WaitEnd(bg, old); err != nil || v.State != lanes.TicketCancelled {
		t.Fatalf("%+v, %v", v, err)
	}
	wantState(t, next, lanes.TicketQueued)

	target := aimed("s", "x")
	target.Serial = old.Serial()
	wantRefusal(t, c.CancelQueued(bg, target), lanes.ErrNoSuchTicket, "shell.serial")
	mustComplete(t, c, holder)
	_, err := c.Interrupt(bg, target)
	wantRefusal(t, err, lanes.ErrNoSuchTicket, "shell.serial")
	target.Reason = "r"
	wantRefusal(t, c.ForceEnd(bg, target), lanes.ErrNoSuchTicket, "shell.serial")
	target.Session = "unknown"
	wantRefusal(t, c.ForceEnd(bg, target), lanes.ErrNoSuchSession, "forceEnd.noSession")
	if v := next.View(); v.State != lanes.TicketRunning || v.CancelRequested {
		t.Fatalf("got %+v", v)
	}
	target.Session, target.Serial = "s", next.View().Serial
	if _, err := c.Interrupt(bg, target); err != nil {
		t.Fatal(err)
	}
	if err := c.ForceEnd(bg, target); err != nil {
		t.Fatal(err)
	}
	wantState(t, next, lanes.TicketCancelled)
}
