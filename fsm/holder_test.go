package fsm_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/lane"
	"github.com/interlock-go/interlock/fsm/queue"
)

type (
	laneAudit = fsm.Audit[lane.Machine, lane.Event, lane.Decision, lane.Effect]
	laneHold  = fsm.Holder[lane.Machine, lane.Event, lane.Decision, lane.Effect]
)

func diff(want, got any) string {
	return cmp.Diff(want, got, cmp.Exporter(func(reflect.Type) bool { return true }))
}

func step(t *testing.T, h *laneHold, e lane.Event) (lane.Decision, []lane.Effect) {
	t.Helper()
	d, effects, err := h.Step(t.Context(), e)
	require.NoError(t, err)
	return d, effects
}

// TestCase9 takes a step that changes nothing: it is a success, told apart from
// a move and from a refusal.
func TestCase9(t *testing.T) {
	h := fsm.NewHolder(lane.Machine{}, (*lane.Machine).Step)
	step(t, h, lane.Claim{Lease: 1, Fence: 1})
	d, _ := step(t, h, lane.RequestStop{Lease: 1})
	require.Equal(t, fsm.Move, d.Info().Kind)
	d, _ = step(t, h, lane.RequestStop{Lease: 1})
	require.Equal(t, fsm.Info{Name: "requestStop.again", Kind: fsm.Stay, Code: "ALREADY_REQUESTED"}, d.Info())
	require.True(t, d.Info().Kind.Accepted())
	d, _ = step(t, h, lane.RequestStop{Lease: 2})
	require.Equal(t, fsm.Info{Name: "requestStop.stale", Kind: fsm.Refuse, Code: "LEASE_NOT_CURRENT"}, d.Info())
}

// TestCase10 finds the machine as it was, bit for bit, after every answer but a
// move, a hook that panics included.
func TestCase10(t *testing.T) {
	h := fsm.NewHolder(queue.Machine{Params: queue.Params{Cap: 1, Keep: 1}}, (*queue.Machine).Step)
	submit := func(ticket queue.Ticket, id int) queue.Decision {
		d, _, err := h.Step(t.Context(), queue.Submit{Ticket: ticket, Id: queue.Id(fmt.Sprint(id)), Owner: "ann", Room: true})
		require.NoError(t, err)
		return d
	}
	submit(1, 1)
	submit(2, 2)
	before := h.Machine()
	require.Equal(t, "QUEUE_FULL", submit(3, 3).Info().Code)
	require.Equal(t, "DUPLICATE_EXECUTION", submit(4, 1).Info().Code)
	require.Empty(t, diff(before, h.Machine()))

	h.OnStep(func(fsm.Audit[queue.Machine, queue.Event, queue.Decision, queue.Effect]) { panic("hook") })
	require.PanicsWithValue(t, "hook", func() { submit(3, 3) })
	require.Empty(t, diff(before, h.Machine()))
	h.OnStep(nil)
	require.Equal(t, "QUEUE_FULL", submit(3, 3).Info().Code)
	told := 0
	h.OnStep(func(fsm.Audit[queue.Machine, queue.Event, queue.Decision, queue.Effect]) { told++ })
	submit(3, 3)
	require.Equal(t, 1, told, "a hook that panicked stops no later one")
}

// TestCase11 cancels a call that waits for its turn: it takes no effect, and
// later ones go on.
func TestCase11(t *testing.T) {
	h := fsm.NewHolder(lane.Machine{}, (*lane.Machine).Step)
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("the caller went away")
	cancel(gone)
	_, _, err := h.Step(ctx, lane.Claim{Lease: 1, Fence: 1})
	require.ErrorIs(t, err, gone)
	require.Equal(t, lane.Free, h.Machine().State)
	d, _ := step(t, h, lane.Claim{Lease: 2, Fence: 2})
	require.Equal(t, lane.ClaimWon, d.Row)
}

// TestCase11Waiting cancels a call while another one is inside: it doesn't wait
// for that one's end, and takes nothing away from the third.
func TestCase11Waiting(t *testing.T) {
	inside, leave := make(chan struct{}), make(chan struct{})
	h := fsm.NewHolder(lane.Machine{}, func(m *lane.Machine, e lane.Event, buf []lane.Effect) (lane.Decision, []lane.Effect) {
		if _, slow := e.(lane.Claim); slow {
			close(inside)
			<-leave
		}
		return m.Step(e, buf)
	})
	first := make(chan lane.Decision)
	go func() {
		d, _, _ := h.Step(context.Background(), lane.Claim{Lease: 1, Fence: 1})
		first <- d
	}()
	<-inside
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, _, err := h.Step(ctx, lane.RequestStop{Lease: 1})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	close(leave)
	require.Equal(t, lane.ClaimWon, (<-first).Row)
	require.Equal(t, lane.Running, h.Machine().State, "the one that went away asked for no stop")
	d, _ := step(t, h, lane.RequestStop{Lease: 1})
	require.Equal(t, lane.RequestStopAsked, d.Row)
}

