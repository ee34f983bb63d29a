package lanes

import (
	"strings"

	"github.com/interlock-go/interlock/fsm"
)

// Code is why a call was refused, as the tables write it. The codes are
// constants and errors: errors.Is(err, ErrProjectBusy) asks for one.
type Code string

// The codes of project lanes.
const (
	ErrProjectBusy     Code = "PROJECT_BUSY"      // another run owns the lane; the refusal's Occupant says which
	ErrLeaseNotCurrent Code = "LEASE_NOT_CURRENT" // the lease doesn't own the lane, or no longer
	ErrInvalidLease    Code = "INVALID_LEASE"     // the lease is the zero Lease
	ErrInvalidOutcome  Code = "INVALID_OUTCOME"   // the outcome isn't one of the four
	ErrInvalidLabel    Code = "INVALID_LABEL"     // a project or run isn't a label
)

// ErrStoreUncertain is no refusal: the store was asked to write, and nobody
// knows whether it did. A Store wraps it, and so do the calls that it fails.
const ErrStoreUncertain Code = "STORE_UNCERTAIN"

// messages says in words what each code means; for codes of a table, as the
// table does.
var messages = map[Code]string{
	ErrProjectBusy:     "another run owns this lane",
	ErrLeaseNotCurrent: "this lease doesn't own the lane, or no longer",
	ErrInvalidLease:    "a lease is missing",
	ErrInvalidOutcome:  "the outcome isn't one of the four",
	ErrInvalidLabel:    "a label is 1 to 80 ASCII characters: a letter or digit, then letters, digits, dots, underscores and hyphens",
	ErrStoreUncertain:  "nobody knows whether the store has written",
}

// Error returns the code, and what it means in words.
func (c Code) Error() string {
	if m, ok := messages[c]; ok {
		return string(c) + ": " + m
	}
	return string(c)
}

// Refusal is a call that was refused: nothing has changed. errors.As finds it,
// and errors.Is finds its code.
//
// In JSON it has code, message, machine and row, and occupant where there is
// one.
type Refusal struct {
	Code     Code   `json:"code"`
	Message  string `json:"message"`            // for people; programs go by Code
	Machine  string `json:"machine"`            // the table that decided: lane
	Row      string `json:"row"`                // its row, as in claim.busy; shell.label for a label
	State    string `json:"-"`                  // where the machine was; empty if it was never looked at
	Event    string `json:"-"`                  // the event, as the table names it
	Occupant *View  `json:"occupant,omitempty"` // of PROJECT_BUSY: who owns the lane; a copy
}

// Error says what was refused, and why.
func (r *Refusal) Error() string {
	var b strings.Builder
	b.WriteString("lanes: ")
	b.WriteString(r.Event)
	b.WriteString(" refused: ")
	b.WriteString(string(r.Code))
	b.WriteString(": ")
	b.WriteString(r.Message)
	if o := r.Occupant; o != nil {
		b.WriteString(" (project " + o.Project + ", run " + o.Run + ", " + string(o.State) + ")")
	}
	return b.String()
}

// Is reports whether target is r's code.
func (r *Refusal) Is(target error) bool {
	c, ok := target.(Code)
	return ok && c == r.Code
}

// refusal is what a table's row answered, in a machine that was in state.
func refusal(machine string, row fsm.Info, state string) *Refusal {
	event, _, _ := strings.Cut(row.Name, ".")
	code := Code(row.Code)
	return &Refusal{Code: code, Message: messages[code], Machine: machine, Row: row.Name, State: state, Event: event}
}
