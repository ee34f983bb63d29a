package lanes

import (
	"context"
	"time"

	"github.com/interlock-go/interlock/fsm/queue"
)

// turn is whose it is to step a session. It is held while the store is asked, so
// that effects are done in the order of the steps: who steps another session
// doesn't wait for it, and who steps this one would conflict.
type turn struct {
	held  chan struct{} // has room for who has the turn
	users int           // guarded by the coordinator's lock
	timer Timer         // and this: mends what is left, soon

	// Of who has the turn:
	doubts   []doubt      // all on one version of the record, so that one was done at most
	owed     []owed       // is to be done before any other step
	lost     []*execution // of submits that were in doubt, so that nobody has a handle
	patience time.Duration
}

// doubt is a step of which nobody knows whether it was done, or will be.
type doubt struct {
	owed
	step    uint64  // its number
	old     Version // what it is to take the place of
	forgets bool    // it removes the record
}

// owed is an act that is done, or told of, later.
type owed struct {
	event queue.Event
	act   *act
}

// clean reports whether nothing is left to be mended.
func (t *turn) clean() bool { return len(t.doubts) == 0 && len(t.owed) == 0 && len(t.lost) == 0 }

// done returns the doubt that has made the record r of by's; nil for none.
func (t *turn) done(r *line, by Version) *doubt {
	for i := range t.doubts {
		d := &t.doubts[i]
		if r.written.by == by && r.written.step == d.step || d.forgets && r.blank() {
			return d
		}
	}
	return nil
}

// withTurn calls f with the turn of session, and has what f leaves mended.
func (c *Coordinator) withTurn(ctx context.Context, session string, f func(t *turn) error) error {
	c.mu.Lock()
	t := c.stored.turns[session]
	if t == nil {
		t = &turn{held: make(chan struct{}, 1)}
		c.stored.turns[session] = t
	}
	t.users++
	c.mu.Unlock()
	select {
	case t.held <- struct{}{}:
	case <-ctx.Done():
		c.mu.Lock()
		defer c.mu.Unlock()
		if t.users--; t.users == 0 && t.timer == nil && t.clean() {
			delete(c.stored.turns, session)
		}
		return ctx.Err()
	}
	defer c.give(session, t)
	return f(t)
}

const (
	mendAfter  = time.Second // what a store failed is tried again
	mendAtMost = time.Minute // after twice as long each time, up to this
)

// give gives t back.
func (c *Coordinator) give(session string, t *turn) {
	clean := t.clean()
	if clean {
		t.patience = 0
	}
	c.mu.Lock()
	t.users--
	arm := !clean && t.timer == nil && !c.down
	switch {
	case arm:
		t.timer = stopped{}
		t.patience = min(max(2*t.patience, mendAfter), mendAtMost)
	case clean && t.users == 0 && t.timer == nil:
		delete(c.stored.turns, session)
	}
	wait := t.patience
	c.mu.Unlock()
	<-t.held
	if !arm {
		return
	}
	timer := c.clock.AfterFunc(wait, func() { c.mendLater(session, t) })
	c.mu.Lock()
	down := c.down
	if t.timer != nil && !down {
		t.timer = timer
	}
	c.mu.Unlock()
	if down {
		timer.Stop()
	}
}

// stopped is a timer that has yet to be set.
type stopped struct{}

func (stopped) Stop() bool { return false }

func (c *Coordinator) mendLater(session string, t *turn) {
	c.mu.Lock()
	t.timer = nil
	down := c.down
	c.mu.Unlock()
	if down {
		return
	}
	ctx := context.Background()
	c.withTurn(ctx, session, func(t *turn) error { return c.mend(ctx, session, t) })
}
