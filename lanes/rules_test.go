package lanes_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/lanes"
)

// The tests of this file are the rules of the behaviour text, by their numbers;
// rule 4 is in lease_test.go.

func TestLanesRule1FreeGivesALeaseBusyTheOccupant(t *testing.T) {
	onEach(t, func(t *testing.T, open func() *lanes.Projects) {
		r := open()
		lease := mustClaim(t, r, "p", "first")
		if lease.IsZero() || lease.Project() != "p" || lease.Run() != "first" {
			t.Fatalf("lease is %v", lease)
		}
		_, err := r.Claim(bg, "p", "second")
		no := wantRefusal(t, err, lanes.ErrProjectBusy, "claim.busy")
		want := &lanes.Refusal{
			Code: "PROJECT_BUSY", Message: "another run owns this lane", Machine: "lane", Row: "claim.busy",
			State: "running", Event: "claim", Occupant: &lanes.View{Project: "p", Busy: true, Run: "first", State: "running"},
		}
		if diff := cmp.Diff(want, no); diff != "" {
			t.Fatalf("refusal (-want +got):\n%s", diff)
		}
		mustStop(t, r, lease)
		_, err = r.Claim(bg, "p", "second")
		no = wantRefusal(t, err, lanes.ErrProjectBusy, "claim.busy")
		if diff := cmp.Diff(stopping("p", "first"), *no.Occupant); diff != "" || no.State != "stop_requested" {
			t.Fatalf("state %s, occupant (-want +got):\n%s", no.State, diff)
		}
		// No queue: the second isn't in the lane once the first has gone.
		mustRelease(t, r, lease, lanes.OutcomeCancelled)
		wantView(t, r, free("p"))
	})
}

func TestLanesRule2TheSameLabelIsBusyToo(t *testing.T) {
	onEach(t, func(t *testing.T, open func() *lanes.Projects) {
		r := open()
		lease := mustClaim(t, r, "p", "run")
		got, err := r.Claim(bg, "p", "run")
		wantRefusal(t, err, lanes.ErrProjectBusy, "claim.busy")
		if !got.IsZero() {
			t.Fatal("a refused claim gave a lease")
		}
		mustRelease(t, r, lease, lanes.OutcomeSucceeded)
	})
}

func TestLanesRule3Labels(t *testing.T) {
	r := mustOpen(t)
	good := []string{"a", "Z", "0", "a.b_c-d", "0-", "A..", strings.Repeat("x", 80)}
	bad := []string{
		"", " ", ".a", "_a", "-a", "a b", "a\n", "a\r\n", "\na", "a\x00", "a/b", "a:b", "a@", "é", "aé", "а" /* Cyrillic */, "ａ", /* full width */
		"a\u200b", "a\xff", strings.Repeat("x", 81), strings.Repeat("x", 1<<20),
	}
	for _, label := range good {
		mustRelease(t, r, mustClaim(t, r, label, label), lanes.OutcomeSucceeded)
		wantView(t, r, free(label))
	}
	done := ended(t) // even a context that has ended is looked at later
	for _, label := range bad {
		_, err := r.Claim(done, label, "run")
		no := wantRefusal(t, err, lanes.ErrInvalidLabel, "shell.label")
		if no.Event != "claim" || no.Machine != "lane" || no.State != "" || !strings.HasPrefix(no.Message, "project: ") || len(no.Error()) > 300 {
			t.Fatalf("refusal is %+v", no)
		}
		_, err = r.Claim(done, "free", label)
		wantRefusal(t, err, lanes.ErrInvalidLabel, "shell.label")
		_, err = r.View(done, label)
		if no := wantRefusal(t, err, lanes.ErrInvalidLabel, "shell.label"); no.Event != "view" {
			t.Fatalf("refusal is %+v", no)
		}
	}
	// On a busy lane the label comes first too.
	lease := mustClaim(t, r, "p", "run")
	_, err := r.Claim(bg, "p", "run\n")
	wantRefusal(t, err, lanes.ErrInvalidLabel, "shell.label")
	mustRelease(t, r, lease, lanes.OutcomeSucceeded)
}

// A lease with labels that aren't labels is one that nobody issued.
func TestLanesRule3LeasesAreNeverInvalidLabels(t *testing.T) {
	onEach(t, func(t *testing.T, open func() *lanes.Projects) {
		r := open()
		for _, label := range []string{"", "a\n", strings.Repeat("x", 1<<20)} {
			forged := lanes.Forge(r, label, label, lanes.Fencing{})
			_, err := r.RequestStop(bg, forged)
			wantRefusal(t, err, lanes.ErrLeaseNotCurrent, "requestStop.stale")
			_, err = r.Release(bg, forged, lanes.OutcomeFailed)
			wantRefusal(t, err, lanes.ErrLeaseNotCurrent, "release.stale")
		}
	})
}

