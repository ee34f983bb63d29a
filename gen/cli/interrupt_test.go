//go:build unix

package cli_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/tla"
)

// endless is a table whose search takes hours.
func endless() []byte {
	var vars, rows strings.Builder
	for i := range 10 {
		fmt.Fprintf(&vars, "  v%d: 0..9\n", i)
		fmt.Fprintf(&rows, "  set%d(to 0..9):\n    rows: {done: {unless: v%d == to, set: {v%d: to}}, same: {when: v%d == to, stay: SAME}}\n", i, i, i, i)
	}
	return []byte("machine: endless\nstates: {only: {initial: true}}\nvars:\n" + vars.String() + "answers: {SAME: It is so.}\nevents:\n" + rows.String() + "models: {all: {}}\n")
}

// start starts a command in a folder of its own, which its TMPDIR is in.
func start(t *testing.T, bin string, args ...string) (cmd *exec.Cmd, dir string, errOut *bytes.Buffer) {
	t.Helper()
	dir = t.TempDir()
	table := filepath.Join(dir, "endless.yaml")
	require.NoError(t, os.WriteFile(table, endless(), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.org/endless\n\ngo 1.26\n"), 0o644))
	tmp := filepath.Join(dir, "tmp")
	require.NoError(t, os.Mkdir(tmp, 0o755))
	cmd, errOut = exec.Command(bin, append(args, table)...), &bytes.Buffer{}
	cmd.Env, cmd.Stderr = append(os.Environ(), "TMPDIR="+tmp), errOut
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, dir, errOut
}

// interrupt sends Ctrl-C and demands that the command ends soon and says so.
func interrupt(t *testing.T, cmd *exec.Cmd, dir string, errOut *bytes.Buffer) {
	t.Helper()
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("it doesn't end")
	}
	require.Equal(t, 130, cmd.ProcessState.ExitCode(), "%s", errOut)
	require.Equal(t, "interlock: interrupted\n", errOut.String())
	left, err := os.ReadDir(filepath.Join(dir, "tmp"))
	require.NoError(t, err)
	require.Empty(t, left, "temporary files are left")
}

// TestInterrupt ends a built command in the middle of a search, and of a run of
// TLC, whose JVM goes with it.
func TestInterrupt(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "interlock")
	out, err := exec.Command("go", "build", "-o", bin, "../interlock").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, args := range [][]string{{"check"}, {"explore"}, {"explore", "--format", "json", "--max-states", "0"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			cmd, dir, errOut := start(t, bin, args...)
			busy(t, cmd.Process.Pid)
			interrupt(t, cmd, dir, errOut)
		})
	}
	t.Run("gen, killed", func(t *testing.T) { killed(t, bin) })
	t.Run("tlc", func(t *testing.T) {
		if _, err := tla.Available(t.Context()); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Skipf("TLC is left out: %v", err)
		}
		if _, err := os.Stat("/proc/self/cmdline"); err != nil {
			t.Skip("there is no /proc to look for the JVM in")
		}
		cmd, dir, errOut := start(t, bin, "tlc")
		require.Eventually(t, func() bool { return len(jvms(t, dir)) > 0 }, 30*time.Second, 100*time.Millisecond, "%s", errOut)
		time.Sleep(time.Second) // in the middle of the search
		interrupt(t, cmd, dir, errOut)
		require.Eventually(t, func() bool { return len(jvms(t, dir)) == 0 }, 5*time.Second, 50*time.Millisecond)
	})
}

// killed has the command write one of two tables' outputs, in turn, and kills it
// at some moment, where it can do nothing about it: each file is one of the two
// whole, or isn't there yet.
func killed(t *testing.T, bin string) {
	var whole [2]map[string]string
	dir := t.TempDir()
	module := filepath.Join(dir, "go.mod")
	require.NoError(t, os.WriteFile(module, []byte("module example.org/door\n\ngo 1.26\n"), 0o644))
	table := filepath.Join(dir, "door.yaml")
	tables := [2]string{looseDoor, strings.Replace(looseDoor, "Key: 3", "Key: 2", 1)}
	tables[1] = strings.Replace(tables[1], "It is open.", "It stands open.", 1)
	outputs := func() map[string]string {
		out := map[string]string{}
		for _, sub := range []string{"fsm", "tla", "docs"} {
			_ = filepath.WalkDir(filepath.Join(dir, sub), func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
					return nil
				}
				data, err := os.ReadFile(path)
				out[path] = string(data)
				return err
			})
		}
		return out
	}
	gen := func() *exec.Cmd {
		cmd := exec.Command(bin, "gen", "door.yaml")
		cmd.Dir = dir
		return cmd
	}
	took := time.Second
	for i := range whole {
		require.NoError(t, os.WriteFile(table, []byte(tables[i]), 0o644))
		began := time.Now()
		said, err := gen().CombinedOutput()
		require.NoError(t, err, "%s", said)
		took = min(took, time.Since(began))
		whole[i] = outputs()
	}
	require.Greater(t, len(whole[0]), 8)
	const kills = 40
	mixed := 0
	for i := range kills {
		require.NoError(t, os.WriteFile(table, []byte(tables[i%2]), 0o644))
		cmd := gen()
		require.NoError(t, cmd.Start())
		time.Sleep(took * time.Duration(i) / kills)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		for path, text := range outputs() {
			require.Contains(t, []string{whole[0][path], whole[1][path]}, text, "%s is neither", path)
			if text != whole[i%2][path] {
				mixed++
			}
		}
	}
	require.NotZero(t, mixed, "no kill came before the end")
}

// busy waits until a process has computed for a while, and so is in the middle
// of its work, however slow the machine is.
func busy(t *testing.T, pid int) {
	t.Helper()
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		time.Sleep(3 * time.Second)
		return
	}
	require.Eventually(t, func() bool {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return false
		}
		words := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
		ticks, err := strconv.Atoi(words[11]) // utime, in hundredths of a second
		return err == nil && ticks >= 30
	}, time.Minute, 50*time.Millisecond)
}

// jvms lists the Java processes that name dir in their arguments.
func jvms(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	var out []string
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err == nil && bytes.Contains(data, []byte("java")) && bytes.Contains(data, []byte(dir)) {
			out = append(out, f)
		}
	}
	return out
}
