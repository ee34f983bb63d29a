package interp_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
)

func loadLane(t testing.TB) *spec.Table {
	t.Helper()
	table, err := spec.Load("../../spec/lane.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func model(t testing.TB, table *spec.Table, name string) *spec.Model {
	t.Helper()
	for _, m := range table.Models {
		if m.Name == name {
			return m
		}
	}
	t.Fatalf("%s has no model %s", table.Name, name)
	return nil
}

func machine(t testing.TB, table *spec.Table, m *spec.Model, opts ...interp.Option) *interp.Machine {
	t.Helper()
	out, err := interp.New(table, m, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func run(t testing.TB, m *interp.Machine, of ...*spec.Property) *explore.Report[interp.State, interp.Label] {
	t.Helper()
	props, err := interp.Properties(m, of...)
	if err != nil {
		t.Fatal(err)
	}
	report, err := explore.Run(context.Background(), m, explore.Options[interp.State, interp.Label]{
		Properties: props, Rows: len(m.Table().Rows()),
	})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestLane pins the whole graph of each model, and that each property that is
// the model's job holds.
func TestLane(t *testing.T) {
	table := loadLane(t)
	for _, want := range []struct {
		model                string
		states, edges, moves int
		endings, neverFired  []string
	}{
		{"memory", 1745, 53134, 10390, nil, []string{
			"requestStop.unheld", "release.unheld", "orphan.lost", "orphan.again",
			"adopt.moved", "adopt.running", "adopt.stopping", "holderGone.gone",
		}},
		{"honest", 43, 870, 91, []string{"Live"}, nil},
		{"durable", 9953, 304558, 47542, nil, []string{
			"requestStop.unheld", "release.unheld", "orphan.memory",
		}},
		{"lost", 497, 10628, 1455, nil, nil},
		{"reviewed", 464, 9741, 1219, nil, nil},
		{"losses", 689, 14796, 2171, []string{"Live"}, nil},
	} {
		m := machine(t, table, model(t, table, want.model))
		r := run(t, m, m.Model().Checks...)
		if r.States != want.states || r.Edges != want.edges || r.Moves != want.moves {
			t.Errorf("%s: %d states, %d edges, %d moves; want %d, %d, %d",
				want.model, r.States, r.Edges, r.Moves, want.states, want.edges, want.moves)
		}
		for _, res := range append(r.Properties, r.Never, r.Steps) {
			if !res.Verdict.OK() {
				t.Errorf("%s:\n%s", want.model, m.Explain(res))
			}
		}
		var endings []string
		for _, fair := range []bool{true, false} {
			results, err := interp.Endings(t.Context(), m, fair, m.Model().Checks...)
			if err != nil {
				t.Fatal(err)
			}
			for _, res := range results {
				if fair {
					endings = append(endings, res.Name)
				}
				if res.Verdict.OK() != fair {
					t.Errorf("%s: fair %v:\n%s", want.model, fair, m.Explain(res))
				}
			}
		}
		if !slices.Equal(endings, want.endings) {
			t.Errorf("%s: endings %v; want %v", want.model, endings, want.endings)
		}
		if want.neverFired == nil {
			continue
		}
		var never []string
		for _, row := range table.Rows() {
			if r.Fired[row.Index] == 0 {
				never = append(never, row.Name())
			}
		}
		if !slices.Equal(never, want.neverFired) {
			t.Errorf("%s: never fired: %v; want %v", want.model, never, want.neverFired)
		}
	}
}

// TestAssumptionsAreNeeded drops each assumption that a property is given:
// then the property must fail.
func TestAssumptionsAreNeeded(t *testing.T) {
	table := loadLane(t)
	for _, md := range table.Models {
		for _, a := range md.Assume {
			without := *md
			without.Assume = slices.DeleteFunc(slices.Clone(md.Assume), func(o *spec.Assumption) bool { return o == a })
			m := machine(t, table, &without)
			for _, p := range md.Checks {
				if !slices.Contains(p.Given, a) {
					continue
				}
				if r := run(t, m, p); r.Properties[0].Verdict != explore.Violated {
					t.Errorf("model %s: %s without %s: %s", md.Name, p.Name, a.Name, r.Properties[0].Verdict)
				}
			}
		}
	}
}

func TestExplain(t *testing.T) {
	table := loadLane(t)
	m := machine(t, table, model(t, table, "durable"))
	r := run(t, m, table.Properties...)
	for _, res := range r.Properties {
		if res.Name != "Exclusive" {
			continue
		}
		want := `1. claim(lease 1, fence 1) of p1: claim.won
     p1: state = running, holder = 1, fencing = 1, claimedFencing = 1, work = {1}, held = {1}, given = {1}, carried = 1, started = 1, issuedLease = 1
     shared: issuedFence = 1
2. orphan(seen 1) of p1: orphan.lost
     p1: state = orphaned, holder = none
3. adopt(seen 1, lease 2, fence 2) of p1: adopt.running
     p1: state = running, holder = 2, fencing = 2, held = {1, 2}, given = {1, 2}, carried = 2, issuedLease = 2
     shared: issuedFence = 2
Exclusive fails for p1: held.size() <= 1
`
		if diff := cmp.Diff(want, m.Explain(res)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestFormat(t *testing.T) {
	table := loadLane(t)
	m := machine(t, table, model(t, table, "memory"))
	free := "state = free, holder = none, fencing = origin, claimedFencing = origin, stopped = false, " +
		"work = {}, held = {}, given = {}, receipts = {}, unresolved = {}, asked = false, carried = origin, started = origin, misled = false, issuedLease = 0"
	want := "p1: " + free + "\np2: " + free + "\nshared: issuedFence = 0"
	if diff := cmp.Diff(want, m.Format(m.Init()[0])); diff != "" {
		t.Error(diff)
	}
	s := m.Init()[0]
	if again, err := m.Pack(m.Values(s)); err != nil || again != s {
		t.Errorf("Pack(Values(s)) = %q, %v", again, err)
	}
	values := m.Values(s)
	values[0] = 4
	if _, err := m.Pack(values); !errors.Is(err, interp.ErrRange) {
		t.Errorf("a fifth state: %v", err)
	}
}

// TestOrder pins the order of steps: it is part of what a graph is compared by.
func TestOrder(t *testing.T) {
	table := loadLane(t)
	m := machine(t, table, model(t, table, "memory"))
	var got []string
	err := m.Steps(m.Init()[0], func(st interp.Step) bool {
		got = append(got, m.FormatEvent(st.Label.Event)+": "+st.Label.Row.Name())
		return len(got) < 12
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"claim(lease 1, fence 1) of p1: claim.won",
		"requestStop(lease 1) of p1: requestStop.stale",
		"requestStop(lease 2) of p1: requestStop.stale",
		"release(outcome succeeded, lease 1) of p1: release.stale",
		"release(outcome succeeded, lease 2) of p1: release.stale",
		"release(outcome failed, lease 1) of p1: release.stale",
		"release(outcome failed, lease 2) of p1: release.stale",
		"release(outcome cancelled, lease 1) of p1: release.stale",
		"release(outcome cancelled, lease 2) of p1: release.stale",
		"release(outcome needs_review, lease 1) of p1: release.stale",
		"release(outcome needs_review, lease 2) of p1: release.stale",
		"orphan(seen 1) of p1: orphan.free",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestConcurrent searches one machine from several goroutines.
func TestConcurrent(t *testing.T) {
	table := loadLane(t)
	m := machine(t, table, model(t, table, "honest"))
	want := run(t, m).String()
	for range 4 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			if got := run(t, m).String(); got != want {
				t.Errorf("%s\nnot\n%s", got, want)
			}
		})
	}
}
