// Package trace tells a counterexample, whoever found it, in the forms that
// people need: text, JSON, a Mermaid sequence diagram, a Go test of the
// generated code, and a script for "interlock replay".
package trace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
)

// Counterexample is a path of a model that ends in what a property forbids.
type Counterexample struct {
	Machine  *interp.Machine
	Path     *interp.Path
	Property string // its name, or that of a row that decides though it must never
	By       string // who found it: "explorer", "TLC"
	Err      error  // why the property can't be told at the end; nil: it is false there

	Endless *interp.Lasso // how a behaviour without end goes on behind Path; nil: Path is all
}

// Of returns the counterexample of a result of the explorer, or nil if it has
// no path that one could show.
func Of(m *interp.Machine, r interp.Result) *Counterexample {
	if r.Path == nil || r.Verdict.OK() {
		return nil
	}
	c := &Counterexample{Machine: m, Path: r.Path, Property: r.Name, By: "explorer", Err: r.Err, Endless: r.Endless}
	if f, err := c.failing(); err == nil && f.Never != nil {
		c.Property = f.Never.Name()
	}
	return c
}

// Form is how a counterexample is told.
type Form string

// The forms.
const (
	Text    Form = "text"
	JSON    Form = "json"
	Mermaid Form = "mermaid"
	Go      Form = "go"
	Script  Form = "script"
)

// Forms lists them.
var Forms = []Form{Text, JSON, Mermaid, Go, Script}

// Print tells c in a form. Module is the path of the module that the generated
// package is in; only Go needs it.
func (c *Counterexample) Print(form Form, module string) (string, error) {
	switch form {
	case Text:
		return c.text()
	case JSON:
		return c.json()
	case Mermaid:
		return c.mermaid()
	case Go:
		return c.goTest(module)
	case Script:
		return c.script()
	}
	return "", form.Known()
}

// Known returns an error that lists the forms, unless f is one of them.
func (f Form) Known() error {
	var names []string
	for _, known := range Forms {
		if f == known {
			return nil
		}
		names = append(names, string(known))
	}
	return fmt.Errorf("there is no format %q; there are %s", f, strings.Join(names, ", "))
}

// text is the trace in the table's words, then what fails.
func (c *Counterexample) text() (string, error) {
	verdict := explore.Violated
	if c.Err != nil {
		verdict = explore.Error
	}
	return c.Machine.Explain(interp.Result{Name: c.Property, Verdict: verdict, Path: c.Path, Err: c.Err, Endless: c.Endless}), nil
}

// why says what fails.
func (c *Counterexample) why() (string, error) {
	if c.Err != nil {
		return interp.CantTell(c.Property, c.Err), nil
	}
	f, err := c.failing()
	if err != nil {
		return "", err
	}
	return f.String(), nil
}

// allSteps returns all steps, those of a loop once.
func (c *Counterexample) allSteps() []interp.Step {
	if c.Endless == nil {
		return c.Path.Steps
	}
	return slices.Concat(c.Path.Steps, c.Endless.Loop)
}

func (c *Counterexample) failing() (*interp.Failing, error) {
	f, err := c.Machine.Failing(c.Property, c.Path)
	if err == nil && c.Endless != nil {
		f.Of = c.Endless.Name
	}
	return f, err
}

// before returns the state from which step i is taken.
func (c *Counterexample) before(i int) interp.State {
	if i == 0 {
		return c.Path.Init
	}
	return c.allSteps()[i-1].To
}

// instance returns what an instance is called, and "" where there is just one.
func (c *Counterexample) instance(i int) string {
	if c.Machine.Table().Per == "" || i < 0 {
		return ""
	}
	return interp.InstanceName(i)
}

// ofWorld reports whether a step is the world's, which the machine knows
// nothing of.
func ofWorld(t *spec.Table, e *spec.Event) bool {
	return e.Index >= len(t.Events) || t.Events[e.Index] != e
}

// Said returns a row's outcome with its code: "move", "refuse BUSY".
func Said(l *interp.Label) (outcome, code string) {
	r := l.Row
	if l.Then != nil && l.Then.Outcome == spec.Never {
		r = l.Then
	}
	return r.Outcome.String(), r.Code
}
