// Package verify puts a table before every authority there is: the explorer on
// the interpreted table, TLC on the generated model, and the graphs of both and
// of the generated Go against each other.
package verify

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/trace"
	"github.com/interlock-go/interlock/spec"
)

// Report is what the explorer says of one model.
type Report = explore.Report[interp.State, interp.Label]

// Search is one model of a table, explored as a whole.
type Search struct {
	Model   *spec.Model
	Machine *interp.Machine
	Report  *Report
	Elapsed time.Duration

	Premises map[interp.Premise]bool // of the properties that were judged: which were met
}

// Option changes how Explore works.
type Option func(*explore.Options[interp.State, interp.Label])

// Progress has f told now and then how far a search is.
func Progress(f func(explore.Progress)) Option {
	return func(o *explore.Options[interp.State, interp.Label]) { o.Progress = f }
}

// Explore searches one model and judges the given properties, each by itself.
// An error is one of the model's sizes, or ctx's.
func Explore(ctx context.Context, t *spec.Table, m *spec.Model, props []*spec.Property, opts ...Option) (*Search, error) {
	machine, err := interp.New(t, m)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", m.Name, err)
	}
	return ExploreMachine(ctx, machine, props, opts...)
}

// ExploreMachine is Explore for a machine that was made already.
func ExploreMachine(ctx context.Context, machine *interp.Machine, props []*spec.Property, opts ...Option) (*Search, error) {
	t, m := machine.Table(), machine.Model()
	var err error
	var judged []interp.Property
	if len(props) > 0 { // without a list it would be all
		if judged, err = interp.Properties(machine, props...); err != nil {
			return nil, fmt.Errorf("model %s: %w", m.Name, err)
		}
	}
	premises, sought, err := interp.Premises(machine, props...)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", m.Name, err)
	}
	options := explore.Options[interp.State, interp.Label]{Properties: slices.Concat(judged, sought), Rows: len(t.Rows())}
	for _, o := range opts {
		o(&options)
	}
	fired := make([]int, len(t.Rows())) // of the sub-tables' rows, which the explorer doesn't know
	if len(t.Tables) > 0 {
		options.Visit = func(_ interp.State, st interp.Step) error {
			if then := st.Label.Then; then != nil && then.ID != interp.Nobody {
				fired[then.Index]++
			}
			return nil
		}
	}
	start := time.Now()
	report, err := explore.Run(ctx, machine, options)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", m.Name, err)
	}
	for i, n := range fired {
		report.Fired[i] += n
	}
	s := &Search{Model: m, Machine: machine, Report: report, Elapsed: time.Since(start), Premises: map[interp.Premise]bool{}}
	for i, r := range report.Properties[len(judged):] {
		s.Premises[premises[i]] = r.Verdict == explore.Reached
	}
	report.Properties = report.Properties[:len(judged):len(judged)]
	if report.Steps.Verdict.OK() {
		endings, err := interp.Endings(ctx, machine, true, props...)
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", m.Name, err)
		}
		report.Properties = append(report.Properties, endings...)
	}
	return s, nil
}

// NeedlessFairness returns those of the model's properties that hold without the
// fairness that they ask for, which then says nothing.
func (s *Search) NeedlessFairness(ctx context.Context) ([]string, error) {
	asking := slices.DeleteFunc(slices.Clone(s.Model.Checks), func(p *spec.Property) bool { return len(p.Fair) == 0 })
	unfair, err := interp.Endings(ctx, s.Machine, false, asking...)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", s.Model.Name, err)
	}
	var out []string
	for _, r := range unfair {
		if r.Verdict == explore.Holds {
			out = append(out, r.Name)
		}
	}
	return out, nil
}

// Failing returns the results that aren't what their property claims: first
// those of properties, then reached never rows, then steps that can't be told.
func (s *Search) Failing() []interp.Result {
	var out []interp.Result
	for _, r := range slices.Concat(s.Report.Properties, []interp.Result{s.Report.Never, s.Report.Steps}) {
		if !r.Verdict.OK() {
			out = append(out, r)
		}
	}
	return out
}

// Control is a model without one of its assumptions: the property that is
// given it must fail there, or the assumption says nothing.
type Control struct {
	Model    *spec.Model
	Property *spec.Property
	Without  *spec.Assumption
}

// Controls returns the negative controls that a table asks for: one for each
// assumption of a model that a property of its checks is given.
func Controls(t *spec.Table) []Control {
	var out []Control
	for _, m := range t.Models {
		for _, p := range m.Checks {
			for _, a := range p.Given {
				if m.Assumes(a) {
					out = append(out, Control{Model: m, Property: p, Without: a})
				}
			}
		}
	}
	return out
}

// Weakened returns the control's model, without the assumption.
func (c Control) Weakened() *spec.Model { return c.Model.Without(c.Without, c.Property) }

// PropertyOf returns the property that a result's name belongs to, and nil for
// those that every search has.
func PropertyOf(t *spec.Table, name string) *spec.Property {
	for _, p := range t.Properties {
		if IsOf(name, p) {
			return p
		}
	}
	return nil
}

// Vacuous returns the premises that no search met, though the property is the
// job of its model: there the property says nothing.
func Vacuous(t *spec.Table, searches []*Search) []interp.Premise {
	met, asked := map[interp.Premise]bool{}, map[interp.Premise]bool{}
	for _, s := range searches {
		for p, is := range s.Premises {
			asked[p], met[p] = true, met[p] || is
		}
	}
	var out []interp.Premise
	for p := range asked {
		if !met[p] {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b interp.Premise) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.What, b.What))
	})
	return out
}

// NotEntered returns the states, the parts' included, to which no row leads
// that fired in one of the searches. Those in which the machine and its parts
// start aren't among them. Of a move of a list that is always empty it believes
// that it was made.
func NotEntered(t *spec.Table, searches []*Search) []*spec.State {
	entered := map[*spec.State]bool{}
	for _, r := range t.Rows() {
		if !slices.ContainsFunc(searches, func(s *Search) bool { return s.Report.Fired[r.Index] > 0 }) {
			continue
		}
		entered[r.To] = true
		for _, f := range r.Fire {
			entered[f.To] = true
		}
	}
	states := slices.Clone(t.States)
	for _, p := range t.Parts {
		states = append(states, p.States...)
	}
	return slices.DeleteFunc(states, func(s *spec.State) bool { return s.Initial || entered[s] })
}

// Unfired returns the checks and rows that decided nothing in any of the
// searches, never rows apart: those are to stay unreached.
func Unfired(t *spec.Table, searches []*Search) []*spec.Row {
	var out []*spec.Row
	for _, r := range t.Rows() {
		fired := slices.ContainsFunc(searches, func(s *Search) bool { return s.Report.Fired[r.Index] > 0 })
		if !fired && r.Outcome != spec.Never {
			out = append(out, r)
		}
	}
	return out
}

// Counterexamples returns the paths to what Failing says. A goal that isn't
// reached has none.
func (s *Search) Counterexamples() []*trace.Counterexample {
	var out []*trace.Counterexample
	for _, r := range s.Failing() {
		if c := trace.Of(s.Machine, r); c != nil {
			out = append(out, c)
		}
	}
	return out
}
