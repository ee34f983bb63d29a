package mermaid

import "testing"

// Errors returns what Mermaid's own parser complains about in each diagram.
func Errors(t *testing.T, diagrams []string) []string {
	var out []string
	for _, p := range parse(t, diagrams) {
		out = append(out, p.Error)
	}
	return out
}
