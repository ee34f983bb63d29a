package interp

import (
	"fmt"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// event is an event of the machine or the world, ready to run.
type event struct {
	event  *spec.Event
	world  bool
	rules  *rules // over the whole state; of the world's only
	can    eval   // nil: always
	assume []assumption
	fresh  []freshArg
	// calls holds the arguments of each call, for each combination of the
	// fresh ones, in order: the first argument is the slowest.
	calls [][][]uint64
}

// freshArg is a fresh argument: its value is one more than the counter.
type freshArg struct {
	arg     int
	counter slot
	size    uint64 // how many values there are
}

type assumption struct {
	name string
	src  string
	only eval
}

func (m *Machine) event(e *spec.Event) (*event, error) {
	ev := &event{event: e, world: e.Index < 0 || e.Index >= len(m.table.Events) || m.table.Events[e.Index] != e}
	syms := argSyms(e)
	c := m.full.with(syms, nil, nil)
	var err error
	if ev.world {
		if ev.rules, err = c.rules(e); err != nil {
			return nil, err
		}
	}
	if e.Can != nil && !m.model.Alone { // alone, no world restricts it
		if ev.can, err = c.compile(e.Can, false); err != nil {
			return nil, err
		}
	}
	for _, a := range m.model.Assume {
		for _, on := range a.On {
			if on != e {
				continue
			}
			only, err := c.compile(a.Only, false)
			if err != nil {
				return nil, errorAt(a.Pos, "assumption %s: %w", a.Name, err)
			}
			ev.assume = append(ev.assume, assumption{a.Name, a.Src, only})
		}
	}
	if err := m.enumerate(ev, syms); err != nil {
		return nil, err
	}
	return ev, nil
}

func argSyms(e *spec.Event) []*expr.Symbol {
	var out []*expr.Symbol
	for _, a := range e.Args {
		out = append(out, a.Sym)
	}
	return out
}

// enumerate lists the calls of ev.
func (m *Machine) enumerate(ev *event, syms []*expr.Symbol) error {
	var dims [][]uint64
	total, combos := 1, 1
	for i, a := range ev.event.Args {
		values, err := m.arguments(a)
		if err != nil {
			return errorAt(a.Sym.Pos, "argument %s: %w", a.Sym.Name, err)
		}
		dims = append(dims, values)
		if total *= len(values); total > maxValues {
			return fmt.Errorf("more than %d combinations of arguments", maxValues)
		}
		if !a.Fresh {
			continue
		}
		counter, ok := m.counters[a.Sym.Type]
		if !ok {
			return errorAt(a.Sym.Pos, "argument %s: %s isn't among the table's types", a.Sym.Name, a.Sym.Type)
		}
		for _, f := range ev.fresh {
			if f.counter == counter {
				return errorAt(a.Sym.Pos, "two fresh arguments of type %s", a.Sym.Type)
			}
		}
		ev.fresh = append(ev.fresh, freshArg{i, counter, uint64(len(values))})
		combos *= len(values)
	}
	ev.calls = make([][][]uint64, combos)
	args := make([]uint64, 0, total*len(syms))
	each(dims, func(choice []uint64) {
		combo := 0
		for _, f := range ev.fresh {
			combo = combo*int(f.size) + int(choice[f.arg]) - 1
		}
		at := len(args)
		args = append(args, choice...)
		ev.calls[combo] = append(ev.calls[combo], args[at:len(args):len(args)])
	})
	return nil
}

// each calls f with each choice of one value a dimension, the first dimension
// slowest. The choice is only lent.
func each(dims [][]uint64, f func(choice []uint64)) {
	choice := make([]uint64, len(dims))
	var from func(i int)
	from = func(i int) {
		if i == len(dims) {
			f(choice)
			return
		}
		for _, v := range dims[i] {
			choice[i] = v
			from(i + 1)
		}
	}
	from(0)
}

// possible returns the calls of ev that its fresh arguments allow: none when
// one has run out.
func (ev *event) possible(slots []uint64, base int) [][]uint64 {
	combo := 0
	for _, f := range ev.fresh {
		issued := slots[f.counter.in(base)]
		if issued >= f.size {
			return nil
		}
		combo = combo*int(f.size) + int(issued)
	}
	return ev.calls[combo]
}

// in returns where the slot of the instance whose own slots start at base is.
func (s slot) in(base int) int {
	if s.own {
		return s.at + base
	}
	return s.at
}
