package lanes_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/lane"
	"github.com/interlock-go/interlock/lanes"
)

// input is a call of a history, and output its answer.
type input struct {
	call    string // claim, requestStop, release or view
	project string
	run     string
	lease   lane.Lease // the number of the lease that was shown
	outcome lanes.Outcome
}

type output struct {
	number  uint64 // of the lease that a claim gave
	code    lanes.Code
	view    lanes.View // of view and requestStop, and the occupant of a busy lane
	receipt lanes.Receipt
}

// laneState is a lane's machine, and the label of its occupant.
type laneState struct {
	machine lane.Machine
	run     string
}

func (s laneState) view(project string) lanes.View {
	if !s.machine.State.Occupied() {
		return free(project)
	}
	return lanes.View{Project: project, Busy: true, Run: s.run, State: lanes.State(s.machine.State.String())}
}

// model is the generated Step. Its events' fresh values are those that the
// package gave.
var model = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		byProject := map[string][]porcupine.Operation{}
		for _, op := range history {
			p := op.Input.(input).project
			byProject[p] = append(byProject[p], op)
		}
		var parts [][]porcupine.Operation
		for _, part := range byProject {
			parts = append(parts, part)
		}
		return parts
	},
	Init: func() any { return laneState{} },
	Step: func(state, in, out any) (bool, any) {
		s, c, got := state.(laneState), in.(input), out.(output)
		var d lane.Decision
		var effects []lane.Effect
		want := output{number: got.number}
		switch c.call {
		case "view":
			want.view = s.view(c.project)
			return got == want, s
		case "claim":
			d, _ = s.machine.Step(lane.Claim{Lease: lane.Lease(max(got.number, 1)), Fence: lane.Fence(got.number)}, nil)
			switch d.Row {
			case lane.ClaimWon:
				s.run = c.run
			case lane.ClaimBusy:
				want.view = s.view(c.project)
			}
		case "requestStop":
			d, _ = s.machine.Step(lane.RequestStop{Lease: c.lease}, nil)
			if d.Row.Info().Kind.Accepted() {
				want.view = s.view(c.project)
			}
		case "release":
			d, effects = s.machine.Step(lane.Release{Outcome: tableOutcome(c.outcome), Lease: c.lease}, nil)
			for _, e := range effects {
				want.receipt = lanes.Receipt{Project: c.project, Run: s.run, Outcome: c.outcome, StopRequested: e.StopRequested}
			}
		}
		if info := d.Row.Info(); info.Kind == fsm.Refuse {
			want.code = lanes.Code(info.Code)
		}
		if won := d.Row == lane.ClaimWon; won != (got.number > 0) {
			return false, s
		}
		return got == want, s
	},
	DescribeOperation: func(in, out any) string {
		c, o := in.(input), out.(output)
		return fmt.Sprintf("%s %s lease %d %s -> %+v", c.call, c.run, c.lease, c.outcome, o)
	},
	DescribeState: func(state any) string {
		s := state.(laneState)
		return fmt.Sprintf("%s by %s under %v", s.machine.State, s.run, s.machine.Holder)
	},
}

func tableOutcome(o lanes.Outcome) lane.Outcome {
	for i, known := range outcomes {
		if o == known {
			return lane.Outcome(i + 1)
		}
	}
	return 0
}

const clients = 8

// recordHistory runs clients that make calls at random, n each, and returns what they
// saw. Each knows the leases that others have too, so that many are stale.
func recordHistory(r *lanes.Projects, projects int, seed uint64, n int) []porcupine.Operation {
	var now atomic.Int64 // a clock whose ticks tell any two events apart
	var mu sync.Mutex
	var leases []lanes.Lease
	histories := make([][]porcupine.Operation, clients)
	atOnce(clients, func(client int) {
		random := rand.New(rand.NewPCG(seed, uint64(client)))
		var mine lanes.Lease
		for i := range n {
			c := input{call: "view", project: fmt.Sprint("p", random.IntN(projects))}
			lease := mine
			if mu.Lock(); len(leases) > 0 && random.IntN(4) == 0 {
				lease = leases[random.IntN(len(leases))]
			}
			mu.Unlock()
			switch k := random.IntN(10); {
			case k < 4:
				c.call, c.run = "claim", fmt.Sprintf("run%d-%d", client, i)
			case k < 8 && !lease.IsZero():
				c.call, c.outcome = "release", outcomes[random.IntN(len(outcomes))]
			case k < 9 && !lease.IsZero():
				c.call = "requestStop"
			}
			if c.call == "release" || c.call == "requestStop" {
				c.project, c.lease = lease.Project(), lane.Lease(lease.Fencing().Number)
			}
			op := porcupine.Operation{ClientId: client, Input: c, Call: now.Add(1)}
			var out output
			var err error
			switch c.call {
			case "view":
				out.view, err = r.View(bg, c.project)
			case "claim":
				var l lanes.Lease
				if l, err = r.Claim(bg, c.project, c.run); err == nil {
					mine, out.number = l, l.Fencing().Number
				}
			case "requestStop":
				out.view, err = r.RequestStop(bg, lease)
			case "release":
				out.receipt, err = r.Release(bg, lease, c.outcome)
			}
			op.Return = now.Add(1)
			var no *lanes.Refusal
			if errors.As(err, &no) {
				if out.code = no.Code; no.Occupant != nil {
					out.view = *no.Occupant
				}
			} else if err != nil {
				out.code = lanes.Code(err.Error())
			}
			if op.Output = out; out.number > 0 {
				mu.Lock()
				leases = append(leases, mine)
				mu.Unlock()
			}
			histories[client] = append(histories[client], op)
		}
	})
	var all []porcupine.Operation
	for _, h := range histories {
		all = append(all, h...)
	}
	return all
}

