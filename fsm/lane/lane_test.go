package lane_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/lane"
)

// outcomes are all values of lane.Outcome.
var outcomes = []lane.Outcome{lane.OutcomeSucceeded, lane.OutcomeFailed, lane.OutcomeCancelled, lane.OutcomeNeedsReview}

// accepted steps m and demands the row; it returns the effects.
func accepted(t *testing.T, m *lane.Machine, e lane.Event, row lane.Row) []lane.Effect {
	t.Helper()
	d, effects := m.Step(e, nil)
	require.Equal(t, row.String(), d.String())
	require.True(t, row.Info().Kind.Accepted(), row.Info())
	return effects
}

// refused steps m and demands the row, its code, and that nothing changed.
func refused(t *testing.T, m *lane.Machine, e lane.Event, row lane.Row, code string) {
	t.Helper()
	before := *m
	d, effects := m.Step(e, nil)
	require.Equal(t, row.String(), d.String())
	assert.Equal(t, fsm.Info{Name: row.String(), Kind: fsm.Refuse, Code: code}, row.Info())
	assert.Equal(t, before, *m, "a refusal never changes any state")
	assert.Empty(t, effects)
}

// durable returns a lane with a store.
func durable() lane.Machine { return lane.Machine{Params: lane.Params{Durable: true}} }

// held returns a lane with a store that lease 1 holds under number 10.
func held(t *testing.T) lane.Machine {
	m := durable()
	accepted(t, &m, lane.Claim{Lease: 1, Fence: 10}, lane.ClaimWon)
	return m
}

// orphaned returns a lane of number 10 whose holder was lost; a stop was asked
// for before if stopped.
func orphaned(t *testing.T, stopped bool) lane.Machine {
	m := held(t)
	if stopped {
		accepted(t, &m, lane.RequestStop{Lease: 1}, lane.RequestStopAsked)
	}
	accepted(t, &m, lane.Orphan{Seen: 10}, lane.OrphanLost)
	return m
}

func TestRule1ClaimOnAFreeLaneGivesALease(t *testing.T) {
	m := held(t)
	assert.Equal(t, lane.Running, m.State)
	assert.True(t, m.Holder.Is(1))
	assert.Equal(t, lane.Fence(10), m.Fencing)
	assert.Equal(t, lane.Fence(10), m.ClaimedFencing)
}

func TestRule1ClaimOnAnOccupiedLaneIsBusy(t *testing.T) {
	stopping := held(t)
	accepted(t, &stopping, lane.RequestStop{Lease: 1}, lane.RequestStopAsked)
	for _, m := range []lane.Machine{held(t), stopping, orphaned(t, false)} {
		refused(t, &m, lane.Claim{Lease: 2, Fence: 11}, lane.ClaimBusy, "PROJECT_BUSY")
	}
}

func TestRule2ClaimingAgainNeverRecoversALease(t *testing.T) {
	m := held(t)
	refused(t, &m, lane.Claim{Lease: 1, Fence: 10}, lane.ClaimBusy, "PROJECT_BUSY")
}

// Rules 3 and 4, labels and tokens, are the shell's. A forged lease reaches
// the machine as a serial that was never issued.
func TestRule5OnlyTheCurrentLeaseActs(t *testing.T) {
	for name, m := range map[string]lane.Machine{"held": held(t), "free": durable(), "orphaned": orphaned(t, true)} {
		t.Run(name, func(t *testing.T) {
			refused(t, &m, lane.RequestStop{Lease: 99}, lane.RequestStopStale, "LEASE_NOT_CURRENT")
			refused(t, &m, lane.Release{Outcome: lane.OutcomeFailed, Lease: 99}, lane.ReleaseStale, "LEASE_NOT_CURRENT")
			refused(t, &m, lane.RequestStop{}, lane.RequestStopLease, "INVALID_LEASE")
			refused(t, &m, lane.Release{Outcome: lane.OutcomeFailed}, lane.ReleaseLease, "INVALID_LEASE")
		})
	}
}

