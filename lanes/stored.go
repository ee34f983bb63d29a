package lanes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/interlock-go/interlock/fsm/queue"
)

// stored is what a coordinator has beside its lines where these are in a store.
type stored struct {
	openings records[opening, *opening]
	opens    chan struct{} // has room for who makes the coordinator ready
	ready    atomic.Bool
	by       Version // this coordinator
	closing  string  // why an earlier one was closed, if its sessions may be open
	steps    atomic.Uint64

	// The coordinator's lock guards these.
	turns  map[string]*turn
	coming int              // sessions that are being made
	told   bool             // that the coordinator is closed
	broken map[string]error // sessions whose records couldn't be read when they were to be taken over, and why
}

func openStored(store Store) stored {
	if _, ok := store.(*Memory); ok {
		return stored{}
	}
	return stored{openings: open[opening]("coordinator", store), opens: make(chan struct{}, 1), turns: map[string]*turn{}, broken: map[string]error{}}
}

// decided reports whether err is an answer, which the store had no part in.
func decided(err error) bool {
	var no *Refusal
	return errors.As(err, &no) || errors.Is(err, ErrSuperseded) || errors.Is(err, errBusy)
}

// terms returns what a step depends on now, of a submit of x to a session that
// has a place if it is new.
func (c *Coordinator) terms(x *execution) terms {
	c.mu.Lock()
	defer c.mu.Unlock()
	return terms{shared: c.shared, fresh: unissued, room: x == nil || x.placed}
}

// place keeps a place for a session that x would make, if there is one.
func (c *Coordinator) place(x *execution) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &c.stored
	if x.placed || c.lines.at(x.session) != nil {
		return
	}
	if x.placed = c.config.MaxSessions == 0 || c.lines.count+s.coming < c.config.MaxSessions; x.placed {
		s.coming++
	}
}

func (c *Coordinator) displace(x *execution) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x.placed {
		x.placed = false
		c.stored.coming--
	}
}

// lasting returns ctx for a call that is done whatever its context: no store is to
// leave it for that.
func (c *Coordinator) lasting(ctx context.Context) context.Context {
	if c.lines.inMemory() {
		return ctx // which nobody asks
	}
	return context.WithoutCancel(ctx)
}

// sendStored is send on a store.
func (c *Coordinator) sendStored(ctx context.Context, session string, e queue.Event, a *act, then func(l *line)) error {
	if err := c.ready(ctx); err != nil {
		return fmt.Errorf("lanes: %s: %w", a.name(e), err)
	}
	return c.withTurn(ctx, session, func(t *turn) error {
		if err := c.mend(ctx, session, t); err != nil {
			c.owe(t, e, a)
			return err
		}
		return c.stepStored(ctx, session, t, e, a, then)
	})
}

// owe has a done later, if it is one of those.
func (c *Coordinator) owe(t *turn, e queue.Event, a *act) {
	if a.owed {
		t.owed = append(t.owed, owed{e, a.own()})
	}
}

// own returns what a is, on the heap, and what decided it.
func (a *act) own() *act {
	return &act{
		at: a.at, ticket: a.ticket, owner: a.owner, reason: a.reason, report: a.report, forced: a.forced,
		idle: a.idle, owed: a.owed, was: a.was, on: a.on, decision: a.decision, effects: slices.Clone(a.effects),
	}
}

// stepStored takes the step of a on the record of session, and does its effects
// once the store has confirmed it. Its caller has the turn.
func (c *Coordinator) stepStored(ctx context.Context, session string, t *turn, e queue.Event, a *act, then func(l *line)) error {
	step := c.stored.steps.Add(1)
	for {
		if a.ticket != nil {
			c.place(a.ticket)
			defer c.displace(a.ticket)
		}
		var old Version
		var landed, earlier, later, forgets bool
		moved := false
		r, err := c.lines.records.apply(ctx, session, false, func(r *line, _ Version) bool {
			old, moved = r.stored, false
			by := r.written.by.Compare(c.stored.by)
			landed = t.done(r, c.stored.by) != nil
			if earlier = !r.blank() && by < 0; landed || earlier {
				return false
			}
			if moved = c.decide(r, e, a, c.terms(a.ticket), nil); !moved {
				return false
			}
			if later = by > 0; later {
				moved = false
				return false
			}
			c.written(r, a, step)
			forgets = r.blank()
			return true
		})
		switch {
		case errors.Is(err, ErrStoreUncertain):
			t.doubts = append(t.doubts, doubt{owed{e, a.own()}, step, old, forgets})
			if a.ticket != nil {
				t.lost = append(t.lost, a.ticket)
			}
			fallthrough
		case err != nil:
			c.owe(t, e, a)
			return fmt.Errorf("lanes: %s of session %s: %w", a.name(e), session, err)
		case later:
			return fmt.Errorf("lanes: %s of session %s: %w", a.name(e), session, ErrSuperseded)
		case landed:
			err = c.resolve(ctx, session, t)
		case earlier:
			err = c.takeOver(ctx, session, t)
		case !moved:
			return c.answer(session, a, then)
		default:
			t.doubts = nil // whatever they were, they never will be done
			return c.confirm(session, t, r, a, then)
		}
		if err != nil {
			c.owe(t, e, a)
			return err
		}
	}
}

