package lanes_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/lanes"
)

// The tests of this file are the cases from public reports, by their numbers.

// An update fails half-way, and the state is already new.
func TestCase10ARefusalOrFailureChangesNothing(t *testing.T) {
	store := &failing{Store: lanes.NewMemory(epoch)}
	r := mustOpen(t, store)
	lease := mustClaim(t, r, "p", "run")
	before, err := store.Load(bg, lanes.Key{Machine: "lane", Name: "p"})
	if err != nil {
		t.Fatal(err)
	}
	same := func(what string) {
		t.Helper()
		after, err := store.Load(bg, lanes.Key{Machine: "lane", Name: "p"})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Fatalf("%s changed the record (-before +after):\n%s", what, diff)
		}
	}
	refused := func(what string, err error) {
		t.Helper()
		if no := (*lanes.Refusal)(nil); !errors.As(err, &no) {
			t.Fatalf("%s: %v", what, err)
		}
		same(what)
	}
	_, err = r.Claim(bg, "p", "run")
	refused("a claim", err)
	_, err = r.RequestStop(bg, lanes.Lease{})
	refused("a stop without a lease", err)
	_, err = r.RequestStop(bg, lanes.Forge(r, "p", "run", lanes.Fencing{}))
	refused("a stale stop", err)
	_, err = r.Release(bg, lease, "done")
	refused("no outcome", err)
	_, err = r.Release(bg, lanes.Forge(r, "p", "other", lease.Fencing()), lanes.OutcomeFailed)
	refused("a stale release", err)

	broken := errors.New("the disk is full")
	store.err.Store(&broken)
	for what, call := range map[string]func() error{
		"a stop that fails":    func() error { _, err := r.RequestStop(bg, lease); return err },
		"a release that fails": func() error { _, err := r.Release(bg, lease, lanes.OutcomeFailed); return err },
		"a claim that fails":   func() error { _, err := r.Claim(bg, "q", "run"); return err },
	} {
		if err := call(); !errors.Is(err, broken) {
			t.Fatalf("%s: %v", what, err)
		}
		same(what)
		wantView(t, r, free("q"))
	}
	store.err.Store(nil)
	mustRelease(t, r, lease, lanes.OutcomeSucceeded) // still the lease, see case 48
}

// A cancelled call leaves things as they were, and refuses nothing afterwards.
func TestCase11ACancelledCallChangesNothing(t *testing.T) {
	onEach(t, func(t *testing.T, open func() *lanes.Projects) {
		r := open()
		lease := mustClaim(t, r, "p", "run")
		done := ended(t)
		for what, call := range map[string]func() error{
			"claim":   func() error { _, err := r.Claim(done, "q", "run"); return err },
			"stop":    func() error { _, err := r.RequestStop(done, lease); return err },
			"release": func() error { _, err := r.Release(done, lease, lanes.OutcomeFailed); return err },
			"view":    func() error { _, err := r.View(done, "p"); return err },
			"all": func() error {
				for _, err := range r.All(done) {
					return err
				}
				return nil
			},
		} {
			if err := call(); !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: %v", what, err)
			}
			wantView(t, r, running("p", "run"))
			wantView(t, r, free("q"))
		}
		mustRelease(t, r, lease, lanes.OutcomeSucceeded)
		mustClaim(t, r, "q", "run")
	})
}

// Two callers, one valid and one invalid call at once: each gets its own answer.
func TestCase12EachCallerItsOwnAnswer(t *testing.T) {
	onEach(t, func(t *testing.T, open func() *lanes.Projects) {
		r := open()
		for range 100 {
			lease := mustClaim(t, r, "p", "run")
			atOnce(8, func(i int) {
				switch i {
				case 0:
					if _, err := r.RequestStop(bg, lease); err != nil {
						t.Errorf("the owner's stop: %v", err)
					}
				case 1:
					if v, err := r.View(bg, "p"); err != nil || !v.Busy || v.Run != "run" {
						t.Errorf("a view: %+v, %v", v, err)
					}
				case 2, 3:
					run := fmt.Sprint("run", i)
					if _, err := r.Claim(bg, "p", run); !errors.Is(err, lanes.ErrProjectBusy) {
						t.Errorf("a claim: %v", err)
					}
				case 4, 5:
					if _, err := r.Release(bg, lanes.Forge(nil, "p", "run", lease.Fencing()), lanes.OutcomeFailed); !errors.Is(err, lanes.ErrLeaseNotCurrent) {
						t.Errorf("a stranger's release: %v", err)
					}
				default:
					if _, err := r.Release(bg, lease, "done"); !errors.Is(err, lanes.ErrInvalidOutcome) {
						t.Errorf("a release with no outcome: %v", err)
					}
				}
			})
			mustRelease(t, r, lease, lanes.OutcomeSucceeded)
		}
	})
}

// The same event from 200 callers in one state: exactly one moves.
func TestCase13OneOf200Moves(t *testing.T) {
	onEach(t, func(t *testing.T, open func() *lanes.Projects) {
		r := open()
		for range 20 {
			var claims, releases atomic.Int32
			var lease atomic.Pointer[lanes.Lease]
			atOnce(200, func(i int) {
				if l, err := r.Claim(bg, "p", "run"); err == nil {
					claims.Add(1)
					lease.Store(&l)
				}
			})
			atOnce(200, func(i int) {
				if _, err := r.Release(bg, *lease.Load(), outcomes[i%len(outcomes)]); err == nil {
					releases.Add(1)
				} else if !errors.Is(err, lanes.ErrLeaseNotCurrent) {
					t.Errorf("release: %v", err)
				}
			})
			if claims.Load() != 1 || releases.Load() != 1 {
				t.Fatalf("%d claims and %d releases; want one of each", claims.Load(), releases.Load())
			}
		}
	})
}

