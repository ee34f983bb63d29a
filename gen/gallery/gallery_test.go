package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/tla"
)

const dir = "../../spec/gallery"

// Of larger models make gallery asks the explorer, and TLC.
const (
	mostExplored = 500_000
	mostProved   = 9_000
)

// TestGallery holds the explorer, and TLC on the smaller models, against the
// published numbers and the tables' properties.
func TestGallery(t *testing.T) {
	all, err := published(filepath.Join(dir, "README.md"))
	require.NoError(t, err)
	listed := map[string]bool{}
	for _, m := range all {
		listed[m.table] = true
		if m.counts.generated > mostExplored {
			continue
		}
		t.Run(m.table+"_"+m.name, func(t *testing.T) {
			r, err := explored(t.Context(), dir, m)
			require.NoError(t, err)
			if m.counts.generated <= mostProved && haveTLC(t) {
				require.NoError(t, r.prove(t.Context()))
				require.NotZero(t, r.proved)
			}
			var out strings.Builder
			require.True(t, print(&out, []*result{r}), out.String())
		})
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	require.NoError(t, err)
	for _, path := range paths {
		require.True(t, listed[strings.TrimSuffix(filepath.Base(path), ".yaml")], "%s isn't listed", path)
	}
}

// haveTLC reports whether TLC can run; with CI=true it must.
func haveTLC(t *testing.T) bool {
	t.Helper()
	_, err := tla.Available(t.Context())
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatal(err)
	}
	if err != nil {
		t.Logf("TLC is left out: %v", err)
	}
	return err == nil
}

// TestSolution finds the puzzle's solution, which has seven states.
func TestSolution(t *testing.T) {
	r, err := explored(t.Context(), dir, model{table: "diehard", name: "jugs", starts: 1})
	require.NoError(t, err)
	require.Equal(t, []string{"FourGallons in 7 states"}, r.goals)
	if haveTLC(t) {
		require.NoError(t, r.prove(t.Context()))
		require.Equal(t, []string{"FourGallons in 7 states", "TLC: FourGallons in 7 states"}, r.goals)
	}
}

// TestPrintable generates everything from each table, as from any other.
func TestPrintable(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	require.NoError(t, err)
	for _, path := range paths {
		table, err := spec.Load(path)
		require.NoError(t, err)
		_, err = gen.Files("example.org/m", table)
		require.NoError(t, err, path)
	}
}

// TestFindings has a number and a verdict that are wrong.
func TestFindings(t *testing.T) {
	right := &result{model: model{"jug", "one", "a/b", counts{3, 7}, 1}, explored: counts{3, 7}}
	require.True(t, right.fine())
	for what, break1 := range map[string]func(*result){
		"explorer 3 / 8": func(r *result) { r.explored.generated = 8 },
		"TLC 4 / 7":      func(r *result) { r.proved = counts{4, 7} },
		"P fails":        func(r *result) { r.wrong = []string{"P fails"} },
	} {
		r := *right
		break1(&r)
		var out strings.Builder
		require.False(t, print(&out, []*result{right, &r}))
		require.Contains(t, out.String(), "FINDING: jug one")
		require.Contains(t, out.String(), what)
	}
}

func TestPublished(t *testing.T) {
	read := func(text string) ([]model, error) {
		name := filepath.Join(t.TempDir(), "list.md")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
		return published(name)
	}
	all, err := read("# List\n\n| table | model |\n|---|---|\n| [jug](jug.yaml) | one | `a/B.tla` | 1,234 | 5,678,901 | 1 |\n| [jug](jug.yaml) | two | `a/B.tla` | 1 | 2 | 3 |\n")
	require.NoError(t, err)
	require.Equal(t, []model{{"jug", "one", "a/B.tla", counts{1234, 5678901}, 1}, {"jug", "two", "a/B.tla", counts{1, 2}, 3}}, all)
	_, err = read("| [jug](jug.yaml) | one | `a/B.tla` | many | 7 | 1 |\n")
	require.ErrorContains(t, err, "can't read")
	_, err = read("nothing\n")
	require.ErrorContains(t, err, "lists no model")
	_, err = published(filepath.Join(t.TempDir(), "none.md"))
	require.True(t, errors.Is(err, os.ErrNotExist))
}

// TestUnlisted sees that a table that isn't listed isn't taken for a fine one.
func TestUnlisted(t *testing.T) {
	_, err := show(t.Context(), dir, []string{"diehrad"})
	require.EqualError(t, err, "no model of diehrad is listed")
}
