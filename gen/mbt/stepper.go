package mbt

import (
	"fmt"
	"slices"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
)

// stepper lets a Subject take the place of the table's rows in gen/interp.
type stepper[M comparable, F any] struct {
	subject Subject[M, F]
	machine *interp.Machine // of the table: says what was wanted
	table   *spec.Table
	rows    map[string]*spec.Row
	infos   map[string]fsm.Info
	buf     []F
}

// Stepper returns s as what decides the machine's events in m's model. What a
// generated row says of itself must be what the table says.
func Stepper[M comparable, F any](m *interp.Machine, s Subject[M, F]) interp.Stepper {
	st := &stepper[M, F]{subject: s, machine: m, table: m.Table(), rows: map[string]*spec.Row{}, infos: map[string]fsm.Info{}}
	for _, d := range decisions(m.Table()) {
		st.rows[d.info.Name], st.infos[d.info.Name] = d.row, d.info
	}
	return st
}

// Step is interp.Stepper's.
func (s *stepper[M, F]) Step(vars []uint64, event int, args []uint64) (interp.Decision, []interp.Effect, error) {
	m := s.subject.Machine(s.machine.Model().Params, vars)
	var info fsm.Info
	info, s.buf = s.subject.Step(&m, event, args, s.buf[:0])
	row := s.rows[info.Name]
	switch {
	case row == nil:
		return interp.Decision{}, nil, fmt.Errorf("the row is %s, not %s", info.Name, s.wanted(vars, event, args))
	case info != s.infos[info.Name]:
		return interp.Decision{}, nil, fmt.Errorf("%s says %s of itself, not %s", info.Name, say(info), say(s.infos[info.Name]))
	}
	s.subject.Vars(&m, vars)
	effects, err := effectsOf(s.table, s.subject, s.buf)
	if err != nil {
		return interp.Decision{}, nil, fmt.Errorf("%s: %w", info.Name, err)
	}
	return interp.Decided(row.Index), effects, nil
}

// wanted returns the row that the table takes.
func (s *stepper[M, F]) wanted(vars []uint64, event int, args []uint64) string {
	d, _, err := s.machine.TableStepper().Step(slices.Clone(vars), event, args)
	if err != nil {
		return err.Error()
	}
	return s.table.Rows()[d.Row].Name()
}

func effectsOf[M comparable, F any](t *spec.Table, s Subject[M, F], buf []F) ([]interp.Effect, error) {
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
