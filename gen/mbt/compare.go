package mbt

import (
	"reflect"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/interlock-go/interlock/fsm"
)

// exported lets go-cmp look into everything: what differs is always shown
// field by field.
var exported = cmp.Exporter(func(reflect.Type) bool { return true })

// difference returns how two values differ, empty if they don't. Maps and
// slices without elements are all one.
func difference(want, got any) string {
	if reflect.DeepEqual(want, got) {
		return "" // most are, and cmp takes ten times as long to say so
	}
	return cmp.Diff(want, got, exported, cmpopts.EquateEmpty())
}

// cloner is a machine that holds maps or lists: what it is then is no more
// than a copy of.
type cloner[M any] interface{ Clone() M }

// clones reports whether a plain copy of m would share something with it.
func clones[M any](m *M) bool {
	_, ok := any(m).(cloner[M])
	return ok
}

// clone returns a copy of m that shares nothing with it.
func clone[M any](m *M) M {
	if c, ok := any(m).(cloner[M]); ok {
		return c.Clone()
	}
	return *m
}

// grown returns how many of m's maps and lists have more room than before, or
// need it: only those may have allocated.
func grown[M any](before, after *M) int {
	a, b := reflect.ValueOf(before).Elem(), reflect.ValueOf(after).Elem()
	n := 0
	for i := range a.NumField() {
		if size(b.Field(i)) > size(a.Field(i)) {
			n++
		}
	}
	return n
}

// size returns how many elements a map has or a list has room for; -1 for other
// values.
func size(v reflect.Value) int {
	if v.Kind() == reflect.Map {
		return v.Len()
	}
	if l, ok := v.Interface().(roomy); ok {
		return l.Cap()
	}
	return -1
}

type roomy interface{ Cap() int }

var _ roomy = fsm.FIFO[int]{} // what size looks for

// allowed is how often a map or list may allocate for one more element: a map
// that is made allocates itself and its first group.
const allowed = 4
