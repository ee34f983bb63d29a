package check_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen"
	"github.com/interlock-go/interlock/gen/check"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
)

// TestBundledIsClean: nothing in a table that people take for a model is of no
// use, or can't be printed.
func TestBundledIsClean(t *testing.T) {
	for _, pattern := range []string{"*.yaml", "rejected/*.yaml", "gallery/*.yaml"} {
		paths, err := filepath.Glob(filepath.Join("../../spec", pattern))
		require.NoError(t, err)
		require.NotEmpty(t, paths, pattern)
		for _, path := range paths {
			table, err := spec.Load(path)
			require.NoError(t, err)
			require.NoError(t, table.Warnings.Err())
			if table.Fails == "" {
				require.NoError(t, gen.Printable(table), path)
			}
		}
	}
	paths, err := filepath.Glob("../../spec/gallery/*.yaml")
	require.NoError(t, err)
	for _, path := range append(paths, "../../spec/lane.yaml", "../../spec/session.yaml") {
		table, err := spec.Load(path)
		require.NoError(t, err)
		if table.Name == "twophase" {
			table.Models = table.Models[:3] // the others are the same, larger
		}
		var searches, ups int
		found, err := check.Run(t.Context(), table, check.Watch{
			Search:  func(*verify.Search) { searches++ },
			OneUp:   func(*verify.Search, []*verify.OneUp) { ups++ },
			Untold:  func(parts []interp.Part) { require.Empty(t, parts, path) },
			Weighed: func(s *verify.Search) { require.NotNil(t, s.Breaks) },
		})
		require.NoError(t, err)
		require.NoError(t, found.Err(), path)
		require.Equal(t, searches, ups)
	}
}
