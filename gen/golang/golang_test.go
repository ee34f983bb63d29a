package golang_test

import (
	"flag"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/golang"
	"github.com/interlock-go/interlock/spec"
)

var update = flag.Bool("update", false, "rewrite the expected outputs, and the machines in fsm")

const root = "../.."

// TestGolden holds what is printed of each table in testdata against what
// stands there. A case is a table, tests of what is printed, which
// TestGenerated runs, and the outputs or the complaint.
func TestGolden(t *testing.T) {
	for _, c := range cases(t) {
		t.Run(c.name, func(t *testing.T) {
			got := c.print(t)
			if *update {
				c.keep(t, got)
				return
			}
			want := map[string]string{}
			for _, f := range c.ar.Files[c.given:] {
				want[f.Name] = string(f.Data)
			}
			have := map[string]string{}
			for _, f := range got {
				have[f.Path] = string(f.Data)
			}
			if diff := cmp.Diff(want, have); diff != "" {
				t.Errorf("outputs (-want +got); read, then -update:\n%s", diff)
			}
		})
	}
}

// golden is a txtar case: its given files, then its outputs.
type golden struct {
	name, file string
	ar         *txtar.Archive
	given      int
}

func cases(t *testing.T) []golden {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	var out []golden
	for _, p := range paths {
		ar, err := txtar.ParseFile(p)
		require.NoError(t, err)
		given := 0
		for _, f := range ar.Files {
			if f.Name == "table.yaml" || strings.HasSuffix(f.Name, "_test.go") {
				given++
			}
		}
		out = append(out, golden{strings.TrimSuffix(filepath.Base(p), ".txtar"), p, ar, given})
	}
	return out
}

// print returns the outputs, or the complaint as a file named error.
func (c golden) print(t *testing.T) []file.File {
	t.Helper()
	table, err := spec.Read("table.yaml", c.ar.Files[0].Data)
	require.NoError(t, err)
	files, err := golang.Files(table)
	if err != nil {
		return []file.File{{Path: "error", Data: []byte(err.Error() + "\n")}}
	}
	return files
}

func (c golden) keep(t *testing.T, got []file.File) {
	t.Helper()
	c.ar.Files = c.ar.Files[:c.given]
	for _, f := range got {
		c.ar.Files = append(c.ar.Files, txtar.File{Name: f.Path, Data: f.Data})
	}
	require.NoError(t, os.WriteFile(c.file, txtar.Format(c.ar), 0o644))
}

// TestMachines holds the machines in fsm against their tables.
func TestMachines(t *testing.T) {
	for _, name := range []string{"lane"} {
		table, err := spec.Load(path.Join(root, "spec", name+".yaml"))
		require.NoError(t, err)
		files, err := golang.Files(table)
		require.NoError(t, err)
		if *update {
			_, err := file.Write(root, files)
			require.NoError(t, err)
			continue
		}
		stale, err := file.Check(root, files)
		require.NoError(t, err)
		require.Empty(t, stale, "read the change, then -update")
	}
}

func TestSameBytesEachTime(t *testing.T) {
	lane, err := spec.Load(path.Join(root, "spec", "lane.yaml"))
	require.NoError(t, err)
	want, err := golang.Files(lane)
	require.NoError(t, err)
	for range 100 {
		got, err := golang.Files(lane)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for _, c := range cases(t) {
		first := c.print(t)
		for range 5 { // to read the table takes most of the time
			require.Equal(t, first, c.print(t), c.name)
		}
	}
}

// TestGenerated vets what is printed of each case and runs the case's own
// tests on it, in a module of its own that has nothing but this one.
func TestGenerated(t *testing.T) {
	abs, err := filepath.Abs(root)
	require.NoError(t, err)
	sums, err := os.ReadFile(path.Join(root, "go.sum"))
	require.NoError(t, err)
	const module = "module generated\n\ngo 1.26\n\nrequire github.com/interlock-go/interlock v0.0.0\n\nreplace github.com/interlock-go/interlock => "
	files := []file.File{
		{Path: "go.mod", Data: []byte(module + strconv.Quote(filepath.ToSlash(abs)) + "\n")},
		{Path: "go.sum", Data: sums},
	}
	for _, c := range cases(t) {
		printed := c.print(t)
		if printed[0].Path == "error" {
			continue
		}
		files = append(files, printed...)
		for _, f := range c.ar.Files[1:c.given] {
			files = append(files, file.File{Path: path.Join(path.Dir(printed[0].Path), f.Name), Data: f.Data})
		}
	}
	dir := t.TempDir()
	_, err = file.Write(dir, files)
	require.NoError(t, err)
	for _, verb := range []string{"vet", "test"} {
		cmd := exec.Command("go", verb, "./...")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "go %s: %s", verb, out)
	}
}
