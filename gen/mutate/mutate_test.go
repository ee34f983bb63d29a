package mutate_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/layout"
	"github.com/interlock-go/interlock/gen/mutate"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

// TestMutantsAreTables reads mutants of many tables, in flow style and in block
// style: each is a table that can be run, and that is laid out without a loss.
func TestMutantsAreTables(t *testing.T) {
	paths := []string{"../../spec/lane.yaml", "../../spec/session.yaml", "../../spec/queue.yaml", "testdata/clinic.yaml", "../starter/starter.yaml"}
	for _, name := range []string{"gallery/lock", "gallery/twophase", "gallery/channel"} {
		paths = append(paths, "../../spec/"+name+".yaml")
	}
	more, err := filepath.Glob("../gotest/testdata/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, more)
	paths = append(paths, more...)
	seen := map[string]bool{}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".yaml"), func(t *testing.T) {
			table, err := mutate.Load(t.Context(), path)
			require.NoError(t, err)
			tried := table.Mutants
			if len(tried) > 100 {
				tried = mutate.Sample(tried, 30)
			}
			for _, m := range tried {
				seen[m.Operator] = true
				var found diag.List
				_, err := spec.Read(path, m.Text, spec.Undecided(&found))
				require.NoError(t, err, "%s\n%s", m.ID, m.Text)
				_, err = layout.Format(m.Text)
				require.NoError(t, err, m.ID)
				require.NotEmpty(t, append(m.Was, m.Is...), m.ID)
			}
		})
	}
	for _, o := range mutate.Operators {
		assert.True(t, seen[o.Name], "no table has a mutant of %s", o.Name)
	}
}

// TestClinic has a small table with all that mutants are made of, and what is found
// of each.
func TestClinic(t *testing.T) {
	r := report(t, "testdata/clinic.yaml")
	golden(t, "testdata/clinic.lines", lines(t, r))
	var b strings.Builder
	require.NoError(t, r.Text(&b))
	golden(t, "testdata/clinic.text", b.String())
}

// TestSame makes and judges mutants twice.
func TestSame(t *testing.T) {
	require.Equal(t, lines(t, report(t, "../starter/starter.yaml")), lines(t, report(t, "../starter/starter.yaml")))
}

// TestStarter has nothing to mend in the table that interlock init writes.
func TestStarter(t *testing.T) {
	r := report(t, "../starter/starter.yaml")
	require.Empty(t, r.Findings())
	for _, v := range r.Verdicts {
		require.True(t, v.Claims() || v.Equal, v.Line())
	}
	for _, p := range r.Properties() {
		require.NotZero(t, p.Kills, p.Name)
	}
}

func TestSample(t *testing.T) {
	table, err := mutate.Load(t.Context(), "../../spec/lane.yaml")
	require.NoError(t, err)
	of := map[string]bool{}
	for _, m := range table.Mutants {
		of[m.Operator] = true
	}
	for _, m := range mutate.Sample(table.Mutants, 1000) {
		require.True(t, of[m.Operator], m.ID)
		delete(of, m.Operator)
	}
	require.Empty(t, of)
	require.Equal(t, table.Mutants, mutate.Sample(table.Mutants, 1))
}

// TestReasons has reasons that are true, needless, wrong, and of no mutant.
func TestReasons(t *testing.T) {
	dir := t.TempDir()
	table := filepath.Join(dir, "door.yaml")
	require.NoError(t, os.WriteFile(table, []byte(door), 0o644))
	r := report(t, table)
	found := strings.Join(r.Findings(), "\n")
	require.Contains(t, found, `nothing notices "pull swap-checks open stuck"`)
	require.Len(t, r.Findings(), 1, found)

	require.NoError(t, os.Mkdir(filepath.Join(dir, "mutants"), 0o755))
	write := func(text string) error {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "mutants", "door.yaml"), []byte(text), 0o644))
		var err error
		r.Reasons, err = mutate.ReadReasons(table)
		return err
	}
	require.NoError(t, write("- mutants: [pull swap-checks open stuck]\n  because: who cares\n"))
	require.Empty(t, r.Findings())
	require.NoError(t, write("- mutants: [pull swap-checks open stuck, pull.first target shut, nobody]\n  because: who cares\n"))
	found = strings.Join(r.Findings(), "\n")
	require.Contains(t, found, `"pull.first target shut", and it doesn't survive`)
	require.Contains(t, found, `no mutant "nobody"`)
	for _, v := range r.Verdicts {
		v.Equal = false
	}
	require.Contains(t, strings.Join(r.Findings(), "\n"), "isn't true: its graph isn't the table's")
	for _, bad := range []string{"- mutants: [a]\n", "- because: none\n", "- {mutants: [a, a], because: b}\n", "- {mutant: a}\n"} {
		require.Error(t, write(bad), bad)
	}
}

// door has two checks whose order is of no consequence.
const door = `machine: door
doc: A door.
states: {shut: {initial: true}, open: {}, stuck: {}}
answers: {OPEN: It is open., STUCK: It is stuck.}
events:
  pull():
    checks:
      - {id: open, from: open, refuse: OPEN}
      - {id: stuck, from: stuck, refuse: STUCK}
    rows: {first: {from: shut, to: open}}
  kick():
    rows: {jams: {from: [shut, open], to: stuck}, frees: {from: stuck, to: shut}}
after:
  pull: {Opens: state == shut && new.state == open}
  kick: {Jams: "new.state == (state == stuck ? shut : stuck)"}
models: {small: {}}
`

// TestErrors has tables of which no mutants are told.
func TestErrors(t *testing.T) {
	_, err := mutate.Load(t.Context(), "../../spec/rejected/stop_frees.yaml")
	require.ErrorIs(t, err, mutate.ErrBase)
	var list diag.List
	_, err = mutate.Load(t.Context(), "testdata/none.yaml")
	require.ErrorAs(t, err, &list)

	dir := t.TempDir()
	text, err := os.ReadFile("../starter/starter.yaml")
	require.NoError(t, err)
	path := filepath.Join(dir, "thing.yaml")
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(text), "unless: owner.is(key)", "unless: owner.hasValue()", 1)), 0o644))
	table, err := mutate.Load(t.Context(), path)
	require.NoError(t, err)
	_, err = mutate.Judge(t.Context(), table, table.Mutants, nil)
	require.ErrorIs(t, err, mutate.ErrFindings)

	table, err = mutate.Load(t.Context(), "../starter/starter.yaml")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	_, err = mutate.Judge(ctx, table, table.Mutants, func(int) { stop() })
	require.ErrorIs(t, err, context.Canceled)
}

func report(t *testing.T, path string) *mutate.Report {
	t.Helper()
	table, err := mutate.Load(t.Context(), path)
	require.NoError(t, err)
	reasons, err := mutate.ReadReasons(path)
	require.NoError(t, err)
	verdicts, err := mutate.Judge(t.Context(), table, table.Mutants, nil)
	require.NoError(t, err)
	return &mutate.Report{Table: table, Verdicts: verdicts, Reasons: reasons}
}

func lines(t *testing.T, r *mutate.Report) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, r.Lines(&b))
	return b.String()
}

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(got), 0o644))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}
