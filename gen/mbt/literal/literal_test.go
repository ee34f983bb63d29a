package literal_test

import (
	"go/parser"
	"slices"
	"testing"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/mbt/literal"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

func lane(t *testing.T) literal.Printer {
	t.Helper()
	table, err := spec.Load("../../../spec/lane.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return literal.Of(table)
}

func typeNamed(t *testing.T, p literal.Printer, name string) *expr.Type {
	t.Helper()
	i := slices.IndexFunc(p.Types, func(typ *expr.Type) bool { return typ.Name == name })
	if i < 0 {
		t.Fatalf("no type %s", name)
	}
	return p.Types[i]
}

func TestLiterals(t *testing.T) {
	p := lane(t)
	lease, outcome := typeNamed(t, p, "Lease"), typeNamed(t, p, "Outcome")
	for _, c := range []struct{ got, want string }{
		{p.Value(expr.BoolType, 1), "true"},
		{p.Value(&expr.Type{Kind: expr.Int, Lo: -3, Hi: 3}, 1), "-2"},
		{p.Value(lease, 7), "7"},
		{p.Value(outcome, 1), "lane.OutcomeFailed"},
		{p.Value(outcome, ^uint64(0)), "lane.Outcome(0)"},
		{p.Value(outcome, 4), "lane.Outcome(5)"},
		{p.Value(p.State.Type, 2), "lane.StopRequested"},
		{p.Value(expr.OptionalOf(lease), 0), "fsm.None[lane.Lease]()"},
		{p.Value(expr.OptionalOf(lease), 1), "fsm.Some[lane.Lease](0)"},
		{p.Value(expr.OptionalOf(outcome), 2), "fsm.Some(lane.OutcomeFailed)"},
		{p.Machine([]int{0}, []uint64{0, 0, 0, 0, 0}), "lane.Machine{State: lane.Free}"},
		{p.Machine([]int{1}, []uint64{1, 3, 2, 1, 1}),
			"lane.Machine{Params: lane.Params{Durable: true}, State: lane.Running, Holder: fsm.Some[lane.Lease](2), Fencing: 2, ClaimedFencing: 1, Stopped: true}"},
		{p.Event(p.EventNamed("release"), []uint64{0, 0}), "lane.Release{Outcome: lane.OutcomeSucceeded, Lease: 0}"},
		{p.Effect(interp.Effect{Effect: p.Effects[0], Args: []uint64{2, 0, 3, 1, 1}}),
			"lane.Effect{Kind: lane.EffectReceipt, Outcome: lane.OutcomeCancelled, Fencing: 3, ClaimedFencing: 1, Recovered: true}"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
		if _, err := parser.ParseExpr(c.got); err != nil {
			t.Errorf("%s: %v", c.got, err)
		}
	}
}

func TestOutsideRow(t *testing.T) {
	p := lane(t)
	release := p.EventNamed("release")
	for _, c := range []struct {
		args []uint64
		want string
	}{
		{[]uint64{0, 1}, ""},
		{[]uint64{3, 1 << 60}, ""}, // a serial that nobody issued is one
		{[]uint64{4, 0}, "release.outcome INVALID_OUTCOME"},
		{[]uint64{^uint64(0), 0}, "release.outcome INVALID_OUTCOME"},
		{[]uint64{0, 0}, "release.lease INVALID_LEASE"},
	} {
		name, code, ok := literal.OutsideRow(release, c.args)
		if got := name + " " + code; ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%d: %s, want %s", c.args, got, c.want)
		}
	}
}
