package lanes

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/session"
)

// Aborted is what became of an abort that was accepted.
type Aborted struct {
	Answer     AbortAnswer // what ended it
	Deliveries int         // how often the server was told
	Err        error       // of the delivery that failed; nil for any other answer
}

// AbortAnswer is what ended an abort.
type AbortAnswer string

// The answers of an abort.
const (
	AbortNotNeeded AbortAnswer = "not_needed" // the prompt wasn't sent, nor will it be
	AbortObeyed    AbortAnswer = "obeyed"     // a list asked for after a delivery left the session out
	AbortGraceOver AbortAnswer = "grace_over" // the grace of the run was over
	AbortFailed    AbortAnswer = "failed"     // a delivery failed
	AbortTimedOut  AbortAnswer = "timed_out"  // the abort's time was over
)

// delivery is an abort that the agent server has to be told of: a part of its
// directory's record.
type delivery struct {
	id      uint64 // of who waits for its answer
	call    session.Call
	timeout time.Time
	grace   time.Time
	calling bool         // a call is under way
	heard   session.Poll // the last list asked for when the first call had returned; 0 before
	absent  bool         // a list asked for after it left the session out
	answer  AbortAnswer  // empty until there is one
}

// is reports whether o is the delivery of that id.
func (o *delivery) is(id uint64) bool { return o != nil && o.id == id }

// aborts are those of this process whose answer somebody waits for, by their
// ids. They stand beside the records: whoever has a record answered, of whatever
// Manager, tells them.
var aborts struct {
	last    atomic.Uint64
	waiting sync.Map // of uint64, to *answer
}

// answer is what becomes of an abort.
type answer struct {
	why  AbortAnswer
	done chan struct{} // closed once why is set
}

// tell tells who waits for o that it is answered.
func (o *delivery) tell() {
	if w, ok := aborts.waiting.LoadAndDelete(o.id); ok {
		w := w.(*answer)
		w.why = o.answer
		close(w.done)
	}
}

// due returns when o is answered at the latest.
func (o *delivery) due() time.Time {
	if !o.calling && o.grace.Before(o.timeout) {
		return o.grace
	}
	return o.timeout
}

// obeyed answers the abort of r, if one is out, since a list left the session
// out that was asked for after a delivery. While another delivery is under way
// the answer waits for it: it may hit what runs next.
func (d *directoryRecord) obeyed(r *sessionRecord, poll session.Poll) {
	o := r.out
	if o == nil || o.heard == 0 || poll <= o.heard {
		return
	}
	o.absent = true
	if !o.calling {
		d.answer(r, AbortObeyed)
	}
}

// Abort stops the run of lease. Its lease ends at once, so that a server that
// doesn't answer leaves a way out; then deliver tells the server, unless the
// prompt wasn't sent, and Abort returns once the abort is answered.
//
// Until then no run may begin in the session: a late abort would kill it. As the
// prompt may arrive after the abort, deliver is called again and again, each
// time AbortRepeat after it returned, until a list that was asked for after a
// delivery leaves the session out, or the run's grace is over: a run that was
// sent long ago takes one delivery. It is called no more once it fails, or
// AbortTimeout is over.
//
// An abort that was accepted is seen through: deliver's context has the values
// of ctx, and is cancelled when AbortTimeout is over, by the cause
// context.DeadlineExceeded, and not when ctx is. Deliver must heed it; a run may
// begin by then, whether or not deliver has returned. It is called on the
// goroutine of Abort's caller.
//
// A session at rest refuses with ErrNotAbortable whatever the lease, and a lease
// that isn't current is refused with ErrLeaseNotCurrent.
func (s *Sessions) Abort(ctx context.Context, lease SessionLease, deliver func(context.Context) error) (_ Aborted, err error) {
	if s.closed() {
		return Aborted{}, ErrNotOpen
	}
	defer s.refused.tell(ctx, &err)
	t := lease.tenure()
	if t == nil {
		return Aborted{}, unleased("abort")
	}
	return s.abort(ctx, t.key, t, deliver)
}

// AbortSession stops the run that the session has, whichever it is. It is Abort
// for who has no lease, such as a person at a stop button.
func (s *Sessions) AbortSession(ctx context.Context, key SessionKey, deliver func(context.Context) error) (_ Aborted, err error) {
	if s.closed() {
		return Aborted{}, ErrNotOpen
	}
	defer s.refused.tell(ctx, &err)
	if err := named("abort", key); err != nil {
		return Aborted{}, err
	}
	return s.abort(ctx, key, nil, deliver)
}

