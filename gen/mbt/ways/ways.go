// Package ways finds, for whatever may decide a step of a machine, a shortest
// way to such a step: generated tests have a case of each, and random runs
// start where one leads.
package ways

import (
	"context"
	"fmt"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
)

// Decider is what decides a step: a row, and the row of a sub-table that it
// goes on with if it does.
type Decider struct{ Row, Then *spec.Row }

// Deciders returns all that may decide an event, in the order of the table.
// Not all pairs of rows need be possible.
func Deciders(e *spec.Event) []Decider {
	var out []Decider
	for _, r := range e.Decisions() {
		if r.Then == nil {
			out = append(out, Decider{Row: r})
			continue
		}
		for _, then := range r.Then.Rows {
			out = append(out, Decider{r, then})
		}
	}
	return out
}

// Never reports whether the table claims that d never decides.
func (d Decider) Never() bool {
	return d.Row.Outcome == spec.Never || d.Then != nil && d.Then.Outcome == spec.Never
}

// Find searches all of m and returns a shortest path to a step that each
// decider decides, which is the path's last; none for those that decide no
// step. The error is that of a model that can't be searched.
func Find(m *interp.Machine) (map[Decider]*interp.Path, error) {
	var wanted []Decider
	for _, e := range m.Table().Events {
		wanted = append(wanted, Deciders(e)...)
	}
	var goals []interp.Property
	for i, d := range wanted {
		goals = append(goals, interp.Property{
			Name: fmt.Sprint(i), Kind: explore.Sometimes,
			Step: func(_ interp.State, st interp.Step) (bool, error) {
				return st.Label.Row == d.Row && st.Label.Then == d.Then, nil
			},
		})
	}
	report, err := explore.Run(context.Background(), m, explore.Options[interp.State, interp.Label]{Properties: goals})
	if err != nil {
		return nil, err
	}
	if report.Steps.Err != nil {
		return nil, fmt.Errorf("model %s: %w", m.Model().Name, report.Steps.Err)
	}
	out := map[Decider]*interp.Path{}
	for i, d := range wanted {
		if path := report.Properties[i].Path; path != nil {
			out[d] = path
		}
	}
	return out, nil
}
