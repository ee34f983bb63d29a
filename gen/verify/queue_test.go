package verify_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
)

// TestQueueExplored explores the queue, which isn't among the bundled tables
// yet: no property fails in any of its sizes, every row decides something, and
// each of its rejected designs breaks the property that it is named for. TLC and
// the generated Go are not asked here.
func TestQueueExplored(t *testing.T) {
	const dir = "../../spec/testdata/queue"
	table, err := spec.Load(dir + "/queue.yaml")
	require.NoError(t, err)
	var searches []*verify.Search
	for _, m := range table.Models {
		s, err := verify.Explore(t.Context(), table, m, m.Checks)
		require.NoError(t, err)
		for _, res := range s.Failing() {
			t.Errorf("%s: %s: %s\n%s", m.Name, res.Name, res.Verdict, s.Machine.Explain(res))
		}
		searches = append(searches, s)
	}
	require.Empty(t, verify.Unfired(table, searches))

	paths, err := filepath.Glob(dir + "/rejected/*.yaml")
	require.NoError(t, err)
	require.Len(t, paths, 12)
	for _, path := range paths {
		design, err := spec.Load(path)
		require.NoError(t, err)
		r, err := verify.Reject(t.Context(), design, false)
		require.NoError(t, err)
		require.True(t, r.OK(), "%s: %s holds", path, design.Fails)
	}
}
