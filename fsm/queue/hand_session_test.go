package queue_test

import (
	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/queue"
)

var (
	changed   = queue.Effect{Kind: queue.EffectQueueChanged}
	closed    = queue.Effect{Kind: queue.EffectSessionClosed}
	forgotten = queue.Effect{Kind: queue.EffectSessionForgotten}
)

func told(t *ticket, where queue.TicketState, place fsm.Optional[int]) queue.Effect {
	return queue.Effect{Kind: queue.EffectTicketState, Ticket: t.number, Where: where, Place: place}
}

// make returns the record of a new ticket.
func (q *byHand) make(c *command) *ticket {
	if q.tickets == nil {
		q.tickets, q.ids = map[queue.Ticket]*ticket{}, map[queue.Id]*ticket{}
	}
	var t *ticket
	if n := len(q.spare); n > 0 {
		t, q.spare = q.spare[n-1], q.spare[:n-1]
	} else {
		t = new(ticket)
	}
	*t = ticket{number: c.ticket}
	t.Id, t.Owner = fsm.Some(c.id), fsm.Some(c.owner)
	q.tickets[c.ticket], q.ids[c.id] = t, t
	return t
}

// admit gives t the place, which is free.
func (q *byHand) admit(t *ticket, buf []queue.Effect) []queue.Effect {
	t.State = queue.TicketRunning
	q.active = t
	return append(buf, told(t, queue.TicketRunning, fsm.Some(0)), queue.Effect{Kind: queue.EffectOwnerCame, Ticket: t.number})
}

// free ends t, which has the place, and hands that over.
func (q *byHand) free(r queue.Row, t *ticket, how queue.TicketState, buf []queue.Effect) (queue.Decision, []queue.Effect) {
	d := queue.Decision{Row: r}
	q.ended(t, how)
	buf = append(buf, told(t, how, fsm.None[int]()), queue.Effect{Kind: queue.EffectOwnerLeft, Ticket: t.number, How: how})
	q.active = nil
	switch {
	case q.state == queue.Open && q.first != nil:
		d.Then = queue.HandOverNext
		next := q.first
		q.unlink(next)
		buf = append(q.admit(next, buf), changed)
	case q.state == queue.Open:
		d.Then = queue.HandOverLast
		buf = append(buf, changed)
	case q.state == queue.Closed:
		d.Then = queue.HandOverClosed
		buf = append(buf, changed)
	default:
		d.Then = queue.HandOverForget
		q.forget()
		buf = append(buf, changed, forgotten)
	}
	q.trim()
	return d, buf
}

// withdraw takes t out of the line.
func (q *byHand) withdraw(t *ticket, buf []queue.Effect) []queue.Effect {
	q.unlink(t)
	t.Asked = true
	buf = append(buf, told(t, queue.TicketCancelled, fsm.None[int]()), changed)
	q.ended(t, queue.TicketCancelled)
	q.trim()
	return buf
}

func (q *byHand) unlink(t *ticket) {
	if t.prev == nil {
		q.first = t.next
	} else {
		t.prev.next = t.next
	}
	if t.next == nil {
		q.last = t.prev
	} else {
		t.next.prev = t.prev
	}
	t.prev, t.next = nil, nil
	q.waiting--
}

func (q *byHand) ended(t *ticket, how queue.TicketState) {
	t.State = how
	q.past = append(q.past, t)
}

// trim forgets those that ended first, beyond what is kept.
func (q *byHand) trim() {
	n := len(q.past) - q.keep
	if n <= 0 {
		return
	}
	for _, t := range q.past[:n] {
		delete(q.tickets, t.number)
		delete(q.ids, t.Id.Value())
		q.spare = append(q.spare, t)
	}
	q.past = q.past[:copy(q.past, q.past[n:])]
}

func (q *byHand) forget() {
	q.spare = append(q.spare, q.past...)
	q.state, q.past = queue.Absent, q.past[:0]
	clear(q.tickets)
	clear(q.ids)
}

// withdrawAll takes all out of the line.
func (q *byHand) withdrawAll(buf []queue.Effect) []queue.Effect {
	for t := q.first; t != nil; t = t.next {
		t.Asked = true
		buf = append(buf, told(t, queue.TicketCancelled, fsm.None[int]()))
		q.ended(t, queue.TicketCancelled)
	}
	q.first, q.last, q.waiting = nil, nil, 0
	return buf
}

// shutDown is what close and cleanUp have in common.
func (q *byHand) shutDown(told, quiet queue.Row, buf []queue.Effect) (queue.Row, []queue.Effect) {
	buf = q.withdrawAll(buf)
	r := quiet
	if q.active != nil && !q.active.Asked {
		r = told
		q.active.Asked = true
		buf = append(buf, queue.Effect{Kind: queue.EffectInterruptRequested, Ticket: q.active.number})
	}
	q.trim()
	return r, append(buf, closed, changed)
}

func (q *byHand) close(buf []queue.Effect) (queue.Decision, []queue.Effect) {
	switch q.state {
	case queue.Absent:
		return row(queue.CloseUnknown), buf
	case queue.Closed, queue.Leaving:
		return row(queue.CloseAgain), buf
	}
	q.state = queue.Closed
	r, buf := q.shutDown(queue.CloseTold, queue.CloseQuiet, buf)
	return row(r), buf
}

func (q *byHand) cleanUp(buf []queue.Effect) (queue.Decision, []queue.Effect) {
	switch {
	case q.state == queue.Absent:
		return row(queue.CleanUpUnknown), buf
	case q.state == queue.Leaving:
		return row(queue.CleanUpAgain), buf
	case q.state == queue.Closed && q.active == nil:
		q.forget()
		return row(queue.CleanUpClosedIdle), append(buf, forgotten)
	case q.state == queue.Closed:
		q.state = queue.Leaving
		return row(queue.CleanUpClosedBusy), buf
	}
	q.state = queue.Leaving
	r, buf := q.shutDown(queue.CleanUpTold, queue.CleanUpQuiet, buf)
	if q.active == nil {
		r = queue.CleanUpIdle
		q.forget()
		buf = append(buf, forgotten)
	}
	return row(r), buf
}

func (q *byHand) crash(buf []queue.Effect) (queue.Decision, []queue.Effect) {
	switch {
	case q.state == queue.Absent:
		return row(queue.CrashUnknown), buf
	case !q.durable:
		return row(queue.CrashMemory), buf
	}
	r := queue.CrashLost
	if runs := q.active != nil && q.active.State == queue.TicketRunning; !runs {
		if q.first == nil {
			return row(queue.CrashNothing), buf
		}
		r = queue.CrashCleared
	}
	buf = q.withdrawAll(buf)
	if r == queue.CrashLost {
		q.active.State = queue.TicketOrphaned
		buf = append(buf, told(q.active, queue.TicketOrphaned, fsm.Some(0)))
	}
	q.trim()
	return row(r), append(buf, changed)
}

func (q *byHand) adopt(c *command, buf []queue.Effect) (queue.Decision, []queue.Effect) {
	t := q.tickets[c.ticket]
	switch {
	case c.ticket == 0:
		return row(queue.AdoptTicket), buf
	case t == nil || t.State != queue.TicketOrphaned:
		return row(queue.AdoptNotOrphaned), buf
	case t.Fencing != c.fencing:
		return row(queue.AdoptMoved), buf
	}
	t.State, t.Fencing = queue.TicketRunning, c.fence
	return row(queue.AdoptTaken), append(buf, told(t, queue.TicketRunning, fsm.Some(0)), changed)
}
