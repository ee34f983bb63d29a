package lanes

import (
	"context"
	"crypto/rand"
	"time"
)

// Config says how a Manager is opened. Its zero value is of use: everything in
// memory, by the real clock.
type Config struct {
	// Store keeps the project lanes, the sessions of the coordinator and those of
	// an agent server; nil for a new Memory. It stays its caller's. In a Memory
	// each manager's coordinator has sessions of its own; in another store there
	// is one coordinator in charge, the one that came last.
	Store Store

	// Clock tells the time and wakes up; nil for the real one. It is also read
	// when Open makes a Memory, for its epoch. It is never called under a lock.
	Clock Clock

	// Refused, if it isn't nil, is told of each refusal that a call of the manager
	// ends with, before the call returns and on its goroutine, with the call's
	// context. No lock is held, and it may use the manager; the refusal is the
	// caller's, and isn't to be changed. Modules lanesotel and lanesprom have one
	// that counts. A call on the zero Poll is no manager's.
	Refused func(ctx context.Context, r *Refusal)

	// IDs makes an id where a caller of Submit gives none; nil for random ones,
	// of 26 letters and digits. It may be called from any number of goroutines,
	// and is never called under a lock. An id that it makes may end up unused.
	IDs func() string

	// Queue is for the coordinator of sessions.
	Queue QueueConfig

	// Sessions is for the sessions of an agent server.
	Sessions SessionConfig
}

// Clock tells the time, and calls back later. Any number of goroutines use it.
type Clock interface {
	Now() time.Time

	// AfterFunc calls f in a goroutine of its own once d has passed.
	AfterFunc(d time.Duration, f func()) Timer
}

// Timer is a call to come. A *time.Timer is one.
type Timer interface {
	// Stop prevents the call, and reports whether it did: false if f was called
	// before, or Stop was.
	Stop() bool
}

// Manager is what Open returns. Its parts know nothing of each other. Any
// number of goroutines may use it.
type Manager struct {
	projects    *Projects
	coordinator *Coordinator
	sessions    *Sessions
}

// Open returns a Manager. One program, or one store, may have several: they
// see the same project lanes if they have the same Store, but a lease acts only
// through the manager that issued it.
func Open(c Config) (*Manager, error) {
	if c.Clock == nil {
		c.Clock = realClock{}
	}
	if c.IDs == nil {
		c.IDs = rand.Text
	}
	if c.Store == nil {
		c.Store = NewMemory(c.Clock.Now())
	}
	if m, ok := c.Store.(*Memory); ok && m == nil {
		return nil, invalid("open", "Store", "it is a nil *Memory")
	}
	coordinator, err := newCoordinator(c)
	if err != nil {
		return nil, err
	}
	sessions, err := openSessions(c)
	if err != nil {
		return nil, err
	}
	return &Manager{
		projects:    &Projects{lanes: open[place]("lane", c.Store), refused: c.Refused},
		coordinator: coordinator,
		sessions:    sessions,
	}, nil
}

// Projects returns the lanes of projects. Of a nil Manager, or one that Open didn't
// return, this and the other parts are nil, and answer ErrNotOpen.
func (m *Manager) Projects() *Projects {
	if m == nil {
		return nil
	}
	return m.projects
}

// Coordinator returns the coordinator of sessions.
func (m *Manager) Coordinator() *Coordinator {
	if m == nil {
		return nil
	}
	return m.coordinator
}

// Sessions returns the sessions of an agent server.
func (m *Manager) Sessions() *Sessions {
	if m == nil {
		return nil
	}
	return m.sessions
}

// Close closes the coordinator, with the reason "coordinator closed", and ends
// what the manager does by itself: timers are stopped, and subscriptions end
// once they have handed out what waits. It frees no project lane: those are in
// the store, and their leases can still be released. Tickets that run can still
// be ended, and sessions cleaned up. Project lanes, and the sessions of an agent
// server, can be used on.
//
// Closing again changes nothing, but for what a store failed before: the error is
// what it did, and always nil in memory.
func (m *Manager) Close() error {
	if m == nil || m.coordinator == nil {
		return ErrNotOpen
	}
	return m.coordinator.quit()
}

// realClock is the clock of package time.
type realClock struct{}

func (realClock) Now() time.Time                            { return time.Now() }
func (realClock) AfterFunc(d time.Duration, f func()) Timer { return time.AfterFunc(d, f) }
