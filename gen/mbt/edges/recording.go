package edges

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/mbt/literal"
	"github.com/interlock-go/interlock/spec"
)

// Recording is all that one machine in Go can be asked at a size of its table,
// from the start on: each event with its arguments in each state, those that are
// refused included. The world and its variables are no part of it, nor is how many
// fresh values are used up. All values are codes of gen/interp.
type Recording struct {
	Name   string
	Sizes  map[string]int // how many values an identity or serial has, by the type's name
	Params []int          // as in spec.Model
	Fields []string       // of a state, such as "holder" and "tickets(2).asked"
	Start  []uint64       // the state at the start
	Edges  []Edge         // by state, row and arguments
}

// Edge is one step of a machine.
type Edge struct {
	From    []uint64 // the state before, as interp.Stepper takes it
	Event   string
	Args    []uint64
	Row     string // what decides: "claim.busy", or "end.failed+handOver.next"
	Effects []Effect
	To      []uint64 // the state after; of all rows but moves it is From
}

// Effect is what the shell is to do.
type Effect struct {
	Name string
	Args []uint64
}

// MostEdges is how many edges a recording may have.
const MostEdges = 20_000

// Record searches what the machine does at a size of t.Record. Its error is that
// of a size that can't be searched, or has more than MostEdges edges.
func Record(ctx context.Context, t *spec.Table, size *spec.Model) (*Recording, error) {
	m, err := interp.New(worldless(t), size)
	if err != nil {
		return nil, err
	}
	r := &Recording{Name: size.Name, Sizes: map[string]int{}, Params: size.Params, Start: literal.Vars(m, m.Init()[0], 0)}
	for typ, n := range size.Sizes {
		r.Sizes[typ.Name] = n
	}
	own, shared := m.Fields()
	for _, f := range slices.Concat(own, shared) {
		if f.Kind != interp.Issued {
			r.Fields = append(r.Fields, f.Name)
		}
	}
	found := found{rec: r, states: map[interp.State][]uint64{}, known: map[string]int{}}
	report, err := explore.Run(ctx, m, explore.Options[interp.State, interp.Label]{
		Rows:  len(t.Rows()),
		Visit: func(from interp.State, st interp.Step) error { return found.add(m, from, &st) },
	})
	if err == nil {
		err = report.Steps.Err
	}
	if err != nil {
		return nil, fmt.Errorf("recording %s: %w", size.Name, err)
	}
	slices.SortFunc(r.Edges, compare)
	return r, nil
}

// worldless returns t without the world and its variables, which multiply the
// states.
func worldless(t *spec.Table) *spec.Table {
	alone := *t
	alone.World, alone.Ghosts, alone.Follows, alone.Assumptions, alone.Properties = nil, nil, nil, nil, nil
	return &alone
}

// found collects edges, each once: states that differ only in how many fresh
// values are used up are one state here.
type found struct {
	rec    *Recording
	states map[interp.State][]uint64
	known  map[string]int // where among the edges a call stands
}

func (f *found) vars(m *interp.Machine, s interp.State) []uint64 {
	v, ok := f.states[s]
	if !ok {
		v = literal.Vars(m, s, 0)
		f.states[s] = v
	}
	return v
}

func (f *found) add(m *interp.Machine, from interp.State, st *interp.Step) error {
	l := &st.Label
	e := Edge{From: f.vars(m, from), Event: l.Event.Event.Name, Args: l.Args, Row: l.Decision()}
	for _, fx := range l.Effects {
		e.Effects = append(e.Effects, Effect{fx.Effect.Name, fx.Args})
	}
	if e.To = e.From; st.To != from {
		if to := f.vars(m, st.To); !slices.Equal(to, e.From) {
			e.To = to
		}
	}
	call := fmt.Sprint(e.From, e.Event, e.Args)
	if i, ok := f.known[call]; ok {
		if was := f.rec.Edges[i]; was.canonical() != e.canonical() {
			return fmt.Errorf("one call has two answers:\n%s and\n%s", was.canonical(), e.canonical())
		}
		return nil
	}
	f.known[call] = len(f.rec.Edges)
	if f.rec.Edges = append(f.rec.Edges, e); len(f.rec.Edges) > MostEdges {
		return fmt.Errorf("more than %d edges", MostEdges)
	}
	return nil
}

// compare orders edges by state, row and arguments.
func compare(a, b Edge) int {
	return cmp.Or(slices.Compare(a.From, b.From), strings.Compare(a.Row, b.Row), slices.Compare(a.Args, b.Args))
}

// canonical is the canonical line of an edge, which a recording's sum is made of.
func (e *Edge) canonical() string {
	buf := append(appendCodes([]byte(e.Row+" |"), e.Args), " |"...)
	for _, f := range e.Effects {
		buf = append(appendCodes(append(append(buf, ' '), f.Name...), f.Args), " |"...)
	}
	return string(appendCodes(append(appendCodes(buf, e.From), " |"...), e.To))
}

// graph counts and sums up the edges.
func (r *Recording) graph() Graph {
	g := Graph{Name: r.Name, States: len(r.states()), Edges: len(r.Edges)}
	var sum Sum
	for i := range r.Edges {
		sum.Add([]byte(r.Edges[i].canonical()))
	}
	g.Sum = sum.String()
	return g
}

// Missing returns the rows that decide no edge of any of the recordings,
// though the table doesn't claim that they never do.
func Missing(t *spec.Table, recs []*Recording) []*spec.Row {
	taken := map[string]bool{}
	for _, r := range recs {
		for _, e := range r.Edges {
			for row := range strings.SplitSeq(e.Row, "+") {
				taken[row] = true
			}
		}
	}
	var out []*spec.Row
	for _, r := range t.Rows() {
		ofWorld := r.Event != nil && r.Event.By == "world"
		if !ofWorld && r.Outcome != spec.Never && !taken[r.Name()] {
			out = append(out, r)
		}
	}
	return out
}
