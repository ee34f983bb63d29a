package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/fsm/explore"
)

// TestProgress lets work last four seconds: the line is written anew each
// second, and is gone at the end.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := &progress{out: &out, what: "memory"}
		p.run(time.NewTicker(patience))
		time.Sleep(1500 * time.Millisecond)
		p.explored(explore.Progress{States: 131072, Expanded: 65536, Edges: 1000000})
		time.Sleep(2 * time.Second)
		p.finish()
		lines := strings.Split(out.String(), "\r")
		require.Equal(t, []string{
			"", "memory: 1 s\x1b[K", "memory: 2 s, 131,072 states, 65,536 of them to go, 1,000,000 edges\x1b[K",
			"memory: 3 s, 131,072 states, 65,536 of them to go, 1,000,000 edges\x1b[K", "\x1b[K",
		}, lines)
	})
}

// TestShortWorkSaysNothing is done before anybody gets impatient.
func TestShortWorkSaysNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := &progress{out: &out, what: "memory"}
		p.run(time.NewTicker(patience))
		time.Sleep(patience / 2)
		p.finish()
		require.Empty(t, out.String())
	})
}

// TestNoTerminal has progress told to a file and a buffer, which aren't
// terminals.
func TestNoTerminal(t *testing.T) {
	require.False(t, terminal(&bytes.Buffer{}))
	f, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	defer f.Close()
	require.False(t, terminal(f))
}
