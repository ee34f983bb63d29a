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

// endless are tables whose property fails by a behaviour that goes round, behind
// a way that leads there, and by one that stops.
var endless = []string{`machine: swing
per: Child
states: {still: {initial: true}, left: {}, right: {}, down: {}}
events:
  push() by timer:
    rows: {on: {from: still, to: left}, over: {from: left, to: right}, back: {from: right, to: left}, lies: {from: down, to: down}}
  fall() by environment:
    rows: {falls: {from: right, to: down}, holds: {from: [still, left, down], to: down}}
eventually:
  Stops: {from: state == left, to: state == down, fair: [push]}
models: {two: {sizes: {Child: 2}}}
`, `machine: lamp
states: {off: {initial: true}, lit: {}}
answers: {LIT: It is lit.}
events:
  press(): {checks: [{id: again, from: lit, refuse: LIT}], rows: {done: {from: off, to: lit}}}
eventually:
  Stops: {from: state == lit, to: state == off}
models: {small: {}}
`}

// TestMermaidReadsSequences draws the counterexamples of all rejected designs,
// and of behaviours without end: Mermaid must take each, and see a message
// where there is one.
func TestMermaidReadsSequences(t *testing.T) {
	paths, err := filepath.Glob("../../spec/rejected/*.yaml")
	require.NoError(t, err)
	var diagrams []string
	var tables []*spec.Table
	for _, path := range paths {
		table, err := spec.Load(path)
		require.NoError(t, err)
		tables = append(tables, table)
	}
	for _, src := range endless {
		table, err := spec.Read("endless.yaml", []byte(src))
		require.NoError(t, err)
		tables = append(tables, table)
	}
	loops, stops := 0, 0
	for _, table := range tables {
		for _, m := range table.Models {
			s, err := verify.Explore(t.Context(), table, m, table.Properties)
			require.NoError(t, err)
			for _, c := range s.Counterexamples() {
				text, err := c.Print(trace.Mermaid, "")
				require.NoError(t, err)
				steps := len(c.Path.Steps)
				if c.Endless != nil {
					steps += len(c.Endless.Loop)
					loops += min(1, len(c.Endless.Loop))
					stops += 1 - min(1, len(c.Endless.Loop))
				}
				require.Equal(t, 2*steps, strings.Count(text, ">>")-strings.Count(text, "->>shell"), text)
				diagrams = append(diagrams, text)
			}
		}
	}
	require.NotEmpty(t, diagrams)
	require.NotZero(t, loops)
	require.NotZero(t, stops)
	for i, complaint := range mermaid.Errors(t, diagrams) {
		if complaint != "" {
			t.Errorf("%s\n%s", complaint, diagrams[i])
		}
	}
}
