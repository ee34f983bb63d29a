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

// The codes of the coordinator of sessions.
const (
	ErrCoordinatorClosed  Code = "COORDINATOR_CLOSED"  // the refusal's Reason says why
	ErrTooManySessions    Code = "TOO_MANY_SESSIONS"   // and this would be a new one
	ErrSessionClosed      Code = "SESSION_CLOSED"      // the refusal's Reason says why
	ErrDuplicateExecution Code = "DUPLICATE_EXECUTION" // of a ticket that lives or is remembered
	ErrQueueFull          Code = "QUEUE_FULL"          // the newcomer is refused; those that wait stay
	ErrForeignTicket      Code = "FOREIGN_TICKET"      // whatever its ids
	ErrStillQueued        Code = "STILL_QUEUED"        // it can be cancelled, not ended
	ErrTicketOrphaned     Code = "TICKET_ORPHANED"     // only where a store keeps the queue
	ErrNoSuchSession      Code = "NO_SUCH_SESSION"     // nothing was submitted to it, or it was forgotten
	ErrNoSuchTicket       Code = "NO_SUCH_TICKET"      // another ticket has this execution id
	ErrNotWaiting         Code = "NOT_WAITING"         // it runs, has ended, or never was
	ErrNotRunning         Code = "NOT_RUNNING"         // it waits, has ended, or never was
	ErrNotOwner           Code = "NOT_OWNER"           // its kind and id must both be the submitter's
	ErrInvalidArgument    Code = "INVALID_ARGUMENT"    // the refusal's Argument says which
)

// The codes of an agent server's sessions.
const (
	ErrSessionAlreadyRunning Code = "SESSION_ALREADY_RUNNING" // a run of ours owns the session
	ErrAbortPending          Code = "ABORT_PENDING"           // an abort is still on its way
	ErrConfirmRequired       Code = "CONFIRM_REQUIRED"        // a person must confirm; the refusal's Session says why
	ErrNotAbortable          Code = "NOT_ABORTABLE"           // nothing of ours runs in the session
)

// The codes of a WaitError, which is no refusal.
const (
	ErrAdmissionCancelled Code = "ADMISSION_CANCELLED" // the ticket was cancelled, before it ran or since
	ErrAdmissionTimedOut  Code = "ADMISSION_TIMED_OUT" // by this very wait
	ErrEndedBeforeWait    Code = "ENDED_BEFORE_WAIT"   // the ticket ran, and has completed or failed
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

	ErrCoordinatorClosed:  "the coordinator takes no more work",
	ErrTooManySessions:    "no further session fits",
	ErrSessionClosed:      "the session takes no more work",
	ErrDuplicateExecution: "this execution id was used in the session",
	ErrQueueFull:          "as many wait as the cap allows",
	ErrForeignTicket:      "the ticket is another coordinator's",
	ErrStillQueued:        "it hasn't been admitted yet",
	ErrTicketOrphaned:     "its process was lost, and this handle acts on it no more",
	ErrNoSuchSession:      "there is no such session",
	ErrNoSuchTicket:       "no ticket has this serial number and execution id",
	ErrNotWaiting:         "no such ticket waits",
	ErrNotRunning:         "it doesn't run",
	ErrNotOwner:           "it is another's ticket",
	ErrInvalidArgument:    "an argument is missing or wrong",

	ErrSessionAlreadyRunning: "a run of ours owns this session",
	ErrAbortPending:          "an abort is still on its way, and may hit what runs next",
	ErrConfirmRequired:       "whether something runs here can't be known: a person must say so",
	ErrNotAbortable:          "nothing of ours runs here",

	ErrAdmissionCancelled: "it was cancelled, so the wait ends",
	ErrAdmissionTimedOut:  "it wasn't admitted in time, and is cancelled",
	ErrEndedBeforeWait:    "it ended before anybody looked",

	ErrStoreUncertain: "nobody knows whether the store has written",
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
	Machine  string `json:"machine"`            // the table that decided: lane, queue or session
	Row      string `json:"row"`                // its row, as in claim.busy; shell.label and the like where none was asked
	State    string `json:"-"`                  // where the machine was; empty if it was never looked at
	Event    string `json:"-"`                  // the event, as the table names it; of a wait and a subscription, which are none, the call
	Occupant *View  `json:"occupant,omitempty"` // of PROJECT_BUSY: who owns the lane; a copy
	Argument string `json:"argument,omitempty"` // of INVALID_ARGUMENT: its name
	Reason   string `json:"reason,omitempty"`   // of COORDINATOR_CLOSED and SESSION_CLOSED: why it was closed

	Session *SessionView `json:"session,omitempty"` // of what an agent server's session refuses: the session as it is
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
	if r.Reason != "" {
		b.WriteString(" (" + r.Reason + ")")
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
