package lanes

import (
	"encoding/json"
	"time"
)

// EventType says what an Event tells.
type EventType string

// The types of events.
const (
	EventTicketState        EventType = "execution_ticket_state"
	EventOwnerChanged       EventType = "execution_owner_changed"
	EventQueueChanged       EventType = "execution_queue_changed"
	EventInterruptRequested EventType = "execution_interrupt_requested"
	EventSessionClosed      EventType = "execution_session_closed"
	EventForceEnded         EventType = "execution_force_ended"
	EventSessionForgotten   EventType = "execution_session_forgotten"
	EventCoordinatorClosed  EventType = "execution_coordinator_closed"
	EventEventsDropped      EventType = "execution_events_dropped"
)

// Event is something that happened to a coordinator's sessions, with what is
// needed to draw it without asking back. It is a copy.
type Event struct {
	Type EventType

	// Seq is the number of the event: those of one coordinator are numbered from
	// 1 without a gap, in the order in which they happened. Of EventEventsDropped
	// it is the number of the last event that is missing.
	Seq uint64

	// At is when it happened, as the call that did it read the clock. Of two
	// calls at once the later one may have read it first: Seq is the order.
	At time.Time

	// Session is whose event it is; empty for EventCoordinatorClosed and
	// EventEventsDropped.
	Session string

	// Ticket is the one that an EventTicketState, EventInterruptRequested or
	// EventForceEnded is about; of EventOwnerChanged it is the one that runs
	// now, or nil.
	Ticket *TicketView

	// Previous is the ticket that ran before an EventOwnerChanged, or nil. Never
	// are both set: the place is nobody's in between.
	Previous *TicketView

	// Snapshot is the queue after an EventQueueChanged.
	Snapshot *Snapshot

	// Reason is why, where there is one: of a cancelled ticket, of an interrupt,
	// a closing or an end by force; of EventOwnerChanged "admitted", or the state
	// that the previous ticket ended in.
	Reason string

	// Dropped is how many events are missing here, of EventEventsDropped.
	Dropped uint64
}

// part copies what e shares with others.
func (e *Event) part() {
	if e.Ticket != nil {
		v := *e.Ticket
		v.part()
		e.Ticket = &v
	}
	if e.Previous != nil {
		v := *e.Previous
		v.part()
		e.Previous = &v
	}
	if e.Snapshot != nil {
		s := *e.Snapshot
		s.part()
		e.Snapshot = &s
	}
}

// eventJSON is what all events have; sessionJSON, what those of a session have.
type eventJSON struct {
	Type EventType `json:"type"`
	At   seconds   `json:"at"`
	Seq  uint64    `json:"seq"`
}

type sessionJSON struct {
	eventJSON
	Session string `json:"session_id"`
	Root    string `json:"root_frame_id"`
}

// MarshalJSON returns an object with type, at and seq, and what the type has
// besides: a ticket's fields and reason, or a snapshot's, or the ids and owners
// of who is meant.
func (e Event) MarshalJSON() ([]byte, error) {
	common := eventJSON{e.Type, seconds(e.At), e.Seq}
	session := sessionJSON{common, e.Session, e.Session}
	reason := set(e.Reason, e.Reason != "")
	switch {
	case e.Type == EventTicketState && e.Ticket != nil:
		return json.Marshal(struct {
			eventJSON
			ticketJSON
			Reason *string `json:"reason,omitempty"`
		}{common, e.Ticket.json(), reason})
	case e.Type == EventQueueChanged && e.Snapshot != nil:
		return json.Marshal(struct {
			eventJSON
			snapshotJSON
		}{common, e.Snapshot.json()})
	case e.Type == EventOwnerChanged:
		previous, previousOwner := e.Previous.named()
		current, owner := e.Ticket.named()
		return json.Marshal(struct {
			sessionJSON
			Previous      *string `json:"previous_execution_id"`
			PreviousOwner *Owner  `json:"previous_owner"`
			Execution     *string `json:"execution_id"`
			Owner         *Owner  `json:"owner"`
			Reason        *string `json:"reason"`
		}{session, previous, previousOwner, current, owner, reason})
	case e.Type == EventInterruptRequested || e.Type == EventForceEnded:
		execution, owner := e.Ticket.named()
		var status TicketState
		if e.Ticket != nil {
			status = e.Ticket.State
		}
		return json.Marshal(struct {
			sessionJSON
			Execution *string     `json:"execution_id"`
			Owner     *Owner      `json:"owner"`
			Status    TicketState `json:"status"`
			Reason    *string     `json:"reason"`
		}{session, execution, owner, status, reason})
	case e.Type == EventSessionClosed:
		return json.Marshal(struct {
			sessionJSON
			Reason *string `json:"reason"`
		}{session, reason})
	case e.Type == EventCoordinatorClosed:
		return json.Marshal(struct {
			eventJSON
			Reason *string `json:"reason"`
		}{common, reason})
	case e.Type == EventEventsDropped:
		return json.Marshal(struct {
			eventJSON
			Dropped uint64 `json:"count"`
		}{common, e.Dropped})
	}
	return json.Marshal(session)
}

// named returns who v is for JSON, and nothing for nil.
func (v *TicketView) named() (*string, *Owner) {
	if v == nil {
		return nil, nil
	}
	return &v.Execution, &v.Owner
}
