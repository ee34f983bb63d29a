package tlaplus_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/spec"
)

var update = flag.Bool("update", false, "rewrite testdata with what is printed now")

func loadLane(t testing.TB) *spec.Table {
	t.Helper()
	table, err := spec.Load("../../spec/lane.yaml")
	require.NoError(t, err)
	return table
}

func tableIn(t testing.TB, name string) *spec.Table {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	require.Equal(t, "table.yaml", a.Files[0].Name)
	table, err := spec.Read(strings.TrimSuffix(name, ".txtar")+".yaml", a.Files[0].Data)
	require.NoError(t, err)
	return table
}

func modelNamed(t testing.TB, table *spec.Table, name string) *spec.Model {
	t.Helper()
	for _, m := range table.Models {
		if m.Name == name {
			return m
		}
	}
	t.Fatalf("%s has no model %s", table.Name, name)
	return nil
}

func propertyNamed(t testing.TB, table *spec.Table, name string) *spec.Property {
	t.Helper()
	for _, p := range table.Properties {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("%s has no property %s", table.Name, name)
	return nil
}

// TestGolden compares every file with testdata, and keeps lines within 80
// columns.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			require.NoError(t, err)
			files, err := tlaplus.Files(tableIn(t, filepath.Base(path)))
			require.NoError(t, err)
			narrow(t, files)
			want := &txtar.Archive{Comment: a.Comment, Files: a.Files[:1:1]}
			for _, f := range files {
				want.Files = append(want.Files, txtar.File{Name: f.Path, Data: f.Data})
			}
			if *update {
				require.NoError(t, os.WriteFile(path, txtar.Format(want), 0o644))
				return
			}
			if diff := cmp.Diff(string(txtar.Format(a)), string(txtar.Format(want))); diff != "" {
				t.Errorf("-testdata +printed (-update rewrites it):\n%s", diff)
			}
		})
	}
}

func narrow(t *testing.T, files []file.File) {
	t.Helper()
	for _, f := range files {
		for i, l := range bytes.Split(f.Data, []byte("\n")) {
			if utf8.RuneCount(l) > 79 {
				t.Errorf("%s:%d: more than 79 columns: %s", f.Path, i+1, l)
			}
		}
	}
}

// TestLaneIsCurrent compares the committed modules with the table.
func TestLaneIsCurrent(t *testing.T) {
	files, err := tlaplus.Files(loadLane(t))
	require.NoError(t, err)
	narrow(t, files)
	stale, err := file.Check("../..", files)
	require.NoError(t, err)
	assert.Empty(t, stale)
}

func TestDeterministic(t *testing.T) {
	first, err := tlaplus.Files(loadLane(t))
	require.NoError(t, err)
	for range 100 {
		again, err := tlaplus.Files(loadLane(t))
		require.NoError(t, err)
		require.Equal(t, first, again)
	}
}

// TestFilesAreTheRuns has each run's cfg among the files, under its name.
func TestFilesAreTheRuns(t *testing.T) {
	table := loadLane(t)
	files, err := tlaplus.Files(table)
	require.NoError(t, err)
	byPath := map[string][]byte{}
	for _, f := range files {
		require.NotContains(t, byPath, f.Path)
		byPath[f.Path] = f.Data
	}
	runs, err := tlaplus.Runs(table)
	require.NoError(t, err)
	for _, r := range runs {
		assert.Equal(t, string(r.Cfg), string(byPath["tla/"+r.CfgName]), r.CfgName)
		for _, f := range r.Files {
			assert.Equal(t, string(f.Data), string(byPath["tla/"+f.Path]), f.Path)
		}
		if r.Expect.Kind != tlaplus.NoError {
			assert.Same(t, r.Property, tlaplus.PropertyOf(table, r.Expect.Name), r.CfgName)
		}
	}
	assert.Nil(t, tlaplus.PropertyOf(table, "TypeOK"))
}

func TestClashes(t *testing.T) {
	for _, tt := range []struct{ name, old, new, want string }{
		{"row and event", "done: {to: worn}", "accepted: {to: worn}", ""},
		{"event and its own operator", "implied(c Color):", "oneOfNo(c Color):", "the event oneOfNo and the row oneOf.no would both be OneOfNo in TLA+"},
		{"property and row", "SeenIsKept", "TakeDone", "the property TakeDone and the row take.done would both be TakeDone in TLA+"},
		{"property and operator", "SeenIsKept", "MCSeen", ""},
		{"standard module", "SeenIsKept", "Cardinality", "the property Cardinality would be Cardinality in TLA+, which is a word of TLA+"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, err := txtar.ParseFile("testdata/guards.txtar")
			require.NoError(t, err)
			src := strings.ReplaceAll(string(a.Files[0].Data), tt.old, tt.new)
			table, err := spec.Read("guards.yaml", []byte(src))
			require.NoError(t, err)
			_, err = tlaplus.Files(table)
			if tt.want == "" {
				assert.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, tt.want)
		})
	}
}
