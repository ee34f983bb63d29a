package lanes_test

import (
	"maps"
	"slices"
	"time"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/session"
	"github.com/interlock-go/interlock/lanes"
)

// The reference: what one directory's sessions should be. It decides by the
// generated Step alone, and is told of every event in the order of their time.
type refDirectory struct {
	now      time.Time
	settled  session.Poll
	sessions map[string]refSession
	shown    map[string]lanes.Status
	shownAt  time.Time
}

// refSession is a value, so that a directory can be copied.
type refSession struct {
	machine session.Machine
	run     string
	late    bool // the view names the run that was given up
	since   time.Time
	due     time.Time
	grace   time.Time
	abort   *refAbort // the one that is out
}

// refAbort is an abort of a run that was sent.
type refAbort struct {
	timeout, grace, next time.Time
	calling, absent      bool
	heard                session.Poll
	deliveries           int
	answer               lanes.AbortAnswer
}

// The bounds of reference and sessions alike: small, so that they often meet.
var refBounds = lanes.SessionConfig{
	SendBound: 7 * time.Second, Grace: 10 * time.Second, TTL: 20 * time.Second, AbortTimeout: 5 * time.Second, AbortRepeat: 2 * time.Second,
}

func (d *refDirectory) clone() *refDirectory {
	c := *d
	c.sessions, c.shown = maps.Clone(d.sessions), maps.Clone(d.shown)
	for id, s := range c.sessions {
		if s.abort != nil {
			a := *s.abort
			s.abort = &a
			c.sessions[id] = s
		}
	}
	return &c
}

// send sends e to a session, at the time at.
func (d *refDirectory) send(id string, e session.Event, at time.Time) session.Row {
	s := d.sessions[id]
	before := s.machine
	decision, _ := s.machine.Step(e, nil)
	if decision.Row.Info().Kind != fsm.Move {
		return decision.Row
	}
	if s.machine.State != before.State {
		s.since = at
	}
	switch m := s.machine; {
	case m.State == session.Starting && !m.Sent:
		s.due, s.late = at.Add(refBounds.SendBound), false
	case m.State == session.Starting && !before.Sent:
		s.due = at.Add(refBounds.Grace)
		s.grace = s.due
	case m.State.Seen():
		s.due = time.Time{}
	case m.State == session.Completed && before.State != session.Completed:
		s.due, s.late = at.Add(refBounds.TTL), decision.Row == session.AbortSent
	case m.State == session.Unknown && before.State == session.Starting && decision.Row != session.DeleteForgotten:
		s.due, s.late = at.Add(refBounds.TTL), before.Sent
	case decision.Row == session.DeleteForgotten || decision.Row == session.TtlExpiredForgotten:
		s.due, s.late = time.Time{}, false
	}
	d.put(id, s)
	return decision.Row
}

func (d *refDirectory) put(id string, s refSession) {
	if !s.kept() {
		s.since = time.Time{}
	}
	d.sessions[id] = s
}

// kept reports whether anything is known of a session.
func (s refSession) kept() bool { return s.machine != (session.Machine{}) || !s.due.IsZero() }

// answer answers the abort of a session that is out.
func (d *refDirectory) answer(id string, why lanes.AbortAnswer, at time.Time) {
	d.send(id, session.AbortAnswered{Call: d.sessions[id].machine.AbortOut.Value()}, at)
	s := d.sessions[id]
	s.abort.answer = why
	s.abort = nil
	if why == lanes.AbortObeyed {
		s.late = false
	}
	d.put(id, s)
}

// next returns when something happens by itself, and what. At one time bounds
// come before deliveries.
func (s refSession) next() (at time.Time, what string) {
	earlier := func(t time.Time, w string) {
		if !t.IsZero() && (at.IsZero() || t.Before(at)) {
			at, what = t, w
		}
	}
	earlier(s.due, "bound")
	if a := s.abort; a != nil {
		earlier(a.timeout, "timeout")
		if a.heard != 0 && !a.calling {
			earlier(a.grace, "grace")
			earlier(a.next, "again")
		}
	}
	return at, what
}

