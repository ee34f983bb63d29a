package lanes

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
)

// Ticket is what a caller of Submit shows to wait for its turn and to end it.
// Only Submit makes one; a copy of it is the same ticket. The zero Ticket is
// none.
//
// Its token is never shown: however a ticket is formatted, logged or encoded, by
// itself or within other values, only its session and execution id can be seen.
// It can't be decoded either: one that went through JSON is the zero Ticket.
//
// A ticket that has ended keeps its state as long as anybody has it, also when
// its session is forgotten.
type Ticket struct {
	// As in Lease: a slice without elements, which fmt prints as [].
	token []execution
}

// execution returns what t is a ticket of, and nil for the zero Ticket.
func (t Ticket) execution() *execution {
	if t.IsZero() {
		return nil
	}
	return &t.token[:1][0]
}

// IsZero reports whether t is the zero Ticket.
func (t Ticket) IsZero() bool { return cap(t.token) == 0 }

// Equal reports whether t and other are copies of one ticket.
func (t Ticket) Equal(other Ticket) bool { return t.execution() == other.execution() }

// Session returns the id of the session that t was submitted to.
func (t Ticket) Session() string {
	if t.IsZero() {
		return ""
	}
	return t.execution().session
}

// Execution returns t's execution id.
func (t Ticket) Execution() string {
	if t.IsZero() {
		return ""
	}
	return t.execution().id
}

// Owner returns who submitted t.
func (t Ticket) Owner() Owner {
	if t.IsZero() {
		return Owner{}
	}
	return t.execution().owner
}

// Serial returns t's serial number: of two tickets of one coordinator the one
// that was submitted later has the higher one, and none is used again. The zero
// Ticket's is 0.
func (t Ticket) Serial() uint64 {
	if t.IsZero() {
		return 0
	}
	return uint64(t.execution().number)
}

// View returns what can be seen of t now.
func (t Ticket) View() TicketView {
	if t.IsZero() {
		return TicketView{Position: NoPosition}
	}
	return t.execution().look()
}

// Cancelled returns a channel that is closed once t's cancellation is
// requested, and stays closed: by an interrupt, by a cancel while it waits, by
// the end of a wait, by the closing of its session, or by force. If t ends
// otherwise it is never closed. The zero Ticket's is nil.
func (t Ticket) Cancelled() <-chan struct{} {
	if t.IsZero() {
		return nil
	}
	return t.execution().signalled()
}

// CancelRequested reports whether t's cancellation was requested, and why.
func (t Ticket) CancelRequested() (reason string, requested bool) {
	if t.IsZero() {
		return "", false
	}
	x := t.execution()
	x.coordinator.mu.Lock()
	defer x.coordinator.mu.Unlock()
	return x.reason, x.asked
}

// String returns t's session and execution id, as in ticket(chat-7/run-1).
func (t Ticket) String() string {
	if t.IsZero() {
		return "ticket()"
	}
	return "ticket(" + t.Session() + "/" + t.Execution() + ")"
}

// Format writes String whatever the verb, so that none shows the token.
func (t Ticket) Format(f fmt.State, _ rune) { io.WriteString(f, t.String()) }

// LogValue returns t's session and execution id.
func (t Ticket) LogValue() slog.Value {
	return slog.GroupValue(slog.String("session_id", t.Session()), slog.String("execution_id", t.Execution()))
}

// MarshalJSON returns an object with t's session and execution id.
func (t Ticket) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Session   string `json:"session_id"`
		Execution string `json:"execution_id"`
	}{t.Session(), t.Execution()})
}

// MarshalText returns String.
func (t Ticket) MarshalText() ([]byte, error) { return []byte(t.String()), nil }
