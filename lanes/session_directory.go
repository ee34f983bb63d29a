package lanes

import (
	"slices"
	"time"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/session"
)

// directoryRecord is what is known of one directory's sessions: what a list
// settles is settled for all of them, in one step. A Memory keeps it as it is, in
// other stores it has the form of session_record.go.
type directoryRecord struct {
	name     string
	now      time.Time    // the latest that a step was taken at
	settled  session.Poll // the last list asked for when one was accepted
	flying   []uint64     // the ids of lists that were asked for and may still come
	sessions shrinking[*sessionRecord]
	shown    map[string]Status // what the list says that was accepted last
	shownAt  time.Time         // when that list was asked for
	answered []*delivery       // by this step, and to be told of it after
	stored   Version           // of the record
	process  string            // whose it is; empty at its start
	looked   string            // the session that was looked up last, which is the one that steps
	record   recorder          // of whose step it is; nil for none
}

func (d *directoryRecord) start(name string) { d.name = name }
func (d *directoryRecord) stamp(v Version)   { d.stored = v }
func (d *directoryRecord) version() uint64   { return d.stored.Number }
func (d *directoryRecord) blank() bool {
	return len(d.sessions.entries) == 0 && len(d.shown) == 0 && len(d.flying) == 0
}

// own makes d a record of process: one of another process, or of another epoch of
// the store, reads as unknown, since ownership lives in the process that took it.
func (d *directoryRecord) own(process string) {
	if d.process != process && !d.blank() {
		*d = directoryRecord{name: d.name, stored: d.stored}
	}
	d.process = process
}

// land takes the list of that id from those that may still come, and reports
// whether it was one.
func (d *directoryRecord) land(id uint64) bool {
	i := slices.Index(d.flying, id)
	if i < 0 {
		return false
	}
	d.flying = slices.Delete(d.flying, i, i+1)
	return true
}

// sessionRecord is a session's machine, and what is kept beside it.
type sessionRecord struct {
	machine session.Machine
	run     string    // the label of the run that the machine has, or that is late
	late    lateness  // of a run that was given up
	since   time.Time // when the machine's state was entered
	due     time.Time // when the bound that runs expires; zero if none does
	grace   time.Time // when the grace of the run that was sent is over
	out     *delivery // the abort that is out
}

// bounds are how long things may take.
type bounds struct{ send, grace, ttl, abort, repeat time.Duration }

// session returns the record of the session of that id, the start if there is
// none, with everything that was due by now done: due at t means expired at t,
// before any other event at t. It reports whether that changed the record.
func (d *directoryRecord) session(id string, b *bounds) (r *sessionRecord, changed bool) {
	d.looked = id
	r, ok := d.sessions.entries[id]
	if !ok {
		return &sessionRecord{}, false
	}
	for !r.due.IsZero() && !d.now.Before(r.due) {
		d.expire(r, b)
		changed = true
	}
	if o := r.out; o != nil && !d.now.Before(o.due()) {
		why := AbortTimedOut
		if o.due().Before(o.timeout) {
			why = AbortGraceOver
		}
		d.answer(r, why)
		changed = true
	}
	if changed {
		d.keep(id, r)
	}
	if r.blank() {
		return &sessionRecord{}, changed
	}
	return r, changed
}

// expire ends the bound of r that is due, at the time that it was due.
func (d *directoryRecord) expire(r *sessionRecord, b *bounds) {
	at := r.due
	r.due = time.Time{}
	m := &r.machine
	run := m.Current.Value()
	switch {
	case m.State == session.Unknown: // no event: what was kept of a run is let go
		r.late, r.run, r.since = notLate, "", time.Time{}
	case m.State == session.Completed:
		d.step(r, session.TtlExpired{Run: run}, at, b)
	case m.Sent:
		d.step(r, session.GraceExpired{Run: run}, at, b)
	default:
		d.step(r, session.SendExpired{Run: run}, at, b)
	}
}

// keep stores r under id, unless it is the start.
func (d *directoryRecord) keep(id string, r *sessionRecord) {
	if r.blank() {
		d.sessions.remove(id)
		return
	}
	d.sessions.put(id, r)
}

// blank reports whether r is the start, of which nothing is kept.
func (r *sessionRecord) blank() bool {
	return r.machine == (session.Machine{}) && r.due.IsZero() && r.out == nil
}

// step sends e to r's machine at that time, and keeps the bounds, and what is
// kept in words, as its row says.
func (d *directoryRecord) step(r *sessionRecord, e session.Event, at time.Time, b *bounds) session.Row {
	m := &r.machine
	old, sent := m.State, m.Sent
	decision, _ := m.Step(e, nil)
	if d.record != nil {
		d.record.session(d.name, d.looked, m, e, decision)
	}
	if decision.Row.Info().Kind != fsm.Move {
		return decision.Row
	}
	if m.State != old {
		r.since = at
	}
	late := notLate
	switch decision.Row {
	case session.BeginTaken:
		r.late, r.due, r.grace = notLate, at.Add(b.send), time.Time{}
	case session.SentFirst:
		r.grace = at.Add(b.grace)
		r.due = r.grace
	case session.StatusBusy, session.StatusRetry:
		r.due = time.Time{}
	case session.StatusEnded, session.SendExpiredUnsent, session.AbortUnsent:
		r.due = at.Add(b.ttl)
	case session.PromptFailedFailed:
		if sent {
			late = lateFailed
		}
		r.late, r.due = late, at.Add(b.ttl)
	case session.GraceExpiredUnseen:
		r.late, r.due = lateUnseen, at.Add(b.ttl)
	case session.AbortSent:
		r.late, r.due = lateStopped, at.Add(b.ttl)
	case session.TtlExpiredForgotten, session.DeleteForgotten:
		r.late, r.run, r.due, r.grace = notLate, "", time.Time{}, time.Time{}
	}
	return decision.Row
}

// answer answers the abort of r that is out. Whoever waits for that is told once
// the step is stored.
func (d *directoryRecord) answer(r *sessionRecord, why AbortAnswer) {
	o := r.out
	d.step(r, session.AbortAnswered{Call: o.call}, d.now, nil)
	o.answer = why
	r.out = nil
	if why == AbortObeyed {
		r.late = notLate
	}
	d.answered = append(d.answered, o)
}
