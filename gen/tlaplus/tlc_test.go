package tlaplus_test

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/tla"
)

// needTLC skips a test where TLC can't be run. Under CI=true it fails: there,
// a skipped test would go unnoticed.
func needTLC(t *testing.T) {
	t.Helper()
	_, err := tla.Available(t.Context())
	if err == nil {
		return
	}
	missing := errors.Is(err, tla.ErrNoJava) || errors.Is(err, tla.ErrNoMaven) || errors.Is(err, tla.ErrFetch)
	if missing && os.Getenv("CI") != "true" {
		t.Skipf("needs TLC: %v", err)
	}
	t.Fatal(err)
}

func check(t *testing.T, r tlaplus.Run, print func([]byte)) *tla.Result {
	t.Helper()
	files := map[string][]byte{r.CfgName: r.Cfg}
	for _, f := range r.Files {
		files[f.Path] = f.Data
	}
	res, err := tla.Run(t.Context(), tla.Config{Files: files, Module: r.Module, Cfg: r.CfgName, Workers: 1, Short: true, Print: print})
	require.NoError(t, err)
	return res
}

var kinds = map[tlaplus.Kind]tla.Kind{
	tlaplus.NoError: tla.OK, tlaplus.Invariant: tla.Invariant,
	tlaplus.ActionProperty: tla.ActionProperty, tlaplus.Liveness: tla.TemporalProperty,
}

func wants(t *testing.T, r tlaplus.Run, res *tla.Result) {
	t.Helper()
	assert.Equal(t, kinds[r.Expect.Kind], res.Verdict.Kind, "%s: %s\n%s", r.Name, res.Verdict, res.Trace)
	assert.Equal(t, r.Expect.Name, res.Verdict.Name, r.Name)
}

// TestRuns has TLC confirm every verdict that a size of the lane's table asks
// for. interlock verify does so for all sizes.
func TestRuns(t *testing.T) {
	needTLC(t)
	runs, err := tlaplus.Runs(loadLane(t))
	require.NoError(t, err)
	for _, r := range runs {
		if r.Model.Name != "honest" {
			continue
		}
		t.Run(r.CfgName, func(t *testing.T) {
			t.Parallel()
			wants(t, r, check(t, r, nil))
		})
	}
}

// TestRunsOfParts has TLC confirm those of a table with parts.
func TestRunsOfParts(t *testing.T) {
	needTLC(t)
	runs, err := tlaplus.Runs(tableIn(t, "counter.txtar"))
	require.NoError(t, err)
	for _, r := range runs {
		t.Run(r.CfgName, func(t *testing.T) { wants(t, r, check(t, r, nil)) })
	}
}

// TestEdgesOnce has each edge printed exactly once, as often as the table's
// own engine takes it, whatever the guards are made of.
func TestEdgesOnce(t *testing.T) {
	needTLC(t)
	parcel, err := spec.Load("../gotest/testdata/parcel.yaml")
	require.NoError(t, err)
	for _, tt := range []struct {
		table *spec.Table
		model string
	}{
		{tableIn(t, "guards.txtar"), "small"},
		{tableIn(t, "shared.txtar"), "two"},
		{tableIn(t, "counter.txtar"), "one"},
		{tableIn(t, "counter.txtar"), "two"},
		{loadLane(t), "honest"},
		{loadLane(t), "lost"},
		{parcel, "alone"},
		{parcel, "wet"},
	} {
		t.Run(tt.table.Name+"_"+tt.model, func(t *testing.T) {
			t.Parallel()
			model := modelNamed(t, tt.table, tt.model)
			run, err := tlaplus.Edges(tt.table, model)
			require.NoError(t, err)
			seen := map[string]int{}
			res := check(t, run, func(line []byte) { seen[string(line)]++ })
			require.Equal(t, tla.OK, res.Verdict.Kind, res.Verdict.String())
			for line, n := range seen {
				assert.Equal(t, 1, n, line)
			}
			assert.EqualValues(t, len(seen), res.Steps())

			states, edges := explored(t, tt.table, model)
			assert.EqualValues(t, states, res.Distinct)
			assert.Equal(t, edges, len(seen))
		})
	}
}

