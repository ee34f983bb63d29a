package interp_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

func row(t testing.TB, table *spec.Table, name string) *spec.Row {
	t.Helper()
	for _, r := range table.Rows() {
		if r.Name() == name {
			return r
		}
	}
	t.Fatalf("no row %s", name)
	return nil
}

// steps returns the verdict on whether all steps can be told, in words.
func steps(t *testing.T, table *spec.Table, name string, opts ...interp.Option) (error, string) {
	t.Helper()
	m := machine(t, table, model(t, table, name), opts...)
	r := run(t, m, table.Properties[0])
	if r.Steps.Verdict == explore.Holds {
		t.Fatal("every step can be told")
	}
	return r.Steps.Err, m.Explain(r.Steps)
}

func wants(t *testing.T, err, reason error, text string, parts ...string) {
	t.Helper()
	if !errors.Is(err, reason) {
		t.Errorf("%v: not %v", err, reason)
	}
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q isn't in:\n%s", p, text)
		}
	}
}

func TestGap(t *testing.T) {
	table := loadLane(t)
	ev := table.EventNamed("requestStop")
	ev.Rows = slices.DeleteFunc(ev.Rows, func(r *spec.Row) bool { return r.ID == "again" })
	err, text := steps(t, table, "memory")
	wants(t, err, interp.ErrGap, text, "2. requestStop(lease 1) of p1: requestStop.asked", "requestStop can't be told: no row applies\n  at requestStop(lease 1) of p1, in p1: state = stop_requested")
}

func TestOverlap(t *testing.T) {
	table := loadLane(t)
	row(t, table, "requestStop.again").From = []int{1, 2}
	err, text := steps(t, table, "memory")
	wants(t, err, interp.ErrOverlap, text, "requestStop can't be told: several rows apply: requestStop.asked, requestStop.again\n  at requestStop(lease 1) of p1")
}

func TestUndefined(t *testing.T) {
	holder := func(table *spec.Table) *expr.Node {
		s := table.Vars[0].Sym
		ref := &expr.Node{Op: expr.OpRef, Type: s.Type, Sym: s}
		get := &expr.Node{Op: expr.OpGet, Type: s.Type.Elem, Args: []*expr.Node{ref}}
		return &expr.Node{Op: expr.OpEq, Type: expr.BoolType, Args: []*expr.Node{get, get}}
	}
	table := loadLane(t)
	w := row(t, table, "claim.won")
	w.When = append(w.When, &spec.Cond{Expr: holder(table), Src: "holder.value() == holder.value()"})
	err, text := steps(t, table, "memory")
	wants(t, err, interp.ErrUndefined, text, "claim.won can't be told: holder.value() == holder.value() has no value (value() of none)", "state = free")

	table = loadLane(t)
	p := &spec.Property{Name: "Odd", Kind: spec.Invariant, Holds: holder(table), Src: "holder.value() == holder.value()"}
	m := machine(t, table, model(t, table, "memory"))
	r := run(t, m, p)
	wants(t, r.Properties[0].Err, interp.ErrUndefined, m.Explain(r.Properties[0]), "Odd can't be told", "value() of none")

	// To the right of what decides, it doesn't matter.
	no := &expr.Node{Op: expr.OpBool, Type: expr.BoolType}
	p.Holds = &expr.Node{Op: expr.OpImplies, Type: expr.BoolType, Args: []*expr.Node{no, p.Holds}}
	if r := run(t, m, p); r.Properties[0].Verdict != explore.Holds {
		t.Errorf("implies isn't lazy: %s", m.Explain(r.Properties[0]))
	}
}

func TestConflict(t *testing.T) {
	table := loadLane(t)
	table.Follows = append(table.Follows, table.Follows[0])
	err, text := steps(t, table, "memory")
	wants(t, err, interp.ErrConflict, text, "two updates of one variable", "claim(lease 1, fence 1) of p1")
}

func TestNeverIsReported(t *testing.T) {
	table := loadLane(t)
	r := row(t, table, "requestStop.again")
	r.Outcome, r.Claim = spec.Never, "nobody asks twice"
	m := machine(t, table, model(t, table, "memory"))
	text := m.Explain(run(t, m, table.Properties[0]).Never)
	want := "requestStop.again, never: nobody asks twice"
	if !strings.Contains(text, want) {
		t.Errorf("%q isn't in:\n%s", want, text)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		mend func(*spec.Table, *spec.Model)
		want string
	}{
		{"no instance", func(_ *spec.Table, m *spec.Model) { m.Instances = 0 }, "needs an instance"},
		{"no size", func(tb *spec.Table, m *spec.Model) { delete(m.Sizes, tb.Types[0]) }, "no size for Lease"},
		{"too large a set", func(tb *spec.Table, m *spec.Model) { m.Sizes[tb.Types[0]] = 63 }, "a set has at most 63 elements"},
		{"params", func(_ *spec.Table, m *spec.Model) { m.Params = nil }, "0 values for 1 params"},
		{"no start", func(tb *spec.Table, _ *spec.Model) { tb.States[0].Initial = false }, "0 initial states"},
		{"two fresh", func(tb *spec.Table, _ *spec.Model) { tb.Events[4].Args[0].Fresh = true }, "two fresh arguments of type Fence"},
	} {
		table := loadLane(t)
		m := table.Models[0]
		c.mend(table, m)
		if _, err := interp.New(table, m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.name, err, c.want)
		}
	}
}

// TestSharedFlag is the design with one global busy flag: a claim on one lane
// changes the answers of all others.
func TestSharedFlag(t *testing.T) {
	table := loadLane(t)
	busy := &expr.Symbol{Kind: expr.SymShared, Name: "busy", Type: expr.BoolType}
	table.Shared = append(table.Shared, &spec.Var{Sym: busy})
	ref := &expr.Node{Op: expr.OpRef, Type: expr.BoolType, Sym: busy}
	taken := &spec.Cond{Expr: ref, Src: "busy"}
	check := row(t, table, "claim.busy")
	check.From, check.When = nil, []*spec.Cond{taken}
	for name, v := range map[string]int{"claim.won": 1, "release.freed": 0} {
		r := row(t, table, name)
		r.Set = append(r.Set, &spec.Assign{Var: busy, Expr: &expr.Node{Op: expr.OpBool, Type: expr.BoolType, Int: v}, Src: "busy"})
	}
	m := machine(t, table, model(t, table, "memory"))
	var failed []string
	for _, res := range run(t, m, m.Model().Checks...).Properties {
		if res.Verdict == explore.Violated {
			failed = append(failed, m.Explain(res))
		}
	}
	if len(failed) != 3 || !strings.Contains(failed[0], "FreeIsClaimable fails for p2: state != free") ||
		!strings.Contains(failed[1], "Isolation fails for p1: p2 can tell") ||
		!strings.Contains(failed[2], "BusyIsTold fails for p2") {
		t.Errorf("failed:\n%s", strings.Join(failed, "\n"))
	}
}
