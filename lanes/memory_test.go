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
		leases[i] = mustClaim(t, r, "project-"+strconv.Itoa(i), "run")
	}
	held := heap()
	t.Logf("%d bytes an occupied lane, its lease and its name", (held-before)/n)
	for _, lease := range leases {
		mustRelease(t, r, lease, lanes.OutcomeSucceeded)
	}
	leases = nil
	for i := range n / 10 {
		wantView(t, r, free("unknown-"+strconv.Itoa(i)))
	}
	after := heap()
	t.Logf("the heap was %d KiB, then %d MiB, and is %d KiB", before>>10, held>>20, after>>10)
	if after > before+bound {
		t.Errorf("the heap is %d bytes above where it was", after-before)
	}
	runtime.KeepAlive(r)
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
