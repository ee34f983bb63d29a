package lanes

import (
	"errors"
	"fmt"
	"time"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/queue"
)

// Codes with which the table accepts a call without a change.
const (
	codeAlreadyEnded     = "ALREADY_ENDED"
	codeAlreadyRequested = "ALREADY_REQUESTED"
	codeAlreadyClosed    = "ALREADY_CLOSED"
	codeAlreadyLeaving   = "ALREADY_LEAVING"
)

// The reasons of who gives none.
const (
	shutReason   = "coordinator closed"
	closeReason  = "session closed"
	cleanReason  = "session cleaned up"
	idleReason   = "idle"
	cancelReason = "cancelled by owner"
	askReason    = "interrupt requested by owner"
	lateReason   = "admission timed out"
)

// act is what a call gives with its event, and what becomes of it, as far as the
// table doesn't say.
type act struct {
	at     time.Time
	reason string     // of a cancel, interrupt, close or end by force
	report Report     // of an end
	forced bool       // an operator ends the ticket
	ticket *execution // of a submit

	row  queue.Row // that decided
	code string    // what it answers

	// Once the lock is free, so that who is woken doesn't run into it:
	woken chan struct{}   // is closed, if there is one
	wakes []chan struct{} // and so are these
	stops []func()        // end contexts
}

// wake has c closed, if anybody asked for it.
func (a *act) wake(c chan struct{}) {
	if c == nil {
		return
	}
	if a.woken == nil {
		a.woken = c
		return
	}
	a.wakes = append(a.wakes, c)
}

// line returns the line of session, and one at its start, which nobody keeps, if
// there is none. Its caller holds the lock.
func (c *Coordinator) line(session string) *line {
	if l := c.lines.at(session); l != nil {
		return l
	}
	return &line{session: session, machine: queue.Machine{Params: c.params}}
}

// step sends e to l's machine and does what follows, in order. Its caller holds
// the lock, so that nothing comes in between. The error is a refusal, or a fault
// of the table.
func (c *Coordinator) step(l *line, e queue.Event, a *act) error {
	m := &l.machine
	m.Shared = c.shared
	was := m.State
	d, effects := m.Step(e, c.effects[:0])
	if cap(effects) <= roomy {
		c.effects = effects
	}
	if c.record != nil {
		c.record.queue(l, e, d, effects)
	}
	info := d.Row.Info()
	kind := info.Kind
	if d.Then != queue.NoRow && d.Then.Info().Kind != fsm.Move {
		kind = fsm.Internal
	}
	a.row, a.code = d.Row, info.Code
	switch kind {
	case fsm.Move:
	case fsm.Stay:
		return nil
	case fsm.Refuse:
		no := refusal("queue", info, was.String())
		switch d.Row {
		case queue.SubmitShut:
			no.Reason = c.reason
		case queue.SubmitClosed:
			no.Reason = l.reason
		}
		return no
	default:
		return fmt.Errorf("lanes: session %s, which is %s: decided by row %s, which must never apply", l.session, was, d)
	}

	c.shared = m.Shared
	if a.ticket != nil {
		if l.live == nil {
			l.live = map[queue.Ticket]*execution{}
		}
		l.live[a.ticket.number] = a.ticket
	}
	if was == queue.Absent && m.State != queue.Absent {
		c.lines.add(l)
	}
	var x *execution
	for i := range effects {
		switch n := effects[i].Ticket; {
		case n == 0:
			x = nil
		case x == nil || x.number != n: // several in a row are on one ticket
			x = l.live[n]
		}
		c.do(l, x, &effects[i], a)
	}
	c.settle(l, was, a)
	return nil
}

// settle keeps what follows from the state that l is in now.
func (c *Coordinator) settle(l *line, was queue.State, a *act) {
	if l.machine.State == queue.Absent {
		if was != queue.Absent {
			c.lines.remove(l)
		}
		if l.resting != nil {
			c.rests.remove(l)
		}
		return
	}
	l.shrink()
	if c.config.ForgetIdle == 0 {
		return
	}
	switch idle := l.idle(); {
	case idle && l.resting == nil:
		c.rests.add(l, a.at)
	case !idle && l.resting != nil:
		c.rests.remove(l)
	}
}

// unlock hands out the events and frees the lock, and then does what need not be
// done under it, or must not: it wakes who waits or listens, ends the contexts of
// those that are to stop, and sets the timer.
func (c *Coordinator) unlock(a *act) {
	arm := c.config.ForgetIdle > 0 && c.rests.first != nil && !c.armed && !c.down
	var wait time.Duration
	if arm {
		c.armed = true
		wait = c.rests.first.since.Add(c.config.ForgetIdle).Sub(a.at)
	}
	readers := c.events.flush()
	c.mu.Unlock()
	if a.woken != nil {
		close(a.woken)
	}
	for _, woken := range a.wakes {
		close(woken)
	}
	for _, r := range readers {
		r.wake()
	}
	for _, stop := range a.stops {
		stop()
	}
	if arm {
		c.arm(max(wait, 0))
	}
}

// isCode reports whether err is a refusal with that code.
func isCode(err error, code Code) bool {
	var no *Refusal
	return errors.As(err, &no) && no.Code == code
}

// shellRefusal is a refusal that the table isn't asked for.
func shellRefusal(event, row string, code Code) *Refusal {
	no := refusal("queue", fsm.Info{Name: row, Code: string(code)}, "")
	no.Event = event
	return no
}
