package lanes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/interlock-go/interlock/fsm/queue"
)

// WaitError is why a wait for admission has failed. errors.Is finds its code,
// and what ended it: context.DeadlineExceeded for a time-out, or what the wait's
// context ended with.
type WaitError struct {
	Code      Code // ErrAdmissionCancelled, ErrAdmissionTimedOut or ErrEndedBeforeWait
	Session   string
	Execution string
	State     TicketState // that the ticket ended in
	Reason    string      // why it was cancelled, if it was

	cause error
}

// Error says which ticket it was, and how it ended.
func (e *WaitError) Error() string {
	s := "lanes: wait for " + e.Session + "/" + e.Execution + ": " + e.Code.Error() + " (" + string(e.State)
	if e.Reason != "" {
		s += ": " + e.Reason
	}
	return s + ")"
}

// Is reports whether target is e's code.
func (e *WaitError) Is(target error) bool {
	c, ok := target.(Code)
	return ok && c == e.Code
}

// Unwrap returns what ended the wait, if it wasn't the ticket.
func (e *WaitError) Unwrap() error { return e.cause }

// cancelled is the error of who waits for x, which was cancelled. Its caller
// holds the lock.
func (x *execution) cancelled(cause error) *WaitError {
	return &WaitError{ErrAdmissionCancelled, x.session, x.id, TicketCancelled, x.reason, cause}
}

// leaving is why a waiter leaves.
type leaving struct {
	code   Code
	reason string
	cause  error
}

// gone says what ended ctx, which has ended.
func gone(ctx context.Context) *leaving {
	err := ctx.Err()
	if errors.Is(err, context.DeadlineExceeded) {
		return &leaving{ErrAdmissionTimedOut, lateReason, err}
	}
	cause := context.Cause(ctx)
	if !errors.Is(cause, err) {
		err = errors.Join(err, cause)
	}
	return &leaving{ErrAdmissionCancelled, orElse(textOf(cause), "context ended"), err}
}

// Wait returns once t runs. If ctx ends before, t is cancelled in the same step,
// so that no turn is ever kept for a waiter that has left; if t was admitted at
// that very moment, the wait succeeds. So does one for a ticket that runs, under
// a context that has ended.
//
// Of several waiters the first one to leave cancels the ticket. One that nobody
// waits for keeps its turn. If the store fails, the error wraps its error, and the
// ticket is taken back as soon as the store can be asked: whose wait has failed
// has no turn, and doesn't work.
//
// Otherwise the error is a *WaitError: ErrAdmissionCancelled if t was cancelled,
// before it ran or since; ErrEndedBeforeWait if it ran, and has completed or
// failed; ErrAdmissionTimedOut if ctx had a deadline. A ticket of another
// coordinator is refused with ErrForeignTicket, the zero Ticket with
// ErrInvalidArgument.
func (c *Coordinator) Wait(ctx context.Context, t Ticket) error {
	return c.wait(ctx, t, nil)
}

// WaitFor is Wait for at most timeout by the manager's clock, which then cancels
// the ticket: the error is ErrAdmissionTimedOut, and matches
// context.DeadlineExceeded. A negative timeout is refused.
func (c *Coordinator) WaitFor(ctx context.Context, t Ticket, timeout time.Duration) error {
	return c.wait(ctx, t, &timeout)
}

func (c *Coordinator) wait(ctx context.Context, t Ticket, timeout *time.Duration) (err error) {
	if c.closed() {
		return ErrNotOpen
	}
	defer c.refused.tell(ctx, &err)
	x, err := c.own("wait", t)
	if err != nil {
		return err
	}
	if !c.lines.inMemory() {
		over := c.waits(x)
		defer func() { over(err) }()
	}
	if timeout != nil && *timeout < 0 {
		return invalid("wait", "timeout", "it is negative")
	}
	admission, waits := c.admission(x)
	if !waits {
		return c.leave(ctx, x, nil)
	}
	late, stop := c.after(timeout)
	defer stop()
	select {
	case <-admission:
		if x.ran && !x.over.Load() {
			return nil // the step that admitted it said so, and it runs still
		}
		return c.leave(ctx, x, nil)
	case <-late:
		return c.leave(ctx, x, &leaving{ErrAdmissionTimedOut, lateReason, context.DeadlineExceeded})
	case <-ctx.Done():
		return c.leave(ctx, x, gone(ctx))
	}
}

