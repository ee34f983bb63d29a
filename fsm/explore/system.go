package explore

import (
	"fmt"
	"strings"

	"github.com/interlock-go/interlock/fsm"
)

// System is a machine together with everything that may happen to it. One
// search calls it from one goroutine.
type System[S comparable, L any] interface {
	// Init returns the states it may start in, in a fixed order. Repeated
	// ones count once.
	Init() []S
	// Steps gives each step from s to yield, in a fixed order, those that
	// change nothing included, and returns when there are no more or when
	// yield returns false. Properties and Options.Visit are called from within
	// yield, Steps itself never is. An error means that the steps from s can't be
	// told; the search ends there and reports it with the path to s.
	Steps(s S, yield func(Step[S, L]) bool) error
}

// Step is one step from a state. The state that it starts from isn't in it.
type Step[S comparable, L any] struct {
	Label L        // what happened, for people and for comparing graphs
	Row   int      // index of the row that decided it; negative: no row did, and none is counted
	Kind  fsm.Kind // what the machine says it did; Internal is always a violation
	To    S        // the state after it, that before it if nothing changes
}

// Path is a way through the system: a state to start in, then steps.
type Path[S comparable, L any] struct {
	Init  S
	Steps []Step[S, L]
}

// Last returns the state that the path ends in.
func (p *Path[S, L]) Last() S {
	if len(p.Steps) == 0 {
		return p.Init
	}
	return p.Steps[len(p.Steps)-1].To
}

// String returns a line for the first state and one for each step, states and
// labels as fmt prints them with %v.
func (p *Path[S, L]) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v\n", p.Init)
	for i, st := range p.Steps {
		fmt.Fprintf(&b, "%d. %v -> %v\n", i+1, st.Label, st.To)
	}
	return b.String()
}

// Kind is the form of a property.
type Kind uint8

const (
	Always    Kind = iota // true of every state, or of every step
	Sometimes             // true of at least one
)

// Property is a claim about all states or all steps that can be reached.
// Exactly one of State and Step is set. An error of either says that the claim
// can't be told there; it decides the property.
type Property[S comparable, L any] struct {
	Name  string
	Kind  Kind
	State func(s S) (bool, error)
	Step  func(from S, st Step[S, L]) (bool, error)
}
