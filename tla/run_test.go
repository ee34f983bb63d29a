//go:build unix

package tla_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/tla"
)

// These tests run a shell script in place of java: they are about processes
// and folders, not about TLC.

// fakeJava makes script the java command, any file the jar, and returns the
// folder that runs make theirs in.
func fakeJava(t *testing.T, script string) (temp string) {
	t.Helper()
	home, temp := t.TempDir(), t.TempDir()
	writeScript(t, filepath.Join(home, "bin", "java"), script)
	jar := filepath.Join(home, "own.jar")
	require.NoError(t, os.WriteFile(jar, []byte("jar"), 0o644))
	t.Setenv("JAVA_HOME", home)
	t.Setenv(tla.EnvJar, jar)
	t.Setenv("TMPDIR", temp)
	return temp
}

func writeScript(t *testing.T, path, script string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755))
}

func assertEmptyDir(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, entries)
}

var tiny = tla.Config{Module: "M", Files: map[string][]byte{"M.tla": []byte("---- MODULE M ----\n====\n"), "M.cfg": nil}}

func TestRunReadsTheLog(t *testing.T) {
	log, err := filepath.Abs("testdata/cases/lasso_back/tlc.log")
	require.NoError(t, err)
	temp := fakeJava(t, "cat "+log+"; exit 13")
	c := tiny
	var copied strings.Builder
	c.Log = &copied

	c.Files = map[string][]byte{"M.tla": nil, "M.cfg": []byte("INVARIANT I\nPROPERTY \\* a comment\n Full (* (* x *) PROPERTY *)\nCHECK_DEADLOCK FALSE")}
	res, err := tla.Run(t.Context(), c)
	require.NoError(t, err)
	assert.Equal(t, tla.TemporalProperty, res.Verdict.Kind)
	assert.Equal(t, "Full", res.Verdict.Name, "the cfg's only property")
	assert.Equal(t, 13, res.ExitCode)
	assert.Positive(t, res.Elapsed)
	want, err := os.ReadFile(log)
	require.NoError(t, err)
	assert.Equal(t, string(want), copied.String())

	c.Files = map[string][]byte{"M.tla": nil, "M.cfg": []byte("PROPERTIES Steps Full")}
	res, err = tla.Run(t.Context(), c)
	require.NoError(t, err)
	assert.Empty(t, res.Verdict.Name, "it might be either")

	c.Temporal = []string{"Full"}
	res, err = tla.Run(t.Context(), c)
	require.NoError(t, err)
	assert.Equal(t, "Full", res.Verdict.Name, "the caller knows")
	assertEmptyDir(t, temp)
}

