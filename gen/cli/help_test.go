package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHelp demands of every command what a newcomer looks for: a sentence, an
// explanation, and an example that is a call of it.
func TestHelp(t *testing.T) {
	t.Chdir(t.TempDir()) // outside of any module, the program goes by its name
	commands := newRoot().Commands()
	require.NotEmpty(t, commands)
	for _, c := range commands {
		t.Run(c.Name(), func(t *testing.T) {
			require.NotEmpty(t, c.Short)
			require.NotEmpty(t, c.Long)
			require.Contains(t, c.Example, "interlock "+c.Name())
			for line := range strings.Lines(c.Example) {
				require.True(t, strings.HasPrefix(line, "  interlock "), "%q", line)
				for call := range strings.SplitSeq(line, "|") {
					runnable(t, strings.TrimSpace(call))
				}
			}
			for line := range strings.Lines(c.Long) {
				require.LessOrEqual(t, len(strings.TrimSuffix(line, "\n")), 84, line)
			}
		})
	}
}

// runnable demands of a call of interlock that its command and flags are there.
func runnable(t *testing.T, call string) {
	t.Helper()
	call, _, _ = strings.Cut(call, ">")
	words := strings.Fields(call)
	if words[0] != "interlock" {
		return
	}
	root := newRoot()
	c, rest, err := root.Find(words[1:])
	require.NoError(t, err, call)
	require.NotEqual(t, root, c, call)
	require.NoError(t, c.ParseFlags(rest), call)
	require.NoError(t, c.ValidateArgs(c.Flags().Args()), call)
}
