package tla_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/tla"
)

func recordedGraph(t *testing.T, name string) *tla.Graph {
	t.Helper()
	g, err := tla.ReadDot(bytes.NewReader(recordingOf(t, name).file(t, "graph.dot")))
	require.NoError(t, err)
	return g
}

func TestReadDot(t *testing.T) {
	g := recordedGraph(t, "dump")
	res := recordingOf(t, "dump").read(t, nil)
	assert.EqualValues(t, res.Distinct, len(g.States))
	assert.EqualValues(t, res.Steps(), len(g.Edges))
	require.Len(t, g.Initial, 1)

	n, _ := g.States[g.Initial[0]].Get("n")
	assert.Equal(t, tla.Int(0), n)
	fired := map[string]int{}
	for _, e := range g.Edges {
		fired[e.Action]++
		from, _ := g.States[e.From].Get("n")
		to, _ := g.States[e.To].Get("n")
		assert.Equal(t, e.Action == "Toggle", from.Equal(to))
	}
	assert.Equal(t, map[string]int{"Toggle": 10, "Up": 14}, fired)
}

// Labels have escapes inside the escapes of strings.
func TestReadDotWrappedValues(t *testing.T) {
	g := recordedGraph(t, "wrapped")
	trace := recordingOf(t, "wrapped").read(t, nil).Trace
	require.Len(t, g.States, len(trace.States))
	for i, s := range trace.States {
		assert.Empty(t, cmp.Diff(s.Vars, g.States[i].Vars))
	}
}

func TestReadDotKeepsParallelEdgesAndLoops(t *testing.T) {
	g, err := tla.ReadDot(strings.NewReader(`strict digraph DiskGraph {
1 [label="n = 0",style = filled]
1 -> 2 [label="A",color="black",fontcolor="black"];
2 [label="n = 1"];
1 -> 2 [label="A",color="black",fontcolor="black"];
1 -> 2 [label="B",color="black",fontcolor="black"];
2 -> 2 [label="C",color="black",fontcolor="black"];
2 [label="n = 1"];
1 [label="n = 0",style = filled]
{rank = same; 1;}
}`))
	require.NoError(t, err)
	want := &tla.Graph{
		States: []tla.GraphState{
			{ID: 1, Vars: []tla.Var{{Name: "n", Value: tla.Int(0)}}},
			{ID: 2, Vars: []tla.Var{{Name: "n", Value: tla.Int(1)}}},
		},
		Initial: []int{0},
		Edges:   []tla.Edge{{0, 1, "A"}, {0, 1, "A"}, {0, 1, "B"}, {1, 1, "C"}},
	}
	assert.Empty(t, cmp.Diff(want, g))
}

func TestReadDotErrors(t *testing.T) {
	for text, want := range map[string]string{
		"1 -> 2 [label=\"A\"];\n1 [label=\"n = 0\"];":   "has an edge of state 2, but not the state",
		`1 [label="n = ?"];`:                            "line 1 of the dump: tla: line 1, column 5: expected a value",
		`1x [label="n = 0"];`:                           `line 1 of the dump: "1x" is no fingerprint`,
		`1 [label="n = 0];`:                             "a label does not end",
		`1 [label="n = 0\`:                              "a label does not end",
		`1 [label="\q"];`:                               "unknown escape in a label",
		"\n1 [label=\"n = 0\"];\n1 -> x [label=\"A\"];": `line 3 of the dump: "x" is no fingerprint`,
	} {
		_, err := tla.ReadDot(strings.NewReader(text))
		assert.ErrorContains(t, err, want, text)
	}
}
