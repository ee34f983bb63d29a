package explore_test

import (
	"testing"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/explore"
)

type (
	step   = explore.Step[int, string]
	prop   = explore.Property[int, string]
	opts   = explore.Options[int, string]
	result = explore.Result[int, string]
)

// listed is a system given as a list of steps. It gives every step that the
// caller asks for, and one more: a search has to stop by itself.
type listed struct {
	init  []int
	steps map[int][]step
	fails map[int]error // after the steps
	inUse bool
	t     *testing.T
}

func (l *listed) Init() []int { return l.init }

func (l *listed) Steps(s int, yield func(step) bool) error {
	if l.inUse {
		l.t.Error("asked for steps while it gives steps")
	}
	l.inUse = true
	defer func() { l.inUse = false }()
	more := true
	for _, st := range l.steps[s] {
		if !more {
			yield(st)
			break
		}
		more = yield(st)
	}
	return l.fails[s]
}

// mv, no are steps of a listed system.
func mv(label string, row, to int) step {
	return step{Label: label, Row: row, Kind: fsm.Move, To: to}
}

func no(label string, row, at int) step {
	return step{Label: label, Row: row, Kind: fsm.Refuse, To: at}
}

// diamond has two initial states, two ways to 4 of which the one through 2 is
// found first, a longer one through 3, and ends in 5.
func diamond(t *testing.T) *listed {
	return &listed{
		t:    t,
		init: []int{1, 7, 1},
		steps: map[int][]step{
			1: {mv("a", 0, 2), mv("b", 1, 3), no("x", 2, 1)},
			2: {mv("c", 0, 4), mv("c2", 0, 4)},
			3: {mv("d", 4, 4), no("x", 2, 3)},
			4: {mv("e", 0, 5), mv("f", 0, 1)},
			5: {no("x", 2, 5)},
			7: {mv("g", 0, 1)},
		},
	}
}

func is(kind explore.Kind, name string, s int) prop {
	return prop{Name: name, Kind: kind, State: func(at int) (bool, error) { return at == s, nil }}
}

func isNot(name string, s int) prop {
	return prop{Name: name, State: func(at int) (bool, error) { return at != s, nil }}
}

func never(name, label string) prop {
	return prop{Name: name, Step: func(_ int, st step) (bool, error) { return st.Label != label, nil }}
}

func someStep(name, label string) prop {
	return prop{Name: name, Kind: explore.Sometimes, Step: func(_ int, st step) (bool, error) { return st.Label == label, nil }}
}

// want compares a result with a verdict and a path, written as the state to
// start in and the labels after it.
func want(t *testing.T, res result, verdict explore.Verdict, path string) {
	t.Helper()
	got := ""
	if res.Path != nil {
		got = string(rune('0' + res.Path.Init))
		for _, st := range res.Path.Steps {
			got += " " + st.Label
		}
	}
	if res.Verdict != verdict || got != path {
		t.Errorf("%s: %v by %q, want %v by %q", res.Name, res.Verdict, got, verdict, path)
	}
	if (res.Err != nil) != (verdict == explore.Error) {
		t.Errorf("%s: %v with error %v", res.Name, res.Verdict, res.Err)
	}
}
