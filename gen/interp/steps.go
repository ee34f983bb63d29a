package interp

import "github.com/interlock-go/interlock/spec"

// scratch is the memory of one call of Steps, or of a property.
type scratch struct {
	env     env      // over old and next
	old     []uint64 // slots
	next    []uint64
	oldKey  State // what old and next were unpacked from, in properties
	nextKey State
	vars    []uint64 // of one instance, for the stepper
	before  []uint64
	given   []uint64
	written []int
	buf     []byte
	step    *stepScratch
}

func (m *Machine) scratch() *scratch {
	if sc, ok := m.pool.Get().(*scratch); ok {
		return sc
	}
	sc := &scratch{
		old: make([]uint64, m.length()), next: make([]uint64, m.length()),
		vars: make([]uint64, len(m.vars)), before: make([]uint64, len(m.vars)),
		given: make([]uint64, m.maxArgs), buf: make([]byte, 0, m.size),
		step: m.native.scratch(),
	}
	return sc
}

// done gives the memory back.
func (m *Machine) done(sc *scratch) {
	sc.oldKey, sc.nextKey = "", ""
	sc.env.undefined = nil
	m.pool.Put(sc)
}

// Steps yields the steps from s: instance by instance, the machine's events in
// the table's order and then the world's, arguments in order, the first one
// slowest. Each event with its arguments is one step, if it is possible: its
// Can holds, fresh values are left, the assumptions don't exclude it, and, of
// the world's, a row applies. Alone, a machine has no world: only fresh values
// bound what happens. Its error is a *Fault.
func (m *Machine) Steps(s State, yield func(Step) bool) error {
	sc := m.scratch()
	defer m.done(sc)
	m.unpack(sc.old, s)
	e := &sc.env
	for i := range m.instances {
		base := i * len(m.layout.own)
		for _, ev := range m.events {
			if ev.world && m.model.Alone {
				continue
			}
			for _, args := range ev.possible(sc.old, base) {
				e.old, e.new, e.base, e.args = sc.old, sc.old, base, args
				st := Step{Label: Label{Event: Event{Instance: i, Event: ev.event, Args: args}}}
				ok, fault := m.one(sc, s, ev, &st)
				if fault != nil {
					return m.located(fault, s, &st.Label.Event)
				}
				if ok && !yield(st) {
					return nil
				}
			}
		}
	}
	return nil
}

// located says where a fault was met.
func (m *Machine) located(f *Fault, s State, ev *Event) error {
	f.State = m.Format(s)
	if ev != nil {
		f.Event = m.FormatEvent(*ev)
	}
	return f
}

// one completes the step of one event with its arguments, and reports whether
// it is possible.
func (m *Machine) one(sc *scratch, s State, ev *event, st *Step) (bool, *Fault) {
	e := &sc.env
	if ev.can != nil {
		can := ev.can(e)
		if e.undefined != nil {
			return false, undefined(e, ev.event.Name, "can")
		}
		if can == 0 {
			return false, nil
		}
	}
	sets, fault := m.decide(sc, ev, &st.Label)
	row := st.Label.Row
	if row == nil || fault != nil {
		return false, fault
	}
	if ok, fault := ev.assumed(e, row); !ok || fault != nil {
		return false, fault
	}
	st.Row, st.Kind, st.To = row.Index, kinds[row.Outcome], s
	if then := st.Label.Then; then != nil && then.Outcome == spec.Never {
		st.Kind = kinds[then.Outcome]
		return true, nil
	}
	if row.Outcome != spec.Move && !m.followed(row) {
		return true, nil
	}
	copy(sc.next, sc.old)
	sc.written = sc.written[:0]
	if row.Outcome == spec.Move {
		if !ev.world {
			m.scatter(sc.vars, sc.next, e.base)
		}
		for _, f := range ev.fresh {
			sc.next[f.counter.in(e.base)] = e.args[f.arg]
		}
	}
	if fault := m.write(sc, row, sets); fault != nil {
		return false, fault
	}
	if fault := m.follow(sc, &st.Label); fault != nil {
		return false, fault
	}
	st.To = m.key(sc, s)
	return true, nil
}

// decide fills in the rows that decide and the effects. A machine's event has
// been done to sc.vars by then; what one of the world sets is returned, and its
// row is nil where none applies, since then it isn't possible.
func (m *Machine) decide(sc *scratch, ev *event, l *Label) (sets []update, fault *Fault) {
	if ev.world {
		r, fault := ev.rules.decide(&sc.env)
		if fault != nil && fault.Reason == ErrGap {
			return nil, nil
		}
		if fault != nil {
			return nil, fault
		}
		l.Row = r.row
		l.Effects, fault = r.effects(nil, &m.domains, &sc.env)
		return r.sets, fault
	}
	m.gather(sc.vars, sc.old, sc.env.base)
	if m.stepper != nil {
		l.Row, l.Then, l.Effects, fault = m.drive(sc, ev, sc.env.args)
	} else {
		l.Row, l.Then, l.Effects, fault = m.native.step(sc.step, sc.vars, ev.event.Index, sc.env.args)
	}
	return nil, fault
}

// assumed reports whether the model's assumptions let row happen: they speak
// of moves and stays.
func (ev *event) assumed(e *env, row *spec.Row) (bool, *Fault) {
	if row.Outcome != spec.Move && row.Outcome != spec.Stay {
		return true, nil
	}
	for i := range ev.assume {
		a := &ev.assume[i]
		only := a.only(e)
		if e.undefined != nil {
			return false, undefined(e, a.name, a.src)
		}
		if only == 0 {
			return false, nil
		}
	}
	return true, nil
}

// gather copies what a stepper sees of the instance at base to vars, scatter
// copies it back.
func (m *Machine) gather(vars, slots []uint64, base int) {
	n := m.ownVars
	copy(vars[:n], slots[base:])
	copy(vars[n:], slots[m.instances*len(m.layout.own):])
}

func (m *Machine) scatter(vars, slots []uint64, base int) {
	n := m.ownVars
	copy(slots[base:base+n], vars)
	copy(slots[m.instances*len(m.layout.own):], vars[n:])
}

// key packs sc.next, into s itself if it is the same state.
func (m *Machine) key(sc *scratch, s State) State {
	sc.buf = m.pack(sc.buf[:0], sc.next)
	if string(sc.buf) == string(s) {
		return s
	}
	return State(sc.buf)
}
