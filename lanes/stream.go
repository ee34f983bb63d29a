package lanes

import (
	"context"
	"fmt"
	"iter"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/interlock-go/interlock/fsm"
)

// stream hands the events of a coordinator to who listens. The coordinator's
// lock guards it.
type stream struct {
	seq     uint64
	window  fsm.FIFO[*Event] // the last events, at most keep
	keep    int
	missed  time.Time // when the last event before the window was
	pending []*Event
	readers []*Subscription // never changed, but replaced
	over    bool            // nobody may listen any more
}

// heard reports whether anybody gets to see the next event.
func (s *stream) heard() bool { return len(s.readers) > 0 || s.keep > 0 }

// publish has e, whose number was just given, handed out by flush.
func (s *stream) publish(e *Event) { s.pending = append(s.pending, e) }

// flush hands out the events of a step, and returns who is to be woken for them
// once the coordinator's lock is free.
func (s *stream) flush() []*Subscription {
	if len(s.pending) == 0 {
		return nil
	}
	for _, e := range s.pending {
		if s.keep == 0 {
			break
		}
		if s.window.Len() == s.keep {
			s.missed = s.window.Pop().At
		}
		s.window.Push(e)
	}
	for _, r := range s.readers {
		r.offer(s.pending)
	}
	clear(s.pending)
	if s.pending = s.pending[:0]; cap(s.pending) > 4*roomy {
		s.pending = nil
	}
	return s.readers
}

// SubscribeOptions say what a subscription gets. The zero value is of use: the
// events from now on.
type SubscribeOptions struct {
	// Buffer is how many events may wait for their reader; 0 for 1024. Beyond
	// it the oldest are dropped, and an EventEventsDropped in their place says
	// how many.
	Buffer int

	// Replay begins with the events after the one numbered After, as far as the
	// coordinator still has them: see QueueConfig.Replay. Those that it hasn't
	// are told as dropped.
	Replay bool
	After  uint64
}

// Subscription gets the events of a coordinator, in their order. Reading takes
// no lock that an admission needs: a slow reader loses events, and is told how
// many; it holds up nobody. A nil Subscription, and the zero one, have ended.
type Subscription struct {
	coordinator *Coordinator
	seq         uint64
	limit       int
	ready       chan struct{} // has room for one: there may be something new
	closed      chan struct{} // is closed when nothing more is to be handed out
	unhook      func() bool

	mu      sync.Mutex
	waiting fsm.FIFO[*Event]
	dropped uint64 // how many are missing in front of those that wait
	last    Event  // the last of them: its number and time
	over    bool   // no more events will come
	ended   bool
	failure error
}

// Subscribe begins a subscription, which lasts until ctx ends, it is closed, or
// the manager is. Whoever wants the whole picture subscribes first, then takes
// Snapshots, and passes over the events up to their Seq.
func (c *Coordinator) Subscribe(ctx context.Context, o SubscribeOptions) (_ *Subscription, err error) {
	if c.closed() {
		return nil, ErrNotOpen
	}
	defer c.refused.tell(ctx, &err)
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("lanes: subscribe: %w", err)
	}
	if o.Buffer < 0 {
		return nil, invalid("subscribe", "buffer", "it is negative")
	}
	if o.Buffer == 0 {
		o.Buffer = 1024
	}
	s := &Subscription{coordinator: c, limit: o.Buffer, ready: make(chan struct{}, 1), closed: make(chan struct{})}
	if err := c.join(s, o); err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, s.Close)
	s.mu.Lock()
	s.unhook = stop
	gone := s.ended
	s.mu.Unlock()
	if gone {
		stop()
	}
	return s, nil
}

// join adds s to the readers, with what it asked to see again.
func (c *Coordinator) join(s *Subscription, o SubscribeOptions) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.seq = c.events.seq
	if o.Replay {
		if o.After > c.events.seq {
			return invalid("subscribe", "after", fmt.Sprintf("event %d is the last so far", c.events.seq))
		}
		s.seq = o.After
		oldest := c.events.seq + 1 - uint64(c.events.window.Len())
		if missing := oldest - 1; missing > o.After {
			s.dropped = missing - o.After
			s.last = Event{Seq: missing, At: c.events.missed}
		}
		for e := range c.events.window.All() {
			if e.Seq > o.After {
				s.waiting.Push(e)
			}
		}
		s.limit += s.waiting.Len()
	}
	if c.events.over {
		s.over = true
		return nil
	}
	c.events.readers = append(slices.Clip(c.events.readers), s)
	return nil
}

