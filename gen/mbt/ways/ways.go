// Package ways finds a shortest way to each row of a table: generated tests
// have a case at its end, and random ones start from there.
package ways

import (
	"context"
	"fmt"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
)

// Find returns, by spec.Row.Index, a path whose last step the row decides, for
// each row that m reaches, as short as there is. Never rows have none. The
// error is one of a model that can't be searched.
func Find(ctx context.Context, m *interp.Machine) ([]*interp.Path, error) {
	rows := m.Table().Rows()
	var goals []interp.Property
	for _, r := range rows {
		goals = append(goals, interp.Property{
			Name: r.Name(), Kind: explore.Sometimes,
			Step: func(_ interp.State, st interp.Step) (bool, error) { return st.Row == r.Index, nil },
		})
	}
	report, err := explore.Run(ctx, m, explore.Options[interp.State, interp.Label]{Properties: goals})
	if err != nil {
		return nil, err
	}
	if report.Steps.Err != nil {
		return nil, fmt.Errorf("model %s: %w", m.Model().Name, report.Steps.Err)
	}
	out := make([]*interp.Path, len(rows))
	for i, r := range rows {
		if r.Outcome != spec.Never {
			out[r.Index] = report.Properties[i].Path
		}
	}
	return out, nil
}
