package lanes

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/queue"
)

// ErrSuperseded is what a Coordinator answers once another one, of a program that
// was started later, has taken over the sessions of their store. Nothing was
// changed.
var ErrSuperseded = errors.New("lanes: another coordinator has taken over the sessions of this store")

// lostReason is why tickets are cancelled that waited in a process that is gone.
const lostReason = "coordinator lost"

// opening is the record of who coordinates the sessions of a store. The number of
// the write that made it is the coordinator's: of two the newer one is in charge.
type opening struct {
	by      Version
	closed  bool
	reason  string
	closing string // why an earlier one was closed; empty once its sessions are
	stored  Version
}

type storedOpening struct {
	Format  int    `json:"format"`
	Epoch   uint64 `json:"by_epoch,omitempty"` // none is the write's own version
	By      uint64 `json:"by,omitempty"`
	Closed  bool   `json:"closed,omitempty"`
	Reason  text   `json:"reason,omitempty"`
	Closing text   `json:"closing,omitempty"`
}

const openingFormat = 1

// theOpening is its name; there is one a store.
const theOpening = "sessions"

func (o *opening) start(string)    {}
func (o *opening) stamp(v Version) { o.stored = v }
func (o *opening) version() uint64 { return o.stored.Number }
func (o *opening) blank() bool     { return false }

func (o *opening) bytes() []byte {
	s := storedOpening{openingFormat, o.by.Epoch, o.by.Number, o.closed, text(o.reason), text(o.closing)}
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // it has nothing that JSON can't say
	}
	return data
}

func (o *opening) load(rec Record) error {
	o.stamp(rec.Version)
	if len(rec.Data) == 0 {
		return nil
	}
	var s storedOpening
	err := json.Unmarshal(rec.Data, &s)
	if err == nil && s.Format != openingFormat {
		err = fmt.Errorf("format %d; this is format %d", s.Format, openingFormat)
	}
	if err != nil {
		return fmt.Errorf("%w: coordinator of %s: %w", ErrRecord, rec.Key.Name, err)
	}
	*o = opening{Version{s.Epoch, s.By}, s.Closed, string(s.Reason), string(s.Closing), rec.Version}
	if o.by == (Version{}) {
		o.by = rec.Version
	}
	return nil
}

// ready has the coordinator take over the sessions of its store, once: an earlier
// one's tickets that wait are cancelled, and the one that runs is orphaned. Until
// it has, no other call does anything.
func (c *Coordinator) ready(ctx context.Context) error {
	s := &c.stored
	if c.lines.inMemory() || s.ready.Load() {
		return nil
	}
	select {
	case s.opens <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-s.opens }()
	if s.ready.Load() {
		return nil
	}
	if s.by == (Version{}) {
		o, err := s.openings.apply(ctx, theOpening, false, func(o *opening, _ Version) bool {
			if o.closed {
				o.closing = o.reason
			}
			o.by, o.closed, o.reason = Version{}, false, ""
			return true
		})
		if err != nil {
			return err
		}
		s.by, s.closing = o.by, o.closing
	}
	if err := c.takeAll(ctx); err != nil {
		return err
	}
	if s.closing != "" {
		if err := c.resumeClose(ctx); err != nil {
			return err
		}
	}
	s.ready.Store(true)
	return nil
}

// takeAll takes over every session, in the order of their creation. One whose
// record can't be read is left as it is: the calls on it say so.
func (c *Coordinator) takeAll(ctx context.Context) error {
	var all []*line
	for rec, err := range c.lines.records.store.List(ctx, "queue") {
		l := new(line)
		if err != nil {
			return err
		}
		if err := l.load(rec); err != nil {
			c.mu.Lock()
			c.stored.broken[rec.Key.Name] = err
			c.mu.Unlock()
			continue
		}
		all = append(all, l)
	}
	slices.SortFunc(all, func(a, b *line) int { return cmp.Compare(a.written.created, b.written.created) })
	for _, l := range all {
		err := c.withTurn(ctx, l.session, func(t *turn) error { return c.takeOver(ctx, l.session, t) })
		if err != nil {
			return err
		}
	}
	return nil
}

// resumeClose closes the sessions that an earlier coordinator, which was closed,
// has left open.
func (c *Coordinator) resumeClose(ctx context.Context) error {
	s := &c.stored
	for _, session := range c.openSessions() {
		a := act{at: c.clock.Now(), reason: s.closing}
		err := c.withTurn(ctx, session, func(t *turn) error { return c.stepStored(ctx, session, t, queue.Close{}, &a, nil) })
		if err != nil {
			return err
		}
	}
	_, err := s.openings.apply(ctx, theOpening, false, func(o *opening, _ Version) bool {
		mine := o.by == s.by
		o.closing = ""
		return mine
	})
	return err
}

