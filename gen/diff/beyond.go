package diff

import (
	"context"
	"slices"

	"github.com/interlock-go/interlock/gen/interp"
)

// beyond goes on with one machine where the other doesn't follow: past a call
// that they answer differently, or that only one of them knows. The other is
// put into the state that is reached, so that a difference doesn't hide those
// behind it. What only the other holds is as its own step left it.
//
// A state that the other can't be in is gone through, and nothing is compared
// there. So is one in which the machine that is followed holds something that
// the other doesn't have, and that isn't at its start.
//
// It ends once done says so, and reports whether it saw all that it wanted.
func (l *lockstep) beyond(ctx context.Context, side int, done func() bool) (bool, error) {
	w := &walkOn{l: l, side: side, way: [...]after{afterOld, afterNew}[side], first: len(l.pairs), index: map[besides]bool{}}
	forks := l.forks[side]
	for at := w.first; !done() && (at < len(l.pairs) || len(forks) > 0); {
		from := at
		if len(forks) > 0 && (at == len(l.pairs) || l.pairs[forks[0]].steps <= l.pairs[at].steps) {
			from, forks = forks[0], forks[1:]
		} else {
			at++
		}
		if from%64 == 0 && ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		if err := w.expand(from); err != nil {
			return false, err
		}
		if l.max > 0 && len(l.pairs)-w.first > l.max {
			return false, nil
		}
	}
	return true, nil
}

// walkOn is the walk with one machine.
type walkOn struct {
	l     *lockstep
	side  int
	way   after
	first int // of its pairs
	index map[besides]bool
}

// besides is what tells its pairs apart.
type besides struct {
	state  [2]interp.State
	beside bool
}

func (w *walkOn) expand(at int) error {
	p := w.l.pairs[at]
	if p.beside {
		return w.l.machine(w.side).Steps(p.state[w.side], func(st interp.Step) bool {
			w.l.aside(w.side, at, &st)
			w.follow(at, &st, p.state[1-w.side], false)
			return true
		})
	}
	return w.l.calls(p, func(a, b *interp.Step) {
		on, other := a, b
		if w.side == 1 {
			on, other = b, a
		}
		switch {
		case on == nil:
		case other == nil:
			w.follow(at, on, p.state[1-w.side], false)
		default:
			w.both(at, on, other, a, b)
		}
	})
}

// both takes in what both machines do at one call, and goes on with one.
func (w *walkOn) both(at int, on, other, a, b *interp.Step) {
	p := w.l.pairs[at]
	what := w.l.differ(p, a, b)
	if at >= w.first {
		if what != "" {
			w.l.found(at, &sighting{a, b, what})
		} else {
			w.l.agreed(at, a, b)
		}
	}
	if what == "" || w.l.see(0, a.To) == w.l.see(1, b.To) {
		w.reach(at, on, [2]interp.State{a.To, b.To}, false)
		return
	}
	w.follow(at, on, other.To, true)
}

// follow goes on with a step of one machine; the other, which is in a state of
// its own, is put where that leads, if it can be there.
func (w *walkOn) follow(at int, on *interp.Step, other interp.State, known bool) {
	p := w.l.pairs[at]
	if on.To == p.state[w.side] {
		return
	}
	put, ok := w.l.put(w.side, on.To, other)
	if ok && !known {
		ok = w.plain(at, on)
	}
	var s [2]interp.State
	s[w.side], s[1-w.side] = on.To, put
	w.reach(at, on, s, !ok)
}

// plain reports whether a step that the other machine doesn't know leaves what
// the other doesn't hold alone, or at its start.
func (w *walkOn) plain(at int, on *interp.Step) bool {
	m, p := w.l.machine(w.side), w.l.pairs[at]
	is := m.Values(on.To)
	same := func(s interp.State) bool {
		was := m.Values(s)
		return !slices.ContainsFunc(w.l.extra[w.side], func(i int) bool { return is[i] != was[i] })
	}
	return same(m.Init()[0]) || !p.beside && same(p.state[w.side])
}

func (w *walkOn) reach(at int, on *interp.Step, s [2]interp.State, beside bool) {
	if _, ok := w.l.index[s]; ok && !beside {
		return // both come there alike
	}
	if k := (besides{s, beside}); !w.index[k] {
		w.index[k] = true
		w.l.add(pairing{state: s, from: at, by: on.Label, after: w.way, beside: beside})
	}
}

// put returns the state of the other side that holds what s, of a side, holds,
// and of what only the other side has the same as keep. False: it can't hold
// that; then it is keep.
func (l *lockstep) put(side int, s, keep interp.State) (interp.State, bool) {
	to := l.machine(1 - side)
	from, out := l.machine(side).Values(s), to.Values(keep)
	for i := range l.fields {
		f := &l.fields[i]
		v, ok := f.code[side](from[f.at[side]])
		if !ok {
			return keep, false
		}
		out[f.at[1-side]] = v
	}
	packed, err := to.Pack(out)
	if err != nil {
		return keep, false
	}
	return packed, true
}
