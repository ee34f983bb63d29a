package equal_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/interlock-go/interlock/gen/equal"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/tla"
)

// deskVars returns a state as the variables of the desk's model: parts are a
// function of their keys to records, lists are sequences.
func deskVars(m *interp.Machine, s interp.State) tla.Value {
	own, _ := m.Fields()
	values := m.Values(s)
	var out, tickets []tla.Value
	var fields []tla.Field
	for i, f := range own {
		v := equal.EncodeIn(m, f.Type, values[i])
		if f.Kind != interp.OfPart {
			if f.Kind == interp.Issued {
				out = append(out, tla.Tuple(tickets...))
			}
			out = append(out, v)
			continue
		}
		if fields = append(fields, tla.Field{Name: f.Sym.Name, Value: v}); len(fields) == len(f.Part.Fields()) {
			tickets, fields = append(tickets, tla.Record(fields...)), nil
		}
	}
	return tla.Tuple(out...)
}

// TestPrintedParts reads parts, lists and rows of sub-tables as TLC prints
// them.
func TestPrintedParts(t *testing.T) {
	table, err := spec.Load("../interp/testdata/desk.yaml")
	if err != nil {
		t.Fatal(err)
	}
	m, err := interp.New(table, table.Models[0])
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	err = equal.Machine("ours", m).Edges(t.Context(), func(e *equal.Edge) error {
		lines = append(lines, quoted(tla.Tuple(
			tla.Str(e.Decision()), tla.Str("-"), argsOf(e), effectsOf(e), deskVars(m, e.From), deskVars(m, e.To))))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	given := func(ls []string) equal.Lines {
		return func(_ context.Context, print func([]byte) error) error {
			for _, l := range ls {
				if err := print([]byte(l)); err != nil {
					return err
				}
			}
			return nil
		}
	}
	c, err := equal.Compare(t.Context(), "table", m, equal.Printed("TLC", m, given(lines)))
	if err != nil || c.Edges != 1133 {
		t.Errorf("%d edges: %v", c.Edges, err)
	}
	i := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "finish.happy+turn.next") })
	for _, bad := range [][3]string{
		{"finish.happy+turn.next", "finish.happy", `"finish.happy" isn't how finish.happy goes on`},
		{"finish.happy+turn.next", "finish.happy+turn.none", `there is no row "finish.happy+turn.none"`},
		{"finish.happy+turn.next", "turn.next", `there is no row "turn.next"`},
		{"told |-> FALSE", "tald |-> FALSE", "has no field told"},
		{"<<2>>", "<<7>>", "line: <<7>> is no value of type list(Ticket)"},
	} {
		if !strings.Contains(lines[i], bad[0]) {
			t.Fatalf("no %s in %s", bad[0], lines[i])
		}
		wrong := []string{strings.Replace(lines[i], bad[0], bad[1], 1)}
		_, err := equal.Compare(t.Context(), "table", m, equal.Printed("TLC", m, given(wrong)))
		if err == nil || !strings.Contains(err.Error(), bad[2]) {
			t.Errorf("%s: %v", bad[1], err)
		}
	}
}
