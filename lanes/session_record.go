package lanes

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/session"
)

// storedDirectory is a directoryRecord as a store keeps it. A lease isn't told:
// it has the number of its run.
type storedDirectory struct {
	Format   int                      `json:"format"`
	Process  string                   `json:"process"`
	Epoch    uint64                   `json:"epoch,omitempty"` // of the version that it took the place of
	Now      seconds                  `json:"now"`
	Settled  *serial                  `json:"settled,omitempty"`
	Flying   []uint64                 `json:"flying,omitempty"`
	Shown    map[string]Status        `json:"shown,omitempty"`
	ShownAt  *seconds                 `json:"shown_at,omitempty"`
	Sessions map[string]storedSession `json:"sessions,omitempty"`
}

type storedSession struct {
	State   session.State   `json:"state"`
	Run     *serial         `json:"run,omitempty"`
	Label   string          `json:"label,omitempty"`
	Sent    *serial         `json:"sent,omitempty"` // the last list asked for before; none if it wasn't sent
	Ended   *session.Ending `json:"ended,omitempty"`
	Late    lateness        `json:"late,omitempty"`
	Since   *seconds        `json:"since,omitempty"`
	Due     *seconds        `json:"due,omitempty"`
	Grace   *seconds        `json:"grace,omitempty"`
	AbortID *serial         `json:"abort,omitempty"`
	Abort   *storedAbort    `json:"delivery,omitempty"` // if it has yet to be answered
}

type storedAbort struct {
	Waiter  uint64   `json:"waiter"`
	Timeout seconds  `json:"timeout"`
	Grace   *seconds `json:"grace,omitempty"`
	Calling bool     `json:"calling,omitempty"`
	Heard   *serial  `json:"heard,omitempty"`
	Absent  bool     `json:"absent,omitempty"`
}

const directoryFormat = 1

// serial is a number that a write gave. The one that the write of the record
// itself gives is known once it is done: it is 0 there.
type serial uint64

// UnmarshalJSON takes no number that no store issues.
func (s *serial) UnmarshalJSON(data []byte) error {
	var n uint64
	if err := json.Unmarshal(data, &n); err != nil {
		return err
	}
	if n == unissued {
		return fmt.Errorf("no store issues the number %d", n)
	}
	*s = serial(n)
	return nil
}

// numbered returns n for a record; nil for none.
func numbered(n uint64) *serial {
	switch n {
	case 0:
		return nil
	case unissued:
		return new(serial)
	}
	return (*serial)(&n)
}

// in returns s as it was before numbered, in a record of that version.
func (s *serial) in(v Version) uint64 {
	switch {
	case s == nil:
		return 0
	case *s == 0:
		return v.Number
	}
	return uint64(*s)
}

func (d *directoryRecord) bytes() []byte {
	s := storedDirectory{
		Format: directoryFormat, Process: d.process, Epoch: d.stored.Epoch, Now: seconds(d.now), Settled: numbered(uint64(d.settled)),
		Flying: d.flying, Shown: d.shown, ShownAt: since1970(d.shownAt), Sessions: make(map[string]storedSession, len(d.sessions.entries)),
	}
	for id, r := range d.sessions.entries {
		s.Sessions[id] = r.stored()
	}
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // it has nothing that JSON can't say
	}
	return data
}

func (r *sessionRecord) stored() storedSession {
	m := &r.machine
	s := storedSession{
		State: m.State, Run: numbered(uint64(m.Current.Value())), Label: r.run, Late: r.late,
		Since: since1970(r.since), Due: since1970(r.due), Grace: since1970(r.grace), AbortID: numbered(uint64(m.AbortOut.Value())),
	}
	if m.Sent {
		s.Sent = numbered(uint64(m.SentAt))
	}
	if m.How.HasValue() {
		how := m.How.Value()
		s.Ended = &how
	}
	if o := r.out; o != nil {
		s.Abort = &storedAbort{o.id, seconds(o.timeout), since1970(o.grace), o.calling, numbered(uint64(o.heard)), o.absent}
	}
	return s
}

func (d *directoryRecord) load(rec Record) error {
	d.start(rec.Key.Name)
	d.stamp(rec.Version)
	if len(rec.Data) == 0 {
		return nil
	}
	var s storedDirectory
	if err := json.Unmarshal(rec.Data, &s); err != nil {
		return fmt.Errorf("%w: sessions of %q: %w", ErrRecord, d.name, err)
	}
	if s.Format != directoryFormat {
		return fmt.Errorf("%w: sessions of %q: format %d; this is format %d", ErrRecord, d.name, s.Format, directoryFormat)
	}
	if s.Epoch != 0 && s.Epoch != rec.Version.Epoch {
		return nil // its numbers can't be compared with those to come
	}
	d.process, d.now, d.settled = s.Process, time.Time(s.Now), session.Poll(s.Settled.in(rec.Version))
	d.flying, d.shown, d.shownAt = s.Flying, s.Shown, s.ShownAt.time()
	for id, stored := range s.Sessions {
		r, err := stored.load(rec.Version)
		if err == nil && !validName(id) {
			err = errors.New("its id isn't a name")
		}
		if err != nil {
			return fmt.Errorf("%w: session %.100q of %q: %w", ErrRecord, id, d.name, err)
		}
		d.keep(id, r)
	}
	return nil
}

// load returns the session that s is in a record of that version.
func (s *storedSession) load(v Version) (*sessionRecord, error) {
	r := &sessionRecord{run: s.Label, late: s.Late, since: s.Since.time(), due: s.Due.time(), grace: s.Grace.time()}
	m := &r.machine
	m.State = s.State
	if run := s.Run.in(v); run != 0 {
		m.Current = fsm.Some(session.Run(run))
		if s.State.Owned() {
			m.Holder = fsm.Some(session.Lease(run))
		}
	}
	if s.Sent != nil {
		m.Sent, m.SentAt = true, session.Poll(s.Sent.in(v))
	}
	if s.Ended != nil {
		m.How = fsm.Some(*s.Ended)
	}
	if call := s.AbortID.in(v); call != 0 {
		m.AbortOut = fsm.Some(session.Call(call))
	}
	if a := s.Abort; a != nil {
		r.out = &delivery{
			id: a.Waiter, call: m.AbortOut.Value(), timeout: time.Time(a.Timeout), grace: a.Grace.time(),
			calling: a.Calling, heard: session.Poll(a.Heard.in(v)), absent: a.Absent,
		}
	}
	switch {
	case !m.NothingLingers(), m.State.Seen() && !m.Sent:
		return nil, fmt.Errorf("no session is %s with run %v, sent %t and ended %v", m.State, m.Current, m.Sent, m.How)
	case (r.out != nil) != m.AbortOut.HasValue():
		return nil, fmt.Errorf("its abort is %v, and delivered is %t", m.AbortOut, r.out != nil)
	case r.run != "" && !validLabel(r.run), r.run == "" && m.Current.HasValue():
		return nil, fmt.Errorf("its run isn't a label: %.100q", r.run)
	case r.late > lateStopped:
		return nil, fmt.Errorf("late for reason %d", r.late)
	}
	return r, nil
}
