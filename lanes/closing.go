package lanes

import (
	"context"
	"time"

	"github.com/interlock-go/interlock/fsm/queue"
)

// Closed is what a close found.
type Closed struct {
	Already bool   // it was closed before, and nothing was changed
	Reason  string // the first close's
}

// CleanedUp is what a clean-up found and did.
type CleanedUp struct {
	ClosedBefore bool // the session was closed already; its first reason stays
	Forgotten    bool // it is forgotten now; else it will be, when the ticket that runs ends
	Already      bool // it was being cleaned up already, and nothing was changed
}

// CloseSession closes a session: it takes no more tickets, those that wait are
// cancelled in their order, and the one that runs is asked to stop, and keeps
// its place until its owner ends it. The default reason is "session closed". A
// closed session is remembered until it is cleaned up.
//
// An unknown session is refused with ErrNoSuchSession, and left so: a later
// submit makes it.
func (c *Coordinator) CloseSession(ctx context.Context, session, reason string) (r Closed, err error) {
	if c.closed() {
		return r, ErrNotOpen
	}
	defer c.refused.tell(ctx, &err)
	if session, err = given("close", "session", session); err != nil {
		return Closed{}, err
	}
	a := act{at: c.clock.Now(), reason: orElse(reason, closeReason)}
	err = c.send(c.lasting(ctx), session, queue.Close{}, &a, func(l *line) {
		r = Closed{Already: a.code() == codeAlreadyClosed, Reason: l.reason}
	})
	return r, err
}

// CleanupSession closes a session, as CloseSession does if it is open, and has
// it forgotten once nothing runs in it: its id and execution ids may be used
// anew. The default reason is "session cleaned up". Its tickets keep their
// state.
//
// An unknown session is refused with ErrNoSuchSession.
func (c *Coordinator) CleanupSession(ctx context.Context, session, reason string) (r CleanedUp, err error) {
	if c.closed() {
		return r, ErrNotOpen
	}
	defer c.refused.tell(ctx, &err)
	if session, err = given("cleanUp", "session", session); err != nil {
		return CleanedUp{}, err
	}
	a := act{at: c.clock.Now(), reason: orElse(reason, cleanReason)}
	err = c.send(c.lasting(ctx), session, queue.CleanUp{}, &a, func(l *line) {
		r = CleanedUp{
			ClosedBefore: a.was.Shutting(),
			Forgotten:    l.machine.State == queue.Absent,
			Already:      a.code() == codeAlreadyLeaving,
		}
	})
	return r, err
}

// Close closes the coordinator, and all open sessions as CloseSession does, in
// the order of their creation, in one step. The default reason is "coordinator
// closed". Later submits are refused. Tickets that run can still be ended, and
// sessions cleaned up.
func (c *Coordinator) Close(ctx context.Context, reason string) (_ Closed, err error) {
	if c.closed() {
		return Closed{}, ErrNotOpen
	}
	defer c.refused.tell(ctx, &err)
	a := act{at: c.clock.Now(), reason: orElse(reason, shutReason)}
	if !c.lines.inMemory() {
		return c.closeStored(context.WithoutCancel(ctx), &a)
	}
	c.mu.Lock()
	defer c.unlock(&a)
	if _, err := c.step("", queue.Shut{}, &a); err != nil { // no session's, so that no line is kept
		return Closed{}, err
	}
	if a.code() == codeAlreadyClosed {
		return Closed{Already: true, Reason: c.reason}, nil
	}
	c.reason = a.reason
	for l := range c.lines.all() {
		if _, err := c.step(l.session, queue.Close{}, &a); err != nil {
			return Closed{}, err
		}
	}
	c.tellClosed(&a)
	return Closed{Reason: c.reason}, nil
}

// tellClosed tells that the coordinator is closed. Its caller holds the lock.
func (c *Coordinator) tellClosed(a *act) {
	if e := c.tell(nil, EventCoordinatorClosed, a); e != nil {
		e.Reason = a.reason
		c.events.publish(e)
	}
}

// quit is the end of the coordinator's manager. One that never asked its store
// doesn't begin with it now.
func (c *Coordinator) quit() (err error) {
	if c.lines.inMemory() || c.stored.ready.Load() {
		_, err = c.Close(context.Background(), "")
	}
	var timers []Timer
	c.mu.Lock()
	readers := c.events.readers
	if c.timer != nil {
		timers = append(timers, c.timer)
	}
	for _, t := range c.stored.turns { // in any order: none waits for another
		if t.timer != nil {
			timers = append(timers, t.timer)
		}
	}
	c.events.readers, c.events.over = nil, true
	c.down, c.timer = true, nil
	c.mu.Unlock()
	for _, r := range readers {
		r.finish()
	}
	for _, t := range timers {
		t.Stop()
	}
	return err
}

// arm sets the timer that forgets idle sessions. Its caller has set c.armed.
func (c *Coordinator) arm(wait time.Duration) {
	t := c.clock.AfterFunc(wait, c.sweep)
	c.mu.Lock()
	down := c.down
	if !down {
		c.timer = t
	}
	c.mu.Unlock()
	if down {
		t.Stop()
	}
}

// batch is how many idle sessions are forgotten without letting others in
// between.
const batch = 64

// sweep cleans up the sessions that have been idle for long enough, and sets the
// timer for the next one.
func (c *Coordinator) sweep() {
	for c.sweepSome() {
	}
}

func (c *Coordinator) sweepSome() (more bool) {
	a := act{at: c.clock.Now(), idle: true, reason: idleReason}
	if !c.lines.inMemory() {
		return c.sweepStored(&a)
	}
	c.mu.Lock()
	defer c.unlock(&a)
	if c.down {
		return false
	}
	for range batch {
		r := c.rests.first
		if r == nil || r.since.Add(c.config.ForgetIdle).After(a.at) {
			c.armed, c.timer = false, nil
			return false
		}
		if _, err := c.step(r.line.session, queue.CleanUp{}, &a); err != nil {
			c.rests.remove(r.line) // the table refuses it to no idle session; else it would be tried for ever
		}
	}
	return true
}
