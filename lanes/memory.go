package lanes

import (
	"bytes"
	"context"
	"hash/maphash"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Memory is the Store that keeps its records in this process, and loses them
// with it. Managers that are opened on one Memory share their lanes, but a
// lease acts only through the manager that issued it.
//
// The zero Memory is empty, and of epoch 0. A removed record leaves nothing behind. No lock is held but for one step on
// one record, and for what List takes to gather its names.
type Memory struct {
	epoch  uint64
	last   atomic.Uint64 // the last number that was given
	mu     sync.RWMutex  // guards tables
	tables map[string]*table
}

// NewMemory returns an empty Memory, whose epoch is now's Unix second.
func NewMemory(now time.Time) *Memory {
	return &Memory{epoch: uint64(max(now.Unix(), 1)), tables: map[string]*table{}}
}

// Load implements Store.
func (m *Memory) Load(ctx context.Context, key Key) (Record, error) {
	if err := ctx.Err(); err != nil {
		return Record{}, err
	}
	r := Record{Key: key}
	if t := m.table(key.Machine, false); t != nil {
		s := t.shard(key.Name)
		s.mu.Lock()
		defer s.mu.Unlock()
		if e, ok := s.entries[key.Name]; ok {
			r.Data, r.Version = e.bytes(), Version{m.epoch, e.version()}
		}
	}
	return r, nil
}

// Swap implements Store.
func (m *Memory) Swap(ctx context.Context, w Write) (Version, error) {
	if err := ctx.Err(); err != nil {
		return Version{}, err
	}
	t := m.table(w.Key.Machine, len(w.Data) > 0)
	if t == nil { // nothing to remove, and never was
		if w.Old != (Version{}) {
			return Version{}, ErrConflict
		}
		return m.next(), nil
	}
	s := t.shard(w.Key.Name)
	s.mu.Lock()
	defer s.mu.Unlock()
	var old Version
	if e, ok := s.entries[w.Key.Name]; ok {
		old = Version{m.epoch, e.version()}
	}
	if old != w.Old {
		return Version{}, ErrConflict
	}
	v := m.next()
	if len(w.Data) == 0 {
		s.remove(w.Key.Name)
	} else {
		s.put(w.Key.Name, &encoded{bytes.Clone(w.Data), v.Number})
	}
	return v, nil
}

// List implements Store.
func (m *Memory) List(ctx context.Context, machine string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(Record{}, err)
			return
		}
		t := m.table(machine, false)
		if t == nil {
			return
		}
		for _, name := range t.names() {
			r, err := m.Load(ctx, Key{machine, name})
			if err == nil && len(r.Data) == 0 {
				continue // removed since
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// next returns a version that was never given before. For those of one key to
// grow, it is called under the lock of the key's shard.
func (m *Memory) next() Version { return Version{m.epoch, m.last.Add(1)} }

// table returns the records of one machine, making it if that is asked for, and
// else nil where there never were any.
func (m *Memory) table(machine string, make bool) *table {
	m.mu.RLock()
	t := m.tables[machine]
	m.mu.RUnlock()
	if t != nil || !make {
		return t
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tables == nil {
		m.tables = map[string]*table{}
	}
	if m.tables[machine] == nil {
		m.tables[machine] = newTable()
	}
	return m.tables[machine]
}

// entry is a record as a Memory keeps it: encoded, as Swap brings it, or live,
// so that a step changes it in place.
type entry interface {
	bytes() []byte // the caller's to keep
	version() uint64
}

// encoded is the entry that Swap makes.
type encoded struct {
	data   []byte
	number uint64
}

func (e *encoded) bytes() []byte   { return bytes.Clone(e.data) }
func (e *encoded) version() uint64 { return e.number }

// table is the records of one machine. Its names are spread over so many shards
// that two that are used at once hardly ever meet in one; where they do, one
// waits for a step of the other, some ten nanoseconds, and never for its owner.
type table struct {
	seed   maphash.Seed
	shards [256]shard
}

type shard struct {
	mu sync.Mutex
	shrinking[entry]
	_ [40]byte // so that no two shards share a cache line
}

func newTable() *table { return &table{seed: maphash.MakeSeed()} }

func (t *table) shard(name string) *shard {
	return &t.shards[maphash.String(t.seed, name)%uint64(len(t.shards))]
}

// names returns the names of all records, sorted.
func (t *table) names() []string {
	var names []string
	for i := range t.shards {
		s := &t.shards[i]
		s.mu.Lock()
		for name := range s.entries {
			names = append(names, name)
		}
		s.mu.Unlock()
	}
	slices.Sort(names)
	return names
}

// shrinking is a map that gives its room back: a Go map keeps the room that it
// once had. Its zero value is empty.
type shrinking[V any] struct {
	entries map[string]V // to be changed by put and remove alone
	most    int          // how many entries there were, at most, since entries was made
}

// roomy is how many entries a map may have had before it counts as worth
// rebuilding.
const roomy = 32

func (s *shrinking[V]) put(name string, v V) {
	if s.entries == nil {
		s.entries = map[string]V{}
	}
	s.entries[name] = v
	s.most = max(s.most, len(s.entries))
}

// remove deletes the entry of name, and rebuilds the map once it is down to a
// quarter.
func (s *shrinking[V]) remove(name string) {
	delete(s.entries, name)
	n := len(s.entries)
	if s.most >= roomy && n <= s.most/4 {
		s.rebuild(n)
	}
}

// rebuild is seldom, and its iterator takes room on the stack, which who waits
// has to have copied when it grows: so it isn't part of remove.
//
//go:noinline
func (s *shrinking[V]) rebuild(n int) {
	var entries map[string]V
	if n > 0 {
		entries = make(map[string]V, n)
		for name, e := range s.entries {
			entries[name] = e
		}
	}
	s.entries, s.most = entries, n
}
