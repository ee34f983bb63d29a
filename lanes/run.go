package lanes

import (
	"cmp"
	"context"
	"fmt"

	"github.com/interlock-go/interlock/fsm/queue"
)

// Run submits a ticket, waits until it runs, calls f, and ends the ticket: as
// completed if f returns nil, as failed if it returns an error, panics or calls
// runtime.Goexit. The place is freed whatever happens. If the ticket's
// cancellation was requested, it ends as cancelled; Run still returns f's
// error, and the cancelled *WaitError where that is nil. A panic goes on.
//
// The context that f gets has the values of ctx, but doesn't end with it: the
// place stays taken until f returns, whoever has gone. It ends when the ticket
// is interrupted, its session closed, or it is ended by force; its cause then is
// a *WaitError that has the reason.
//
// Until f is called, a call fails as Submit and Wait do, and r.Timeout, if set,
// is how long it waits by the manager's clock. Within f, another Run of the same
// session waits for this one, which is to say until its own context ends.
func (c *Coordinator) Run(ctx context.Context, r Request, f func(ctx context.Context, t Ticket) error) (err error) {
	if c.closed() {
		return ErrNotOpen
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("lanes: run: %w", err)
	}
	if f == nil || r.Timeout < 0 {
		err = invalid("submit", "timeout", "it is negative")
		if f == nil {
			err = invalid("submit", "function", "it is nil")
		}
		c.refused.tell(ctx, &err)
		return err
	}
	t, err := c.Submit(ctx, r)
	if err != nil {
		return err
	}
	if r.Timeout > 0 {
		err = c.WaitFor(ctx, t, r.Timeout)
	} else {
		err = c.Wait(ctx, t)
	}
	if err != nil {
		return err
	}
	return c.perform(ctx, t, f)
}

// perform calls f for t, which runs, and ends t.
func (c *Coordinator) perform(ctx context.Context, t Ticket, f func(context.Context, Ticket) error) (err error) {
	own, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	x := t.execution()
	returned := false
	defer func() {
		if !returned {
			defer stop(nil)
			// Also if the text of what f panicked with can't be had.
			text := "runtime.Goexit was called"
			defer func() { c.finish(ctx, x, queue.ReportFailed, Report{State: TicketFailed, Error: text}) }()
			if p := recover(); p != nil {
				defer panic(p)
				text = "panic"
				text = "panic: " + fmt.Sprint(p)
			}
		}
	}()
	c.attach(x, stop)
	err = f(own, t)
	as, report := queue.ReportCompleted, Report{State: TicketCompleted}
	if err != nil {
		as, report = queue.ReportFailed, Report{TicketFailed, textOf(err)}
	}
	returned = true
	cancelled := c.finish(ctx, x, as, report)
	stop(nil)
	if err == nil {
		err = cancelled
	}
	return err
}

// attach has stop called when x is asked to stop, or now if it was.
func (c *Coordinator) attach(x *execution, stop context.CancelCauseFunc) {
	c.mu.Lock()
	x.stop = stop
	var cause error
	if x.asked {
		cause = x.cancelled(nil)
	}
	c.mu.Unlock()
	if cause != nil {
		stop(cause)
	}
}

// finish ends x, and returns the cancelled error if it was cancelled.
func (c *Coordinator) finish(ctx context.Context, x *execution, as queue.Report, r Report) error {
	a := act{at: c.clock.Now(), report: r, owed: true}
	var cancelled error
	err := c.send(c.lasting(ctx), x.session, queue.End{Ticket: x.number, Report: as}, &a, func(*line) {
		x.stop = nil
		if x.state == TicketCancelled {
			cancelled = x.cancelled(nil)
		}
	})
	c.refused.tell(ctx, &err)
	return cmp.Or(err, cancelled)
}
