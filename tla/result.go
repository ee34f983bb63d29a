package tla

import (
	"fmt"
	"time"
)

// Kind says what a run came to: [OK], one of the violations, or one of the
// failures, in which TLC reached no verdict.
type Kind uint8

// The kinds. The comments name TLC's exit codes, which are coarser: a violated
// action property has the code of a liveness property, and 12 is all of safety.
const (
	// Unknown is the zero Kind; no run ends with it.
	Unknown Kind = iota
	// OK: the whole state space was searched and nothing was found (0).
	OK

	// Invariant: a state breaks an INVARIANT, or a PROPERTY of the form []P
	// with a state predicate P (12).
	Invariant
	// ActionProperty: a step breaks a PROPERTY of the form [][A]_vars (13).
	ActionProperty
	// StateProperty: an initial state breaks a PROPERTY that is a bare state
	// predicate (13).
	StateProperty
	// TemporalProperty: a behaviour breaks a liveness PROPERTY (13).
	TemporalProperty
	// Deadlock: a state has no successor (11). TLC stops there, so liveness
	// was not looked at.
	Deadlock
	// Assumption: an ASSUME is false (10).
	Assumption
	// Assertion: an Assert(..) of the model is false (14; 76 in an invariant).
	Assertion

	// EvalError: an expression has no value, such as a function outside its
	// domain, an overflow or an unassigned variable (75-77, at times 255).
	EvalError
	// ParseError: a module has a syntax or semantic error (150).
	ParseError
	// ConfigError: the cfg is wrong or doesn't fit the module (151, at times 255).
	ConfigError
	// OutOfMemory: the heap is too small for the model.
	OutOfMemory
	// TimedOut: the run was stopped after Config.Timeout.
	TimedOut
	// Crashed: anything else, such as a JVM that doesn't start.
	Crashed
)

var kindNames = [...]string{
	Unknown: "unknown", OK: "ok",
	Invariant: "invariant", ActionProperty: "action property", StateProperty: "state property",
	TemporalProperty: "temporal property", Deadlock: "deadlock", Assumption: "assumption", Assertion: "assertion",
	EvalError: "evaluation error", ParseError: "parse error", ConfigError: "config error",
	OutOfMemory: "out of memory", TimedOut: "timed out", Crashed: "crashed",
}

// String returns the kind in lower-case words, such as "action property".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Violated says whether the model breaks what it promises.
func (k Kind) Violated() bool { return k >= Invariant && k <= Assertion }

// Failed says whether TLC reached no verdict on the model.
func (k Kind) Failed() bool { return k == Unknown || k >= EvalError }

// Position is a place in a module. Lines and columns count from 1; what TLC
// didn't tell is zero or "".
type Position struct {
	Module          string
	Line, Col       int
	EndLine, EndCol int
}

// IsValid says whether TLC told a line.
func (p Position) IsValid() bool { return p.Line > 0 }

// String returns "Module:line:col", or "" for no position.
func (p Position) String() string {
	if !p.IsValid() {
		return ""
	}
	s := fmt.Sprintf("%d", p.Line)
	if p.Module != "" {
		s = p.Module + ":" + s
	}
	if p.Col > 0 {
		s += fmt.Sprintf(":%d", p.Col)
	}
	return s
}

// Verdict is what a run came to.
type Verdict struct {
	Kind Kind

	// Name is the invariant's or property's name as TLC's log has it. The
	// pinned version doesn't say which temporal property was violated: Name
	// is then the one that can be meant (see [Config].Temporal), or "". For a
	// conjunct of a property that is a conjunction TLC knows no name but a
	// location, and Name is that ("line 8, col 28 to line 8, col 42 of module
	// M"). An EvalError while an invariant was evaluated has the invariant's
	// name.
	Name string

	// Initial says that an initial state is the culprit.
	Initial bool

	// Message is TLC's text without its boilerplate, perhaps of several
	// lines; for OK it is "".
	Message string

	// At is where the trouble is: of an EvalError the innermost expression,
	// of a ParseError the first complaint, of an Assumption the assumption.
	At Position
}

