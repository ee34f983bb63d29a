package interp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/spec"
)

// Lasso is a behaviour without end of a Machine.
type Lasso = explore.Lasso[State, Label]

// Behaviours are those without end of a Machine, for claims about them.
type Behaviours struct {
	m     *Machine
	moves *explore.Moves[State, Label]
}

// BehavioursOf searches m. An error is ctx's, or m's about its steps.
func BehavioursOf(ctx context.Context, m *Machine) (*Behaviours, error) {
	moves, err := explore.MovesOf(ctx, m, 0)
	if err != nil {
		return nil, err
	}
	return &Behaviours{m, moves}, nil
}

// Endings judges those of the given properties that are of the form eventually,
// as [Behaviours.Judge] does.
func Endings(ctx context.Context, m *Machine, fair bool, of ...*spec.Property) ([]Result, error) {
	if !slices.ContainsFunc(of, isEventually) {
		return nil, nil
	}
	b, err := BehavioursOf(ctx, m)
	if err != nil {
		return nil, err
	}
	return b.Judge(ctx, fair, of...)
}

func isEventually(p *spec.Property) bool { return p.Kind == spec.Eventually }

// Judge judges those of the given properties that are of the form eventually,
// each for every instance and every value of its names; with fair false, as if
// nothing were fair. A result that is Violated has the shortest of the
// behaviours that were found. An error is ctx's, or a property's that can't be
// compiled.
func (b *Behaviours) Judge(ctx context.Context, fair bool, of ...*spec.Property) ([]Result, error) {
	var out []Result
	for _, p := range of {
		if !isEventually(p) {
			continue
		}
		waits, err := b.m.waits(p)
		if err != nil {
			return nil, fmt.Errorf("property %s: %w", p.Name, err)
		}
		r := Result{Name: p.Name, Verdict: explore.Holds}
		for _, w := range waits {
			if !fair {
				w.Fair = nil
			}
			lasso, err := b.moves.Check(ctx, w.Leads)
			switch {
			case ctx.Err() != nil:
				return nil, context.Cause(ctx)
			case err != nil:
				r = Result{Name: p.Name, Verdict: explore.Error, Err: err}
			case r.Verdict != explore.Error && lasso != nil && (r.Endless == nil || size(lasso) < size(r.Endless)):
				r.Verdict, r.Path, r.Endless = explore.Violated, lasso.Path, lasso
			}
		}
		out = append(out, r)
	}
	return out, nil
}

func size(l *Lasso) int { return len(l.Path.Steps) + len(l.Loop) }

// wait is a claim of p for one instance and one choice of its names. Its To is
// also true where fresh values have run out, goal only where p says so.
type wait struct {
	explore.Leads[State, Label]
	goal func(State) (bool, error)
}

// waits returns a claim for each instance and each choice of p's names.
func (m *Machine) waits(p *spec.Property) ([]wait, error) {
	compiler := m.full.with(nil, nil, p.Each)
	from, err := compiler.compile(p.From, false)
	if err != nil {
		return nil, err
	}
	to, err := compiler.compile(p.To, false)
	if err != nil {
		return nil, err
	}
	var dims [][]uint64
	for _, s := range p.Each {
		values, err := m.values(s.Type)
		if err != nil {
			return nil, err
		}
		dims = append(dims, values)
	}
	owed, err := m.fairness(p)
	if err != nil {
		return nil, err
	}
	var fair []explore.Fair[Label]
	for _, o := range owed {
		fair = append(fair, o.Fair)
	}
	var out []wait
	ends := m.usedUp(p)
	for i := range m.instances {
		each(dims, func(choice []uint64) {
			var names []string
			if m.instances > 1 {
				names = append(names, InstanceName(i))
			}
			values := make([]uint64, len(choice))
			for j, s := range p.Each {
				values[j] = m.value(s.Type, choice[j])
				names = append(names, s.Name+" = "+FormatValue(s.Type, choice[j]))
			}
			out = append(out, wait{explore.Leads[State, Label]{
				Name: strings.Join(names, ", "),
				From: m.of(claim{p.Name, p.FromSrc, from}, i, values, nil),
				To:   m.of(claim{p.Name, p.ToSrc, to}, i, values, ends),
				Fair: fair,
			}, m.of(claim{p.Name, p.ToSrc, to}, i, values, nil)})
		})
	}
	return out, nil
}

// of returns whether c is true of one instance, or one of the counters is at
// its end there.
func (m *Machine) of(c claim, instance int, values []uint64, ends []freshArg) func(State) (bool, error) {
	base := instance * len(m.layout.own)
	return func(s State) (bool, error) {
		sc := m.scratch()
		defer m.done(sc)
		m.load(sc, s)
		for _, f := range ends {
			if sc.old[f.counter.in(base)] >= f.size {
				return true, nil
			}
		}
		copy(sc.env.bound[:], values)
		sc.env.base = base
		ok, fault := c.judge(sc)
		if fault != nil {
			return false, m.located(fault, s, nil)
		}
		return ok, nil
	}
}

// ends reports whether a state may be the last: some step changes it, or c holds
// of each instance, or its fresh values are used up, so that the model is what
// ends there.
func (m *Machine) ends(c claim) func(State) (bool, error) {
	var fresh []freshArg
	for _, ev := range m.events {
		fresh = append(fresh, ev.fresh...)
	}
	var over []func(State) (bool, error)
	for i := range m.instances {
		over = append(over, m.of(c, i, nil, fresh))
	}
	return func(s State) (bool, error) {
		for _, holds := range over {
			if ok, err := holds(s); err != nil {
				return false, err
			} else if !ok {
				return m.changes(s)
			}
		}
		return true, nil
	}
}

// changes reports whether some step changes s.
func (m *Machine) changes(s State) (changed bool, err error) {
	err = m.Steps(s, func(st Step) bool {
		changed = st.To != s
		return !changed
	})
	return changed, err
}

// usedUp returns the counters of the values that p's fair events make use of:
// an event without a fresh value can't be asked for.
func (m *Machine) usedUp(p *spec.Property) []freshArg {
	var out []freshArg
	for _, ev := range m.events {
		if slices.ContainsFunc(p.Fair, func(f *spec.Fairness) bool { return f.Event == ev.event }) {
			out = append(out, ev.fresh...)
		}
	}
	return out
}

// owed is fairness of one instance, and of one value of each argument that it
// is owed for apart.
type owed struct {
	explore.Fair[Label]
	of *spec.Fairness
}

// fairness returns what p asks to be fair, apart for each instance and for each
// value that is owed it apart.
func (m *Machine) fairness(p *spec.Property) ([]owed, error) {
	var out []owed
	for _, f := range p.Fair {
		var at []int // the places of f.Each among the arguments
		var dims [][]uint64
		for _, a := range f.Each {
			values, err := m.arguments(a)
			if err != nil {
				return nil, err
			}
			at, dims = append(at, slices.Index(f.Event.Args, a)), append(dims, values)
		}
		for i := range m.instances {
			each(dims, func(choice []uint64) {
				choice = slices.Clone(choice)
				out = append(out, owed{explore.Fair[Label]{Name: f.String(), Strong: f.Strong, Of: func(l Label) bool {
					if l.Event.Event != f.Event || l.Instance != i || f.Row != nil && l.Row != f.Row {
						return false
					}
					for j, arg := range at {
						if l.Args[arg] != choice[j] {
							return false
						}
					}
					return true
				}}, f})
			})
		}
	}
	return out, nil
}
