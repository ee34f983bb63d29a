package file_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/file"
)

// TestWriteSweeps writes a file beside temporary ones: those that a killed
// process has left long ago are removed, and no others.
func TestWriteSweeps(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "fsm", "do[or")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	old := time.Now().Add(-time.Hour)
	kept := map[string]time.Time{
		".door_gen.go.2":    time.Now(), // another process writes it
		".door_gen.go.orig": old,
		".other.go.1":       old,
		"door_gen.go.1":     old,
	}
	gone := map[string]time.Time{".door_gen.go.1": old, ".door_gen.go.31415": old}
	for _, files := range []map[string]time.Time{kept, gone} {
		for name, when := range files {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
			require.NoError(t, os.Chtimes(filepath.Join(dir, name), when, when))
		}
	}
	changed, err := file.Write(root, []file.File{{Path: "fsm/do[or/door_gen.go", Data: []byte("x")}})
	require.NoError(t, err)
	require.Equal(t, []string{"fsm/do[or/door_gen.go"}, changed)
	for name := range kept {
		require.FileExists(t, filepath.Join(dir, name))
	}
	for name := range gone {
		require.NoFileExists(t, filepath.Join(dir, name))
	}
}

// TestWriteAllOrNothing has one file that can't be written: the others stay as
// they are, and nothing temporary is left.
func TestWriteAllOrNothing(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "a"), []byte("old"), 0o644))
	require.NoError(t, os.Mkdir(filepath.Join(root, "b"), 0o755))
	changed, err := file.Write(root, []file.File{{Path: "a", Data: []byte("new")}, {Path: "b", Data: []byte("new")}})
	require.EqualError(t, err, "write b: is a directory")
	require.Empty(t, changed)
	data, err := os.ReadFile(filepath.Join(root, "a"))
	require.NoError(t, err)
	require.Equal(t, "old", string(data))
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	require.Len(t, entries, 2)
}
