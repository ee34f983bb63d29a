package diff

import (
	"encoding/binary"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// fieldPair is what both sides hold of one thing.
type fieldPair struct {
	at      [2]int   // in Machine.Values
	code    [2]coder // from that side to the other
	visible bool     // production code sees it
}

// pairFields finds what both sides hold, and what production code sees of one
// side alone.
func (l *lockstep) pairFields() {
	var paired [2]map[int]bool
	for side := range paired {
		paired[side] = map[int]bool{}
	}
	for j, b := range l.flat[1] {
		for i, a := range l.flat[0] {
			if a.instance == b.instance && a.Own == b.Own && a.Key == b.Key && l.sameField(a.Field, b.Field) && likeTypes(a.Type, b.Type) {
				l.fields = append(l.fields, fieldPair{
					at:      [2]int{i, j},
					code:    [2]coder{l.code(0, a.Type, b.Type), l.code(1, b.Type, a.Type)},
					visible: b.seen(),
				})
				paired[0][i], paired[1][j] = true, true
				break
			}
		}
	}
	for side, flat := range l.flat {
		for i, f := range flat {
			if f.seen() && !paired[side][i] {
				l.extra[side] = append(l.extra[side], i)
			}
		}
	}
}

// seen reports whether production code sees a field.
func (f *placed) seen() bool { return f.Kind != interp.Ghost && f.Kind != interp.Issued }

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
	if a.Kind == interp.Issued {
		o := l.m.toOld[l.m.new.by[b.Type]]
		return o != nil && o.obj == any(a.Type)
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
		if !f.visible {
			continue
		}
		v, ok := values[f.at[side]], true
		if side == 1 {
			v, ok = f.code[1](v)
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