func TestLanesRule5OnlyTheExactLeaseActs(t *testing.T) {
	onEach(t, func(t *testing.T, open func() *lanes.Projects) {
		r, same, other := open(), open(), mustOpen(t)
		lease := mustClaim(t, r, "p", "run")
		q := mustClaim(t, r, "q", "run")
		old := mustClaim(t, r, "old", "run")
		mustRelease(t, r, old, lanes.OutcomeSucceeded)
		foreign := mustClaim(t, other, "p", "run")

		f := lease.Fencing()
		stale := map[string]lanes.Lease{
			"another manager's":                 foreign,
			"another run under the right token": lanes.Forge(r, "p", "another", f),
			"another project":                   lanes.Forge(r, "q", "run", f),
			"another token":                     lanes.Forge(r, "p", "run", q.Fencing()),
			"an older token":                    lanes.Forge(r, "p", "run", old.Fencing()),
			"a later token":                     lanes.Forge(r, "p", "run", lanes.Fencing{Epoch: f.Epoch, Number: f.Number + 100}),
			"the token of another epoch":        lanes.Forge(r, "p", "run", lanes.Fencing{Epoch: f.Epoch + 1, Number: f.Number}),
			"no token":                          lanes.Forge(r, "p", "run", lanes.Fencing{}),
			"no token, no manager":              lanes.Forge(nil, "p", "run", lanes.Fencing{}),
			"no manager":                        lanes.Forge(nil, "p", "run", f),
			"the store's other manager's":       lanes.Forge(same, "p", "run", f),
			"a free project's":                  old,
		}
		for name, l := range stale {
			_, err := r.RequestStop(bg, l)
			if wantRefusal(t, err, lanes.ErrLeaseNotCurrent, "requestStop.stale"); t.Failed() {
				t.Fatal(name)
			}
			_, err = r.Release(bg, l, lanes.OutcomeSucceeded)
			wantRefusal(t, err, lanes.ErrLeaseNotCurrent, "release.stale")
			wantView(t, r, running("p", "run"))
			wantView(t, r, running("q", "run"))
		}
		_, err := r.RequestStop(bg, lanes.Lease{})
		if no := wantRefusal(t, err, lanes.ErrInvalidLease, "requestStop.lease"); no.State != "" {
			t.Fatalf("refusal is %+v", no)
		}
		_, err = r.Release(bg, lanes.Lease{}, lanes.OutcomeSucceeded)
		wantRefusal(t, err, lanes.ErrInvalidLease, "release.lease")

		// With two managers on one store, both see the lane; one may act.
		wantView(t, same, running("p", "run"))
		_, err = same.Claim(bg, "p", "run")
		wantRefusal(t, err, lanes.ErrProjectBusy, "claim.busy")
		_, err = same.Release(bg, lease, lanes.OutcomeSucceeded)
		wantRefusal(t, err, lanes.ErrLeaseNotCurrent, "release.stale")

		copied := lease
		if !copied.Equal(lease) || copied.Equal(q) || copied.Equal(lanes.Lease{}) {
			t.Fatal("a copy isn't the lease, or something else is")
		}
		mustStop(t, r, copied)
		mustRelease(t, r, copied, lanes.OutcomeSucceeded)
	})
}

func TestLanesRule6AStopFreesNothing(t *testing.T) {
	onEach(t, func(t *testing.T, open func() *lanes.Projects) {
		r := open()
		lease := mustClaim(t, r, "p", "run")
		for range 3 {
			if diff := cmp.Diff(stopping("p", "run"), mustStop(t, r, lease)); diff != "" {
				t.Fatalf("answer (-want +got):\n%s", diff)
			}
			wantView(t, r, stopping("p", "run"))
			_, err := r.Claim(bg, "p", "next")
			wantRefusal(t, err, lanes.ErrProjectBusy, "claim.busy")
		}
		mustRelease(t, r, lease, lanes.OutcomeSucceeded)
	})
}

