package lanes

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/session"
)

// Poll is a list of statuses that is asked for: what StartPoll returns just
// before the agent server is asked. A copy of it is the same poll.
//
// A poll that fails is let go of: it is no event, and no absence. The zero Poll
// is of no directory.
type Poll struct{ flight *flight }

// Directory returns what p is a list of.
func (p Poll) Directory() string {
	if p.flight == nil {
		return ""
	}
	return p.flight.directory
}

// Format writes p's directory, whatever the verb.
func (p Poll) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "poll(%q)", p.Directory()) }

// flight is a list that was asked for and may still come.
type flight struct {
	sessions  *Sessions
	directory string
	poll      session.Poll
	asked     time.Time
	id        uint64 // in the directory's record, as long as it may come
	lost      runtime.Cleanup
}

// StartPoll says that a list of a directory's sessions is asked for now: only
// runs whose prompt was sent before may be theirs.
func (s *Sessions) StartPoll(ctx context.Context, directory string) (_ Poll, err error) {
	if s.closed() {
		return Poll{}, ErrNotOpen
	}
	defer s.refused.tell(ctx, &err)
	if err := namedDirectory("poll", directory); err != nil {
		return Poll{}, err
	}
	f := &flight{sessions: s, directory: directory, id: flights.Add(1)}
	number, err := s.step(ctx, directory, true, func(d *directoryRecord, _ Version) bool {
		f.asked = d.now
		d.flying = append(d.flying, f.id)
		return true
	})
	f.poll = session.Poll(number)
	if err != nil {
		s.lose(directory, f.id) // it may have been written
		return Poll{}, fmt.Errorf("lanes: poll of %q: %w", directory, err)
	}
	// What is settled is kept as long as a list may come that was asked for
	// before. One that nobody holds any more never will. It is no event, so that
	// no clock is asked: this runs in the garbage collector's time.
	f.lost = runtime.AddCleanup(f, func(id uint64) { s.lose(directory, id) }, f.id)
	return Poll{f}, nil
}

// flights numbers the lists that this process asks for.
var flights atomic.Uint64

// lose has the list of that id taken from those that may still come. On a store
// that takes a write, which may fail: then the directory's next step does it.
func (s *Sessions) lose(directory string, id uint64) {
	take := func(d *directoryRecord, _ Version) bool { return d.process == s.process && d.land(id) }
	if s.directories.memory != nil {
		s.directories.apply(context.Background(), directory, false, take)
		return
	}
	s.mu.Lock()
	if s.lost == nil {
		s.lost = map[string][]uint64{}
	}
	s.lost[directory] = append(s.lost[directory], id)
	s.mu.Unlock()
	go s.stepAt(context.Background(), directory, time.Time{}, false, func(*directoryRecord, Version) bool { return false })
}

// sweep takes the lists that were lost from d, and reports whether that changed
// it. They are let go of by swept, once the step is done.
func (s *Sessions) sweep(d *directoryRecord) (gone []uint64, changed bool) {
	s.mu.Lock()
	gone = slices.Clone(s.lost[d.name])
	s.mu.Unlock()
	for _, id := range gone {
		changed = d.land(id) || changed
	}
	return gone, changed
}

func (s *Sessions) swept(name string, gone []uint64) {
	if len(gone) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	left := slices.DeleteFunc(s.lost[name], func(id uint64) bool { return slices.Contains(gone, id) })
	if s.lost[name] = left; len(left) == 0 {
		delete(s.lost, name)
	}
}

// Observation is what was made of a list.
type Observation struct {
	// Accepted says that the list isn't stale, whatever its sessions made of
	// it. Every other list of the directory that was asked for until now is
	// stale from now on.
	Accepted bool `json:"accepted"`

	// Sessions has those that the list shows and those that something is kept
	// of, in the order of their ids.
	Sessions []Observed `json:"sessions"`
}

// Observed is what one session made of a list.
type Observed struct {
	Session string       `json:"session"`
	Status  Status       `json:"status"`
	State   SessionState `json:"state"`          // after it
	Note    Note         `json:"note,omitempty"` // why it was ignored; empty if it is of our run
}

// Observe tells the sessions of p's directory what the agent server answered:
// its list, by their ids. Sessions that it leaves out are absent, so that a list
// that says anything but busy and retry, idle for one, is refused as a whole
// with ErrInvalidArgument; what isn't busy or retry is to be left out. The list of
// a poll that failed must not be observed, and a second list of one poll is
// stale.
func (p Poll) Observe(ctx context.Context, list map[string]Status) (_ Observation, err error) {
	f := p.flight
	if f == nil {
		return Observation{}, badArgument("status", "poll", "it is the zero Poll")
	}
	defer f.sessions.refused.tell(ctx, &err)
	shown := make(map[string]Status, len(list))
	for id, status := range list {
		if status != StatusBusy && status != StatusRetry {
			return Observation{}, badArgument("status", "list", "a session in it is busy or retry; others are left out")
		}
		if validName(id) {
			shown[id] = status // others are sessions that nobody can name here
		}
	}
	var o Observation
	_, err = f.sessions.step(ctx, f.directory, true, func(d *directoryRecord, fresh Version) bool {
		if !d.land(f.id) { // what it settled may be forgotten: only for those in flight is it kept
			d.settled = max(d.settled, f.poll)
		}
		o = f.observe(d, shown, session.Poll(fresh.Number))
		return true
	})
	if err != nil {
		return Observation{}, fmt.Errorf("lanes: list of %q: %w", f.directory, err)
	}
	f.lost.Stop()
	runtime.KeepAlive(f)
	slices.SortFunc(o.Sessions, func(a, b Observed) int { return strings.Compare(a.Session, b.Session) })
	return o, nil
}

// observe steps d by the list of f, which shows these sessions; last is the
// last list that was asked for. What it returns is in no order.
func (f *flight) observe(d *directoryRecord, shown map[string]Status, last session.Poll) Observation {
	b := &f.sessions.bounds
	settled := d.settled
	nobody, _ := new(session.Machine).Step(session.Status{Report: session.ReportAbsent, Poll: f.poll, Settled: settled}, nil)
	o := Observation{Accepted: nobody.Row != session.StatusStale}
	if o.Accepted {
		d.settled, d.shown, d.shownAt = last, shown, f.asked
	}
	ids := slices.Collect(maps.Keys(d.sessions.entries))
	for id := range shown {
		if _, kept := d.sessions.entries[id]; !kept {
			ids = append(ids, id)
		}
	}
	for _, id := range ids { // in any order: none knows of another
		r, _ := d.session(id, b)
		if _, listed := shown[id]; r.blank() && !listed {
			continue // forgotten, just now
		}
		status, report := reportOf(shown, id)
		row := d.step(r, session.Status{Report: report, Poll: f.poll, Settled: settled}, d.now, b)
		if o.Accepted && report == session.ReportAbsent {
			d.obeyed(r, f.poll)
		}
		d.keep(id, r)
		seen := Observed{Session: id, Status: status, State: SessionState(r.machine.State.String())}
		if info := row.Info(); info.Kind == fsm.Ignore {
			seen.Note = Note(info.Code)
		}
		o.Sessions = append(o.Sessions, seen)
	}
	return o
}

// reportOf returns what a list that shows these sessions says of the one of that
// id.
func reportOf(shown map[string]Status, id string) (Status, session.Report) {
	switch shown[id] {
	case StatusBusy:
		return StatusBusy, session.ReportBusy
	case StatusRetry:
		return StatusRetry, session.ReportRetry
	}
	return StatusAbsent, session.ReportAbsent
}
