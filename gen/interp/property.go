package interp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// Properties returns the given properties of the table, or all of them, for
// the explorer. A Sometimes is one property for each of its goals, named
// "EveryOutcome{o=failed, stop=true}"; an Eventually isn't among them, see
// [Endings].
//
// An invariant speaks of every instance; a clause of a step property of the
// one that takes the step; a goal is reached if it is in any instance. An
// expression that is undefined somewhere is an error there, a *Fault.
func Properties(m *Machine, of ...*spec.Property) ([]Property, error) {
	if len(of) == 0 {
		of = m.table.Properties
	}
	var out []Property
	for _, p := range of {
		ps, err := m.compileProperty(p)
		if err != nil {
			return nil, cantExplore(m.table, m.model, errorAt(p.Pos, "property %s: %w", p.Name, err))
		}
		out = append(out, ps...)
	}
	return out, nil
}

func (m *Machine) compileProperty(p *spec.Property) ([]Property, error) {
	switch p.Kind {
	case spec.Invariant:
		holds, err := m.full.with(nil, nil, nil).compile(p.Holds, false)
		if err != nil {
			return nil, err
		}
		return []Property{{Name: p.Name, State: m.everywhere(claim{p.Name, p.Src, holds})}}, nil
	case spec.Ends:
		holds, err := m.full.with(nil, nil, nil).compile(p.Holds, false)
		if err != nil {
			return nil, err
		}
		return []Property{{Name: p.Name, State: m.ends(claim{p.Name, p.Src, holds})}}, nil
	case spec.StepAlways:
		return m.stepProperty(p)
	case spec.Isolated:
		return []Property{{Name: p.Name, Step: m.isolated(p.Name)}}, nil
	case spec.Sometimes:
		return m.goals(p)
	case spec.Eventually:
		return nil, nil
	}
	return nil, fmt.Errorf("it has no kind")
}

// claim is a condition of a property.
type claim struct {
	name  string
	src   string
	holds eval
}

// judge evaluates c in sc, whose slots and instance are set.
func (c *claim) judge(sc *scratch) (bool, *Fault) {
	v := c.holds(&sc.env)
	if sc.env.undefined != nil {
		return false, undefined(&sc.env, c.name, c.src)
	}
	return v != 0, nil
}

// load makes sc's slots those of s.
func (m *Machine) load(sc *scratch, s State) {
	if sc.oldKey != s {
		m.unpack(sc.old, s)
		sc.oldKey = s
	}
	sc.env.old, sc.env.new = sc.old, sc.old
}

// loadStep makes sc's slots those of a step.
func (m *Machine) loadStep(sc *scratch, from State, st *Step) {
	m.load(sc, from)
	if st.To != from {
		if sc.nextKey != st.To {
			m.unpack(sc.next, st.To)
			sc.nextKey = st.To
		}
		sc.env.new = sc.next
	}
	sc.env.base, sc.env.args = st.Label.Instance*len(m.layout.own), st.Label.Args
}

// everywhere reports whether c holds of every instance.
func (m *Machine) everywhere(c claim) func(State) (bool, error) {
	return func(s State) (bool, error) {
		sc := m.scratch()
		defer m.done(sc)
		m.load(sc, s)
		for i := range m.instances {
			sc.env.base = i * len(m.layout.own)
			ok, fault := c.judge(sc)
			if fault != nil {
				return false, m.located(fault, s, nil)
			}
			if !ok {
				return false, nil
			}
		}
		return true, nil
	}
}

// clause is a compiled clause: it judges the steps of some events by kind.
type clause struct {
	claim
	spec *spec.Clause
	on   map[*spec.Event]bool
}

// judges reports whether the clause speaks of st.
func (c *clause) judges(st *Step) bool {
	if c.spec.Answered && IsNobody(st.Label.Row) {
		return c.on[st.Label.Event.Event]
	}
	if !c.on[st.Label.Event.Event] || c.spec.Row != nil && c.spec.Row != st.Label.Row {
		return false
	}
	switch c.spec.Kind {
	case spec.Refused:
		return st.Kind == fsm.Refuse
	case spec.Ignored:
		return st.Kind == fsm.Ignore
	}
	return st.Kind.Accepted()
}

