package interp

import (
	"github.com/interlock-go/interlock/spec"
)

func (m *Machine) startOf(v *spec.Var) (update, error) {
	u, err := m.full.with(nil, nil, nil).update(v.Sym.Type, v.Init, "its value at the start")
	if err != nil {
		return u, errorAt(v.Sym.Pos, "%s: %w", v.Sym.Name, err)
	}
	return u, nil
}

// starts computes the initial states from one in which all variables have the
// defaults of their types, parts aside: a state for each choice of values for
// those that may start with any. The first choice is the first value of each.
func (m *Machine) starts(slots []uint64) error {
	var at []int
	var dims [][]uint64
	total := 1
	vars := [][]*spec.Var{m.table.Vars, m.table.Shared, m.table.Ghosts}
	fixed := map[*spec.Var]update{}
	for _, list := range vars {
		for _, v := range list {
			if v.Init != nil {
				u, err := m.startOf(v)
				if err != nil {
					return err
				}
				fixed[v] = u
			}
			if !v.Any {
				continue
			}
			var values []uint64
			for c := range m.field(m.slots[v.Sym].at).Codes {
				if m.holdsCode(v.Sym.Type, c) {
					values = append(values, c)
				}
			}
			for _, s := range m.each(v) {
				at, dims = append(at, s), append(dims, values)
				if total *= len(values); total > maxValues {
					return errorAt(v.Sym.Pos, "more than %d states to start in", maxValues)
				}
			}
		}
	}
	var failed error
	each(dims, func(choice []uint64) {
		next := append([]uint64(nil), slots...)
		for i, c := range choice {
			next[at[i]] = c
		}
		for _, list := range vars {
			for _, v := range list {
				if u, ok := fixed[v]; ok && failed == nil {
					failed = m.startWith(v, u, next)
				}
			}
		}
		m.inits = append(m.inits, State(m.pack(nil, next)))
	})
	return failed
}

// each returns the slots of v: one, or one of each instance.
func (m *Machine) each(v *spec.Var) []int {
	s := m.slots[v.Sym]
	if !s.own {
		return []int{s.at}
	}
	var out []int
	for i := range m.instances {
		out = append(out, s.in(i*len(m.layout.own)))
	}
	return out
}

// startWith sets v, of each instance, to what it starts with.
func (m *Machine) startWith(v *spec.Var, u update, slots []uint64) error {
	for i, s := range m.each(v) {
		e := &env{old: slots, new: slots, base: i * len(m.layout.own)}
		code, fault := u.code(&m.domains, e, v.Sym.Name)
		if fault != nil {
			return errorAt(v.Init.Pos, "%s at the start: %w (%s)", v.Sym.Name, fault.Reason, fault.Detail)
		}
		slots[s] = code
	}
	return nil
}
