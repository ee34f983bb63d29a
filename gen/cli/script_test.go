package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/interlock-go/interlock/gen/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"interlock": func() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs testdata/script: each is a session at the command line.
// $SPEC is the folder of the bundled tables.
func TestScripts(t *testing.T) {
	spec, err := filepath.Abs("../../spec")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("SPEC", spec)
			return nil
		},
	})
}
