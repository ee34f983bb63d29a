package lanes_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/lanes"
)

// After the manager was closed each call has the documented result: nothing new
// is admitted, what runs can be ended, and the other parts go on.
func TestClosedManager(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, err := lanes.Open(lanes.Config{Queue: lanes.QueueConfig{ForgetIdle: time.Hour, Replay: 100}})
		if err != nil {
			t.Fatal(err)
		}
		c := m.Coordinator()
		runs, waits := mustSubmit(t, c, "s", "runs"), mustSubmit(t, c, "s", "waits")
		other := mustSubmit(t, c, "t", "runs")
		waiting := make(chan error, 2)
		go func() { waiting <- c.Wait(bg, waits) }()
		ending := make(chan error, 1)
		go func() { _, err := c.WaitEnd(bg, runs); ending <- err }()
		synctest.Wait()
		for range 3 {
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
		}
		wantWait(t, <-waiting, lanes.ErrAdmissionCancelled, "coordinator closed")
		wantWait(t, c.WaitFor(bg, waits, time.Hour), lanes.ErrAdmissionCancelled, "coordinator closed")

		_, err = c.Submit(bg, asks("new", "x"))
		if no := wantRefusal(t, err, lanes.ErrCoordinatorClosed, "submit.shut"); no.Reason != "coordinator closed" {
			t.Errorf("got %+v", no)
		}
		err = c.Run(bg, asks("s", "x"), func(context.Context, lanes.Ticket) error { t.Error("it ran"); return nil })
		wantRefusal(t, err, lanes.ErrCoordinatorClosed, "submit.shut")
		wantRefusal(t, c.CancelQueued(bg, aimed("s", "waits")), lanes.ErrNotWaiting, "cancelQueued.notWaiting")
		if i, err := c.Interrupt(bg, aimed("s", "runs")); err != nil || !i.Already || i.Reason != "coordinator closed" {
			t.Errorf("got %+v, %v", i, err)
		}
		if x, err := c.CloseSession(bg, "s", "late"); err != nil || !x.Already || x.Reason != "coordinator closed" {
			t.Errorf("got %+v, %v", x, err)
		}
		if x, err := c.Close(bg, "late"); err != nil || !x.Already || x.Reason != "coordinator closed" {
			t.Errorf("got %+v, %v", x, err)
		}
		if s := snapshot(t, c, "nobody's"); !s.Closed || s.CloseReason != "coordinator closed" {
			t.Errorf("got %+v", s)
		}
		// A late subscriber gets what is kept, and then the end.
		late, err := c.Subscribe(bg, lanes.SubscribeOptions{Replay: true})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for range late.Events() {
			n++
		}
		if n == 0 {
			t.Error("a late subscriber gets nothing")
		}

		if e := mustComplete(t, c, runs); e.State != lanes.TicketCancelled || e.Already {
			t.Errorf("got %+v", e)
		}
		if err := <-ending; err != nil {
			t.Error(err)
		}
		if err := c.ForceEnd(bg, lanes.Target{Session: "t", Execution: "runs", Reason: "lost"}); err != nil {
			t.Error(err)
		}
		wantState(t, other, lanes.TicketCancelled)
		for _, session := range []string{"s", "t"} {
			if x, err := c.CleanupSession(bg, session, ""); err != nil || !x.Forgotten || !x.ClosedBefore {
				t.Errorf("got %+v, %v", x, err)
			}
		}
		for s := range c.Snapshots(bg) {
			t.Errorf("left: %+v", s)
		}

		lease := mustClaim(t, m.Projects(), "p", "run")
		mustStop(t, m.Projects(), lease)
		mustRelease(t, m.Projects(), lease, lanes.OutcomeSucceeded)
		own := mustBegin(t, m.Sessions(), "a")
		mustSend(t, m.Sessions(), own)
		show(t, m.Sessions(), "a", lanes.StatusBusy)
		wantSession(t, m.Sessions(), "a", lanes.SessionRunning)
		if err := m.Sessions().Delete(bg, inDir("a")); err != nil {
			t.Error(err)
		}
	})
}