func TestRule6RequestStopKeepsTheLaneOccupied(t *testing.T) {
	m := held(t)
	before := m
	assert.Empty(t, accepted(t, &m, lane.RequestStop{Lease: 1}, lane.RequestStopAsked))
	before.State = lane.StopRequested
	assert.Equal(t, before, m, "nothing else changes")

	accepted(t, &m, lane.RequestStop{Lease: 1}, lane.RequestStopAgain)
	assert.Equal(t, before, m, "asking again changes nothing")
	assert.Equal(t, fsm.Info{Name: "requestStop.again", Kind: fsm.Stay, Code: "ALREADY_REQUESTED"}, lane.RequestStopAgain.Info())
	refused(t, &m, lane.Claim{Lease: 2, Fence: 11}, lane.ClaimBusy, "PROJECT_BUSY")
}

func TestRule7EveryOutcomeWithAndWithoutAStop(t *testing.T) {
	for _, outcome := range outcomes {
		for _, stop := range []bool{false, true} {
			m := held(t)
			if stop {
				accepted(t, &m, lane.RequestStop{Lease: 1}, lane.RequestStopAsked)
			}
			accepted(t, &m, lane.Release{Outcome: outcome, Lease: 1}, lane.ReleaseFreed)
			assert.Equal(t, durable(), m, "%v, stop %v: the lane is as it was", outcome, stop)
		}
	}
}

func TestRule7ChecksOfReleaseInOrder(t *testing.T) {
	m := held(t)
	for _, outcome := range []lane.Outcome{0, lane.OutcomeNeedsReview + 1, 255} {
		refused(t, &m, lane.Release{Outcome: outcome}, lane.ReleaseOutcome, "INVALID_OUTCOME")
		refused(t, &m, lane.Release{Outcome: outcome, Lease: 1}, lane.ReleaseOutcome, "INVALID_OUTCOME")
	}
	refused(t, &m, lane.Release{Outcome: lane.OutcomeFailed}, lane.ReleaseLease, "INVALID_LEASE")
	refused(t, &m, lane.Release{Outcome: lane.OutcomeFailed, Lease: 2}, lane.ReleaseStale, "LEASE_NOT_CURRENT")
}

func TestRule7ReleasingTwice(t *testing.T) {
	m := held(t)
	accepted(t, &m, lane.Release{Outcome: lane.OutcomeSucceeded, Lease: 1}, lane.ReleaseFreed)
	refused(t, &m, lane.Release{Outcome: lane.OutcomeSucceeded, Lease: 1}, lane.ReleaseStale, "LEASE_NOT_CURRENT")
}

func TestRule8ReleaseGivesAReceipt(t *testing.T) {
	for _, stop := range []bool{false, true} {
		m := held(t)
		if stop {
			accepted(t, &m, lane.RequestStop{Lease: 1}, lane.RequestStopAsked)
		}
		before := []lane.Effect{{Kind: lane.EffectReceipt, Outcome: lane.OutcomeFailed}}
		_, effects := m.Step(lane.Release{Outcome: lane.OutcomeCancelled, Lease: 1}, before)
		assert.Equal(t, append(before, lane.Effect{
			Kind: lane.EffectReceipt, Outcome: lane.OutcomeCancelled, StopRequested: stop, Fencing: 10, ClaimedFencing: 10,
		}), effects, "appended to what the caller had")
	}
}

func TestRule9ALateReleaseLeavesTheNewerRunAlone(t *testing.T) {
	m := held(t)
	accepted(t, &m, lane.Release{Outcome: lane.OutcomeSucceeded, Lease: 1}, lane.ReleaseFreed)
	accepted(t, &m, lane.Claim{Lease: 2, Fence: 11}, lane.ClaimWon)
	refused(t, &m, lane.Release{Outcome: lane.OutcomeSucceeded, Lease: 1}, lane.ReleaseStale, "LEASE_NOT_CURRENT")
	refused(t, &m, lane.RequestStop{Lease: 1}, lane.RequestStopStale, "LEASE_NOT_CURRENT")
	assert.True(t, m.Holder.Is(2))
}

