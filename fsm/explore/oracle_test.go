package explore_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/explore"
)

const far = 1 << 20 // farther than any state

// drawSystem draws a system of up to eight states, in which nothing need be
// reachable, and labels that tell its steps apart.
func drawSystem(t *rapid.T) *listed {
	n := rapid.IntRange(1, 8).Draw(t, "states")
	at := rapid.IntRange(0, n-1)
	sys := &listed{init: rapid.SliceOfN(at, 1, 3).Draw(t, "init"), steps: map[int][]step{}}
	for i := range rapid.IntRange(0, 2*n).Draw(t, "steps") {
		from := at.Draw(t, "from")
		sys.steps[from] = append(sys.steps[from], step{
			Label: fmt.Sprint("s", i),
			Row:   rapid.IntRange(-1, 3).Draw(t, "row"),
			Kind:  rapid.SampledFrom([]fsm.Kind{fsm.Move, fsm.Stay, fsm.Refuse, fsm.Ignore, fsm.Internal}).Draw(t, "kind"),
			To:    at.Draw(t, "to"),
		})
	}
	return sys
}

// distances relaxes every step as often as there are states: slow and plain,
// another way to what the search finds breadth first.
func distances(sys *listed) map[int]int {
	dist := map[int]int{}
	for _, s := range sys.init {
		dist[s] = 0
	}
	for range 8 {
		for from, steps := range sys.steps {
			d, known := dist[from]
			for _, st := range steps {
				if e, ok := dist[st.To]; known && (!ok || d+1 < e) {
					dist[st.To] = d + 1
				}
			}
		}
	}
	return dist
}

// checkPath says what is wrong with a path: each of its steps must be one of
// the system's.
func checkPath(sys *listed, p *explore.Path[int, string]) error {
	if !slices.Contains(sys.init, p.Init) {
		return fmt.Errorf("starts in %d", p.Init)
	}
	at := p.Init
	for _, st := range p.Steps {
		if !slices.Contains(sys.steps[at], st) {
			return fmt.Errorf("no step %v from %d", st, at)
		}
		at = st.To
	}
	if p.Last() != at {
		return fmt.Errorf("ends in %d, not %d", at, p.Last())
	}
	return nil
}

// TestAgainstDistances draws systems and compares all counts, verdicts and
// lengths of paths with the distances.
func TestAgainstDistances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := drawSystem(t)
		bad := rapid.IntRange(0, 7).Draw(t, "bad state")
		row := rapid.IntRange(0, 3).Draw(t, "bad row")
		ofRow := func(st step) bool { return st.Row == row }
		o := opts{
			Deadlock: true,
			Properties: []prop{
				isNot("state", bad), is(explore.Sometimes, "goal", bad),
				{Name: "step", Step: func(_ int, st step) (bool, error) { return !ofRow(st), nil }},
				{Name: "goal step", Kind: explore.Sometimes, Step: func(_ int, st step) (bool, error) { return ofRow(st), nil }},
			},
		}
		rep, err := explore.Run(t.Context(), sys, o)
		if err != nil {
			t.Fatal(err)
		}

		dist := distances(sys)
		wantEdges, wantMoves, wantDepth := 0, 0, 0
		toState, toRow, toInternal, toDeadlock := far, far, far, far
		for s, d := range dist {
			wantDepth = max(wantDepth, d)
			if s == bad {
				toState = d
			}
			stuck := true
			for _, st := range sys.steps[s] {
				wantEdges++
				if st.To != s {
					wantMoves++
					stuck = false
				}
				if ofRow(st) {
					toRow = min(toRow, d+1)
				}
				if st.Kind == fsm.Internal {
					toInternal = min(toInternal, d+1)
				}
			}
			if stuck {
				toDeadlock = min(toDeadlock, d)
			}
		}
		got := []int{rep.States, rep.Edges, rep.Moves, rep.Depth}
		if !slices.Equal(got, []int{len(dist), wantEdges, wantMoves, wantDepth}) {
			t.Errorf("states, steps, moves, depth: %v, want %v", got, []int{len(dist), wantEdges, wantMoves, wantDepth})
		}
		for _, c := range []struct {
			res     explore.Result[int, string]
			length  int
			yes, no explore.Verdict
		}{
			{rep.Properties[0], toState, explore.Violated, explore.Holds},
			{rep.Properties[1], toState, explore.Reached, explore.NotReached},
			{rep.Properties[2], toRow, explore.Violated, explore.Holds},
			{rep.Properties[3], toRow, explore.Reached, explore.NotReached},
			{rep.Never, toInternal, explore.Violated, explore.Holds},
			{*rep.Deadlock, toDeadlock, explore.Violated, explore.Holds},
			{rep.Steps, far, explore.Error, explore.Holds},
		} {
			if c.length == far {
				if c.res.Verdict != c.no || c.res.Path != nil {
					t.Errorf("%s: %v by %v, want %v", c.res.Name, c.res.Verdict, c.res.Path, c.no)
				}
				continue
			}
			if c.res.Verdict != c.yes || c.res.Path == nil || len(c.res.Path.Steps) != c.length {
				t.Errorf("%s: %v by %v, want %v in %d steps", c.res.Name, c.res.Verdict, c.res.Path, c.yes, c.length)
			} else if err := checkPath(sys, c.res.Path); err != nil {
				t.Errorf("%s: %v", c.res.Name, err)
			}
		}
	})
}

// TestEachPropertyByItself compares a run of many properties with a run of
// each of them alone, under a budget and with a system that may err, and every
// run with another of the same.
func TestEachPropertyByItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := drawSystem(t)
		odd := fmt.Errorf("odd")
		if rapid.Bool().Draw(t, "errs") {
			sys.fails = map[int]error{rapid.IntRange(0, 7).Draw(t, "errs at"): odd}
		}
		var props []prop
		for i := range rapid.IntRange(0, 6).Draw(t, "properties") {
			p := prop{Name: fmt.Sprint("p", i), Kind: explore.Kind(rapid.IntRange(0, 1).Draw(t, "kind"))}
			holds, errs := rapid.IntRange(0, 255).Draw(t, "holds"), rapid.IntRange(0, 255).Draw(t, "errs")
			answer := func(s int) (bool, error) {
				if errs>>s&1 == 1 {
					return false, odd
				}
				return holds>>s&1 == 1, nil
			}
			if rapid.Bool().Draw(t, "of steps") {
				p.Step = func(from int, st step) (bool, error) { return answer(from ^ st.To) }
			} else {
				p.State = answer
			}
			props = append(props, p)
		}
		bound := rapid.IntRange(0, 8).Draw(t, "bound")
		run := func(props ...prop) *explore.Report[int, string] {
			rep, err := explore.Run(t.Context(), sys, opts{Properties: props, MaxStates: bound, Deadlock: true})
			if err != nil {
				t.Fatal(err)
			}
			return rep
		}
		same := cmp.Comparer(func(a, b error) bool { return a == b })

		all := run(props...)
		if diff := cmp.Diff(all, run(props...), same); diff != "" {
			t.Errorf("two runs differ:\n%s", diff)
		}
		for i, p := range props {
			if diff := cmp.Diff(all.Properties[i], run(p).Properties[0], same); diff != "" {
				t.Errorf("%s in company and alone:\n%s", p.Name, diff)
			}
		}
	})
}
