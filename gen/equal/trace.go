package equal

import (
	"cmp"
	"fmt"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/tla"
)

// Path returns a counterexample of TLC as a path of m, the machine of the same
// model, so that it can be told in the table's words. The error says which of
// its states or steps m doesn't have.
func Path(m *interp.Machine, t tla.Trace) (*interp.Path, error) {
	d := newDecoder(m)
	p := &interp.Path{}
	var from interp.State
	for i, s := range t.States {
		at, err := d.traceState(s)
		if err != nil {
			return nil, fmt.Errorf("state %d of the counterexample: %w", i+1, err)
		}
		if i == 0 {
			p.Init, from = at, at
			continue
		}
		step, err := StepTo(m, from, at, s.Action)
		if err != nil {
			return nil, err
		}
		if step == nil {
			return nil, fmt.Errorf("step %d of the counterexample, %s, is none of the table's", i, s.Action)
		}
		p.Steps = append(p.Steps, *step)
		from = at
	}
	return p, nil
}

func (d *decoder) traceState(s tla.State) (interp.State, error) {
	for _, x := range d.vars {
		name := x.name
		v, ok := s.Get(name)
		if !ok {
			return "", fmt.Errorf("there is no variable %s", name)
		}
		if err := d.variable(x, v); err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
	}
	return d.m.Pack(d.values)
}

// StepTo returns the step between two states by the row that TLC names, or by
// any row where TLC names none of the table's.
func StepTo(m *interp.Machine, from, to interp.State, action string) (*interp.Step, error) {
	var named, any *interp.Step
	err := m.Steps(from, func(st interp.Step) bool {
		if st.To == to {
			if any == nil {
				any = &st
			}
			if names.Row(st.Label.Row) == action {
				named = &st
			}
		}
		return named == nil
	})
	if named != nil {
		return named, err
	}
	return any, err
}

// WithBadStep adds to a path the first step from its end that the property
// rejects: TLC sees steps that change nothing by an invariant, whose
// counterexample ends just before the step. It returns p if there is none.
func WithBadStep(m *interp.Machine, p *interp.Path, prop interp.Property) (*interp.Path, error) {
	if prop.Step == nil {
		return p, nil
	}
	var bad *interp.Step
	var failed error
	err := m.Steps(p.Last(), func(st interp.Step) bool {
		ok, err := prop.Step(p.Last(), st)
		if err != nil {
			failed = err
			return false
		}
		if !ok {
			bad = &st
		}
		return ok
	})
	if err != nil || failed != nil || bad == nil {
		return p, cmp.Or(failed, err)
	}
	out := *p
	out.Steps = append(out.Steps[:len(out.Steps):len(out.Steps)], *bad)
	return &out, nil
}
