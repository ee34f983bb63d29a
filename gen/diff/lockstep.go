package diff

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// lockstep walks both machines side by side: the same event with the same
// arguments is put to both, as long as both answer alike. So the first way on
// which they differ is a shortest one.
type lockstep struct {
	m        *matching
	old, new *interp.Machine
	codes    map[*expr.Type]func(uint64) (uint64, bool) // from the new table's code of a value to the old one's
	fields   []fieldPair
	flat     [2][]placed
	visible  [2]map[interp.State]string
	pairs    []pairing
	index    map[[2]interp.State]int
	max      int
	buf      []byte
	args     []uint64
	steps    map[call]interp.Step // of the old machine, from the state that is expanded
	found    func(at int, s *sighting)
	agreed   func(at int, a, b *interp.Step)
}

// pairing is a pair of states with the step that led to it first.
type pairing struct {
	state [2]interp.State
	from  int // among the pairs; -1: the start
	by    interp.Label
	steps int // from the start
}

// fieldPair is what both sides hold of one thing.
type fieldPair struct {
	at    [2]int // in Machine.Values
	code  func(uint64) (uint64, bool)
	shift [2]uint64
}

// sighting is a call that the two machines answer differently.
type sighting struct {
	old, new *interp.Step
	what     difference
}

// difference says what is first seen to differ.
type difference string

// What a caller sees of a step.
const (
	answers difference = "answer"  // accepted or not, or the code
	effects difference = "effects" // what the shell is to do
	states  difference = "state"   // the state after it
	data    difference = "data"    // what variables hold after it
)

