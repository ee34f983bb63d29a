package edges_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/mbt/edges"
	"github.com/interlock-go/interlock/spec"
)

func record(t *testing.T, path string, i int) *edges.Recording {
	t.Helper()
	table, err := spec.Load(path)
	require.NoError(t, err)
	r, err := edges.Record(context.Background(), table, table.Record[i])
	require.NoError(t, err)
	return r
}

// TestReadBack: what was written is read as it was, and is written the same.
func TestReadBack(t *testing.T) {
	for path, n := range map[string]int{"../../../spec/lane.yaml": 2, "../../../spec/session.yaml": 1, "../../../spec/queue.yaml": 1} {
		want := &edges.Data{Machine: "m", Table: "hash", Graphs: []edges.Graph{{Name: "g", States: 1, Edges: 2, Sum: "3"}}}
		for i := range n {
			want.Recordings = append(want.Recordings, record(t, path, i))
		}
		text := want.Text()
		got, err := edges.Parse(text)
		require.NoError(t, err)
		if n == 2 { // go-cmp is too slow for the others, whose text says as much
			require.Empty(t, cmp.Diff(want, got, cmpopts.EquateEmpty()))
		}
		require.Equal(t, string(text), string(got.Text()))
	}
}

// TestRecord looks for steps that it knows: each once, refusals included.
func TestRecord(t *testing.T) {
	r := record(t, "../../../spec/lane.yaml", 1)
	require.Equal(t, []string{"state", "holder", "fencing", "claimedFencing", "stopped"}, r.Fields)
	known := map[string]bool{}
	for _, want := range []edges.Edge{
		{From: []uint64{0, 0, 0, 0, 0}, Event: "claim", Args: []uint64{1, 1}, Row: "claim.won", To: []uint64{1, 2, 1, 1, 0}},
		{From: []uint64{1, 2, 1, 1, 0}, Event: "claim", Args: []uint64{2, 2}, Row: "claim.busy", To: []uint64{1, 2, 1, 1, 0}},
		{
			From: []uint64{1, 2, 1, 1, 0}, Event: "release", Args: []uint64{3, 1}, Row: "release.freed",
			Effects: []edges.Effect{{Name: "receipt", Args: []uint64{3, 0, 1, 1, 0}}}, To: []uint64{0, 0, 0, 0, 0},
		},
	} {
		n := 0
		for _, e := range r.Edges {
			if e.Row == want.Row && cmp.Equal(want, e, cmpopts.EquateEmpty()) {
				n++
			}
		}
		require.Equal(t, 1, n, "%+v", want)
	}
	for _, e := range r.Edges {
		call := fmt.Sprint(e.From, e.Event, e.Args)
		require.False(t, known[call], "twice: %+v", e)
		known[call] = true
	}
}

// TestTooMany: a size with too many edges is refused, and as soon as it has.
func TestTooMany(t *testing.T) {
	table, err := spec.Load("../../../spec/queue.yaml")
	require.NoError(t, err)
	size := *table.Record[0]
	size.Params = append([]int(nil), 2, 3, 1)
	_, err = edges.Record(context.Background(), table, &size)
	require.ErrorContains(t, err, "more than 20000 edges")
}

// TestEveryRow: the recordings of each bundled table have every row together.
func TestEveryRow(t *testing.T) {
	paths, err := filepath.Glob("../../../spec/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		table, err := spec.Load(path)
		require.NoError(t, err)
		require.NotEmpty(t, table.Record, path)
		var recs []*edges.Recording
		for i := range table.Record {
			recs = append(recs, record(t, path, i))
		}
		require.Empty(t, edges.Missing(table, recs), path)
	}
}

// TestLargest: a recording with one more of everything would be too large.
func TestLargest(t *testing.T) {
	small := map[string]string{"lane/memory": "it is for the one row that is refused without a store"}
	paths, err := filepath.Glob("../../../spec/*.yaml")
	require.NoError(t, err)
	for _, path := range paths {
		table, err := spec.Load(path)
		require.NoError(t, err)
		for _, size := range table.Record {
			larger := *size
			larger.Sizes = maps.Clone(size.Sizes)
			for typ := range larger.Sizes {
				larger.Sizes[typ]++
			}
			_, err := edges.Record(context.Background(), table, &larger)
			if small[table.Name+"/"+size.Name] != "" {
				require.NoError(t, err)
				continue
			}
			require.ErrorContains(t, err, "more than 20000 edges", "%s/%s", table.Name, size.Name)
		}
	}
}

func TestBadData(t *testing.T) {
	r := record(t, "../../../spec/lane.yaml", 0)
	good := string((&edges.Data{Machine: "lane", Table: "hash", Recordings: []*edges.Recording{r}}).Text())
	for _, c := range []struct{ name, old, new, want string }{
		{"no machine", "machine lane hash\n", "", "no machine"},
		{"two machines", "machine lane hash\n", "machine lane hash\nmachine lane hash\n", "line 2: not one machine"},
		{"no hash", "machine lane hash\n", "machine lane\n", "line 1: not one machine"},
		{"no recording", "recording memory", "# ", "outside a recording"},
		{"no number", "states=", "states=x", "isn't a name with states"},
		{"no start", "start 0", "start 1000", "starts in none"},
		{"a value too many", "state 0 0 0 0 0", "state 0 0 0 0 0 0", "6 values for 5 fields"},
		{"no such field", "> 0:1", "> 9:1", "changes none of the 5 fields"},
		{"no such state", "@ 0\n", "@ 0-9999\n", "states"},
		{"backwards", "@ 0\n", "@ 1-0\n", "states"},
		{"a huge number", "claim.won 1,1", "claim.won 99999999999999999999,1", "out of range"},
		{"no arguments", "claim.won 1,1 >", "claim.won >", "no row with its arguments"},
		{"a doubled edge", "claim.won 1,1 > 0:1,1:2,2:1,3:1 @ 0\n", "claim.won 1,1 > 0:1,1:2,2:1,3:1 @ 0 0\n", "changed by hand"},
		{"empty", good, "", "no machine"},
	} {
		require.Contains(t, good, c.old, c.name)
		_, err := edges.Parse([]byte(strings.Replace(good, c.old, c.new, 1)))
		require.ErrorContains(t, err, c.want, c.name)
		require.True(t, errors.Is(err, edges.ErrData), c.name)
	}
	_, err := edges.ReadFile(t.TempDir() + "/none")
	require.ErrorContains(t, err, "no such file")
}
