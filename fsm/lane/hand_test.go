package lane_test

import "github.com/interlock-go/interlock/fsm/lane"

// byHand is the lane as one would write it without a table: the same decisions
// and effects, for benchmarks to compare with.
type byHand struct {
	durable        bool
	stopped        bool
	state          lane.State
	holder         lane.Lease // 0: nobody
	fencing        lane.Fence
	claimedFencing lane.Fence
}

// command is an event as byHand and the other engines take it.
type command struct {
	kind    kind
	outcome lane.Outcome
	lease   lane.Lease
	fence   lane.Fence
	seen    lane.Fence
}

type kind uint8

const (
	claim kind = iota
	requestStop
	release
	orphan
	adopt
)

// event returns the command as the generated machine takes it.
func (c command) event() lane.Event {
	switch c.kind {
	case claim:
		return lane.Claim{Lease: c.lease, Fence: c.fence}
	case requestStop:
		return lane.RequestStop{Lease: c.lease}
	case release:
		return lane.Release{Outcome: c.outcome, Lease: c.lease}
	case orphan:
		return lane.Orphan{Seen: c.seen}
	}
	return lane.Adopt{Seen: c.seen, Lease: c.lease, Fence: c.fence}
}

func (l *byHand) step(c command, buf []lane.Effect) (lane.Row, []lane.Effect) {
	switch c.kind {
	case claim:
		return l.claim(c.lease, c.fence), buf
	case requestStop:
		return l.requestStop(c.lease), buf
	case release:
		return l.release(c.outcome, c.lease, buf)
	case orphan:
		return l.orphan(c.seen), buf
	case adopt:
		return l.adopt(c.seen, c.lease, c.fence), buf
	}
	return lane.NoRow, buf
}

func (l *byHand) claim(lease lane.Lease, fence lane.Fence) lane.Row {
	if lease == 0 {
		return lane.ClaimLease
	}
	if l.state != lane.Free {
		return lane.ClaimBusy
	}
	l.state, l.holder = lane.Running, lease
	l.fencing, l.claimedFencing = fence, fence
	return lane.ClaimWon
}

func (l *byHand) requestStop(lease lane.Lease) lane.Row {
	if lease == 0 {
		return lane.RequestStopLease
	}
	if lease != l.holder {
		return lane.RequestStopStale
	}
	if l.state == lane.StopRequested {
		return lane.RequestStopAgain
	}
	l.state = lane.StopRequested
	return lane.RequestStopAsked
}

func (l *byHand) release(outcome lane.Outcome, lease lane.Lease, buf []lane.Effect) (lane.Row, []lane.Effect) {
	if outcome < lane.OutcomeSucceeded || outcome > lane.OutcomeNeedsReview {
		return lane.ReleaseOutcome, buf
	}
	if lease == 0 {
		return lane.ReleaseLease, buf
	}
	if lease != l.holder {
		return lane.ReleaseStale, buf
	}
	buf = append(buf, l.receipt(outcome))
	l.state, l.holder, l.fencing, l.claimedFencing = lane.Free, 0, 0, 0
	return lane.ReleaseFreed, buf
}

func (l *byHand) receipt(outcome lane.Outcome) lane.Effect {
	return lane.Effect{
		Kind: lane.EffectReceipt, Outcome: outcome, StopRequested: l.state == lane.StopRequested,
		Fencing: l.fencing, ClaimedFencing: l.claimedFencing, Recovered: l.fencing != l.claimedFencing,
	}
}

func (l *byHand) orphan(seen lane.Fence) lane.Row {
	if l.state == lane.Free {
		return lane.OrphanFree
	}
	if seen != l.fencing {
		return lane.OrphanMoved
	}
	if !l.durable {
		return lane.OrphanMemory
	}
	if l.state == lane.Orphaned {
		return lane.OrphanAgain
	}
	l.stopped = l.state == lane.StopRequested
	l.state, l.holder = lane.Orphaned, 0
	return lane.OrphanLost
}

func (l *byHand) adopt(seen lane.Fence, lease lane.Lease, fence lane.Fence) lane.Row {
	if lease == 0 {
		return lane.AdoptLease
	}
	if l.state != lane.Orphaned {
		return lane.AdoptNotOrphaned
	}
	if seen != l.fencing {
		return lane.AdoptMoved
	}
	l.holder, l.fencing = lease, fence
	if l.stopped {
		l.state, l.stopped = lane.StopRequested, false
		return lane.AdoptStopping
	}
	l.state = lane.Running
	return lane.AdoptRunning
}
