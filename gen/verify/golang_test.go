package verify_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
)

const channelPath = "../../spec/gallery/channel.yaml"

// TestUnwrittenGo compares what would be generated from a table of which no Go is
// in the tree.
func TestUnwrittenGo(t *testing.T) {
	table, err := spec.Load(channelPath)
	require.NoError(t, err)
	legs, g, err := verify.CompareGo(t.Context(), table, "../..")
	require.NoError(t, err)
	require.Equal(t, verify.GeneratedGo{Unwritten: true}, g)
	require.Len(t, legs, 1)
	require.NoError(t, legs[0].Err)
	require.Equal(t, 48, legs[0].Counts.Edges)

	lane, err := spec.Load(lanePath)
	require.NoError(t, err)
	_, g, err = verify.CompareGo(t.Context(), lane, "../..")
	require.NoError(t, err)
	require.Equal(t, verify.GeneratedGo{}, g)
}

// TestNoGo is told why nothing can be compared in a module that doesn't know this
// project's packages.
func TestNoGo(t *testing.T) {
	text, err := os.ReadFile(channelPath)
	require.NoError(t, err)
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("module example.org/m\n\ngo 1.26\n"), 0o644))
	path := filepath.Join(root, "spec", "channel.yaml")
	require.NoError(t, os.Mkdir(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, text, 0o644))
	table, err := spec.Load(path)
	require.NoError(t, err)
	legs, g, err := verify.CompareGo(t.Context(), table, root)
	require.NoError(t, err)
	require.Empty(t, legs)
	require.Contains(t, g.Missing, "github.com/interlock-go/interlock/fsm")
	r := &verify.Result{Table: table, Go: g}
	require.Contains(t, r.Findings()[len(r.Findings())-1], "no Go was generated from this table")

	require.NoError(t, os.Remove(filepath.Join(root, "go.mod")))
	_, g, err = verify.CompareGo(t.Context(), table, root)
	require.NoError(t, err)
	require.Contains(t, g.Missing, "go.mod")
	_, err = os.Stat(filepath.Join(root, "fsm"))
	require.ErrorIs(t, err, os.ErrNotExist, "nothing is written to the module")
}
