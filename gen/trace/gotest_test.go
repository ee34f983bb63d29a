package trace_test

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/golang"
	"github.com/interlock-go/interlock/gen/trace"
	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
)

// designs are rejected ones with what a counterexample may have: several
// instances, a shared variable, effects, parts with lists, events of the world.
var designs = []string{
	"global_busy", "release_only_emits", "stop_frees", "same_label_same_lease",
	"session_upset_end", "queue_end_forgets_next", "queue_cap_counts_running",
}

// TestFailsOnTheGeneratedCode generates the Go of each design and the test that
// its counterexample is told as: each must fail, with the property's reason.
func TestFailsOnTheGeneratedCode(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	const module = "example.org/rejected"
	files := []file.File{
		{Path: "go.sum", Data: sums},
		{Path: "go.mod", Data: []byte("module " + module + "\n\ngo 1.26\n\nrequire github.com/interlock-go/interlock v0.0.0\n\n" +
			"replace github.com/interlock-go/interlock => " + strconv.Quote(filepath.ToSlash(root)) + "\n")},
	}
	reasons := map[string]string{}
	for _, name := range designs {
		table, err := spec.Load(filepath.Join(root, "spec", "rejected", name+".yaml"))
		require.NoError(t, err)
		c := counterexample(t, table)
		printed, err := golang.Files(table)
		require.NoError(t, err, name)
		for _, f := range printed {
			files = append(files, file.File{Path: path.Join(name, f.Path), Data: f.Data})
		}
		test, err := c.Print(trace.Go, path.Join(module, name))
		require.NoError(t, err, name)
		files = append(files, file.File{Path: path.Join(name, "fsm", table.Name, "found_test.go"), Data: []byte(test)})
		failing, err := c.Machine.Failing(c.Property, c.Path)
		require.NoError(t, err)
		reasons[name], _, _ = strings.Cut(failing.String(), "\n")
	}
	dir := t.TempDir()
	_, err = file.Write(dir, files)
	require.NoError(t, err)
	for _, name := range designs {
		cmd := exec.Command("go", "test", "./"+name+"/...")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		require.Error(t, err, "%s: the test passes", name)
		require.Contains(t, string(out), reasons[name], name)
	}
}

// counterexample returns that of the property that a design breaks.
func counterexample(t *testing.T, table *spec.Table) *trace.Counterexample {
	t.Helper()
	for _, m := range table.Models {
		s, err := verify.Explore(t.Context(), table, m, table.Properties)
		require.NoError(t, err)
		for _, c := range s.Counterexamples() {
			if c.Property == table.Fails {
				return c
			}
		}
	}
	t.Fatal(fmt.Sprintf("%s: %s doesn't fail for the explorer", table.Path, table.Fails))
	return nil
}
