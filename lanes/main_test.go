package lanes_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/interlock-go/interlock/lanes"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bySwap is a store that hides that it is a Memory, so that a manager loads
// and swaps its records as those of any other store.
type bySwap struct{ lanes.Store }

// onEach runs test twice: on records that are changed in place, and on records
// that are loaded and swapped. Managers that test opens share one store.
func onEach(t *testing.T, test func(t *testing.T, open func() *lanes.Projects)) {
	t.Helper()
	now := time.Unix(1_700_000_000, 0)
	for name, store := range map[string]lanes.Store{
		"in place": lanes.NewMemory(now),
		"by swap":  bySwap{lanes.NewMemory(now)},
	} {
		t.Run(name, func(t *testing.T) {
			test(t, func() *lanes.Projects {
				m, err := lanes.Open(lanes.Config{Store: store})
				if err != nil {
					t.Fatal(err)
				}
				return m.Projects()
			})
		})
	}
}

var bg = context.Background()

func mustClaim(t testing.TB, r *lanes.Projects, project, run string) lanes.Lease {
	t.Helper()
	lease, err := r.Claim(bg, project, run)
	if err != nil {
		t.Fatalf("Claim(%s, %s): %v", project, run, err)
	}
	return lease
}

func mustRelease(t testing.TB, r *lanes.Projects, lease lanes.Lease, o lanes.Outcome) lanes.Receipt {
	t.Helper()
	receipt, err := r.Release(bg, lease, o)
	if err != nil {
		t.Fatalf("Release(%v, %s): %v", lease, o, err)
	}
	return receipt
}

func mustStop(t testing.TB, r *lanes.Projects, lease lanes.Lease) lanes.View {
	t.Helper()
	v, err := r.RequestStop(bg, lease)
	if err != nil {
		t.Fatalf("RequestStop(%v): %v", lease, err)
	}
	return v
}

func view(t testing.TB, r *lanes.Projects, project string) lanes.View {
	t.Helper()
	v, err := r.View(bg, project)
	if err != nil {
		t.Fatalf("View(%s): %v", project, err)
	}
	return v
}

// wantView fails unless the lane of v's project looks like v.
func wantView(t testing.TB, r *lanes.Projects, want lanes.View) {
	t.Helper()
	if diff := cmp.Diff(want, view(t, r, want.Project)); diff != "" {
		t.Fatalf("view of %s (-want +got):\n%s", want.Project, diff)
	}
}

// wantRefusal fails unless err is a refusal with that code, from that row.
func wantRefusal(t testing.TB, err error, code lanes.Code, row string) *lanes.Refusal {
	t.Helper()
	var no *lanes.Refusal
	if !errors.As(err, &no) {
		t.Fatalf("got %v; want a refusal %s by %s", err, code, row)
	}
	if no.Code != code || no.Row != row || !errors.Is(err, code) {
		t.Fatalf("refused %s by %s; want %s by %s", no.Code, no.Row, code, row)
	}
	return no
}

func running(project, run string) lanes.View {
	return lanes.View{Project: project, Busy: true, Run: run, State: lanes.StateRunning}
}

func stopping(project, run string) lanes.View {
	return lanes.View{Project: project, Busy: true, Run: run, State: lanes.StateStopRequested}
}

func free(project string) lanes.View { return lanes.View{Project: project} }

var outcomes = []lanes.Outcome{lanes.OutcomeSucceeded, lanes.OutcomeFailed, lanes.OutcomeCancelled, lanes.OutcomeNeedsReview}
