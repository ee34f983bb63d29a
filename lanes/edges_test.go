package lanes_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/fsm/lane"
	"github.com/interlock-go/interlock/gen/mbt/edges"
	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/lanes"
	"github.com/interlock-go/interlock/spec/expr"
)

// edgesOf returns the committed edges of a machine.
func edgesOf(t *testing.T, w *writer) []*edges.Recording {
	t.Helper()
	data, err := edges.ReadFile(fmt.Sprintf("../fsm/%s/%s_edges_gen.txt", w.table.Name, w.table.Name))
	if err != nil {
		t.Fatal(err)
	}
	if data.Table != w.table.Hash {
		t.Fatal("the edges are of another table: generate again")
	}
	return data.Recordings
}

// tally counts edges by their rows.
type tally struct{ replayed, left map[string]int }

func newTally() tally { return tally{map[string]int{}, map[string]int{}} }

// unmet returns the rows of which no edge was replayed, sorted.
func (n tally) unmet() []string {
	rows := maps.Clone(n.left)
	maps.DeleteFunc(rows, func(row string, _ int) bool { return n.replayed[row] > 0 })
	return slices.Sorted(maps.Keys(rows))
}

func (n tally) String() string {
	sum := func(m map[string]int) (all int) {
		for _, k := range m {
			all += k
		}
		return all
	}
	return fmt.Sprintf("%d edges replayed, %d left out", sum(n.replayed), sum(n.left))
}

// sameAs says how what was recorded differs from an edge: its row, its effects
// and, where the state after is of one step, that. Empty says that it doesn't.
func (w *writer) sameAs(e *edges.Edge, rec *edges.Recording, s *lanes.Taken, state bool) string {
	l, err := w.line(s)
	if err != nil {
		return err.Error()
	}
	row, then := decided(s)
	got := []string{strings.TrimSuffix(row+"+"+then, "+")}
	for _, f := range l.Effects {
		got = append(got, fmt.Sprint(f.Effect.Name, f.Args))
	}
	want := []string{e.Row}
	for _, f := range e.Effects {
		want = append(want, fmt.Sprint(f.Name, f.Args))
	}
	if state {
		got, want = append(got, w.stateOf(rec, &l)...), append(want, w.decoded(rec, e.To)...)
	}
	return cmp.Diff(want, got)
}

// decoded tells the fields of a recorded state, with the elements of its lists.
func (w *writer) decoded(rec *edges.Recording, codes []uint64) (out []string) {
	lists := map[string]*expr.Type{}
	for _, v := range w.table.Vars {
		if v.Sym.Type.Kind == expr.List {
			lists[v.Sym.Name] = v.Sym.Type.Elem
		}
	}
	for i, name := range rec.Fields {
		if elem := lists[name]; elem != nil {
			out = append(out, fmt.Sprint(name, expr.BaseOf(elem, rec.Sizes[elem.Name]).Elements(codes[i])))
			continue
		}
		out = append(out, fmt.Sprint(name, " ", codes[i]))
	}
	return out
}

// stateOf tells the same of a line.
func (w *writer) stateOf(rec *edges.Recording, l *tlaplus.Line) (out []string) {
	told := map[string]string{"state": fmt.Sprint("state ", l.After[0])}
	lists := l.Lists
	at := 1
	for _, v := range slices.Concat(w.table.Vars, w.table.Shared) {
		name := v.Sym.Name
		told[name] = fmt.Sprint(name, " ", l.After[at])
		if v.Sym.Type.Kind == expr.List {
			told[name], lists = fmt.Sprint(name, lists[0]), lists[1:]
		}
		at++
	}
	for _, p := range l.Parts {
		for i, f := range p.Part.Fields() {
			name := fmt.Sprintf("%s(%d).%s", p.Part.Name, p.Key, f.Name)
			told[name] = fmt.Sprint(name, " ", p.Fields[i])
		}
	}
	for _, name := range rec.Fields {
		if told[name] == "" {
			told[name] = name + " 0" // a part as at its start
		}
		out = append(out, told[name])
	}
	return out
}

// laneRecords are the states of a lane as a store keeps them.
var laneRecords = map[lane.State]string{lane.Running: "running", lane.StopRequested: "stop_requested", lane.Orphaned: "orphaned"}

// TestLaneEdges makes the call of each recorded edge of a lane on Projects:
// without a store, in a state that calls have led to; with one, in a state that
// the store has. What is decided, sent and kept is the edge's.
func TestLaneEdges(t *testing.T) {
	w, n := writerOf(t, "lane"), newTally()
	for _, rec := range edgesOf(t, w) {
		for i := range rec.Edges {
			e := &rec.Edges[i]
			if e.Event == "orphan" || e.Event == "adopt" || e.Event == "claim" && e.Args[0] != e.Args[1] || !kept(e.From) {
				n.left[e.Row]++
				continue
			}
			n.replayed[e.Row]++
			if diff := w.sameAs(e, rec, laneCall(t, e, rec.Params[0] != 0), true); diff != "" {
				t.Fatalf("%s%v in %v of %v (-edge +lanes):\n%s", e.Event, e.Args, e.From, rec.Fields, diff)
			}
		}
	}
	t.Log(n)
	never := strings.Fields(traces[0].never)
	if diff := cmp.Diff(never, n.unmet()); diff != "" {
		t.Errorf("rows without an edge that was replayed (-known +here):\n%s", diff)
	}
}

// kept reports whether a store can have the lane in a state: its lease has the
// number that it is held under.
func kept(from []uint64) bool {
	s := lane.State(from[0])
	return !s.Leased() || from[1] == from[2]+1
}

// laneCall makes the call of an edge on lanes of their own, and returns the step
// that it took.
func laneCall(t *testing.T, e *edges.Edge, stored bool) *lanes.Taken {
	t.Helper()
	memory := lanes.NewMemory(epoch)
	m, err := lanes.Open(lanes.Config{Store: memory})
	if err != nil {
		t.Fatal(err)
	}
	log := &tracer{machine: "lane"}
	m.Record(log.record)
	r, state, number := m.Projects(), lane.State(e.From[0]), e.From[2]
	own := uint64(epoch.Unix())
	issued := uint64(0)
	// The numbers below one are used up by claims of another project.
	until := func(last uint64) {
		for ; issued < last; issued++ {
			r.Claim(bg, "other", "run")
		}
	}
	switch {
	case state == lane.Free:
	case stored:
		put(t, memory, "p", fmt.Sprintf(`{"format":1,"state":%q,"run":"run","epoch":%d,"fencing":%d,"claimed":%d,"stopped":%v}`,
			laneRecords[state], own, number, e.From[3], e.From[4] != 0))
	default:
		until(number - 1)
		mustClaim(t, r, "p", "run")
		if issued++; state == lane.StopRequested {
			mustStop(t, r, lanes.Forge(r, "p", "run", lanes.Fencing{Epoch: own, Number: number}))
		}
	}
	lease := func(n uint64) lanes.Lease {
		return lanes.Forge(r, "p", "run", lanes.Fencing{Epoch: own, Number: n})
	}
	switch e.Event {
	case "claim":
		if state == lane.Free {
			until(e.Args[0] - 1)
		}
		r.Claim(bg, "p", "run")
	case "requestStop":
		r.RequestStop(bg, lease(e.Args[0]))
	case "release":
		r.Release(bg, lease(e.Args[1]), outcomes[e.Args[0]])
	}
	return &log.records[len(log.records)-1].Taken
}
