package mbt

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/gen/mbt/edges"
	"github.com/interlock-go/interlock/spec"
)

// Recorded replays each edge of a file beside the test on the machine in Go,
// which is put into the state before it: row, effects and the state after must be
// the recorded ones, and what isn't a move must leave the machine bit by bit as
// it was. A file that isn't the table's, or lacks an edge, fails.
func Recorded[M, F any](t *testing.T, tab Table, s Subject[M, F], name string) {
	table := tab.load(t)
	data, err := edges.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if data.Machine != table.Name || data.Table != table.Hash {
		t.Fatalf("%s was recorded of another table: generate again", name)
	}
	if len(data.Recordings) != len(table.Record) {
		t.Fatalf("%s has %d recordings, the table asks for %d: generate again", name, len(data.Recordings), len(table.Record))
	}
	known := map[string]fsm.Info{}
	for _, d := range decisions(table) {
		known[d.info.Name] = d.info
	}
	for i, r := range data.Recordings {
		t.Run(r.Name, func(t *testing.T) {
			want, err := edges.Record(context.Background(), table, table.Record[i])
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(texts(want), texts(r)) {
				t.Fatalf("%s isn't what the table says: generate again (-table +file):\n%s", name, difference(texts(want), texts(r)))
			}
			p := player[M, F]{table: table, known: known, rec: r, subject: recorded(s, r)}
			for i := range r.Edges {
				if text := p.edge(&r.Edges[i]); text != "" {
					e := &r.Edges[i]
					t.Fatalf("%s%v in state %v of %v: %s", e.Event, e.Args, e.From, r.Fields, text)
				}
			}
			t.Logf("%d edges", len(r.Edges))
		})
	}
}

// texts returns the lines of a recording.
func texts(r *edges.Recording) []string {
	d := edges.Data{Recordings: []*edges.Recording{r}}
	return strings.Split(string(d.Text()), "\n")
}

// recorded returns s for the codes of a recording.
func recorded[M, F any](s Subject[M, F], r *edges.Recording) Subject[M, F] {
	if of, ok := s.(Sized[M, F]); ok {
		return of.In(Model{Sizes: r.Sizes, Start: r.Start})
	}
	return s
}

// player replays a recording on a machine in Go.
type player[M, F any] struct {
	table   *spec.Table
	known   map[string]fsm.Info // what the table says of each decision
	rec     *edges.Recording
	subject Subject[M, F]
	buf     []F
}

// edge says how the machine differs at an edge, nothing if it doesn't.
func (p *player[M, F]) edge(e *edges.Edge) string {
	event := p.table.EventNamed(e.Event)
	if event == nil {
		return "the table has no such event"
	}
	m := p.machine(e.From)
	var info fsm.Info
	info, p.buf = p.subject.Step(&m, event.Index, e.Args, p.buf[:0])
	if info != p.known[e.Row] {
		return fmt.Sprintf("%s decides with %s, not %s with %s", info.Name, say(info), e.Row, say(p.known[e.Row]))
	}
	if text := p.effects(e); text != "" {
		return fmt.Sprintf("%s: effects (-recorded +Go):\n%s", e.Row, text)
	}
	if info.Kind != fsm.Move {
		if before := p.machine(e.From); !reflect.DeepEqual(before, m) {
			return fmt.Sprintf("%s, no move, changed the machine (-before +after):\n%s", e.Row, difference(before, m))
		}
	}
	vars := slices.Clone(e.From)
	p.subject.Vars(&m, vars)
	if !slices.Equal(vars, e.To) {
		return fmt.Sprintf("%s leads to %v, not %v", e.Row, vars, e.To)
	}
	if to := p.machine(e.To); !reflect.DeepEqual(to, m) { // their rings and empty maps may differ
		if diff := difference(to, m); diff != "" {
			return fmt.Sprintf("%s: the machine holds more than its codes tell (-codes +Go):\n%s", e.Row, diff)
		}
	}
	return ""
}

func (p *player[M, F]) machine(vars []uint64) M { return p.subject.Machine(p.rec.Params, vars) }

// effects says how what was sent differs from what an edge sends.
func (p *player[M, F]) effects(e *edges.Edge) string {
	sent, err := effectsOf(p.table, p.subject, p.buf)
	if err != nil {
		return err.Error()
	}
	var got []edges.Effect
	for _, f := range sent {
		got = append(got, edges.Effect{Name: f.Effect.Name, Args: f.Args})
	}
	same := slices.EqualFunc(e.Effects, got, func(a, b edges.Effect) bool { return a.Name == b.Name && slices.Equal(a.Args, b.Args) })
	if same {
		return ""
	}
	return difference(e.Effects, got)
}
