package lane_test

import (
	"context"
	"testing"

	looplab "github.com/looplab/fsm"
	"github.com/qmuntal/stateless"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/interlock-go/interlock/fsm/lane"
)

// peer is the lane without a store (no orphan, no adopt) on another state
// machine library. Commands go by pointer, so that boxing them costs nothing.
type peer struct {
	byHand
	cmd  *command
	row  lane.Row
	buf  []lane.Effect
	fire func(c *command) error
}

func (p *peer) step(c *command, buf []lane.Effect) (lane.Row, []lane.Effect) {
	p.cmd, p.row, p.buf = c, lane.NoRow, buf
	_ = p.fire(c) // what it says about a refusal is in row
	return p.row, p.buf
}

func (p *peer) won(c *command) {
	p.holder, p.fencing, p.claimedFencing = c.lease, c.fence, c.fence
	p.row = lane.ClaimWon
}

func (p *peer) freed(c *command, stop bool) {
	p.buf = append(p.buf, lane.Effect{
		Kind: lane.EffectReceipt, Outcome: c.outcome, StopRequested: stop,
		Fencing: p.fencing, ClaimedFencing: p.claimedFencing, Recovered: p.fencing != p.claimedFencing,
	})
	p.holder, p.fencing, p.claimedFencing = 0, 0, 0
	p.row = lane.ReleaseFreed
}

// refused returns the row of the first check that holds, or NoRow.
func (p *peer) refused(c *command) lane.Row {
	switch {
	case c.kind == release && (c.outcome < lane.OutcomeSucceeded || c.outcome > lane.OutcomeNeedsReview):
		return lane.ReleaseOutcome
	case c.lease == 0:
		return [...]lane.Row{lane.ClaimLease, lane.RequestStopLease, lane.ReleaseLease}[c.kind]
	case c.kind != claim && c.lease != p.holder:
		return [...]lane.Row{requestStop: lane.RequestStopStale, release: lane.ReleaseStale}[c.kind]
	}
	return lane.NoRow
}

var kindNames = [...]string{claim: "claim", requestStop: "requestStop", release: "release"}

// newLooplab decides in before-callbacks, which cancel what isn't a move; so
// each event needs an edge from each state.
func newLooplab() *peer {
	p := &peer{}
	const free, running, stop = "free", "running", "stop_requested"
	before := func(moves func(src string) lane.Row) looplab.Callback {
		return func(_ context.Context, e *looplab.Event) {
			if p.row = p.refused(p.cmd); p.row == lane.NoRow {
				p.row = moves(e.Src)
			}
			if p.row != lane.NoRow {
				e.Cancel()
			}
		}
	}
	m := looplab.NewFSM(free, looplab.Events{
		{Name: "claim", Src: []string{free, running, stop}, Dst: running},
		{Name: "requestStop", Src: []string{free, running, stop}, Dst: stop},
		{Name: "release", Src: []string{free, running, stop}, Dst: free},
	}, looplab.Callbacks{
		"before_claim": before(func(src string) lane.Row {
			if src != free {
				return lane.ClaimBusy
			}
			return lane.NoRow
		}),
		"before_requestStop": before(func(src string) lane.Row {
			if src == stop {
				return lane.RequestStopAgain
			}
			return lane.NoRow
		}),
		"before_release":    before(func(string) lane.Row { return lane.NoRow }),
		"after_claim":       func(context.Context, *looplab.Event) { p.won(p.cmd) },
		"after_requestStop": func(context.Context, *looplab.Event) { p.row = lane.RequestStopAsked },
		"after_release":     func(_ context.Context, e *looplab.Event) { p.freed(p.cmd, e.Src == stop) },
	})
	ctx := context.Background()
	p.fire = func(c *command) error { return m.Event(ctx, kindNames[c.kind]) }
	return p
}

// newStateless gives each decision a guard and an action.
func newStateless() *peer {
	p := &peer{}
	of := func(args []any) *command { return args[0].(*command) }
	when := func(row lane.Row) stateless.GuardFunc {
		return func(_ context.Context, args ...any) bool { return p.refused(of(args)) == row }
	}
	say := func(row lane.Row) stateless.ActionFunc {
		return func(context.Context, ...any) error { p.row = row; return nil }
	}
	freed := func(stop bool) stateless.ActionFunc {
		return func(_ context.Context, args ...any) error { p.freed(of(args), stop); return nil }
	}
	refusals := func(s *stateless.StateConfiguration) *stateless.StateConfiguration {
		for kind, rows := range [...][]lane.Row{
			claim:       {lane.ClaimLease},
			requestStop: {lane.RequestStopLease, lane.RequestStopStale},
			release:     {lane.ReleaseOutcome, lane.ReleaseLease, lane.ReleaseStale},
		} {
			for _, row := range rows {
				s.InternalTransition(kind, say(row), when(row))
			}
		}
		return s
	}
	const nothing = lane.NoRow
	m := stateless.NewStateMachineWithMode(lane.Free, stateless.FiringImmediate)
	refusals(m.Configure(lane.Free)).
		Permit(int(claim), lane.Running, when(nothing))
	refusals(m.Configure(lane.Running)).
		OnEntryFrom(int(claim), func(_ context.Context, args ...any) error { p.won(of(args)); return nil }).
		OnExitWith(int(release), freed(false)).
		InternalTransition(int(claim), say(lane.ClaimBusy), when(nothing)).
		Permit(int(requestStop), lane.StopRequested, when(nothing)).
		Permit(int(release), lane.Free, when(nothing))
	refusals(m.Configure(lane.StopRequested)).
		OnEntryFrom(int(requestStop), say(lane.RequestStopAsked)).
		OnExitWith(int(release), freed(true)).
		InternalTransition(int(claim), say(lane.ClaimBusy), when(nothing)).
		InternalTransition(int(requestStop), say(lane.RequestStopAgain), when(nothing)).
		Permit(int(release), lane.Free, when(nothing))
	p.fire = func(c *command) error { return m.Fire(int(c.kind), c) }
	return p
}

// TestEnginesAgree keeps the benchmarks honest: what they compare makes the
// same decisions and effects.
func TestEnginesAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		durable := rapid.Bool().Draw(t, "durable")
		m := lane.Machine{Params: lane.Params{Durable: durable}}
		hand := byHand{durable: durable}
		peers := map[string]*peer{"looplab": newLooplab(), "stateless": newStateless()}
		kinds := rapid.SampledFrom([]kind{claim, requestStop, release, orphan, adopt})
		if !durable {
			kinds = rapid.SampledFrom([]kind{claim, requestStop, release})
		}
		small := rapid.Uint64Range(0, 3)
		for range 30 {
			c := command{
				kind: kinds.Draw(t, "kind"), outcome: lane.Outcome(rapid.Uint8Range(0, 5).Draw(t, "outcome")),
				lease: lane.Lease(small.Draw(t, "lease")), fence: lane.Fence(small.Draw(t, "fence")),
				seen: lane.Fence(small.Draw(t, "seen")),
			}
			d, effects := m.Step(c.event(), nil)
			row, byHandEffects := hand.step(c, nil)
			require.Equal(t, d.Row.String(), row.String(), "by hand: %+v", c)
			require.Equal(t, effects, byHandEffects, "by hand: %+v", c)
			if durable {
				continue
			}
			for name, p := range peers {
				row, peerEffects := p.step(&c, nil)
				require.Equal(t, d.Row.String(), row.String(), "%s: %+v", name, c)
				require.Equal(t, effects, peerEffects, "%s: %+v", name, c)
			}
		}
	})
}
