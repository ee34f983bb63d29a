package tlaplus_test

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/spec"
)

// cuts are the words of a cfg by which TLC leaves states or steps out.
var cuts = regexp.MustCompile(`\b(CONSTRAINTS?|ACTION_CONSTRAINTS?|VIEW|SYMMETRY)\b`)

// TestCase27NothingCuts: in no cfg of any table is there something that leaves
// states out, so that no claim about behaviours without end holds for want of
// them; and each such claim is judged by a run of its own.
func TestCase27NothingCuts(t *testing.T) {
	live := 0
	for _, pattern := range []string{"*.yaml", "rejected/*.yaml", "gallery/*.yaml"} {
		paths, err := filepath.Glob(filepath.Join("../../spec", pattern))
		require.NoError(t, err)
		require.NotEmpty(t, paths)
		for _, path := range paths {
			table, err := spec.Load(path)
			require.NoError(t, err)
			runs, err := tlaplus.Runs(table)
			require.NoError(t, err)
			for _, r := range runs {
				require.Empty(t, cuts.Find(r.Cfg), "%s: %s", path, r.Name)
				for _, p := range r.Judges {
					if p.Kind == spec.Eventually {
						live++
					}
				}
			}
			files, err := tlaplus.Files(table)
			require.NoError(t, err)
			for _, f := range files {
				if filepath.Ext(f.Path) == ".cfg" {
					require.Empty(t, cuts.Find(f.Data), "%s: %s", path, f.Path)
				}
			}
		}
	}
	require.NotZero(t, live, "no run judges a claim about behaviours without end")
}
