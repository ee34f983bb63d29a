package equal_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/interlock-go/interlock/gen/equal"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/tla"
)

// needTLC skips a test where TLC can't be run. Under CI=true it fails: there,
// a skipped test would go unnoticed.
func needTLC(t *testing.T) {
	t.Helper()
	_, err := tla.Available(t.Context())
	if err == nil {
		return
	}
	missing := errors.Is(err, tla.ErrNoJava) || errors.Is(err, tla.ErrNoMaven) || errors.Is(err, tla.ErrFetch)
	if missing && os.Getenv("CI") != "true" {
		t.Skipf("needs TLC: %v", err)
	}
	t.Fatal(err)
}

// TestReference holds tables against the models that were written by hand.
// interlock verify does so at every size that has a reference.
func TestReference(t *testing.T) {
	needTLC(t)
	for _, c := range []struct {
		module, model string
		states, edges int
	}{
		{"Lane", "memory", 76, 2398},
		{"Queue", "pair", 206, 7648},
	} {
		ref, err := equal.ReadReference(t.Context(), equal.TLC(tla.Config{
			Dir: "../../tla/reference", Module: c.module + "Edges", Cfg: c.module + "Edges_" + c.model + ".cfg", Short: true, HeapMB: 256,
		}))
		if err != nil {
			t.Fatal(err)
		}
		table, err := spec.Load("../../spec/" + strings.ToLower(c.module) + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		got, err := equal.Lockstep(t.Context(), lane(t, table, c.model), ref)
		if err != nil {
			t.Error(err)
		}
		if got.States != c.states || got.Edges != c.edges || ref.States() != c.states || ref.Edges != c.edges {
			t.Errorf("%s %s: ours has %d states and %d edges, the reference %d and %d; want %d and %d",
				c.module, c.model, got.States, got.Edges, ref.States(), ref.Edges, c.states, c.edges)
		}
	}
}

// opaque returns the lines of a reference that agrees with m, with states of
// its own, and with what they show if show says so.
func opaque(t testing.TB, m *interp.Machine, show bool) []string {
	t.Helper()
	var lines []string
	seen, states := map[string]bool{}, map[string]int{}
	hidden := map[interp.State]tla.Value{}
	visible := func(s interp.State) tla.Value {
		all := vars(m, s)
		var parts []tla.Value
		for i := range 7 {
			parts = append(parts, all.Elem(i))
		}
		return tla.Tuple(parts...)
	}
	hide := func(s interp.State) tla.Value {
		if v, ok := hidden[s]; ok {
			return v
		}
		text := visible(s).String()
		if _, ok := states[text]; !ok {
			states[text] = len(states)
		}
		hidden[s] = tla.Record(tla.Field{Name: "s", Value: tla.Int(int64(states[text]))})
		return hidden[s]
	}
	err := equal.Machine("ours", m).Edges(t.Context(), func(e *equal.Edge) error {
		if e.Event.Event.By == "world" {
			return nil
		}
		answer := e.Row.Code
		if e.Row.Outcome == spec.Move {
			answer = "move"
		}
		parts := []tla.Value{tla.Str(e.Event.Event.Name), tla.Model(interp.InstanceName(e.Instance)),
			argsOf(e), tla.Str(answer), effectsOf(e), hide(e.From), hide(e.To)}
		if show {
			parts = append(parts, visible(e.To))
		}
		l := quoted(tla.Tuple(parts...))
		if !seen[l] {
			seen[l] = true
			lines = append(lines, l)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func lockstep(t *testing.T, m *interp.Machine, lines []string) (equal.Counts, error) {
	t.Helper()
	ref, err := equal.ReadReference(t.Context(), given(lines))
	if err != nil {
		return equal.Counts{}, err
	}
	return equal.Lockstep(t.Context(), m, ref)
}

func TestLockstep(t *testing.T) {
	m := lane(t, loadLane(t), "durable")
	lines := opaque(t, m, false)
	slices.Reverse(lines[1:])
	c, err := lockstep(t, m, lines)
	if err != nil || c.States != 336 || c.Edges != 10098 || len(lines) != 10098 {
		t.Errorf("%+v, %v; %d lines", c, err, len(lines))
	}
}

// TestBrokenReference breaks a reference in each way that a misreading could.
func TestBrokenReference(t *testing.T) {
	m := small(t, loadLane(t), 1)
	lines := opaque(t, m, false)
	again := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "ALREADY_ORPHANED") })
	swap := func(a, b int) []string {
		out := slices.Clone(lines)
		x, y := fmt.Sprintf("[s |-> %d]", a), fmt.Sprintf("[s |-> %d]", b)
		for i := range out {
			out[i] = strings.ReplaceAll(out[i], x, y)
		}
		return out
	}
	t.Run("answer", func(t *testing.T) {
		_, err := lockstep(t, m, change(t, lines, "ALREADY_ORPHANED", "FENCING_MOVED"))
		wantDifference(t, err, "1. claim <<1, 1>> of p1\n2. orphan <<1>> of p1\nthen, in\np1: state = orphaned",
			"orphan <<1>> of p1\n  ours: ALREADY_ORPHANED\n  reference: FENCING_MOVED\n")
	})
	t.Run("effect", func(t *testing.T) {
		_, err := lockstep(t, m, change(t, lines, `\"failed\", FALSE`, `\"failed\", TRUE`))
		wantDifference(t, err, "1. claim <<1, 1>> of p1\n",
			`ours: move, effects <<<<"receipt", "failed", FALSE, 1, 1, FALSE>>>>`,
			`reference: move, effects <<<<"receipt", "failed", TRUE, 1, 1, FALSE>>>>`)
	})
	t.Run("dropped line", func(t *testing.T) {
		_, err := lockstep(t, m, slices.Delete(slices.Clone(lines), again, again+1))
		wantDifference(t, err, "orphan <<1>> of p1\n  ours: ALREADY_ORPHANED\n  reference: it isn't possible\n")
	})
	t.Run("further line", func(t *testing.T) {
		more := append(slices.Clone(lines), change(t, lines[:1], "<<1, 1>>", "<<2, 1>>")[0])
		_, err := lockstep(t, m, more)
		wantDifference(t, err, "differ\nthen, in", "claim <<2, 1>> of p1\n  ours: it isn't possible\n  reference: move\n")
	})
	t.Run("target", func(t *testing.T) {
		_, err := lockstep(t, m, change(t, lines, "[s |-> 2]>>\"", "[s |-> 1]>>\""))
		wantDifference(t, err, "ours tells two states apart that are one of the reference:")
	})
	t.Run("state split", func(t *testing.T) {
		// One of the four releases leads to a copy of the state of the others.
		into := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "release") && strings.Contains(l, "move") })
		state := lines[into][strings.LastIndex(lines[into], "[") : len(lines[into])-len(`>>"`)]
		out := slices.Clone(lines)
		for _, l := range lines {
			if strings.Contains(l, state+", ") {
				out = append(out, strings.ReplaceAll(l, state, "[s |-> 999]"))
			}
		}
		out[into] = strings.Replace(out[into], state, "[s |-> 999]", 1)
		_, err := lockstep(t, m, out)
		wantDifference(t, err, "the reference tells two states apart that are one of ours:\n[s |-> 999]\n"+state)
	})
	t.Run("states merged", func(t *testing.T) {
		if _, err := lockstep(t, m, swap(2, 1)); err == nil || !strings.Contains(err.Error(), "the reference answers") {
			t.Errorf("%v", err)
		}
	})
	t.Run("two answers", func(t *testing.T) {
		both := append(slices.Clone(lines), strings.Replace(lines[again], "ALREADY_ORPHANED", "FENCING_MOVED", 1))
		if _, err := lockstep(t, m, both); err == nil || !strings.Contains(err.Error(), "the reference answers orphan <<1>> of p1 in two ways") {
			t.Errorf("%v", err)
		}
	})
	t.Run("one answer again", func(t *testing.T) {
		once, err := lockstep(t, m, lines)
		if err != nil {
			t.Fatal(err)
		}
		if twice, err := lockstep(t, m, append(slices.Clone(lines), lines...)); err != nil || twice != once {
			t.Errorf("%+v, %v; want %+v", twice, err, once)
		}
	})
	t.Run("unreached state", func(t *testing.T) {
		more := append(slices.Clone(lines), strings.NewReplacer("[s |-> 0]", "[s |-> 998]", "[s |-> 1]", "[s |-> 999]").Replace(lines[0]))
		_, err := lockstep(t, m, more)
		wantDifference(t, err, "no walk reaches 2 states of the reference, such as [s |-> 998]")
	})
	t.Run("nothing", func(t *testing.T) {
		if _, err := lockstep(t, m, nil); err == nil {
			t.Error("an empty reference is equal")
		}
	})
}

