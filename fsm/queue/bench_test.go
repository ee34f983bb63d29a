package queue_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/queue"
)

// TestByHandAgrees keeps the benchmarks honest: what they compare makes the
// same decisions and effects.
func TestByHandAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		params := queue.Params{
			Cap: rapid.IntRange(1, 3).Draw(t, "cap"), Keep: rapid.IntRange(0, 3).Draw(t, "keep"),
			Durable: rapid.Bool().Draw(t, "durable"),
		}
		m := queue.Machine{Params: params}
		hand := byHand{cap: params.Cap, keep: params.Keep, durable: params.Durable}
		for range 40 {
			c := command{
				kind:   kind(rapid.IntRange(0, int(kinds)-1).Draw(t, "kind")),
				report: queue.Report(rapid.IntRange(0, 3).Draw(t, "report")),
				id:     rapid.SampledFrom([]queue.Id{"a", "b", "c", "d", "e", ""}).Draw(t, "id"),
				owner:  rapid.SampledFrom([]queue.Owner{"u", "v", ""}).Draw(t, "owner"),
				room:   rapid.Bool().Draw(t, "room"),
			}
			c.ticket = queue.Ticket(rapid.Uint64Range(0, uint64(m.Newest)+1).Draw(t, "ticket"))
			if c.kind == submit && c.ticket != 0 {
				c.ticket = m.Newest + 1
			}
			c.fencing = queue.Fence(rapid.Uint64Range(0, 2).Draw(t, "fencing"))
			c.fence = queue.Fence(rapid.Uint64Range(1, 3).Draw(t, "fence"))
			d, effects := m.Step(c.event(), nil)
			byHand, byHandEffects := hand.step(&c, nil)
			require.Equal(t, d, byHand, "%s, by hand %s: %+v", d, byHand, c)
			require.Equal(t, effects, byHandEffects, "%+v", c)
			require.Equal(t, m.Waiting.Len(), hand.waiting)
			require.Len(t, hand.tickets, len(m.Tickets))
		}
	})
}

// session is eleven calls of one session, from its first ticket to its end, after
// which nothing of it is left. Tickets are numbered after base.
func session(tb testing.TB, m *queue.Machine, base queue.Ticket, buf []queue.Effect) []queue.Effect {
	a, b, c := base+1, base+2, base+3
	var d queue.Decision
	if d, buf = m.Step(queue.Submit{Ticket: a, Id: "a", Owner: "u", Room: true}, buf[:0]); d.Row != queue.SubmitFirst {
		tb.Fatal(d)
	}
	if d, buf = m.Step(queue.Submit{Ticket: b, Id: "b", Owner: "u"}, buf[:0]); d.Row != queue.SubmitBusy {
		tb.Fatal(d)
	}
	if d, buf = m.Step(queue.Submit{Ticket: c, Id: "c", Owner: "v"}, buf[:0]); d.Row != queue.SubmitBusy {
		tb.Fatal(d)
	}
	if d, buf = m.Step(queue.Submit{Ticket: base + 4, Id: "d", Owner: "v"}, buf[:0]); d.Row != queue.SubmitFull {
		tb.Fatal(d)
	}
	if d, buf = m.Step(queue.Interrupt{Ticket: a, Owner: "u"}, buf[:0]); d.Row != queue.InterruptAsked {
		tb.Fatal(d)
	}
	if d, buf = m.Step(queue.End{Ticket: a, Report: queue.ReportCompleted}, buf[:0]); d.Then != queue.HandOverNext {
		tb.Fatal(d)
	}
	if d, buf = m.Step(queue.Leave{Ticket: b}, buf[:0]); d.Row != queue.LeaveAdmitted {
		tb.Fatal(d)
	}
	if d, buf = m.Step(queue.CancelQueued{Ticket: c, Owner: "v"}, buf[:0]); d.Row != queue.CancelQueuedTaken {
		tb.Fatal(d)
	}
	if d, buf = m.Step(queue.Close{}, buf[:0]); d.Row != queue.CloseTold {
		tb.Fatal(d)
	}
	if d, buf = m.Step(queue.End{Ticket: b, Report: queue.ReportFailed}, buf[:0]); d.Then != queue.HandOverClosed {
		tb.Fatal(d)
	}
	if d, buf = m.Step(queue.CleanUp{}, buf[:0]); d.Row != queue.CleanUpClosedIdle {
		tb.Fatal(d)
	}
	return buf
}

