// Package verify puts a table before every authority there is: the explorer on
// the interpreted table, TLC on the generated model, and the graphs of both and
// of the generated Go against each other.
package verify

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/trace"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// Report is what the explorer says of one model.
type Report = explore.Report[interp.State, interp.Label]

// Search is one model of a table, explored as a whole.
type Search struct {
	Model   *spec.Model
	Machine *interp.Machine
	Report  *Report
	Elapsed time.Duration

	Premises map[interp.Premise]bool       // of the properties that were judged: which were met
	Varies   map[*expr.Symbol]bool         // of each variable: whether it ever had another value than at the start
	Breaks   map[interp.Part]interp.Breaks // of the properties that were judged; nil until Weigh
	Weighed  []Weighed                     // those that speak of behaviours without end; nil until Weigh

	pinned     []*expr.Symbol     // ghosts that an invariant keeps as they are at the start; nil until Weigh
	behaviours *interp.Behaviours // nil: no property speaks of them
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
	vars, varying := interp.Varying(machine)
	options := explore.Options[interp.State, interp.Label]{Properties: slices.Concat(judged, sought, varying), Rows: len(t.Rows())}
	fired := make([]int, len(t.Rows())) // of the sub-tables' rows, which the explorer doesn't know
	if len(t.Tables) > 0 {
		options.Visit = func(_ interp.State, st interp.Step) error {
			if then := st.Label.Then; then != nil && !interp.IsNobody(then) {
				fired[then.Index]++
			}
			return nil
		}
	}
	for _, o := range opts {
		o(&options)
	}
	start := time.Now()
	report, err := explore.Run(ctx, machine, options)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", m.Name, err)
	}
	for i, n := range fired {
		report.Fired[i] += n
	}
	s := &Search{
		Model: m, Machine: machine, Report: report, Elapsed: time.Since(start),
		Premises: map[interp.Premise]bool{}, Varies: map[*expr.Symbol]bool{},
	}
	rest := report.Properties[len(judged):]
	for i, p := range premises {
		s.Premises[p] = s.Premises[p] || rest[i].Verdict == explore.Reached
	}
	for i, v := range vars {
		s.Varies[v] = rest[len(premises)+i].Verdict == explore.Reached
	}
	report.Properties = report.Properties[:len(judged):len(judged)]
	if report.Steps.Verdict.OK() && slices.ContainsFunc(props, isEventually) {
		if s.behaviours, err = interp.BehavioursOf(ctx, machine); err != nil {
			return nil, fmt.Errorf("model %s: %w", m.Name, err)
		}
		endings, err := s.behaviours.Judge(ctx, true, props...)
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", m.Name, err)
		}
		report.Properties = append(report.Properties, endings...)
	}
	return s, nil
}

func isEventually(p *spec.Property) bool { return p.Kind == spec.Eventually }

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
