package equal_test

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/interlock-go/interlock/gen/equal"
	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/tla"
)

// size is a model whose graph is the same for TLC, with its counts.
type size struct {
	model  string
	counts equal.Counts
}

// TestTLC holds the interpreted lane against TLC on the generated module, every
// edge. The lane's other models are compared by interlock verify.
func TestTLC(t *testing.T) {
	needTLC(t)
	sameForTLC(t, loadLane(t), []size{
		{"honest", equal.Counts{States: 43, Edges: 870, Moves: 91}},
		{"reviewed", equal.Counts{States: 464, Edges: 9741, Moves: 1219}},
	})
}

// TestTLCParcel does so for what the lane doesn't have: optional arguments, the
// origin among those that nothing answers before the rows, ignores that the
// world follows, and a model without a world.
func TestTLCParcel(t *testing.T) {
	needTLC(t)
	table, err := spec.Load("../gotest/testdata/parcel.yaml")
	if err != nil {
		t.Fatal(err)
	}
	sameForTLC(t, table, []size{
		{"alone", equal.Counts{States: 72, Edges: 1624, Moves: 362}},
		{"wet", equal.Counts{States: 216, Edges: 4224, Moves: 1268}},
		{"calm", equal.Counts{States: 36, Edges: 785, Moves: 159}},
	})
}

// TestTLCCounter does so for parts, lists, sets of the machine and sub-tables.
func TestTLCCounter(t *testing.T) {
	needTLC(t)
	sameForTLC(t, counter(t), []size{
		{"one", equal.Counts{States: 1533, Edges: 20649, Moves: 4527}},
		{"two", equal.Counts{States: 81, Edges: 828, Moves: 270}},
	})
}

// TestTLCDial does so for a machine that starts in several states: of each
// instance, of what they share, and of the world. TLC is told of fewer starts, and
// of others, and each is found.
func TestTLCDial(t *testing.T) {
	needTLC(t)
	table, err := spec.Load("../gotest/testdata/dial.yaml")
	if err != nil {
		t.Fatal(err)
	}
	sameForTLC(t, table, []size{{"small", equal.Counts{States: 2048, Edges: 10240, Moves: 6144}}})
	m := lane(t, table, "small")
	run, err := tlaplus.Edges(table, m.Model())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`/\ light      \in BOOLEAN`, `/\ light      = FALSE`, "only table starts in this state"},
		{`/\ last       = [r \in Room |-> level[r]]`, `/\ last       \in [Room -> 1..1 \cup {None}]`, "only TLC starts in this state"},
	} {
		texts := map[string][]byte{run.CfgName: run.Cfg}
		changed := false
		for _, f := range run.Files {
			name := path.Base(f.Path)
			texts[name] = f.Data
			if at := bytes.LastIndex(f.Data, []byte(c.old)); name == "Dial.tla" && at >= 0 {
				texts[name] = slices.Concat(f.Data[:at], []byte(c.new), f.Data[at+len(c.old):])
				changed = true
			}
		}
		if !changed {
			t.Fatalf("no %s in the module", c.old)
		}
		_, err := equal.Compare(t.Context(), "table", m, equal.Printed("TLC", m, equal.TLC(tla.Config{Files: texts, Module: run.Module, Cfg: run.CfgName})))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.new, err)
		}
	}
}

// counter returns the table that the TLA+ back end is shown by.
func counter(t testing.TB) *spec.Table {
	t.Helper()
	a, err := txtar.ParseFile("../tlaplus/testdata/counter.txtar")
	if err != nil {
		t.Fatal(err)
	}
	table, err := spec.Read("counter.yaml", a.Files[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func sameForTLC(t *testing.T, table *spec.Table, sizes []size) {
	t.Helper()
	for _, c := range sizes {
		m := lane(t, table, c.model)
		run, err := tlaplus.Edges(table, m.Model())
		if err != nil {
			t.Fatal(err)
		}
		texts := map[string][]byte{run.CfgName: run.Cfg}
		for _, f := range run.Files {
			texts[path.Base(f.Path)] = f.Data
		}
		lines := equal.TLC(tla.Config{Files: texts, Module: run.Module, Cfg: run.CfgName})
		got, err := equal.Compare(t.Context(), "table", m, equal.Printed("TLC", m, lines))
		if err != nil {
			t.Errorf("%s: %v", c.model, err)
		} else if got != c.counts {
			t.Errorf("%s: %+v; want %+v", c.model, got, c.counts)
		}
	}
}
