package explore_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/interlock-go/interlock/fsm/explore"
)

func TestErrorInAProperty(t *testing.T) {
	odd := errors.New("odd")
	fails := func(at int, otherwise bool) func(int) (bool, error) {
		return func(s int) (bool, error) {
			if s == at {
				return false, odd
			}
			return otherwise, nil
		}
	}
	rep := mustRun(t, diamond(t), opts{Properties: []prop{
		{Name: "state", State: fails(4, true)},
		{Name: "step", Step: func(s int, st step) (bool, error) { return fails(4, true)(st.To) }},
		{Name: "goal", Kind: explore.Sometimes, State: fails(4, false)},
		{Name: "violated before it errs", State: fails(4, false)},
		{Name: "reached before it errs", Kind: explore.Sometimes, State: fails(4, true)},
		isNot("other", 5),
	}})
	want(t, rep.Properties[0], explore.Error, "1 a c")
	want(t, rep.Properties[1], explore.Error, "1 a c")
	want(t, rep.Properties[2], explore.Error, "1 a c")
	want(t, rep.Properties[3], explore.Violated, "1")
	want(t, rep.Properties[4], explore.Reached, "1")
	want(t, rep.Properties[5], explore.Violated, "1 a c e")
	if !errors.Is(rep.Properties[0].Err, odd) || !rep.Complete {
		t.Errorf("%v, complete %v", rep.Properties[0].Err, rep.Complete)
	}
}

func TestErrorOfTheSystem(t *testing.T) {
	sys, odd := diamond(t), errors.New("odd")
	sys.fails = map[int]error{3: odd}
	rep := mustRun(t, sys, opts{Deadlock: true, Properties: []prop{
		isNot("violated before", 3), isNot("holds so far", 5), someStep("given before it erred", "d"),
		is(explore.Sometimes, "goal beyond", 5),
	}})
	want(t, rep.Steps, explore.Error, "1 b")
	if !errors.Is(rep.Steps.Err, odd) || rep.Complete || rep.OK() {
		t.Errorf("%v, complete %v, OK %v", rep.Steps.Err, rep.Complete, rep.OK())
	}
	want(t, rep.Properties[0], explore.Violated, "1 b")
	want(t, rep.Properties[1], explore.Undecided, "")
	want(t, rep.Properties[2], explore.Reached, "1 b d")
	want(t, rep.Properties[3], explore.Undecided, "")
	want(t, rep.Never, explore.Undecided, "")
	want(t, *rep.Deadlock, explore.Undecided, "")
}

func TestBudget(t *testing.T) {
	props := []prop{isNot("holds", 9), isNot("violated", 3), isNot("violated beyond", 5), is(explore.Sometimes, "goal", 9)}
	for _, bound := range []int{6, 7, 0, -1} {
		if rep := mustRun(t, diamond(t), opts{MaxStates: bound, Properties: props}); !rep.Complete || rep.States != 6 {
			t.Errorf("at most %d:\n%v", bound, rep)
		}
	}
	rep := mustRun(t, diamond(t), opts{MaxStates: 5, Deadlock: true, Properties: props})
	if rep.Complete || rep.States != 5 || rep.OK() {
		t.Errorf("at most 5:\n%v", rep)
	}
	want(t, rep.Properties[0], explore.Undecided, "")
	want(t, rep.Properties[1], explore.Violated, "1 b")
	want(t, rep.Properties[2], explore.Undecided, "")
	want(t, rep.Properties[3], explore.Undecided, "")
	want(t, rep.Never, explore.Undecided, "")
	want(t, *rep.Deadlock, explore.Undecided, "")
	want(t, rep.Steps, explore.Undecided, "")

	rep = mustRun(t, diamond(t), opts{MaxStates: 1, Properties: props})
	if rep.Complete || rep.States != 1 || rep.Edges != 0 {
		t.Errorf("fewer than there are initial states:\n%v", rep)
	}
}

