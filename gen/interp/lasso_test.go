package interp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
)

// TestBreaks asks of behaviours without end whose claim they break: the
// explorer, which looks at one claim after the other, knows it.
func TestBreaks(t *testing.T) {
	table, err := spec.Read("swing.yaml", []byte(`machine: swing
per: Child
types: {Colour: [red, green]}
states: {left: {initial: true}, right: {}, down: {}}
vars: {colour: {type: Colour, initial: green, doc: What it wears.}}
events:
  push() by timer:
    rows: {over: {from: left, to: right}, back: {from: right, to: left}, lies: {from: down, to: down}}
  fall() by environment:
    rows: {falls: {to: down}}
eventually:
  Turns: {from: state == right, to: state == left}
  Stops: {each: c Colour, from: state == right && colour == c, to: state == down, fair: [push]}
models: {two: {sizes: {Child: 2}}}
`))
	require.NoError(t, err)
	m, err := interp.New(table, table.Models[0])
	require.NoError(t, err)
	turns, p := table.Properties[0], table.Properties[1]
	results, err := interp.Endings(t.Context(), m, true, p)
	require.NoError(t, err)
	lasso := results[0].Endless
	require.NotNil(t, lasso)
	require.NotEmpty(t, lasso.Loop)
	name, err := m.Breaks(p, lasso)
	require.NoError(t, err)
	require.Equal(t, "p1, c = green", name)
	require.Equal(t, lasso.Name, name)

	// Once it is down, nothing waits: not where it stops, nor if it falls in the loop.
	var down interp.Step
	require.NoError(t, m.Steps(m.Init()[0], func(st interp.Step) bool {
		down = st
		return st.Label.Event.Event.Name != "fall"
	}))
	stops := &interp.Lasso{Path: &interp.Path{Init: m.Init()[0], Steps: []interp.Step{down}}}
	name, err = m.Breaks(p, stops)
	require.NoError(t, err)
	require.Empty(t, name)
	falls := &interp.Lasso{Path: lasso.Path, Loop: append(lasso.Loop[:1:1], down)}
	name, err = m.Breaks(p, falls)
	require.NoError(t, err)
	require.NotEqual(t, lasso.Name, name)

	// What waits at the end of a loop that brings it about is no breach: it goes on.
	var over, back interp.Step
	require.NoError(t, m.Steps(m.Init()[0], func(st interp.Step) bool {
		over = st
		return st.Label.Row.ID != "over"
	}))
	require.NoError(t, m.Steps(over.To, func(st interp.Step) bool {
		back = st
		return st.Label.Row.ID != "back"
	}))
	again := &interp.Lasso{Path: &interp.Path{Init: m.Init()[0], Steps: []interp.Step{over}}, Loop: []interp.Step{back, over}}
	name, err = m.Breaks(turns, again)
	require.NoError(t, err)
	require.Empty(t, name)
}
