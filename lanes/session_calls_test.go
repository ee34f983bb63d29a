package lanes_test

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/session"
	"github.com/interlock-go/interlock/lanes"
)

// calls are what TestSessionModel makes, and how often. As rapid draws small
// numbers more often, what brings a run on its way comes first, here and below.
var calls = func() (all []func(*sessionModel, *rapid.T)) {
	for _, c := range []struct {
		call func(*sessionModel, *rapid.T)
		n    int
	}{
		{(*sessionModel).poll, 5},
		{(*sessionModel).sent, 6},
		{(*sessionModel).begin, 5},
		{(*sessionModel).deliveryReturns, 4},
		{(*sessionModel).timePasses, 4},
		{(*sessionModel).startPoll, 3},
		{(*sessionModel).observe, 5},
		{(*sessionModel).abortLease, 2},
		{(*sessionModel).abortSession, 1},
		{(*sessionModel).promptFailed, 2},
		{(*sessionModel).badList, 1},
		{(*sessionModel).delete, 1},
	} {
		all = append(all, slices.Repeat([]func(*sessionModel, *rapid.T){c.call}, c.n)...)
	}
	return all
}()

var (
	managers    = rapid.SampledFrom([]int{0, 0, 0, 1, 2})
	directories = rapid.SampledFrom([]string{"d", "d", "d", "d", "d", "e", ""})
	ids         = rapid.SampledFrom([]string{"a", "a", "a", "a", "a", "b", "x", "a\n"})
	statuses    = rapid.SampledFrom([]lanes.Status{lanes.StatusBusy, lanes.StatusRetry})
	lists       = rapid.MapOfN(rapid.SampledFrom([]string{"a", "a", "a", "b", "x"}), statuses, 0, 2)
)

func drawKey(t *rapid.T) lanes.SessionKey {
	return lanes.SessionKey{Directory: directories.Draw(t, "directory"), Session: ids.Draw(t, "session")}
}

// held draws a lease, mostly the newest, and a manager to show it to, mostly the
// one that issued it.
func (m *sessionModel) held(t *rapid.T) (l modelLease, by int) {
	l = m.leases[len(m.leases)-1]
	if rapid.IntRange(0, 3).Draw(t, "any lease") == 3 {
		l = rapid.SampledFrom(m.leases).Draw(t, "lease")
	}
	if by = l.by; by < 0 || rapid.IntRange(0, 7).Draw(t, "any manager") == 7 {
		by = managers.Draw(t, "manager")
	}
	return l, by
}

func (m *sessionModel) begin(t *rapid.T) {
	by, k, run := managers.Draw(t, "manager"), drawKey(t), rapid.SampledFrom([]string{"turn", "next", "last", ""}).Draw(t, "run")
	confirmed := rapid.IntRange(0, 3).Draw(t, "confirmed") < 3
	lease, err := m.sessions[by].Begin(bg, k, run, confirmed)
	if misused(t, goodKey(k), lanes.ErrInvalidArgument, err) || misused(t, run != "", lanes.ErrInvalidLabel, err) {
		return
	}
	d, n := m.ref(by, k.Directory), m.number()
	row := d.send(k.Session, session.Begin{Run: session.Run(n), Lease: session.Lease(n), Confirmed: confirmed}, d.now)
	m.check(t, by, k, row, "", err)
	if row != session.BeginTaken {
		return
	}
	s := d.sessions[k.Session]
	s.run = run
	d.put(k.Session, s)
	if lease.Key() != k || lease.Run() != run {
		t.Fatalf("the lease is %v", lease)
	}
	m.leases = append(m.leases, modelLease{lease, by, session.Lease(n)})
}

func (m *sessionModel) sent(t *rapid.T) {
	l, by := m.held(t)
	note, err := m.sessions[by].Sent(bg, l.lease)
	if misused(t, l.in != 0, lanes.ErrInvalidLease, err) {
		return
	}
	k := l.lease.Key()
	d := m.ref(by, k.Directory)
	m.check(t, by, k, d.send(k.Session, session.Sent{Lease: l.as(by), Asked: session.Poll(m.last)}, d.now), note, err)
}

func (m *sessionModel) promptFailed(t *rapid.T) {
	l, by := m.held(t)
	note, err := m.sessions[by].PromptFailed(bg, l.lease)
	if misused(t, l.in != 0, lanes.ErrInvalidLease, err) {
		return
	}
	k := l.lease.Key()
	d := m.ref(by, k.Directory)
	m.check(t, by, k, d.send(k.Session, session.PromptFailed{Lease: l.as(by)}, d.now), note, err)
}