func explored(t *testing.T, table *spec.Table, model *spec.Model) (states, edges int) {
	t.Helper()
	m, err := interp.New(table, model)
	require.NoError(t, err)
	queue := m.Init()
	seen := map[interp.State]bool{queue[0]: true}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		require.NoError(t, m.Steps(s, func(st interp.Step) bool {
			edges++
			if !seen[st.To] {
				seen[st.To] = true
				queue = append(queue, st.To)
			}
			return true
		}))
	}
	return len(seen), edges
}

// TestActionConstraintsLeak shows why assumptions are guards: as an action
// constraint OrphanedIsGone keeps TLC from going on, but not from checking the
// state that it excludes.
func TestActionConstraintsLeak(t *testing.T) {
	needTLC(t)
	table := loadLane(t)
	runs, err := tlaplus.Alone(table, modelNamed(t, table, "lost"), propertyNamed(t, table, "Exclusive"))
	require.NoError(t, err)
	r := runs[0]
	assert.Equal(t, tla.OK, check(t, r, nil).Verdict.Kind)

	require.Contains(t, string(r.Cfg), `Assume = {"OrphanedIsGone"}`)
	r.Cfg = append(bytes.ReplaceAll(r.Cfg, []byte(`"OrphanedIsGone"`), nil), "ACTION_CONSTRAINTS Gone\n"...)
	r.Module = "Leak"
	r.Files = append(slices.Clone(r.Files), file.File{Path: "Leak.tla", Data: []byte(`---- MODULE Leak ----
EXTENDS MCLane
Gone ==
  \A p \in Project, seen \in Fence, lease \in Lease, fence \in Fence :
    Adopt(p, seen, lease, fence) => held[p] = {}
====
`)})
	assert.Equal(t, "invariant Exclusive is violated", check(t, r, nil).Verdict.String())
}

// TestAlone has designs that are wrong fail by the name of the property that
// they break: steps that change nothing and steps that look like another
// event's included.
func TestAlone(t *testing.T) {
	needTLC(t)
	for _, tt := range []struct{ name, design, model, property, by string }{
		{"accepted and does nothing", endsNothing, "memory", "OnlyOwnerReleases", "MCOnlyOwnerReleases"},
		{"a stop frees", stopFrees, "memory", "OnlyOwnerReleases", "MCOnlyOwnerReleases"},
		{"one busy flag: claims", busyFlag, "memory", "FreeIsClaimable", "FreeIsClaimable"},
		{"one busy flag: others", busyFlag, "memory", "Isolation", "MCIsolation"},
		{"adoption keeps the number", keepsNumber, "durable", "AdoptRenews", "MCAdoptRenews"},
		{"nothing ends", endsNothing, "honest", "Live", "Live"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			table, err := spec.Read("../../spec/design.yaml", []byte("base: lane\nmachine: design\ndoc: A design.\n"+tt.design+"\n"+"fails: "+tt.property+"\n"))
			require.NoError(t, err)
			p := propertyNamed(t, table, tt.property)
			runs, err := tlaplus.Alone(table, modelNamed(t, table, tt.model), p)
			require.NoError(t, err)
			require.Len(t, runs, 1)
			assert.Equal(t, tt.by, runs[0].Expect.Name)
			wants(t, runs[0], check(t, runs[0], nil))
			assert.Same(t, p, tlaplus.PropertyOf(table, tt.by))
		})
	}
}

const (
	endsNothing = `events:
  release(outcome Outcome, lease Lease):
    rows:
      freed: {from: leased, stay: ALREADY_REQUESTED}`

	stopFrees = `events:
  requestStop(lease Lease):
    rows:
      asked: {from: running, to: free, set: {holder: none(), fencing: origin(), claimedFencing: origin()}}`

	keepsNumber = `events:
  adopt(seen Fence, lease fresh Lease, fence fresh Fence):
    rows:
      running: {from: orphaned, unless: stopped, to: running, set: {holder: some(lease)}}`

	busyFlag = `shared: {vars: {busy: bool}}
events:
  claim(lease fresh Lease, fence fresh Fence):
    checks: [{id: busy, when: busy || state != free, refuse: PROJECT_BUSY}]
    rows: {won: {from: free, to: running, set: {holder: some(lease), fencing: fence, claimedFencing: fence, busy: "true"}}}
  release(outcome Outcome, lease Lease):
    rows:
      freed:
        from: leased
        to: free
        set: {holder: none(), fencing: origin(), claimedFencing: origin(), busy: "false"}
        emit: ["receipt(outcome, state == stop_requested, fencing, claimedFencing, recovered)"]`
)
