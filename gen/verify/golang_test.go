package verify_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

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

// TestUnwrittenGoAnywhere finds the table wherever it is in its module, however it
// is named, and whichever folder its base is in.
func TestUnwrittenGoAnywhere(t *testing.T) {
	text, err := os.ReadFile(channelPath)
	require.NoError(t, err)
	home, err := filepath.Abs("../..")
	require.NoError(t, err)
	root := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	mod, err := os.ReadFile(filepath.Join(home, "go.mod"))
	require.NoError(t, err)
	_, needs, _ := strings.Cut(string(mod), "\n")
	sums, err := os.ReadFile(filepath.Join(home, "go.sum"))
	require.NoError(t, err)
	write("go.mod", "module example.org/m\n"+needs+"\nrequire github.com/interlock-go/interlock v0.0.0\nreplace github.com/interlock-go/interlock => "+home+"\n")
	write("go.sum", string(sums))
	t.Chdir(filepath.Dir(root))
	for i, name := range []string{"fsm/channel.yaml", "fsm/channel/channel.yaml", "tables/channel.yaml", "of/spec/channel.yaml"} {
		write(name, string(text))
		from := []string{root, filepath.Base(root)}[i%2]
		table, err := spec.Load(filepath.Join(from, name))
		require.NoError(t, err)
		compared(t, table, from)
	}
	write("channel.yaml", string(text))
	write("tables/other.yaml", "machine: other\nbase: channel\n")
	require.NoError(t, os.Remove(filepath.Join(root, "tables/channel.yaml")))
	table, err := spec.Load(filepath.Join(root, "tables/other.yaml"))
	require.NoError(t, err)
	compared(t, table, root)
}

func compared(t *testing.T, table *spec.Table, root string) {
	t.Helper()
	legs, g, err := verify.CompareGo(t.Context(), table, root)
	require.NoError(t, err, table.Path)
	require.Equal(t, verify.GeneratedGo{Unwritten: true}, g, table.Path)
	require.NoError(t, legs[0].Err, table.Path)
	require.Equal(t, 48, legs[0].Counts.Edges)
}

// TestGoOfAnother is told where the package was generated from another table of that
// name, although no edge of theirs differs.
func TestGoOfAnother(t *testing.T) {
	text, err := os.ReadFile(lanePath)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "lane.yaml")
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(text), "\ndoc: ", "\ndoc: Not ", 1)), 0o644))
	table, err := spec.Load(path)
	require.NoError(t, err)
	legs, g, err := verify.CompareGo(t.Context(), table, "../..")
	require.NoError(t, err)
	require.Equal(t, verify.GeneratedGo{}, g)
	require.Len(t, legs, len(table.Models))
	for _, l := range legs {
		require.ErrorContains(t, l.Err, "generated from another table")
	}
}

// TestInterruptedGo leaves no test running and no folder behind.
func TestInterruptedGo(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its temporary folder has another name")
	}
	table, err := spec.Load("../../spec/queue.yaml")
	require.NoError(t, err)
	for _, running := range []bool{false, true} {
		tmp := t.TempDir()
		t.Setenv("TMPDIR", tmp)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			defer cancel()
			for ctx.Err() == nil {
				built, _ := filepath.Glob(filepath.Join(tmp, "interlock-edges-*", "queue.test"))
				builds, _ := filepath.Glob(filepath.Join(tmp, "*", "go-build*"))
				beside, _ := filepath.Glob(filepath.Join(tmp, "go-build*"))
				builds = append(builds, beside...)
				if running && len(built) > 0 && len(builds) == 0 || !running && len(builds) > 0 {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
		}()
		_, _, err = verify.CompareGo(ctx, table, "../..")
		require.ErrorIs(t, ctx.Err(), context.Canceled)
		require.NoError(t, err)
		left, err := os.ReadDir(tmp)
		require.NoError(t, err)
		require.Empty(t, left)
	}
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