// From inside a sink its own subscription can be closed, its ticket waited for
// and ended, and the whole manager closed; nothing waits for ever.
func TestCallsFromInsideASink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, err := lanes.Open(lanes.Config{})
		if err != nil {
			t.Fatal(err)
		}
		c := m.Coordinator()
		first := mustSubmit(t, c, "s", "first")
		second := mustSubmit(t, c, "s", "second")
		var own *lanes.Subscription
		var seen []string
		subscribed := make(chan struct{})
		own, err = c.SubscribeFunc(bg, lanes.SubscribeOptions{}, func(e lanes.Event) {
			<-subscribed
			seen = append(seen, string(e.Type))
			if len(seen) > 1 {
				return
			}
			mustComplete(t, c, first)
			if err := c.Wait(bg, second); err != nil {
				t.Error(err)
			}
			err := c.Run(bg, asks("another", "x"), func(context.Context, lanes.Ticket) error { return nil })
			if err != nil {
				t.Error(err)
			}
			if v := mustClaim(t, m.Projects(), "p", "run"); v.IsZero() {
				t.Error("no lease")
			}
			nested, err := c.SubscribeFunc(bg, lanes.SubscribeOptions{}, func(lanes.Event) {})
			if err != nil {
				t.Error(err)
			}
			nested.Close()
			own.Close()
			if err := m.Close(); err != nil {
				t.Error(err)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		close(subscribed)
		mustSubmit(t, c, "t", "x")
		synctest.Wait()
		if diff := cmp.Diff([]string{"execution_ticket_state"}, seen); diff != "" {
			t.Errorf("a sink that closed its subscription was called (-want +got):\n%s", diff)
		}
		wantState(t, first, lanes.TicketCompleted, second, lanes.TicketRunning)
		if _, told := second.CancelRequested(); !told {
			t.Error("the manager isn't closed")
		}
	})
}

// From inside Run its own session can be closed and cleaned up, its ticket ended
// by force, and the manager closed.
func TestEndsFromInsideRun(t *testing.T) {
	for name, end := range map[string]func(m *lanes.Manager, own lanes.Ticket) error{
		"close": func(m *lanes.Manager, _ lanes.Ticket) error { return m.Close() },
		"shut":  func(m *lanes.Manager, _ lanes.Ticket) error { _, err := m.Coordinator().Close(bg, ""); return err },
		"session": func(m *lanes.Manager, _ lanes.Ticket) error {
			_, err := m.Coordinator().CloseSession(bg, "s", "")
			return err
		},
		"clean up": func(m *lanes.Manager, _ lanes.Ticket) error {
			_, err := m.Coordinator().CleanupSession(bg, "s", "")
			return err
		},
		"interrupt": func(m *lanes.Manager, _ lanes.Ticket) error {
			_, err := m.Coordinator().Interrupt(bg, aimed("s", "x"))
			return err
		},
		"force": func(m *lanes.Manager, own lanes.Ticket) error {
			return m.Coordinator().ForceEnd(bg, lanes.Target{Session: "s", Execution: "x", Serial: own.Serial(), Reason: "r"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m, err := lanes.Open(lanes.Config{})
				if err != nil {
					t.Fatal(err)
				}
				defer m.Close()
				var ticket lanes.Ticket
				err = m.Coordinator().Run(bg, asks("s", "x"), func(ctx context.Context, own lanes.Ticket) error {
					ticket = own
					if err := end(m, own); err != nil {
						t.Error(err)
					}
					<-ctx.Done()
					return nil
				})
				if !errors.Is(err, lanes.ErrAdmissionCancelled) {
					t.Errorf("got %v", err)
				}
				wantState(t, ticket, lanes.TicketCancelled)
			})
		})
	}
}

