package verify_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/tla"
)

// as returns what TLC's log says of a run that ends as it is expected to.
func as(r tlaplus.Run) *verify.Proof {
	kind := map[tlaplus.Kind]tla.Kind{tlaplus.NoError: tla.OK, tlaplus.Invariant: tla.Invariant, tlaplus.Liveness: tla.TemporalProperty}
	res := &tla.Result{Verdict: tla.Verdict{Kind: kind[r.Expect.Kind], Name: r.Expect.Name}}
	if r.Safety {
		res.Judged = slices.Clone(r.Invariants)
	}
	return &verify.Proof{Run: r, Result: res}
}

// TestUnnamed takes out of the logs, one at a time, what names a property: the
// run ends as before, and still it is a finding.
func TestUnnamed(t *testing.T) {
	table, err := spec.Load(lanePath)
	require.NoError(t, err)
	runs, err := tlaplus.Runs(table)
	require.NoError(t, err)
	result := func() *verify.Result {
		r := &verify.Result{Table: table, TLC: "2.18"}
		for _, run := range runs {
			r.Proofs = append(r.Proofs, as(run))
		}
		return r
	}
	require.Empty(t, result().Unnamed())

	said := map[string]bool{}
	for i, run := range runs {
		switch {
		case run.Safety:
			for j, name := range run.Invariants {
				r := result()
				r.Proofs[i].Result.Judged = slices.Delete(r.Proofs[i].Result.Judged, j, j+1)
				got := r.Unnamed()
				require.NotEmpty(t, got, "%s: without %s", run.Name, name)
				assert.Equal(t, "TLC, "+run.Name+": the log doesn't say that "+name+" was judged", got[0])
				said[name] = true
			}
		case run.Unfair:
			r := result()
			r.Proofs = slices.Delete(r.Proofs, i, i+1)
			assert.Equal(t, []string{"TLC, " + run.Model.Name + ": " + run.Property.Name + " is named in no run"}, r.Unnamed())
			said[run.Property.Name] = true
		}
	}
	for _, name := range []string{"TypeOK", "Never", "Exclusive", "MCClaimWins", "MCIsolation", "Live"} {
		assert.Contains(t, said, name)
	}
}

// TestTLCNamesInvariants is what Unnamed builds on: TLC's own log names what it
// judges, and nothing that isn't in the cfg.
func TestTLCNamesInvariants(t *testing.T) {
	if !haveTLC(t) {
		t.Skip("TLC can't run")
	}
	table, err := spec.Load(lanePath)
	require.NoError(t, err)
	runs, err := tlaplus.Runs(table)
	require.NoError(t, err)
	i := slices.IndexFunc(runs, func(r tlaplus.Run) bool { return r.Safety && r.Model.Name == "honest" })
	run := runs[i]
	run.Coverage = true
	p := verify.Prove(t.Context(), []tlaplus.Run{run}, nil)[0]
	require.True(t, p.OK(), "%v %s", p.Err, p.Wrong)
	assert.Equal(t, run.Invariants, p.Result.Judged)
}