// yielding is a store that lets others run before each of its answers, now and
// then.
type yielding struct{ lanes.Store }

func (y yielding) Load(ctx context.Context, k lanes.Key) (lanes.Record, error) {
	r, err := y.Store.Load(ctx, k)
	if rand.IntN(2) == 0 {
		runtime.Gosched()
	}
	return r, err
}

func (y yielding) Swap(ctx context.Context, w lanes.Write) (lanes.Version, error) {
	v, err := y.Store.Swap(ctx, w)
	if rand.IntN(2) == 0 {
		runtime.Gosched()
	}
	return v, err
}

// TestLinearizable holds what concurrent clients saw against the generated
// Step: some order of their calls, each within its time, gives those answers.
// The picture of a history that has none is left behind.
//
//	LANES_SEEDS=10000 go test -run TestLinearizable ./lanes
func TestLinearizable(t *testing.T) {
	seeds := uint64(1000)
	if testing.Short() {
		seeds = 50
	}
	if s := os.Getenv("LANES_SEEDS"); s != "" {
		if _, err := fmt.Sscan(s, &seeds); err != nil {
			t.Fatal(err)
		}
	}
	begun := time.Now()
	overlaps, calls := 0, 0
	for seed := range seeds {
		// By turns in place and by swap, on one project and on three.
		var store lanes.Store = lanes.NewMemory(epoch)
		if seed%2 == 1 {
			store = yielding{store}
		}
		history := recordHistory(mustOpen(t, store), 1+int(seed/2%2)*2, seed, 40)
		verdict, info := porcupine.CheckOperationsVerbose(model, history, time.Minute)
		if verdict != porcupine.Ok {
			t.Fatalf("seed %d: %s; see %s", seed, verdict, drawn("lanes", model, info))
		}
		calls += len(history)
		overlaps += overlapping(history)
	}
	t.Logf("%d histories of %d calls, of which %d overlap with another's, in %v", seeds, calls, overlaps, time.Since(begun).Round(time.Millisecond))
	if overlaps < calls/10 {
		t.Errorf("only %d of %d calls overlap with another client's: the histories show little", overlaps, calls)
	}
}

// overlapping counts the calls that were made while another was.
func overlapping(history []porcupine.Operation) (n int) {
	for _, a := range history {
		for _, b := range history {
			if a.ClientId != b.ClientId && a.Call < b.Return && b.Call < a.Return {
				n++
				break
			}
		}
	}
	return n
}

// A history in which two claims win is none of the model's.
func TestLinearizableRejects(t *testing.T) {
	won := func(client int, call, end int64, number uint64) porcupine.Operation {
		return porcupine.Operation{ClientId: client, Input: input{call: "claim", project: "p", run: "r"}, Call: call, Output: output{number: number}, Return: end}
	}
	freed := porcupine.Operation{
		ClientId: 0, Input: input{call: "release", project: "p", lease: 1, outcome: lanes.OutcomeFailed}, Call: 5,
		Output: output{receipt: lanes.Receipt{Project: "p", Run: "r", Outcome: lanes.OutcomeFailed}}, Return: 6,
	}
	for name, c := range map[string]struct {
		history []porcupine.Operation
		want    bool
	}{
		"one after the other": {[]porcupine.Operation{won(0, 1, 2, 1), freed, won(1, 7, 8, 2)}, true},
		"two hold":            {[]porcupine.Operation{won(0, 1, 3, 1), won(1, 2, 4, 2), freed}, false},
		"freed too late":      {[]porcupine.Operation{won(0, 1, 2, 1), won(1, 3, 4, 2), freed}, false},
		"a receipt too many":  {[]porcupine.Operation{won(0, 1, 2, 1), freed, freed}, false},
	} {
		if got := porcupine.CheckOperations(model, c.history); got != c.want {
			t.Errorf("%s: linearizable: %v; want %v", name, got, c.want)
		}
	}
}
