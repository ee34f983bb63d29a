package lanes_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/fsm/lane"
	"github.com/interlock-go/interlock/fsm/queue"
	"github.com/interlock-go/interlock/fsm/session"
	"github.com/interlock-go/interlock/lanes"
)

// traced opens a manager, and has one of its machines recorded while use uses
// it.
func traced(t testing.TB, machine string, c lanes.Config, start any, use func(m *lanes.Manager)) trace {
	t.Helper()
	m, err := lanes.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	log := &tracer{machine: machine}
	m.Record(log.record)
	use(m)
	m.Close()
	return log.trace(start)
}

func tracedLanes(t testing.TB, seed uint64) trace {
	return traced(t, "lane", lanes.Config{Clock: yieldingClock{}}, lane.Machine{}, func(m *lanes.Manager) {
		recordHistory(m.Projects(), 2, seed, 60)
	})
}

func tracedQueues(t testing.TB, seed uint64) trace {
	config := lanes.QueueConfig{Cap: queueCap, Remember: queueKeep, MaxSessions: 1 + int(seed%3)}
	start := queue.Machine{Params: queue.Params{Cap: queueCap, Keep: queueKeep}}
	return traced(t, "queue", lanes.Config{Clock: yieldingClock{}, Queue: config}, start, func(m *lanes.Manager) {
		recordQueue(m.Coordinator(), seed, 40)
		m.Coordinator().Close(bg, "")
		recordQueue(m.Coordinator(), seed+1, 5)
	})
}

// leaping is a clock that moves on whenever it is asked, now and then by so much
// that a bound of a session expires.
type leaping struct{ now *atomic.Int64 }

func (l leaping) Now() time.Time {
	d := time.Duration(rand.IntN(3)) * time.Millisecond
	switch rand.IntN(100) {
	case 0:
		d = 11 * time.Minute
	case 1, 2, 3:
		d = 30 * time.Second
	}
	return epoch.Add(time.Duration(l.now.Add(int64(d))))
}

func (leaping) AfterFunc(time.Duration, func()) lanes.Timer { return time.NewTimer(time.Hour) }

func tracedSessions(t testing.TB, seed uint64) trace {
	return traced(t, "session", lanes.Config{Clock: leaping{new(atomic.Int64)}}, session.Machine{}, func(m *lanes.Manager) {
		var ticks atomic.Int64
		shared := &sharedLeases{}
		atOnce(clients, func(i int) {
			c := &sessionClient{sessions: m.Sessions(), id: i, now: &ticks, shared: shared, random: rand.New(rand.NewPCG(seed, uint64(i)))}
			for range 40 {
				c.one(1)
			}
		})
		beginWhileAborted(t, m.Sessions())
	})
}

// beginWhileAborted begins a run while an abort is on its way, which seldom
// happens by itself: deliveries fail at once. The clock may leap in between.
func beginWhileAborted(t testing.TB, s *lanes.Sessions) {
	for i := range 100 {
		id := fmt.Sprint("aborted", i)
		lease := mustBegin(t, s, id)
		var begun error
		s.Sent(bg, lease)
		s.Abort(bg, lease, func(context.Context) error {
			_, begun = s.Begin(bg, inDir(id), "turn", true)
			return errUnreachable
		})
		if errors.Is(begun, lanes.ErrAbortPending) {
			return
		}
	}
	t.Fatal("no begin met an abort")
}

// traces are how the logs of each machine are made, and the rows that no log
// has, since no call of the package leads there.
var traces = []struct {
	machine string
	of      func(t testing.TB, seed uint64) trace
	never   string
}{
	{"lane", tracedLanes, "adopt.moved adopt.notOrphaned adopt.running adopt.stopping orphan.again orphan.free orphan.lost orphan.memory orphan.moved"},
	{"queue", tracedQueues, "adopt.moved adopt.notOrphaned adopt.taken crash.cleared crash.lost crash.nothing crash.unknown end.lost end.orphaned"},
	{"session", tracedSessions, "abortAnswered.older graceExpired.later graceExpired.other graceExpired.unsent restart.forgotten sendExpired.later sendExpired.other sendExpired.sent ttlExpired.live ttlExpired.other"},
}

