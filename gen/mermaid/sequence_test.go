package mermaid_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/mermaid"
	"github.com/interlock-go/interlock/gen/trace"
	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
)

// TestMermaidReadsSequences draws the counterexamples of all rejected designs:
// Mermaid must take each, and see a message where there is one.
func TestMermaidReadsSequences(t *testing.T) {
	paths, err := filepath.Glob("../../spec/rejected/*.yaml")
	require.NoError(t, err)
	var diagrams []string
	for _, path := range paths {
		table, err := spec.Load(path)
		require.NoError(t, err)
		for _, m := range table.Models {
			s, err := verify.Explore(t.Context(), table, m, table.Properties)
			require.NoError(t, err)
			for _, c := range s.Counterexamples() {
				text, err := c.Print(trace.Mermaid, "")
				require.NoError(t, err)
				require.Equal(t, 2*len(c.Path.Steps), strings.Count(text, ">>")-strings.Count(text, "->>shell"), text)
				diagrams = append(diagrams, text)
			}
		}
	}
	require.NotEmpty(t, diagrams)
	for i, complaint := range mermaid.Errors(t, diagrams) {
		if complaint != "" {
			t.Errorf("%s\n%s", complaint, diagrams[i])
		}
	}
}
