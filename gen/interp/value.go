package interp

import (
	"github.com/interlock-go/interlock/spec/expr"
)

// Closures compute with values that don't depend on a range's bounds, since
// numbers of all ranges are one type: a number is itself, in two's complement;
// an optional number is 0 or 1 + its zigzag code; bit i of a set of numbers is
// the number domains.base + i. All other values are their codes.

// numeric reports whether values of t differ from their codes.
func numeric(t *expr.Type) bool {
	for t.Kind == expr.Optional || t.Kind == expr.Set {
		t = t.Elem
	}
	return t.Kind == expr.Int
}

func zigzag(n int64) uint64   { return uint64(n<<1) ^ uint64(n>>63) }
func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// some is the value of an optional that holds v, get the value that it holds.
func some(elem *expr.Type, v uint64) uint64 {
	if elem.Kind == expr.Int {
		return 1 + zigzag(int64(v))
	}
	return 1 + v
}

func get(elem *expr.Type, v uint64) uint64 {
	if elem.Kind == expr.Int {
		return uint64(unzigzag(v - 1))
	}
	return v - 1
}

// value returns the value with that code.
func (d *domains) value(t *expr.Type, code uint64) uint64 {
	switch {
	case t.Kind == expr.Int:
		return code + uint64(t.Lo)
	case t.Kind == expr.Optional && code != 0:
		return some(t.Elem, d.value(t.Elem, code-1))
	case t.Kind == expr.Set && t.Elem.Kind == expr.Int:
		return code << (t.Elem.Lo - d.base)
	}
	return code
}

// code returns the code of a value, and false for one that is outside t. Only
// numbers, lists and what holds keys of parts can be: n is t's number of codes.
func (d *domains) code(t *expr.Type, n, value uint64) (uint64, bool) {
	switch {
	case d.holdsKeys(t):
		return value, value < n && d.namesParts(t, value)
	case t.Kind == expr.Int:
		return value - uint64(t.Lo), int64(value) >= int64(t.Lo) && int64(value) <= int64(t.Hi)
	case t.Kind == expr.Optional && value != 0:
		c, ok := d.code(t.Elem, n-1, get(t.Elem, value))
		return c + 1, ok
	case t.Kind == expr.Set && t.Elem.Kind == expr.Int:
		shift := t.Elem.Lo - d.base
		c := value >> shift
		return c, c<<shift == value && c < n
	}
	return value, value < n
}

// holdsKeys reports whether t holds keys of parts.
func (d *domains) holdsKeys(t *expr.Type) bool {
	return (t.Kind == expr.Optional || t.Kind == expr.Set || t.Kind == expr.List) && d.table.IsKey(t.Elem)
}

// namesParts reports whether all keys in a value of t name parts: the origin
// doesn't.
func (d *domains) namesParts(t *expr.Type, value uint64) bool {
	switch t.Kind {
	case expr.Optional:
		return value != 1
	case expr.Set:
		return value&1 == 0
	}
	return !d.lists(t).Has(value, 0)
}

// lowest returns the least bound of all ranges that occur as elements of sets
// in the table's declarations, which is where every set's type comes from.
func lowest(types []*expr.Type) int {
	low, found := 0, false
	for _, t := range types {
		for ; t.Kind == expr.Optional || t.Kind == expr.Set; t = t.Elem {
			if t.Kind == expr.Set && t.Elem.Kind == expr.Int && (!found || t.Elem.Lo < low) {
				low, found = t.Elem.Lo, true
			}
		}
	}
	return low
}