// TestShown has a reference that tells what its states show.
func TestShown(t *testing.T) {
	m := small(t, loadLane(t), 1)
	lines := opaque(t, m, true)
	if _, err := lockstep(t, m, lines); err != nil {
		t.Fatal(err)
	}
	var other []string // stopped is the other way round, everywhere
	for _, l := range lines {
		head, tail := l[:strings.LastIndex(l, "[s |->")], l[strings.LastIndex(l, "[s |->"):]
		other = append(other, head+strings.NewReplacer("FALSE", "TRUE", "TRUE", "FALSE").Replace(tail))
	}
	_, err := lockstep(t, m, other)
	wantDifference(t, err, "they show other values:\nours:      <<(p1 :> ")
	if _, err := lockstep(t, m, append(slices.Clone(lines), other...)); err == nil || !strings.Contains(err.Error(), "the reference shows") {
		t.Errorf("%v", err)
	}
}

// TestLockstepUnderAssumptions has a model in which the world restricts what
// happens to the machine: each answer is still one that ignores the world.
func TestLockstepUnderAssumptions(t *testing.T) {
	m := lane(t, loadLane(t), "lost")
	if c, err := lockstep(t, m, opaque(t, m, false)); err != nil || c.States == 0 {
		t.Errorf("%+v, %v", c, err)
	}
}