// TestCase12 has two callers at once, one of whose events is refused: each gets
// its own result.
func TestCase12(t *testing.T) {
	for range 50 {
		h := fsm.NewHolder(lane.Machine{}, (*lane.Machine).Step)
		step(t, h, lane.Claim{Lease: 1, Fence: 1})
		var wg sync.WaitGroup
		for lease, want := range map[lane.Lease]lane.Row{1: lane.RequestStopAsked, 9: lane.RequestStopStale} {
			wg.Go(func() {
				d, _, err := h.Step(context.Background(), lane.RequestStop{Lease: lease})
				if err != nil || d.Row != want {
					t.Errorf("%d: %v, want %v; %v", lease, d, want, err)
				}
			})
		}
		wg.Wait()
	}
}

// TestCase13 lets 200 callers claim one place: exactly one moves, and the hook
// is told of each step once, in order.
func TestCase13(t *testing.T) {
	h := fsm.NewHolder(lane.Machine{}, (*lane.Machine).Step)
	var told []laneAudit // by one goroutine at a time, in order: no lock
	h.OnStep(func(a laneAudit) { told = append(told, a) })
	var wg sync.WaitGroup
	results := make([]lane.Decision, 200)
	for i := range results {
		wg.Go(func() {
			results[i], _, _ = h.Step(context.Background(), lane.Claim{Lease: lane.Lease(i + 1), Fence: lane.Fence(i + 1)})
		})
	}
	wg.Wait()
	won := 0
	for _, d := range results {
		switch d.Row {
		case lane.ClaimWon:
			won++
		case lane.ClaimBusy:
		default:
			t.Errorf("a caller got %v", d)
		}
	}
	require.Equal(t, 1, won)
	require.Len(t, told, 200)
	require.Equal(t, lane.ClaimWon, told[0].Decision.Row)
	for i, a := range told {
		require.Equal(t, i > 0, a.From.State == lane.Running, i)
		require.Equal(t, lane.Running, a.To.State)
	}
}