// String returns a line such as "ok", "invariant TypeOK is violated" or
// "evaluation error at M:3:5: message".
func (v Verdict) String() string {
	switch {
	case v.Kind == OK:
		return "ok"
	case v.Kind == Deadlock:
		return "deadlock"
	case v.Kind.Violated():
		what := v.Kind.String()
		if v.Name != "" {
			what += " " + v.Name
		} else if v.At.IsValid() {
			what += " at " + v.At.String()
		}
		if v.Initial {
			return what + " is violated by an initial state"
		}
		return what + " is violated"
	}
	s := v.Kind.String()
	if v.At.IsValid() {
		s += " at " + v.At.String()
	}
	if v.Message != "" {
		s += ": " + v.Message
	}
	return s
}

// Result is what TLC said in one run.
type Result struct {
	// Version is TLC's, such as "2.18 of 20 March 2023".
	Version string
	// ExitCode is the process's, -1 if it was killed.
	ExitCode int
	// Verdict is read from the log; the exit code only has to agree.
	Verdict Verdict

	// Generated counts states as often as they were reached, Distinct counts
	// them once. Zero if TLC stopped before it counted (as it does when an
	// initial state breaks an invariant); of a run that was stopped, the
	// last progress report's numbers.
	Generated, Distinct int64
	// InitGenerated and Init are the same for initial states. Generated -
	// InitGenerated is the number of steps.
	InitGenerated, Init int64

	// Coverage has an entry an action, in TLC's order, if Config.Coverage.
	// The initial predicate comes first.
	Coverage Coverage

	// Judged names the invariants that TLC judged, in the cfg's order, if
	// Config.Coverage. It never names a PROPERTY that holds.
	Judged []string

	// Trace is the counterexample of a violation, or the behaviour that led
	// to an EvalError; empty if there is none.
	Trace Trace

	// Graph is the state graph, if Config.Dump and TLC got so far.
	Graph *Graph

	// Warnings are TLC's own, and what of the log couldn't be understood.
	Warnings []string

	// Elapsed is the whole run's wall time, the JVM's start included.
	Elapsed time.Duration
}

// Steps returns how many steps TLC took: the edges of the state graph,
// parallel ones and self-loops included, if the run was OK and the cfg has no
// CONSTRAINT.
func (r *Result) Steps() int64 { return r.Generated - r.InitGenerated }

// Trace is a behaviour. A counterexample to liveness is infinite: its last
// state is followed by state BackTo again, or it stutters there for ever.
type Trace struct {
	States []State
	// BackTo is the number of the state that follows the last one, 0 if none.
	BackTo int
	// BackAction is the action of that step.
	BackAction string
	// Stuttering says that the last state repeats for ever.
	Stuttering bool
}

// State is one state of a trace.
type State struct {
	// Number counts from 1.
	Number int
	// Action is the operator whose step led here, "Initial predicate" for
	// the first state. See the package comment on what TLC takes for it.
	Action string
	// At is the step's formula.
	At Position
	// Vars are in TLC's order. A variable that the step forgot has the model
	// value null.
	Vars []Var
}

// Var is a variable and its value.
type Var struct {
	Name  string
	Value Value
}

// Get returns the variable's value, and whether there is one.
func (s State) Get(name string) (Value, bool) { return get(s.Vars, name) }

func get(vars []Var, name string) (Value, bool) {
	for _, v := range vars {
		if v.Name == name {
			return v.Value, true
		}
	}
	return Value{}, false
}

// Covered is how often an action fired.
type Covered struct {
	Name string
	// At is the operator's definition.
	At Position
	// Init says that this is the initial predicate.
	Init bool
	// Distinct counts the new states that it led to, Generated all its steps.
	// With temporal properties TLC over-counts: trust zero only.
	Distinct, Generated int64
}

// Coverage is the actions' counts. An action that is reached over several
// paths of the model has an entry for each.
type Coverage []Covered

// Generated returns how often the action called name fired, over all its
// entries, and whether TLC knows such an action.
func (c Coverage) Generated(name string) (n int64, ok bool) {
	for _, a := range c {
		if a.Name == name {
			n, ok = n+a.Generated, true
		}
	}
	return n, ok
}