func TestCancel(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	visited := 0
	rep, err := explore.Run(ctx, grid{9}, explore.Options[[4]uint8, int]{
		Properties: []explore.Property[[4]uint8, int]{{Name: "any", State: func([4]uint8) (bool, error) { return true, nil }}},
		Visit: func([4]uint8, explore.Step[[4]uint8, int]) error {
			if visited++; visited == 1000 {
				cancel(why)
			}
			return nil
		},
	})
	if !errors.Is(err, why) || rep == nil {
		t.Fatal(err, rep)
	}
	if rep.Complete || rep.OK() || rep.Properties[0].Verdict != explore.Undecided || rep.Steps.Verdict != explore.Undecided {
		t.Error(rep)
	}
	if rep.Edges < 1000 || rep.Edges > 1000+4*64 {
		t.Errorf("ended after %d steps", rep.Edges)
	}
	if rep, err := explore.Run(ctx, diamond(t), opts{}); !errors.Is(err, why) || rep.Edges != 0 {
		t.Errorf("cancelled before it began: %v\n%v", err, rep)
	}
}

func TestVisit(t *testing.T) {
	var seen []string
	visit := func(from int, st step) error {
		seen = append(seen, string(rune('0'+from))+st.Label)
		return nil
	}
	mustRun(t, diamond(t), opts{Visit: visit})
	if got := strings.Join(seen, " "); got != "1a 1b 1x 7g 2c 2c2 3d 3x 4e 4f 5x" {
		t.Errorf("visited %s", got)
	}

	odd := errors.New("odd")
	rep, err := explore.Run(context.Background(), diamond(t), opts{Visit: func(_ int, st step) error {
		if st.Label == "c" {
			return odd
		}
		return nil
	}})
	if !errors.Is(err, odd) || rep == nil || rep.Complete || rep.Edges != 5 {
		t.Errorf("%v\n%v", err, rep)
	}
}

func TestProgress(t *testing.T) {
	var all []explore.Progress
	mustRun(t, grid{20}, explore.Options[[4]uint8, int]{Progress: func(p explore.Progress) { all = append(all, p) }})
	if len(all) != 160_000/explore.ProgressEvery {
		t.Fatalf("called %d times", len(all))
	}
	for i, p := range all {
		if p.Expanded != (i+1)*explore.ProgressEvery || p.Edges != 4*p.Expanded || p.States < p.Expanded || p.Depth < 1 {
			t.Errorf("call %d: %+v", i, p)
		}
	}
}

func TestMisuse(t *testing.T) {
	state, step := isNot("", 1).State, never("", "").Step
	for name, p := range map[string]prop{
		"neither": {}, "both": {State: state, Step: step}, "no such kind": {Kind: 9, State: state},
	} {
		p.Name = name
		rep, err := explore.Run(context.Background(), diamond(t), opts{Properties: []prop{p}})
		if rep != nil || !errors.Is(err, explore.ErrProperty) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if rep, err := explore.Run(context.Background(), &listed{}, opts{}); rep != nil || !errors.Is(err, explore.ErrNoInit) {
		t.Errorf("no initial state: %v, %v", rep, err)
	}
}

// unstable has one step, from 1 to 0, and gives others when it is asked more
// than twice.
type unstable struct {
	later []step
	asked *int
}

func (unstable) Init() []int { return []int{1} }

func (u unstable) Steps(_ int, yield func(step) bool) error {
	*u.asked++
	steps := []step{mv("a", 0, 0)}
	if *u.asked > 2 {
		steps = u.later
	}
	for _, st := range steps {
		if !yield(st) {
			break
		}
	}
	return nil
}

func TestUnstableSystem(t *testing.T) {
	for name, later := range map[string][]step{"fewer": nil, "others": {mv("a", 0, 2)}} {
		rep, err := explore.Run(context.Background(), unstable{later, new(int)}, opts{Properties: []prop{isNot("p", 0)}})
		if rep != nil || !errors.Is(err, explore.ErrUnstable) {
			t.Errorf("%s: %v, %v", name, err, rep)
		}
	}
}
