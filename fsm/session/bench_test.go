package session_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/session"
)

// TestByHandAgrees keeps the benchmark honest: what it compares makes the same
// decisions.
func TestByHandAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m session.Machine
		var hand byHand
		n := rapid.Uint64Range(1, 3)
		for range 40 {
			c := command{
				kind:   kind(rapid.IntRange(0, int(kinds)-1).Draw(t, "kind")),
				report: session.Report(rapid.IntRange(0, 2).Draw(t, "report")), confirmed: rapid.Bool().Draw(t, "confirmed"),
				run: session.Run(n.Draw(t, "run")), lease: session.Lease(n.Draw(t, "lease")), call: session.Call(n.Draw(t, "call")),
				poll: session.Poll(n.Draw(t, "poll")), settled: session.Poll(n.Draw(t, "settled")) - 1,
			}
			if c.kind == abort && rapid.Bool().Draw(t, "unnamed") {
				c.lease = 0
			}
			d, _ := m.Step(c.event(), nil)
			row := hand.step(&c)
			require.Equal(t, d.Row.String(), row.String(), "%+v", c)
			require.Equal(t, m.State, hand.state, "%s: %+v", row, c)
		}
	})
}

// run is ten calls of two runs: one that is seen to end, and one that is
// aborted. Runs, leases, calls and lists are numbered after n.
func run(tb testing.TB, m *session.Machine, n uint64, buf []session.Effect) {
	var d session.Decision
	if d, _ = m.Step(session.Begin{Run: session.Run(n + 1), Lease: session.Lease(n + 1)}, buf); d.Row != session.BeginBlind {
		tb.Fatal(d)
	}
	if d, _ = m.Step(session.Begin{Run: session.Run(n + 1), Lease: session.Lease(n + 1), Confirmed: true}, buf); d.Row != session.BeginTaken {
		tb.Fatal(d)
	}
	if d, _ = m.Step(session.Sent{Lease: session.Lease(n + 1), Asked: session.Poll(n)}, buf); d.Row != session.SentFirst {
		tb.Fatal(d)
	}
	if d, _ = m.Step(session.Status{Report: session.ReportBusy, Poll: session.Poll(n + 1), Settled: session.Poll(n)}, buf); d.Row != session.StatusBusy {
		tb.Fatal(d)
	}
	if d, _ = m.Step(session.Status{Report: session.ReportAbsent, Poll: session.Poll(n + 2), Settled: session.Poll(n + 1)}, buf); d.Row != session.StatusEnded {
		tb.Fatal(d)
	}
	if d, _ = m.Step(session.Begin{Run: session.Run(n + 2), Lease: session.Lease(n + 2), Confirmed: true}, buf); d.Row != session.BeginTaken {
		tb.Fatal(d)
	}
	if d, _ = m.Step(session.Sent{Lease: session.Lease(n + 2), Asked: session.Poll(n + 2)}, buf); d.Row != session.SentFirst {
		tb.Fatal(d)
	}
	if d, _ = m.Step(session.Abort{Named: fsm.Some(session.Lease(n + 2)), Call: session.Call(n + 1)}, buf); d.Row != session.AbortSent {
		tb.Fatal(d)
	}
	if d, _ = m.Step(session.AbortAnswered{Call: session.Call(n + 1)}, buf); d.Row != session.AbortAnsweredAnswered {
		tb.Fatal(d)
	}
	if d, _ = m.Step(session.TtlExpired{Run: session.Run(n + 2)}, buf); d.Row != session.TtlExpiredForgotten {
		tb.Fatal(d)
	}
}

// runByHand is run by hand.
func runByHand(tb testing.TB, s *byHand, n uint64) {
	c := command{kind: begin, run: session.Run(n + 1), lease: session.Lease(n + 1)}
	next := func(want session.Row) {
		if row := s.step(&c); row != want {
			tb.Fatal(row)
		}
	}
	next(session.BeginBlind)
	c.confirmed = true
	next(session.BeginTaken)
	c = command{kind: sent, lease: session.Lease(n + 1), poll: session.Poll(n)}
	next(session.SentFirst)
	c = command{kind: status, report: session.ReportBusy, poll: session.Poll(n + 1), settled: session.Poll(n)}
	next(session.StatusBusy)
	c = command{kind: status, report: session.ReportAbsent, poll: session.Poll(n + 2), settled: session.Poll(n + 1)}
	next(session.StatusEnded)
	c = command{kind: begin, run: session.Run(n + 2), lease: session.Lease(n + 2), confirmed: true}
	next(session.BeginTaken)
	c = command{kind: sent, lease: session.Lease(n + 2), poll: session.Poll(n + 2)}
	next(session.SentFirst)
	c = command{kind: abort, lease: session.Lease(n + 2), call: session.Call(n + 1)}
	next(session.AbortSent)
	c = command{kind: abortAnswered, call: session.Call(n + 1)}
	next(session.AbortAnsweredAnswered)
	c = command{kind: ttlExpired, run: session.Run(n + 2)}
	next(session.TtlExpiredForgotten)
}

func TestNothingAllocates(t *testing.T) {
	var m session.Machine
	n := uint64(0)
	require.Zero(t, testing.AllocsPerRun(1000, func() { run(t, &m, n, nil); n += 2 }))
}

// BenchmarkRuns is ten calls of two runs. Command:
//
//	go test -run '^$' -bench Runs -count 10 ./fsm/session
func BenchmarkRuns(b *testing.B) {
	b.Run("generated", func(b *testing.B) {
		b.ReportAllocs()
		var m session.Machine
		for n := uint64(0); b.Loop(); n += 2 {
			run(b, &m, n, nil)
		}
	})
	b.Run("by hand", func(b *testing.B) {
		b.ReportAllocs()
		var s byHand
		for n := uint64(0); b.Loop(); n += 2 {
			runByHand(b, &s, n)
		}
	})
}
