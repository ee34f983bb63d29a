package interp

import (
	"fmt"
	"slices"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// Effect is an effect with the codes of its arguments.
type Effect struct {
	Effect *spec.Effect
	Args   []uint64
}

// Stepper decides one event of one instance. The table's own is compiled from
// its rows; generated code may take its place.
type Stepper interface {
	// Step decides the event with that spec.Event.Index. vars holds the codes
	// of the control state, the variables, the parts (by key, of each the state
	// and its variables) and the shared variables; a move changes them in place,
	// every other answer leaves them bit by bit as they are and has no effects.
	// Step keeps neither vars nor args, nor uses the effects' memory again.
	Step(vars []uint64, event int, args []uint64) (Decision, []Effect, error)
}

// Decision says by their spec.Row.Index which rows decided a step.
type Decision struct {
	Row  int
	Then int // of a sub-table; negative: Row didn't go on
}

// Decided returns the decision of a step that goes on with no sub-table.
func Decided(row int) Decision { return Decision{row, -1} }

// tableStepper runs the rows of the machine's events over production slots.
type tableStepper struct {
	domains
	events []*rules // by spec.Event.Index
	parts  []*parts
	unique []place // of the fields that no two parts share
}

// TableStepper returns the Stepper that a Machine uses if it is given none.
// It isn't safe for concurrent use.
func (m *Machine) TableStepper() Stepper {
	return &ownStepper{m.native, m.native.scratch()}
}

type ownStepper struct {
	rules   *tableStepper
	scratch *stepScratch
}

func (o *ownStepper) Step(vars []uint64, event int, args []uint64) (Decision, []Effect, error) {
	if event < 0 || event >= len(o.rules.events) {
		return Decision{}, nil, fmt.Errorf("%w: no event %d", ErrStepper, event)
	}
	row, then, effects, fault := o.rules.step(o.scratch, vars, event, args)
	if fault != nil {
		return Decision{}, nil, fault
	}
	d := Decided(row.Index)
	if then != nil {
		d.Then = then.Index
	}
	return d, effects, nil
}

// stepScratch is memory that tableStepper.step uses again and again.
type stepScratch struct {
	env   env
	moves []move
	sets  []write
	ended [][]uint64 // of each kind of parts, those that are remembered
}

func newTableStepper(t *spec.Table, d domains, l *layout) (*tableStepper, error) {
	s := &tableStepper{domains: d}
	c := &compiler{domains: d, slots: l.production}
	subs := map[*spec.SubTable]*rules{}
	for _, t := range t.Tables {
		r, err := c.subRules(t)
		if err != nil {
			return nil, err
		}
		subs[t] = r
	}
	for _, e := range t.Events {
		r, err := c.rules(e)
		if err != nil {
			return nil, err
		}
		for _, row := range r.rows {
			row.then = subs[row.row.Then]
		}
		s.events = append(s.events, r)
	}
	return s, s.compileParts(c)
}

func (s *tableStepper) scratch() *stepScratch {
	return &stepScratch{ended: make([][]uint64, len(s.parts))}
}

// decide returns the row that decides, and changes nothing.
func (s *tableStepper) decide(sc *stepScratch, vars []uint64, event int, args []uint64) (*rule, *Fault) {
	sc.env.old, sc.env.new, sc.env.args = vars, vars, args
	return s.events[event].decide(&sc.env)
}

// step is Stepper.Step.
func (s *tableStepper) step(sc *stepScratch, vars []uint64, event int, args []uint64) (row, then *spec.Row, effects []Effect, fault *Fault) {
	r, fault := s.decide(sc, vars, event, args)
	if fault != nil {
		return nil, nil, nil, fault
	}
	if r.row.Outcome != spec.Move {
		return r.row, nil, nil, nil
	}
	both := []*rule{r}
	if r.then != nil {
		sub, fault := r.then.decide(&sc.env)
		if fault != nil {
			return nil, nil, nil, fault
		}
		if sub.row.Outcome != spec.Move {
			return r.row, sub.row, nil, nil
		}
		both, then = append(both, sub), sub.row
	}
	sc.moves, sc.sets = sc.moves[:0], sc.sets[:0]
	// All expressions read the old state, so nothing is written before all are known.
	for _, r := range both {
		if effects, fault = r.effects(effects, &s.domains, &sc.env); fault == nil {
			fault = s.plan(sc, r)
		}
		if fault != nil {
			return nil, nil, nil, fault
		}
	}
	return r.row, then, effects, s.perform(sc, both, vars)
}

// effects appends what r sends.
func (r *rule) effects(out []Effect, d *domains, e *env) ([]Effect, *Fault) {
	if len(r.emits) > 0 && out == nil {
		out = make([]Effect, 0, len(r.emits))
	}
	for i := range r.emits {
		em := &r.emits[i]
		if em.each == nil {
			f, fault := em.effectOf(d, e, r.row)
			if fault != nil {
				return nil, fault
			}
			out = append(out, f)
			continue
		}
		list := em.each(e)
		if e.undefined != nil {
			return nil, undefined(e, r.row.Name(), r.row.Emit[i].InSrc)
		}
		for ; list != 0; list /= em.base {
			e.bound[0] = list%em.base - 1
			f, fault := em.effectOf(d, e, r.row)
			if fault != nil {
				return nil, fault
			}
			out = append(out, f)
		}
	}
	return out, nil
}

func (em *emit) effectOf(d *domains, e *env, row *spec.Row) (Effect, *Fault) {
	args := make([]uint64, len(em.args))
	for j := range em.args {
		var fault *Fault
		if args[j], fault = em.args[j].code(d, e, row.Name()); fault != nil {
			return Effect{}, fault
		}
	}
	return Effect{em.effect, args}, nil
}

// drive lets a foreign stepper decide, and checks what it did.
func (m *Machine) drive(sc *scratch, ev *event, args []uint64) (row, then *spec.Row, effects []Effect, fault *Fault) {
	broke := func(format string, a ...any) (*spec.Row, *spec.Row, []Effect, *Fault) {
		return nil, nil, nil, &Fault{Reason: ErrStepper, Where: ev.event.Name, Detail: fmt.Sprintf(format, a...)}
	}
	copy(sc.before, sc.vars)
	copy(sc.given, args)
	d, effects, err := m.stepper.Step(sc.vars, ev.event.Index, sc.given[:len(args)])
	if err != nil {
		return broke("%v", err)
	}
	if row = m.row(d.Row); row == nil || row.Event != ev.event {
		return broke("row %d isn't one of the event's", d.Row)
	}
	if d.Then >= 0 {
		if then = m.row(d.Then); then == nil || then.Table != row.Then || row.Then == nil {
			return broke("row %d isn't one that %s goes on with", d.Then, row.Name())
		}
	} else if row.Then != nil {
		return broke("%s goes on with no row", row.Name())
	}
	last := row
	if then != nil && then.Outcome != spec.Move {
		last = then
	}
	if last.Outcome != spec.Move {
		if !slices.Equal(sc.before, sc.vars) {
			return broke("%s: a %s changed the machine", last.Name(), last.Outcome)
		}
		if len(effects) > 0 {
			return broke("%s: a %s has effects", last.Name(), last.Outcome)
		}
		return row, then, nil, nil
	}
	for j, v := range sc.vars {
		if f := m.vars[j]; !m.inside(f.Type, f.Codes, v) {
			return broke("%s: %s has no value with code %d", row.Name(), f.Name, v)
		}
	}
	for _, f := range effects {
		if !m.knows(f) {
			return broke("%s: an effect that the table doesn't have", row.Name())
		}
	}
	return row, then, effects, nil
}

// row returns the row with that index, or nil.
func (m *Machine) row(i int) *spec.Row {
	if i < 0 || i >= len(m.rows) {
		return nil
	}
	return m.rows[i]
}

// inside reports whether t has a value with that code.
func (d *domains) inside(t *expr.Type, codes, code uint64) bool {
	switch {
	case code >= codes || t.Kind == expr.Identity && code == 0:
		return false
	case t.Kind == expr.List && !d.lists(t).Well(code):
		return false
	}
	return !d.holdsKeys(t) || d.namesParts(t, code)
}

// knows reports whether f is one of the table's effects with values of the
// right types.
func (m *Machine) knows(f Effect) bool {
	if f.Effect == nil || len(f.Args) != len(f.Effect.Args) || !slices.Contains(m.table.Effects, f.Effect) {
		return false
	}
	for i, a := range f.Effect.Args {
		if n, err := m.codes(a.Type); err != nil || !m.inside(a.Type, n, f.Args[i]) {
			return false
		}
	}
	return true
}