// TestTraces records runs of eight goroutines, and takes every record on the
// generated machines: each is one step, with its row, effects and variables.
// Every row that a call can lead to is among them.
func TestTraces(t *testing.T) {
	for _, c := range traces {
		t.Run(c.machine, func(t *testing.T) {
			w := writerOf(t, c.machine)
			rows, records := map[string]bool{}, 0
			never := strings.Fields(c.never)
			seed := uint64(0)
			for ; seed < 400 && (seed < 10 || len(w.uncovered(rows)) > len(never)); seed++ {
				tr := c.of(t, seed)
				if err := match(w, tr); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if len(tr.records) < 200 {
					t.Errorf("seed %d: only %d records", seed, len(tr.records))
				}
				records += len(tr.records)
				for i := range tr.records {
					row, then := decided(&tr.records[i].Taken)
					rows[row], rows[then] = true, true
				}
			}
			t.Logf("%d records of %d runs", records, seed)
			if diff := cmp.Diff(never, w.uncovered(rows)); diff != "" {
				t.Errorf("rows that no record has (-known +here):\n%s", diff)
			}
		})
	}
}

// TestTracesRejected spoils a log at each of its records.
func TestTracesRejected(t *testing.T) {
	for _, c := range traces {
		t.Run(c.machine, func(t *testing.T) {
			w := writerOf(t, c.machine)
			good := c.of(t, 1)
			if err := match(w, good); err != nil {
				t.Fatal(err)
			}
			n := len(good.records)
			before := newMatcher(w, good.start) // has taken what is in front of the record at hand
			spoilt := func(name string, at int, records []numbered, named int) {
				t.Helper()
				err := before.clone().rest(trace{records, good.end, good.start}, at)
				if err == nil {
					t.Fatalf("%s at %d: accepted", name, at+1)
				}
				if want := recordName(named); !strings.HasPrefix(err.Error(), want) {
					t.Fatalf("%s at %d: want %s first, got: %v", name, at+1, want, err)
				}
			}
			for i := range n {
				spoilt("dropped", i, slices.Delete(slices.Clone(good.records), i, i+1), i)
				spoilt("doubled", i, slices.Insert(slices.Clone(good.records), i, good.records[i]), i+1)
				if i+1 < n {
					swapped := slices.Clone(good.records)
					swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
					spoilt("swapped", i, swapped, i)
				}
				for j := range n {
					other := &good.records[(i+j)%n]
					if other.Decision == good.records[i].Decision {
						continue
					}
					forged := slices.Clone(good.records)
					forged[i].Decision = other.Decision
					spoilt("forged row", i, forged, i)
					break
				}
				forged := slices.Clone(good.records)
				forged[i].After = otherState(forged[i].After)
				spoilt("forged state", i, forged, i)
				spoilt("truncated", i, good.records[:i], i)
				if err := before.take(&good.records[i].Taken); err != nil {
					t.Fatal(err)
				}
			}
			renumbered(t, w, good)
		})
	}
}

