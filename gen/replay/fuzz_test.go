package replay_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/replay"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

// FuzzScript: a script is read, or has complaints with their lines, or names more
// values than a machine can hold.
func FuzzScript(f *testing.F) {
	for _, src := range []string{
		`{"event": "claim", "args": {"lease": 1, "fence": 1}, "instance": "p1"}`,
		"# nothing\n\n" + `{"event": "requestStop", "args": {"lease": 1}}`,
		`{"event": "release", "args": {"outcome": "failed", "lease": 2}}`,
		`{"event": "claim", "args": {"lease": -1, "fence": 1e300}}`, `{"event": "claim", "args": null}`, `{"event": 3}`, `[`, `{}`, `{"event": "claim"} {}`,
		`{"event": "claim", "args": {"lease": 60, "fence": 99999999999999999999}}`, "\xff",
	} {
		f.Add([]byte(src))
	}
	table, err := spec.Load("../../spec/lane.yaml")
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, src []byte) {
		script, err := replay.Read(table, nil, "fuzz.jsonl", src)
		var list diag.List
		if errors.As(err, &list) {
			for _, d := range list {
				if d.Message == "" {
					t.Fatalf("%+v", d)
				}
			}
		}
		if err == nil {
			for _, c := range script.Commands {
				require.Len(t, c.Args, len(c.Event.Args))
			}
		}
	})
}
