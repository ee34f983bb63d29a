package cli_test

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
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
// edit FILE OLD NEW changes a text that stands once in a file.
func TestScripts(t *testing.T) {
	spec, err := filepath.Abs("../../spec")
	require.NoError(t, err)
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE").Output()
	require.NoError(t, err)
	var env map[string]string
	require.NoError(t, json.Unmarshal(out, &env))
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Cmds:          map[string]func(*testscript.TestScript, bool, []string){"edit": edit},
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

// oneMoreEvent is the last row of the session's last event, and another event
// after it: a script's line can't hold it.
const oneMoreEvent = `      forgotten: {to: unknown, set: {current: none(), holder: none(), sent: "false", sentAt: origin(), abortOut: none(), how: none()}}
  ping():
    doc: Somebody asks whether a run of ours is live.
    rows:
      idle: {from: [unknown, completed], ignore: NOT_OUR_RUN}
      live: {from: [starting, running, retrying], stay: ALREADY_SENT}
`
