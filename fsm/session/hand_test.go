package session_test

import (
	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/session"
)

// byHand is a session as one would write it without a table: the same
// decisions, for benchmarks to compare with. What is 0 is none.
type byHand struct {
	state    session.State
	sent     bool
	how      session.Ending // of a completed run
	holder   session.Lease
	current  session.Run
	sentAt   session.Poll
	abortOut session.Call
}

// command is an event as byHand takes it.
type command struct {
	kind      kind
	report    session.Report
	confirmed bool
	run       session.Run
	lease     session.Lease // of abort: 0 names none
	call      session.Call
	poll      session.Poll // of sent the last one asked for
	settled   session.Poll
}

type kind uint8

const (
	begin kind = iota
	sent
	status
	promptFailed
	sendExpired
	graceExpired
	ttlExpired
	abort
	abortAnswered
	forget
	restart
	kinds
)

// event returns the command as the generated machine takes it.
func (c *command) event() session.Event {
	switch c.kind {
	case begin:
		return session.Begin{Run: c.run, Lease: c.lease, Confirmed: c.confirmed}
	case sent:
		return session.Sent{Lease: c.lease, Asked: c.poll}
	case status:
		return session.Status{Report: c.report, Poll: c.poll, Settled: c.settled}
	case promptFailed:
		return session.PromptFailed{Lease: c.lease}
	case sendExpired:
		return session.SendExpired{Run: c.run}
	case graceExpired:
		return session.GraceExpired{Run: c.run}
	case ttlExpired:
		return session.TtlExpired{Run: c.run}
	case abort:
		if c.lease == 0 {
			return session.Abort{Call: c.call}
		}
		return session.Abort{Named: fsm.Some(c.lease), Call: c.call}
	case abortAnswered:
		return session.AbortAnswered{Call: c.call}
	case forget:
		return session.Delete{}
	}
	return session.Restart{}
}

func (s *byHand) step(c *command) session.Row {
	switch c.kind {
	case begin:
		return s.begin(c)
	case sent:
		return s.send(c)
	case status:
		return s.status(c)
	case promptFailed:
		switch {
		case s.holder == 0 || c.lease != s.holder:
			return session.PromptFailedStale
		case s.state != session.Starting:
			return session.PromptFailedSeen
		}
		s.reset()
		return session.PromptFailedFailed
	case sendExpired, graceExpired, ttlExpired:
		return s.expired(c)
	case abort:
		return s.abort(c)
	case abortAnswered:
		if s.abortOut == 0 || c.call != s.abortOut {
			return session.AbortAnsweredOlder
		}
		s.abortOut = 0
		return session.AbortAnsweredAnswered
	case forget:
		s.reset()
		return session.DeleteForgotten
	}
	*s = byHand{}
	return session.RestartForgotten
}

// reset forgets the run; an abort that is out stays out.
func (s *byHand) reset() { *s = byHand{abortOut: s.abortOut} }

func (s *byHand) begin(c *command) session.Row {
	switch {
	case s.holder != 0:
		return session.BeginRunning
	case s.abortOut != 0:
		return session.BeginPending
	case !c.confirmed:
		return session.BeginBlind
	}
	*s = byHand{state: session.Starting, holder: c.lease, current: c.run}
	return session.BeginTaken
}

func (s *byHand) send(c *command) session.Row {
	switch {
	case s.holder == 0 || c.lease != s.holder:
		return session.SentStale
	case s.sent:
		return session.SentAgain
	}
	s.sent, s.sentAt = true, c.poll
	return session.SentFirst
}

func (s *byHand) status(c *command) session.Row {
	owned := s.holder != 0
	switch {
	case c.poll <= c.settled || owned && (!s.sent || c.poll <= s.sentAt):
		return session.StatusStale
	case c.report == session.ReportAbsent:
		if !owned || s.state == session.Starting {
			return session.StatusSilence
		}
		*s = byHand{state: session.Completed, current: s.current, how: session.EndingEnded, abortOut: s.abortOut}
		return session.StatusEnded
	case !owned:
		return session.StatusForeign
	case c.report == session.ReportBusy:
		s.state = session.Running
		return session.StatusBusy
	}
	s.state = session.Retrying
	return session.StatusRetry
}

func (s *byHand) expired(c *command) session.Row {
	rows := [...]struct{ other, due, early, later session.Row }{
		{session.SendExpiredOther, session.SendExpiredUnsent, session.SendExpiredSent, session.SendExpiredLater},
		{session.GraceExpiredOther, session.GraceExpiredUnseen, session.GraceExpiredUnsent, session.GraceExpiredLater},
		{session.TtlExpiredOther, session.TtlExpiredForgotten, session.TtlExpiredLive, session.TtlExpiredLive},
	}[c.kind-sendExpired]
	var due bool
	switch {
	case s.current == 0 || c.run != s.current:
		return rows.other
	case c.kind == ttlExpired:
		due = s.state == session.Completed
	case s.state != session.Starting:
		return rows.later
	default:
		due = s.sent == (c.kind == graceExpired)
	}
	if !due {
		return rows.early
	}
	s.reset()
	return rows.due
}

func (s *byHand) abort(c *command) session.Row {
	switch {
	case s.holder == 0:
		return session.AbortResting
	case c.lease != 0 && c.lease != s.holder:
		return session.AbortStale
	}
	out := s.abortOut
	row := session.AbortUnsent
	if s.sent {
		out, row = c.call, session.AbortSent
	}
	*s = byHand{state: session.Completed, current: s.current, how: session.EndingStopped, abortOut: out}
	return row
}
