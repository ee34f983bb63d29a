package cli_test

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
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
		Setup: func(e *testscript.Env) error {
			e.Setenv("SPEC", spec)
			e.Setenv("GOPROXY", "off")
			for name, value := range env {
				e.Setenv(name, value)
			}
			return nil
		},
	})
}