func TestLanesRule7ReleaseChecksInOrder(t *testing.T) {
	onEach(t, func(t *testing.T, open func() *lanes.Projects) {
		r := open()
		lease := mustClaim(t, r, "p", "run")
		foreign := lanes.Forge(nil, "p", "run", lanes.Fencing{})
		for _, o := range []lanes.Outcome{"", "Succeeded", "succeeded\n", "done", "Outcome(1)", lanes.Outcome(strings.Repeat("x", 1<<20))} {
			for _, l := range []lanes.Lease{lease, {}, foreign} {
				_, err := r.Release(bg, l, o)
				wantRefusal(t, err, lanes.ErrInvalidOutcome, "release.outcome")
			}
		}
		_, err := r.Release(bg, lanes.Lease{}, lanes.OutcomeFailed)
		wantRefusal(t, err, lanes.ErrInvalidLease, "release.lease")
		_, err = r.Release(bg, foreign, lanes.OutcomeFailed)
		wantRefusal(t, err, lanes.ErrLeaseNotCurrent, "release.stale")
		wantView(t, r, running("p", "run")) // refused: occupied
		mustRelease(t, r, lease, lanes.OutcomeFailed)
		_, err = r.Release(bg, lease, lanes.OutcomeFailed)
		if no := wantRefusal(t, err, lanes.ErrLeaseNotCurrent, "release.stale"); no.State != "free" || no.Event != "release" {
			t.Fatalf("refusal is %+v", no)
		}
	})
}

func TestLanesRule8ReceiptsSayWhatEnded(t *testing.T) {
	onEach(t, func(t *testing.T, open func() *lanes.Projects) {
		r := open()
		for _, o := range outcomes {
			for _, stop := range []bool{false, true} {
				lease := mustClaim(t, r, "p", "run")
				if stop {
					mustStop(t, r, lease)
				}
				got := mustRelease(t, r, lease, o)
				want := lanes.Receipt{Project: "p", Run: "run", Outcome: o, StopRequested: stop}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("receipt (-want +got):\n%s", diff)
				}
				wantView(t, r, free("p"))
			}
		}
	})
}

func TestLanesRule9ALateCallLeavesTheNewerRunAlone(t *testing.T) {
	onEach(t, func(t *testing.T, open func() *lanes.Projects) {
		r := open()
		var old []lanes.Lease
		for range 5 {
			lease := mustClaim(t, r, "p", "run")
			for _, l := range old {
				_, err := r.RequestStop(bg, l)
				wantRefusal(t, err, lanes.ErrLeaseNotCurrent, "requestStop.stale")
				_, err = r.Release(bg, l, lanes.OutcomeSucceeded)
				wantRefusal(t, err, lanes.ErrLeaseNotCurrent, "release.stale")
				wantView(t, r, running("p", "run"))
			}
			mustRelease(t, r, lease, lanes.OutcomeSucceeded)
			old = append(old, lease)
		}
		for i := 1; i < len(old); i++ {
			if old[i].Fencing().Compare(old[i-1].Fencing()) <= 0 {
				t.Fatalf("fencing %v after %v", old[i].Fencing(), old[i-1].Fencing())
			}
		}
	})
}

func TestLanesRule10ViewsAreCopiesAndLeaveNothing(t *testing.T) {
	memory := lanes.NewMemory(epoch)
	r := mustOpen(t, memory)
	for i := range 1000 {
		wantView(t, r, free(fmt.Sprint("unseen-", i)))
	}
	if n := memory.Names(); n != 0 {
		t.Fatalf("views left %d records", n)
	}
	lease := mustClaim(t, r, "p", "run")
	v := view(t, r, "p")
	v.Run, v.Busy = "another", false
	_, err := r.Claim(bg, "p", "next")
	no := wantRefusal(t, err, lanes.ErrProjectBusy, "claim.busy")
	no.Occupant.Run = "another"
	wantView(t, r, running("p", "run"))
	mustRelease(t, r, lease, lanes.OutcomeSucceeded)
	wantView(t, r, free("p"))
	if n := memory.Names(); n != 0 {
		t.Fatalf("a freed lane left %d records", n)
	}
}

func TestLanesRule11ProjectsAreIndependent(t *testing.T) {
	onEach(t, func(t *testing.T, open func() *lanes.Projects) {
		r := open()
		p, q := mustClaim(t, r, "p", "run"), mustClaim(t, r, "q", "run")
		mustStop(t, r, p)
		wantView(t, r, running("q", "run"))
		_, err := r.Claim(bg, "q", "run")
		wantRefusal(t, err, lanes.ErrProjectBusy, "claim.busy")
		wantView(t, r, stopping("p", "run"))
		mustRelease(t, r, p, lanes.OutcomeFailed)
		wantView(t, r, running("q", "run"))
		p = mustClaim(t, r, "p", "run")
		mustRelease(t, r, q, lanes.OutcomeFailed)
		wantView(t, r, running("p", "run"))
		mustRelease(t, r, p, lanes.OutcomeFailed)
	})
}

