package explore_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/explore"
)

func TestCounts(t *testing.T) {
	rep := mustRun(t, diamond(t), opts{Rows: 7})
	got := []int{rep.States, rep.Inits, rep.Edges, rep.Moves, rep.Depth}
	if !slices.Equal(got, []int{6, 2, 11, 8, 3}) || !rep.Complete {
		t.Errorf("states, initial ones, steps, moves, depth: %v", got)
	}
	if !slices.Equal(rep.Fired, []int{6, 1, 3, 0, 1, 0, 0}) {
		t.Errorf("fired: %v", rep.Fired)
	}
	if rep := mustRun(t, diamond(t), opts{}); !slices.Equal(rep.Fired, []int{6, 1, 3, 0, 1}) {
		t.Errorf("fired, without a number of rows: %v", rep.Fired)
	}
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		prop    prop
		verdict explore.Verdict
		path    string
	}{
		{isNot("invariant holds", 9), explore.Holds, ""},
		{isNot("invariant, first initial state", 1), explore.Violated, "1"},
		{isNot("invariant, second initial state", 7), explore.Violated, "7"},
		{isNot("invariant, two ways", 4), explore.Violated, "1 a c"},
		{isNot("invariant, farthest", 5), explore.Violated, "1 a c e"},
		{never("step holds", "z"), explore.Holds, ""},
		{never("step from an initial state", "g"), explore.Violated, "7 g"},
		{never("step, a way no state was found by", "c2"), explore.Violated, "1 a c2"},
		{never("step that changes nothing", "x"), explore.Violated, "1 x"},
		{never("step into a known state", "f"), explore.Violated, "1 a c f"},
		{is(explore.Sometimes, "goal at once", 7), explore.Reached, "7"},
		{is(explore.Sometimes, "goal", 5), explore.Reached, "1 a c e"},
		{is(explore.Sometimes, "goal not reached", 6), explore.NotReached, ""},
		{someStep("goal step", "d"), explore.Reached, "1 b d"},
		{someStep("goal step not reached", "z"), explore.NotReached, ""},
	} {
		t.Run(c.prop.Name, func(t *testing.T) {
			rep := mustRun(t, diamond(t), opts{Properties: []prop{c.prop}})
			want(t, rep.Properties[0], c.verdict, c.path)
			if rep.OK() != c.verdict.OK() {
				t.Errorf("OK: %v\n%v", rep.OK(), rep)
			}
		})
	}
}

// A step property must see steps that change nothing, a refusal of the wrong
// kind here: no state and no move differs from the machine that is right.
func TestStepPropertySeesWhatChangesNothing(t *testing.T) {
	sys := diamond(t)
	sys.steps[3][1].Kind = fsm.Stay
	refused := prop{Name: "x is refused", Step: func(_ int, st step) (bool, error) {
		return st.Label != "x" || st.Kind == fsm.Refuse, nil
	}}
	want(t, mustRun(t, sys, opts{Properties: []prop{refused}}).Properties[0], explore.Violated, "1 b x")
	want(t, mustRun(t, diamond(t), opts{Properties: []prop{refused}}).Properties[0], explore.Holds, "")
}

func TestInternalStepIsAViolation(t *testing.T) {
	want(t, mustRun(t, diamond(t), opts{}).Never, explore.Holds, "")
	sys := diamond(t)
	sys.steps[4][1].Kind = fsm.Internal
	sys.steps[5] = append(sys.steps[5], step{Label: "far", Row: 6, To: 5})
	sys.steps[3] = append(sys.steps[3], step{Label: "no row", Row: -1, To: 3})
	rep := mustRun(t, sys, opts{})
	want(t, rep.Never, explore.Violated, "1 b no row")
	if st := rep.Never.Path.Steps[1]; st.Row != -1 || rep.OK() {
		t.Errorf("row %d, OK %v", st.Row, rep.OK())
	}
}

func TestDeadlock(t *testing.T) {
	if rep := mustRun(t, diamond(t), opts{}); rep.Deadlock != nil || !rep.OK() {
		t.Errorf("not asked for:\n%v", rep)
	}
	want(t, *mustRun(t, diamond(t), opts{Deadlock: true}).Deadlock, explore.Violated, "1 a c e")

	mayEnd := func(end int, err error) func(int) (bool, error) {
		return func(s int) (bool, error) { return s == end, err }
	}
	want(t, *mustRun(t, diamond(t), opts{Deadlock: true, MayEnd: mayEnd(5, nil)}).Deadlock, explore.Holds, "")
	want(t, *mustRun(t, diamond(t), opts{Deadlock: true, MayEnd: mayEnd(4, nil)}).Deadlock, explore.Violated, "1 a c e")
	rep := mustRun(t, diamond(t), opts{Deadlock: true, MayEnd: mayEnd(5, errors.New("odd"))})
	want(t, *rep.Deadlock, explore.Error, "1 a c e")

	bare := diamond(t)
	delete(bare.steps, 2) // no step at all, and found before 5
	want(t, *mustRun(t, bare, opts{Deadlock: true}).Deadlock, explore.Violated, "1 a")
}
