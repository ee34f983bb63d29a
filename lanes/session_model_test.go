package lanes_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/session"
	"github.com/interlock-go/interlock/lanes"
)

// sessionModel drives the sessions of several managers and holds each answer
// against the reference: two managers share a memory, one has its own.
type sessionModel struct {
	sessions []*lanes.Sessions
	refs     []map[string]*refDirectory // by manager and directory
	memories []*lanes.Memory
	last     uint64 // the last number that the reference gave
	leases   []modelLease
	polls    []modelPoll
	aborts   []*modelAbort
}

type modelLease struct {
	lease lanes.SessionLease
	by    int           // the manager that issued it; none for -1
	in    session.Lease // what it is in a Step; 0 for the zero lease
}

// as is what l is in a Step of a manager.
func (l modelLease) as(by int) session.Lease {
	if l.in == 0 || l.by == by {
		return l.in
	}
	return session.Lease(stranger)
}

type modelPoll struct {
	poll   lanes.Poll
	by     int
	number session.Poll
	asked  time.Time
}

// modelAbort is an abort of a run that was sent, until it has returned.
type modelAbort struct {
	by     int
	key    lanes.SessionKey
	deaf   bool // its deliveries don't heed their context
	ref    *refAbort
	let    chan error
	result chan lanes.Aborted
}

var errUnreachable = errors.New("no route to host")

func newSessionModel(t *rapid.T, hide func(lanes.Store) lanes.Store) *sessionModel {
	m := &sessionModel{memories: []*lanes.Memory{lanes.NewMemory(epoch), lanes.NewMemory(epoch)}}
	shared, own := map[string]*refDirectory{}, map[string]*refDirectory{}
	m.refs = []map[string]*refDirectory{shared, shared, own}
	m.leases = []modelLease{{by: -1}}
	first, second := hide(m.memories[0]), hide(m.memories[1])
	for i, store := range []lanes.Store{first, first, second} {
		manager, err := lanes.Open(lanes.Config{Store: store, Sessions: refBounds})
		if err != nil {
			t.Fatal(err)
		}
		m.sessions = append(m.sessions, manager.Sessions())
		k := lanes.SessionKey{Directory: "d", Session: "a"}
		m.leases = append(m.leases, modelLease{lanes.ForgeSession(m.sessions[i], k, "turn", 0), i, session.Lease(stranger)},
			modelLease{lanes.ForgeSession(nil, k, "turn", 1), i, session.Lease(stranger)})
	}
	return m
}

func (m *sessionModel) number() uint64 { m.last++; return m.last }

// ref returns the reference of a directory, at this time.
func (m *sessionModel) ref(by int, directory string) *refDirectory {
	d := m.refs[by][directory]
	if d == nil {
		d = &refDirectory{sessions: map[string]refSession{}}
		m.refs[by][directory] = d
	}
	d.pass(time.Now())
	return d
}

// check holds an answer against the row that decided it in the reference, whose
// event never changed anything if it is a refusal.
func (m *sessionModel) check(t *rapid.T, by int, k lanes.SessionKey, row session.Row, note lanes.Note, err error) {
	t.Helper()
	info := row.Info()
	if info.Kind != fsm.Refuse {
		if err != nil || note != lanes.Note(info.Code) {
			t.Fatalf("got %q, %v; want %s", note, err, info.Name)
		}
		return
	}
	var got *lanes.Refusal
	if !errors.As(err, &got) || got.Session == nil {
		t.Fatalf("got %v; want %s", err, info.Name)
	}
	event, _, _ := strings.Cut(info.Name, ".")
	view := m.ref(by, k.Directory).view(k.Directory, k.Session)
	want := &lanes.Refusal{Code: lanes.Code(info.Code), Message: got.Message, Machine: "session", Row: info.Name, State: string(view.State), Event: event, Session: &view}
	view.Why = got.Session.Why
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("refusal (-want +got):\n%s", diff)
	}
}

// misused says whether err is the refusal of arguments that aren't good; then it
// must be one.
func misused(t *rapid.T, good bool, code lanes.Code, err error) bool {
	t.Helper()
	if !good && !errors.Is(err, code) {
		t.Fatalf("got %v; want %s", err, code)
	}
	return !good
}

func goodKey(k lanes.SessionKey) bool { return k.Directory != "" && k.Session != "a\n" }

