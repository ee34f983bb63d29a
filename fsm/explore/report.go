package explore

import (
	"fmt"
	"strings"
)

// Verdict is what a search found out about a property.
type Verdict uint8

const (
	Undecided  Verdict = iota // the search ended before it could tell
	Holds                     // of all states or steps, and all were seen
	Violated                  // the path ends in the state or step at which it is false
	Reached                   // the path ends in the state or step at which it is true
	NotReached                // by any state or step, and all were seen
	Error                     // it can't be told at the end of the path
)

var verdicts = [...]string{
	Undecided: "undecided", Holds: "holds", Violated: "violated",
	Reached: "reached", NotReached: "not reached", Error: "error",
}

// String returns the verdict in words.
func (v Verdict) String() string {
	if int(v) >= len(verdicts) {
		return fmt.Sprintf("Verdict(%d)", uint8(v))
	}
	return verdicts[v]
}

// OK reports whether the verdict is the one that the property claims.
func (v Verdict) OK() bool { return v == Holds || v == Reached }

// Result is the verdict on one property.
type Result[S comparable, L any] struct {
	Name    string
	Kind    Kind
	Verdict Verdict
	// Path is a shortest one to what decided the verdict, and nil for Holds,
	// NotReached and Undecided. It ends in the state that was judged, or in
	// the step.
	Path *Path[S, L]
	Err  error // of Error

	// Endless is the behaviour that breaks a claim about behaviours without
	// end, of which Path is the way into its loop. It is nil for all others.
	Endless *Lasso[S, L]
}

// Report is what a search found.
type Report[S comparable, L any] struct {
	Complete bool // every reachable state and step was seen
	Inits    int  // distinct initial states
	States   int  // distinct states, initial ones included
	Edges    int  // all steps; TLC's "states generated" is Inits + Edges
	Moves    int  // steps whose two states differ
	Depth    int  // steps on the shortest path to the farthest state
	// Fired is how often each row decided a step, by its index. It is as long
	// as Options.Rows, or longer where a higher index was met.
	Fired []int

	Properties []Result[S, L] // in the order of Options.Properties
	Never      Result[S, L]   // no step is of kind fsm.Internal; the last step of its path names the row
	Deadlock   *Result[S, L]  // some step changes the state; nil if Options.Deadlock wasn't set
	Steps      Result[S, L]   // the system could tell its steps in every state
}

// OK reports whether every verdict is the one that its property claims. A
// search that isn't complete is never OK: Steps is undecided then, or worse.
func (r *Report[S, L]) OK() bool {
	for _, res := range r.results() {
		if !res.Verdict.OK() {
			return false
		}
	}
	return true
}

// results returns the verdicts on the properties, then those that every
// system gets.
func (r *Report[S, L]) results() []*Result[S, L] {
	var all []*Result[S, L]
	for i := range r.Properties {
		all = append(all, &r.Properties[i])
	}
	all = append(all, &r.Never)
	if r.Deadlock != nil {
		all = append(all, r.Deadlock)
	}
	return append(all, &r.Steps)
}

// String returns the counts, then a line for each verdict with its path
// indented under it. It is the same text on every run if fmt prints states and
// labels the same.
func (r *Report[S, L]) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d states (%d initial), %d steps, %d of them moves, depth %d", r.States, r.Inits, r.Edges, r.Moves, r.Depth)
	if !r.Complete {
		b.WriteString(", incomplete")
	}
	b.WriteByte('\n')
	for _, res := range r.results() {
		fmt.Fprintf(&b, "%s: %v", res.Name, res.Verdict)
		if res.Err != nil {
			fmt.Fprintf(&b, ": %v", res.Err)
		}
		b.WriteByte('\n')
		if res.Path != nil {
			for line := range strings.Lines(res.Path.String()) {
				b.WriteString("  " + line)
			}
		}
	}
	return b.String()
}
