package diff

import (
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// coder translates the code of a value from one side to the other; false: it
// has none there.
type coder func(uint64) (uint64, bool)

// crossing is a way for values: from a type of one side to one of the other.
type crossing struct {
	from    int // the side
	typ, to *expr.Type
}

// code returns the coder from a type of one side to one of the other that is
// like it.
func (l *lockstep) code(from int, t, to *expr.Type) coder {
	k := crossing{from, t, to}
	f := l.codes[k]
	if f == nil {
		f = l.translate(k)
		l.codes[k] = f
	}
	return f
}

func (l *lockstep) translate(k crossing) coder {
	switch k.typ.Kind {
	case expr.Int:
		span := uint64(k.to.Hi - k.to.Lo)
		return func(c uint64) (uint64, bool) {
			c += uint64(k.typ.Lo) - uint64(k.to.Lo)
			return c, c <= span
		}
	case expr.Enum:
		var to []int
		for i := range k.typ.Values {
			to = append(to, l.valueAcross(k.from, k.typ, i))
		}
		return func(c uint64) (uint64, bool) {
			if c >= uint64(len(to)) || to[c] < 0 {
				return 0, false
			}
			return uint64(to[c]), true
		}
	case expr.Optional:
		elem := l.code(k.from, k.typ.Elem, k.to.Elem)
		return func(c uint64) (uint64, bool) {
			if c == 0 {
				return 0, true
			}
			e, ok := elem(c - 1)
			return e + 1, ok
		}
	case expr.Set:
		return l.setCode(l.code(k.from, k.typ.Elem, k.to.Elem))
	case expr.List:
		return l.listCode(k)
	}
	return func(c uint64) (uint64, bool) { return c, true }
}

func (l *lockstep) setCode(elem coder) coder {
	return func(c uint64) (uint64, bool) {
		var set uint64
		for i := uint64(0); i < 64; i++ {
			if c>>i&1 == 0 {
				continue
			}
			e, ok := elem(i)
			if !ok || e > 63 {
				return 0, false
			}
			set |= 1 << e
		}
		return set, true
	}
}

// listCode counts in the base of the side it leads to: that depends on how many
// values an element has there.
func (l *lockstep) listCode(k crossing) coder {
	elem := l.code(k.from, k.typ.Elem, k.to.Elem)
	from, to := l.machine(k.from).ListBase(k.typ), l.machine(1-k.from).ListBase(k.to)
	return func(c uint64) (uint64, bool) {
		list := uint64(0)
		for _, v := range from.Elements(c) {
			e, ok := elem(v)
			if !ok {
				return 0, false
			}
			list = to.Append(list, e)
		}
		return list, true
	}
}

// valueAcross returns the place of a value on the other side; -1: it has none.
func (l *lockstep) valueAcross(from int, t *expr.Type, i int) int {
	facts, across := l.m.old, l.m.toNew
	if from == 1 {
		facts, across = l.m.new, l.m.toOld
	}
	o := across[facts.by[facts.value(t, i)]]
	if o == nil {
		return -1
	}
	switch v := o.obj.(type) {
	case *spec.State:
		return v.Index
	case value:
		return v.at
	}
	return -1
}
