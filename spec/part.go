package spec

import (
	"slices"

	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// Part is a kind of thing that one machine has many of, as a session has
// tickets: a record for each value of Key, of a state and variables. A record
// that was never touched, or was forgotten, is as at the start: the first
// state, and each variable's value at the start. A program keeps only the
// records that aren't.
type Part struct {
	Name   string
	Doc    string
	Index  int
	Key    *expr.Type     // an identity or serial; expressions read tickets(t).state, tickets(t).asked
	Sym    *expr.Symbol   // SymPart: "tickets", of type Key
	State  *expr.Symbol   // SymField "state", Index 0; its Type is an enumeration of the states, named like TicketState
	States []*State       // the first one is Initial
	Groups []*expr.Symbol // SymGroup, of type set(TicketState)
	Vars   []*Var         // SymField, Index from 1
	Moves  []*PartMove
	Memory *Memory // which parts that came to an end are kept; nil: parts are never forgotten
	Pos    diag.Pos
}

// Fields returns the symbols of a record: the state, then the variables.
func (p *Part) Fields() []*expr.Symbol {
	out := []*expr.Symbol{p.State}
	for _, v := range p.Vars {
		out = append(out, v.Sym)
	}
	return out
}

// IsKey reports whether values of typ name parts. In an optional, a set or a
// list such a value is never the origin, which names none.
func (t *Table) IsKey(typ *expr.Type) bool {
	return slices.ContainsFunc(t.Parts, func(p *Part) bool { return p.Key == typ })
}

// PartMove is a way for a part to change its state: no row may change it
// otherwise.
type PartMove struct {
	Part    *Part
	Name    string
	Doc     string
	Index   int          // among the part's moves
	From    []int        // indices of Part.States, ascending; never nil
	FromSrc []string     // as written: names of states and groups
	To      []int        // ascending; with several the row says which, Fire.To; nil: the state stays
	ToSrc   []string     // as written
	It      *expr.Symbol // SymBound "it", of type Part.Key: what Set's right sides read by it.x, as OpField of It
	Set     []*Assign    // of the moved part's variables, Key is It; right sides read the state before the step
	Pos     diag.Pos
}

// Fire is a use of a move by a row. The fires of a row, then those of its
// sub-row, take place in the order written, each on what the ones before it
// left; all expressions still read the state before the step. A part that
// isn't in From when its turn comes is an error of the table, which search
// finds.
type Fire struct {
	Move *PartMove
	To   *State // the state after it; nil: it stays
	// On says which parts: a Key (one), an optional of it (that one, or none)
	// or a list of it (each, in the list's order).
	On      *expr.Node
	Src     string // On as written
	Subject bool   // written as to: {ticket: cancelled}, of the event's subject
	Pos     diag.Pos
}

// Memory is what a machine keeps of parts that came to an end. A part whose
// state comes to be one of States is appended to List; while List then holds
// more than Most, its first part is forgotten, which leaves List and is as at
// the start. No row sets List. Within a step this comes after all fires, the
// sub-row's included; parts are appended in the order of the fires.
type Memory struct {
	States    []int // ascending
	StatesSrc []string
	List      *Var       // a variable of the machine, among Table.Vars, of type list(Key)
	Most      *expr.Node // a number: a literal or a constant; the bound of List's type too
	MostSrc   string
	Pos       diag.Pos
}

// SubTable is a table of rows that events go on with (Row.Then): of its rows
// exactly one applies in every state, to the machine without regard to an
// event. A step is then decided by two rows, "end.failed+handOver.next". Both
// read the state before the step; the sub-row reads nothing that a row which
// names the table writes, and writes nothing that such a row writes, parts
// aside: its fires follow the row's, its effects too.
type SubTable struct {
	Name  string
	Doc   string
	Index int
	Rows  []*Row // outcomes move and never; without Event, Then and checks
	Pos   diag.Pos
}
