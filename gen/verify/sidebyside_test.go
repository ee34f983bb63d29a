package verify_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
)

// TestSideBySide has a column a table, and a line a table where there are many.
func TestSideBySide(t *testing.T) {
	table, err := spec.Load(lanePath)
	require.NoError(t, err)
	lines := func(n int) []string {
		var all []*verify.Result
		for range n {
			all = append(all, &verify.Result{Table: table})
		}
		var b strings.Builder
		require.NoError(t, verify.SideBySide(&b, all))
		return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	}
	few := lines(2)
	require.Equal(t, []string{"lane", "lane"}, strings.Fields(few[0]))
	require.Equal(t, []string{"events", "5", "5"}, strings.Fields(few[2]))
	many := lines(6)
	require.Len(t, many, 7)
	require.True(t, strings.HasPrefix(strings.TrimSpace(many[0]), "control states  events"), many[0])
	for _, line := range many[1:] {
		require.Equal(t, []string{"lane", "4", "5"}, strings.Fields(line)[:3])
	}
}