func TestRule15WithoutAStoreNothingIsOrphaned(t *testing.T) {
	var m lane.Machine
	refused(t, &m, lane.Orphan{}, lane.OrphanFree, "NOT_OCCUPIED")
	m.Step(lane.Claim{Lease: 1, Fence: 10}, nil)
	refused(t, &m, lane.Orphan{Seen: m.Fencing}, lane.OrphanMemory, "NO_STORE")
	refused(t, &m, lane.Adopt{Seen: m.Fencing, Lease: 2, Fence: 11}, lane.AdoptNotOrphaned, "NOT_ORPHANED")
}

func TestRule16AnOrphanIsOccupiedAndNobodys(t *testing.T) {
	for _, stopped := range []bool{false, true} {
		m := orphaned(t, stopped)
		assert.Equal(t, lane.Orphaned, m.State)
		assert.False(t, m.Holder.HasValue())
		assert.Equal(t, lane.Fence(10), m.Fencing)
		assert.Equal(t, stopped, m.Stopped)
		refused(t, &m, lane.Claim{Lease: 2, Fence: 11}, lane.ClaimBusy, "PROJECT_BUSY")
		refused(t, &m, lane.RequestStop{Lease: 1}, lane.RequestStopStale, "LEASE_NOT_CURRENT")
		refused(t, &m, lane.Release{Outcome: lane.OutcomeNeedsReview, Lease: 1}, lane.ReleaseStale, "LEASE_NOT_CURRENT")
	}
}

func TestRule16ChecksOfOrphanInOrder(t *testing.T) {
	free, m := durable(), held(t)
	refused(t, &free, lane.Orphan{Seen: 7}, lane.OrphanFree, "NOT_OCCUPIED")
	refused(t, &m, lane.Orphan{Seen: 7}, lane.OrphanMoved, "FENCING_MOVED")
	m = orphaned(t, false)
	before := m
	accepted(t, &m, lane.Orphan{Seen: 10}, lane.OrphanAgain)
	assert.Equal(t, before, m)
	assert.Equal(t, "ALREADY_ORPHANED", lane.OrphanAgain.Info().Code)
	refused(t, &m, lane.Orphan{Seen: 7}, lane.OrphanMoved, "FENCING_MOVED")
}

func TestRule17AdoptionRenewsAndKeepsTheStop(t *testing.T) {
	for stopped, want := range map[bool]struct {
		row   lane.Row
		state lane.State
	}{false: {lane.AdoptRunning, lane.Running}, true: {lane.AdoptStopping, lane.StopRequested}} {
		m := orphaned(t, stopped)
		accepted(t, &m, lane.Adopt{Seen: 10, Lease: 2, Fence: 11}, want.row)
		assert.Equal(t, want.state, m.State)
		assert.True(t, m.Holder.Is(2))
		assert.Equal(t, lane.Fence(11), m.Fencing)
		assert.Equal(t, lane.Fence(10), m.ClaimedFencing)
		assert.False(t, m.Stopped)

		refused(t, &m, lane.Release{Outcome: lane.OutcomeSucceeded, Lease: 1}, lane.ReleaseStale, "LEASE_NOT_CURRENT")
		effects := accepted(t, &m, lane.Release{Outcome: lane.OutcomeNeedsReview, Lease: 2}, lane.ReleaseFreed)
		assert.Equal(t, []lane.Effect{{
			Kind: lane.EffectReceipt, Outcome: lane.OutcomeNeedsReview, StopRequested: stopped,
			Fencing: 11, ClaimedFencing: 10, Recovered: true,
		}}, effects)
	}
}

