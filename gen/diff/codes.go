package diff

import (
	"encoding/binary"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// fieldPair is what both sides hold of one thing.
type fieldPair struct {
	at    [2]int // in Machine.Values
	code  func(uint64) (uint64, bool)
	shift [2]uint64
}

// code translates a value's code from the new table to the old one.
func (l *lockstep) code(t *expr.Type) func(uint64) (uint64, bool) {
	if f := l.codes[t]; f != nil {
		return f
	}
	f := l.translate(t)
	l.codes[t] = f
	return f
}

func (l *lockstep) translate(t *expr.Type) func(uint64) (uint64, bool) {
	same := func(c uint64) (uint64, bool) { return c, true }
	switch t.Kind {
	case expr.Enum:
		var to []int
		for i := range t.Values {
			to = append(to, l.oldValue(t, i))
		}
		return func(c uint64) (uint64, bool) {
			if c >= uint64(len(to)) || to[c] < 0 {
				return 0, false
			}
			return uint64(to[c]), true
		}
	case expr.Optional:
		elem := l.code(t.Elem)
		return func(c uint64) (uint64, bool) {
			if c == 0 {
				return 0, true
			}
			e, ok := elem(c - 1)
			return e + 1, ok
		}
	case expr.Set:
		elem := l.code(t.Elem)
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
	case expr.List:
		if t.Elem.Kind != expr.Enum {
			return same
		}
		from, elem := l.new.ListBase(t), l.code(t.Elem)
		return func(c uint64) (uint64, bool) {
			list := uint64(0)
			for _, v := range from.Elements(c) {
				e, ok := elem(v)
				if !ok {
					return 0, false
				}
				list = from.Append(list, e)
			}
			return list, true
		}
	}
	return same
}

// oldValue returns the place of a value in the old table; -1: it has none.
func (l *lockstep) oldValue(t *expr.Type, i int) int {
	o := l.m.toOld[l.m.new.by[l.m.new.value(t, i)]]
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

// pairFields finds what production code sees on both sides.
func (l *lockstep) pairFields() {
	for j, b := range l.flat[1] {
		if b.Kind == interp.Ghost || b.Kind == interp.Issued {
			continue
		}
		for i, a := range l.flat[0] {
			if a.instance == b.instance && a.Own == b.Own && a.Key == b.Key && l.sameField(a.Field, b.Field) && likeTypes(a.Type, b.Type) {
				f := fieldPair{at: [2]int{i, j}, code: l.code(b.Type)}
				if a.Type.Kind == expr.Int {
					f.shift = [2]uint64{uint64(a.Type.Lo), uint64(b.Type.Lo)}
				}
				l.fields = append(l.fields, f)
				break
			}
		}
	}
}

// likeTypes reports whether values of both types can be compared.
func likeTypes(a, b *expr.Type) bool {
	if a.Kind != b.Kind {
		return false
	}
	if a.Elem != nil && b.Elem != nil {
		return likeTypes(a.Elem, b.Elem)
	}
	return true
}

func (l *lockstep) sameField(a, b *interp.Field) bool {
	if a.Kind != b.Kind {
		return false
	}
	if a.Kind == interp.Control {
		return true
	}
	if a.Kind == interp.OfPart && a.Sym.Index == 0 && b.Sym.Index == 0 {
		return l.m.toOld[l.m.new.by[b.Part]] == l.m.old.by[a.Part]
	}
	o := l.m.toOld[l.m.new.by[b.Sym]]
	return o != nil && o.obj == any(a.Sym)
}

type placed struct {
	*interp.Field
	instance int // -1: shared
}

// flatten returns the fields in the order of Machine.Values.
func flatten(m *interp.Machine) []placed {
	own, shared := m.Fields()
	var out []placed
	for i := range m.Instances() {
		for j := range own {
			out = append(out, placed{&own[j], i})
		}
	}
	for j := range shared {
		out = append(out, placed{&shared[j], -1})
	}
	return out
}

// see returns what production code sees of a state, in the old table's codes.
func (l *lockstep) see(side int, s interp.State) string {
	if text, ok := l.visible[side][s]; ok {
		return text
	}
	values := l.machine(side).Values(s)
	var buf []byte
	for i := range l.fields {
		f := &l.fields[i]
		v, ok := values[f.at[side]], true
		v += f.shift[side]
		if side == 1 && f.code != nil && f.shift == [2]uint64{} {
			v, ok = f.code(v)
		}
		if !ok {
			v = ^uint64(0) >> 1
		}
		buf = binary.AppendUvarint(buf, v)
	}
	text := string(buf)
	l.visible[side][s] = text
	return text
}

// control returns the control state of an instance and, of an event with a
// subject, the state of that.
func (l *lockstep) control(side int, s interp.State, ev *interp.Event) (state, part *spec.State) {
	m := l.machine(side)
	values := m.Values(s)
	for i := range l.flat[side] {
		f := &l.flat[side][i]
		switch {
		case f.instance != ev.Instance:
		case f.Kind == interp.Control:
			state = m.Table().States[values[i]]
		case f.Kind == interp.OfPart && f.Part == ev.Event.Of && f.Sym.Index == 0 && f.Key == ev.Args[0]:
			part = ev.Event.Of.States[values[i]]
		}
	}
	return state, part
}
