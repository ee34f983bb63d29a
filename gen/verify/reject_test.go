package verify_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/tla"
)

var update = flag.Bool("update", false, "rewrite the recorded rejections")

// haveTLC reports whether TLC can run. Without it a test says what it leaves
// out; with CI=true it fails.
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

// TestRejected holds each rejected design against what was recorded of it: the
// property that it names fails with that shortest counterexample, and those
// others, each judged alone. That TLC agrees on every property, step for step,
// is for interlock verify to show, which pins its exit codes.
func TestRejected(t *testing.T) {
	paths, err := filepath.Glob("../../spec/rejected/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".yaml"), func(t *testing.T) {
			t.Parallel()
			table, err := spec.Load(path)
			require.NoError(t, err)
			r, err := verify.Reject(t.Context(), table, false)
			require.NoError(t, err)
			require.Empty(t, r.Disagreements())
			require.True(t, r.OK(), "%s holds", table.Fails)
			recorded := strings.TrimSuffix(path, ".yaml") + ".txt"
			got := strings.ReplaceAll(r.String(), filepath.ToSlash(path), "spec/rejected/"+filepath.Base(path))
			if *update {
				require.NoError(t, os.WriteFile(recorded, []byte(got), 0o644))
				return
			}
			data, err := os.ReadFile(recorded)
			require.NoError(t, err)
			if diff := cmp.Diff(string(data), got); diff != "" {
				t.Errorf("%s (-recorded +got):\n%s", recorded, diff)
			}
		})
	}
}
