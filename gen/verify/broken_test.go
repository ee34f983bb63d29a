package verify_test

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/equal"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/tla"
)

// others returns the variables of the run's base module but one, with commas.
func others(run tlaplus.Run, but string) string {
	vars := regexp.MustCompile(`(?s)\nvars ==\s*<<(.*?)>>`).FindSubmatch(run.Files[0].Data)
	var out []string
	for v := range strings.SplitSeq(string(vars[1]), ",") {
		if v = strings.TrimSpace(v); v != but {
			out = append(out, v)
		}
	}
	return strings.Join(out, ", ")
}

// TestBrokenTLA puts one fault each into the generated TLA+, as a faulty
// generator would: the comparison with TLC's edges must find it and name the
// row, or TLC must refuse to go on. Faults in generated Go are gen/mbt's.
func TestBrokenTLA(t *testing.T) {
	if !haveTLC(t) {
		t.Skip("TLC can't run")
	}
	table, err := spec.Load(lanePath)
	require.NoError(t, err)
	model := table.Models[1] // honest: small, and every row of a lane in memory is in it
	run, err := tlaplus.Edges(table, model)
	require.NoError(t, err)
	for _, f := range []struct {
		name, old, new string
		file           string
		row            string // named by the difference; empty: TLC can't go on
	}{
		{"no fault", "", "", "Lane.tla", ""},
		{"wrong operator", `/\ holder[p] # lease`, `/\ holder[p] = lease`, "Lane.tla", "requestStop.stale"},
		{"swapped guard", `/\ state[p] = "running"`, `/\ state[p] = "free"`, "Lane.tla", "requestStop.asked"},
		{"a refusal that sets a variable", "/\\ state[p] \\in Occupied\n  /\\ UNCHANGED vars",
			"/\\ state[p] \\in Occupied\n  /\\ stopped' = [stopped EXCEPT ![p] = TRUE]\n  /\\ UNCHANGED <<" + others(run, "stopped") + ">>",
			"Lane.tla", "claim.busy"},
		{"a dropped UNCHANGED", "/\\ UNCHANGED <<holder, fencing,", "/\\ UNCHANGED <<fencing,", "Lane.tla", ""},
		{"a wrong argument of an effect", `state[p] = "stop_requested",`, `state[p] = "running",`, "LaneEdges.tla", "release.freed"},
		{"an edge that isn't printed", `/\ Edge("claim.busy", p, <<lease, fence>>, <<>>)`, `/\ TRUE`, "LaneEdges.tla", "claim.busy"},
	} {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			config := tla.Config{Files: map[string][]byte{run.CfgName: run.Cfg}, Module: run.Module, Cfg: run.CfgName, Short: true}
			for _, file := range run.Files {
				data := file.Data
				if file.Path == f.file && f.old != "" {
					require.Contains(t, string(data), f.old)
					data = bytes.Replace(data, []byte(f.old), []byte(f.new), 1)
				}
				config.Files[file.Path] = data
			}
			machine, err := interp.New(table, model)
			require.NoError(t, err)
			_, err = equal.Compare(t.Context(), "the table", machine, equal.Printed("TLC", machine, equal.TLC(config)))
			var diff *equal.Difference
			switch {
			case f.old == "":
				require.NoError(t, err)
			case f.row == "":
				require.Error(t, err)
				require.False(t, errors.As(err, &diff), "TLC went on: %v", err)
			default:
				require.True(t, errors.As(err, &diff), "no difference: %v", err)
				require.Contains(t, diff.Text, f.row)
			}
		})
	}
}