// From inside the function that delivers an abort the sessions can be used, and
// a second abort of what is at rest by then is refused.
func TestCallsFromInsideADelivery(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		lease := mustBegin(t, s, "a")
		mustSend(t, s, lease)
		show(t, s, "a", lanes.StatusBusy)
		done, err := s.Abort(bg, lease, func(ctx context.Context) error {
			_, err := s.Begin(ctx, inDir("a"), "turn", true)
			wantRefusal(t, err, lanes.ErrAbortPending, "begin.pending")
			_, err = s.AbortSession(ctx, inDir("a"), works)
			wantRefusal(t, err, lanes.ErrNotAbortable, "abort.resting")
			mustBegin(t, s, "b")
			for v, err := range s.All(ctx) {
				if err != nil || v.Session == "" {
					t.Errorf("%+v, %v", v, err)
				}
			}
			if err := s.Delete(ctx, inDir("b")); err != nil {
				t.Error(err)
			}
			go func() { time.Sleep(time.Millisecond); show(t, s, "a", lanes.StatusAbsent) }()
			return nil
		})
		if err != nil || done.Answer != lanes.AbortObeyed {
			t.Errorf("%+v, %v", done, err)
		}
	})
}

// Calls from inside the loops over everything, which end what they are shown.
func TestCallsFromInsideTheLoops(t *testing.T) {
	m, err := lanes.Open(lanes.Config{Queue: lanes.QueueConfig{Replay: 100}})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	c, s := m.Coordinator(), m.Sessions()
	for _, id := range []string{"a", "b", "c"} {
		mustSubmit(t, c, id, "x")
		mustBegin(t, s, id)
	}
	n := 0
	for q := range c.Snapshots(bg) {
		n++
		if _, err := c.CleanupSession(bg, q.Session, ""); err != nil {
			t.Error(err)
		}
		if err := c.ForceEnd(bg, lanes.Target{Session: q.Session, Execution: "x", Reason: "r"}); err != nil {
			t.Error(err)
		}
	}
	for v, err := range s.All(bg) {
		n++
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Delete(bg, v.SessionKey); err != nil {
			t.Error(err)
		}
	}
	if n != 6 {
		t.Errorf("%d seen; want 6", n)
	}
	events, err := c.Subscribe(bg, lanes.SubscribeOptions{Replay: true})
	if err != nil {
		t.Fatal(err)
	}
	for range events.Events() {
		events.Close() // in the loop that it ends
		m.Close()
	}
}

