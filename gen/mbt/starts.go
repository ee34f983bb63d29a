package mbt

import (
	"reflect"
	"testing"
)

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
