package lanes

import (
	"context"
	"fmt"
	"slices"

	"github.com/interlock-go/interlock/fsm/queue"
)

// mend finds out what became of the step that is in doubt, and does what is owed.
func (c *Coordinator) mend(ctx context.Context, session string, t *turn) error {
	if len(t.doubts) > 0 {
		if err := c.resolve(ctx, session, t); err != nil {
			return err
		}
	}
	for len(t.owed) > 0 {
		o := t.owed[0]
		o.act.owed = false // or it would be owed twice
		err := c.stepStored(ctx, session, t, o.event, o.act, nil)
		if o.act.owed = true; err != nil && !decided(err) {
			return err
		}
		t.owed = slices.Delete(t.owed, 0, 1)
		if leave, ok := o.event.(queue.Leave); ok && o.act.decision.Row == queue.LeaveAdmitted {
			if x := c.forsaken(session, leave.Ticket); x != nil {
				t.lost = append(t.lost, x)
			}
		}
	}
	for len(t.lost) > 0 {
		x := t.lost[0]
		if x.number == 0 && len(t.doubts) > 0 {
			return nil // nobody knows yet
		}
		if x.number != 0 {
			if err := c.abandon(ctx, session, t, x); err != nil && !decided(err) {
				return err
			}
		}
		t.lost = slices.Delete(t.lost, 0, 1)
	}
	return nil
}

// abandon ends x, of which nobody has a handle since its submit was in doubt: no
// work was begun under it.
func (c *Coordinator) abandon(ctx context.Context, session string, t *turn, x *execution) error {
	a := act{at: c.clock.Now(), reason: abandonReason}
	if err := c.stepStored(ctx, session, t, queue.Leave{Ticket: x.number}, &a, nil); err != nil || a.decision.Row != queue.LeaveAdmitted {
		return err
	}
	a = act{at: c.clock.Now(), report: Report{State: TicketFailed, Error: abandonReason}}
	return c.stepStored(ctx, session, t, queue.End{Ticket: x.number, Report: queue.ReportFailed}, &a, nil)
}

const abandonReason = "nobody was told that it runs"

// waits keeps that somebody waits for x, until the function that it returns is
// called with how the wait has ended.
func (c *Coordinator) waits(x *execution) (over func(err error)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	x.waiters++
	return func(err error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		x.waiters--
		x.taken = x.taken || err == nil
	}
}

// forsaken returns the ticket of that number if it was admitted after its waiters
// had left, whose leave the store failed, so that nobody works under it.
func (c *Coordinator) forsaken(session string, n queue.Ticket) *execution {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l := c.lines.at(session); l != nil {
		if x := l.live[n]; x != nil && x.waiters == 0 && !x.taken {
			return x
		}
	}
	return nil
}

// resolve finds out what became of the steps that are in doubt. If one was done,
// its effects are done now; if none was, they are kept from being done later,
// where there is a record to do that with.
func (c *Coordinator) resolve(ctx context.Context, session string, t *turn) error {
	var r *line
	if err := c.lines.records.read(ctx, session, func(l *line) { r = l }); err != nil {
		return fmt.Errorf("lanes: session %s: %w", session, err)
	}
	old := t.doubts[0].old
	if d := t.done(r, c.stored.by); d != nil {
		t.doubts = nil
		return c.confirm(session, t, r, d.act, nil)
	}
	if r.stored != old {
		t.doubts = nil // another write came after all
		return nil
	}
	if r.blank() {
		return nil
	}
	step := c.stored.steps.Add(1)
	again := false
	r, err := c.lines.records.apply(ctx, session, false, func(r *line, _ Version) bool {
		if again = r.stored != old; again {
			return false
		}
		r.written.step = step
		return true
	})
	if err != nil {
		return fmt.Errorf("lanes: session %s: %w", session, err)
	}
	if again {
		return c.resolve(ctx, session, t)
	}
	t.doubts = nil
	c.mu.Lock()
	defer c.mu.Unlock()
	if l := c.lines.at(session); l != nil {
		l.stored, l.written = r.stored, r.written
	}
	return nil
}
