package verify_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
)

// TestRowsNamedNobody judges and counts rows of that name like others: it is that of
// the row that a machine without one decides by.
func TestRowsNamedNobody(t *testing.T) {
	table, err := spec.Read("bell.yaml", []byte(`machine: bell
states: {still: {initial: true}, loud: {}}
effects: {rang(): It rang.}
tables:
  after:
    rows: {nobody: {emit: rang()}}
events:
  ring():
    rows: {nobody: {from: still, to: loud, emit: rang()}, back: {from: loud, to: still, then: after}}
answered:
  ring: {Rings: told.rang == 1}
models: {small: {}}
`))
	require.NoError(t, err)
	s, err := verify.Explore(t.Context(), table, table.Models[0], table.Properties)
	require.NoError(t, err)
	require.Empty(t, s.Failing())
	require.Empty(t, verify.Unfired(table, []*verify.Search{s}))
}
