package mbt

import (
	"slices"
	"strconv"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/gen/mbt/literal"
	"github.com/interlock-go/interlock/spec/expr"
)

// Bit returns the code of a bool.
func Bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Text returns the identity with that code where identities are strings.
func Text(code uint64) string {
	if code == foreign {
		return foreignText // made once, so that it doesn't count as the machine's
	}
	return literal.Text(code)
}

var foreignText = literal.Text(foreign)

// Number is the reverse of Text. A string that Text doesn't return has no code:
// it is taken for one beyond all.
func Number[T ~string](x T) uint64 {
	if x == "" {
		return 0
	}
	n, err := strconv.ParseUint(string(x), 10, 64)
	if err != nil || Text(n) != string(x) {
		return 1<<64 - 1
	}
	return n
}

// Some returns the code of an optional, given that of what it may hold.
func Some[T comparable](o fsm.Optional[T], code func(T) uint64) uint64 {
	if !o.HasValue() {
		return 0
	}
	return 1 + code(o.Value())
}

// Optional returns the optional with that code, given the value for the code
// of what it may hold.
func Optional[T comparable](code uint64, value func(uint64) T) fsm.Optional[T] {
	if code == 0 {
		return fsm.None[T]()
	}
	return fsm.Some(value(code - 1))
}

// Base returns the base of the codes of lists of a type's values, see
// expr.ListBase.
func (m Model) Base(typ string) expr.ListBase {
	return expr.BaseOf(&expr.Type{Kind: expr.Identity}, m.Sizes[typ])
}

// List returns the list with that code, given the value for the code of an
// element.
func List[T comparable](code uint64, base expr.ListBase, value func(uint64) T) fsm.FIFO[T] {
	var f fsm.FIFO[T]
	for _, c := range base.Elements(code) {
		f.Push(value(c))
	}
	return f
}

// Listed returns the code of a list, given that of an element.
func Listed[T comparable](f fsm.FIFO[T], base expr.ListBase, code func(T) uint64) uint64 {
	list, place := uint64(0), uint64(1)
	for x := range f.All() {
		list += place * (1 + code(x))
		place *= uint64(base)
	}
	return list
}

// Set returns the set with that code, given the value for the code of an
// element.
func Set[T comparable](code uint64, value func(uint64) T) fsm.Set[T] {
	var s fsm.Set[T]
	for _, c := range elements(code) {
		s.Add(value(c))
	}
	return s
}

// Elements returns the code of a set, given that of an element.
func Elements[T comparable](s fsm.Set[T], code func(T) uint64) uint64 {
	set := uint64(0)
	for x := range s {
		set |= 1 << code(x)
	}
	return set
}

// Parts returns the map of those parts that aren't as at the start. The codes
// of n records of so many fields each are the first of vars, and of start.
func Parts[K comparable, P any](vars, start []uint64, n, fields int, key func(uint64) K, part func([]uint64) P) map[K]P {
	var m map[K]P
	for i := range n {
		from, to := i*fields, (i+1)*fields
		if slices.Equal(vars[from:to], start[from:to]) {
			continue
		}
		if m == nil {
			m = map[K]P{}
		}
		m[key(uint64(i+1))] = part(vars[from:to])
	}
	return m
}

// Records is the reverse of Parts: it fills vars with the codes of the records.
func Records[K comparable, P any](m map[K]P, vars, start []uint64, n, fields int, key func(uint64) K, code func(P, []uint64)) {
	for i := range n {
		from, to := i*fields, (i+1)*fields
		if p, ok := m[key(uint64(i+1))]; ok {
			code(p, vars[from:to])
		} else {
			copy(vars[from:to], start[from:to])
		}
	}
}

// Index returns by which key each value of a unique field is found.
func Index[K, V comparable, P any](parts map[K]P, field func(P) fsm.Optional[V]) map[V]K {
	var m map[V]K
	for k, p := range parts {
		if v := field(p); v.HasValue() {
			if m == nil {
				m = map[V]K{}
			}
			m[v.Value()] = k
		}
	}
	return m
}