// calls are those of session, as byHand takes them.
var calls = [...]struct {
	command
	want queue.Decision
}{
	{command{kind: submit, ticket: 1, id: "a", owner: "u", room: true}, queue.Decision{Row: queue.SubmitFirst}},
	{command{kind: submit, ticket: 2, id: "b", owner: "u"}, queue.Decision{Row: queue.SubmitBusy}},
	{command{kind: submit, ticket: 3, id: "c", owner: "v"}, queue.Decision{Row: queue.SubmitBusy}},
	{command{kind: submit, ticket: 4, id: "d", owner: "v"}, queue.Decision{Row: queue.SubmitFull}},
	{command{kind: interrupt, ticket: 1, owner: "u"}, queue.Decision{Row: queue.InterruptAsked}},
	{command{kind: end, ticket: 1, report: queue.ReportCompleted}, queue.Decision{Row: queue.EndCancelled, Then: queue.HandOverNext}},
	{command{kind: leave, ticket: 2}, queue.Decision{Row: queue.LeaveAdmitted}},
	{command{kind: cancelQueued, ticket: 3, owner: "v"}, queue.Decision{Row: queue.CancelQueuedTaken}},
	{command{kind: closeSession}, queue.Decision{Row: queue.CloseTold}},
	{command{kind: end, ticket: 2, report: queue.ReportFailed}, queue.Decision{Row: queue.EndCancelled, Then: queue.HandOverClosed}},
	{command{kind: cleanUp}, queue.Decision{Row: queue.CleanUpClosedIdle}},
}

// BenchmarkSession is eleven calls: four submits, one of them refused, an
// interrupt, an end, a waiter that was admitted in time, a cancel, a close, an end
// and a clean-up. Command:
//
//	go test -run '^$' -bench Session -count 10 ./fsm/queue
func BenchmarkSession(b *testing.B) {
	b.Run("generated", func(b *testing.B) {
		b.ReportAllocs()
		m := queue.Machine{Params: queue.Params{Cap: 2, Keep: 64}}
		buf := make([]queue.Effect, 0, 8)
		for base := queue.Ticket(0); b.Loop(); base += 4 {
			buf = session(b, &m, base, buf)
		}
	})
	b.Run("by hand", func(b *testing.B) {
		b.ReportAllocs()
		q := byHand{cap: 2, keep: 64}
		buf := make([]queue.Effect, 0, 8)
		var d queue.Decision
		for base := queue.Ticket(0); b.Loop(); base += 4 {
			for i := range calls {
				c := &calls[i].command
				c.ticket += base
				d, buf = q.step(c, buf[:0])
				if c.ticket -= base; d != calls[i].want {
					b.Fatal(d)
				}
			}
		}
	})
}

// line is a session in which a ticket runs and so many wait.
type line struct {
	queue.Machine
	waiting                 int
	running, middle, newest queue.Ticket // the middle one of those that wait
	free                    fsm.FIFO[queue.Id]
	buf                     []queue.Effect
}

func newLine(waiting, keep int) *line {
	l := &line{Machine: queue.Machine{Params: queue.Params{Cap: waiting, Keep: keep, Durable: true}}, waiting: waiting}
	for i := range waiting + keep + 2 {
		l.free.Push(queue.Id("run " + strconv.Itoa(i)))
	}
	l.fill()
	return l
}

// fill submits until they wait.
func (l *line) fill() {
	l.running = l.newest + 1
	l.middle = l.running + queue.Ticket(l.waiting+1)/2
	for range l.waiting + 1 {
		l.submit()
	}
}

func (l *line) submit() (d queue.Decision) {
	l.newest++
	d, l.buf = l.Step(queue.Submit{Ticket: l.newest, Id: l.free.Pop(), Owner: "u", Room: true}, l.buf[:0])
	return d
}

// reuse gives the id of a ticket to one that comes later, when the session has
// forgotten it.
func (l *line) reuse(t queue.Ticket) { l.free.Push(l.Tickets[t].Id.Value()) }

// turn ends the ticket that runs; the next one runs, and another one waits.
func (l *line) turn(tb testing.TB) {
	l.reuse(l.running)
	var d queue.Decision
	if d, l.buf = l.Step(queue.End{Ticket: l.running, Report: queue.ReportCompleted}, l.buf[:0]); d.Then != queue.HandOverNext {
		tb.Fatal(d)
	}
	l.running++
	if d = l.submit(); d.Row != queue.SubmitBusy {
		tb.Fatal(d)
	}
}

