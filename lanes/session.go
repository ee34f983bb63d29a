package lanes

import (
	"context"
	"crypto/rand"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/session"
)

// SessionConfig are the bounds of sessions. Zero means the default; Open refuses
// a negative one.
type SessionConfig struct {
	SendBound    time.Duration // how long a lease may go unsent; 30 s
	Grace        time.Duration // how long a run may stay unseen from its sending on; 30 s
	TTL          time.Duration // how long a run that completed is kept for information; 10 min
	AbortTimeout time.Duration // how long an abort may go unanswered; 15 s
	AbortRepeat  time.Duration // how long after its delivery an abort is delivered again; 1 s
}

// bounds returns c with its defaults.
func (c SessionConfig) bounds() (bounds, error) {
	var b bounds
	for _, f := range []struct {
		name    string
		given   time.Duration
		unset   time.Duration
		becomes *time.Duration
	}{
		{"SendBound", c.SendBound, 30 * time.Second, &b.send},
		{"Grace", c.Grace, 30 * time.Second, &b.grace},
		{"TTL", c.TTL, 10 * time.Minute, &b.ttl},
		{"AbortTimeout", c.AbortTimeout, 15 * time.Second, &b.abort},
		{"AbortRepeat", c.AbortRepeat, time.Second, &b.repeat},
	} {
		if f.given < 0 {
			return b, badArgument("open", "Sessions."+f.name, "it is negative")
		}
		*f.becomes = f.given
		if f.given == 0 {
			*f.becomes = f.unset
		}
	}
	return b, nil
}

// Sessions says whether a run of ours owns a session of an agent server. Any
// number of goroutines may use it.
//
// Its calls look at their arguments first, then at their context, and only then
// at the session. What is due at a time has happened before any other event of
// that time, whether or not anybody looks.
//
// Ownership lives in one process. It is kept in Config.Store, shared by the
// managers of this process that have it. What another process wrote there, or
// this one in another epoch of the store, reads as unknown, and the next step
// takes its place: front ends that run at once have a store, or directories, of
// their own.
//
// Of the errors, one that wraps ErrStoreUncertain means that nobody knows whether
// the call was done; after any other it wasn't.
type Sessions struct {
	directories records[directoryRecord, *directoryRecord]
	clock       Clock
	bounds      bounds
	refused     watcher
	process     string   // whose records these are
	record      recorder // of the steps in memory; nil for none

	// Of a store that isn't a Memory:
	mu     sync.Mutex
	lost   map[string][]uint64 // lists that never will come and that a record may still have, by directory
	latest time.Time           // that was read of the clock, for views, which leave no time behind
}

// thisProcess names this process in the records of a store.
var thisProcess = sync.OnceValue(rand.Text)

// openSessions returns the sessions that c says, which has a clock.
func openSessions(c Config) (*Sessions, error) {
	b, err := c.Sessions.bounds()
	if err != nil {
		return nil, err
	}
	return &Sessions{directories: open[directoryRecord]("session", c.Store), clock: c.Clock, bounds: b, refused: c.Refused, process: thisProcess()}, nil
}

// Begin takes the lease of a session for one run, before its prompt is sent. Run
// is a label, as for Claim. It is refused with ErrSessionAlreadyRunning,
// ErrAbortPending or ErrConfirmRequired, in this order; the refusal has a view of
// the session.
//
// Whether something runs in the session can't be known: only a person who was
// told so may confirm a begin. A confirmation is good for one begin. A program
// that tries again by itself must not confirm.
func (s *Sessions) Begin(ctx context.Context, key SessionKey, run string, confirmed bool) (_ SessionLease, err error) {
	if s.closed() {
		return SessionLease{}, ErrNotOpen
	}
	defer s.refused.tell(ctx, &err)
	if err := named("begin", key); err != nil {
		return SessionLease{}, err
	}
	if !validLabel(run) {
		no := misused("begin", "shell.label", ErrInvalidLabel)
		no.Message = "run: " + no.Message
		return SessionLease{}, no
	}
	t, lease := newTenure(s, key, run)
	number, _, err := s.send(ctx, key, "begin", true, func(d *directoryRecord, r *sessionRecord, fresh Version) session.Row {
		row := d.step(r, session.Begin{Run: session.Run(fresh.Number), Lease: session.Lease(fresh.Number), Confirmed: confirmed}, d.now, &s.bounds)
		if row == session.BeginTaken {
			r.run = run
		}
		return row
	})
	if err != nil {
		return SessionLease{}, err
	}
	t.serial = number // nobody else looks at it until the lease is out
	return lease, nil
}