func TestRunSeesDirAndFiles(t *testing.T) {
	temp := fakeJava(t, "ls >&2; cat N.tla M.tla >&2; exit 3")
	dir := t.TempDir()
	for name, text := range map[string]string{"M.tla": "from dir", "N.tla": "N", "notes.txt": "no"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	res, err := tla.Run(t.Context(), tla.Config{Dir: dir, Module: "M", Files: map[string][]byte{"M.tla": []byte("from files")}})
	require.NoError(t, err)
	assert.Equal(t, tla.Crashed, res.Verdict.Kind)
	assert.Equal(t, "M.tla\nN.tla\nNfrom files", res.Verdict.Message)
	assert.Equal(t, 3, res.ExitCode)
	assertEmptyDir(t, temp)
}

func TestRunPassesOptions(t *testing.T) {
	fakeJava(t, `echo "$@" >&2; exit 1`)
	c := tiny
	c.Workers, c.HeapMB, c.Short, c.NoDeadlock, c.Coverage, c.Dump = 3, 99, true, true, true, true
	c.Cfg, c.JVMFlags = "other.cfg", []string{"-Dx=y"}
	res, err := tla.Run(t.Context(), c)
	require.NoError(t, err)
	for _, want := range []string{
		"-Xmx99m ", "-XX:+UseParallelGC ", "-XX:TieredStopAtLevel=1 ", "-Dx=y ", " -workers 3 ", " -config other.cfg ",
		" -deadlock ", " -coverage 1 ", " -dump dot,actionlabels ", " tlc2.TLC -tool ",
	} {
		assert.Contains(t, res.Verdict.Message, want)
	}
	assert.Nil(t, res.Graph)
}

// The script starts a child and says both their ids; both must be gone.
const sleepers = `sleep 60 & echo $$ $! > %s; wait`

func assertGone(t *testing.T, pids string) {
	t.Helper()
	text, err := os.ReadFile(pids)
	require.NoError(t, err)
	for _, word := range strings.Fields(string(text)) {
		pid, err := strconv.Atoi(word)
		require.NoError(t, err)
		assert.Eventually(t, func() bool {
			if syscall.Kill(pid, 0) != nil {
				return true
			}
			// Where nobody reaps orphans a zombie stays.
			stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
			return err == nil && strings.Contains(string(stat), ") Z ")
		}, 5*time.Second, 10*time.Millisecond, "process %d", pid)
	}
}

func TestRunTimeout(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	temp := fakeJava(t, fmt.Sprintf(sleepers, pids))
	c := tiny
	c.Timeout = 300 * time.Millisecond
	start := time.Now()
	res, err := tla.Run(t.Context(), c)
	require.NoError(t, err)
	assert.Less(t, time.Since(start), 5*time.Second)
	assert.Equal(t, "timed out: stopped after 300ms", res.Verdict.String())
	assert.Equal(t, -1, res.ExitCode)
	assertGone(t, pids)
	assertEmptyDir(t, temp)
}

func TestRunCancelled(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	temp := fakeJava(t, fmt.Sprintf(sleepers, pids))
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := tla.Run(ctx, tiny)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	assertGone(t, pids)
	assertEmptyDir(t, temp)
}

func TestRunBadConfig(t *testing.T) {
	fakeJava(t, "exit 9")
	for name, c := range map[string]tla.Config{
		"neither Dir nor Files":    {Module: "M"},
		`"" is no module's name`:   {Dir: "."},
		`"a/b" is no module's`:     {Dir: ".", Module: "a/b"},
		"there is no Nowhere.tla":  {Dir: ".", Module: "Nowhere"},
		`"../x" is no plain file`:  {Dir: ".", Module: "M", Files: map[string][]byte{"../x": nil}},
		`"a/M.cfg" is no plain`:    {Dir: ".", Module: "M", Cfg: "a/M.cfg"},
		`"-M.cfg" is no plain`:     {Dir: ".", Module: "M", Cfg: "-M.cfg"},
		"negative Workers, HeapMB": {Dir: ".", Module: "M", Workers: -1},
	} {
		_, err := tla.Run(t.Context(), c)
		require.ErrorIs(t, err, tla.ErrConfig)
		require.ErrorContains(t, err, name)
	}
}

// TestCase29OneWorkerForLiveness: several workers miss violations of liveness in
// some runs, which no test could rely on; so they are refused, wherever the cfg
// comes from, and one is what is asked for without a word.
func TestCase29OneWorkerForLiveness(t *testing.T) {
	fakeJava(t, `echo "$@" >&2; exit 1`)
	live := "SPECIFICATION Spec\nPROPERTY\n Live\n"
	for name, cfg := range map[string]string{
		"alone":    live,
		"plural":   "INVARIANTS TypeOK PROPERTIES Safe, Live CHECK_DEADLOCK FALSE",
		"comments": "(* PROPERTY none *) \\* INVARIANT I\nPROPERTY (* a\n *) Live",
	} {
		t.Run(name, func(t *testing.T) {
			c := tla.Config{Module: "M", Files: map[string][]byte{"M.tla": nil, "M.cfg": []byte(cfg)}, Workers: 2}
			_, err := tla.Run(t.Context(), c)
			require.ErrorIs(t, err, tla.ErrConfig)
			require.ErrorContains(t, err, "liveness takes one")
			for _, c.Workers = range []int{0, 1} {
				res, err := tla.Run(t.Context(), c)
				require.NoError(t, err)
				assert.Contains(t, res.Verdict.Message, " -workers 1 ")
			}
		})
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "M.tla"), nil, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "Live.cfg"), []byte(live), 0o644))
	_, err := tla.Run(t.Context(), tla.Config{Dir: dir, Module: "M", Cfg: "Live.cfg", Workers: 4})
	require.ErrorIs(t, err, tla.ErrConfig)

	// Invariants are safe with any number.
	safe := tla.Config{Module: "M", Files: map[string][]byte{"M.tla": nil, "M.cfg": []byte("INVARIANT I \\* PROPERTY Live")}, Workers: 2}
	res, err := tla.Run(t.Context(), safe)
	require.NoError(t, err)
	assert.Contains(t, res.Verdict.Message, " -workers 2 ")
}

func TestRunAll(t *testing.T) {
	fakeJava(t, `cat M.tla >&2; exit 1`)
	configs := make([]tla.Config, 8)
	for i := range configs {
		configs[i] = tiny
		configs[i].Files = map[string][]byte{"M.tla": []byte(strconv.Itoa(i))}
	}
	configs[5].Module = ""
	for i, o := range tla.RunAll(t.Context(), 3, configs) {
		if i == 5 {
			require.ErrorIs(t, o.Err, tla.ErrConfig)
			continue
		}
		require.NoError(t, o.Err)
		assert.Equal(t, strconv.Itoa(i), o.Result.Verdict.Message, "outcomes are in the configs' order")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, o := range tla.RunAll(ctx, 0, configs) {
		require.ErrorIs(t, o.Err, context.Canceled)
	}
}
