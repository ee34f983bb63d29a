package lane_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/lane"
)

// TestCase03: a refusal on purpose has its row and code, and Explain says of
// each condition that was asked whether it holds; the values that it read are
// the machine's own. (That a gap is shown before anything runs is the script
// case03_gap of gen/cli.)
func TestCase03(t *testing.T) {
	m := lane.Machine{}
	if d, _ := m.Step(lane.Claim{Lease: 1, Fence: 1}, nil); d.Row != lane.ClaimWon {
		t.Fatal(d)
	}
	late := lane.RequestStop{Lease: 2}
	d, _ := m.Step(late, nil)
	if d.Row != lane.RequestStopStale || d.Row.Info().Code != "LEASE_NOT_CURRENT" {
		t.Fatal(d)
	}
	want := []fsm.Guard{
		{Row: "requestStop.lease", Cond: "lease is outside Lease", Holds: false},
		{Row: "requestStop.stale", Cond: "unless the lease is the holder's", Holds: true},
		{Row: "requestStop.asked", Cond: "from running", Holds: true},
		{Row: "requestStop.again", Cond: "from stop_requested", Holds: false},
		{Row: "requestStop.unheld", Cond: "from free or orphaned", Holds: false},
	}
	if diff := cmp.Diff(want, m.Explain(late)); diff != "" {
		t.Errorf("conditions (-want +got):\n%s", diff)
	}
	if holder := m.Holder.String(); holder != "some(1)" {
		t.Errorf("the value that the condition read is %s", holder)
	}
}