// Sent marks the prompt of lease as sent. It is called immediately before the
// prompt is sent, which may be done only if both results are zero: if the lease
// is gone, the refusal is ErrLeaseNotCurrent, and NoteAlreadySent means that the
// prompt was marked before.
//
// That the prompt's call succeeds is no event: a run that no list shows ends
// when its grace is over.
func (s *Sessions) Sent(ctx context.Context, lease SessionLease) (_ Note, err error) {
	if s.closed() {
		return "", ErrNotOpen
	}
	defer s.refused.tell(ctx, &err)
	t := lease.tenure()
	if t == nil {
		return "", unleased("sent")
	}
	return s.act(ctx, t.key, "sent", true, func(d *directoryRecord, r *sessionRecord, fresh Version) session.Row {
		return d.step(r, session.Sent{Lease: t.as(s), Asked: session.Poll(fresh.Number)}, d.now, &s.bounds)
	})
}

// PromptFailed gives lease up, since the call that sends its prompt has failed,
// or wasn't made. With NoteRunWasSeen it stays: a list has shown the run, so that
// its prompt did arrive. A lease that isn't current is refused with
// ErrLeaseNotCurrent.
func (s *Sessions) PromptFailed(ctx context.Context, lease SessionLease) (_ Note, err error) {
	if s.closed() {
		return "", ErrNotOpen
	}
	defer s.refused.tell(ctx, &err)
	t := lease.tenure()
	if t == nil {
		return "", unleased("promptFailed")
	}
	return s.act(ctx, t.key, "promptFailed", false, func(d *directoryRecord, r *sessionRecord, _ Version) session.Row {
		return d.step(r, session.PromptFailed{Lease: t.as(s)}, d.now, &s.bounds)
	})
}

// Delete forgets a session, and the lease that it has. An abort that is on its
// way stays so.
func (s *Sessions) Delete(ctx context.Context, key SessionKey) (err error) {
	if s.closed() {
		return ErrNotOpen
	}
	defer s.refused.tell(ctx, &err)
	if err := named("delete", key); err != nil {
		return err
	}
	_, err = s.act(ctx, key, "delete", false, func(d *directoryRecord, r *sessionRecord, _ Version) session.Row {
		return d.step(r, session.Delete{}, d.now, &s.bounds)
	})
	return err
}

// View returns what can be seen of a session. One that nothing is known of is
// unknown, and leaves nothing behind.
func (s *Sessions) View(ctx context.Context, key SessionKey) (_ SessionView, err error) {
	if s.closed() {
		return SessionView{}, ErrNotOpen
	}
	defer s.refused.tell(ctx, &err)
	if err := named("view", key); err != nil {
		return SessionView{}, err
	}
	var v SessionView
	_, err = s.step(ctx, key.Directory, false, func(d *directoryRecord, _ Version) bool {
		r, changed := d.session(key.Session, &s.bounds)
		v = d.view(key.Session, r)
		return changed && s.inMemory()
	})
	if err != nil {
		return SessionView{}, fmt.Errorf("lanes: view of session %v: %w", key, err)
	}
	return v, nil
}

// All yields a view of each session that something is kept of, in the order of
// directories and then of ids. Those of one directory are of one moment.
func (s *Sessions) All(ctx context.Context) iter.Seq2[SessionView, error] {
	return func(yield func(SessionView, error) bool) {
		if s.closed() {
			yield(SessionView{}, ErrNotOpen)
			return
		}
		for name, err := range s.directories.names(ctx) {
			if err != nil {
				yield(SessionView{}, fmt.Errorf("lanes: all sessions: %w", err))
				return
			}
			var views []SessionView
			_, err := s.step(ctx, name, false, func(d *directoryRecord, _ Version) (changed bool) {
				views = nil
				for _, id := range slices.Collect(maps.Keys(d.sessions.entries)) {
					r, expired := d.session(id, &s.bounds)
					changed = changed || expired
					if !r.blank() {
						views = append(views, d.view(id, r))
					}
				}
				return changed && s.inMemory()
			})
			if err != nil {
				yield(SessionView{}, fmt.Errorf("lanes: all sessions: %w", err))
				return
			}
			slices.SortFunc(views, func(a, b SessionView) int { return strings.Compare(a.Session, b.Session) })
			for _, v := range views {
				if !yield(v, nil) {
					return
				}
			}
		}
	}
}

// inMemory reports whether a view may as well do what is due: elsewhere that is
// a write, and is left to the next event.
func (s *Sessions) inMemory() bool { return s.directories.memory != nil }