// TestOneAtATime looks whether two steps ever overlap.
func TestOneAtATime(t *testing.T) {
	var inside atomic.Int32
	h := fsm.NewHolder(lane.Machine{}, func(m *lane.Machine, e lane.Event, buf []lane.Effect) (lane.Decision, []lane.Effect) {
		if inside.Add(1) != 1 {
			t.Error("two steps at once")
		}
		defer inside.Add(-1)
		runtime.Gosched()
		return m.Step(e, buf)
	})
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			_, _, err := h.Step(context.Background(), lane.RequestStop{Lease: lane.Lease(i)})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// TestCase16 asks before each step of many whether it can be: the answer is the
// step's, its arguments included.
func TestCase16(t *testing.T) {
	for _, durable := range []bool{false, true} {
		h := fsm.NewHolder(lane.Machine{Params: lane.Params{Durable: durable}}, (*lane.Machine).Step)
		for i := range 2000 {
			n := uint64(i*i+i/3) % 7
			events := []lane.Event{
				lane.Claim{Lease: lane.Lease(n), Fence: lane.Fence(n)}, lane.RequestStop{Lease: lane.Lease(n)},
				lane.Release{Lease: lane.Lease(n), Outcome: lane.Outcome(n)},
				lane.Orphan{Seen: lane.Fence(n)}, lane.Adopt{Seen: lane.Fence(n), Lease: lane.Lease(n + 1), Fence: lane.Fence(n + 1)},
			}
			e := events[i%len(events)]
			before := h.Machine()
			can := h.Can(e)
			require.Equal(t, before, h.Machine(), "to ask changes nothing")
			d, _ := step(t, h, e)
			require.Equal(t, d, can, "%T%+v in %+v", e, e, before)
		}
	}
}

// TestCase22 restores snapshots that aren't this machine's: each error says
// what is unknown, of which machine, and of which table.
func TestCase22(t *testing.T) {
	h := fsm.NewHolder(lane.Machine{}, (*lane.Machine).Step)
	step(t, h, lane.Claim{Lease: 1<<63 + 1, Fence: 7})
	good, err := h.Snapshot()
	require.NoError(t, err)
	from := lane.Decision{}.Source()
	require.Contains(t, string(good), `"State":"running"`)
	require.Contains(t, string(good), from.Table)

	other := fsm.NewHolder(lane.Machine{}, (*lane.Machine).Step)
	err = other.Restore([]byte(strings.Replace(string(good), `"running"`, `"paused"`, 1)))
	require.EqualError(t, err, "restore: unknown state paused of machine lane, table "+from.Table)
	var unknown *fsm.UnknownError
	require.ErrorAs(t, err, &unknown)
	require.Equal(t, fsm.UnknownError{What: "state", Name: "paused", Source: from}, *unknown)

	old := strings.Replace(strings.Replace(string(good), `"running"`, `"paused"`, 1), from.Table, "sha256:old", 1)
	require.ErrorContains(t, other.Restore([]byte(old)), "restore, taken under table sha256:old: unknown state paused of machine lane")
	for what, bad := range map[string]string{
		"another machine":  strings.Replace(string(good), `"lane"`, `"road"`, 1),
		"a number":         strings.Replace(string(good), `"running"`, `1`, 1),
		"unknown variable": strings.Replace(string(good), `"Stopped"`, `"Paused"`, 1),
		"missing variable": strings.Replace(string(good), `,"Stopped":false`, ``, 1),
		"no JSON":          string(good[:20]),
		"two":              string(good) + string(good),
		"nothing":          "",
	} {
		require.ErrorIs(t, other.Restore([]byte(bad)), fsm.ErrSnapshot, what)
		require.NotEqual(t, string(good), bad, what)
	}
	require.Equal(t, lane.Machine{}, other.Machine(), "an error leaves it as it was")

	rearranged := strings.Replace(string(good), `{"machine"`, ` { "machine"`, 1)
	require.NoError(t, other.Restore([]byte(rearranged)))
	require.Equal(t, h.Machine(), other.Machine())

	// What the table's predicates reject isn't taken.
	other.Validate(func(m *lane.Machine) error {
		if !m.FreeKeepsNothing() {
			return errors.New("FreeKeepsNothing")
		}
		return nil
	})
	require.ErrorIs(t, other.Restore([]byte(strings.Replace(string(good), `"running"`, `"free"`, 1))), fsm.ErrSnapshot)
	require.NoError(t, other.Restore(good))
}

// TestSnapshotOfParts goes there and back with maps, lists and optionals.
func TestSnapshotOfParts(t *testing.T) {
	h := fsm.NewHolder(queue.Machine{Params: queue.Params{Cap: 3, Keep: 2}}, (*queue.Machine).Step)
	for i := range 4 {
		_, _, err := h.Step(t.Context(), queue.Submit{Ticket: queue.Ticket(i + 1), Id: queue.Id(fmt.Sprint(i + 1)), Owner: "ann", Room: true})
		require.NoError(t, err)
	}
	_, _, err := h.Step(t.Context(), queue.End{Ticket: 1, Report: queue.ReportFailed})
	require.NoError(t, err)
	data, err := h.Snapshot()
	require.NoError(t, err)
	other := fsm.NewHolder(queue.Machine{}, (*queue.Machine).Step)
	require.NoError(t, other.Restore(data))
	require.Empty(t, diff(h.Machine(), other.Machine()))
	require.ErrorContains(t, other.Restore([]byte(strings.Replace(string(data), `"queued"`, `"lined"`, 1))), "unknown state of tickets lined of machine queue")
}

// TestHookCallsHolder steps from inside the hook: each step is taken at once
// and told of afterwards, however deep, and nothing waits for itself.
func TestHookCallsHolder(t *testing.T) {
	h := fsm.NewHolder(lane.Machine{}, (*lane.Machine).Step)
	var told []string
	h.OnStep(func(a laneAudit) {
		told = append(told, fmt.Sprintf("%v: %v -> %v", a.Decision, a.From.State, a.To.State))
		switch a.Decision.Row {
		case lane.ClaimWon:
			d, _, err := h.Step(context.Background(), lane.RequestStop{Lease: 1})
			require.NoError(t, err)
			require.Equal(t, lane.RequestStopAsked, d.Row)
			require.Equal(t, lane.StopRequested, h.Machine().State, "it is taken at once")
			require.Len(t, told, 1, "and told of later")
		case lane.RequestStopAsked:
			_, effects, err := h.Step(context.Background(), lane.Release{Lease: 1, Outcome: lane.OutcomeFailed})
			require.NoError(t, err)
			require.Len(t, effects, 1)
		case lane.ReleaseFreed:
			require.Len(t, a.Effects, 1)
			_, err := h.Snapshot()
			require.NoError(t, err)
			h.OnStep(nil)
		}
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		step(t, h, lane.Claim{Lease: 1, Fence: 1})
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("a hook that calls the holder waits for itself")
	}
	require.Equal(t, []string{"claim.won: free -> running", "requestStop.asked: running -> stop_requested", "release.freed: stop_requested -> free"}, told)
	require.Equal(t, lane.Free, h.Machine().State)
}

// TestAuditIsACopy changes what the hook was given.
func TestAuditIsACopy(t *testing.T) {
	h := fsm.NewHolder(queue.Machine{Params: queue.Params{Cap: 3}}, (*queue.Machine).Step)
	before := 0
	h.OnStep(func(a fsm.Audit[queue.Machine, queue.Event, queue.Decision, queue.Effect]) {
		require.Len(t, a.From.Tickets, before)
		before++
		clear(a.From.Tickets)
		clear(a.To.Tickets)
		a.To.Waiting.Clear()
		clear(a.Effects)
	})
	for i := range 2 {
		_, effects, err := h.Step(t.Context(), queue.Submit{Ticket: queue.Ticket(i + 1), Id: queue.Id(fmt.Sprint(i + 1)), Owner: "ann", Room: true})
		require.NoError(t, err)
		require.NotZero(t, effects[0])
	}
	m := h.Machine()
	require.Len(t, m.Tickets, 2)
	require.Equal(t, 1, m.Waiting.Len())
}
