package verify_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
)

// TestCount compares TLC's counts with the explorer's, and sees that a state or
// a move of a row too many in either is found.
func TestCount(t *testing.T) {
	if !haveTLC(t) {
		t.Skip("TLC can't run")
	}
	table, err := spec.Load(lanePath)
	require.NoError(t, err)
	var run tlaplus.Run
	runs, err := tlaplus.Runs(table)
	require.NoError(t, err)
	for _, r := range runs {
		if r.Safety && r.Model.Name == "lost" {
			run = r
		}
	}
	run.Coverage = true
	p := verify.Prove(t.Context(), []tlaplus.Run{run}, nil)[0]
	count := func(change func(*verify.Report)) verify.Leg {
		s, err := verify.Explore(t.Context(), table, run.Model, nil)
		require.NoError(t, err)
		change(s.Report)
		return s.Count(p)
	}
	l := count(func(*verify.Report) {})
	require.NoError(t, l.Err)
	require.True(t, l.ByCount)
	require.ErrorContains(t, count(func(r *verify.Report) { r.States-- }).Err, "states")
	for _, r := range table.Rows() {
		if r.Outcome == spec.Move && r.Event.By != "world" {
			err := count(func(rep *verify.Report) {
				rep.Fired[r.Index]++
			}).Err
			require.ErrorContains(t, err, r.Name()+" moves")
		}
	}
}