// written keeps in r, a copy, what a step says, and who takes it.
func (c *Coordinator) written(r *line, a *act, step uint64) {
	if a.was == queue.Absent {
		r.written.created = unissued
	}
	r.written.by, r.written.step = c.stored.by, step
	if a.ticket != nil {
		x := new(execution)
		x.copy(a.ticket)
		x.number = unissued
		r.admit(x)
	}
	r.keep(a)
}

// answer does what follows from a, which has changed nothing.
func (c *Coordinator) answer(session string, a *act, then func(l *line)) error {
	c.mu.Lock()
	defer c.unlock(a)
	l := c.lines.at(session)
	if l == nil {
		l = &line{session: session}
	}
	err := c.follow(l, a)
	if err == nil && then != nil {
		then(l)
	}
	return err
}

// confirm does what follows from a, which has made the record of session r.
func (c *Coordinator) confirm(session string, t *turn, r *line, a *act, then func(l *line)) error {
	c.mu.Lock()
	defer c.unlock(a)
	l := c.lines.at(session)
	if l != nil && a.was == queue.Absent { // somebody else has removed the record
		gone := act{was: queue.Open}
		l.machine.State = queue.Absent
		c.settle(l, &gone)
		l = nil
	}
	if l == nil {
		l = &line{session: session}
	}
	delete(c.stored.broken, session)
	l.machine, l.stored, l.written = r.machine, r.stored, r.written
	l.machine.CoordinatorClosed = c.shared.CoordinatorClosed
	if a.ticket != nil {
		if a.ticket.placed {
			a.ticket.placed = false
			c.stored.coming--
		}
		l.machine.Newest = queue.Ticket(r.version())
	}
	for n, x := range r.live { // what somebody else has put there is shown, at least
		if _, ours := l.live[n]; !ours {
			x.coordinator = c
			l.admit(x)
		}
	}
	for i := range a.effects {
		if a.effects[i].Ticket == unissued {
			a.effects[i].Ticket = queue.Ticket(r.version())
		}
	}
	if err := c.follow(l, a); err != nil {
		return err
	}
	if c.shared.CoordinatorClosed && l.machine.State == queue.Open { // it was made while all were closed
		t.owed = append(t.owed, owed{queue.Close{}, &act{at: a.at, reason: c.reason, owed: true}})
	}
	if then != nil {
		then(l)
	}
	return nil
}

// settled reports whether x waits no more, and then answers a, a waiter's leave,
// by what is known: the store need not be asked.
func (c *Coordinator) settled(x *execution, a *act, then func(l *line)) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x.state == TicketQueued {
		return false
	}
	l := c.lines.at(x.session)
	if l == nil {
		l = &line{session: x.session}
	}
	c.decide(l, queue.Leave{Ticket: x.number}, a, terms{shared: c.shared}, nil)
	then(l)
	return true
}

// sweepStored is sweepSome on a store, for one session.
func (c *Coordinator) sweepStored(a *act) (more bool) {
	c.mu.Lock()
	r := c.rests.first
	if c.down || r == nil || r.since.Add(c.config.ForgetIdle).After(a.at) {
		c.armed, c.timer = false, nil
		c.unlock(a)
		return false
	}
	l := r.line
	c.mu.Unlock()
	err := c.sendStored(context.Background(), l.session, queue.CleanUp{}, a, nil)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil && l.resting != nil { // its turn comes again
		c.rests.remove(l)
		c.rests.add(l, a.at)
	}
	return true
}

// name returns what a is, in words.
func (a *act) name(e queue.Event) string {
	switch e.(type) {
	case queue.End:
		return "end"
	case queue.Leave:
		return "leave"
	case queue.Close:
		return "close"
	case queue.CleanUp:
		return "cleanUp"
	case queue.Crash:
		return "crash"
	}
	if a.ticket != nil {
		return "submit"
	}
	return a.verb
}
