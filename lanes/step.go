package lanes

import (
	"context"
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

// act is what a call sends to a session, and what becomes of it, as far as the
// table doesn't say.
type act struct {
	at     time.Time
	ticket *execution // of a submit
	verb   string     // of a call that names its ticket by a target: the event's name
	target Target
	owner  queue.Owner
	reason string // of a cancel, interrupt, close or end by force
	report Report // of an end
	forced bool   // an operator ends the ticket
	idle   bool   // only a session that is idle is meant
	owed   bool   // if the store fails it is done later, since nobody can ask again

	was      queue.State
	on       queue.Ticket // of a target: which it is
	decision queue.Decision
	effects  []queue.Effect
	fault    error // why it was decided by no row

	// Once the lock is free, so that who is woken doesn't run into it:
	woken chan struct{}   // is closed, if there is one
	wakes []chan struct{} // and so are these
	stops []func()        // end contexts
}

// code returns what the row that decided a answers.
func (a *act) code() string { return a.decision.Row.Info().Code }

// kind returns the kind of what decided a.
func (a *act) kind() fsm.Kind {
	if then := a.decision.Then; then != queue.NoRow && then.Info().Kind != fsm.Move {
		return fsm.Internal
	}
	return a.decision.Row.Info().Kind
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

// terms are what a step depends on beside its session's record.
type terms struct {
	shared queue.Shared
	fresh  queue.Ticket // the number of a new ticket
	room   bool         // for a further session
}

// errBusy is why a session isn't forgotten after all.
var errBusy = errors.New("lanes: the session isn't idle any more")

// decide takes the step of a on l, by e unless a says which event it is, and
// reports whether it changes l. It may run several times.
func (c *Coordinator) decide(l *line, e queue.Event, a *act, t terms, room []queue.Effect) bool {
	m := &l.machine
	m.Params, m.Shared = c.params, t.shared
	a.was, a.fault = m.State, nil
	switch {
	case a.ticket != nil:
		e = queue.Submit{Ticket: t.fresh, Id: queue.Id(a.ticket.id), Owner: a.owner, Room: t.room}
	case a.verb != "":
		if a.on, a.fault = l.find(a.verb, &a.target); a.fault != nil {
			return false
		}
		switch a.verb {
		case "cancelQueued":
			e = queue.CancelQueued{Ticket: a.on, Owner: a.owner}
		case "interrupt":
			e = queue.Interrupt{Ticket: a.on, Owner: a.owner}
		default:
			e = queue.ForceEnd{Ticket: a.on}
		}
	case a.idle && !l.idle():
		a.fault = errBusy
		return false
	}
	a.decision, a.effects = m.Step(e, room)
	if c.record != nil && c.lines.inMemory() {
		c.record.queue(l, e, a.decision, a.effects)
	}
	return a.kind() == fsm.Move
}

// send sends a to session, and does what follows. E is apart from a so that it
// needn't be on the heap; it is nil if a says which event it is. Then, if it isn't
// nil, may look at the session's line before anything else happens, unless there
// is an error: a refusal, a fault of the table, or of the store.
func (c *Coordinator) send(ctx context.Context, session string, e queue.Event, a *act, then func(l *line)) error {
	if !c.lines.inMemory() {
		return c.sendStored(ctx, session, ownQueueEvent(e), a, then)
	}
	c.mu.Lock()
	defer c.unlock(a)
	l, err := c.step(session, e, a)
	if err == nil && then != nil {
		then(l)
	}
	return err
}

// step is send in memory. Its caller holds the lock, so that nothing comes in
// between.
func (c *Coordinator) step(session string, e queue.Event, a *act) (*line, error) {
	t := terms{c.shared, c.shared.Newest + 1, c.config.MaxSessions == 0 || c.lines.count < c.config.MaxSessions}
	l, err := c.lines.records.apply(context.Background(), session, false, func(l *line, _ Version) bool {
		return c.decide(l, e, a, t, c.effects[:0])
	})
	if err != nil {
		return nil, err
	}
	if cap(a.effects) <= roomy {
		c.effects = a.effects
	}
	if err := c.follow(l, a); err != nil {
		return nil, err
	}
	return l, nil
}

// follow does what follows from a, which was decided on l and is stored, in
// order. Its caller holds the lock. The error is a refusal, or a fault of the
// table.
func (c *Coordinator) follow(l *line, a *act) error {
	if a.fault != nil {
		return a.fault
	}
	switch info := a.decision.Row.Info(); a.kind() {
	case fsm.Move:
	case fsm.Stay:
		return nil
	case fsm.Refuse:
		no := refusal("queue", info, a.was.String())
		switch a.decision.Row {
		case queue.SubmitShut:
			no.Reason = c.reason
		case queue.SubmitClosed:
			no.Reason = l.reason
		}
		return no
	default:
		return fmt.Errorf("lanes: session %s, which is %s: decided by row %s, which must never apply", l.session, a.was, a.decision)
	}

	m := &l.machine
	c.shared.CoordinatorClosed = c.shared.CoordinatorClosed || m.CoordinatorClosed
	c.shared.Newest = max(c.shared.Newest, m.Newest)
	if a.ticket != nil {
		a.ticket.number = m.Newest
		l.admit(a.ticket)
	}
	if a.was == queue.Absent && m.State != queue.Absent {
		c.lines.add(l)
	}
	var x *execution
	for i := range a.effects {
		switch n := a.effects[i].Ticket; {
		case n == 0:
			x = nil
		case x == nil || x.number != n: // several in a row are on one ticket
			x = l.live[n]
		}
		c.do(l, x, &a.effects[i], a)
	}
	c.settle(l, a)
	return nil
}

// admit adds x to those that wait or run.
func (l *line) admit(x *execution) {
	if l.live == nil {
		l.live = map[queue.Ticket]*execution{}
	}
	l.live[x.number] = x
}

// settle keeps what follows from the state that l is in now.
func (c *Coordinator) settle(l *line, a *act) {
	if l.machine.State == queue.Absent {
		if a.was != queue.Absent {
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
