package lanes

import (
	"context"
	"errors"
)

// ErrNotOpen is what the calls of a Manager answer that Open didn't return, and
// those of its parts: of a nil one, or of a zero one.
var ErrNotOpen = errors.New("lanes: it isn't open: only Open makes one")

// watcher is told of refusals; nil for none.
type watcher func(ctx context.Context, r *Refusal)

// tell tells of err, with which a call ends, if it is a refusal. No lock is held.
func (w watcher) tell(ctx context.Context, err *error) {
	if w == nil {
		return
	}
	if r, ok := (*err).(*Refusal); ok {
		w(ctx, r)
	}
}

// closed reports whether Open didn't make ps.
func (ps *Projects) closed() bool { return ps == nil || ps.lanes.store == nil }

// closed reports whether Open didn't make c.
func (c *Coordinator) closed() bool { return c == nil || c.clock == nil }

// closed reports whether Open didn't make s.
func (s *Sessions) closed() bool { return s == nil || s.clock == nil }
