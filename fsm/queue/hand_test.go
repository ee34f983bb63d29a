package queue_test

import (
	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/queue"
)

// byHand is the queue as one would write it without a table: the same decisions
// and effects, for benchmarks to compare with. Tickets are reached by pointers,
// and those that wait are linked to each other.
type byHand struct {
	cap, keep int
	durable   bool
	shut      bool
	newest    queue.Ticket

	state       queue.State
	active      *ticket
	first, last *ticket // that wait
	waiting     int
	past        []*ticket // that ended, the first one in front
	tickets     map[queue.Ticket]*ticket
	ids         map[queue.Id]*ticket
	spare       []*ticket // records to use again
}

type ticket struct {
	queue.TicketPart
	number     queue.Ticket
	prev, next *ticket
}

// command is an event as byHand takes it.
type command struct {
	kind    kind
	room    bool
	report  queue.Report
	ticket  queue.Ticket
	fencing queue.Fence // of end; of adopt the number seen
	fence   queue.Fence
	id      queue.Id
	owner   queue.Owner
}

type kind uint8

const (
	submit kind = iota
	end
	leave
	cancelQueued
	interrupt
	forceEnd
	closeSession
	cleanUp
	shut
	crash
	adopt
	kinds
)

// event returns the command as the generated machine takes it.
func (c *command) event() queue.Event {
	switch c.kind {
	case submit:
		return queue.Submit{Ticket: c.ticket, Id: c.id, Owner: c.owner, Room: c.room}
	case end:
		return queue.End{Ticket: c.ticket, Report: c.report, Fencing: c.fencing}
	case leave:
		return queue.Leave{Ticket: c.ticket}
	case cancelQueued:
		return queue.CancelQueued{Ticket: c.ticket, Owner: c.owner}
	case interrupt:
		return queue.Interrupt{Ticket: c.ticket, Owner: c.owner}
	case forceEnd:
		return queue.ForceEnd{Ticket: c.ticket}
	case closeSession:
		return queue.Close{}
	case cleanUp:
		return queue.CleanUp{}
	case shut:
		return queue.Shut{}
	case crash:
		return queue.Crash{}
	}
	return queue.Adopt{Ticket: c.ticket, Seen: c.fencing, Fence: c.fence}
}

func row(r queue.Row) queue.Decision { return queue.Decision{Row: r} }

func (q *byHand) step(c *command, buf []queue.Effect) (queue.Decision, []queue.Effect) {
	switch c.kind {
	case submit:
		return q.submit(c, buf)
	case end:
		return q.end(c, buf)
	case leave:
		return q.leave(c, buf)
	case cancelQueued:
		return q.cancelQueued(c, buf)
	case interrupt:
		return q.interrupt(c, buf)
	case forceEnd:
		return q.forceEnd(c, buf)
	case closeSession:
		return q.close(buf)
	case cleanUp:
		return q.cleanUp(buf)
	case shut:
		if q.shut {
			return row(queue.ShutAgain), buf
		}
		q.shut = true
		return row(queue.ShutFirst), buf
	case crash:
		return q.crash(buf)
	}
	return q.adopt(c, buf)
}

func (q *byHand) submit(c *command, buf []queue.Effect) (queue.Decision, []queue.Effect) {
	switch {
	case c.ticket == 0:
		return row(queue.SubmitTicket), buf
	case c.id == "":
		return row(queue.SubmitId), buf
	case c.owner == "":
		return row(queue.SubmitOwner), buf
	case q.shut:
		return row(queue.SubmitShut), buf
	case q.state == queue.Absent && !c.room:
		return row(queue.SubmitTooMany), buf
	case q.state == queue.Closed || q.state == queue.Leaving:
		return row(queue.SubmitClosed), buf
	case q.ids[c.id] != nil:
		return row(queue.SubmitDuplicate), buf
	case q.waiting >= q.cap:
		return row(queue.SubmitFull), buf
	}
	t := q.make(c)
	q.newest = c.ticket
	if q.active == nil {
		buf = append(buf, told(t, queue.TicketQueued, fsm.Some(1)))
		buf = append(q.admit(t, buf), changed)
		if q.state == queue.Absent {
			q.state = queue.Open
			return row(queue.SubmitFirst), buf
		}
		return row(queue.SubmitIdle), buf
	}
	t.State = queue.TicketQueued
	if t.prev = q.last; q.last == nil {
		q.first = t
	} else {
		q.last.next = t
	}
	q.last = t
	q.waiting++
	return row(queue.SubmitBusy), append(buf, told(t, queue.TicketQueued, fsm.Some(q.waiting)), changed)
}

