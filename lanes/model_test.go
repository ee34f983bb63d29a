package lanes_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/lane"
	"github.com/interlock-go/interlock/lanes"
)

// reference is what the lanes of one store should be: for each project that was
// ever named, the generated machine and the label of its occupant.
type reference struct {
	lanes map[string]*referenceLane
	last  uint64 // the highest number seen
}

type referenceLane struct {
	machine lane.Machine
	run     string
}

func (m *reference) lane(project string) *referenceLane {
	if m.lanes[project] == nil {
		m.lanes[project] = &referenceLane{}
	}
	return m.lanes[project]
}

func (m *reference) view(project string) lanes.View {
	l := m.lane(project)
	v := lanes.View{Project: project, Busy: l.machine.State.Occupied()}
	if v.Busy {
		v.Run, v.State = l.run, lanes.State(l.machine.State.String())
	}
	return v
}

// handle is a lease, and what the reference knows of it.
type handle struct {
	lease   lanes.Lease
	project string
	run     string
	by      int        // the manager that issued it; none for -1
	in      lane.Lease // what it is in its machine; 0 for the zero Lease, stranger for a forged one
}

const stranger = lane.Lease(1 << 60)

// as is what h is to the machine of its project when it is shown to manager by.
func (h handle) as(by int) lane.Lease {
	if h.in == 0 || h.by == by {
		return h.in
	}
	return stranger
}

// refusalOf is the refusal that the reference's decision stands for, or nil.
func refusalOf(event string, row lane.Row, state string, occupant lanes.View) *lanes.Refusal {
	info := row.Info()
	if info.Kind != fsm.Refuse {
		return nil
	}
	code := lanes.Code(info.Code)
	no := &lanes.Refusal{Code: code, Message: words(code), Machine: "lane", Row: info.Name, State: state, Event: event}
	if row == lane.ClaimBusy {
		no.Occupant = &occupant
	}
	return no
}

// words is what a code means.
func words(c lanes.Code) string { return strings.TrimPrefix(c.Error(), string(c)+": ") }

