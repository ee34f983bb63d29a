package diff

import (
	"encoding/binary"
	"fmt"

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
	code  []coder
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
			s.code = append(s.code, l.code(1, fresh.Args[n.at].Sym.Type, a.Sym.Type))
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

// taken is a step of the old machine, in a state that is expanded.
type taken struct {
	interp.Step
	met  bool // the new machine does something at the same call
	next int  // of those that are the same call to the new table; -1: there is none
}

// calls yields what each machine does at each call in a pair; one that only one
// side knows, with nil for the other.
func (l *lockstep) calls(p pairing, yield func(a, b *interp.Step)) error {
	old := l.told[:0]
	clear(l.first)
	err := l.old.Steps(p.state[0], func(st interp.Step) bool {
		c, ok := l.oldCall(&st.Label.Event)
		old = append(old, taken{Step: st, next: -1})
		if at := len(old) - 1; ok {
			if first, twice := l.first[c]; twice { // the new table has an argument less
				old[at].next = first
			}
			l.first[c] = at
		}
		return true
	})
	l.told = old
	if err != nil {
		return fmt.Errorf("the old table: %w", err)
	}
	err = l.new.Steps(p.state[1], func(b interp.Step) bool {
		c, ok := l.newCall(&b.Label.Event)
		at, known := l.first[c]
		if !ok || !known {
			yield(nil, &b)
			return true
		}
		for ; at >= 0; at = old[at].next {
			old[at].met = true
			yield(&old[at].Step, &b)
		}
		return true
	})
	if err != nil {
		return fmt.Errorf("the new table: %w", err)
	}
	for i := range old {
		if !old[i].met {
			yield(&old[i].Step, nil)
		}
	}
	return nil
}
