package equal

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
)

// Source gives the edges of a model. Asked again, it gives the same ones.
type Source interface {
	Name() string
	// Edges calls yield with every edge, parallel ones included. An edge is
	// only lent; its slices and states may be kept. An error of yield ends it
	// and is returned.
	Edges(ctx context.Context, yield func(*Edge) error) error
}

// Starter is a source that says in which states its model starts. One that isn't
// starts where the interpreted table does.
type Starter interface {
	// Starts returns them once Edges was called.
	Starts() []interp.State
}

type machine struct {
	name string
	m    *interp.Machine
}

// Machine returns the edges that a search of m finds, in its order. Its error
// is a trace to the step that can't be told.
func Machine(name string, m *interp.Machine) Source { return &machine{name, m} }

func (s *machine) Name() string { return s.name }

// Starts returns those of the machine.
func (s *machine) Starts() []interp.State { return s.m.Init() }

func (s *machine) Edges(ctx context.Context, yield func(*Edge) error) error {
	_, err := s.search(ctx, yield)
	return err
}

func (s *machine) search(ctx context.Context, yield func(*Edge) error) (*explore.Report[interp.State, interp.Label], error) {
	var e Edge
	report, err := explore.Run(ctx, s.m, explore.Options[interp.State, interp.Label]{
		Visit: func(from interp.State, st interp.Step) error {
			e = Edge{Label: st.Label, From: from, To: st.To}
			return yield(&e)
		},
	})
	if err != nil {
		return nil, err
	}
	if report.Steps.Err != nil {
		return nil, fmt.Errorf("%s:\n%s%w", s.name, s.m.Explain(report.Steps), report.Steps.Err)
	}
	return report, nil
}

// Graph is the multiset of a source's edges, by their keys.
type Graph struct {
	Edges int
	count map[Key]int32
}

// Collect reads a whole source. m is a machine of the model, for its table.
func Collect(ctx context.Context, m *interp.Machine, s Source) (*Graph, error) {
	g := &Graph{count: map[Key]int32{}}
	k := newKeyer(m.Table())
	err := s.Edges(ctx, func(e *Edge) error {
		g.count[k.key(e)]++
		g.Edges++
		return nil
	})
	return g, err
}

// Counts are those of two equal graphs.
type Counts struct {
	States, Edges, Moves int
}

// Difference is the error that two graphs differ, in the table's words.
type Difference struct{ Text string }

// Error returns the text.
func (d *Difference) Error() string { return d.Text }

// Compare reports whether a search of ours finds the same edges as theirs, each
// as often. A *Difference is the error if not; all other errors say that it
// can't be told.
func Compare(ctx context.Context, name string, ours *interp.Machine, theirs Source) (Counts, error) {
	a := &machine{name, ours}
	g := &Graph{count: map[Key]int32{}}
	k := newKeyer(ours.Table())
	report, err := a.search(ctx, func(e *Edge) error {
		g.count[k.key(e)]++
		return nil
	})
	if err != nil {
		return Counts{}, err
	}
	err = theirs.Edges(ctx, func(e *Edge) error {
		key := k.key(e)
		if n := g.count[key] - 1; n != 0 {
			g.count[key] = n
		} else {
			delete(g.count, key)
		}
		return nil
	})
	if err != nil {
		return Counts{}, fmt.Errorf("%s: %w", theirs.Name(), err)
	}
	if len(ours.Table().Starts()) > 0 {
		if err := sameStarts(a, theirs); err != nil {
			return Counts{}, err
		}
	}
	if len(g.count) > 0 {
		return Counts{}, explain(ctx, a, theirs, g.count, k)
	}
	return Counts{States: report.States, Edges: report.Edges, Moves: report.Moves}, nil
}

// sameStarts compares the states that two sources start in, each of which has one
// once.
func sameStarts(a *machine, b Source) error {
	s, ok := b.(Starter)
	if !ok {
		return fmt.Errorf("%s doesn't say where it starts", b.Name())
	}
	left := map[interp.State]int{}
	for _, at := range a.Starts() {
		left[at]++
	}
	for _, at := range s.Starts() {
		if left[at]--; left[at] < 0 {
			return &Difference{fmt.Sprintf("only %s starts in this state:\n%s\n", b.Name(), a.m.Format(at))}
		}
	}
	for _, at := range a.Starts() {
		if left[at] > 0 {
			return &Difference{fmt.Sprintf("only %s starts in this state:\n%s\n", a.name, a.m.Format(at))}
		}
	}
	return nil
}

// explain searches for the difference nearest to the start. Counts are
// positive for edges that only a has, or more often, else negative.
func explain(ctx context.Context, a *machine, b Source, counts map[Key]int32, k *keyer) error {
	from := map[interp.State]bool{}
	var lost *Edge // of b, for the case that a reaches none of its states
	note := func(e *Edge) error {
		if counts[k.key(e)] != 0 {
			from[e.From] = true
			if lost == nil {
				copied := *e
				lost = &copied
			}
		}
		return nil
	}
	if err := errors.Join(b.Edges(ctx, note), a.Edges(ctx, note)); err != nil {
		return err
	}
	path, err := explore.ShortestPath(ctx, a.m, 0, func(s interp.State, st *interp.Step) bool {
		return st == nil && from[s]
	})
	if err != nil {
		return err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%d edges differ between %s and %s; the nearest:\n", len(counts), a.name, b.Name())
	if path == nil {
		fmt.Fprintf(&text, "only %s reaches this state:\n%s\n", b.Name(), a.m.Format(lost.From))
		fmt.Fprintf(&text, "%s: %s\n", a.m.FormatEvent(lost.Event), format(a.m, lost))
		return &Difference{text.String()}
	}
	text.WriteString(a.m.Trace(path))
	at := path.Last()
	fmt.Fprintf(&text, "then, in\n%s\n", a.m.Format(at))
	if err := sides(ctx, &text, a, b, at, counts, k); err != nil {
		return err
	}
	return &Difference{text.String()}
}

// sides prints what each side does from one state at the first event at which
// they differ.
func sides(ctx context.Context, text *strings.Builder, a *machine, b Source, at interp.State, counts map[Key]int32, k *keyer) error {
	var edges [2][]Edge
	var first *Edge
	for i, s := range []Source{a, b} {
		err := s.Edges(ctx, func(e *Edge) error {
			if e.From == at {
				edges[i] = append(edges[i], *e)
			}
			return nil
		})
		if err != nil {
			return err
		}
		sortEdges(edges[i])
		for j := range edges[i] {
			if first == nil && counts[k.key(&edges[i][j])] != 0 {
				first = &edges[i][j]
			}
		}
	}
	fmt.Fprintf(text, "%s:\n", a.m.FormatEvent(first.Event))
	for i, s := range []Source{a, b} {
		found := false
		for j := range edges[i] {
			if e := &edges[i][j]; e.call() == first.call() {
				fmt.Fprintf(text, "  %s: %s\n", s.Name(), format(a.m, e))
				found = true
			}
		}
		if !found {
			fmt.Fprintf(text, "  %s: it isn't possible\n", s.Name())
		}
	}
	return nil
}
