package explore_test

import (
	"context"
	"strings"
	"testing"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/explore"
)

// Three systems of github.com/tlaplus/Examples, written again by hand, with
// the counts that TLC gives for the originals: an independent check of the
// whole search. TLC's generated states include the initial ones.

// move gives one step of a system whose rows don't matter.
func move[S comparable](yield func(explore.Step[S, string]) bool, label string, to S) bool {
	return yield(explore.Step[S, string]{Label: label, Row: -1, Kind: fsm.Move, To: to})
}

// jugs is DieHard: a jug of 3 gallons, one of 5, and 4 gallons wanted.
type jugs struct{ small, big int }

type dieHard struct{}

func (dieHard) Init() []jugs { return []jugs{{}} }

func (dieHard) Steps(s jugs, yield func(explore.Step[jugs, string]) bool) error {
	toBig, toSmall := min(s.small, 5-s.big), min(s.big, 3-s.small)
	_ = move(yield, "FillSmallJug", jugs{3, s.big}) &&
		move(yield, "FillBigJug", jugs{s.small, 5}) &&
		move(yield, "EmptySmallJug", jugs{0, s.big}) &&
		move(yield, "EmptyBigJug", jugs{s.small, 0}) &&
		move(yield, "SmallToBig", jugs{s.small - toBig, s.big + toBig}) &&
		move(yield, "BigToSmall", jugs{s.small + toSmall, s.big - toSmall})
	return nil
}

// Resource managers of both commit protocols; there are three.
type managers [3]byte

const (
	working   = 'w'
	prepared  = 'p'
	committed = 'c'
	aborted   = 'a'
)

func (m managers) has(state byte) bool { return strings.ContainsRune(string(m[:]), rune(state)) }

func (m managers) with(i int, state byte) managers {
	m[i] = state
	return m
}

// consistent is TCConsistent: no manager commits while another aborts.
func (m managers) consistent() bool { return !m.has(committed) || !m.has(aborted) }

type tCommit struct{}

func (tCommit) Init() []managers { return []managers{{working, working, working}} }

func (tCommit) Steps(s managers, yield func(explore.Step[managers, string]) bool) error {
	canCommit := !s.has(working) && !s.has(aborted)
	for i, state := range s {
		if state == working && !move(yield, "Prepare", s.with(i, prepared)) {
			return nil
		}
		if state == prepared && canCommit && !move(yield, "DecideC", s.with(i, committed)) {
			return nil
		}
		if (state == working || state == prepared) && !s.has(committed) && !move(yield, "DecideA", s.with(i, aborted)) {
			return nil
		}
	}
	return nil
}

// phases is the state of TwoPhase: messages are never taken away.
type phases struct {
	rm            managers
	tm            byte    // working (TLC: init), committed, aborted
	told, sent    [3]bool // manager i is known to be prepared; its message is on the way
	commit, abort bool    // messages to all
}

type twoPhase struct{}

func (twoPhase) Init() []phases {
	return []phases{{rm: managers{working, working, working}, tm: working}}
}

func (twoPhase) Steps(s phases, yield func(explore.Step[phases, string]) bool) error {
	more := true
	step := func(label string, guard bool, change func(*phases)) {
		if t := s; more && guard {
			change(&t)
			more = move(yield, label, t)
		}
	}
	begun := s.tm == working
	step("TMCommit", begun && s.told == [3]bool{true, true, true}, func(t *phases) { t.tm, t.commit = committed, true })
	step("TMAbort", begun, func(t *phases) { t.tm, t.abort = aborted, true })
	for i := range s.rm {
		step("TMRcvPrepared", begun && s.sent[i], func(t *phases) { t.told[i] = true })
		step("RMPrepare", s.rm[i] == working, func(t *phases) { t.rm[i], t.sent[i] = prepared, true })
		step("RMChooseToAbort", s.rm[i] == working, func(t *phases) { t.rm[i] = aborted })
		step("RMRcvCommitMsg", s.commit, func(t *phases) { t.rm[i] = committed })
		step("RMRcvAbortMsg", s.abort, func(t *phases) { t.rm[i] = aborted })
	}
	return nil
}

func state[S comparable](name string, holds func(S) bool) explore.Property[S, string] {
	return explore.Property[S, string]{Name: name, State: func(s S) (bool, error) { return holds(s), nil }}
}

func mustRun[S comparable, L any](t *testing.T, sys explore.System[S, L], opts explore.Options[S, L]) *explore.Report[S, L] {
	t.Helper()
	rep, err := explore.Run(context.Background(), sys, opts)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func wantCounts[S comparable, L any](t *testing.T, rep *explore.Report[S, L], distinct, generated int) {
	t.Helper()
	if !rep.Complete || rep.States != distinct || rep.Inits+rep.Edges != generated {
		t.Errorf("%d distinct, %d generated (complete: %v), want %d and %d",
			rep.States, rep.Inits+rep.Edges, rep.Complete, distinct, generated)
	}
}

func TestDieHard(t *testing.T) {
	rep := mustRun(t, dieHard{}, explore.Options[jugs, string]{Properties: []explore.Property[jugs, string]{
		state("TypeOK", func(s jugs) bool { return s.small >= 0 && s.small <= 3 && s.big >= 0 && s.big <= 5 }),
		state("NotSolved", func(s jugs) bool { return s.big != 4 }),
	}})
	wantCounts(t, rep, 16, 97)
	const solution = `{0 0}
1. FillBigJug -> {0 5}
2. BigToSmall -> {3 2}
3. EmptySmallJug -> {0 2}
4. BigToSmall -> {2 0}
5. FillBigJug -> {2 5}
6. BigToSmall -> {3 4}
`
	if got := rep.Properties[1].Path.String(); got != solution {
		t.Errorf("the way to four gallons is\n%swant\n%s", got, solution)
	}
	if rep.Properties[0].Verdict != explore.Holds || rep.Properties[1].Verdict != explore.Violated {
		t.Error(rep)
	}
}

func TestTCommit(t *testing.T) {
	rep := mustRun(t, tCommit{}, explore.Options[managers, string]{
		Properties: []explore.Property[managers, string]{state("TCConsistent", managers.consistent)},
		Deadlock:   true,
		MayEnd:     func(s managers) (bool, error) { return !s.has(working) && !s.has(prepared), nil },
	})
	wantCounts(t, rep, 34, 94)
	if !rep.OK() {
		t.Error(rep)
	}
}

func TestTwoPhase(t *testing.T) {
	rep := mustRun(t, twoPhase{}, explore.Options[phases, string]{Properties: []explore.Property[phases, string]{
		state("TCConsistent", func(s phases) bool { return s.rm.consistent() }),
		state("AllCommit", func(s phases) bool { return s.rm == managers{committed, committed, committed} }),
	}})
	wantCounts(t, rep, 288, 1146)
	if rep.Properties[0].Verdict != explore.Holds {
		t.Error(rep)
	}
}
