package spec

import (
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// Table is a checked machine: every name is resolved, every expression typed,
// every cell decided by exactly one row. Slices are in the order of the source.
// It is read-only.
type Table struct {
	Path   string // as given to the reader, slashes forward
	Hash   string // sha256 of the source, and of its base's, in hex
	Base   string // name of the machine that this one changes; empty for most
	Name   string
	Doc    string
	Pos    diag.Pos // of Name
	Per    string   // what there is one machine of, as in "Project"; empty: there is just one
	PerPos diag.Pos

	Types   []*expr.Type // declared ones; control states are States.Type
	State   *expr.Symbol // "state"
	States  []*State
	Groups  []*expr.Symbol
	Params  []*expr.Symbol
	Vars    []*Var
	Shared  []*Var // variables that all instances share
	Ghosts  []*Var // variables of the world
	Answers []*Answer
	Effects []*Effect
	Defs    []*expr.Symbol
	Parts   []*Part     // what the machine has many of
	Tables  []*SubTable // that events' rows go on with
	Events  []*Event    // of the machine
	World   []*Event    // of the world
	Follows []*Follow
	Cells   []*Cell // of the machine's events, event by event, then of the sub-tables

	Assumptions []*Assumption
	Properties  []*Property
	Models      []*Model
	Record      []*Model // sizes at which the machine's steps are kept as data: of one instance, Alone

	Fails    string // name of the property that must fail; a rejected design
	FailsPos diag.Pos

	Warnings diag.List // what is of no use; empty for a rejected design, which keeps what its base needs
}

// State is a control state.
type State struct {
	Name    string
	Doc     string
	Index   int
	Initial bool
	Pos     diag.Pos
}

// Var is a variable with its value at the start: Init is nil for the default
// of its type (false, the lowest number, the first value, none, the empty set,
// the origin). Init may read variables that stand before it.
type Var struct {
	Sym  *expr.Symbol
	Init *expr.Node
	Any  bool // it may start with any value of its type; the default is the first one
}

// Answer is a code with its sentence.
type Answer struct {
	Code string
	Says string
	Pos  diag.Pos
}

// Effect is something that the shell does after a move was stored.
type Effect struct {
	Name string
	Args []*expr.Symbol
	Doc  string
	Pos  diag.Pos
}

// Outcome is what a row does.
type Outcome uint8

const (
	Move   Outcome = iota + 1 // accepted, the machine may change
	Stay                      // accepted, nothing changes
	Refuse                    // refused, nothing changes
	Ignore                    // of no concern, nothing changes
	Never                     // the author claims that this can't occur
)

var outcomes = [...]string{Move: "move", Stay: "stay", Refuse: "refuse", Ignore: "ignore", Never: "never"}

// String returns the outcome as the table writes it.
func (o Outcome) String() string { return outcomes[o] }

// Event is an event of the machine or of the world, with its decisions.
type Event struct {
	Name   string
	Args   []*Arg
	Of     *Part  // whose part, named by the first argument, is the event's subject, read by it.x; nil: there is none
	By     string // caller, timer, operator, environment; "world" for events of the world
	Doc    string
	Index  int
	Checks []*Row
	Rows   []*Row
	Can    *expr.Node // only then is it possible; nil: always
	CanSrc string
	Pos    diag.Pos

	partly bool // some of its arguments couldn't be read
}

// Arg is an argument of an event. A fresh one is a value never used before; a
// move uses it up.
type Arg struct {
	Sym   *expr.Symbol
	Fresh bool
	// Origin says that the argument, a serial or an optional one, may be the
	// origin: that is Go's zero value, and nothing answers it before the rows.
	Origin bool
}

// Decisions returns the checks, then the rows.
func (e *Event) Decisions() []*Row {
	return append(append([]*Row(nil), e.Checks...), e.Rows...)
}

// Signature returns the event as the table writes it, such as
// "claim(lease fresh Lease)".
func (e *Event) Signature() string {
	var args []string
	for _, a := range e.Args {
		s := a.Sym.Name + " "
		if a.Fresh {
			s += "fresh "
		}
		args = append(args, s+a.Sym.Type.String())
	}
	s := e.Name + "(" + strings.Join(args, ", ") + ")"
	if e.Of != nil {
		s += " of " + e.Of.Name
	}
	return s
}

// Subject returns the argument that names the part which the event is of, or
// nil. A fresh one is at its start: nobody has used it before.
func (e *Event) Subject() *Arg {
	if e.Of == nil {
		return nil
	}
	return e.Args[0]
}

// Row is one decision: a check or a row of an event, or a row of a sub-table.
type Row struct {
	ID          string    // within its event: "busy" of claim.busy
	Event       *Event    // nil: a row of Table
	Table       *SubTable // nil: a decision of Event
	Check       bool      // a check: ordered; holds only where none before it does
	Index       int       // among the rows of all events of the machine, then of the sub-tables, then of the world; checks first within an event
	From        []int     // indices of states, ascending; nil: any
	FromSrc     []string  // as written: names of states and groups
	PartFrom    []int     // indices of the subject's states, ascending; nil: any
	PartFromSrc []string  // as written
	When        []*Cond   // all of them hold
	Unless      []*Cond   // none of them does
	Why         string    // the reason, for people

	Outcome Outcome
	Code    string  // of stay, refuse and ignore
	Claim   string  // of never: the sentence
	To      *State  // of a move; nil: the state stays
	Fire    []*Fire // moves of parts, in order
	Forget  []*Part // after all fires every part of these is as at the start, and its memory empty
	Set     []*Assign
	Emit    []*Emit
	Then    *SubTable // goes on with a row of it, in the same step; nil: the step is complete
	Pos     diag.Pos
}

// Name returns the row's name everywhere: "claim.busy", "handOver.next".
func (r *Row) Name() string {
	if r.Table != nil {
		return r.Table.Name + "." + r.ID
	}
	return r.Event.Name + "." + r.ID
}

// Followed reports whether the world may follow r: what is refused or can't
// occur is without consequence.
func (r *Row) Followed() bool {
	return r.Outcome == Move || r.Outcome == Stay || r.Outcome == Ignore
}

// Cond is one item of when or unless.
type Cond struct {
	Expr *expr.Node
	Src  string // as written
	Says string // in words; empty: the source is shown
	Pos  diag.Pos
}

// Assign is an update: the right side reads the old state.
type Assign struct {
	Var  *expr.Symbol // of kind SymField: of the part that Key names
	Key  *expr.Node   // written as it.x or tickets(key).x; nil: Var is a variable of the machine or the world
	Expr *expr.Node
	Src  string
	Pos  diag.Pos
}

// Emit is an effect with its arguments, which read the old state. With Each it
// is sent once for each element of In, in order.
type Emit struct {
	Each   *expr.Symbol // SymBound; nil: it is sent once
	In     *expr.Node   // a list
	InSrc  string
	Effect *Effect
	Args   []*expr.Node
	Src    string
	Pos    diag.Pos
}

// Follow is what happens in the world with a row that isn't a refusal, with
// the moves, stays and ignores of an event, or with an effect. Exactly one of
// Row, Event and Effect is set.
// Updates read the old state and the arguments of the event, or of the effect.
type Follow struct {
	Row    *Row
	Event  *Event
	Effect *Effect
	Set    []*Assign
	Pos    diag.Pos
}

// Follows reports whether f goes with r, its effects aside.
func (f *Follow) Follows(r *Row) bool {
	return f.Row == r || f.Event != nil && f.Event == r.Event && r.Followed()
}

// Assumption restricts the world: the events On are accepted only where Only
// holds. One with All is short for those.
type Assumption struct {
	Name string
	On   []*Event
	Only *expr.Node
	Src  string
	All  []*Assumption
	Doc  string
	Pos  diag.Pos
}

// Parts returns what a stands for: itself, or those that it is short for, each
// once.
func (a *Assumption) Parts() []*Assumption {
	if len(a.All) == 0 {
		return []*Assumption{a}
	}
	var out []*Assumption
	for _, b := range a.All {
		for _, p := range b.Parts() {
			if !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// PropertyKind is the form of a property.
type PropertyKind uint8

const (
	Invariant  PropertyKind = iota + 1 // holds in every reachable state
	StepAlways                         // holds of steps: its clauses say of which
	Isolated                           // a step of one instance changes no answer of another
	Sometimes                          // each of its goals is reached
	Eventually                         // leads to, under fairness
	Ends                               // holds where nothing can change any more
)

// Property is a named claim.
type Property struct {
	Name  string
	Kind  PropertyKind
	Doc   string
	Given []*Assumption // the property must fail where one of them is dropped
	Pos   diag.Pos

	Holds   *expr.Node // of Invariant, Sometimes and Ends
	Src     string
	Clauses []*Clause // of StepAlways

	Each []*expr.Symbol // of Sometimes: one goal for each of their values; of Eventually: it holds for each of them
	On   *Event         // of Sometimes: a step of this event; nil: a state

	From    *expr.Node // of Eventually
	To      *expr.Node
	FromSrc string
	ToSrc   string
	Fair    []*Fairness
}

// ClauseKind says over which steps a clause of a step property ranges.
type ClauseKind uint8

const (
	After       ClauseKind = iota + 1 // moves and stays of Event
	AlwaysApart                       // moves and stays of every event, world's included, but those in Except
	Refused                           // refusals of Event
	Ignored                           // what Event ignores, of one Row
)

// Clause is one part of a step property. Its condition may read the state
// after the step by new.x, and the arguments of Event.
type Clause struct {
	Kind     ClauseKind
	Event    *Event
	Row      *Row // of After and Refused: only the steps that this row of Event decides; nil: all
	Answered bool // Src speaks of all answers of Event; Holds is what is left of it for those of Row
	Then     bool // Answered, and Holds may read which row of Row's sub-table decides
	Except   []*Event
	Holds    *expr.Node
	Src      string
	Pos      diag.Pos
}

// Model is one size for the engines.
type Model struct {
	Name      string
	Doc       string
	Instances int                // how many machines; 1 if there is no Per
	Sizes     map[*expr.Type]int // how many values an identity or serial has, origin not counted
	Params    []int              // a value each, in the order of Table.Params: 0 or 1 for bool
	Up        *Model             // the next size, where the table says it; nil: one more of each
	Alone     bool               // without the world: its events don't happen, and it restricts no argument
	Assume    []*Assumption      // none that is short for others
	Checks    []*Property        // that are this size's job
	Pos       diag.Pos
}

// Assumes reports whether m assumes all that a stands for.
func (m *Model) Assumes(a *Assumption) bool {
	return !slices.ContainsFunc(a.Parts(), func(p *Assumption) bool { return !slices.Contains(m.Assume, p) })
}

// Without returns m with only p to check, and without what a stands for.
func (m *Model) Without(a *Assumption, p *Property) *Model {
	weaker := *m
	weaker.Assume = slices.DeleteFunc(slices.Clone(m.Assume), func(b *Assumption) bool { return slices.Contains(a.Parts(), b) })
	weaker.Checks = []*Property{p}
	return &weaker
}

// Starts returns the variables that may start with any value of their type, in
// the order of the machine's, what is shared, the ghosts.
func (t *Table) Starts() []*Var {
	return slices.DeleteFunc(slices.Concat(t.Vars, t.Shared, t.Ghosts), func(v *Var) bool { return !v.Any })
}

// EventNamed returns the event of the machine or of the world with that name,
// or nil.
func (t *Table) EventNamed(name string) *Event {
	for _, es := range [][]*Event{t.Events, t.World} {
		for _, e := range es {
			if e.Name == name {
				return e
			}
		}
	}
	return nil
}

// Rows returns every check and row of the machine's events, of its sub-tables,
// then of the world, by Index.
func (t *Table) Rows() []*Row {
	var rows []*Row
	for _, e := range t.Events {
		rows = append(rows, e.Decisions()...)
	}
	for _, s := range t.Tables {
		rows = append(rows, s.Rows...)
	}
	for _, e := range t.World {
		rows = append(rows, e.Decisions()...)
	}
	return rows
}
