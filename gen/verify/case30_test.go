package verify_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/tla"
)

// changed returns r with a text of its cfg or of a module replaced.
func changed(t *testing.T, r tlaplus.Run, name, old, new string) tlaplus.Run {
	t.Helper()
	replaced := false
	replace := func(path string, data []byte) []byte {
		if path != name {
			return data
		}
		require.Contains(t, string(data), old)
		replaced = true
		return []byte(strings.Replace(string(data), old, new, 1))
	}
	r.Cfg = replace(r.CfgName, r.Cfg)
	r.Files = slices.Clone(r.Files)
	for i, f := range r.Files {
		r.Files[i] = file.File{Path: f.Path, Data: replace(f.Path, f.Data)}
	}
	require.True(t, replaced, name)
	return r
}

// TestCase30 has runs that must fail fail otherwise: by another property, by a
// fault, not at all. Any exit code but 0 won't do. And it takes actions out of
// the model: what was to be reached by them isn't, and their rows don't move.
func TestCase30(t *testing.T) {
	if !haveTLC(t) {
		t.Skip("TLC can't run")
	}
	table, err := spec.Load(lanePath)
	require.NoError(t, err)
	runs, err := tlaplus.Runs(table)
	require.NoError(t, err)
	named := func(name string) tlaplus.Run {
		i := slices.IndexFunc(runs, func(r tlaplus.Run) bool { return r.Name == name })
		require.GreaterOrEqual(t, i, 0, name)
		return runs[i]
	}
	control := named("honest without HonestOwner: NoOverlap")
	unfair := named("honest without fairness: Live")
	goal := named("memory: EveryOutcomeFailedTrue")
	safety := named("honest")
	safety.Coverage = true

	cases := []struct {
		name string
		run  tlaplus.Run
		exit int
		says string // that it isn't as expected; empty: it is
	}{
		{"a control", control, 12, ""},
		{"another only", changed(t, control, control.CfgName, "INVARIANTS NoOverlap", "INVARIANTS FreeIsClaimable"), 0, "ok; expected: invariant NoOverlap is violated"},
		{"of another kind", changed(t, unfair, unfair.CfgName, "PROPERTIES Live", "PROPERTIES OnlyOwnerReleases"), 0, "ok; expected: temporal property Live is violated"},
		{"by another one", changed(t, goal, goal.CfgName, "INVARIANTS MCNoEveryOutcomeFailedTrue", "INVARIANTS MCNoEveryOutcomeFailedFalse"), 12,
			"invariant MCNoEveryOutcomeFailedFalse is violated; expected: invariant MCNoEveryOutcomeFailedTrue is violated"},
		{"by a fault of the cfg", changed(t, control, control.CfgName, "  Leases = 3\n", ""), 151, "TLC: config error"},
		{"by a value that there isn't", changed(t, control, "Lane.tla", `NoOverlap ==`, "NoOverlap == 1 + {} = 2\n\nOther =="), 75, "TLC: evaluation error"},
		{"a goal", goal, 12, ""},
		{"a goal whose way is gone", changed(t, goal, "Lane.tla", `Release(p, outcome, lease) == ReleaseFreed(p, outcome, lease)`, `Release(p, outcome, lease) == FALSE /\ ReleaseFreed(p, outcome, lease)`), 0,
			"ok; expected: invariant MCNoEveryOutcomeFailedTrue is violated"},
		{"a goal whose start is gone", changed(t, goal, "Lane.tla", `RequestStop(p, lease)`+"\n    ", "FALSE\n    "), 0,
			"ok; expected: invariant MCNoEveryOutcomeFailedTrue is violated"},
		{"all rows", safety, 0, ""},
		{"an action less", changed(t, safety, "Lane.tla", `\/ \E number \in Fence : WorkEnds(p, number)`, `\/ FALSE`), 0, ""},
	}
	var all []tlaplus.Run
	for _, c := range cases {
		all = append(all, c.run)
	}
	proofs := verify.Prove(t.Context(), all, nil)
	for i, c := range cases {
		p := proofs[i]
		said := p.Wrong
		if p.Err != nil {
			said = p.Err.Error()
		}
		if c.says == "" {
			assert.Empty(t, said, c.name)
		} else {
			assert.Contains(t, said, c.says, c.name)
		}
		if p.Result != nil {
			assert.Equal(t, c.exit, p.Result.ExitCode, "%s: %s", c.name, p.Result.Verdict)
		}
	}

	// A run of a size that lost an action ends well. Its counts tell.
	s, err := verify.Explore(t.Context(), table, safety.Model, nil)
	require.NoError(t, err)
	whole, lost := proofs[len(proofs)-2], proofs[len(proofs)-1]
	require.Equal(t, tla.OK, lost.Result.Verdict.Kind)
	require.NoError(t, s.Count(whole).Err)
	require.ErrorContains(t, s.Count(lost).Err, "TLC counts")
}
