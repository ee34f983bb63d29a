package explore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/interlock-go/interlock/fsm/explore"
)

// net is a graph with labelled steps, and the claim that a state in from leads to
// one in to.
type net struct {
	states   int
	inits    []int
	steps    [][3]int // from, label, to
	from, to []int
	weak     []int // labels
	strong   []int
}

func (n net) Init() []int { return n.inits }

func (n net) Steps(s int, yield func(explore.Step[int, int]) bool) error {
	for _, st := range n.steps {
		if st[0] == s && !yield(explore.Step[int, int]{Label: st[1], To: st[2]}) {
			break
		}
	}
	return nil
}

func (n net) claim() explore.Leads[int, int] {
	in := func(set []int) func(int) (bool, error) {
		return func(s int) (bool, error) { return slices.Contains(set, s), nil }
	}
	c := explore.Leads[int, int]{Name: "claim", From: in(n.from), To: in(n.to)}
	for _, l := range n.weak {
		c.Fair = append(c.Fair, explore.Fair[int]{Name: fmt.Sprint(l), Of: func(x int) bool { return x == l }})
	}
	for _, l := range n.strong {
		c.Fair = append(c.Fair, explore.Fair[int]{Name: fmt.Sprint(l), Strong: true, Of: func(x int) bool { return x == l }})
	}
	return c
}

func (n net) check(t *testing.T) *explore.Lasso[int, int] {
	t.Helper()
	m, err := explore.MovesOf(t.Context(), n, 0)
	if err != nil {
		t.Fatal(err)
	}
	l, err := m.Check(t.Context(), n.claim())
	if err != nil {
		t.Fatal(err)
	}
	if l != nil {
		n.admits(t, l)
	}
	return l
}

// admits demands that l is a fair behaviour of n that breaks its claim.
func (n net) admits(t *testing.T, l *explore.Lasso[int, int]) {
	t.Helper()
	at, pending := l.Path.Init, slices.Contains(n.from, l.Path.Init) && !slices.Contains(n.to, l.Path.Init)
	if !slices.Contains(n.inits, at) {
		t.Errorf("%v: the path begins in %d", n, at)
	}
	walk := func(st explore.Step[int, int]) {
		if !slices.Contains(n.steps, [3]int{at, st.Label, st.To}) {
			t.Errorf("%v: there is no step %d -%d-> %d", n, at, st.Label, st.To)
		}
		at = st.To
		pending = (pending || slices.Contains(n.from, at)) && !slices.Contains(n.to, at)
	}
	for _, st := range l.Path.Steps {
		walk(st)
	}
	start := at
	if !pending {
		t.Errorf("%v: nothing is pending when the loop begins: %v", n, l)
	}
	visited, taken := []int{at}, map[int]bool{}
	for _, st := range l.Loop {
		from := at
		walk(st)
		visited = append(visited, at)
		taken[st.Label] = taken[st.Label] || from != at
		if !pending {
			t.Errorf("%v: the loop meets the goal: %v", n, l)
		}
	}
	if at != start {
		t.Errorf("%v: the loop doesn't close: %v", n, l)
	}
	if !n.just(visited, taken) {
		t.Errorf("%v: the loop isn't fair: %v", n, l)
	}
}

// just reports whether going through these states again and again, by steps with
// these labels, is fair.
func (n net) just(visited []int, taken map[int]bool) bool {
	can := func(label, at int) bool {
		return slices.ContainsFunc(n.steps, func(st [3]int) bool { return st[0] == at && st[1] == label && st[2] != at })
	}
	for _, l := range n.weak {
		if !taken[l] && !slices.ContainsFunc(visited, func(at int) bool { return !can(l, at) }) {
			return false
		}
	}
	for _, l := range n.strong {
		if !taken[l] && slices.ContainsFunc(visited, func(at int) bool { return can(l, at) }) {
			return false
		}
	}
	return true
}

// The traps of liveness, each with the verdict that TLA+ gives.
var traps = map[string]struct {
	net
	holds bool
}{
	"it holds since nothing asks for it": {net{states: 2, inits: []int{0}, steps: [][3]int{{0, 1, 1}}}, true},
	"a behaviour may stop anywhere":      {net{states: 2, inits: []int{0}, steps: [][3]int{{0, 1, 1}}, from: []int{0}, to: []int{1}}, false},
	"weak fairness makes it go on":       {net{states: 2, inits: []int{0}, steps: [][3]int{{0, 1, 1}}, from: []int{0}, to: []int{1}, weak: []int{1}}, true},
	"a step that changes nothing is no progress": {
		net{states: 2, inits: []int{0}, steps: [][3]int{{0, 1, 0}, {0, 2, 1}}, from: []int{0}, to: []int{1}, weak: []int{1}}, false},
	"nor is one that others can undo": { // 1 is possible now and then only
		net{states: 3, inits: []int{0}, steps: [][3]int{{0, 2, 1}, {1, 2, 0}, {0, 1, 2}}, from: []int{0}, to: []int{2}, weak: []int{1, 2}}, false},
	"unless it is strong": {
		net{states: 3, inits: []int{0}, steps: [][3]int{{0, 2, 1}, {1, 2, 0}, {0, 1, 2}}, from: []int{0}, to: []int{2}, weak: []int{2}, strong: []int{1}}, true},
	"a strong one needs the loop that asks for it": { // it may stop in 1, where nothing can be asked for
		net{states: 3, inits: []int{0}, steps: [][3]int{{0, 2, 1}, {1, 3, 0}, {0, 1, 2}}, from: []int{0}, to: []int{2}, strong: []int{1}}, false},
	"a set that is strongly connected, without one loop that is fair": { // both 1 and 2 must be taken; only 0 leads to both loops
		net{states: 3, inits: []int{0}, steps: [][3]int{{0, 1, 1}, {1, 3, 0}, {0, 2, 2}, {2, 3, 0}}, from: []int{0}, weak: []int{3}, strong: []int{1, 2}}, false},
	"from then on, not again and again": { // from 1 on, in 1 for ever
		net{states: 2, inits: []int{0}, steps: [][3]int{{0, 1, 1}, {1, 2, 0}}, from: []int{0, 1}, to: []int{1}, weak: []int{1}}, true},
	"the second initial state fails": {
		net{states: 4, inits: []int{0, 2}, steps: [][3]int{{0, 1, 1}, {2, 2, 3}}, from: []int{0, 2}, to: []int{1}, weak: []int{1, 2}}, false},
	"a goal in the same state is one": {net{states: 1, inits: []int{0}, from: []int{0}, to: []int{0}}, true},
	"a goal before the cause is none": {
		net{states: 3, inits: []int{0}, steps: [][3]int{{0, 1, 1}, {1, 1, 2}}, from: []int{2}, to: []int{1}, weak: []int{1}}, false},
	"the loop lies behind the goal": {
		net{states: 3, inits: []int{0}, steps: [][3]int{{0, 1, 1}, {1, 1, 2}, {2, 1, 1}}, from: []int{0}, to: []int{1}, weak: []int{1}}, true},
}

