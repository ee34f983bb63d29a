package verify_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

const lanePath = "../../spec/lane.yaml"

// TestDroppedRows takes out each row of the machine: the front end must show a
// gap with a witness at its event, since no other row may cover its cells.
func TestDroppedRows(t *testing.T) {
	table, err := spec.Load(lanePath)
	require.NoError(t, err)
	for _, r := range table.Rows() {
		if r.Check || r.Event.By == "world" {
			continue
		}
		t.Run(r.Name(), func(t *testing.T) {
			_, err := spec.Load(lanePath, spec.Drop(r.Name()))
			require.True(t, hasGap(err, r.Event.Name), "no gap: %v", err)
		})
	}
}

func hasGap(err error, event string) bool {
	var list diag.List
	return errors.As(err, &list) && slices.ContainsFunc(list, func(d *diag.Diagnostic) bool {
		return d.Code == diag.Gap && strings.Contains(d.Message, event+" when state = ")
	})
}

// TestDroppedChecks takes out each check: it is a gap, or the explorer reaches
// a never row, or a property fails by name.
func TestDroppedChecks(t *testing.T) {
	want := map[string]string{ // what finds it first
		"claim.busy":        "gap",
		"requestStop.stale": "never requestStop.unheld",
		"release.stale":     "never release.unheld",
		"orphan.free":       "gap",
		"orphan.moved":      "property SeenIsCurrent",
		"adopt.notOrphaned": "gap",
		"adopt.moved":       "property SeenIsCurrent",
	}
	table, err := spec.Load(lanePath)
	require.NoError(t, err)
	seen := 0
	for _, r := range table.Rows() {
		if !r.Check {
			continue
		}
		seen++
		t.Run(r.Name(), func(t *testing.T) {
			got := foundWithout(t, r)
			t.Log(got)
			require.Contains(t, got, want[r.Name()])
		})
	}
	require.Equal(t, len(want), seen)
}

// foundWithout says everything that finds the loss of a check.
func foundWithout(t *testing.T, r *spec.Row) []string {
	t.Helper()
	table, err := spec.Load(lanePath, spec.Drop(r.Name()))
	var found []string
	var list diag.List
	if errors.As(err, &list) {
		if hasGap(err, r.Event.Name) {
			return []string{"gap"}
		}
		// A row that lost its only user of a code is told, too; what the design
		// does is for the engines to find.
		t.Fatalf("complaints that are no gap: %v", err)
	}
	require.NoError(t, err)
	for _, m := range table.Models {
		s, err := verify.Explore(t.Context(), table, m, m.Checks)
		require.NoError(t, err)
		for _, res := range s.Failing() {
			name := "property " + res.Name
			if res.Name == s.Report.Never.Name {
				last := res.Path.Steps[len(res.Path.Steps)-1]
				name = "never " + last.Label.Row.Name()
			}
			found = append(found, name)
		}
	}
	return found
}
