package check_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen"
	"github.com/interlock-go/interlock/gen/check"
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
	for _, name := range []string{"lane", "session"} {
		table, err := spec.Load("../../spec/" + name + ".yaml")
		require.NoError(t, err)
		found, err := check.Run(t.Context(), table, check.Watch{})
		require.NoError(t, err)
		require.NoError(t, found.Err())
	}
}