// admission returns a channel that is closed once x waits no more, and whether
// it does.
func (c *Coordinator) admission(x *execution) (<-chan struct{}, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x.state != TicketQueued {
		return nil, false
	}
	return await(&x.admission, false), true
}

// after returns a channel that is closed after timeout, or never for nil.
func (c *Coordinator) after(timeout *time.Duration) (late <-chan struct{}, stop func()) {
	if timeout == nil {
		return nil, func() {}
	}
	ch := make(chan struct{})
	t := c.clock.AfterFunc(*timeout, func() { close(ch) })
	return ch, func() { t.Stop() }
}

// leave ends a wait for x, and says how it ended. Why is nil for a waiter that
// was woken, and whose ticket waits no more.
func (c *Coordinator) leave(ctx context.Context, x *execution, why *leaving) error {
	a := act{at: c.clock.Now(), owed: true}
	if why != nil {
		a.reason = why.reason
	}
	var left error
	then := func(*line) {
		switch {
		case a.decision.Row == queue.LeaveAdmitted:
		case a.decision.Row == queue.LeaveGaveUp:
			left = &WaitError{why.code, x.session, x.id, x.state, x.reason, why.cause}
		case x.state == TicketQueued:
			left = fmt.Errorf("lanes: wait for %s/%s: %w", x.session, x.id, ErrSuperseded)
		case x.state == TicketCancelled: // the handle knows how one ended that its session has forgotten
			left = x.cancelled(nil)
		default:
			left = &WaitError{ErrEndedBeforeWait, x.session, x.id, x.state, "", nil}
		}
	}
	if !c.lines.inMemory() && c.settled(x, &a, then) {
		return left
	}
	err := c.send(c.lasting(ctx), x.session, queue.Leave{Ticket: x.number}, &a, then)
	if err != nil && !decided(err) && c.settled(x, &a, then) {
		return left // what the store had done before became known
	}
	if err != nil && why != nil && !decided(err) { // it is owed, and done before the ticket can be admitted
		err = fmt.Errorf("%w: %w", err, why.cause)
	}
	return cmp.Or(err, left)
}

// WaitEnd returns the view of t once it has ended, however it did. It changes
// nothing: if ctx ends before, its error is returned and the ticket goes on.
//
// A ticket of another coordinator is refused with ErrForeignTicket, the zero
// Ticket with ErrInvalidArgument.
func (c *Coordinator) WaitEnd(ctx context.Context, t Ticket) (TicketView, error) {
	return c.waitEnd(ctx, t, nil)
}

// WaitEndFor is WaitEnd for at most timeout by the manager's clock; then the
// error wraps context.DeadlineExceeded. A negative timeout is refused.
func (c *Coordinator) WaitEndFor(ctx context.Context, t Ticket, timeout time.Duration) (TicketView, error) {
	return c.waitEnd(ctx, t, &timeout)
}

func (c *Coordinator) waitEnd(ctx context.Context, t Ticket, timeout *time.Duration) (_ TicketView, err error) {
	if c.closed() {
		return TicketView{}, ErrNotOpen
	}
	defer c.refused.tell(ctx, &err)
	x, err := c.own("waitEnd", t)
	if err != nil {
		return TicketView{}, err
	}
	if timeout != nil && *timeout < 0 {
		return TicketView{}, invalid("waitEnd", "timeout", "it is negative")
	}
	ending := c.ending(x)
	select {
	case <-ending:
		return x.look(), nil
	default:
	}
	late, stop := c.after(timeout)
	defer stop()
	select {
	case <-ending:
		return x.look(), nil
	case <-late:
		err = context.DeadlineExceeded
	case <-ctx.Done():
		err = ctx.Err()
	}
	select {
	case <-ending:
		return x.look(), nil
	default:
		return TicketView{}, fmt.Errorf("lanes: wait for the end of %s: %w", t, err)
	}
}

func (c *Coordinator) ending(x *execution) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return await(&x.ending, x.state != TicketQueued && x.state != TicketRunning)
}