func (m *Machine) clauses(p *spec.Property) ([]*clause, error) {
	var out []*clause
	for _, c := range p.Clauses {
		cl := &clause{spec: c, on: map[*spec.Event]bool{}}
		var args []*expr.Symbol
		if c.Event != nil {
			args = argSyms(c.Event)
			cl.on[c.Event] = true
		} else {
			for _, ev := range m.events {
				cl.on[ev.event] = !slices.Contains(c.Except, ev.event)
			}
		}
		holds, err := m.full.with(args, nil, nil).compile(c.Holds, false)
		if err != nil {
			return nil, err
		}
		cl.claim = claim{p.Name, c.Src, holds}
		out = append(out, cl)
	}
	return out, nil
}

func (m *Machine) stepProperty(p *spec.Property) ([]Property, error) {
	clauses, err := m.clauses(p)
	if err != nil {
		return nil, err
	}
	return []Property{{Name: p.Name, Step: func(from State, st Step) (bool, error) {
		c, err := m.broken(clauses, from, &st)
		return c == nil, err
	}}}, nil
}

// broken returns the first clause that st breaks, or nil.
func (m *Machine) broken(clauses []*clause, from State, st *Step) (*clause, error) {
	var sc *scratch
	for _, c := range clauses {
		if !c.judges(st) {
			continue
		}
		if c.spec.Answered && IsNobody(st.Label.Row) {
			return c, nil // it says what the event is answered, and nobody answers
		}
		if sc == nil {
			sc = m.scratch()
			defer m.done(sc)
			m.loadStep(sc, from, st)
		}
		ok, fault := c.judge(sc)
		if fault != nil {
			return c, m.located(fault, from, &st.Label.Event)
		}
		if !ok {
			return c, nil
		}
	}
	return nil, nil
}

// goals returns a property for each choice of p's Each.
func (m *Machine) goals(p *spec.Property) ([]Property, error) {
	if len(p.Each) > maxBound {
		return nil, fmt.Errorf("more than %d names bound at once", maxBound)
	}
	var args []*expr.Symbol
	if p.On != nil {
		args = argSyms(p.On)
	}
	holds, err := m.full.with(args, nil, p.Each).compile(p.Holds, false)
	if err != nil {
		return nil, err
	}
	var dims [][]uint64
	total := 1
	for _, s := range p.Each {
		values, err := m.values(s.Type)
		if err != nil {
			return nil, err
		}
		dims = append(dims, values)
		if total *= len(values); total > maxValues {
			return nil, fmt.Errorf("more than %d goals", maxValues)
		}
	}
	var out []Property
	each(dims, func(choice []uint64) {
		values := make([]uint64, len(choice))
		var names []string
		for i, s := range p.Each {
			values[i] = m.value(s.Type, choice[i])
			names = append(names, s.Name+"="+FormatValue(s.Type, choice[i]))
		}
		c := claim{name: p.Name, src: p.Src, holds: holds}
		if len(names) > 0 {
			c.name += "{" + strings.Join(names, ", ") + "}"
		}
		out = append(out, m.goal(c, p.On, values))
	})
	return out, nil
}

func (m *Machine) goal(c claim, on *spec.Event, values []uint64) Property {
	g := Property{Name: c.name, Kind: explore.Sometimes}
	if on != nil {
		g.Step = func(from State, st Step) (bool, error) {
			if st.Label.Event.Event != on || !st.Kind.Accepted() {
				return false, nil
			}
			sc := m.scratch()
			defer m.done(sc)
			m.loadStep(sc, from, &st)
			copy(sc.env.bound[:], values)
			ok, fault := c.judge(sc)
			if fault != nil {
				return false, m.located(fault, from, &st.Label.Event)
			}
			return ok, nil
		}
		return g
	}
	g.State = func(s State) (bool, error) {
		sc := m.scratch()
		defer m.done(sc)
		m.load(sc, s)
		copy(sc.env.bound[:], values)
		for i := range m.instances {
			sc.env.base = i * len(m.layout.own)
			if ok, fault := c.judge(sc); fault != nil {
				return false, m.located(fault, s, nil)
			} else if ok {
				return true, nil
			}
		}
		return false, nil
	}
	return g
}
