package equal_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/equal"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/tla"
)

const fuzzedDoor = `machine: door
types: {Key: {is: serial, else: NO_KEY}}
states: {open: {initial: true}, locked: {}}
vars: {owner: optional(Key), used: set(Key)}
answers: {NO_KEY: No key., LOCKED: It is locked., NOT_YOURS: Another's.}
events:
  lock(key fresh Key):
    checks: [{id: again, from: locked, refuse: LOCKED}]
    rows: {done: {to: locked, set: {owner: some(key), used: used.with(key)}}}
  unlock(key Key):
    checks: [{id: stale, unless: owner.is(key) && key in used, refuse: NOT_YOURS}]
    rows: {done: {to: open, set: {owner: none()}}}
models: {small: {sizes: {Key: 2}}}
`

// counterexample reads states as TLC prints them: an action's line and the
// variables, with empty lines between states.
func counterexample(text string) (tla.Trace, error) {
	var t tla.Trace
	for i, block := range strings.Split(text, "\n\n") {
		action, body, _ := strings.Cut(block, "\n")
		vars, err := tla.ParseState(body)
		if err != nil {
			return t, err
		}
		t.States = append(t.States, tla.State{Number: i + 1, Action: action, Vars: vars})
	}
	return t, nil
}

// FuzzPath: a counterexample of TLC is a path of the table, each of whose steps
// leads where it says, or is refused.
func FuzzPath(f *testing.F) {
	first := "Init\n/\\ state = \"open\"\n/\\ owner = None\n/\\ used = {}\n/\\ issuedKey = 0"
	second := "LockDone\n/\\ state = \"locked\"\n/\\ owner = 1\n/\\ used = {1}\n/\\ issuedKey = 1"
	for _, text := range []string{
		first, first + "\n\n" + second, first + "\n\n" + strings.Replace(second, "owner = 1", "owner = 9", 1), strings.Replace(first, "{}", "{1, 2, 3}", 1),
		strings.Replace(first, "None", "-1", 1), strings.Replace(first, "\"open\"", "\"ajar\"", 1), strings.Replace(first, "{}", "<<>>", 1), second, "",
	} {
		f.Add(text)
	}
	table, err := spec.Read("door.yaml", []byte(fuzzedDoor))
	require.NoError(f, err)
	m, err := interp.New(table, table.Models[0])
	require.NoError(f, err)
	good, err := counterexample(first + "\n\n" + second)
	require.NoError(f, err)
	path, err := equal.Path(m, good)
	require.NoError(f, err)
	require.Len(f, path.Steps, 1)
	f.Fuzz(func(t *testing.T, text string) {
		trace, err := counterexample(text)
		if err != nil {
			return
		}
		path, err := equal.Path(m, trace)
		if err != nil {
			return
		}
		require.Len(t, path.Steps, max(0, len(trace.States)-1))
		_ = m.Trace(path) // can be told
	})
}