// renumbered spoils moves of a log whose numbers fit again: what its records
// tell must be enough. A session may be deleted, or seen, twice, or be deleted
// whatever came before, so that some of its logs are behaviours again. A queue's is
// one without an interrupt of a run that then ends by force or by a crash, or goes
// on: nothing after it tells of it.
func renumbered(t *testing.T, w *writer, good trace) {
	next, after := map[string]int{}, make([]int, len(good.records)) // the next record of the instance, if any
	for i := len(good.records) - 1; i >= 0; i-- {
		in := good.records[i].Instance
		after[i], next[in] = next[in], i
	}
	moves, missed := 0, 0
	before := newMatcher(w, good.start)
	for i := range good.records {
		r := &good.records[i].Taken
		if i > 0 {
			before.take(&good.records[i-1].Taken)
		}
		if !w.moves(r) || after[i] == 0 {
			continue
		}
		moves++
		swapped := slices.Clone(good.records)
		swapped[i], swapped[after[i]] = swapped[after[i]], swapped[i]
		for name, records := range map[string][]numbered{
			"dropped": slices.Delete(slices.Clone(good.records), i, i+1),
			"doubled": slices.Insert(slices.Clone(good.records), i, good.records[i]),
			"swapped": swapped,
		} {
			for j := range records {
				records[j].number = j + 1
			}
			if err := before.clone().rest(trace{records, len(records), good.start}, i); err == nil {
				missed++
				_, interrupt := r.Event.(queue.Interrupt)
				if w.table.Name != "session" && !(name == "dropped" && interrupt) {
					t.Errorf("%s: %T%+v", name, r.Event, r.Event)
				}
			}
		}
	}
	t.Logf("%d moves dropped, doubled and swapped; of these %d are behaviours again", moves, missed)
	if moves == 0 || 2*missed > 3*moves { // half of what was spoilt
		t.Errorf("of %d moves that were dropped, doubled and swapped, %d weren't noticed", moves, missed)
	}
}

func recordName(at int) string { return fmt.Sprint("record ", at+1) }

// otherState returns a machine in another state.
func otherState(m any) any {
	switch m := m.(type) {
	case lane.Machine:
		m.State ^= 1
		return m
	case queue.Machine:
		m = m.Clone()
		m.State ^= 1
		return m
	case session.Machine:
		m.State ^= 1
		return m
	}
	return nil
}

// A rejected record says which condition of its row is false.
func TestTraceSaysWhichConditionIsFalse(t *testing.T) {
	w := writerOf(t, "lane")
	won := lanes.Taken{Machine: "lane", Instance: "p", Event: lane.Claim{Lease: 1, Fence: 1}}
	var m lane.Machine
	won.Decision, won.Effects = m.Step(won.Event.(lane.Event), nil)
	won.After = m
	second := won
	second.Event = lane.Claim{Lease: 2, Fence: 2}
	err := match(w, trace{[]numbered{{1, won}, {2, second}}, 2, lane.Machine{}})
	want := `record 2, lane p: lane.Claim{Lease:2 Fence:2}: claim.won, but "from free" is false; the table takes claim.busy`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if err := match(w, trace{nil, 0, lane.Machine{}}); err == nil || err.Error() != "the log is empty" {
		t.Error(err)
	}
}

// Without a recorder a step allocates nothing for one.
func TestRecorderOffAllocatesNothing(t *testing.T) {
	for _, on := range []bool{false, true} {
		m, err := lanes.Open(lanes.Config{})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		if on {
			m.Record(func(lanes.Taken) {})
		}
		c, s := m.Coordinator(), m.Sessions()
		ticket, err := c.Submit(bg, lanes.Request{Session: "s", Execution: "x", Owner: agent})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Complete(bg, ticket); err != nil {
			t.Fatal(err)
		}
		lease, err := s.Begin(bg, inDir("s"), "turn", true)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Sent(bg, lease); err != nil {
			t.Fatal(err)
		}
		held := mustClaim(t, m.Projects(), "p", "run")
		mustStop(t, m.Projects(), held)
		for name, call := range map[string]func(){
			"lane":  func() { m.Projects().RequestStop(bg, held) },
			"queue": func() { c.Complete(bg, ticket) },
		} {
			if got := testing.AllocsPerRun(100, call); (got > 0) != on {
				t.Errorf("%s, recorder %v: %v allocations", name, on, got)
			}
		}
		// A call of a session allocates, but for the step itself: what a
		// recorder adds is more.
		got := testing.AllocsPerRun(100, func() { s.Sent(bg, lease) })
		t.Logf("session, recorder %v: %v allocations", on, got)
	}
}
