package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"

	"github.com/interlock-go/interlock/gen/cli"
)

// TestReadme does what the README shows, and holds what it prints against what
// really comes.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	here, err := filepath.Abs("../..")
	require.NoError(t, err)
	block := func(lang string) string {
		m := regexp.MustCompile("(?s)```" + lang + "\n(.*?)```").FindSubmatch(data)
		require.NotNil(t, m, lang)
		return string(m[1])
	}
	t.Chdir(t.TempDir())
	outside(t, here)
	table := block("yaml")
	require.NoError(t, os.WriteFile("door.yaml", []byte(table), 0o644))

	out, errOut := run(t, 0, "check", "door.yaml")
	require.Contains(t, out, "1 of 1 properties and goals hold")
	require.Empty(t, errOut)
	run(t, 0, "gen", "door.yaml")
	for lang, path := range map[string]string{"go": "fsm/door/door_gen.go", "tla": "tla/Door.tla"} {
		generated, err := os.ReadFile(filepath.FromSlash(path))
		require.NoError(t, err)
		require.Contains(t, string(generated), strings.TrimRight(block(lang), "\n"), path)
	}

	// What was generated builds and passes in a module of one's own.
	test := exec.Command("go", "test", "-mod=mod", "./fsm/door", "./fsm/door/looplab")
	test.Env = append(os.Environ(), "GOFLAGS=", "GOPROXY=off")
	told, err := test.CombinedOutput()
	require.NoError(t, err, "%s", told)

	without := regexp.MustCompile(`(?m)^ *unowned:.*\n`).ReplaceAllString(table, "")
	require.NotEqual(t, table, without)
	require.NoError(t, os.WriteFile("door.yaml", []byte(without), 0o644))
	_, errOut = run(t, 2, "check", "door.yaml")
	shown := ""
	for line := range strings.Lines(errOut) {
		shown += "    " + strings.TrimRight(line, "\n") + "\n"
	}
	require.Contains(t, string(data), shown)
}

// outside makes the working directory a module that uses the one at root, with
// the same versions of everything, so that nothing has to be fetched.
func outside(t *testing.T, root string) {
	t.Helper()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	f, err := modfile.Parse("go.mod", mod, nil)
	require.NoError(t, err)
	ours := f.Module.Mod.Path
	require.NoError(t, f.AddModuleStmt("example.org/door"))
	require.NoError(t, f.AddRequire(ours, "v0.0.0"))
	require.NoError(t, f.AddReplace(ours, "", root, ""))
	out, err := f.Format()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile("go.mod", out, 0o644))
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile("go.sum", sum, 0o644))
}

func run(t *testing.T, code int, args ...string) (out, errOut string) {
	t.Helper()
	var o, e bytes.Buffer
	require.Equal(t, code, cli.Main(args, strings.NewReader(""), &o, &e), "%s%s", &o, &e)
	return o.String(), e.String()
}
