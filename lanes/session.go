package lanes

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
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
// Ownership lives in one process. It is kept in the Memory that Config.Store is,
// shared by all who have it; with another Store it is this Sessions' own, and
// what another process knew reads as unknown.
type Sessions struct {
	directories records[directoryRecord, *directoryRecord]
	clock       Clock
	bounds      bounds
	record      recorder // nil for none
}

// openSessions returns the sessions that c says, which has a clock.
func openSessions(c Config) (*Sessions, error) {
	b, err := c.Sessions.bounds()
	if err != nil {
		return nil, err
	}
	memory, ok := c.Store.(*Memory)
	if !ok {
		memory = NewMemory(c.Clock.Now())
	}
	return &Sessions{directories: open[directoryRecord]("session", memory), clock: c.Clock, bounds: b}, nil
}

// Begin takes the lease of a session for one run, before its prompt is sent. Run
// is a label, as for Claim. It is refused with ErrSessionAlreadyRunning,
// ErrAbortPending or ErrConfirmRequired, in this order; the refusal has a view of
// the session.
//
// Whether something runs in the session can't be known: only a person who was
// told so may confirm a begin. A confirmation is good for one begin. A program
// that tries again by itself must not confirm.
func (s *Sessions) Begin(ctx context.Context, key SessionKey, run string, confirmed bool) (SessionLease, error) {
	if err := named("begin", key); err != nil {
		return SessionLease{}, err
	}
	if !validLabel(run) {
		no := misused("begin", "shell.label", ErrInvalidLabel)
		no.Message = "run: " + no.Message
		return SessionLease{}, no
	}
	t, lease := newTenure(s, key, run)
	_, err := s.act(ctx, key, "begin", true, func(d *directoryRecord, r *sessionRecord, fresh Version) session.Row {
		row := d.step(r, session.Begin{Run: session.Run(fresh.Number), Lease: session.Lease(fresh.Number), Confirmed: confirmed}, d.now, &s.bounds)
		if row == session.BeginTaken {
			t.serial = fresh.Number
			r.tenure = t
		}
		return row
	})
	if err != nil {
		return SessionLease{}, err
	}
	return lease, nil
}

// Sent marks the prompt of lease as sent. It is called immediately before the
// prompt is sent, which may be done only if both results are zero: if the lease
// is gone, the refusal is ErrLeaseNotCurrent, and NoteAlreadySent means that the
// prompt was marked before.
//
// That the prompt's call succeeds is no event: a run that no list shows ends
// when its grace is over.
func (s *Sessions) Sent(ctx context.Context, lease SessionLease) (Note, error) {
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
func (s *Sessions) PromptFailed(ctx context.Context, lease SessionLease) (Note, error) {
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
func (s *Sessions) Delete(ctx context.Context, key SessionKey) error {
	if err := named("delete", key); err != nil {
		return err
	}
	_, err := s.act(ctx, key, "delete", false, func(d *directoryRecord, r *sessionRecord, _ Version) session.Row {
		return d.step(r, session.Delete{}, d.now, &s.bounds)
	})
	return err
}

// View returns what can be seen of a session. One that nothing is known of is
// unknown, and leaves nothing behind.
func (s *Sessions) View(ctx context.Context, key SessionKey) (SessionView, error) {
	if err := named("view", key); err != nil {
		return SessionView{}, err
	}
	var v SessionView
	err := s.step(ctx, key.Directory, false, func(d *directoryRecord, _ Version) bool {
		r, changed := d.session(key.Session, &s.bounds)
		v = d.view(key.Session, r)
		return changed
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
		for _, name := range s.directories.table.names() {
			var views []SessionView
			err := s.step(ctx, name, false, func(d *directoryRecord, _ Version) (changed bool) {
				for _, id := range slices.Collect(maps.Keys(d.sessions.entries)) {
					r, expired := d.session(id, &s.bounds)
					changed = changed || expired
					if !r.blank() {
						views = append(views, d.view(id, r))
					}
				}
				return changed
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

// step takes one step of a directory, at this time, and then tells those whose
// aborts it answered. Take reports whether it changed d; it runs under a lock.
func (s *Sessions) step(ctx context.Context, name string, draw bool, take func(d *directoryRecord, fresh Version) bool) error {
	now := s.clock.Now() // the clock is its owner's, and not to be asked under a lock
	var answered []*delivery
	_, err := s.directories.apply(ctx, name, draw, func(d *directoryRecord, fresh Version) bool {
		if now.After(d.now) {
			d.now = now
		}
		d.record = s.record
		changed := take(d, fresh)
		answered, d.answered = d.answered, nil
		return changed
	})
	for _, o := range answered {
		close(o.done)
	}
	return err
}

// act sends one event to the session under key, and turns the row that decided
// it into an answer.
func (s *Sessions) act(ctx context.Context, key SessionKey, event string, draw bool, send func(d *directoryRecord, r *sessionRecord, fresh Version) session.Row) (Note, error) {
	var row session.Row
	var view SessionView
	err := s.step(ctx, key.Directory, draw, func(d *directoryRecord, fresh Version) bool {
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
		return "", fmt.Errorf("lanes: %s of session %v: %w", event, key, err)
	}
	switch info := row.Info(); info.Kind {
	case fsm.Move, fsm.Stay, fsm.Ignore:
		return Note(info.Code), nil
	case fsm.Refuse:
		no := refusal("session", info, string(view.State))
		no.Session = &view
		if no.Code == ErrLeaseNotCurrent {
			no.Message = "this lease doesn't own the session, or no longer"
		}
		return "", no
	}
	return "", fmt.Errorf("lanes: %s of session %v, which is %s: decided by row %s, which must never apply", event, key, view.State, row)
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
