package manifest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/manifest"
)

func TestManifest(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "manifest.txtar")
	for _, name := range []string{"b.yaml", "a.yaml", "gone.yaml"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("machine: m\n"), 0o644))
	}
	m, err := manifest.Read(path)
	require.NoError(t, err, "a manifest that isn't there is empty")
	diff, err := m.Compare(filepath.Join(dir, "a.yaml"), []byte("states 1\n"))
	require.NoError(t, err)
	assert.Equal(t, "nothing is pinned for a.yaml", diff)
	require.NoError(t, m.Set(filepath.Join(dir, "b.yaml"), []byte("states 2\n")))
	require.NoError(t, m.Set(filepath.Join(dir, "a.yaml"), []byte("states 1\nedges 7\n")))
	require.NoError(t, m.Set(filepath.Join(dir, "gone.yaml"), []byte("states 3\n")))
	require.NoError(t, os.Remove(filepath.Join(dir, "gone.yaml")))
	assert.Equal(t, []string{"gone.yaml"}, m.Gone())
	require.NoError(t, m.Write())
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "What interlock verify found, table by table. Written by interlock verify --manifest FILE --update.\n\n"+
		"-- a.yaml --\nstates 1\nedges 7\n-- b.yaml --\nstates 2\n", string(data))

	m, err = manifest.Read(path)
	require.NoError(t, err)
	assert.Empty(t, m.Gone())
	assert.Equal(t, []string{"a.yaml", "b.yaml"}, m.Unasked())
	diff, err = m.Compare(filepath.Join(dir, "a.yaml"), []byte("states 1\nedges 7\n"))
	require.NoError(t, err)
	assert.Empty(t, diff)
	assert.Equal(t, []string{"b.yaml"}, m.Unasked())
	diff, err = m.Compare(filepath.Join(dir, "a.yaml"), []byte("states 1\nedges 6\n"))
	require.NoError(t, err)
	assert.Contains(t, diff, "\n-edges 7\n+edges 6\n")

	require.NoError(t, os.WriteFile(path, []byte("-- a.yaml --\n-- b.yaml --\n-- a.yaml --\n"), 0o644))
	_, err = manifest.Read(path)
	require.ErrorContains(t, err, "pins a.yaml twice")
	require.NoError(t, os.WriteFile(path, []byte("machine: m\n"), 0o644))
	_, err = manifest.Read(path)
	require.ErrorContains(t, err, "is no manifest")
}
