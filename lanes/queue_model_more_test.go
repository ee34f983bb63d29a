package lanes_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/queue"
	"github.com/interlock-go/interlock/lanes"
)

// TestQueueModel makes random calls, hostile ones too, of a coordinator, and the
// same of the generated Step. After every call its answer, the events, the
// pictures of all sessions and the views of all tickets are what the Step says.
//
//	go test ./lanes -run TestQueueModel -rapid.checks 10000
func TestQueueModel(t *testing.T) {
	onStores(t, func(t *testing.T, hide func(lanes.Store) lanes.Store) {
		rapid.Check(t, func(t *rapid.T) {
			m := newQueueModel(t, hide(lanes.NewMemory(epoch)))
			defer m.events.Close()
			defer m.serials.Close()
			t.Repeat(map[string]func(*rapid.T){
				"submit": m.submit, "submit again": m.submit, "run": m.run, "end": m.end, "end again": m.end, "wait": m.wait,
				"cancelQueued": m.cancelQueued, "interrupt": m.interrupt, "forceEnd": m.forceEnd,
				"close": m.closeSession, "cleanUp": m.cleanUp, "closeAll": m.closeAll, "pass": m.pass,
				"": m.compare,
			})
		})
	})
}

func (m *queueModel) closeSession(t *rapid.T) {
	session, reason := drawSession.Draw(t, "session"), drawReason.Draw(t, "reason")
	got, err := m.real.CloseSession(bg, session, reason)
	if barred(t, blank("close", &session), err) {
		return
	}
	d, was := m.ref.step(session, queue.Close{}, given{reason: orElse(reason, "session closed")})
	if refused(t, m.ref.refusal(session, d, was), err) {
		return
	}
	if want := (lanes.Closed{Already: d.Row.Info().Kind == fsm.Stay, Reason: m.ref.lines[session].reason}); got != want {
		t.Fatalf("got %+v; want %+v", got, want)
	}
}

func (m *queueModel) cleanUp(t *rapid.T) {
	session, reason := drawSession.Draw(t, "session"), drawReason.Draw(t, "reason")
	got, err := m.real.CleanupSession(bg, session, reason)
	if barred(t, blank("cleanUp", &session), err) {
		return
	}
	before := m.ref.line(session).machine.State.Shutting()
	d, was := m.ref.step(session, queue.CleanUp{}, given{reason: orElse(reason, "session cleaned up")})
	if refused(t, m.ref.refusal(session, d, was), err) {
		return
	}
	want := lanes.CleanedUp{ClosedBefore: before, Forgotten: m.ref.lines[session] == nil, Already: d.Row.Info().Kind == fsm.Stay}
	if got != want {
		t.Fatalf("got %+v; want %+v", got, want)
	}
}

// closeAll closes the coordinator, now and then: little happens afterwards.
func (m *queueModel) closeAll(t *rapid.T) {
	if rapid.IntRange(0, 9).Draw(t, "when 0") > 0 {
		return
	}
	reason := drawReason.Draw(t, "reason")
	got, err := m.real.Close(bg, reason)
	if err != nil {
		t.Fatal(err)
	}
	d := m.ref.closeAll(orElse(reason, "coordinator closed"))
	if want := (lanes.Closed{Already: d.Row.Info().Kind == fsm.Stay, Reason: m.ref.reason}); got != want {
		t.Fatalf("got %+v; want %+v", got, want)
	}
}

func (m *queueModel) pass(t *rapid.T) {
	d := time.Duration(rapid.IntRange(1, 7).Draw(t, "seconds")) * time.Second
	m.clock.pass(d)
	m.ref.wait(d)
}

