package mbt

import (
	"reflect"
	"slices"
	"testing"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/mbt/literal"
)

// starts returns the codes of all states that an instance may start in, the
// declared one first.
func starts(m *interp.Machine) [][]uint64 {
	var out [][]uint64
	for _, s := range m.Init() {
		vars := literal.Vars(m, s, 0)
		if !slices.ContainsFunc(out, func(o []uint64) bool { return slices.Equal(o, vars) }) {
			out = append(out, vars)
		}
	}
	return out
}

// startLike returns the start in which what may start with any value is as for an
// instance of another machine of the table: all else follows from that.
func (s *setup[M, F]) startLike(m *interp.Machine, init interp.State, instance int) []uint64 {
	theirs, fields := literal.Vars(m, init, instance), literal.Fields(m)
	for _, start := range s.starts {
		alike := true
		for _, v := range m.Table().Starts() {
			of := func(f interp.Field) bool { return f.Sym == v.Sym }
			if at := slices.IndexFunc(fields, of); at >= 0 { // no ghost
				alike = alike && start[slices.IndexFunc(s.fields, of)] == theirs[at]
			}
		}
		if alike {
			return start
		}
	}
	return s.start
}

// StartCase is a choice of values to start with, and the machine that starts
// with them.
type StartCase[S, M any] struct {
	With    S
	Want    M
	Outside bool // one of the values is outside its type: there is no such machine
}

// Starts demands of start, the generated Start, what the cases say.
func Starts[S, M any](t *testing.T, start func(S) (M, bool), cases []StartCase[S, M]) {
	for _, c := range cases {
		switch m, ok := start(c.With); {
		case ok == c.Outside:
			t.Errorf("with %+v: %t, want %t", c.With, ok, !c.Outside)
		case !reflect.DeepEqual(m, c.Want):
			t.Errorf("with %+v: %+v, want %+v", c.With, m, c.Want)
		}
	}
}
