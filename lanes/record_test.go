package lanes_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/lanes"
)

func put(t *testing.T, s lanes.Store, name, data string) {
	t.Helper()
	k := lanes.Key{Machine: "lane", Name: name}
	r, err := s.Load(bg, k)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Swap(bg, lanes.Write{Key: k, Old: r.Version, Data: []byte(data)}); err != nil {
		t.Fatal(err)
	}
}

func record(t *testing.T, s lanes.Store, name string) string {
	t.Helper()
	r, err := s.Load(bg, lanes.Key{Machine: "lane", Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return string(r.Data)
}

// What is in a store is read by later versions: it changes on purpose only.
func TestRecordsAreStable(t *testing.T) {
	for name, hide := range map[string]func(lanes.Store) lanes.Store{
		"in place": func(s lanes.Store) lanes.Store { return s },
		"by swap":  func(s lanes.Store) lanes.Store { return bySwap{s} },
	} {
		t.Run(name, func(t *testing.T) {
			memory := lanes.NewMemory(epoch)
			r := mustOpen(t, hide(memory))
			lease := mustClaim(t, r, "p", "run")
			want := `{"format":1,"state":"running","run":"run"}` // its own version is its fencing
			if name == "in place" {
				want = `{"format":1,"state":"running","run":"run","epoch":1700000000,"fencing":1,"claimed":1}`
			}
			if diff := cmp.Diff(want, record(t, memory, "p")); diff != "" {
				t.Errorf("running (-want +got):\n%s", diff)
			}
			mustStop(t, r, lease)
			want = `{"format":1,"state":"stop_requested","run":"run","epoch":1700000000,"fencing":1,"claimed":1}`
			if diff := cmp.Diff(want, record(t, memory, "p")); diff != "" {
				t.Errorf("stop requested (-want +got):\n%s", diff)
			}
			mustRelease(t, r, lease, lanes.OutcomeFailed)
			if got := record(t, memory, "p"); got != "" {
				t.Errorf("free: %s", got)
			}
		})
	}
}

// One Memory is changed in place by one manager and by swap by another.
func TestBothWaysToARecord(t *testing.T) {
	memory := lanes.NewMemory(epoch)
	inPlace, swaps := mustOpen(t, memory), mustOpen(t, bySwap{memory})
	for _, by := range [][2]*lanes.Projects{{inPlace, swaps}, {swaps, inPlace}} {
		owner, other := by[0], by[1]
		lease := mustClaim(t, owner, "p", "run")
		wantView(t, other, running("p", "run"))
		_, err := other.Claim(bg, "p", "run")
		wantRefusal(t, err, lanes.ErrProjectBusy, "claim.busy")
		_, err = other.Release(bg, lease, lanes.OutcomeFailed)
		wantRefusal(t, err, lanes.ErrLeaseNotCurrent, "release.stale")
		mustStop(t, owner, lease)
		put(t, memory, "p", record(t, memory, "p")) // now encoded, and the same lane
		mustStop(t, owner, lease)
		wantView(t, other, stopping("p", "run"))
		for v, err := range other.All(bg) {
			if diff := cmp.Diff(stopping("p", "run"), v); diff != "" || err != nil {
				t.Fatalf("%v (-want +got):\n%s", err, diff)
			}
		}
		mustRelease(t, owner, lease, lanes.OutcomeFailed)
		wantView(t, other, free("p"))
	}
}

// Each change is a new version of its record, in place too, for those who swap.
func TestChangesAreVersions(t *testing.T) {
	onEachStore(t, func(t *testing.T, memory *lanes.Memory, r *lanes.Projects) {
		var last lanes.Version
		version := func(changed bool) {
			t.Helper()
			rec, err := memory.Load(bg, lanes.Key{Machine: "lane", Name: "p"})
			if err != nil {
				t.Fatal(err)
			}
			if c := rec.Version.Compare(last); changed != (c > 0) || c < 0 {
				t.Fatalf("version %v after %v", rec.Version, last)
			}
			last = rec.Version
		}
		for range 3 {
			lease := mustClaim(t, r, "p", "run")
			version(true)
			mustStop(t, r, lease)
			version(true)
			mustStop(t, r, lease)
			version(false) // a stay
			if _, err := r.Claim(bg, "p", "run"); err == nil {
				t.Fatal("claimed twice")
			}
			version(false)
			mustRelease(t, r, lease, lanes.OutcomeFailed)
		}
	})
}

// A record that can't be read is an error of its own: never a free lane, and
// never overwritten.
func TestUnreadableRecords(t *testing.T) {
	onEachStore(t, func(t *testing.T, memory *lanes.Memory, r *lanes.Projects) {
		other := mustOpen(t)
		for i, data := range []string{
			"x", "null", "{}", "[]", `{"format":2,"state":"running","run":"run"}`, `{"format":1,"state":"Running","run":"run"}`,
			`{"format":1,"state":"free","run":"run"}`, `{"format":1,"state":"draining","run":"run"}`, `{"format":1,"run":"run"}`,
			`{"format":1,"state":"running"}`, `{"format":1,"state":"running","run":"a b"}`, `{"format":1,"state":"running","run":"run"} x`,
			`{"format":1,"state":"running","run":"run","fencing":18446744073709551615}`,
		} {
			name := fmt.Sprint("p", i)
			put(t, memory, name, data)
			lease := mustClaim(t, other, name, "run")
			for what, call := range map[string]func() error{
				"claim":   func() error { _, err := r.Claim(bg, name, "run"); return err },
				"stop":    func() error { _, err := r.RequestStop(bg, lease); return err },
				"release": func() error { _, err := r.Release(bg, lease, lanes.OutcomeFailed); return err },
				"view":    func() error { _, err := r.View(bg, name); return err },
				"all": func() error {
					var last error
					for _, err := range r.All(bg) {
						last = err
					}
					return last
				},
			} {
				err := call()
				if no := (*lanes.Refusal)(nil); !errors.Is(err, lanes.ErrRecord) || errors.As(err, &no) {
					t.Errorf("%s of %s: %v", what, data, err)
				}
				var unknown *fsm.UnknownError // case 22
				if strings.Contains(data, "draining") && what != "all" && (!errors.As(err, &unknown) || unknown.Name != "draining" || unknown.Table == "") {
					t.Errorf("%s of %s: %v", what, data, err)
				}
				if err != nil && !strings.Contains(err.Error(), `"p`) {
					t.Errorf("%s of %s doesn't say whose record: %v", what, data, err)
				}
			}
			if got := record(t, memory, name); got != data {
				t.Errorf("%s became %s", data, got)
			}
		}
	})
}

// An orphaned lane, as a later version may leave one, is busy and nobody's.
func TestOrphanedRecord(t *testing.T) {
	onEachStore(t, func(t *testing.T, memory *lanes.Memory, r *lanes.Projects) {
		put(t, memory, "p", `{"format":1,"state":"orphaned","run":"lost","epoch":1,"fencing":7,"claimed":7,"stopped":true}`)
		wantView(t, r, lanes.View{Project: "p", Busy: true, Run: "lost", State: "orphaned"})
		_, err := r.Claim(bg, "p", "run")
		wantRefusal(t, err, lanes.ErrProjectBusy, "claim.busy")
		lost := lanes.Forge(r, "p", "lost", lanes.Fencing{Epoch: 1, Number: 7})
		_, err = r.RequestStop(bg, lost)
		wantRefusal(t, err, lanes.ErrLeaseNotCurrent, "requestStop.stale")
		_, err = r.Release(bg, lost, lanes.OutcomeFailed)
		wantRefusal(t, err, lanes.ErrLeaseNotCurrent, "release.stale")
	})
}

func onEachStore(t *testing.T, test func(t *testing.T, memory *lanes.Memory, r *lanes.Projects)) {
	t.Run("in place", func(t *testing.T) {
		memory := lanes.NewMemory(epoch)
		test(t, memory, mustOpen(t, memory))
	})
	t.Run("by swap", func(t *testing.T) {
		memory := lanes.NewMemory(epoch)
		test(t, memory, mustOpen(t, bySwap{memory}))
	})
}
