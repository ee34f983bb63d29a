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

// endless are tables of which a property fails by a behaviour without end: one
// that goes round, and one that stops. Then the second one mended.
const (
	swing = `machine: swing
per: Child
states: {left: {initial: true}, right: {}, down: {}}
events:
  push() by timer:
    rows: {over: {from: left, to: right}, back: {from: right, to: left}, lies: {from: down, to: down}}
  fall() by environment:
    rows: {falls: {from: right, to: down}, holds: {from: [left, down], to: down}}
eventually:
  Stops: {from: state == left, to: state == down, fair: [push]}
models: {two: {sizes: {Child: 2}}}
`
	lamp = `machine: lamp
states: {off: {initial: true}, lit: {}}
answers: {LIT: It is lit., OFF: It is off., WARM: It is warm.}
events:
  press(): {checks: [{id: again, from: lit, refuse: LIT}], rows: {done: {from: off, to: lit}}}
  burn() by timer: {checks: [{id: off, from: off, ignore: OFF}], rows: {out: {from: lit, stay: WARM}}}
eventually:
  Stops: {from: state == lit, to: state == off, fair: [{weak: burn, why: time passes}]}
models: {small: {}}
`
	mendedBurn = "out: {from: lit, to: off}"
)

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
	files = append(files, withoutEnd(t, module, reasons)...)
	dir := t.TempDir()
	_, err = file.Write(dir, files)
	require.NoError(t, err)
	for _, name := range append(designs, "swing", "lamp") {
		cmd := exec.Command("go", "test", "./"+name+"/...")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		require.Error(t, err, "%s: the test passes", name)
		require.Contains(t, string(out), reasons[name], name)
	}
	cmd := exec.Command("go", "test", "-v", "./mended/...")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "step 2 goes another way: burn.out [] {off}")
}

// withoutEnd prints the tables with the tests of their counterexamples, and the
// lamp's test beside the mended lamp.
func withoutEnd(t *testing.T, module string, reasons map[string]string) []file.File {
	t.Helper()
	reasons["swing"] = "Stops fails for p1: state == left is never followed by state == down"
	reasons["lamp"] = "Stops fails: state == lit is never followed by state == off"
	var files []file.File
	var test string
	for _, c := range []struct{ name, src string }{{"swing", swing}, {"lamp", lamp}, {"mended", strings.Replace(lamp, "out: {from: lit, stay: WARM}", mendedBurn, 1)}} {
		table, err := spec.Read(c.name+".yaml", []byte(c.src))
		require.NoError(t, err)
		printed, err := golang.Files(table)
		require.NoError(t, err)
		for _, f := range printed {
			files = append(files, file.File{Path: path.Join(c.name, f.Path), Data: f.Data})
		}
		if c.name == "mended" {
			test = strings.Replace(test, module+"/lamp/", module+"/mended/", 1)
		} else {
			table.Fails = "Stops"
			test, err = counterexample(t, table).Print(trace.Go, path.Join(module, c.name))
			require.NoError(t, err)
		}
		files = append(files, file.File{Path: path.Join(c.name, "fsm", table.Name, "found_test.go"), Data: []byte(test)})
	}
	return files
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
