package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/cli"
)

// TestReadme does what the README shows, and holds what it prints against what
// really comes.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	block := func(lang string) string {
		m := regexp.MustCompile("(?s)```" + lang + "\n(.*?)```").FindSubmatch(data)
		require.NotNil(t, m, lang)
		return string(m[1])
	}
	dir := t.TempDir()
	t.Chdir(dir)
	require.NoError(t, os.WriteFile("go.mod", []byte("module example.org/door\n\ngo 1.26\n"), 0o644))
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

func run(t *testing.T, code int, args ...string) (out, errOut string) {
	t.Helper()
	var o, e bytes.Buffer
	require.Equal(t, code, cli.Main(args, strings.NewReader(""), &o, &e), "%s%s", &o, &e)
	return o.String(), e.String()
}