// run runs a function that may be interrupted, and returns an error or nil; one
// that isn't admitted at once gives up.
func (m *queueModel) run(t *rapid.T) {
	r := m.request(t)
	r.Timeout = 1
	ids := m.ids
	interrupted := rapid.Bool().Draw(t, "interrupted")
	var result error
	if rapid.Bool().Draw(t, "fails") {
		result = errors.New("broken")
	}
	called := false
	err := m.real.Run(bg, r, func(ctx context.Context, ticket lanes.Ticket) error {
		called = true
		m.handles = append(m.handles, ticket)
		if interrupted {
			if _, err := m.real.Interrupt(bg, lanes.Target{Session: ticket.Session(), Execution: ticket.Execution(), Owner: ticket.Owner()}); err != nil {
				t.Fatal(err)
			}
			<-ctx.Done()
		}
		return result
	})
	number, no := m.submitted(r, ids, m.newest(t))
	if barred(t, no, err) {
		return
	}
	v := m.ref.tickets[number]
	var w *lanes.WaitError
	errors.As(err, &w)
	d, _ := m.ref.step(v.Session, queue.Leave{Ticket: number}, given{reason: "admission timed out"})
	if d.Row == queue.LeaveGaveUp {
		if called || w == nil || w.Code != lanes.ErrAdmissionTimedOut {
			t.Fatalf("called: %v, %v", called, err)
		}
		return
	}
	if interrupted {
		m.ref.step(v.Session, queue.Interrupt{Ticket: number, Owner: queue.Owner(v.Owner.Kind + "\x00" + v.Owner.ID)}, given{reason: "interrupt requested by owner"})
	}
	as, report := queue.ReportCompleted, lanes.Report{State: lanes.TicketCompleted}
	if result != nil {
		as, report = queue.ReportFailed, lanes.Report{State: lanes.TicketFailed, Error: "broken"}
	}
	m.ref.step(v.Session, queue.End{Ticket: number, Report: as}, given{report: report})
	switch {
	case !called:
		t.Fatal("the function wasn't called")
	case result != nil && err != result:
		t.Fatalf("got %v", err)
	case result == nil && interrupted && (w == nil || w.Code != lanes.ErrAdmissionCancelled || w.Reason != v.CancelReason):
		t.Fatalf("got %v", err)
	case result == nil && !interrupted && err != nil:
		t.Fatalf("got %v", err)
	}
}

// newest returns the serial number of the last ticket that was submitted.
func (m *queueModel) newest(t *rapid.T) uint64 {
	s, err := m.real.Snapshot(bg, "s")
	if err != nil {
		t.Fatal(err)
	}
	if m.told < s.Seq {
		for e := range m.serials.Events() {
			if e.Ticket != nil && e.Ticket.State == lanes.TicketQueued {
				m.last = max(m.last, e.Ticket.Serial)
			}
			if m.told = e.Seq; m.told == s.Seq {
				break
			}
		}
	}
	return m.last
}

// barred is refused for a call that may be refused later.
func barred(t *rapid.T, want *lanes.Refusal, err error) bool {
	t.Helper()
	if want == nil {
		return false
	}
	return refused(t, want, err)
}

// compare holds everything that can be seen against the reference.
func (m *queueModel) compare(t *rapid.T) {
	now, err := m.real.Snapshot(bg, "s")
	if err != nil {
		t.Fatal(err)
	}
	var events []lanes.Event
	if now.Seq > m.seen {
		for e := range m.events.Events() {
			if events = append(events, e); e.Seq >= now.Seq {
				break
			}
		}
	}
	m.seen = now.Seq
	if diff := cmp.Diff(m.ref.events, events); diff != "" {
		t.Fatalf("events (-want +got):\n%s", diff)
	}
	m.ref.events = nil

	for _, session := range []string{"s", "t", "u", "unknown"} {
		got, err := m.real.Snapshot(bg, session)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(m.ref.snapshot(session), got); diff != "" {
			t.Fatalf("snapshot of %s (-want +got):\n%s", session, diff)
		}
	}
	var all, want []lanes.Snapshot
	for s := range m.real.Snapshots(bg) {
		all = append(all, s)
	}
	for _, session := range m.ref.order {
		want = append(want, m.ref.snapshot(session))
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Fatalf("snapshots (-want +got):\n%s", diff)
	}
	for _, ticket := range m.handles {
		want := m.ref.view(queue.Ticket(ticket.Serial()))
		if diff := cmp.Diff(want, ticket.View()); diff != "" {
			t.Fatalf("view of %v (-want +got):\n%s", ticket, diff)
		}
		select {
		case <-ticket.Cancelled():
			if !want.CancelRequested {
				t.Fatalf("%v is told to stop", ticket)
			}
		default:
			if want.CancelRequested {
				t.Fatalf("%v isn't told to stop", ticket)
			}
		}
	}
}
