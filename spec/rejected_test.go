package spec_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/spec"
)

// TestRejectedLoad demands that each rejected design is a table without fault:
// what is wrong with it is for a property to find.
func TestRejectedLoad(t *testing.T) {
	paths, err := filepath.Glob("rejected/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, p := range paths {
		table, err := spec.Load(p)
		if err != nil {
			t.Errorf("%s:\n%v", p, err)
			continue
		}
		require.NotEmpty(t, table.Fails, p)
		require.NotEmpty(t, table.Base, p)
	}
}
