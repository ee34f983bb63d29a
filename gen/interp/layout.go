package interp

import (
	"fmt"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// State is a state of all instances and the world: packed codes. States of one
// Machine are equal exactly if they are the same state.
type State string

// FieldKind says what a field of a state holds.
type FieldKind uint8

const (
	Control FieldKind = iota + 1 // the control state
	Var
	OfPart // a part's state or variable
	Ghost
	Issued // how many fresh values of a type were used up
)

// Field is one place in a state. Codes of identities and serials start at 1
// but are counted from 0.
type Field struct {
	Name  string // "holder"; of a part "tickets(2).asked"
	Type  *expr.Type
	Kind  FieldKind
	Part  *spec.Part   // of OfPart
	Key   uint64       // of the part
	Sym   *expr.Symbol // nil for Issued
	Own   bool         // each instance has one; else they share it
	Codes uint64
}

// pos is where the table declares f.
func (f *Field) pos() diag.Pos {
	if f.Sym != nil {
		return f.Sym.Pos
	}
	return f.Type.Pos
}

// layout is the order of a state's slots: the own fields of the first
// instance, of the second, ..., then the shared ones.
type layout struct {
	own, shared []Field
	instances   int
	widths      []uint8               // in bytes, a slot each
	size        int                   // of a packed state, in bytes
	slots       map[*expr.Symbol]slot // of a part's field: that of the first key
	counters    map[*expr.Type]slot
	production  map[*expr.Symbol]slot // in what a Stepper gets
	produced    int                   // slots that a Stepper gets
}

func newLayout(t *spec.Table, d *domains) (*layout, error) {
	l := &layout{
		instances: d.model.Instances,
		slots:     map[*expr.Symbol]slot{},
		counters:  map[*expr.Type]slot{}, production: map[*expr.Symbol]slot{},
	}
	fresh := freshTypes(t)
	add := func(sym *expr.Symbol, kind FieldKind) {
		own := sym.Kind != expr.SymShared
		l.slots[sym] = l.add(Field{Name: sym.Name, Type: sym.Type, Kind: kind, Sym: sym, Own: own})
		if kind != Ghost {
			l.produce(sym)
		}
	}
	add(t.State, Control)
	for _, v := range t.Vars {
		add(v.Sym, Var)
	}
	for _, p := range t.Parts {
		l.addParts(p, d.model.Sizes[p.Key])
	}
	for _, v := range t.Shared {
		add(v.Sym, Var)
	}
	for _, v := range t.Ghosts {
		add(v.Sym, Ghost)
	}
	for _, f := range fresh {
		l.counters[f] = l.add(Field{Name: "issued" + f.Name, Type: f, Kind: Issued, Own: !f.Shared})
	}
	for _, fields := range [][]Field{l.own, l.shared} {
		for i := range fields {
			n, err := d.codes(fields[i].Type)
			if err != nil {
				return nil, errorAt(fields[i].pos(), "%s: %w", fields[i].Name, err)
			}
			fields[i].Codes = n
		}
	}
	for sym, s := range l.slots {
		l.slots[sym] = l.place(s)
	}
	for f, s := range l.counters {
		l.counters[f] = l.place(s)
	}
	for i := range l.length() {
		w := width(l.field(i).Codes)
		l.widths = append(l.widths, uint8(w))
		l.size += w
	}
	return l, nil
}

// produce gives sym the next slot of those that a Stepper gets.
func (l *layout) produce(sym *expr.Symbol) {
	if _, ok := l.production[sym]; !ok {
		l.production[sym] = slot{at: l.produced}
	}
	l.produced++
}

// addParts appends the records of all parts, one behind the other.
func (l *layout) addParts(p *spec.Part, keys int) {
	for key := 1; key <= keys; key++ {
		for _, sym := range p.Fields() {
			s := l.add(Field{
				Name: fmt.Sprintf("%s(%d).%s", p.Name, key, sym.Name), Type: sym.Type, Kind: OfPart,
				Part: p, Key: uint64(key), Sym: sym, Own: true,
			})
			if key == 1 {
				l.slots[sym] = s
			}
			l.produce(sym)
		}
	}
}

// add appends a field; a shared one's slot counts from the first shared one
// until place.
func (l *layout) add(f Field) slot {
	if f.Own {
		l.own = append(l.own, f)
		return slot{at: len(l.own) - 1, own: true}
	}
	l.shared = append(l.shared, f)
	return slot{at: len(l.shared) - 1}
}

func (l *layout) place(s slot) slot {
	if !s.own {
		s.at += l.instances * len(l.own)
	}
	return s
}

// freshTypes returns the types of which some event has a fresh argument.
func freshTypes(t *spec.Table) []*expr.Type {
	var out []*expr.Type
	for _, typ := range t.Types {
		if hasFresh(t.Events, typ) || hasFresh(t.World, typ) {
			out = append(out, typ)
		}
	}
	return out
}

func hasFresh(events []*spec.Event, typ *expr.Type) bool {
	for _, e := range events {
		for _, a := range e.Args {
			if a.Fresh && a.Sym.Type == typ {
				return true
			}
		}
	}
	return false
}

func (l *layout) length() int { return l.instances*len(l.own) + len(l.shared) }

// field returns what slot i holds.
func (l *layout) field(i int) *Field {
	if n := l.instances * len(l.own); i >= n {
		return &l.shared[i-n]
	}
	return &l.own[i%len(l.own)]
}

// pack appends the codes to buf, the lowest byte first.
func (l *layout) pack(buf []byte, slots []uint64) []byte {
	for i, v := range slots {
		for range l.widths[i] {
			buf = append(buf, byte(v))
			v >>= 8
		}
	}
	return buf
}

// unpack fills slots; s is a state of this layout.
func (l *layout) unpack(slots []uint64, s State) {
	at := 0
	for i := range slots {
		w := int(l.widths[i])
		v := uint64(s[at])
		for b := 1; b < w; b++ {
			v |= uint64(s[at+b]) << (8 * b)
		}
		slots[i] = v
		at += w
	}
}
