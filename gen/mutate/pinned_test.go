package mutate_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/mutate"
)

// pinned are the bundled tables, and how many mutants of each kind stand for one
// that is tried whenever all tests are run. What notices each mutant is kept in
// spec/mutants/NAME.txt.
var pinned = []struct {
	table string
	each  int
}{{"lane", 12}, {"session", 40}, {"queue", 1000}}

// TestPinned tries some mutants of the bundled tables, all with
// INTERLOCK_MUTANTS=all, and demands that what notices each is what was
// recorded. With -update as well it records it anew.
func TestPinned(t *testing.T) {
	all := os.Getenv(mutantsEnv) != ""
	for _, p := range pinned {
		t.Run(p.table, func(t *testing.T) {
			path, list := "../../spec/"+p.table+".yaml", "../../spec/mutants/"+p.table+".txt"
			table, err := mutate.Load(t.Context(), path)
			require.NoError(t, err)
			tried := table.Mutants
			if !all {
				tried = mutate.Sample(tried, p.each)
			}
			verdicts, err := mutate.Judge(t.Context(), table, tried, nil)
			require.NoError(t, err)
			reasons, err := mutate.ReadReasons(path)
			require.NoError(t, err)
			r := &mutate.Report{Table: table, Verdicts: verdicts, Reasons: reasons}
			assert.Empty(t, r.Findings())
			if all {
				var b strings.Builder
				require.NoError(t, r.Text(&b))
				t.Log(strings.ReplaceAll(b.String(), "../../", ""))
				golden(t, list, lines(t, r))
				return
			}
			recorded, err := os.ReadFile(list)
			require.NoError(t, err)
			of := map[string]string{}
			var want []string
			rest := strings.SplitAfter(string(recorded), "\n")
			require.Len(t, rest, len(table.Mutants)+1, "%s has other mutants now than are recorded: make mutate-update", path)
			for i, m := range table.Mutants {
				require.True(t, strings.HasPrefix(rest[i], m.ID+": "), "%s has the mutant %s now, recorded is %s: make mutate-update", path, m.ID, rest[i])
				of[m.ID] = rest[i]
			}
			for _, m := range tried {
				want = append(want, of[m.ID])
			}
			if diff := cmp.Diff(strings.Join(want, ""), lines(t, r)); diff != "" {
				t.Errorf("%s: other things notice (-recorded +now); if that is meant: make mutate-update\n%s", path, diff)
			}
		})
	}
}
