package lanes

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
)

// Snapshot returns the picture of a session. One that nobody submitted to, or
// that was forgotten, is empty, and closed if the coordinator is.
func (c *Coordinator) Snapshot(ctx context.Context, session string) (_ Snapshot, err error) {
	if c.closed() {
		return Snapshot{}, ErrNotOpen
	}
	defer c.refused.tell(ctx, &err)
	session, err = given("snapshot", "session", session)
	if err != nil {
		return Snapshot{}, err
	}
	if err := c.ready(ctx); err != nil {
		return Snapshot{}, fmt.Errorf("lanes: snapshot: %w", err)
	}
	s, err := c.picture(session)
	if err != nil {
		return Snapshot{}, fmt.Errorf("lanes: snapshot: %w", err)
	}
	s.part()
	return *s, nil
}

func (c *Coordinator) picture(session string) (*Snapshot, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l := c.lines.at(session); l != nil {
		return l.snapshot(c.events.seq), nil
	}
	if err := c.stored.broken[session]; err != nil {
		return nil, err
	}
	return &Snapshot{Session: session, Closed: c.shared.CoordinatorClosed, CloseReason: c.reason, Seq: c.events.seq}, nil
}

// Snapshots yields the pictures of all sessions, in the order of their
// creation. All are of one moment, which is when the iteration begins. In memory
// the error is always nil; in a store it is yielded last, for the sessions whose
// records can't be read.
func (c *Coordinator) Snapshots(ctx context.Context) iter.Seq2[Snapshot, error] {
	return func(yield func(Snapshot, error) bool) {
		if c.closed() {
			yield(Snapshot{}, ErrNotOpen)
			return
		}
		if err := c.ready(ctx); err != nil {
			yield(Snapshot{}, fmt.Errorf("lanes: snapshots: %w", err))
			return
		}
		all, err := c.pictures()
		for _, s := range all {
			s.part()
			if !yield(*s, nil) {
				return
			}
		}
		if err != nil {
			yield(Snapshot{}, fmt.Errorf("lanes: snapshots: %w", err))
		}
	}
}

func (c *Coordinator) pictures() ([]*Snapshot, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make([]*Snapshot, 0, c.lines.count)
	for l := range c.lines.all() {
		all = append(all, l.snapshot(c.events.seq))
	}
	var broken []error
	for _, session := range slices.Sorted(maps.Keys(c.stored.broken)) {
		broken = append(broken, c.stored.broken[session])
	}
	return all, errors.Join(broken...)
}
