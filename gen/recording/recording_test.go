package recording_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/mbt/edges"
	"github.com/interlock-go/interlock/gen/recording"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

func load(t *testing.T, name string) *spec.Table {
	t.Helper()
	table, err := spec.Load("../../spec/" + name + ".yaml")
	require.NoError(t, err)
	return table
}

// TestFiles: the file says which table it is of, sums up each model, and has
// each recording; where it is spoiled, the check finds it.
func TestFiles(t *testing.T) {
	table := load(t, "session")
	files, err := recording.Files(table)
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.Equal(t, "fsm/session/session_edges_gen.txt", files[0].Path)
	require.Contains(t, string(files[0].Data), file.Marker("session.yaml"))
	d, err := edges.Parse(files[0].Data)
	require.NoError(t, err)
	require.Equal(t, table.Hash, d.Table)
	require.Len(t, d.Graphs, len(table.Models))
	require.Len(t, d.Recordings, len(table.Record))

	root := t.TempDir()
	_, err = file.Write(root, files)
	require.NoError(t, err)
	stale, err := file.Check(root, files)
	require.NoError(t, err)
	require.Empty(t, stale)
	name := filepath.Join(root, files[0].Path)
	require.NoError(t, os.WriteFile(name, files[0].Data[:len(files[0].Data)-1], 0o644))
	stale, err = file.Check(root, files)
	require.NoError(t, err)
	require.Len(t, stale, 1)
}

// TestWithoutRecord: a table that asks for nothing gets nothing.
func TestWithoutRecord(t *testing.T) {
	table := load(t, "lane")
	table.Record = nil
	files, err := recording.Files(table)
	require.NoError(t, err)
	require.Empty(t, files)
}

// TestMissingRows: without the durable size, the rows that need a store are
// nowhere.
func TestMissingRows(t *testing.T) {
	table := load(t, "lane")
	table.Record = table.Record[:1]
	_, err := recording.Files(table)
	var list diag.List
	require.True(t, errors.As(err, &list))
	var rows []string
	for _, d := range list {
		require.Equal(t, diag.DeadRow, d.Code)
		rows = append(rows, d.Message)
	}
	require.Equal(t, []string{
		"no recording has orphan.lost", "no recording has orphan.again",
		"no recording has adopt.moved", "no recording has adopt.running", "no recording has adopt.stopping",
	}, rows)
}
