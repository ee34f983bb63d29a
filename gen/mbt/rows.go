package mbt

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/interlock-go/interlock/fsm"
)

// Row is what a generated type Row has.
type Row interface {
	comparable
	fmt.Stringer
	Info() fsm.Info
}

// Case is one step of a machine M, by an event E, that a row R decides. After
// and Effects are those of a move; all other rows leave Before as it is and
// have no effects.
type Case[M comparable, E any, R Row, F any] struct {
	Before  M
	Event   E
	Row     R
	After   M
	Effects []F
}

// exported lets go-cmp look into everything: what differs is always shown
// field by field.
var exported = cmp.Exporter(func(reflect.Type) bool { return true })

// Rows runs each case by step and compares row, machine and effects. It demands
// a case for each row of the table but those that never apply, that each row in
// Go says of itself what the table does, and that no step allocates, given room
// for its effects.
func Rows[M comparable, E any, R Row, F any](t *testing.T, tab Table, cases []Case[M, E, R, F], step func(m *M, e E, buf []F) (R, []F)) {
	table := tab.load(t)
	known := map[string]decision{}
	left := map[string]bool{}
	for _, d := range decisions(table) {
		known[d.info.Name] = d
		left[d.info.Name] = d.reachable()
	}
	for _, c := range cases {
		name := c.Row.String()
		left[name] = false
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(known[name].info, c.Row.Info()); diff != "" {
				t.Errorf("%s: what the row says of itself (-table +Go):\n%s", name, diff)
			}
			runCase(t, known[name], c, step)
		})
	}
	for _, d := range decisions(table) {
		if left[d.info.Name] {
			t.Errorf("%s has no case: generate again", d.info.Name)
		}
	}
}

// result is what a case compares.
type result struct {
	Row     string
	Machine any
	Effects any
}

func runCase[M comparable, E any, R Row, F any](t *testing.T, d decision, c Case[M, E, R, F], step func(m *M, e E, buf []F) (R, []F)) {
	want := result{c.Row.String(), c.After, c.Effects}
	if d.info.Kind != fsm.Move {
		want.Machine, want.Effects = c.Before, []F(nil)
	}
	m := new(M)
	*m = c.Before
	row, effects := step(m, c.Event, nil)
	got := result{row.String(), *m, effects}
	if diff := cmp.Diff(want, got, exported, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s by %+v (-want +got):\n%s", c.Row, c.Event, diff)
	}
	buf := make([]F, 0, len(effects)+1)
	if n := testing.AllocsPerRun(100, func() {
		*m = c.Before
		_, buf = step(m, c.Event, buf[:0])
	}); n != 0 {
		t.Errorf("%s: %v allocations", c.Row, n)
	}
}
