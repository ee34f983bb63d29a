package edges_test

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/mbt/edges"
	"github.com/interlock-go/interlock/spec"
)

func machine(t *testing.T) *interp.Machine {
	t.Helper()
	table, err := spec.Load("../../../spec/lane.yaml")
	if err != nil {
		t.Fatal(err)
	}
	m, err := interp.New(table, table.Models[0])
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func sum(lines ...string) string {
	var s edges.Sum
	for _, l := range lines {
		s.Add([]byte(l))
	}
	return s.String()
}

func TestSum(t *testing.T) {
	if got := sum(); got != strings.Repeat("0", 64) {
		t.Errorf("no line: %s", got)
	}
	// One line's sum is its SHA-256.
	if got, want := sum("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	a, b, c := "claim.won | 0", "claim.busy | 0", "claim.busy | 1"
	if sum(a, b, c) != sum(c, a, b) {
		t.Error("the order of lines matters")
	}
	for _, other := range [][]string{{a, b}, {a, b, c, c}, {a, a, c}, {a, b + c}} {
		if sum(other...) == sum(a, b, c) {
			t.Errorf("%q has the sum of other lines", other)
		}
	}
}

func TestLine(t *testing.T) {
	m := machine(t)
	var lines []string
	from := m.Init()[0]
	for range 2 {
		err := m.Steps(from, func(st interp.Step) bool {
			lines = append(lines, string(edges.AppendLine(nil, m, from, st.Label, st.To)))
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		from = first(t, m, from).To
	}
	for _, want := range []string{
		"claim.won | 0 | 1 1 | ",
		"requestStop.stale | 1 | 2 | ",
		"release.freed | 0 | 3 1 | receipt 3 0 1 1 0 | ",
	} {
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, want) }) {
			t.Errorf("no line begins with %q:\n%s", want, strings.Join(lines, "\n"))
		}
	}
}

// first returns the first move from a state.
func first(t *testing.T, m *interp.Machine, from interp.State) (move interp.Step) {
	t.Helper()
	err := m.Steps(from, func(st interp.Step) bool {
		move = st
		return st.To == from
	})
	if err != nil || move.To == from {
		t.Fatal("no move", err)
	}
	return move
}

func TestSummary(t *testing.T) {
	m := machine(t)
	want, err := edges.Summarize(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, r := range want.Rows {
		total += r.Edges
	}
	if total != want.Edges || want.States == 0 || want.Moves >= want.Edges {
		t.Errorf("%+v: %d edges by row", want, total)
	}
	dir := t.TempDir()
	if _, err := edges.Read(dir, m.Table(), m.Model()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing there: %v", err)
	}
	if err := want.Write(dir); err != nil {
		t.Fatal(err)
	}
	got, err := edges.Read(dir, m.Table(), m.Model())
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}
