package lane_test

import (
	"testing"

	"github.com/interlock-go/interlock/fsm/lane"
)

// BenchmarkCycle is claim, requestStop, release of one lane: three decisions
// and one effect. The lower bound is written by hand and has no step at all,
// just a method an event. Command:
//
//	go test -run '^$' -bench Cycle -count 10 ./fsm/lane
func BenchmarkCycle(b *testing.B) {
	b.Run("generated", func(b *testing.B) {
		b.ReportAllocs()
		var m lane.Machine
		var d lane.Decision
		var n uint64
		buf := make([]lane.Effect, 0, 1)
		for b.Loop() {
			n++
			if d, buf = m.Step(lane.Claim{Lease: lane.Lease(n), Fence: lane.Fence(n)}, buf[:0]); d.Row != lane.ClaimWon {
				b.Fatal(d)
			}
			if d, buf = m.Step(lane.RequestStop{Lease: lane.Lease(n)}, buf); d.Row != lane.RequestStopAsked {
				b.Fatal(d)
			}
			if d, buf = m.Step(lane.Release{Outcome: lane.OutcomeFailed, Lease: lane.Lease(n)}, buf); d.Row != lane.ReleaseFreed {
				b.Fatal(d)
			}
		}
	})
	b.Run("switch by hand", func(b *testing.B) {
		b.ReportAllocs()
		var l byHand
		var row lane.Row
		var n uint64
		buf := make([]lane.Effect, 0, 1)
		for b.Loop() {
			n++
			if row, buf = l.step(command{kind: claim, lease: lane.Lease(n), fence: lane.Fence(n)}, buf[:0]); row != lane.ClaimWon {
				b.Fatal(row)
			}
			if row, buf = l.step(command{kind: requestStop, lease: lane.Lease(n)}, buf); row != lane.RequestStopAsked {
				b.Fatal(row)
			}
			if row, buf = l.step(command{kind: release, outcome: lane.OutcomeFailed, lease: lane.Lease(n)}, buf); row != lane.ReleaseFreed {
				b.Fatal(row)
			}
		}
	})
	b.Run("methods by hand", func(b *testing.B) {
		b.ReportAllocs()
		var l byHand
		var row lane.Row
		var n uint64
		buf := make([]lane.Effect, 0, 1)
		for b.Loop() {
			n++
			if row = l.claim(lane.Lease(n), lane.Fence(n)); row != lane.ClaimWon {
				b.Fatal(row)
			}
			if row = l.requestStop(lane.Lease(n)); row != lane.RequestStopAsked {
				b.Fatal(row)
			}
			if row, buf = l.release(lane.OutcomeFailed, lane.Lease(n), buf[:0]); row != lane.ReleaseFreed {
				b.Fatal(row)
			}
		}
	})
	b.Run("looplab", func(b *testing.B) { peerCycle(b, newLooplab()) })
	b.Run("stateless", func(b *testing.B) { peerCycle(b, newStateless()) })
}

func peerCycle(b *testing.B, p *peer) {
	b.ReportAllocs()
	var row lane.Row
	var n uint64
	buf := make([]lane.Effect, 0, 1)
	cycle := [...]command{
		{kind: claim},
		{kind: requestStop},
		{kind: release, outcome: lane.OutcomeFailed},
	}
	want := [...]lane.Row{lane.ClaimWon, lane.RequestStopAsked, lane.ReleaseFreed}
	for b.Loop() {
		n++
		buf = buf[:0]
		for i := range cycle {
			c := &cycle[i]
			c.lease, c.fence = lane.Lease(n), lane.Fence(n)
			if row, buf = p.step(c, buf); row != want[i] {
				b.Fatal(row)
			}
		}
	}
}