// openSessions returns the sessions that are open, in the order of their creation.
func (c *Coordinator) openSessions() (names []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for l := range c.lines.all() {
		if l.machine.State == queue.Open {
			names = append(names, l.session)
		}
	}
	return names
}

// takeOver makes session this coordinator's, if an earlier one has written its
// record, by the table's row for a crash. Its caller has the turn.
func (c *Coordinator) takeOver(ctx context.Context, session string, t *turn) error {
	a := act{at: c.clock.Now(), reason: lostReason}
	var before *line
	step := c.stored.steps.Add(1)
	r, err := c.lines.records.apply(ctx, session, false, func(r *line, _ Version) bool {
		before = nil
		if r.blank() || r.written.by.Compare(c.stored.by) >= 0 {
			return false
		}
		before = r.fork()
		if c.decide(r, queue.Crash{}, &a, c.terms(nil), nil) {
			r.keep(&a)
		}
		r.written.by, r.written.step = c.stored.by, step
		return true
	})
	if err != nil {
		return fmt.Errorf("lanes: take over session %s: %w", session, err)
	}
	if before == nil {
		return nil
	}
	c.mu.Lock()
	defer c.unlock(&a)
	delete(c.stored.broken, session)
	l := c.lines.at(session)
	if l == nil {
		l = &line{session: session}
		c.lines.add(l)
	}
	l.reason, l.live, l.machine, l.stored, l.written = before.reason, before.live, r.machine, r.stored, r.written
	for _, x := range l.live {
		x.coordinator = c
	}
	t.doubts = nil
	for n := range l.machine.Tickets {
		c.shared.Newest = max(c.shared.Newest, n)
	}
	if a.kind() == fsm.Ignore { // nothing ran or waited
		c.settle(l, &a)
		return nil
	}
	return c.follow(l, &a)
}

// fork returns what l has beside its machine, to be changed by itself.
func (l *line) fork() *line {
	f := &line{session: l.session, reason: l.reason}
	for n, x := range l.live {
		own := new([1]execution)
		own[0].copy(x)
		own[0].number = n
		f.admit(&own[0])
	}
	return f
}

// keep keeps in l, of which nobody knows but who steps it, what a says.
func (l *line) keep(a *act) {
	quiet := act{at: a.at, reason: a.reason, report: a.report, forced: a.forced}
	for i := range a.effects {
		effect := &a.effects[i]
		x := l.live[effect.Ticket]
		l.mark(x, effect, &quiet)
		l.drop(x, effect)
	}
}

// closeStored is Close on a store: first none is submitted any more, then the
// sessions are closed one by one.
func (c *Coordinator) closeStored(ctx context.Context, a *act) (Closed, error) {
	if err := c.ready(ctx); err != nil {
		return Closed{}, fmt.Errorf("lanes: close: %w", err)
	}
	var closed bool
	o, err := c.stored.openings.apply(ctx, theOpening, false, func(o *opening, _ Version) bool {
		m := queue.Machine{Params: c.params, Shared: queue.Shared{CoordinatorClosed: o.closed}}
		d, _ := m.Step(queue.Shut{}, nil)
		if closed = o.by == c.stored.by; !closed || d.Row.Info().Kind != fsm.Move {
			return false
		}
		o.closed, o.reason = true, a.reason
		return true
	})
	if err == nil && !closed {
		err = ErrSuperseded
	}
	if err != nil {
		return Closed{}, fmt.Errorf("lanes: close: %w", err)
	}
	c.mu.Lock()
	r := Closed{Already: c.shared.CoordinatorClosed, Reason: o.reason}
	c.shared.CoordinatorClosed, c.reason = true, o.reason
	c.mu.Unlock()
	var failed error
	for _, session := range c.openSessions() { // also of a close that failed half-way
		one := act{at: a.at, reason: o.reason}
		if err := c.sendStored(ctx, session, queue.Close{}, &one, nil); err != nil && !isCode(err, ErrNoSuchSession) {
			failed = errors.Join(failed, err)
		}
	}
	if failed != nil {
		return r, failed
	}
	c.mu.Lock()
	defer c.unlock(a)
	if !c.stored.told {
		c.stored.told = true
		a.reason = o.reason
		c.tellClosed(a)
	}
	return r, nil
}
