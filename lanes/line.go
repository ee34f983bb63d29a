package lanes

import (
	"hash/maphash"
	"iter"
	"time"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/queue"
)

// line is the queue of one session: its machine, and what the table doesn't keep
// of it. The coordinator's lock guards it.
type line struct {
	session string
	machine queue.Machine
	live    map[queue.Ticket]*execution // those that wait or run
	reason  string                      // why it is closed
	known   int                         // how many tickets the machine had at most, since its maps were made
	alive   int                         // how many lived at most, since live was made
	older   *line                       // in the order of creation
	newer   *line
	resting *rest // nil while a ticket waits or runs, or nobody counts the time
}

// rest is a line's place among those that are idle.
type rest struct {
	line          *line
	since         time.Time
	before, after *rest
}

// idle reports whether nothing waits or runs.
func (l *line) idle() bool {
	return l.machine.State.Known() && !l.machine.Active.HasValue() && l.machine.Waiting.Len() == 0
}

// snapshot returns the picture of l, whose tickets share with l until it is
// parted.
func (l *line) snapshot(seq uint64) *Snapshot {
	s := &Snapshot{Session: l.session, Closed: l.machine.State != queue.Open, CloseReason: l.reason, Seq: seq}
	if l.machine.Active.HasValue() {
		v := l.live[l.machine.Active.Value()].view(0)
		s.Owner = &v
	}
	if n := l.machine.Waiting.Len(); n > 0 {
		s.Queue = make([]TicketView, 0, n)
		for t := range l.machine.Waiting.All() {
			s.Queue = append(s.Queue, l.live[t].view(len(s.Queue)+1))
		}
	}
	return s
}

// shrink makes maps and FIFOs anew once they are down to a quarter: they keep
// the room that they once had.
func (l *line) shrink() {
	m := &l.machine
	if loose(&l.known, len(m.Tickets)) {
		m.Tickets, m.TicketById = rebuilt(m.Tickets), rebuilt(m.TicketById)
		refill(&m.Past)
	}
	if loose(&l.alive, len(l.live)) {
		l.live = rebuilt(l.live)
		refill(&m.Waiting)
	}
}

// loose reports whether n is so much less than most, which it keeps, that a
// rebuild is worth it.
func loose(most *int, n int) bool {
	*most = max(*most, n)
	if *most < 4*roomy || n > *most/4 {
		return false
	}
	*most = n
	return true
}

// refill makes f anew, with no more room than it needs.
func refill(f *fsm.FIFO[queue.Ticket]) {
	var kept fsm.FIFO[queue.Ticket]
	for t := range f.All() {
		kept.Push(t)
	}
	*f = kept
}

// rebuilt returns m in a map with no more room than it needs.
func rebuilt[K comparable, V any](m map[K]V) map[K]V {
	kept := make(map[K]V, len(m))
	for k, v := range m {
		kept[k] = v
	}
	return kept
}

// lines are the sessions of a coordinator, by their ids and in the order of
// their creation. They are spread over many maps, so that none takes long to be
// made anew. The zero value isn't ready: seed is.
type lines struct {
	seed   maphash.Seed
	shards [256]struct {
		entries map[string]*line
		most    int
	}
	count          int
	oldest, newest *line
}

// at returns the line of session, and nil if there is none.
func (ls *lines) at(session string) *line { return ls.shards[ls.shard(session)].entries[session] }

func (ls *lines) shard(session string) uint64 {
	return maphash.String(ls.seed, session) % uint64(len(ls.shards))
}

func (ls *lines) add(l *line) {
	s := &ls.shards[ls.shard(l.session)]
	if s.entries == nil {
		s.entries = map[string]*line{}
	}
	s.entries[l.session] = l
	s.most = max(s.most, len(s.entries))
	ls.count++
	if l.older = ls.newest; l.older != nil {
		l.older.newer = l
	} else {
		ls.oldest = l
	}
	ls.newest = l
}

func (ls *lines) remove(l *line) {
	s := &ls.shards[ls.shard(l.session)]
	delete(s.entries, l.session)
	if n := len(s.entries); s.most >= roomy && n <= s.most/4 {
		s.most = n
		if s.entries = rebuilt(s.entries); n == 0 {
			s.entries = nil
		}
	}
	ls.count--
	if l.older != nil {
		l.older.newer = l.newer
	} else {
		ls.oldest = l.newer
	}
	if l.newer != nil {
		l.newer.older = l.older
	} else {
		ls.newest = l.older
	}
	l.older, l.newer = nil, nil
}

// all yields the lines in the order of their creation. The one that it yields
// may be removed.
func (ls *lines) all() iter.Seq[*line] {
	return func(yield func(*line) bool) {
		for l := ls.oldest; l != nil; {
			next := l.newer
			if !yield(l) {
				return
			}
			l = next
		}
	}
}

// rests are the lines that are idle, the one that became so first in front.
type rests struct{ first, last *rest }

func (rs *rests) add(l *line, since time.Time) {
	r := &rest{line: l, since: since, before: rs.last}
	if l.resting = r; rs.last != nil {
		rs.last.after = r
	} else {
		rs.first = r
	}
	rs.last = r
}

func (rs *rests) remove(l *line) {
	r := l.resting
	l.resting = nil
	if r.before != nil {
		r.before.after = r.after
	} else {
		rs.first = r.after
	}
	if r.after != nil {
		r.after.before = r.before
	} else {
		rs.last = r.before
	}
}