// offer gives s events. The coordinator's lock is held, and s's is never held for
// longer than it takes to add or take some.
func (s *Subscription) offer(events []*Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	for _, e := range events {
		if s.waiting.Len() >= s.limit {
			lost := s.waiting.Pop()
			s.dropped++
			s.last = Event{Seq: lost.Seq, At: lost.At}
		}
		s.waiting.Push(e)
	}
}

func (s *Subscription) wake() {
	select {
	case s.ready <- struct{}{}:
	default:
	}
}

// finish lets s have what waits for it, and no more.
func (s *Subscription) finish() {
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	s.wake()
}

// take returns the next event, if there is one, and whether to wait for more.
func (s *Subscription) take() (e Event, found, more bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.ended:
		return Event{}, false, false
	case s.dropped > 0:
		e = Event{Type: EventEventsDropped, Seq: s.last.Seq, At: s.last.At, Dropped: s.dropped}
		s.dropped = 0
		return e, true, true
	case s.waiting.Len() > 0:
		return *s.waiting.Pop(), true, true
	}
	return Event{}, false, !s.over
}

// Events yields the events as they come, until the subscription ends. It may be
// left and begun anew: what came in between waits, as far as there is room. Of
// several loops at once each event goes to one.
func (s *Subscription) Events() iter.Seq[Event] {
	return func(yield func(Event) bool) {
		if s.none() {
			return
		}
		for {
			e, found, more := s.take()
			if found {
				e.part()
				if !yield(e) {
					return
				}
				continue
			}
			if !more {
				s.Close()
				return
			}
			select {
			case <-s.ready:
			case <-s.closed:
				return
			}
		}
	}
}

// Seq returns the number of the event after which the subscription begins.
func (s *Subscription) Seq() uint64 {
	if s.none() {
		return 0
	}
	return s.seq
}

// none reports whether s is of no coordinator.
func (s *Subscription) none() bool { return s == nil || s.coordinator == nil }

// Close ends the subscription: what still waits is not handed out. Closing again
// changes nothing.
func (s *Subscription) Close() {
	if s.none() {
		return
	}
	s.mu.Lock()
	was, unhook := s.ended, s.unhook
	s.ended, s.over = true, true
	s.waiting, s.dropped = fsm.FIFO[*Event]{}, 0
	s.mu.Unlock()
	if was {
		return
	}
	close(s.closed)
	if unhook != nil {
		unhook()
	}
	c := s.coordinator
	c.mu.Lock()
	defer c.mu.Unlock()
	others := slices.DeleteFunc(slices.Clone(c.events.readers), func(r *Subscription) bool { return r == s })
	c.events.readers = slices.Clip(others)
}

// Err returns what the function of SubscribeFunc panicked with last; nil if it
// never did.
func (s *Subscription) Err() error {
	if s.none() {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failure
}

// SubscribeFunc is Subscribe, and calls sink with each event, on a goroutine of
// its own that ends with the subscription. Sink may use the coordinator. If it
// panics, the subscription goes on with the next event, and Err tells of it; if
// it blocks, it is a slow reader.
func (c *Coordinator) SubscribeFunc(ctx context.Context, o SubscribeOptions, sink func(Event)) (_ *Subscription, err error) {
	if c.closed() {
		return nil, ErrNotOpen
	}
	if sink == nil {
		err = invalid("subscribe", "sink", "it is nil")
		c.refused.tell(ctx, &err)
		return nil, err
	}
	s, err := c.Subscribe(ctx, o)
	if err != nil {
		return nil, err
	}
	go func() {
		defer s.Close()
		for e := range s.Events() {
			s.call(sink, e)
		}
	}()
	return s, nil
}

// call calls sink with e, and outlives its panic.
func (s *Subscription) call(sink func(Event), e Event) {
	defer func() {
		if p := recover(); p != nil {
			err := fmt.Errorf("lanes: a subscriber panicked at event %d: %v\n%s", e.Seq, p, debug.Stack())
			s.mu.Lock()
			s.failure = err
			s.mu.Unlock()
		}
	}()
	sink(e)
}
