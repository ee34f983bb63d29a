package lanes

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// TicketState is where a ticket is.
type TicketState string

// The states of a ticket. Completed, failed and cancelled are final.
const (
	TicketQueued    TicketState = "queued"
	TicketRunning   TicketState = "running"
	TicketCompleted TicketState = "completed"
	TicketFailed    TicketState = "failed"
	TicketCancelled TicketState = "cancelled"
	TicketOrphaned  TicketState = "orphaned" // only in a store: it has the place, and its process was lost
)

// NoPosition is the position of a ticket that neither waits nor runs.
const NoPosition = -1

// TicketView is what can be seen of a ticket. It is a copy, and acts on
// nothing.
type TicketView struct {
	Execution    string
	Session      string
	Branch       string // empty if it wasn't given, as the next ones
	Owner        Owner
	Language     string
	Generation   string
	ResourceKeys []string
	Metadata     map[string]string

	State      TicketState
	QueuedAt   time.Time
	StartedAt  time.Time // zero until it runs
	FinishedAt time.Time // zero until it ends

	CancelRequested bool
	CancelReason    string // empty unless its cancellation was requested
	Error           string // of a failed one; may be empty
	Reported        Report // of a cancelled one that its owner ended; zero if nobody did
	Serial          uint64
	Position        int // 0 of one that runs, from 1 of those that wait, else NoPosition
}

// Report is how its owner said that a ticket ended, whatever the state it ended
// in. The zero Report is none.
type Report struct {
	State TicketState // TicketCompleted or TicketFailed
	Error string      // of a failed one; may be empty
}

// Snapshot is what can be seen of a session's queue at one moment. It is a copy.
type Snapshot struct {
	Session     string
	Closed      bool         // it takes no more tickets; of an unknown session: its coordinator is closed
	CloseReason string       // empty unless it is closed
	Owner       *TicketView  // the ticket that runs; nil for none
	Queue       []TicketView // those that wait, the next one first

	// Seq is the sequence number of the coordinator's last event so far: those
	// after it aren't in this picture yet. It isn't in JSON, where an event has
	// its own.
	Seq uint64
}

// part copies what s shares with others.
func (s *Snapshot) part() {
	if s.Owner != nil {
		owner := *s.Owner
		owner.part()
		s.Owner = &owner
	}
	if len(s.Queue) == 0 {
		return
	}
	queue := make([]TicketView, len(s.Queue))
	for i, v := range s.Queue {
		v.part()
		queue[i] = v
	}
	s.Queue = queue
}

// seconds is a time as JSON shows it: a number of seconds since 1970, exact to
// the nanosecond.
type seconds time.Time

func (s seconds) MarshalJSON() ([]byte, error) {
	t := time.Time(s)
	whole, nanos := t.Unix(), t.Nanosecond()
	var b []byte
	if whole < 0 && nanos > 0 { // the fraction counts upwards, also before 1970
		if whole++; whole == 0 {
			b = append(b, '-')
		}
		nanos = 1e9 - nanos
	}
	b = strconv.AppendInt(b, whole, 10)
	if nanos == 0 {
		return b, nil
	}
	fraction := strconv.Itoa(1e9 + nanos)[1:]
	for fraction[len(fraction)-1] == '0' {
		fraction = fraction[:len(fraction)-1]
	}
	return append(append(b, '.'), fraction...), nil
}

// UnmarshalJSON is the reverse. The time is in UTC.
func (s *seconds) UnmarshalJSON(data []byte) error {
	text := string(data)
	number, below := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(number, ".")
	sec, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || sec < 0 || len(fraction) > 9 {
		return fmt.Errorf("%.40s is no number of seconds", text)
	}
	nanos := 0
	if fraction != "" {
		if nanos, err = strconv.Atoi((fraction + "000000000")[:9]); err != nil || nanos < 0 {
			return fmt.Errorf("%.40s is no number of seconds", text)
		}
	}
	if below {
		sec, nanos = -sec, -nanos
	}
	*s = seconds(time.Unix(sec, int64(nanos)).UTC())
	return nil
}

