package replay_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/replay"
	"github.com/interlock-go/interlock/gen/trace"
	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
)

// TestCounterexamplesReplay replays the counterexamples of all rejected designs,
// told as scripts: the rows are those of the counterexample.
func TestCounterexamplesReplay(t *testing.T) {
	paths, err := filepath.Glob("../../spec/rejected/*.yaml")
	require.NoError(t, err)
	replayed := 0
	for _, path := range paths {
		table, err := spec.Load(path)
		require.NoError(t, err)
		for _, m := range table.Models {
			s, err := verify.Explore(t.Context(), table, m, table.Properties)
			require.NoError(t, err)
			for _, c := range s.Counterexamples() {
				script, err := c.Print(trace.Script, "")
				require.NoError(t, err)
				var want, got []string
				for _, st := range c.Path.Steps {
					if i := st.Label.Event.Event.Index; i < len(table.Events) && table.Events[i] == st.Label.Event.Event {
						want = append(want, st.Label.Decision())
					}
				}
				r, err := replay.Read(table, m, path, []byte(script))
				require.NoError(t, err, "%s\n%s", path, script)
				_, err = replay.Run(r, replay.Table(r.Machine), func(d replay.Decision) error {
					got = append(got, d.Row)
					return nil
				})
				require.NoError(t, err, "%s\n%s", path, script)
				require.Equal(t, want, got, "%s: %s", path, c.Property)
				replayed++
			}
		}
	}
	require.Greater(t, replayed, len(paths)/2)
}

// TestStartsReplay replays a counterexample that starts with values which aren't
// the declared ones, of an instance and of what instances share.
func TestStartsReplay(t *testing.T) {
	src, err := os.ReadFile("../gotest/testdata/dial.yaml")
	require.NoError(t, err)
	text := regexp.MustCompile(`AsItWas: .*`).ReplaceAllString(string(src), `Quiet: "!(last.is(1) && light && state == shut && mood == loud)"`)
	table, err := spec.Read("dial.yaml", []byte(text))
	require.NoError(t, err)
	s, err := verify.Explore(t.Context(), table, table.Models[0], table.Properties)
	require.NoError(t, err)
	found := s.Counterexamples()
	require.Len(t, found, 1)
	require.NotEqual(t, s.Machine.Init()[0], found[0].Path.Init)
	script, err := found[0].Print(trace.Script, "")
	require.NoError(t, err)
	require.Contains(t, script, `{"start":{"deaf":false,"level":1,"light":true,"mood":"loud"},"instance":"p2"}`)
	r, err := replay.Read(table, nil, "dial.jsonl", []byte(script))
	require.NoError(t, err)
	var last replay.Decision
	_, err = replay.Run(r, replay.Table(r.Machine), func(d replay.Decision) error {
		last = d
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, "push.shuts", last.Row)
	require.Contains(t, last.Changed, trace.Change{Instance: last.Instance, Field: "level", Old: "1", New: "none"})
}
