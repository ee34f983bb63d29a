package explore_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/explore"
)

func TestGraphOf(t *testing.T) {
	g, err := explore.GraphOf(context.Background(), diamond(t), 0)
	if err != nil {
		t.Fatal(err)
	}
	type edge = explore.Edge[string]
	want := &explore.Graph[int, string]{
		States: []int{1, 7, 2, 3, 4, 5},
		Inits:  2,
		Edges: []edge{
			{0, 2, 0, fsm.Move, "a"}, {0, 3, 1, fsm.Move, "b"}, {0, 0, 2, fsm.Refuse, "x"},
			{1, 0, 0, fsm.Move, "g"},
			{2, 4, 0, fsm.Move, "c"}, {2, 4, 0, fsm.Move, "c2"},
			{3, 4, 4, fsm.Move, "d"}, {3, 3, 2, fsm.Refuse, "x"},
			{4, 5, 0, fsm.Move, "e"}, {4, 0, 0, fsm.Move, "f"},
			{5, 5, 2, fsm.Refuse, "x"},
		},
	}
	if diff := cmp.Diff(want, g); diff != "" {
		t.Error(diff)
	}
}

func TestShortestPath(t *testing.T) {
	to := func(state int, label string) func(int, *step) bool {
		return func(s int, st *step) bool {
			return st == nil && s == state || st != nil && st.Label == label
		}
	}
	for _, c := range []struct {
		name string
		to   func(int, *step) bool
		path string
	}{
		{"an initial state", to(7, ""), "7"},
		{"a state", to(5, ""), "1 a c e"},
		{"a step", to(0, "c2"), "1 a c2"},
		{"a step that changes nothing", to(0, "x"), "1 x"},
		{"a step from the second initial state", to(0, "g"), "7 g"},
		{"the step that finds a state, before the state's own", to(4, "a"), "1 a"},
		{"nothing there", to(0, "z"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := explore.ShortestPath(context.Background(), diamond(t), 0, c.to)
			if err != nil {
				t.Fatal(err)
			}
			got := explore.Result[int, string]{Name: c.name, Verdict: explore.Reached, Path: p}
			want(t, got, explore.Reached, c.path)
		})
	}
}

func TestShortestPathLendsTheRightSource(t *testing.T) {
	var froms []int
	_, err := explore.ShortestPath(context.Background(), diamond(t), 0, func(s int, st *step) bool {
		if st != nil {
			froms = append(froms, s)
		}
		return false
	})
	if err != nil || !slices.Equal(froms, []int{1, 1, 1, 7, 2, 2, 3, 3, 4, 4, 5}) {
		t.Error(err, froms)
	}
}

func TestGraphErrors(t *testing.T) {
	odd := errors.New("odd")
	failing := diamond(t)
	failing.fails = map[int]error{3: odd}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		name  string
		ctx   context.Context
		sys   *listed
		bound int
		want  error
	}{
		{"budget", context.Background(), diamond(t), 5, explore.ErrBudget},
		{"no budget", context.Background(), diamond(t), 6, nil},
		{"the system's own", context.Background(), failing, 0, odd},
		{"cancelled", cancelled, diamond(t), 0, context.Canceled},
		{"no initial state", context.Background(), &listed{t: t}, 0, explore.ErrNoInit},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := explore.GraphOf(c.ctx, c.sys, c.bound)
			if err != c.want || (g == nil) != (c.want != nil) {
				t.Errorf("graph: %v, %v", g, err)
			}
			p, err := explore.ShortestPath(c.ctx, c.sys, c.bound, func(int, *step) bool { return false })
			if err != c.want || p != nil {
				t.Errorf("path: %v, %v", p, err)
			}
		})
	}
	once := unstable{nil, new(int)}
	*once.asked = 1
	p, err := explore.ShortestPath(context.Background(), once, 0, func(s int, _ *step) bool { return s == 0 })
	if p != nil || !errors.Is(err, explore.ErrUnstable) {
		t.Errorf("unstable: %v, %v", p, err)
	}
}
