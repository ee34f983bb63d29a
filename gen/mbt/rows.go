package mbt

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/fsm"
)

// Row is what a generated type Row has, and the type Decision where two rows
// may decide together.
type Row interface {
	comparable
	fmt.Stringer
	Info() fsm.Info
}

// Case is one step of a machine M, by an event E, that a row R decides. After
// and Effects are those of a move; all other rows leave Before as it is and
// have no effects.
type Case[M, E any, R Row, F any] struct {
	Before  M
	Event   E
	Row     R
	After   M
	Effects []F
}

// Rows runs each case by step and compares row, machine and effects. It demands
// a case for each row of the table but those that never apply, that each row in
// Go says of itself what the table does, and that no step allocates, given room
// for its effects, but for what a map or list of the machine grows by.
func Rows[M, E any, R Row, F any](t *testing.T, tab Table, cases []Case[M, E, R, F], step func(m *M, e E, buf []F) (R, []F)) {
	table := tab.load(t)
	known, taken := map[string]decision{}, map[string]bool{}
	for _, d := range decisions(table) {
		known[d.info.Name] = d
	}
	for _, c := range cases {
		name := c.Row.String()
		taken[name] = true
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(known[name].info, c.Row.Info()); diff != "" {
				t.Errorf("%s: what the row says of itself (-table +Go):\n%s", name, diff)
			}
			runCase(t, known[name], c, step)
		})
	}
	for _, name := range missing(table, func(d decision) bool { return taken[d.info.Name] }) {
		t.Errorf("%s has no case: generate again", name)
	}
}

// result is what a case compares.
type result struct {
	Row     string
	Machine any
	Effects any
}

func runCase[M, E any, R Row, F any](t *testing.T, d decision, c Case[M, E, R, F], step func(m *M, e E, buf []F) (R, []F)) {
	want := result{c.Row.String(), c.After, c.Effects}
	if d.info.Kind != fsm.Move {
		want.Machine, want.Effects = c.Before, []F(nil)
	}
	m := new(M)
	*m = clone(&c.Before)
	row, effects := step(m, c.Event, nil)
	got := result{row.String(), *m, effects}
	if diff := difference(want, got); diff != "" {
		t.Errorf("%s by %+v (-want +got):\n%s", c.Row, c.Event, diff)
	}
	buf := make([]F, 0, len(effects)+1)
	if diff := allocates(&c.Before, 0, func(m *M) { _, buf = step(m, c.Event, buf[:0]) }); diff != "" {
		t.Errorf("%s: %s", c.Row, diff)
	}
}

// allocates runs a step from a state again and again, and complains about more
// allocations than those of maps and lists that grow, and so many others.
func allocates[M any](before *M, others int, step func(*M)) string {
	m := new(M)
	*m = clone(before)
	step(m)
	most := others + allowed*grown(before, m)
	copies := testing.AllocsPerRun(100, func() { *m = clone(before) })
	n := testing.AllocsPerRun(100, func() {
		*m = clone(before)
		step(m)
	}) - copies
	if n > float64(most) {
		return fmt.Sprintf("%v allocations", n)
	}
	return ""
}
