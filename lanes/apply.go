package lanes

import (
	"context"
	"errors"
	"iter"
	"math"
)

// unissued is a number that no store ever gives. It stands for the leases that
// nobody issued, and for a number that is known only once a write is done.
const unissued = math.MaxUint64

// records are one machine's records in a store.
type records[R any, P live[R]] struct {
	machine string
	store   Store
	memory  *Memory // the store, if it is one whose records can be changed in place
	table   *table  // memory's, of this machine
}

// live is a record that is ready for its machine's Step.
type live[R any] interface {
	*R
	entry
	start(name string)   // from zero, becomes the start of the instance of that name
	load(r Record) error // from zero, becomes r, or its start if r has no data
	blank() bool         // is the start, of which nothing is kept
	stamp(v Version)     // was written as v
}

func open[R any, P live[R]](machine string, store Store) records[R, P] {
	rs := records[R, P]{machine: machine, store: store}
	if m, ok := store.(*Memory); ok {
		rs.memory, rs.table = m, m.table(machine, true)
	}
	return rs
}

// apply is the one loop of all machines and stores: load the record under name,
// let step decide, and if it changed the record, put the new one in the old
// one's place; if another was there first, again. It returns the record as it
// is now. The effects are its caller's to do after it, in order.
//
// Step says whether it changed the record. If draw is set, it gets a version
// that was never given before. It may run several times, and under a lock: it
// takes a step and copies what it needs, no more.
func (rs *records[R, P]) apply(ctx context.Context, name string, draw bool, step func(r P, fresh Version) bool) (P, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if rs.memory != nil {
		return rs.inPlace(name, draw, step)
	}
	return rs.swapped(ctx, name, step)
}

// swapped is apply on a store that has its records encoded.
func (rs *records[R, P]) swapped(ctx context.Context, name string, step func(r P, fresh Version) bool) (P, error) {
	for {
		old, err := rs.store.Load(ctx, Key{rs.machine, name})
		if err != nil {
			return nil, err
		}
		old.Key = Key{rs.machine, name}
		r := P(new(R))
		if err := r.load(old); err != nil {
			return nil, err
		}
		// The number of a write is known once it is done: the record leaves it
		// out, and load fills it in, here and for whoever reads it later.
		if !step(r, Version{Number: unissued}) {
			return r, nil
		}
		if r.blank() && old.Version == (Version{}) {
			return r, nil // nothing was kept, and nothing is
		}
		w := Write{Key: old.Key, Old: old.Version}
		if !r.blank() {
			w.Data = r.bytes()
		}
		version, err := rs.store.Swap(ctx, w)
		if errors.Is(err, ErrConflict) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if r.blank() {
			r.stamp(version)
			return r, nil
		}
		now := P(new(R))
		return now, now.load(Record{w.Key, w.Data, version})
	}
}

// inPlace is apply on a Memory: load, step and swap under the lock of the
// record's shard, on the record itself.
func (rs *records[R, P]) inPlace(name string, draw bool, step func(r P, fresh Version) bool) (P, error) {
	s := rs.table.shard(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	r, kept, err := rs.held(s, name)
	if err != nil {
		return nil, err
	}
	var v Version
	if draw {
		v = rs.memory.next()
	}
	switch {
	case !step(r, v):
	case r.blank():
		s.remove(name)
	default:
		if !draw {
			v = rs.memory.next()
		}
		r.stamp(v)
		if !kept {
			s.put(name, r)
		}
	}
	return r, nil
}

// held returns the record under name in s, whose lock its caller holds, and
// whether a change of it is a change of what s has. If s has it encoded, or not
// at all, it isn't.
func (rs *records[R, P]) held(s *shard, name string) (r P, kept bool, err error) {
	e, found := s.entries[name]
	if r, ok := e.(P); ok {
		return r, true, nil
	}
	r = P(new(R))
	if !found {
		r.start(name)
		return r, false, nil
	}
	return r, false, rs.decode(r, name, e)
}

// decode is apart from held since it needs room on the stack, and is rare.
func (rs *records[R, P]) decode(r P, name string, e entry) error {
	return r.load(Record{Key{rs.machine, name}, e.bytes(), Version{rs.memory.epoch, e.version()}})
}

// read returns what look makes of the record under name, which is the start of
// its instance if there is none. Look may run under a lock.
func (rs *records[R, P]) read(ctx context.Context, name string, look func(r P)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if rs.memory != nil {
		s := rs.table.shard(name)
		s.mu.Lock()
		defer s.mu.Unlock()
		r, _, err := rs.held(s, name)
		if err == nil {
			look(r)
		}
		return err
	}
	rec, err := rs.store.Load(ctx, Key{rs.machine, name})
	if err != nil {
		return err
	}
	rec.Key = Key{rs.machine, name}
	r := P(new(R))
	if err := r.load(rec); err != nil {
		return err
	}
	look(r)
	return nil
}

// names yields the names of all records, sorted.
func (rs *records[R, P]) names(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if rs.memory == nil {
			for r, err := range rs.store.List(ctx, rs.machine) {
				if !yield(r.Key.Name, err) || err != nil {
					return
				}
			}
			return
		}
		for _, name := range rs.table.names() {
			if !yield(name, nil) {
				return
			}
		}
	}
}

// all yields what look makes of each record, in the order of their names. Look
// may run under a lock; whoever ranges over it never does.
func all[V any, R any, P live[R]](ctx context.Context, rs *records[R, P], look func(r P) V) iter.Seq2[V, error] {
	return func(yield func(V, error) bool) {
		var none V
		if rs.memory == nil {
			for rec, err := range rs.store.List(ctx, rs.machine) {
				r := P(new(R))
				if err == nil {
					err = r.load(rec)
				}
				if err != nil {
					yield(none, err)
					return
				}
				if !yield(look(r), nil) {
					return
				}
			}
			return
		}
		for _, name := range rs.table.names() {
			v, there := none, false
			err := rs.read(ctx, name, func(r P) {
				if there = !r.blank(); there {
					v = look(r)
				}
			})
			if err != nil {
				yield(none, err)
				return
			}
			if there && !yield(v, nil) {
				return
			}
		}
	}
}