// TestModel makes random calls, hostile ones too, of several managers: two on
// one store, one of them by swap, and one on its own. After every call the
// answer and the lanes are what the generated Step says they are.
//
//	go test ./lanes -run TestModel -rapid.checks 10000
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		memory, alone := lanes.NewMemory(epoch), lanes.NewMemory(epoch)
		shared, own := &reference{lanes: map[string]*referenceLane{}}, &reference{lanes: map[string]*referenceLane{}}
		var managers []*lanes.Projects
		for _, s := range []lanes.Store{memory, bySwap{memory}, memory, alone} {
			m, err := lanes.Open(lanes.Config{Store: s})
			if err != nil {
				t.Fatal(err)
			}
			r := m.Projects()
			managers = append(managers, r)
		}
		references := []*reference{shared, shared, shared, own}
		handles := []handle{{by: -1}}
		for i, r := range managers {
			handles = append(handles, handle{lanes.Forge(r, "p", "run", lanes.Fencing{}), "p", "run", i, stranger})
		}

		manager := rapid.IntRange(0, len(managers)-1)
		labels := rapid.SampledFrom([]string{"p", "q", "Q", "run", "run\n", ""})
		held := func() handle { return handles[rapid.IntRange(0, len(handles)-1).Draw(t, "handle")] }
		check := func(err error, want *lanes.Refusal) {
			t.Helper()
			var got *lanes.Refusal
			if err != nil && !errors.As(err, &got) {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("refusal (-want +got):\n%s", diff)
			}
		}
		invalid := func(event string, named ...string) *lanes.Refusal {
			for i := 0; i < len(named); i += 2 {
				if !label.MatchString(named[i+1]) {
					message := named[i] + ": " + words(lanes.ErrInvalidLabel)
					return &lanes.Refusal{Code: lanes.ErrInvalidLabel, Message: message, Machine: "lane", Row: "shell.label", Event: event}
				}
			}
			return nil
		}

		t.Repeat(map[string]func(*rapid.T){
			"claim": func(t *rapid.T) {
				by, project, run := manager.Draw(t, "manager"), labels.Draw(t, "project"), labels.Draw(t, "run")
				lease, err := managers[by].Claim(bg, project, run)
				if no := invalid("claim", "project", project, "run", run); no != nil {
					check(err, no)
					return
				}
				m := references[by]
				l := m.lane(project)
				occupant, state, number := m.view(project), l.machine.State.String(), lease.Fencing().Number
				d, _ := l.machine.Step(lane.Claim{Lease: lane.Lease(max(number, 1)), Fence: lane.Fence(number)}, nil)
				check(err, refusalOf("claim", d.Row, state, occupant))
				if d.Row != lane.ClaimWon {
					return
				}
				if number <= m.last || lease.Project() != project || lease.Run() != run {
					t.Fatalf("lease %v with number %d after %d", lease, number, m.last)
				}
				m.last, l.run = number, run
				handles = append(handles, handle{lease, project, run, by, lane.Lease(number)},
					handle{lanes.Forge(managers[by], project, run+"x", lease.Fencing()), project, run, by, stranger},
					handle{lanes.Forge(managers[by], "other", run, lease.Fencing()), "other", run, by, stranger})
			},
			"stop": func(t *rapid.T) {
				by, h := manager.Draw(t, "manager"), held()
				got, err := managers[by].RequestStop(bg, h.lease)
				m := references[by]
				l := m.lane(h.project)
				state := l.machine.State.String()
				if h.in == 0 {
					state = ""
				}
				d, _ := l.machine.Step(lane.RequestStop{Lease: h.as(by)}, nil)
				check(err, refusalOf("requestStop", d.Row, state, lanes.View{}))
				if err == nil {
					if diff := cmp.Diff(m.view(h.project), got); diff != "" {
						t.Fatalf("answer (-want +got):\n%s", diff)
					}
				}
			},
			"release": func(t *rapid.T) {
				by, h := manager.Draw(t, "manager"), held()
				outcome := rapid.SampledFrom(append(slices.Clone(outcomes), "done", "")).Draw(t, "outcome")
				got, err := managers[by].Release(bg, h.lease, outcome)
				m := references[by]
				l := m.lane(h.project)
				state := l.machine.State.String()
				in := lane.Outcome(slices.Index(outcomes, outcome) + 1)
				if h.in == 0 || in == 0 {
					state = ""
				}
				d, effects := l.machine.Step(lane.Release{Outcome: in, Lease: h.as(by)}, nil)
				check(err, refusalOf("release", d.Row, state, lanes.View{}))
				var want lanes.Receipt
				for _, e := range effects {
					want = lanes.Receipt{Project: h.project, Run: h.run, Outcome: outcome, StopRequested: e.StopRequested}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("receipt (-want +got):\n%s", diff)
				}
			},
			"view": func(t *rapid.T) {
				by, project := manager.Draw(t, "manager"), labels.Draw(t, "project")
				got, err := managers[by].View(bg, project)
				if no := invalid("view", "project", project); no != nil {
					check(err, no)
					return
				}
				if diff := cmp.Diff(references[by].view(project), got); diff != "" || err != nil {
					t.Fatalf("%v (-want +got):\n%s", err, diff)
				}
			},
			"": func(t *rapid.T) {
				for by, r := range managers {
					var got, want []lanes.View
					for v, err := range r.All(bg) {
						if err != nil {
							t.Fatal(err)
						}
						got = append(got, v)
					}
					m := references[by]
					for _, project := range slices.Sorted(maps.Keys(m.lanes)) {
						if v := m.view(project); v.Busy {
							want = append(want, v)
						}
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Fatalf("lanes of manager %d (-want +got):\n%s", by, diff)
					}
				}
				if a, b := memory.Names(), alone.Names(); a != busy(shared) || b != busy(own) {
					t.Fatalf("%d and %d records for %d and %d busy lanes", a, b, busy(shared), busy(own))
				}
			},
		})
	})
}

func busy(m *reference) (n int) {
	for _, l := range m.lanes {
		if l.machine.State.Occupied() {
			n++
		}
	}
	return n
}
