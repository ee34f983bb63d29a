package lanes

import "github.com/interlock-go/interlock/fsm/queue"

// eventOf says which event tells of an effect.
var eventOf = [...]EventType{
	queue.EffectTicketState:        EventTicketState,
	queue.EffectOwnerLeft:          EventOwnerChanged,
	queue.EffectOwnerCame:          EventOwnerChanged,
	queue.EffectInterruptRequested: EventInterruptRequested,
	queue.EffectForceEnded:         EventForceEnded,
	queue.EffectSessionClosed:      EventSessionClosed,
	queue.EffectSessionForgotten:   EventSessionForgotten,
	queue.EffectQueueChanged:       EventQueueChanged,
}

// mark keeps in l, and in the effect's ticket x, what one effect of a step of l
// says. X is nil for an effect on l alone.
func (l *line) mark(x *execution, effect *queue.Effect, a *act) {
	switch effect.Kind {
	case queue.EffectTicketState:
		x.enter(TicketState(effect.Where.String()), a)
	case queue.EffectInterruptRequested:
		x.ask(a)
	case queue.EffectSessionClosed:
		l.reason = a.reason
	}
}

// do does what one effect of a step of l says, and tells of it. Its caller holds
// the lock.
func (c *Coordinator) do(l *line, x *execution, effect *queue.Effect, a *act) {
	l.mark(x, effect, a)
	if e := c.tell(l, eventOf[effect.Kind], a); e != nil {
		e.draw(l, x, effect, a)
		c.events.publish(e)
	}
	l.drop(x, effect)
}

// drop lets go of the ticket of an effect of l, if it has ended and nothing more is
// told of it.
func (l *line) drop(x *execution, effect *queue.Effect) {
	switch effect.Kind {
	case queue.EffectTicketState:
		if effect.Where.Ended() && !x.ran {
			delete(l.live, effect.Ticket)
		}
	case queue.EffectOwnerLeft: // the last that is told of one that ran
		delete(l.live, effect.Ticket)
	}
}

// draw fills in what e tells of an effect on x, a ticket of l, or on l alone.
func (e *Event) draw(l *line, x *execution, effect *queue.Effect, a *act) {
	at := func(place int) *TicketView {
		v := x.view(place)
		return &v
	}
	switch effect.Kind {
	case queue.EffectTicketState:
		e.Ticket = at(NoPosition)
		if effect.Place.HasValue() {
			e.Ticket.Position = effect.Place.Value()
		}
		if x.state == TicketCancelled {
			e.Reason = x.reason
		}
	case queue.EffectOwnerLeft:
		e.Previous, e.Reason = at(NoPosition), effect.How.String()
	case queue.EffectOwnerCame:
		e.Ticket, e.Reason = at(0), "admitted"
	case queue.EffectInterruptRequested, queue.EffectForceEnded:
		e.Ticket, e.Reason = at(0), a.reason
	case queue.EffectSessionClosed:
		e.Reason = a.reason
	case queue.EffectQueueChanged:
		e.Snapshot = l.snapshot(e.Seq)
	}
}

// tell numbers an event, and returns it if somebody gets to see it. L is nil for
// one of the coordinator.
func (c *Coordinator) tell(l *line, t EventType, a *act) *Event {
	c.events.seq++
	if c.events.keep == 0 {
		c.events.missed = a.at
	}
	if !c.events.heard() {
		return nil
	}
	e := &Event{Type: t, Seq: c.events.seq, At: a.at}
	if l != nil {
		e.Session = l.session
	}
	return e
}
