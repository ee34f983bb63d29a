package mbt

import (
	"fmt"
	"slices"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
)

// stepper lets a Subject take the place of the table's rows in gen/interp.
type stepper[M, F any] struct {
	subject Subject[M, F]
	machine *interp.Machine // of the table: says what was wanted
	table   *spec.Table
	known   map[string]decision
	buf     []F
}

// Stepper returns s as what decides the machine's events in m's model. What a
// generated row says of itself must be what the table says, and a machine must
// be no more than its codes tell.
func Stepper[M, F any](m *interp.Machine, s Subject[M, F]) interp.Stepper {
	st := &stepper[M, F]{subject: sized(s, m), machine: m, table: m.Table(), known: map[string]decision{}}
	for _, d := range decisions(m.Table()) {
		st.known[d.info.Name] = d
	}
	return st
}

// Step is interp.Stepper's.
func (s *stepper[M, F]) Step(vars []uint64, event int, args []uint64) (interp.Decision, []interp.Effect, error) {
	params := s.machine.Model().Params
	m := s.subject.Machine(params, vars)
	var info fsm.Info
	info, s.buf = s.subject.Step(&m, event, args, s.buf[:0])
	d, ok := s.known[info.Name]
	switch {
	case !ok || d.row == nil:
		return interp.Decision{}, nil, fmt.Errorf("the row is %s, not %s", info.Name, s.wanted(vars, event, args))
	case info != d.info:
		return interp.Decision{}, nil, fmt.Errorf("%s says %s of itself, not %s", info.Name, say(info), say(d.info))
	}
	s.subject.Vars(&m, vars)
	if info.Kind == fsm.Move && clones(&m) {
		if diff := difference(s.subject.Machine(params, vars), m); diff != "" {
			return interp.Decision{}, nil, fmt.Errorf("%s: the machine holds more than its codes tell (-codes +Go):\n%s", info.Name, diff)
		}
	}
	effects, err := effectsOf(s.table, s.subject, s.buf)
	if err != nil {
		return interp.Decision{}, nil, fmt.Errorf("%s: %w", info.Name, err)
	}
	out := interp.Decided(d.row.Index)
	if d.then != nil {
		out.Then = d.then.Index
	}
	return out, effects, nil
}

// wanted returns the decision that the table takes.
func (s *stepper[M, F]) wanted(vars []uint64, event int, args []uint64) string {
	d, _, err := s.machine.TableStepper().Step(slices.Clone(vars), event, args)
	if err != nil {
		return err.Error()
	}
	return decided(s.table.Rows(), d)
}

// decided returns the name of what decided a step.
func decided(rows []*spec.Row, d interp.Decision) string {
	if d.Then < 0 {
		return rows[d.Row].Name()
	}
	return rows[d.Row].Name() + "+" + rows[d.Then].Name()
}

func effectsOf[M, F any](t *spec.Table, s Subject[M, F], buf []F) ([]interp.Effect, error) {
	var out []interp.Effect
	for _, f := range buf {
		i, args := s.Effect(f)
		if i < 0 || i >= len(t.Effects) {
			return nil, fmt.Errorf("an effect that the table doesn't have: %+v", f)
		}
		out = append(out, interp.Effect{Effect: t.Effects[i], Args: args})
	}
	return out, nil
}

// say returns a row's kind and code, if it has one: "refuse PROJECT_BUSY".
func say(i fsm.Info) string {
	if i.Code == "" {
		return i.Kind.String()
	}
	return i.Kind.String() + " " + i.Code
}