// pass lets time pass until now.
func (d *refDirectory) pass(now time.Time) {
	for id := range d.sessions {
		for {
			s := d.sessions[id]
			at, what := s.next()
			if what == "" || at.After(now) {
				break
			}
			run := s.machine.Current.Value()
			switch {
			case what == "timeout":
				d.answer(id, lanes.AbortTimedOut, at)
			case what == "grace":
				d.answer(id, lanes.AbortGraceOver, at)
			case what == "again":
				s.abort.calling = true
				s.abort.deliveries++
			case s.machine.State == session.Unknown:
				s.due, s.late, s.since = time.Time{}, false, time.Time{}
				d.put(id, s)
			case s.machine.State == session.Completed:
				d.send(id, session.TtlExpired{Run: run}, at)
			case s.machine.Sent:
				d.send(id, session.GraceExpired{Run: run}, at)
			default:
				d.send(id, session.SendExpired{Run: run}, at)
			}
		}
	}
	d.now = now
}

// aborted is an accepted abort of a run that was sent: its first delivery is
// under way.
func (d *refDirectory) aborted(id string) *refAbort {
	s := d.sessions[id]
	s.abort = &refAbort{timeout: d.now.Add(refBounds.AbortTimeout), grace: s.grace, calling: true, deliveries: 1}
	d.put(id, s)
	return s.abort
}

// delivered says that a delivery of a has returned; last is the last list asked
// for.
func (d *refDirectory) delivered(id string, a *refAbort, well bool, last session.Poll) {
	a.calling = false
	if a.answer != "" {
		return
	}
	if a.heard == 0 {
		a.heard = last
	}
	a.next = d.now.Add(refBounds.AbortRepeat)
	switch {
	case !well:
		d.answer(id, lanes.AbortFailed, d.now)
	case a.absent:
		d.answer(id, lanes.AbortObeyed, d.now)
	default:
		d.pass(d.now) // the grace may be over
	}
}

// observe is a list that was asked for at that time; last is the last list asked
// for.
func (d *refDirectory) observe(poll, last session.Poll, asked time.Time, list map[string]lanes.Status) lanes.Observation {
	settled := d.settled
	o := lanes.Observation{Accepted: poll > settled}
	if o.Accepted {
		d.settled, d.shown, d.shownAt = last, maps.Clone(list), asked
	}
	ids := slices.Collect(maps.Keys(list))
	for id, s := range d.sessions {
		if _, listed := list[id]; !listed && s.kept() {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		report, status := session.ReportAbsent, lanes.StatusAbsent
		switch list[id] {
		case lanes.StatusBusy:
			report, status = session.ReportBusy, lanes.StatusBusy
		case lanes.StatusRetry:
			report, status = session.ReportRetry, lanes.StatusRetry
		}
		row := d.send(id, session.Status{Report: report, Poll: poll, Settled: settled}, d.now)
		s := d.sessions[id]
		if a := s.abort; a != nil && o.Accepted && report == session.ReportAbsent && a.heard != 0 && poll > a.heard {
			a.absent = true
			if !a.calling {
				d.answer(id, lanes.AbortObeyed, d.now)
			}
		}
		note := lanes.Note("")
		if row.Info().Kind == fsm.Ignore {
			note = lanes.Note(row.Info().Code)
		}
		o.Sessions = append(o.Sessions, lanes.Observed{Session: id, Status: status, State: lanes.SessionState(d.sessions[id].machine.State.String()), Note: note})
	}
	return o
}

// view is what the view should be, but for its words.
func (d *refDirectory) view(directory, id string) lanes.SessionView {
	s := d.sessions[id]
	v := lanes.SessionView{
		SessionKey:        lanes.SessionKey{Directory: directory, Session: id},
		State:             lanes.SessionState(s.machine.State.String()),
		Abortable:         s.machine.State.Owned(),
		NeedsConfirmation: s.machine.State.Resting(),
		AbortPending:      s.machine.AbortOut.HasValue(),
		Since:             s.since,
	}
	if s.machine.Current.HasValue() {
		v.Run = s.run
	}
	if s.machine.How.HasValue() {
		v.Ended = lanes.SessionEnding(s.machine.How.Value().String())
	}
	if status, ok := d.shown[id]; ok && v.NeedsConfirmation {
		v.Reported, v.ReportAge = status, d.now.Sub(d.shownAt)
	}
	return v
}