// Labels of agent runs are those of project runs: no look-alikes, nothing behind
// them, and no more than 80.
func TestSessionRunLabels(t *testing.T) {
	s := openSessions(t, lanes.Config{})
	for _, bad := range []string{
		"", " ", "turn\n", "turn\r\n", "\nturn", "turn ", "а" /* Cyrillic */, "ａ" /* full width */, "tu\u200brn", "turn\u0301", "ſ", "\u212a", /* Kelvin */
		".a", "-a", "_a", "a/b", "a\x00", "a\xff", strings.Repeat("x", 81), strings.Repeat("x", 1<<20),
	} {
		_, err := s.Begin(bg, inDir("a"), bad, true)
		if no := wantRefusal(t, err, lanes.ErrInvalidLabel, "shell.label"); no.Machine != "session" || len(no.Error()) > 300 {
			t.Errorf("%.20q: %+v", bad, no)
		}
	}
	for _, good := range []string{"a", "0", "a.b_c-d", strings.Repeat("x", 80)} {
		if _, err := s.Begin(bg, inDir(good), good, true); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
}

// The directories and ids of sessions, and ids of a coordinator's, are compared
// byte by byte: what looks alike is two.
func TestLookAlikesAreApart(t *testing.T) {
	m, err := lanes.Open(lanes.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	alike := []string{"caf\u00e9", "cafe\u0301", "café ", "Cafe", "cafe", "саfe", "cafe\u200b"}
	for _, id := range alike[:6] {
		if _, err := m.Sessions().Begin(bg, lanes.SessionKey{Directory: id, Session: id}, "turn", true); err != nil {
			t.Errorf("%+q: %v", id, err)
		}
	}
	for _, id := range []string{alike[0], alike[1], alike[3], alike[4], alike[5], alike[6]} {
		if v := mustSubmit(t, m.Coordinator(), "s", id); v.Execution() != id {
			t.Errorf("%+q became %+q", id, v.Execution())
		}
		mustSubmit(t, m.Coordinator(), id, "x")
	}
}

// Reasons and error texts of a megabyte are kept whole, and are freed with their
// session.
func TestLongReasons(t *testing.T) {
	c := coordinator(t, lanes.QueueConfig{})
	long := strings.Repeat("why ", 1<<18)
	a, b := mustSubmit(t, c, "s", "a"), mustSubmit(t, c, "s", "b")
	if _, err := c.Fail(bg, a, errors.New(long)); err != nil || a.View().Error != long {
		t.Errorf("%d bytes, %v", len(a.View().Error), err)
	}
	if err := c.ForceEnd(bg, lanes.Target{Session: "s", Execution: "b", Reason: long}); err != nil || b.View().CancelReason != long {
		t.Errorf("%d bytes, %v", len(b.View().CancelReason), err)
	}
	if x, err := c.CloseSession(bg, "s", long); err != nil || x.Reason != long {
		t.Errorf("%d bytes, %v", len(x.Reason), err)
	}
	_, err := c.Submit(bg, asks("s", "d"))
	if no := wantRefusal(t, err, lanes.ErrSessionClosed, "submit.closed"); no.Reason != long {
		t.Errorf("%d bytes", len(no.Reason))
	}
}

// What Open is given and can't be is refused with its name.
func TestOpenRefuses(t *testing.T) {
	for _, r := range []struct {
		argument string
		config   lanes.Config
	}{
		{"Queue.Cap", lanes.Config{Queue: lanes.QueueConfig{Cap: -1}}},
		{"Queue.Cap", lanes.Config{Queue: lanes.QueueConfig{Cap: 1_000_001}}},
		{"Queue.Remember", lanes.Config{Queue: lanes.QueueConfig{Remember: -2}}},
		{"Queue.MaxSessions", lanes.Config{Queue: lanes.QueueConfig{MaxSessions: -1}}},
		{"Queue.ForgetIdle", lanes.Config{Queue: lanes.QueueConfig{ForgetIdle: -time.Nanosecond}}},
		{"Queue.Replay", lanes.Config{Queue: lanes.QueueConfig{Replay: -1}}},
		{"Sessions.Grace", lanes.Config{Sessions: lanes.SessionConfig{Grace: -1}}},
		{"Sessions.AbortTimeout", lanes.Config{Sessions: lanes.SessionConfig{AbortTimeout: -1}}},
	} {
		m, err := lanes.Open(r.config)
		if no := wantRefusal(t, err, lanes.ErrInvalidArgument, "shell.argument"); no.Argument != r.argument || m != nil {
			t.Errorf("%+v: %v, %v", r.config, m, no)
		}
	}
}

// A subscription that Subscribe didn't return has ended: it yields nothing, and
// can be closed.
func TestNoSubscription(t *testing.T) {
	c := coordinator(t, lanes.QueueConfig{})
	refused, err := c.Subscribe(ended(t), lanes.SubscribeOptions{})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	for _, s := range []*lanes.Subscription{refused, nil, new(lanes.Subscription)} {
		for e := range s.Events() {
			t.Errorf("got %+v", e)
		}
		s.Close()
		s.Close()
		if s.Seq() != 0 || s.Err() != nil {
			t.Errorf("event %d, %v", s.Seq(), s.Err())
		}
	}
}
