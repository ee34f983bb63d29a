package equal_test

import (
	"path"
	"testing"

	"github.com/interlock-go/interlock/gen/equal"
	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/tla"
)

// TestTLC holds the interpreted lane against TLC on the generated module: the
// graph of each model, every edge.
func TestTLC(t *testing.T) {
	needTLC(t)
	table := loadLane(t)
	files, err := tlaplus.Files(table)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string][]byte{}
	for _, f := range files {
		texts[path.Base(f.Path)] = f.Data
	}
	for _, c := range []struct {
		model  string
		counts equal.Counts
	}{
		{"memory", equal.Counts{States: 1745, Edges: 49290, Moves: 10390}},
		{"honest", equal.Counts{States: 43, Edges: 808, Moves: 91}},
		{"durable", equal.Counts{States: 9953, Edges: 283370, Moves: 47542}},
		{"lost", equal.Counts{States: 315, Edges: 6187, Moves: 731}},
	} {
		if c.model == "durable" && testing.Short() {
			continue
		}
		m := lane(t, table, c.model)
		lines := equal.TLC(tla.Config{Files: texts, Module: "LaneEdges", Cfg: "LaneEdges_" + c.model + ".cfg"})
		got, err := equal.Compare(t.Context(), "table", m, equal.Printed("TLC", m, lines))
		if err != nil {
			t.Errorf("%s: %v", c.model, err)
		} else if got != c.counts {
			t.Errorf("%s: %+v; want %+v", c.model, got, c.counts)
		}
	}
}
