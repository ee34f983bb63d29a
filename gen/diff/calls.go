package diff

import (
	"encoding/binary"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
)

// call is what happens to whom, in the old table's words.
type call struct {
	instance int
	event    *spec.Event
	args     string
}

// signature pairs the arguments that an event has on both sides.
type signature struct {
	event *spec.Event // of the old table
	args  [][2]int    // their places, by side
	code  []func(uint64) (uint64, bool)
	more  bool // the old event has arguments that the new one hasn't
}

// pairEvents pairs the events of both tables; either one has the same
// signature.
func (l *lockstep) pairEvents() {
	l.events = map[*spec.Event]*signature{}
	for _, e := range append(l.m.new.ofKind("event"), l.m.new.ofKind("world event")...) {
		o := l.m.toOld[e]
		if o == nil {
			continue
		}
		fresh, old := e.obj.(*spec.Event), o.obj.(*spec.Event)
		s := &signature{event: old}
		for i, a := range old.Args {
			n := l.m.toNew[l.m.old.by[a.Sym]]
			if n == nil || !likeTypes(a.Sym.Type, fresh.Args[n.at].Sym.Type) {
				s.more = true
				continue
			}
			s.args = append(s.args, [2]int{i, n.at})
			s.code = append(s.code, l.code(fresh.Args[n.at].Sym.Type))
		}
		l.events[fresh], l.events[old] = s, s
	}
}

// oldCall returns what is said to the old machine, as far as both know it.
func (l *lockstep) oldCall(ev *interp.Event) (call, bool) {
	s := l.events[ev.Event]
	if s == nil {
		return call{}, false
	}
	l.buf = l.buf[:0]
	for _, at := range s.args {
		l.buf = binary.AppendUvarint(l.buf, ev.Args[at[0]])
	}
	return call{ev.Instance, ev.Event, string(l.buf)}, true
}

// newCall translates a call of the new table; false: the old one knows no such
// event, or no such value.
func (l *lockstep) newCall(ev *interp.Event) (call, bool) {
	s := l.events[ev.Event]
	if s == nil {
		return call{}, false
	}
	l.buf = l.buf[:0]
	for i, at := range s.args {
		c, ok := s.code[i](ev.Args[at[1]])
		if !ok {
			return call{}, false
		}
		l.buf = binary.AppendUvarint(l.buf, c)
	}
	return call{ev.Instance, s.event, string(l.buf)}, true
}