// Stop asked, lane freed while work drains.
func TestCase42OccupiedUntilReleasedWithAnOutcome(t *testing.T) {
	onEach(t, func(t *testing.T, open func() *lanes.Projects) {
		r := open()
		lease := mustClaim(t, r, "p", "draining")
		mustStop(t, r, lease)
		if _, err := r.Release(bg, lease, ""); err == nil {
			t.Fatal("released without an outcome")
		}
		_, err := r.Claim(bg, "p", "next")
		no := wantRefusal(t, err, lanes.ErrProjectBusy, "claim.busy")
		if diff := cmp.Diff(stopping("p", "draining"), *no.Occupant); diff != "" {
			t.Fatalf("occupant (-want +got):\n%s", diff)
		}
		receipt := mustRelease(t, r, lease, lanes.OutcomeCancelled)
		if !receipt.StopRequested {
			t.Fatalf("receipt is %+v", receipt)
		}
		mustClaim(t, r, "p", "next")
	})
}

// The release is done, its reply is lost, and the caller tries again after the
// same owner has claimed anew.
func TestCase43ARepeatedReleaseSparesTheNewClaim(t *testing.T) {
	onEach(t, func(t *testing.T, open func() *lanes.Projects) {
		r := open()
		lease := mustClaim(t, r, "p", "owner")
		mustRelease(t, r, lease, lanes.OutcomeSucceeded)
		next := mustClaim(t, r, "p", "owner")
		_, err := r.Release(bg, lease, lanes.OutcomeSucceeded)
		wantRefusal(t, err, lanes.ErrLeaseNotCurrent, "release.stale")
		wantView(t, r, running("p", "owner"))
		mustRelease(t, r, next, lanes.OutcomeSucceeded)
	})
}

// The same, when it is the store that loses the reply.
func TestCase43AnUncertainReleaseIsNoRefusal(t *testing.T) {
	for _, written := range []bool{true, false} {
		store := &failing{Store: lanes.NewMemory(epoch), written: written}
		r := mustOpen(t, store)
		lease := mustClaim(t, r, "p", "owner")
		lost := fmt.Errorf("the line went dead: %w", lanes.ErrStoreUncertain)
		store.err.Store(&lost)
		_, err := r.Release(bg, lease, lanes.OutcomeSucceeded)
		if no := (*lanes.Refusal)(nil); !errors.Is(err, lanes.ErrStoreUncertain) || errors.As(err, &no) {
			t.Fatalf("an unknown result: %v", err)
		}
		store.err.Store(nil)
		if !written {
			mustRelease(t, r, lease, lanes.OutcomeSucceeded)
			continue
		}
		mustClaim(t, r, "p", "owner")
		_, err = r.Release(bg, lease, lanes.OutcomeSucceeded)
		wantRefusal(t, err, lanes.ErrLeaseNotCurrent, "release.stale")
		wantView(t, r, running("p", "owner"))
	}
}

// One owner's manager is used by two goroutines on one lane.
func TestCase44TheSecondClaimIsBusy(t *testing.T) {
	onEach(t, func(t *testing.T, open func() *lanes.Projects) {
		r := open()
		for range 100 {
			var lease atomic.Pointer[lanes.Lease]
			var busy atomic.Int32
			atOnce(2, func(int) {
				l, err := r.Claim(bg, "p", "owner")
				switch {
				case err == nil:
					lease.Store(&l)
				case errors.Is(err, lanes.ErrProjectBusy):
					busy.Add(1)
				default:
					t.Error(err)
				}
			})
			if busy.Load() != 1 || lease.Load() == nil {
				t.Fatalf("%d of 2 claims were refused", busy.Load())
			}
			mustRelease(t, r, *lease.Load(), lanes.OutcomeSucceeded)
		}
	})
}

// Case 48: a claim or release that the store failed has done nothing, and works
// when it is made again; after one that nobody knows the result of, the next call
// tells. Never do two own a lane.
func TestCase48AnUnreliableStore(t *testing.T) {
	failed, unsure := 0, 0
	for seed := range seedsOr(t, 100) {
		r := mustOpen(t, newUnreliable(seed))
		var owners, faults, doubts atomic.Int32
		atOnce(4, func(int) {
			for range 20 {
				lease, err := r.Claim(bg, "p", "run")
				switch {
				case errors.Is(err, lanes.ErrStoreUncertain):
					doubts.Add(1)
					return // it may be occupied by now, under a lease that nobody has
				case errors.Is(err, errDown):
					faults.Add(1)
				}
				if err != nil {
					continue
				}
				if owners.Add(1) > 1 {
					t.Errorf("seed %d: two own the lane", seed)
				}
				owners.Add(-1)
				for maybe := false; ; {
					_, err := r.Release(bg, lease, lanes.OutcomeSucceeded)
					if err == nil {
						break
					}
					if no := (*lanes.Refusal)(nil); errors.As(err, &no) {
						if no.Code != lanes.ErrLeaseNotCurrent || !maybe {
							t.Errorf("seed %d: %v", seed, err)
						}
						break
					}
					faults.Add(1)
					maybe = maybe || errors.Is(err, lanes.ErrStoreUncertain)
				}
			}
		})
		failed += int(faults.Load())
		unsure += int(doubts.Load())
	}
	if failed < 100 || unsure < 50 {
		t.Errorf("%d calls failed, of %d claims nobody knows: that shows little", failed, unsure)
	}
}