// time returns the time, and the zero one for nil.
func (s *seconds) time() time.Time {
	if s == nil {
		return time.Time{}
	}
	return time.Time(*s)
}

// since1970 returns t for JSON, and nil for the zero time.
func since1970(t time.Time) *seconds {
	if t.IsZero() {
		return nil
	}
	return (*seconds)(&t)
}

// set returns s for JSON, and nil if it isn't set.
func set(s string, is bool) *string {
	if !is {
		return nil
	}
	return &s
}

type ticketJSON struct {
	Execution  string            `json:"execution_id"`
	Session    string            `json:"session_id"`
	Root       string            `json:"root_frame_id"`
	Branch     *string           `json:"branch_id"`
	Owner      Owner             `json:"owner"`
	Language   *string           `json:"language"`
	Generation *string           `json:"generation_id"`
	Resources  []string          `json:"resource_keys"`
	State      TicketState       `json:"status"`
	Queued     *seconds          `json:"queued_at"`
	Started    *seconds          `json:"started_at"`
	Finished   *seconds          `json:"finished_at"`
	Asked      bool              `json:"cancel_requested"`
	Reason     *string           `json:"cancel_reason"`
	Error      *string           `json:"error"`
	Reported   *reportJSON       `json:"reported"`
	Serial     uint64            `json:"serial"`
	Position   *int              `json:"queue_position,omitempty"`
	Metadata   map[string]string `json:"metadata,omitempty"`
}

type reportJSON struct {
	State TicketState `json:"status"`
	Error *string     `json:"error"`
}

func (v *TicketView) json() ticketJSON {
	j := ticketJSON{
		Execution: v.Execution, Session: v.Session, Root: v.Session, Branch: set(v.Branch, v.Branch != ""), Owner: v.Owner,
		Language: set(v.Language, v.Language != ""), Generation: set(v.Generation, v.Generation != ""), Resources: v.ResourceKeys,
		State: v.State, Queued: since1970(v.QueuedAt), Started: since1970(v.StartedAt), Finished: since1970(v.FinishedAt),
		Asked: v.CancelRequested, Reason: set(v.CancelReason, v.CancelRequested), Error: set(v.Error, v.State == TicketFailed),
		Serial: v.Serial, Metadata: v.Metadata,
	}
	if r := v.Reported; r != (Report{}) {
		j.Reported = &reportJSON{r.State, set(r.Error, r.State == TicketFailed)}
	}
	if v.Position != NoPosition {
		j.Position = &v.Position
	}
	return j
}

// MarshalJSON returns an object whose times are numbers of seconds since 1970,
// and where what isn't set is null. The session's id is also its root_frame_id;
// queue_position and metadata are left out where there are none.
func (v TicketView) MarshalJSON() ([]byte, error) { return json.Marshal(v.json()) }

type snapshotJSON struct {
	Session string       `json:"session_id"`
	Root    string       `json:"root_frame_id"`
	Closed  bool         `json:"closed"`
	Reason  *string      `json:"close_reason"`
	Owner   *TicketView  `json:"owner"`
	Queue   []TicketView `json:"queue"`
	Queued  int          `json:"queued_count"`
	Active  int          `json:"active_count"`
}

func (s *Snapshot) json() snapshotJSON {
	j := snapshotJSON{
		Session: s.Session, Root: s.Session, Closed: s.Closed, Reason: set(s.CloseReason, s.Closed), Owner: s.Owner,
		Queue: s.Queue, Queued: len(s.Queue),
	}
	if j.Queue == nil {
		j.Queue = []TicketView{}
	}
	if s.Owner != nil {
		j.Active = 1
	}
	return j
}

// MarshalJSON returns an object with the tickets, and how many wait and run.
func (s Snapshot) MarshalJSON() ([]byte, error) { return json.Marshal(s.json()) }
