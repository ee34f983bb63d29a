package interp

import (
	"errors"
	"slices"
)

// isolated returns the step property that a move of one instance changes
// neither another's variables nor its answer to anything: each event of the
// machine with any values of its arguments, fresh or not, is decided by the
// same row before and after.
func (m *Machine) isolated(name string) func(State, Step) (bool, error) {
	return func(from State, st Step) (bool, error) {
		if st.To == from {
			return true, nil
		}
		q, err := m.disturbed(name, from, &st)
		return q < 0, err
	}
}

// disturbed returns the first other instance that st is visible to, or -1.
func (m *Machine) disturbed(name string, from State, st *Step) (int, error) {
	sc := m.scratch()
	defer m.done(sc)
	m.loadStep(sc, from, st)
	for q := range m.instances {
		if q == st.Label.Instance {
			continue
		}
		base := q * len(m.layout.own)
		same, fault := m.sameAnswers(sc, base)
		if fault != nil {
			fault.Where = name + ": " + fault.Where
			return q, m.located(fault, from, &st.Label.Event)
		}
		if !same {
			return q, nil
		}
	}
	return -1, nil
}

// sameAnswers compares the instance at base before and after the step in sc.
func (m *Machine) sameAnswers(sc *scratch, base int) (bool, *Fault) {
	before, after := make([]uint64, len(m.vars)), make([]uint64, len(m.vars))
	m.gather(before, sc.env.old, base)
	m.gather(after, sc.env.new, base)
	if !slices.Equal(before[:m.ownVars], after[:m.ownVars]) {
		return false, nil
	}
	// A decision reads nothing else.
	if slices.Equal(before, after) {
		return true, nil
	}
	for _, ev := range m.events {
		if ev.world {
			continue
		}
		for _, calls := range ev.calls {
			for _, args := range calls {
				a, fault := m.answer(sc, before, ev, args)
				if fault != nil {
					return false, fault
				}
				b, fault := m.answer(sc, after, ev, args)
				if a != b || fault != nil {
					return false, fault
				}
			}
		}
	}
	return true, nil
}

// answer returns the index of the row that decides; a gap is an answer too, -1,
// and so is an overlap, -2: they are reported where they are reached.
func (m *Machine) answer(sc *scratch, vars []uint64, ev *event, args []uint64) (int, *Fault) {
	if m.stepper != nil {
		copy(sc.vars, vars)
		row, _, _, fault := m.drive(sc, ev, args)
		if fault != nil {
			return 0, fault
		}
		return row.Index, nil
	}
	r, fault := m.native.decide(sc.step, vars, ev.event.Index, args)
	switch {
	case fault == nil:
		return r.row.Index, nil
	case errors.Is(fault, ErrGap):
		return -1, nil
	case errors.Is(fault, ErrOverlap):
		return -2, nil
	}
	return 0, fault
}
