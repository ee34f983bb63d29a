package cli_test

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/cli"
)

var update = flag.Bool("update", false, "rewrite what the scripts compare outputs with")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"interlock": func() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs testdata/script: each is a session at the command line.
// $SPEC is the folder of the bundled tables. The go command works offline.
// edit FILE OLD NEW changes a text that stands once in a file; repeat FILE N TEXT
// makes one of a text over and over; exits CODE COMMAND... is exec for a command
// that ends with just that code.
//
// A script that needs git is skipped without it; in CI all of them run.
func TestScripts(t *testing.T) {
	if os.Getenv("CI") == "true" {
		need(t, "git")
	}
	spec, err := filepath.Abs("../../spec")
	require.NoError(t, err)
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE").Output()
	require.NoError(t, err)
	var env map[string]string
	require.NoError(t, json.Unmarshal(out, &env))
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Cmds:          map[string]func(*testscript.TestScript, bool, []string){"edit": edit, "repeat": repeat, "exits": exits},
		Setup: func(e *testscript.Env) error {
			e.Setenv("SPEC", spec)
			e.Setenv("EVENT", oneMoreEvent)
			e.Setenv("GOPROXY", "off")
			for name, value := range env {
				e.Setenv(name, value)
			}
			return nil
		},
	})
}

// need skips a test for want of a tool; in CI it fails.
func need(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err == nil {
			continue
		}
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s isn't installed", tool)
		}
		t.Skipf("%s isn't installed", tool)
	}
}

func edit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: edit FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	if n := strings.Count(text, args[1]); n != 1 {
		ts.Fatalf("%q stands %d times in %s", args[1], n, args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o644))
}

func repeat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: repeat FILE N TEXT")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(args[2], n)), 0o644))
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARGUMENT...]")
	}
	code := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, not %s", code, args[0])
	}
}

// oneMoreEvent is the last row of the session's last event, and another event
// after it: a script's line can't hold it.
const oneMoreEvent = `      forgotten: {to: unknown, set: {current: none(), holder: none(), sent: "false", sentAt: origin(), abortOut: none(), how: none()}}
  ping():
    doc: Somebody asks whether a run of ours is live.
    rows:
      idle: {from: [unknown, completed], ignore: NOT_OUR_RUN}
      live: {from: [starting, running, retrying], stay: ALREADY_SENT}
`