// settle compares everything that can be seen with the reference.
func (m *sessionModel) settle(t *rapid.T) {
	synctest.Wait()
	for by, s := range m.sessions {
		var all []lanes.SessionView
		for _, directory := range []string{"d", "e"} {
			d := m.ref(by, directory)
			for _, id := range []string{"a", "b", "x"} {
				want := d.view(directory, id)
				got, err := s.View(bg, want.SessionKey)
				if err != nil {
					t.Fatal(err)
				}
				late := strings.Contains(strings.ToLower(got.Why), "our run "+d.sessions[id].run)
				if got.NeedsConfirmation != (got.Why != "") || late != (d.sessions[id].late && got.NeedsConfirmation) || got.AbortPending != strings.Contains(got.Why, "abort") {
					t.Fatalf("the words of %+v", got)
				}
				want.Why = got.Why
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("view by manager %d (-want +got):\n%s", by, diff)
				}
				if d.sessions[id].kept() {
					all = append(all, want)
				}
			}
		}
		var got []lanes.SessionView
		for v, err := range s.All(bg) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, v)
		}
		if diff := cmp.Diff(all, got); diff != "" {
			t.Fatalf("all of manager %d (-want +got):\n%s", by, diff)
		}
	}
	m.aborts = slices.DeleteFunc(m.aborts, func(a *modelAbort) bool { return m.returned(t, a) })
}

// returned reports whether a has returned, as it has to.
func (m *sessionModel) returned(t *rapid.T, a *modelAbort) bool {
	want := a.ref.answer != "" && (!a.ref.calling || !a.deaf)
	select {
	case got := <-a.result:
		if !want || got.Answer != a.ref.answer || got.Deliveries != a.ref.deliveries || (got.Err != nil) != (got.Answer == lanes.AbortFailed) {
			t.Fatalf("abort of %v: %+v; want %+v", a.key, got, *a.ref)
		}
	default:
		if want {
			t.Fatalf("abort of %v hasn't returned; want %+v", a.key, *a.ref)
		}
	}
	return want
}

// abort starts an abort, which returns at once or goes on by itself.
func (m *sessionModel) abort(t *rapid.T, by int, k lanes.SessionKey, call func(deliver func(context.Context) error) (lanes.Aborted, error), e session.Abort) {
	deaf := rapid.Bool().Draw(t, "deaf")
	a := &modelAbort{by: by, key: k, deaf: deaf, let: make(chan error), result: make(chan lanes.Aborted, 1)}
	refused := make(chan error, 1)
	go func() {
		got, err := call(func(ctx context.Context) error {
			done := ctx.Done()
			if deaf {
				done = nil
			}
			select {
			case err := <-a.let:
				return err
			case <-done:
				return context.Cause(ctx)
			}
		})
		refused <- err
		a.result <- got
	}()
	synctest.Wait()
	d := m.ref(by, k.Directory)
	row := d.send(k.Session, e, d.now)
	if row == session.AbortSent {
		a.ref = d.aborted(k.Session)
		m.aborts = append(m.aborts, a)
		return
	}
	select {
	case err := <-refused:
		m.check(t, by, k, row, "", err)
		if got := <-a.result; row == session.AbortUnsent && got.Answer != lanes.AbortNotNeeded {
			t.Fatalf("%+v", got)
		}
	default:
		close(a.let)
		t.Fatalf("the abort is delivered; want %s", row)
	}
}

// end lets all aborts return, so that the bubble can end.
func (m *sessionModel) end() {
	for _, a := range m.aborts {
		close(a.let)
	}
	time.Sleep(time.Hour)
}

// TestSessionModel makes random calls, hostile ones too, and lets time pass.
// After every call its answer and all views are what the generated Step says
// they are.
//
//	go test ./lanes -run TestSessionModel -rapid.checks 10000
func TestSessionModel(t *testing.T) {
	onStores(t, func(t *testing.T, hide func(lanes.Store) lanes.Store) {
		rapid.Check(t, func(t *rapid.T) {
			rapid.SyncTest(t, func(t *rapid.T) {
				m := newSessionModel(t, hide)
				defer m.end()
				t.Repeat(map[string]func(*rapid.T){
					"call": func(t *rapid.T) { rapid.SampledFrom(calls).Draw(t, "call")(m, t) },
					"":     m.settle,
				})
			})
		})
	})
}
