package lanes_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/lanes"
)

const dir = "/src/web"

func inDir(id string) lanes.SessionKey { return lanes.SessionKey{Directory: dir, Session: id} }

// inBubble runs test in bubbles of virtual time, with the sessions of one manager
// that has the default bounds, on each kind of store.
func inBubble(t *testing.T, test func(t *testing.T, s *lanes.Sessions)) {
	t.Helper()
	onStores(t, func(t *testing.T, hide func(lanes.Store) lanes.Store) {
		synctest.Test(t, func(t *testing.T) {
			test(t, openSessions(t, lanes.Config{Store: hide(lanes.NewMemory(epoch))}))
		})
	})
}

// onStores runs test with stores whose records are changed in place, and with
// those whose records are loaded and swapped, which a Memory is once it is
// hidden. Of the latter some answer that a write conflicts that need not.
func onStores(t *testing.T, test func(t *testing.T, hide func(lanes.Store) lanes.Store)) {
	t.Helper()
	for name, hide := range map[string]func(lanes.Store) lanes.Store{
		"in place":       func(s lanes.Store) lanes.Store { return s },
		"by swap":        func(s lanes.Store) lanes.Store { return bySwap{s} },
		"with conflicts": func(s lanes.Store) lanes.Store { return &contested{Store: s} },
	} {
		t.Run(name, func(t *testing.T) { test(t, hide) })
	}
}

// contested is a store at which another was first at every other write.
type contested struct {
	lanes.Store
	writes atomic.Int64
}

func (c *contested) Swap(ctx context.Context, w lanes.Write) (lanes.Version, error) {
	if c.writes.Add(1)%2 == 1 {
		return lanes.Version{}, fmt.Errorf("contested: %w", lanes.ErrConflict)
	}
	return c.Store.Swap(ctx, w)
}

func openSessions(t testing.TB, c lanes.Config) *lanes.Sessions {
	t.Helper()
	m, err := lanes.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	return m.Sessions()
}

// mustBegin begins a run of the session of that id, confirmed.
func mustBegin(t testing.TB, s *lanes.Sessions, id string) lanes.SessionLease {
	t.Helper()
	lease, err := s.Begin(bg, inDir(id), "turn", true)
	if err != nil || lease.IsZero() {
		t.Fatalf("Begin(%s): %v, %v", id, lease, err)
	}
	return lease
}

func mustSend(t testing.TB, s *lanes.Sessions, lease lanes.SessionLease) {
	t.Helper()
	if note, err := s.Sent(bg, lease); note != "" || err != nil {
		t.Fatalf("Sent(%v): %q, %v", lease, note, err)
	}
}

func startPoll(t testing.TB, s *lanes.Sessions) lanes.Poll {
	t.Helper()
	p, err := s.StartPoll(bg, dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

type list = map[string]lanes.Status

// observe tells p's list, and returns what became of the session of that id;
// the zero Observed if nothing is said of it.
func observe(t testing.TB, p lanes.Poll, l list, id string) lanes.Observed {
	t.Helper()
	o, err := p.Observe(bg, l)
	if err != nil {
		t.Fatal(err)
	}
	for _, seen := range o.Sessions {
		if seen.Session == id {
			return seen
		}
	}
	return lanes.Observed{}
}

// show asks for a list, and tells that it shows the session with that status;
// absent leaves it out.
func show(t testing.TB, s *lanes.Sessions, id string, status lanes.Status) lanes.Observed {
	t.Helper()
	l := list{}
	if status != lanes.StatusAbsent {
		l[id] = status
	}
	return observe(t, startPoll(t, s), l, id)
}

func sessionView(t testing.TB, s *lanes.Sessions, id string) lanes.SessionView {
	t.Helper()
	v, err := s.View(bg, inDir(id))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func wantSession(t testing.TB, s *lanes.Sessions, id string, want lanes.SessionState) {
	t.Helper()
	if v := sessionView(t, s, id); v.State != want {
		t.Fatalf("session %s is %s; want %s", id, v.State, want)
	}
}

// wantNo fails unless err is a refusal of a session with that code, from that
// row, and its view is how the session is.
func wantNo(t testing.TB, s *lanes.Sessions, id string, err error, code lanes.Code, row string) {
	t.Helper()
	no := wantRefusal(t, err, code, row)
	if no.Machine != "session" {
		t.Fatalf("refused by machine %s", no.Machine)
	}
	v := sessionView(t, s, id)
	if no.Session == nil || no.State != string(v.State) {
		t.Fatalf("refusal %+v", no)
	}
	if diff := cmp.Diff(v, *no.Session); diff != "" {
		t.Fatalf("the refusal's view (-want +got):\n%s", diff)
	}
}

// reach brings a session of its own to each state that calls can tell apart,
// and returns its id and the newest lease that it had. It needs a bubble.
func reach(t testing.TB, s *lanes.Sessions, state string) (id string, lease lanes.SessionLease) {
	t.Helper()
	id = state
	if state == "unknown" { // but it has had a lease
		lease = mustBegin(t, s, id)
		if _, err := s.PromptFailed(bg, lease); err != nil {
			t.Fatal(err)
		}
		return id, lease
	}
	lease = mustBegin(t, s, id)
	if state == "starting unsent" {
		return id, lease
	}
	mustSend(t, s, lease)
	switch state {
	case "starting sent":
	case "running":
		show(t, s, id, lanes.StatusBusy)
	case "retrying":
		show(t, s, id, lanes.StatusRetry)
	case "completed":
		show(t, s, id, lanes.StatusBusy)
		show(t, s, id, lanes.StatusAbsent)
	default:
		t.Fatal(state)
	}
	return id, lease
}

var reachable = []string{"unknown", "starting unsent", "starting sent", "running", "retrying", "completed"}

// fails is a delivery that fails.
func fails(context.Context) error { return errors.New("no route to host") }

// works is a delivery that succeeds.
func works(context.Context) error { return nil }

// manual is a clock that is set by hand, and never calls back.
type manual struct{ at *time.Time }

func (m manual) Now() time.Time                                { return *m.at }
func (manual) AfterFunc(d time.Duration, f func()) lanes.Timer { return time.NewTimer(time.Hour) }