func TestLeadsTraps(t *testing.T) {
	for name, trap := range traps {
		t.Run(name, func(t *testing.T) {
			if l := trap.check(t); (l == nil) != trap.holds {
				t.Errorf("holds: %v; want %v: %v", l == nil, trap.holds, l)
			}
		})
	}
}

// breaks tells by brute force whether some fair behaviour breaks the claim: it
// tries every set of steps as the loop.
func (n net) breaks() bool {
	var bad [][3]int
	inBad := func(s int) bool { return !slices.Contains(n.to, s) }
	for _, st := range n.steps {
		if st[0] != st[2] && inBad(st[0]) && inBad(st[2]) {
			bad = append(bad, st)
		}
	}
	all := n.closure(n.inits, n.steps)
	var starts []int
	for _, s := range all {
		if slices.Contains(n.from, s) && inBad(s) {
			starts = append(starts, s)
		}
	}
	pending := n.closure(starts, bad)
	for _, s := range pending {
		if n.just([]int{s}, nil) {
			return true
		}
	}
	for set := 1; set < 1<<len(bad); set++ {
		var loop [][3]int
		visited, taken := []int(nil), map[int]bool{}
		for i, st := range bad {
			if set>>i&1 != 0 {
				loop = append(loop, st)
				visited, taken[st[1]] = append(visited, st[0], st[2]), true
			}
		}
		if !slices.Contains(pending, visited[0]) {
			continue
		}
		connected := true
		for _, s := range visited {
			reach := n.closure([]int{s}, loop)
			connected = connected && !slices.ContainsFunc(visited, func(x int) bool { return !slices.Contains(reach, x) })
		}
		if connected && n.just(visited, taken) {
			return true
		}
	}
	return false
}

func (n net) closure(from []int, steps [][3]int) []int {
	out := slices.Clone(from)
	for i := 0; i < len(out); i++ {
		for _, st := range steps {
			if st[0] == out[i] && !slices.Contains(out, st[2]) {
				out = append(out, st[2])
			}
		}
	}
	return out
}

func TestLeadsAgreesWithBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	pick := func(n, of int) []int {
		var out []int
		for range n {
			if x := r.IntN(of); !slices.Contains(out, x) {
				out = append(out, x)
			}
		}
		return out
	}
	holds := 0
	const cases = 4000
	for range cases {
		n := net{states: 2 + r.IntN(4), inits: []int{0}}
		for range 2 + r.IntN(7) {
			st := [3]int{r.IntN(n.states), r.IntN(3), r.IntN(n.states)}
			if !slices.Contains(n.steps, st) {
				n.steps = append(n.steps, st)
			}
		}
		n.from, n.to = pick(1+r.IntN(2), n.states), pick(1+r.IntN(2), n.states)
		n.weak, n.strong = pick(r.IntN(3), 3), pick(r.IntN(3), 3)
		want := !n.breaks()
		if got := n.check(t) == nil; got != want {
			t.Fatalf("%+v: holds %v; want %v", n, got, want)
		}
		if want {
			holds++
		}
	}
	if holds < cases/10 || holds > cases*9/10 {
		t.Errorf("%d of %d hold: the cases say little", holds, cases)
	}
}

func TestLeadsErrors(t *testing.T) {
	n := net{states: 1, inits: []int{0}}
	m, err := explore.MovesOf(t.Context(), n, 0)
	if err != nil {
		t.Fatal(err)
	}
	odd := errors.New("odd")
	c := n.claim()
	c.From = func(int) (bool, error) { return false, odd }
	if _, err := m.Check(t.Context(), c); !errors.Is(err, odd) {
		t.Errorf("%v", err)
	}
	c.From = nil
	if _, err := m.Check(t.Context(), c); !errors.Is(err, explore.ErrLeads) {
		t.Errorf("%v", err)
	}
	c = n.claim()
	c.Fair = []explore.Fair[int]{{Name: "f"}}
	if _, err := m.Check(t.Context(), c); !errors.Is(err, explore.ErrLeads) {
		t.Errorf("%v", err)
	}
	if _, err := explore.MovesOf(t.Context(), net{states: 2, inits: []int{0}, steps: [][3]int{{0, 1, 1}}}, 1); !errors.Is(err, explore.ErrBudget) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := explore.MovesOf(ctx, n, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
