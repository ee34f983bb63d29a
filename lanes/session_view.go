package lanes

import (
	"strings"
	"time"

	"github.com/interlock-go/interlock/fsm/session"
)

// SessionState is where a session is.
type SessionState string

// The states of a session.
const (
	SessionUnknown   SessionState = "unknown"   // nothing of ours runs; what else does isn't known
	SessionStarting  SessionState = "starting"  // a lease is taken, and no list has shown its run yet
	SessionRunning   SessionState = "running"   // the last status of our run was busy
	SessionRetrying  SessionState = "retrying"  // the last status of our run was retry
	SessionCompleted SessionState = "completed" // our run ended or was stopped; for information only
)

// Status is what an agent server's list says of a session.
type Status string

// The statuses. A list leaves out the sessions that it has no status of: Absent
// is what an Observation calls that, and no list may say it. It means "not
// running here", and never that a session is idle.
const (
	StatusBusy   Status = "busy"
	StatusRetry  Status = "retry"
	StatusAbsent Status = "absent"
)

// SessionEnding is how a run that is completed came to its end.
type SessionEnding string

// The endings.
const (
	SessionEnded   SessionEnding = "ended"   // a list left it out that had been seen
	SessionStopped SessionEnding = "stopped" // by an abort
)

// Note says why an event that was accepted or ignored has changed nothing, as
// the table writes it. It is empty if the event did what it is for.
type Note string

// The notes.
const (
	NoteAlreadySent         Note = "ALREADY_SENT"           // the prompt was marked as sent before: it isn't to be sent again
	NoteRunWasSeen          Note = "RUN_WAS_SEEN"           // the run was seen, so that its prompt did arrive
	NoteStaleReport         Note = "STALE_REPORT"           // the list may be older than what is known
	NoteNotOurRun           Note = "NOT_OUR_RUN"            // what the list shows isn't ours
	NoteAbsenceIsNoEvidence Note = "ABSENCE_IS_NO_EVIDENCE" // a list says nothing of sessions that it leaves out
)

// SessionView is what can be seen of a session. It is a copy, and never holds a
// token.
type SessionView struct {
	SessionKey
	State     SessionState `json:"state"`
	Abortable bool         `json:"abortable"` // in starting, running and retrying

	// NeedsConfirmation says whether a begin has to be confirmed, and Why says
	// in words what for. A session that a run of ours owns refuses every begin.
	NeedsConfirmation bool   `json:"needs_confirmation"`
	Why               string `json:"why,omitempty"`

	// AbortPending says that an abort is still on its way: every begin is
	// refused until it is answered.
	AbortPending bool `json:"abort_pending,omitempty"`

	// Since is when State was entered. It is zero where that isn't known any
	// more, or nothing of ours ever ran.
	Since time.Time     `json:"since,omitzero"`
	Run   string        `json:"run,omitempty"`   // the run's label; empty in unknown
	Ended SessionEnding `json:"ended,omitempty"` // of a run that is completed

	// Reported is what the last list that was accepted says of a session at
	// rest; empty if the list left it out. ReportAge is how long ago that list
	// was asked for.
	Reported  Status        `json:"reported,omitempty"`
	ReportAge time.Duration `json:"report_age_ns,omitempty"`
}

// String returns v's session, state and run, and whether an abort is on its way,
// as in "ses_1" in "/src": completed (turn-7, stopped), abort pending.
func (v SessionView) String() string {
	s := v.SessionKey.String() + ": " + string(v.State)
	switch {
	case v.Ended != "":
		s += " (" + v.Run + ", " + string(v.Ended) + ")"
	case v.Run != "":
		s += " (" + v.Run + ")"
	}
	if v.AbortPending {
		s += ", abort pending"
	}
	return s
}

// view returns what can be seen of r, the record of the session of that id, at
// d's time.
func (d *directoryRecord) view(id string, r *sessionRecord) SessionView {
	m := &r.machine
	v := SessionView{
		SessionKey:   SessionKey{d.name, id},
		State:        SessionState(m.State.String()),
		Abortable:    m.State.Owned(),
		AbortPending: m.AbortOut.HasValue(),
		Since:        r.since,
	}
	if m.Current.HasValue() {
		v.Run = r.run
	}
	if m.How.HasValue() {
		v.Ended = SessionEnding(m.How.Value().String())
	}
	if !m.State.Resting() {
		return v
	}
	if s, ok := d.shown[id]; ok {
		v.Reported, v.ReportAge = s, d.now.Sub(d.shownAt)
	}
	unconfirmed := *m
	unconfirmed.AbortOut = session.Machine{}.AbortOut // once it is answered
	decision, _ := unconfirmed.Step(session.Begin{Run: unissued, Lease: unissued}, nil)
	v.NeedsConfirmation = decision.Row == session.BeginBlind
	v.Why = v.why(r)
	return v
}

// why says in words why a begin of v's session, which is at rest, has to be
// confirmed or is refused.
func (v *SessionView) why(r *sessionRecord) string {
	var why []string
	if v.AbortPending {
		why = append(why, "An abort is still on its way and may hit what runs next: no run may begin until it is answered.")
	}
	if v.Reported != "" {
		why = append(why, "The server reported this session "+string(v.Reported)+", "+v.ReportAge.Round(time.Second).String()+" ago.")
	}
	switch r.late {
	case lateUnseen:
		why = append(why, "Our run "+r.run+" was sent and never seen: it may still start.")
	case lateFailed:
		why = append(why, "The prompt of our run "+r.run+" failed, but the server may have taken it.")
	case lateStopped:
		why = append(why, "Our run "+r.run+" was stopped, and may go on until the server has obeyed.")
	}
	return strings.Join(append(why, "Something else may run in this session, a forgotten run of ours too: "+
		"the server's list leaves out what runs elsewhere."), " ")
}

// lateness is why a run of ours, given up, may be at work all the same. It is
// kept for words alone, as long as a run that completed.
type lateness uint8

const (
	notLate     lateness = iota
	lateUnseen           // its grace was over
	lateFailed           // its prompt failed once it was marked as sent
	lateStopped          // it was stopped once it was marked as sent
)