func TestRule17OfTwoAdoptersOneWins(t *testing.T) {
	m := orphaned(t, false)
	refused(t, &m, lane.Adopt{Seen: 9, Lease: 2, Fence: 11}, lane.AdoptMoved, "FENCING_MOVED")
	accepted(t, &m, lane.Adopt{Seen: 10, Lease: 2, Fence: 11}, lane.AdoptRunning)
	refused(t, &m, lane.Adopt{Seen: 10, Lease: 3, Fence: 12}, lane.AdoptNotOrphaned, "NOT_ORPHANED")
	free := durable()
	refused(t, &free, lane.Adopt{Seen: 9, Lease: 2, Fence: 11}, lane.AdoptNotOrphaned, "NOT_ORPHANED")
	refused(t, &free, lane.Adopt{Seen: 9}, lane.AdoptLease, "INVALID_LEASE")
}

func TestExplainSaysWhyARowApplies(t *testing.T) {
	m := orphaned(t, true)
	var holds []string
	for _, g := range m.Explain(lane.Adopt{Seen: 9, Lease: 2, Fence: 11}) {
		if g.Holds {
			holds = append(holds, g.Row+": "+g.Cond)
		}
	}
	assert.Equal(t, []string{
		"adopt.moved: unless the lane is held under the number seen",
		"adopt.running: from orphaned",
		"adopt.stopping: from orphaned",
		"adopt.stopping: when a stop had been asked for",
	}, holds)
}

// TestStepDoesNotAllocate measures every row that may occur, refusals included.
func TestStepDoesNotAllocate(t *testing.T) {
	stopping := held(t)
	accepted(t, &stopping, lane.RequestStop{Lease: 1}, lane.RequestStopAsked)
	inMemory := held(t)
	inMemory.Durable = false
	starts := []lane.Machine{{}, durable(), inMemory, held(t), stopping, orphaned(t, false), orphaned(t, true)}
	buf := make([]lane.Effect, 0, 1)
	seen := map[lane.Row]bool{}
	measure := func(step func(m *lane.Machine) (lane.Decision, []lane.Effect)) {
		for _, start := range starts {
			var m lane.Machine // out here, since &m escapes
			var d lane.Decision
			allocs := testing.AllocsPerRun(10, func() {
				m = start
				d, _ = step(&m)
			})
			assert.Zero(t, allocs, "%v in %v", d, start.State)
			seen[d.Row] = true
		}
	}
	for _, lease := range []lane.Lease{0, 1, 2} {
		for _, n := range []uint8{0, 1, 10} {
			fence, outcome := lane.Fence(n), lane.Outcome(n)
			measure(func(m *lane.Machine) (lane.Decision, []lane.Effect) {
				return m.Step(lane.Claim{Lease: lease, Fence: fence}, buf)
			})
			measure(func(m *lane.Machine) (lane.Decision, []lane.Effect) {
				return m.Step(lane.RequestStop{Lease: lease}, buf)
			})
			measure(func(m *lane.Machine) (lane.Decision, []lane.Effect) {
				return m.Step(lane.Release{Outcome: outcome, Lease: lease}, buf)
			})
			measure(func(m *lane.Machine) (lane.Decision, []lane.Effect) {
				return m.Step(lane.Orphan{Seen: fence}, buf)
			})
			measure(func(m *lane.Machine) (lane.Decision, []lane.Effect) {
				return m.Step(lane.Adopt{Seen: fence, Lease: lease, Fence: 12}, buf)
			})
		}
	}
	for r := lane.NoRow + 1; r <= lane.Rows; r++ {
		assert.Equal(t, r.Info().Kind != fsm.Internal, seen[r], "measured: %v", r)
	}
}

func TestDependsOnTheRuntimeOnly(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	require.NoError(t, err)
	for pkg := range strings.FieldsSeq(string(out)) {
		if first, _, _ := strings.Cut(pkg, "/"); strings.Contains(first, ".") {
			assert.Contains(t, []string{"github.com/interlock-go/interlock/fsm", "github.com/interlock-go/interlock/fsm/lane"}, pkg)
		}
	}
}
