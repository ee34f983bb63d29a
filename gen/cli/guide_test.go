package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/cli"
)

// TestFirstMachine does what docs/first-machine.md says, block by block: files
// are written, diffs applied, commands run and what they print compared.
func TestFirstMachine(t *testing.T) {
	data, err := os.ReadFile("../../docs/first-machine.md")
	require.NoError(t, err)
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	outside(t, root)
	mod, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	guided := strings.Replace(string(mod), "example.org/door", "example.org/locker", 1) + "\ntool github.com/interlock-go/interlock/gen/interlock\n"
	require.NoError(t, os.WriteFile("go.mod", []byte(guided), 0o644))
	for name, value := range map[string]string{"GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOWORK": "off"} {
		t.Setenv(name, value)
	}
	commands := 0
	for _, m := range regexp.MustCompile("(?ms)^```(\\S+)(?: (\\S+))?\n(.*?)^```$").FindAllStringSubmatch(string(data), -1) {
		lang, file, body := m[1], m[2], m[3]
		switch {
		case lang == "console":
			commands += session(t, body)
		case lang == "diff":
			patch(t, file, body)
		case file != "":
			require.NoError(t, os.WriteFile(filepath.FromSlash(file), []byte(body), 0o644))
		}
	}
	require.Greater(t, commands, 10)
}

// session runs the lines that begin with $ and compares what follows each.
func session(t *testing.T, body string) (commands int) {
	t.Helper()
	for _, block := range strings.Split(body, "$ ")[1:] {
		line, want, _ := strings.Cut(block, "\n")
		words := strings.Fields(line)
		var got string
		if strings.HasPrefix(line, "go tool interlock ") {
			var both strings.Builder
			code := cli.Main(words[3:], strings.NewReader(""), &both, &both)
			if got = both.String(); code != 0 {
				got += "exit status " + string(rune('0'+code)) + "\n"
			}
		} else {
			out, err := exec.Command(words[0], words[1:]...).CombinedOutput()
			require.NoError(t, err, "%s\n%s", line, out)
			got = string(out)
		}
		pattern := regexp.QuoteMeta(want)
		pattern = regexp.MustCompile(`(?m)^\\\.\\\.\\\.\n`).ReplaceAllString(pattern, "(?:.*\n)*?")
		pattern = strings.ReplaceAll(pattern, `\.\.\.`, ".*")
		require.Regexp(t, "^"+pattern+"$", got, line)
		commands++
	}
	return commands
}

// patch applies a diff without line numbers: what it takes away or keeps must
// stand in the file once.
func patch(t *testing.T, file, diff string) {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(file))
	require.NoError(t, err)
	var old, new strings.Builder
	for line := range strings.Lines(diff) {
		if line[0] != '+' {
			old.WriteString(line[1:])
		}
		if line[0] != '-' {
			new.WriteString(line[1:])
		}
	}
	require.Equal(t, 1, strings.Count(string(data), old.String()), "%s: %s", file, old.String())
	data = []byte(strings.Replace(string(data), old.String(), new.String(), 1))
	require.NoError(t, os.WriteFile(filepath.FromSlash(file), data, 0o644))
}
