package explore_test

import (
	"errors"
	"testing"

	"github.com/interlock-go/interlock/fsm/explore"
)

func TestReportText(t *testing.T) {
	sys := diamond(t)
	sys.fails = map[int]error{2: errors.New("odd")}
	rep := mustRun(t, sys, opts{Properties: []prop{isNot("p", 4), isNot("q", 9)}})
	const want = `5 states (2 initial), 6 steps, 5 of them moves, depth 2, incomplete
p: violated
  1
  1. a -> 2
  2. c -> 4
q: undecided
no internal step: undecided
steps defined: error: odd
  1
  1. a -> 2
`
	if got := rep.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestVerdict(t *testing.T) {
	for v, c := range map[explore.Verdict]struct {
		text string
		ok   bool
	}{
		explore.Undecided: {"undecided", false}, explore.Holds: {"holds", true}, explore.Violated: {"violated", false},
		explore.Reached: {"reached", true}, explore.NotReached: {"not reached", false}, explore.Error: {"error", false},
		99: {"Verdict(99)", false},
	} {
		if v.String() != c.text || v.OK() != c.ok {
			t.Errorf("%v: OK %v", v, v.OK())
		}
	}
	var zero explore.Verdict
	if zero != explore.Undecided {
		t.Errorf("the zero Verdict is %v", zero)
	}
}
