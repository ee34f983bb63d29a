package lanes

import (
	"iter"
	"time"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/queue"
)

// line is the queue of one session: its machine, and what the table doesn't keep
// of it. It is the record of the session. In memory it is that itself, and the
// coordinator's lock guards it; of another store each step has a copy, in the
// form of line_record.go, and the line is as the last step left it that the store
// has confirmed.
type line struct {
	session string
	machine queue.Machine
	live    map[queue.Ticket]*execution // those that wait or run
	reason  string                      // why it is closed
	stored  Version                     // of the record
	written written                     // by whom; in memory nobody asks
	known   int                         // how many tickets the machine had at most, since its maps were made
	alive   int                         // how many lived at most, since live was made
	older   *line                       // in the order of creation
	newer   *line
	resting *rest // nil while a ticket waits or runs, or nobody counts the time
}

func (l *line) start(session string) { l.session = session }
func (l *line) stamp(v Version)      { l.stored = v }
func (l *line) version() uint64      { return l.stored.Number }
func (l *line) blank() bool          { return l.machine.State == queue.Absent }

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
// their creation. Its coordinator's lock guards them.
type lines struct {
	records        records[line, *line]
	table          *table // those that are in memory; the records' own, if these are
	count          int
	oldest, newest *line
}

// openLines returns the lines of a coordinator. In memory they are its own, and
// not in what its manager's store lists.
func openLines(store Store) lines {
	if _, ok := store.(*Memory); ok {
		store = &Memory{epoch: 1, tables: map[string]*table{}}
	}
	ls := lines{records: open[line]("queue", store)}
	if ls.table = ls.records.table; ls.table == nil {
		ls.table = newTable()
	}
	return ls
}

// inMemory reports whether the lines in memory are all there is.
func (ls *lines) inMemory() bool { return ls.records.memory != nil }

// at returns the line of session, and nil if there is none.
func (ls *lines) at(session string) *line {
	l, _ := ls.table.shard(session).entries[session].(*line)
	return l
}

func (ls *lines) add(l *line) {
	if !ls.inMemory() {
		ls.table.shard(l.session).put(l.session, l)
	}
	ls.count++
	if l.older = ls.newest; l.older != nil {
		l.older.newer = l
	} else {
		ls.oldest = l
	}
	ls.newest = l
}

func (ls *lines) remove(l *line) {
	if !ls.inMemory() {
		ls.table.shard(l.session).remove(l.session)
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
