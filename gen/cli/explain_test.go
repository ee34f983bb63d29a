package cli_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/spec/diag"
)

// TestExplainEveryCode: each code has a page with all its parts.
func TestExplainEveryCode(t *testing.T) {
	for _, c := range diag.Codes {
		out, errOut := run(t, 0, "explain", string(c.Code))
		require.Contains(t, out, string(c.Code)+" ("+c.Severity.String()+"): "+c.Means)
		require.Contains(t, out, "interlock check says:\n\n    table.yaml:")
		require.Contains(t, out, "mended:\n\n    @@ ")
		require.Empty(t, errOut)
	}
}
