package lanes_test

import (
	"runtime"
	"strconv"
	"testing"

	"github.com/interlock-go/interlock/lanes"
)

// 1,000,000 projects at once, claimed and released: the heap is back within
// 5 MiB of where it was.
func TestCase41AMillionProjectsLeaveNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a few seconds")
	}
	const n, bound = 1_000_000, 5 << 20
	r := mustOpen(t)
	before := heap()
	leases := make([]lanes.Lease, n)
	for i := range leases {
		lease, err := r.Claim(bg, "project-"+strconv.Itoa(i), "run")
		if err != nil {
			t.Fatal(err)
		}
		leases[i] = lease
	}
	held := heap()
	t.Logf("%d bytes an occupied lane, its lease and its name", (held-before)/n)
	for _, lease := range leases {
		if _, err := r.Release(bg, lease, lanes.OutcomeSucceeded); err != nil {
			t.Fatal(err)
		}
	}
	leases = nil
	for i := range n {
		if v, err := r.View(bg, "unknown-"+strconv.Itoa(i)); err != nil || v.Busy {
			t.Fatalf("%+v, %v", v, err)
		}
	}
	after := heap()
	t.Logf("the heap was %d KiB, then %d MiB, and is %d KiB", before>>10, held>>20, after>>10)
	if after > before+bound {
		t.Errorf("the heap is %d bytes above where it was", after-before)
	}
	runtime.KeepAlive(r)
}

// A claim and its release allocate once: the lane, which is the lease too.
func TestOneAllocation(t *testing.T) {
	r := mustOpen(t)
	allocated := testing.AllocsPerRun(1000, func() {
		lease, err := r.Claim(bg, "p", "run")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.RequestStop(bg, lease); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Release(bg, lease, lanes.OutcomeSucceeded); err != nil {
			t.Fatal(err)
		}
	})
	if allocated > 1 {
		t.Errorf("%v allocations", allocated)
	}
}

// Few lanes stay, in maps that were large.
func TestMapsAreRebuilt(t *testing.T) {
	const n = 200_000
	r := mustOpen(t)
	before := heap()
	leases := make([]lanes.Lease, n)
	for i := range leases {
		leases[i] = mustClaim(t, r, strconv.Itoa(i), "run")
	}
	for i, lease := range leases {
		if i%1000 != 0 {
			mustRelease(t, r, lease, lanes.OutcomeSucceeded)
		}
	}
	clear(leases)
	left := 0
	for v, err := range r.All(bg) {
		if i, _ := strconv.Atoi(v.Project); err != nil || i%1000 != 0 {
			t.Fatalf("%+v, %v", v, err)
		}
		left++
	}
	if left != n/1000 {
		t.Fatalf("%d lanes are left", left)
	}
	leases = nil
	if after := heap(); after > before+1<<20 {
		t.Errorf("the heap is %d bytes above where it was, for %d lanes", after-before, left)
	}
	runtime.KeepAlive(r)
}

func heap() uint64 {
	collectGarbage()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
