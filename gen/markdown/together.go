package markdown

import (
	"context"
	"fmt"
	"slices"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// togetherStates bounds the search for what can be together, in states a size.
const togetherStates = 50_000

// counted is something that a machine with parts has a number of: parts in some
// states, values in a list or a set, or an optional value.
type counted struct {
	name string
	of   func(values []uint64) int // of one instance's fields
}

// span is the least and the most of something; of a state that was never seen
// the least is above the most.
type span struct{ least, most int }

// together writes, for each state of the machine, how many parts there can be of
// each kind and how much is held, found by search in the table's models.
func (p *page) together() error {
	if len(p.t.Parts) == 0 || len(p.t.Models) == 0 {
		return nil
	}
	var sizes, large []string
	var spans [][]span
	var names []string
	for _, model := range p.t.Models {
		m, err := interp.New(p.t, model)
		if err != nil {
			return err
		}
		counts := countedIn(m)
		if spans == nil {
			for range p.t.States {
				spans = append(spans, slices.Repeat([]span{{1, 0}}, len(counts)))
			}
		}
		found, whole, err := search(m, counts)
		if err != nil {
			return fmt.Errorf("model %s: %w", model.Name, err)
		}
		if !whole {
			large = append(large, prose(model.Name))
			continue
		}
		sizes = append(sizes, prose(model.Name))
		names = names[:0]
		for i, c := range counts {
			names = append(names, c.name)
			for s := range spans {
				spans[s][i] = spans[s][i].and(found[s][i])
			}
		}
	}
	if len(sizes) == 0 {
		return nil
	}
	p.section("What can be together")
	p.printf("Found by search, at the sizes %s.", list(sizes, "and"))
	if len(large) > 0 {
		p.printf(" Too large to be searched here: %s.", list(large, "and"))
	}
	p.printf("\n\n")
	p.header(append([]string{p.itself()}, names...)...)
	for s, state := range p.t.States {
		cells := []string{prose(state.Name)}
		for _, sp := range spans[s] {
			cells = append(cells, sp.String())
		}
		p.row(cells...)
	}
	return nil
}

// search returns the spans in each state, and whether all states were seen.
func search(m *interp.Machine, counts []counted) ([][]span, bool, error) {
	own, _ := m.Fields()
	found := make([][]span, len(m.Table().States))
	for s := range found {
		found[s] = slices.Repeat([]span{{1, 0}}, len(counts))
	}
	look := func(st interp.State) (bool, error) {
		values := m.Values(st)
		for i := range m.Instances() {
			one := values[i*len(own) : (i+1)*len(own)]
			for j, c := range counts {
				n := c.of(one)
				found[one[0]][j] = found[one[0]][j].and(span{n, n})
			}
		}
		return true, nil
	}
	r, err := explore.Run(context.Background(), m, explore.Options[interp.State, interp.Label]{
		MaxStates:  togetherStates,
		Properties: []interp.Property{{Name: "seen", Kind: explore.Always, State: look}},
	})
	if err != nil {
		return nil, false, err
	}
	return found, r.Complete, nil
}

// countedIn lists the groups of parts, the states that are in none but the
// first, and the machine's collections and optional values.
func countedIn(m *interp.Machine) []counted {
	own, _ := m.Fields()
	var out []counted
	for _, part := range m.Table().Parts {
		grouped := map[int]bool{0: true}
		for _, g := range part.Groups {
			for _, s := range g.Members {
				grouped[s] = true
			}
		}
		for _, s := range part.States {
			if !grouped[s.Index] {
				out = append(out, inStates(own, part, s.Name, []int{s.Index}))
			}
		}
		for _, g := range part.Groups {
			out = append(out, inStates(own, part, g.Name, g.Members))
		}
	}
	for i, f := range own {
		if f.Kind != interp.Var {
			continue
		}
		switch t := f.Type; t.Kind {
		case expr.Optional:
			out = append(out, counted{code(f.Name), func(v []uint64) int { return int(min(v[i], 1)) }})
		case expr.List:
			out = append(out, counted{code(f.Name), func(v []uint64) int { return m.ListBase(t).Size(v[i]) }})
		}
	}
	return out
}

func inStates(own []interp.Field, part *spec.Part, name string, states []int) counted {
	return counted{prose(name), func(v []uint64) int {
		n := 0
		for i, f := range own {
			if f.Part == part && f.Sym == part.State && slices.Contains(states, int(v[i])) {
				n++
			}
		}
		return n
	}}
}

func (s span) and(t span) span {
	switch {
	case s.least > s.most:
		return t
	case t.least > t.most:
		return s
	}
	return span{min(s.least, t.least), max(s.most, t.most)}
}

// String returns the span in words; blank for a state that was never seen.
func (s span) String() string {
	switch {
	case s.least > s.most:
		return ""
	case s.most == 0:
		return "none"
	case s.least == s.most:
		return fmt.Sprint("exactly ", s.most)
	case s.most == s.least+1:
		return fmt.Sprintf("%d or %d", s.least, s.most)
	}
	return fmt.Sprintf("%d to %d", s.least, s.most)
}