func (q *byHand) end(c *command, buf []queue.Effect) (queue.Decision, []queue.Effect) {
	switch {
	case c.ticket == 0:
		return row(queue.EndTicket), buf
	case c.report != queue.ReportCompleted && c.report != queue.ReportFailed:
		return row(queue.EndReport), buf
	}
	t := q.tickets[c.ticket]
	switch {
	case t == nil && c.ticket <= q.newest:
		return row(queue.EndForgotten), buf
	case t == nil:
		return row(queue.EndUnmade), buf
	case t.State == queue.TicketQueued:
		return row(queue.EndQueued), buf
	case t.State.Ended():
		return row(queue.EndAlready), buf
	case t.State == queue.TicketOrphaned:
		return row(queue.EndOrphaned), buf
	case t.Fencing != c.fencing:
		return row(queue.EndLost), buf
	case t.Asked:
		return q.free(queue.EndCancelled, t, queue.TicketCancelled, buf)
	case c.report == queue.ReportCompleted:
		return q.free(queue.EndCompleted, t, queue.TicketCompleted, buf)
	}
	return q.free(queue.EndFailed, t, queue.TicketFailed, buf)
}

func (q *byHand) leave(c *command, buf []queue.Effect) (queue.Decision, []queue.Effect) {
	if c.ticket == 0 {
		return row(queue.LeaveTicket), buf
	}
	t := q.tickets[c.ticket]
	switch {
	case t == nil && c.ticket <= q.newest:
		return row(queue.LeaveForgotten), buf
	case t == nil:
		return row(queue.LeaveUnmade), buf
	case t.State == queue.TicketQueued:
		return row(queue.LeaveGaveUp), q.withdraw(t, buf)
	case t.State.Holds():
		return row(queue.LeaveAdmitted), buf
	case t.State == queue.TicketCancelled:
		return row(queue.LeaveCancelled), buf
	}
	return row(queue.LeaveLate), buf
}

func (q *byHand) cancelQueued(c *command, buf []queue.Effect) (queue.Decision, []queue.Effect) {
	t := q.tickets[c.ticket]
	switch {
	case c.ticket == 0:
		return row(queue.CancelQueuedTicket), buf
	case c.owner == "":
		return row(queue.CancelQueuedOwner), buf
	case q.state == queue.Absent:
		return row(queue.CancelQueuedNoSession), buf
	case t == nil || t.State != queue.TicketQueued:
		return row(queue.CancelQueuedNotWaiting), buf
	case !t.Owner.Is(c.owner):
		return row(queue.CancelQueuedNotOwner), buf
	}
	return row(queue.CancelQueuedTaken), q.withdraw(t, buf)
}

func (q *byHand) interrupt(c *command, buf []queue.Effect) (queue.Decision, []queue.Effect) {
	t := q.tickets[c.ticket]
	switch {
	case c.ticket == 0:
		return row(queue.InterruptTicket), buf
	case c.owner == "":
		return row(queue.InterruptOwner), buf
	case q.state == queue.Absent:
		return row(queue.InterruptNoSession), buf
	case t == nil || t != q.active:
		return row(queue.InterruptNotRunning), buf
	case !t.Owner.Is(c.owner):
		return row(queue.InterruptNotOwner), buf
	case t.Asked:
		return row(queue.InterruptAgain), buf
	}
	t.Asked = true
	return row(queue.InterruptAsked), append(buf, queue.Effect{Kind: queue.EffectInterruptRequested, Ticket: t.number}, changed)
}

func (q *byHand) forceEnd(c *command, buf []queue.Effect) (queue.Decision, []queue.Effect) {
	t := q.tickets[c.ticket]
	switch {
	case c.ticket == 0:
		return row(queue.ForceEndTicket), buf
	case q.state == queue.Absent:
		return row(queue.ForceEndNoSession), buf
	case t == nil || t != q.active:
		return row(queue.ForceEndNotRunning), buf
	}
	t.Asked = true
	buf = append(buf, queue.Effect{Kind: queue.EffectForceEnded, Ticket: t.number})
	return q.free(queue.ForceEndStruck, t, queue.TicketCancelled, buf)
}
