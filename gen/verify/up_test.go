package verify

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/spec"
)

func upsOf(t *testing.T, path, model string) (*spec.Table, []*OneUp) {
	t.Helper()
	table, err := spec.Load(path)
	require.NoError(t, err)
	for _, m := range table.Models {
		if m.Name == model {
			s, err := Explore(t.Context(), table, m, m.Checks)
			require.NoError(t, err)
			ups, err := OneUps(t.Context(), table, []*Search{s})
			require.NoError(t, err)
			return table, ups
		}
	}
	t.Fatalf("no model %s in %s", model, path)
	return nil, nil
}

// TestOneUp: one more of each, then of all; a bool is no bound; what is over the
// budget isn't compared, nor what contains it; up: says what it is instead.
func TestOneUp(t *testing.T) {
	for _, c := range []struct{ path, model, want string }{
		{"lane", "honest", "Project 2, Lease 4, Fence 4, all of it: the same"},
		{"lane", "lost", "Project 2, all of it: not compared (more than 200,000 edges); Lease 4, Fence 4: the same"},
		{"lane", "durable", "Project 3, Lease 3, Fence 4, all of it: not compared (more than 200,000 edges)"},
		{"session", "lists", "Run 2, Call 2: the same; Lease 2: also decides abort.stale; Poll 3, all of it: not compared (more than 200,000 edges)"},
		{"gallery/tcommit", "three", "Manager 4, All 4: the same"},
	} {
		table, ups := upsOf(t, "../../spec/"+c.path+".yaml", c.model)
		require.Equal(t, c.want, Told(table, ups), c.path)
		for _, u := range ups {
			require.Empty(t, u.Failing())
			if u.Search != nil {
				require.GreaterOrEqual(t, u.Search.Report.States, u.Of.Report.States, "%s %s", c.path, u.Grown)
			}
		}
	}
}

// TestPinnedBounds: what a size up finds, and what counts on values that run out,
// is among what must stay as it is.
func TestPinnedBounds(t *testing.T) {
	table, ups := upsOf(t, "../../spec/lane.yaml", "losses")
	s := ups[0].Of
	require.NoError(t, s.Weigh(t.Context()))
	r := &Result{Table: table, Searches: []*Search{s}, Ups: ups, TLC: "some"}
	text, ok := r.Pinned()
	require.True(t, ok)
	require.Regexp(t, `(?m)^losses +Lease 4 +the same$`, string(text))
	require.Regexp(t, `(?m)^losses +Project 2 +not compared \(more than 200,000 edges\)$`, string(text))
	require.Regexp(t, `(?m)^Live +losses +Lease or Fence$`, string(text))
}
