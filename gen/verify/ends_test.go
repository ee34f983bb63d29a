package verify_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/tla"
)

// stuckJob comes to rest jammed, so it isn't printed in the end, either. In each
// of its states something is refused, and done goes to done.
const stuckJob = `machine: job
states: {queued: {initial: true}, printing: {}, jammed: {}, done: {}}
answers: {NOT_NOW: Not in this state.}
events:
  take():
    rows: {takes: {from: queued, to: printing}, late: {from: [printing, jammed, done], refuse: NOT_NOW}}
  finish():
    rows: {ends: {from: printing, to: done}, again: {from: done, to: done}, early: {from: [queued, jammed], refuse: NOT_NOW}}
  jam() by environment:
    rows: {jams: {from: printing, to: jammed}, none: {from: [queued, jammed, done], ignore: NOT_NOW}}
ends: {Rest: state == done}
eventually: {Comes: {from: state == queued, to: state == done, fair: [take, finish]}}
models: {only: {}}
`

// TestCase28BothAreTold: a deadlock and what never comes because of it are told
// by TLC each under its name, and so by the explorer.
func TestCase28BothAreTold(t *testing.T) {
	table, err := spec.Read("job.yaml", []byte(stuckJob))
	require.NoError(t, err)
	m, err := interp.New(table, table.Models[0])
	require.NoError(t, err)
	assert.Equal(t, explore.Violated, rests(t, m))
	endings, err := interp.Endings(t.Context(), m, true, table.Properties...)
	require.NoError(t, err)
	assert.Equal(t, explore.Violated, endings[0].Verdict)
	if !haveTLC(t) {
		t.Skip("TLC can't run")
	}
	runs, err := tlaplus.Runs(table)
	require.NoError(t, err)
	told := map[string]tla.Kind{}
	for _, p := range verify.Prove(t.Context(), runs, nil) {
		require.NoError(t, p.Err, p.Name)
		told[p.Result.Verdict.Name] = p.Result.Verdict.Kind
	}
	assert.Equal(t, map[string]tla.Kind{"Rest": tla.Invariant, "Comes": tla.TemporalProperty}, told)
}

// rests is the explorer's verdict on the property Rest.
func rests(t *testing.T, m *interp.Machine) explore.Verdict {
	t.Helper()
	for _, p := range m.Table().Properties {
		if p.Name != "Rest" {
			continue
		}
		claims, err := interp.Properties(m, p)
		require.NoError(t, err)
		report, err := explore.Run(t.Context(), m, explore.Options[interp.State, interp.Label]{Properties: claims})
		require.NoError(t, err)
		return report.Properties[0].Verdict
	}
	t.Fatal("there is no Rest")
	return 0
}

// endTables are graphs of which some come to rest where they may, some
// elsewhere, and one of several machines with few fresh values.
func endTables() map[string]string {
	out := map[string]string{
		"fresh values": `machine: job
per: Printer
shared: {types: [Key]}
types: {Key: {is: serial, else: NO_KEY}}
states: {queued: {initial: true}, printing: {}, done: {}}
answers: {NOT_NOW: Not in this state., NO_KEY: There is no key.}
events:
  take(key fresh Key):
    rows: {takes: {from: queued, to: printing}, late: {from: [printing, done], refuse: NOT_NOW}}
  finish():
    rows: {ends: {from: printing, to: done}, again: {from: done, to: done}, early: {from: queued, refuse: NOT_NOW}}
ends: {Rest: state == done}
models: {only: {sizes: {Printer: 2, Key: 1}}}
`,
	}
	r := rand.New(rand.NewPCG(28, 11))
	for i := range 5 {
		m := moves{}
		for range 3 + i {
			m[[3]int{r.IntN(3), r.IntN(3), r.IntN(2)}] = r.IntN(3)
		}
		text, _, _ := strings.Cut(liveTable(3, m, "", "", ""), "eventually:")
		out[fmt.Sprint("random ", i)] = text + fmt.Sprintf("ends: {Rest: state == s%d}\nmodels: {only: {}}\n", r.IntN(3))
	}
	return out
}

// TestEndsAgreesWithTLC has both judge where graphs come to rest.
func TestEndsAgreesWithTLC(t *testing.T) {
	if !haveTLC(t) {
		t.Skip("TLC can't run")
	}
	var runs []tlaplus.Run
	want, count := map[string]explore.Verdict{}, map[explore.Verdict]int{}
	tables := endTables()
	for name, text := range tables {
		table, err := spec.Read("net.yaml", []byte(text))
		require.NoError(t, err, text)
		m, err := interp.New(table, table.Models[0])
		require.NoError(t, err)
		want[name] = rests(t, m)
		count[want[name]]++
		rs, err := tlaplus.Alone(table, table.Models[0], table.Properties[0])
		require.NoError(t, err)
		rs[0].Name = name
		runs = append(runs, rs[0])
	}
	require.GreaterOrEqual(t, count[explore.Holds], 2)
	require.GreaterOrEqual(t, count[explore.Violated], 2)
	for _, p := range verify.Prove(t.Context(), runs, nil) {
		require.NoError(t, p.Err, p.Name)
		if (p.Result.Verdict.Kind == tla.OK) != (want[p.Name] == explore.Holds) {
			t.Errorf("%s: TLC: %s; the explorer: %s\n%s", p.Name, p.Result.Verdict, want[p.Name], tables[p.Name])
		}
	}
}