// newLockstep fails where one of the machines can't be run.
func newLockstep(m *matching, old, new *interp.Machine, max int) *lockstep {
	l := &lockstep{m: m, old: old, new: new, codes: map[*expr.Type]func(uint64) (uint64, bool){}, index: map[[2]interp.State]int{}, steps: map[call]interp.Step{}, max: max}
	l.visible = [2]map[interp.State]string{{}, {}}
	l.flat = [2][]placed{flatten(old), flatten(new)}
	l.pairFields()
	return l
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

func (l *lockstep) machine(side int) *interp.Machine {
	if side == 0 {
		return l.old
	}
	return l.new
}

// call is what happens to whom, in the old table's words.
type call struct {
	instance int
	event    *spec.Event
	args     string
}

func (l *lockstep) oldCall(ev *interp.Event) call {
	return call{ev.Instance, ev.Event, l.key(ev.Args)}
}

// key is a text for arguments, in the old table's codes.
func (l *lockstep) key(args []uint64) string {
	l.buf = l.buf[:0]
	for _, a := range args {
		l.buf = binary.AppendUvarint(l.buf, a)
	}
	return string(l.buf)
}

// newCall translates a call of the new table; false: the old one knows no such
// event, or no such value.
func (l *lockstep) newCall(ev *interp.Event) (call, bool) {
	o := l.m.toOld[l.m.new.by[ev.Event]]
	if o == nil {
		return call{}, false
	}
	event := o.obj.(*spec.Event)
	if cap(l.args) < len(event.Args) {
		l.args = make([]uint64, len(event.Args))
	}
	args := l.args[:len(event.Args)]
	known := 0
	for i, a := range ev.Event.Args {
		x := l.m.toOld[l.m.new.by[a.Sym]]
		if x == nil {
			continue
		}
		c, ok := l.code(a.Sym.Type)(ev.Args[i])
		if !ok {
			return call{}, false
		}
		args[x.at] = c
		known++
	}
	if known < len(event.Args) {
		return call{}, false
	}
	return call{ev.Instance, event, l.key(args)}, true
}

// run walks all pairs, and reports whether it saw all of them.
func (l *lockstep) run(ctx context.Context) (bool, error) {
	l.reach([2]interp.State{l.old.Init()[0], l.new.Init()[0]}, -1, interp.Label{})
	for at := 0; at < len(l.pairs); at++ {
		if at%64 == 0 && ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		if err := l.expand(at); err != nil {
			return false, err
		}
		if l.max > 0 && len(l.pairs) > l.max {
			return false, nil
		}
	}
	return true, nil
}

func (l *lockstep) reach(s [2]interp.State, from int, by interp.Label) {
	if _, ok := l.index[s]; !ok {
		l.index[s] = len(l.pairs)
		steps := 0
		if from >= 0 {
			steps = l.pairs[from].steps + 1
		}
		l.pairs = append(l.pairs, pairing{s, from, by, steps})
	}
}

// expand puts each call to both machines in a pair of states.
func (l *lockstep) expand(at int) error {
	p := l.pairs[at]
	steps := l.steps
	clear(steps)
	err := l.old.Steps(p.state[0], func(st interp.Step) bool {
		steps[l.oldCall(&st.Label.Event)] = st
		return true
	})
	if err != nil {
		return fmt.Errorf("the old table: %w", err)
	}
	err = l.new.Steps(p.state[1], func(b interp.Step) bool {
		c, ok := l.newCall(&b.Label.Event)
		if !ok {
			return true
		}
		a, ok := steps[c]
		if !ok {
			return true
		}
		if what := l.differ(p, &a, &b); what != "" {
			l.found(at, &sighting{&a, &b, what})
			return true
		}
		if l.agreed != nil {
			l.agreed(at, &a, &b)
		}
		l.reach([2]interp.State{a.To, b.To}, at, b.Label)
		return true
	})
	if err != nil {
		return fmt.Errorf("the new table: %w", err)
	}
	return nil
}

// differ says what of two steps is seen to differ.
func (l *lockstep) differ(p pairing, a, b *interp.Step) difference {
	if a.Kind != b.Kind || l.codeOf(0, &a.Label) != l.codeOf(1, &b.Label) {
		return answers
	}
	if a.Kind == fsm.Internal {
		return ""
	}
	if !l.sameEffects(a.Label.Effects, b.Label.Effects) {
		return effects
	}
	if a.To == p.state[0] && b.To == p.state[1] || l.see(0, a.To) == l.see(1, b.To) {
		return ""
	}
	sa, pa := l.control(0, a.To, &a.Label.Event)
	sb, pb := l.control(1, b.To, &b.Label.Event)
	if !l.sameState(sa, sb) || !l.sameState(pa, pb) {
		return states
	}
	return data
}

func (l *lockstep) sameState(a, b *spec.State) bool {
	if a == nil || b == nil {
		return a == b
	}
	return l.m.toOld[l.m.new.by[b]] == l.m.old.by[a]
}

// codeOf returns the code that a step answers, in the old table's words.
func (l *lockstep) codeOf(side int, label *interp.Label) string {
	code := label.Row.Code
	if code == "" || side == 0 {
		return code
	}
	for _, a := range l.m.new.t.Answers {
		if a.Code == code {
			if o := l.m.toOld[l.m.new.by[a]]; o != nil {
				return o.name
			}
			return "new " + code
		}
	}
	return code
}

func (l *lockstep) sameEffects(a, b []interp.Effect) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		o := l.m.toOld[l.m.new.by[b[i].Effect]]
		if o == nil || o.obj != any(a[i].Effect) || len(a[i].Args) != len(b[i].Args) {
			return false
		}
		for j, arg := range b[i].Effect.Args {
			v, ok := l.code(arg.Type)(b[i].Args[j])
			if !ok || v != a[i].Args[j] {
				return false
			}
		}
	}
	return true
}

// way returns the steps to a pair, in the new table's words.
func (l *lockstep) way(at int) []Step {
	var back []Step
	for i := at; l.pairs[i].from >= 0; i = l.pairs[i].from {
		back = append(back, l.step(&l.pairs[i].by))
	}
	for i, j := 0, len(back)-1; i < j; i, j = i+1, j-1 {
		back[i], back[j] = back[j], back[i]
	}
	return back
}

func (l *lockstep) step(label *interp.Label) Step { return stepOf(l.new, label) }

func stepOf(m *interp.Machine, label *interp.Label) Step {
	return Step{Event: m.FormatEvent(label.Event), Row: label.Decision(), Values: choices(label)}
}

// choices are the arguments that tell calls of one row apart for a reader:
// values of enumerations and conditions.
func choices(label *interp.Label) string {
	var out []string
	for i, a := range label.Event.Event.Args {
		if i >= len(label.Args) {
			break
		}
		switch a.Sym.Type.Kind {
		case expr.Enum:
			out = append(out, interp.FormatValue(a.Sym.Type, label.Args[i]))
		case expr.Bool:
			not := ""
			if label.Args[i] == 0 {
				not = "not "
			}
			out = append(out, not+a.Sym.Name)
		}
	}
	return strings.Join(out, ", ")
}