// One claim of N wins; each loser is told of the one winner, and the winner
// alone can release.
func TestLanesRule12OfNClaimsOneWins(t *testing.T) {
	onEach(t, func(t *testing.T, open func() *lanes.Projects) {
		r := open()
		for round := range 50 {
			project := fmt.Sprint("p", round)
			leases := make([]lanes.Lease, 32)
			errs := make([]error, len(leases))
			atOnce(len(leases), func(i int) { leases[i], errs[i] = r.Claim(bg, project, fmt.Sprint("run", i)) })
			winner := -1
			for i := range leases {
				if errs[i] == nil {
					if winner >= 0 {
						t.Fatalf("both %v and %v", leases[winner], leases[i])
					}
					winner = i
				}
			}
			if winner < 0 {
				t.Fatalf("nobody won: %v", errs)
			}
			for i, err := range errs {
				if i != winner {
					no := wantRefusal(t, err, lanes.ErrProjectBusy, "claim.busy")
					if diff := cmp.Diff(running(project, fmt.Sprint("run", winner)), *no.Occupant); diff != "" {
						t.Fatalf("occupant (-want +got):\n%s", diff)
					}
				}
			}
			mustRelease(t, r, leases[winner], lanes.OutcomeSucceeded)
		}
	})
}

// A store that hangs on one key hangs nobody else, so no lock is held while it
// works.
func TestLanesRule12NoLockAroundTheStore(t *testing.T) {
	hang := &hanging{Store: lanes.NewMemory(epoch), at: "p", entered: make(chan struct{}), leave: make(chan struct{})}
	r := mustOpen(t, hang)
	var wg sync.WaitGroup
	wg.Go(func() {
		if _, err := r.Claim(bg, "p", "run"); err != nil {
			t.Error(err)
		}
	})
	<-hang.entered
	others := make(chan struct{})
	wg.Go(func() {
		defer close(others)
		lease, err := r.Claim(bg, "q", "run")
		for v, e := range r.All(bg) { // whoever ranges over the lanes may use them
			_, err = r.RequestStop(bg, lease)
			err = errors.Join(err, e)
			if v.Project != "q" {
				t.Errorf("%+v is there before its claim is written", v)
			}
		}
		if _, e := r.Release(bg, lease, lanes.OutcomeSucceeded); err != nil || e != nil {
			t.Error(err, e)
		}
	})
	select {
	case <-others:
	case <-time.After(10 * time.Second):
		t.Error("another project waits for a write that hangs")
	}
	close(hang.leave)
	wg.Wait()
	wantView(t, r, running("p", "run"))
}

// Two projects that are used at once hardly ever meet in one lock.
func TestLanesRule12ProjectsAreSpread(t *testing.T) {
	memory := lanes.NewMemory(epoch)
	r := mustOpen(t, memory)
	for i := range 1000 {
		mustClaim(t, r, fmt.Sprint("project-", i), "run")
	}
	if n := memory.Shards(); n < 200 { // of 256; fewer than 240 happen once in a million times
		t.Errorf("1,000 projects share %d locks", n)
	}
}

func TestLanesRule13NeedsReviewFreesAndKeepsNoRecord(t *testing.T) {
	memory := lanes.NewMemory(epoch)
	r := mustOpen(t, memory)
	receipt := mustRelease(t, r, mustClaim(t, r, "p", "run"), lanes.OutcomeNeedsReview)
	if receipt.Outcome != lanes.OutcomeNeedsReview || receipt.WorkExecutedHere {
		t.Fatalf("receipt is %+v", receipt)
	}
	if n := memory.Names(); n != 0 {
		t.Fatalf("%d records are left", n)
	}
	mustClaim(t, r, "p", "next")
}

// A lease that is lost occupies its lane: nothing but it frees the lane, not
// time, not the same label, and not another manager on the same store.
func TestLanesRule14ALostLeaseOccupies(t *testing.T) {
	onEach(t, func(t *testing.T, open func() *lanes.Projects) {
		r := open()
		mustClaim(t, r, "p", "run")
		collectGarbage()
		wantView(t, r, running("p", "run"))
		for _, r := range []*lanes.Projects{r, open()} {
			_, err := r.Claim(bg, "p", "run")
			wantRefusal(t, err, lanes.ErrProjectBusy, "claim.busy")
		}
	})
}
