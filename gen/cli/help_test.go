package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHelp demands of every command what a newcomer looks for: a sentence, an
// explanation, and an example that is a call of it.
func TestHelp(t *testing.T) {
	commands := newRoot().Commands()
	require.NotEmpty(t, commands)
	for _, c := range commands {
		t.Run(c.Name(), func(t *testing.T) {
			require.NotEmpty(t, c.Short)
			require.NotEmpty(t, c.Long)
			require.Contains(t, c.Example, "interlock "+c.Name())
			for line := range strings.Lines(c.Example) {
				require.True(t, strings.HasPrefix(line, "  interlock "), "%q", line)
			}
			for line := range strings.Lines(c.Long) {
				require.LessOrEqual(t, len(strings.TrimSuffix(line, "\n")), 84, line)
			}
		})
	}
}
