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
	// of the control state, the variables and the shared variables; a move
	// changes them in place, every other answer leaves them bit by bit as they
	// are and has no effects. It returns the spec.Row.Index of the row that
	// decided. Step keeps neither vars nor args, nor uses the effects' memory
	// again.
	Step(vars []uint64, event int, args []uint64) (row int, effects []Effect, err error)
}

// tableStepper runs the rows of the machine's events over production slots.
type tableStepper struct {
	domains
	events []*rules // by spec.Event.Index
	sets   int      // the most updates of a row
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

func (o *ownStepper) Step(vars []uint64, event int, args []uint64) (int, []Effect, error) {
	if event < 0 || event >= len(o.rules.events) {
		return 0, nil, fmt.Errorf("%w: no event %d", ErrStepper, event)
	}
	row, effects, fault := o.rules.step(o.scratch, vars, event, args)
	if fault != nil {
		return 0, nil, fault
	}
	return row.Index, effects, nil
}

// stepScratch is memory that tableStepper.step uses again and again.
type stepScratch struct {
	env env
	tmp []uint64 // the new values of a row's updates
}

func newTableStepper(t *spec.Table, d domains, l *layout) (*tableStepper, error) {
	s := &tableStepper{domains: d}
	c := &compiler{domains: d, slots: l.production}
	for _, e := range t.Events {
		r, err := c.rules(e)
		if err != nil {
			return nil, err
		}
		for _, row := range slices.Concat(r.checks, r.rows) {
			s.sets = max(s.sets, len(row.sets))
		}
		s.events = append(s.events, r)
	}
	return s, nil
}

func (s *tableStepper) scratch() *stepScratch {
	return &stepScratch{tmp: make([]uint64, s.sets)}
}

// decide returns the row that decides, and changes nothing.
func (s *tableStepper) decide(sc *stepScratch, vars []uint64, event int, args []uint64) (*rule, *Fault) {
	sc.env.old, sc.env.new, sc.env.args = vars, vars, args
	return s.events[event].decide(&sc.env)
}

// step is Stepper.Step.
func (s *tableStepper) step(sc *stepScratch, vars []uint64, event int, args []uint64) (*spec.Row, []Effect, *Fault) {
	r, fault := s.decide(sc, vars, event, args)
	if fault != nil {
		return nil, nil, fault
	}
	if r.row.Outcome != spec.Move {
		return r.row, nil, nil
	}
	effects, fault := r.effects(&s.domains, &sc.env)
	if fault != nil {
		return nil, nil, fault
	}
	// All right sides read the old state, so nothing is written before all are known.
	for i := range r.sets {
		if sc.tmp[i], fault = r.sets[i].code(&s.domains, &sc.env, r.row.Name()); fault != nil {
			return nil, nil, fault
		}
	}
	for i := range r.sets {
		vars[r.sets[i].to.at] = sc.tmp[i]
	}
	return r.row, effects, nil
}

func (r *rule) effects(d *domains, e *env) ([]Effect, *Fault) {
	if len(r.emits) == 0 {
		return nil, nil
	}
	out := make([]Effect, len(r.emits))
	for i := range r.emits {
		em := &r.emits[i]
		args := make([]uint64, len(em.args))
		for j := range em.args {
			var fault *Fault
			if args[j], fault = em.args[j].code(d, e, r.row.Name()); fault != nil {
				return nil, fault
			}
		}
		out[i] = Effect{em.effect, args}
	}
	return out, nil
}

// drive lets a foreign stepper decide, and checks what it did.
func (m *Machine) drive(sc *scratch, ev *event, args []uint64) (*spec.Row, []Effect, *Fault) {
	broke := func(format string, a ...any) *Fault {
		return &Fault{Reason: ErrStepper, Where: ev.event.Name, Detail: fmt.Sprintf(format, a...)}
	}
	copy(sc.before, sc.vars)
	copy(sc.given, args)
	i, effects, err := m.stepper.Step(sc.vars, ev.event.Index, sc.given[:len(args)])
	if err != nil {
		return nil, nil, broke("%v", err)
	}
	if i < 0 || i >= len(m.rows) || m.rows[i] == nil || m.rows[i].Event != ev.event {
		return nil, nil, broke("row %d isn't one of the event's", i)
	}
	row := m.rows[i]
	if row.Outcome != spec.Move {
		if !slices.Equal(sc.before, sc.vars) {
			return nil, nil, broke("%s: a %s changed the machine", row.Name(), row.Outcome)
		}
		if len(effects) > 0 {
			return nil, nil, broke("%s: a %s has effects", row.Name(), row.Outcome)
		}
		return row, nil, nil
	}
	for j, v := range sc.vars {
		if f := m.vars[j]; !inside(f.Type, f.Codes, v) {
			return nil, nil, broke("%s: %s has no value with code %d", row.Name(), f.Name, v)
		}
	}
	for _, f := range effects {
		if !m.knows(f) {
			return nil, nil, broke("%s: an effect that the table doesn't have", row.Name())
		}
	}
	return row, effects, nil
}

// inside reports whether t has a value with that code.
func inside(t *expr.Type, codes, code uint64) bool {
	return code < codes && (t.Kind != expr.Identity || code > 0)
}

// knows reports whether f is one of the table's effects with values of the
// right types.
func (m *Machine) knows(f Effect) bool {
	if f.Effect == nil || len(f.Args) != len(f.Effect.Args) || !slices.Contains(m.table.Effects, f.Effect) {
		return false
	}
	for i, a := range f.Effect.Args {
		if n, err := m.codes(a.Type); err != nil || !inside(a.Type, n, f.Args[i]) {
			return false
		}
	}
	return true
}