// abort stops the run of t, or for no t any run.
func (s *Sessions) abort(ctx context.Context, key SessionKey, t *tenure, deliver func(context.Context) error) (Aborted, error) {
	if deliver == nil {
		return Aborted{}, badArgument("abort", "deliver", "it is nil")
	}
	id, w := aborts.last.Add(1), &answer{done: make(chan struct{})}
	aborts.waiting.Store(id, w)
	defer aborts.waiting.Delete(id)
	sent := false
	_, err := s.act(ctx, key, "abort", true, func(d *directoryRecord, r *sessionRecord, fresh Version) session.Row {
		e := session.Abort{Call: session.Call(fresh.Number)}
		if t != nil {
			e.Named = fsm.Some(t.as(s))
		}
		row := d.step(r, e, d.now, &s.bounds)
		if sent = row == session.AbortSent; sent {
			r.out = &delivery{id: id, call: e.Call, timeout: d.now.Add(s.bounds.abort), grace: r.grace, calling: true}
		}
		return row
	})
	if err != nil {
		return Aborted{}, err
	}
	if !sent {
		return Aborted{Answer: AbortNotNeeded}, nil
	}
	return s.deliver(context.WithoutCancel(ctx), key, id, w, deliver)
}

// deliver calls f until the abort of that id is answered, which w tells.
func (s *Sessions) deliver(ctx context.Context, key SessionKey, id uint64, w *answer, f func(context.Context) error) (Aborted, error) {
	call, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := s.clock.AfterFunc(s.bounds.abort, func() { cancel(context.DeadlineExceeded) })
	defer timer.Stop()
	var a Aborted
	for {
		a.Deliveries++
		err := s.call(call, key, id, f)
		next, stepErr := s.returned(ctx, key, id, err == nil)
		if stepErr != nil {
			return a, stepErr
		}
		s.pause(w, next)
		again, stepErr := s.again(ctx, key, id)
		if stepErr != nil {
			return a, stepErr
		}
		if !again {
			if a.Answer = w.wait(call); a.Answer == AbortFailed {
				a.Err = err
			}
			return a, nil
		}
	}
}

// wait returns the answer, which was given by now. If the store didn't say that
// its step was done, or another process has taken the record, nobody tells: then
// the abort's time is over.
func (w *answer) wait(call context.Context) AbortAnswer {
	select {
	case <-w.done:
		return w.why
	case <-call.Done():
	}
	select {
	case <-w.done:
		return w.why
	default:
		return AbortTimedOut
	}
}

// call calls f once. If f panics, or ends its goroutine, the abort of that id has
// failed.
func (s *Sessions) call(ctx context.Context, key SessionKey, id uint64, f func(context.Context) error) error {
	returned := false
	defer func() {
		if !returned {
			s.returned(context.WithoutCancel(ctx), key, id, false)
		}
	}()
	err := f(ctx)
	returned = true
	return err
}

// returned takes the step of a call of the abort of that id that has returned,
// well or not, and says when to look again.
func (s *Sessions) returned(ctx context.Context, key SessionKey, id uint64, well bool) (next time.Time, err error) {
	_, err = s.step(ctx, key.Directory, true, func(d *directoryRecord, fresh Version) bool {
		next = time.Time{}
		r, changed := d.session(key.Session, &s.bounds)
		o := r.out
		if !o.is(id) {
			return changed
		}
		o.calling = false
		if o.heard == 0 {
			o.heard = session.Poll(fresh.Number)
		}
		switch {
		case !well:
			d.answer(r, AbortFailed)
		case o.absent:
			d.answer(r, AbortObeyed)
		case !d.now.Before(o.due()):
			d.answer(r, AbortGraceOver)
		default:
			next = d.now.Add(s.bounds.repeat)
			if o.due().Before(next) {
				next = o.due()
			}
		}
		d.keep(key.Session, r)
		return true
	})
	return next, err
}

// again reports whether the abort of that id is still to be answered, and then
// has it called again.
func (s *Sessions) again(ctx context.Context, key SessionKey, id uint64) (again bool, err error) {
	_, err = s.step(ctx, key.Directory, false, func(d *directoryRecord, _ Version) bool {
		r, changed := d.session(key.Session, &s.bounds)
		if again = r.out.is(id); again {
			r.out.calling = true
		}
		return changed || again
	})
	return again, err
}

// pause returns at next, or once w is answered.
func (s *Sessions) pause(w *answer, next time.Time) {
	for left := next.Sub(s.clock.Now()); left > 0; left = next.Sub(s.clock.Now()) {
		up := make(chan struct{})
		timer := s.clock.AfterFunc(left, func() { close(up) })
		select {
		case <-w.done:
			timer.Stop()
			return
		case <-up:
		}
	}
}
