package interp

import (
	"context"
	"fmt"
	"slices"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// RunOut says what a claim about behaviours without end owes to fresh values
// that ran out: where none is left, such a claim counts as kept.
type RunOut struct {
	Of []*expr.Type // what ran out; empty: the claim holds without counting that
	// Only says that what is waited for never comes while values are left: the
	// claim says nothing at this size.
	Only bool
}

// RunOut looks at a property that holds.
func (b *Behaviours) RunOut(ctx context.Context, p *spec.Property) (RunOut, error) {
	none := RunOut{}
	types := b.m.usedUpTypes(p)
	if len(types) == 0 {
		return none, nil
	}
	waits, err := b.m.waits(p)
	if err != nil {
		return none, fmt.Errorf("property %s: %w", p.Name, err)
	}
	cut, met := false, false
	for _, w := range waits {
		really := w.Leads
		really.To = w.goal
		lasso, err := b.moves.Check(ctx, really)
		if err != nil {
			return none, err
		}
		cut = cut || lasso != nil
		if err := b.moves.Pending(w.Leads, func(_ State, steps []Step) bool {
			met = met || slices.ContainsFunc(steps, func(st Step) bool {
				is, err := w.goal(st.To)
				return is && err == nil
			})
			return !met
		}); err != nil {
			return none, err
		}
	}
	if !cut {
		return none, nil
	}
	return RunOut{types, !met}, nil
}

// usedUpTypes returns the types of the values that p's fair events make use of.
func (m *Machine) usedUpTypes(p *spec.Property) []*expr.Type {
	var out []*expr.Type
	for _, f := range p.Fair {
		for _, a := range f.Event.Args {
			if a.Fresh && !slices.Contains(out, a.Sym.Type) {
				out = append(out, a.Sym.Type)
			}
		}
	}
	return out
}

// OwnFairness returns the fairness that p repeats, or nil: p waits exactly where
// a step of that is possible, and each such step brings what p waits for. So p is
// what it asks for, in other words. A timer's fairness is no such assumption:
// that the shell lets it expire is what p is about.
func (b *Behaviours) OwnFairness(p *spec.Property) (*spec.Fairness, error) {
	waits, err := b.m.waits(p)
	if err != nil {
		return nil, fmt.Errorf("property %s: %w", p.Name, err)
	}
	all, err := b.m.fairness(p)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(o owed) bool { return o.of.Event.By == "timer" })
	possible := make([]int, len(all)) // of each, in how many states
	b.moves.Each(func(_ State, steps []Step) {
		for i, o := range all {
			if slices.ContainsFunc(steps, func(st Step) bool { return o.Of(st.Label) }) {
				possible[i]++
			}
		}
	})
	var found *spec.Fairness
	for _, w := range waits {
		own, waited, err := b.own(w, all, possible)
		switch {
		case err != nil:
			return nil, err
		case waited && own == nil:
			return nil, nil
		case waited && found == nil:
			found = own
		}
	}
	return found, nil
}

// own returns the first fairness that w repeats, and whether w ever waits.
func (b *Behaviours) own(w wait, all []owed, possible []int) (*spec.Fairness, bool, error) {
	waiting := 0
	repeats := make([]bool, len(all))
	for i := range repeats {
		repeats[i] = true
	}
	err := b.moves.Pending(w.Leads, func(_ State, steps []Step) bool {
		waiting++
		some := false
		for i, o := range all {
			repeats[i] = repeats[i] && brings(o.Fair, steps, w.To)
			some = some || repeats[i]
		}
		return some
	})
	for i, o := range all {
		if repeats[i] && waiting == possible[i] {
			return o.of, waiting > 0, err
		}
	}
	return nil, waiting > 0, err
}

// brings reports whether one of the steps is f's, and each that is leads to a
// state in which to is true.
func brings(f explore.Fair[Label], steps []Step, to func(State) (bool, error)) bool {
	some := false
	for _, st := range steps {
		if !f.Of(st.Label) {
			continue
		}
		some = true
		if is, err := to(st.To); !is || err != nil {
			return false
		}
	}
	return some
}