// leave takes the middle one out of the line, and another one waits.
func (l *line) leave(tb testing.TB) {
	l.reuse(l.middle)
	var d queue.Decision
	if d, l.buf = l.Step(queue.Leave{Ticket: l.middle}, l.buf[:0]); d.Row != queue.LeaveGaveUp {
		tb.Fatal(d)
	}
	l.middle++ // as one was taken out before it
	if d = l.submit(); d.Row != queue.SubmitBusy {
		tb.Fatal(d)
	}
}

// refuse has calls that change nothing.
func (l *line) refuse(tb testing.TB) {
	var d queue.Decision
	if d, l.buf = l.Step(queue.Submit{Ticket: l.newest + 1, Id: "another", Owner: "u"}, l.buf[:0]); d.Row != queue.SubmitFull {
		tb.Fatal(d)
	}
	if d, l.buf = l.Step(queue.Interrupt{Ticket: l.newest, Owner: "u"}, l.buf[:0]); d.Row != queue.InterruptNotRunning {
		tb.Fatal(d)
	}
	if d, l.buf = l.Step(queue.CancelQueued{Ticket: l.newest, Owner: "v"}, l.buf[:0]); d.Row != queue.CancelQueuedNotOwner {
		tb.Fatal(d)
	}
	if d, l.buf = l.Step(queue.Leave{Ticket: l.running}, l.buf[:0]); d.Row != queue.LeaveAdmitted {
		tb.Fatal(d)
	}
	if d, l.buf = l.Step(queue.End{Ticket: l.newest, Report: queue.ReportFailed}, l.buf[:0]); d.Row != queue.EndQueued {
		tb.Fatal(d)
	}
}

// empty ends the session by a clean-up, after a crash if asked, and fills it
// again.
func (l *line) empty(tb testing.TB, crash bool) {
	l.reuse(l.running)
	for t := range l.Waiting.All() {
		l.reuse(t)
	}
	var d queue.Decision
	if crash {
		if d, l.buf = l.Step(queue.Crash{}, l.buf[:0]); d.Row != queue.CrashLost {
			tb.Fatal(d)
		}
	}
	if d, l.buf = l.Step(queue.CleanUp{}, l.buf[:0]); d.Row != queue.CleanUpTold {
		tb.Fatal(d)
	}
	if d, l.buf = l.Step(queue.ForceEnd{Ticket: l.running}, l.buf[:0]); d.Then != queue.HandOverForget {
		tb.Fatal(d)
	}
	l.fill()
}

// TestSteadyStateDoesNotAllocate: where as many tickets come as go, nothing
// grows; what isn't a move never does.
func TestSteadyStateDoesNotAllocate(t *testing.T) {
	m := queue.Machine{Params: queue.Params{Cap: 2, Keep: 64}}
	var buf []queue.Effect
	base := queue.Ticket(0)
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		buf = session(t, &m, base, buf)
		base += 4
	}), "a session")
	for _, waiting := range []int{1, 5, 100} {
		for _, keep := range []int{0, 3} {
			l := newLine(waiting, keep)
			for what, call := range map[string]func(){
				"end and submit":   func() { l.turn(t) },
				"leave and submit": func() { l.leave(t) },
				"nothing changes":  func() { l.refuse(t) },
				"clean up":         func() { l.empty(t, false) },
				"crash":            func() { l.empty(t, true) },
			} {
				l = newLine(waiting, keep)
				for range 20 * (waiting + keep) { // maps grow, too, by what is taken out of them
					call()
				}
				require.Zero(t, testing.AllocsPerRun(200, call), "%s: %d wait, %d are kept", what, waiting, keep)
			}
		}
	}
}

// BenchmarkWaiting has calls in a session in which few or many wait. Only what
// takes one out of the middle, or all, costs more for it. Command:
//
//	go test -run '^$' -bench Waiting -count 6 ./fsm/queue
func BenchmarkWaiting(b *testing.B) {
	for _, c := range []struct {
		name string
		call func(*line, *testing.B)
	}{
		{"end and submit", func(l *line, b *testing.B) { l.turn(b) }},
		{"five that change nothing", func(l *line, b *testing.B) { l.refuse(b) }},
		{"leave the middle and submit", func(l *line, b *testing.B) { l.leave(b) }},
		{"clean up and fill", func(l *line, b *testing.B) { l.empty(b, false) }},
		{"crash and fill", func(l *line, b *testing.B) { l.empty(b, true) }},
	} {
		for _, waiting := range []int{16, 256, 4096} {
			b.Run(fmt.Sprintf("%s/%d", c.name, waiting), func(b *testing.B) {
				l := newLine(waiting, 0)
				for b.Loop() {
					c.call(l, b)
				}
			})
		}
	}
}