// now returns the time of a step. The clock is its owner's, and not to be asked
// under a lock.
func (s *Sessions) now() time.Time {
	now := s.clock.Now()
	if s.inMemory() {
		return now // the record has the latest
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.After(s.latest) {
		s.latest = now
	}
	return s.latest
}

// step takes one step of a directory, at this time, and then tells those whose
// aborts it answered. Take reports whether it changed d; it may run several
// times, and under a lock. If it did change d, the number is that of the write.
func (s *Sessions) step(ctx context.Context, name string, draw bool, take func(d *directoryRecord, fresh Version) bool) (number uint64, err error) {
	return s.stepAt(ctx, name, s.now(), draw, take)
}

// stepAt is step at that time, and at the latest for the zero one.
func (s *Sessions) stepAt(ctx context.Context, name string, now time.Time, draw bool, take func(d *directoryRecord, fresh Version) bool) (number uint64, err error) {
	var answered []*delivery
	var lost []uint64
	d, err := s.directories.apply(ctx, name, draw, func(d *directoryRecord, fresh Version) bool {
		d.own(s.process)
		if now.After(d.now) {
			d.now = now
		}
		swept := false
		if s.inMemory() {
			d.record = s.record
			number = fresh.Number
		} else {
			lost, swept = s.sweep(d)
		}
		changed := take(d, fresh)
		answered, d.answered = d.answered, nil
		if changed = changed || swept; !changed {
			answered = nil // what was due isn't done by a look at it
		}
		return changed
	})
	if err != nil {
		return 0, err
	}
	if !s.inMemory() {
		number = d.version()
		s.swept(name, lost)
	}
	for _, o := range answered {
		o.tell()
	}
	return number, nil
}

// act is send, for who needs no number.
func (s *Sessions) act(ctx context.Context, key SessionKey, event string, draw bool, send func(d *directoryRecord, r *sessionRecord, fresh Version) session.Row) (Note, error) {
	_, note, err := s.send(ctx, key, event, draw, send)
	return note, err
}

// send sends one event to the session under key, and turns the row that decided
// it into an answer.
func (s *Sessions) send(ctx context.Context, key SessionKey, event string, draw bool, send func(d *directoryRecord, r *sessionRecord, fresh Version) session.Row) (number uint64, note Note, err error) {
	var row session.Row
	var view SessionView
	number, err = s.step(ctx, key.Directory, draw, func(d *directoryRecord, fresh Version) bool {
		r, changed := d.session(key.Session, &s.bounds)
		row = send(d, r, fresh)
		if row.Info().Kind == fsm.Move {
			d.keep(key.Session, r)
			return true
		}
		view = d.view(key.Session, r)
		return changed
	})
	if err != nil {
		return 0, "", fmt.Errorf("lanes: %s of session %v: %w", event, key, err)
	}
	switch info := row.Info(); info.Kind {
	case fsm.Move, fsm.Stay, fsm.Ignore:
		return number, Note(info.Code), nil
	case fsm.Refuse:
		no := refusal("session", info, string(view.State))
		no.Session = &view
		if no.Code == ErrLeaseNotCurrent {
			no.Message = "this lease doesn't own the session, or no longer"
		}
		return 0, "", no
	}
	return 0, "", fmt.Errorf("lanes: %s of session %v, which is %s: decided by row %s, which must never apply", event, key, view.State, row)
}

// named refuses key, which is event's, unless both its parts are names.
func named(event string, key SessionKey) error {
	if err := namedDirectory(event, key.Directory); err != nil {
		return err
	}
	if !validName(key.Session) {
		return badArgument(event, "session", notAName)
	}
	return nil
}

func namedDirectory(event, directory string) error {
	if !validName(directory) {
		return badArgument(event, "directory", notAName)
	}
	return nil
}

const (
	maxName  = 4096 // the most bytes that a name may have
	notAName = "a name is 1 to 4,096 bytes of UTF-8 without control characters"
)

// validName reports whether s may name a directory, or a session in it.
func validName(s string) bool {
	return len(s) > 0 && len(s) <= maxName && utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// misused refuses event by its arguments, of whatever session.
func misused(event, row string, code Code) *Refusal {
	no := refusal("session", fsm.Info{Name: row, Code: string(code)}, "")
	no.Event = event
	return no
}

// badArgument refuses event since the argument of that name isn't one.
func badArgument(event, argument, why string) *Refusal {
	no := invalid(event, argument, why)
	no.Machine = "session"
	return no
}

// unleased refuses the zero SessionLease, which is of no session.
func unleased(event string) *Refusal { return misused(event, "shell.lease", ErrInvalidLease) }