func (m *sessionModel) delete(t *rapid.T) {
	by, k := managers.Draw(t, "manager"), drawKey(t)
	err := m.sessions[by].Delete(bg, k)
	if misused(t, goodKey(k), lanes.ErrInvalidArgument, err) {
		return
	}
	d := m.ref(by, k.Directory)
	m.check(t, by, k, d.send(k.Session, session.Delete{}, d.now), "", err)
}

func (m *sessionModel) abortLease(t *rapid.T) {
	l, by := m.held(t)
	if l.in == 0 {
		_, err := m.sessions[by].Abort(bg, l.lease, works)
		misused(t, false, lanes.ErrInvalidLease, err)
		return
	}
	m.abort(t, by, l.lease.Key(), func(f func(context.Context) error) (lanes.Aborted, error) {
		return m.sessions[by].Abort(bg, l.lease, f)
	}, session.Abort{Named: fsm.Some(l.as(by)), Call: session.Call(m.number())})
}

func (m *sessionModel) abortSession(t *rapid.T) {
	by, k := managers.Draw(t, "manager"), drawKey(t)
	if !goodKey(k) {
		_, err := m.sessions[by].AbortSession(bg, k, works)
		misused(t, false, lanes.ErrInvalidArgument, err)
		return
	}
	m.abort(t, by, k, func(f func(context.Context) error) (lanes.Aborted, error) {
		return m.sessions[by].AbortSession(bg, k, f)
	}, session.Abort{Call: session.Call(m.number())})
}

func (m *sessionModel) deliveryReturns(t *rapid.T) {
	calling := slices.DeleteFunc(slices.Clone(m.aborts), func(a *modelAbort) bool { return !a.ref.calling })
	if len(calling) == 0 {
		return
	}
	a := calling[rapid.IntRange(0, len(calling)-1).Draw(t, "delivery")]
	var err error
	if rapid.IntRange(0, 3).Draw(t, "fails") == 3 {
		err = errUnreachable
	}
	d := m.ref(a.by, a.key.Directory)
	a.let <- err
	d.delivered(a.key.Session, a.ref, err == nil, session.Poll(m.last))
}

func (m *sessionModel) startPoll(t *rapid.T) {
	by, directory := managers.Draw(t, "manager"), directories.Draw(t, "directory")
	p, err := m.sessions[by].StartPoll(bg, directory)
	if misused(t, directory != "", lanes.ErrInvalidArgument, err) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	m.polls = append(m.polls, modelPoll{p, by, session.Poll(m.number()), time.Now()})
}

// observe tells a list, mostly of one of the newest polls; some are told twice.
func (m *sessionModel) observe(t *rapid.T) {
	n := len(m.polls)
	if n == 0 {
		return
	}
	p := m.polls[n-1-rapid.IntRange(0, min(n-1, 4)).Draw(t, "older poll")]
	l := lists.Draw(t, "list")
	got, err := p.poll.Observe(bg, l)
	if err != nil {
		t.Fatal(err)
	}
	want := m.ref(p.by, p.poll.Directory()).observe(p.number, session.Poll(m.last), p.asked, l)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("observation (-want +got):\n%s", diff)
	}
}

// poll asks for a list and tells it at once.
func (m *sessionModel) poll(t *rapid.T) {
	n := len(m.polls)
	if m.startPoll(t); len(m.polls) > n {
		m.observe(t)
	}
}

func (m *sessionModel) badList(t *rapid.T) {
	if _, err := (lanes.Poll{}).Observe(bg, nil); !errors.Is(err, lanes.ErrInvalidArgument) {
		t.Fatal(err)
	}
	if len(m.polls) > 0 {
		l := list{"a": rapid.SampledFrom([]lanes.Status{"idle", "", lanes.StatusAbsent}).Draw(t, "status")}
		_, err := m.polls[len(m.polls)-1].poll.Observe(bg, l)
		misused(t, false, lanes.ErrInvalidArgument, err)
	}
}

func (m *sessionModel) timePasses(t *rapid.T) {
	seconds := rapid.SampledFrom([]int{1, 1, 2, 2, 3, 5, 7, 10, 20}).Draw(t, "seconds")
	time.Sleep(time.Duration(seconds) * time.Second)
}
