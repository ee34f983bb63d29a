package lanes

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/queue"
)

// written says which write made a line's record.
type written struct {
	by      Version // the coordinator: the version of the write that opened it
	step    uint64  // of the coordinator's, so that it knows its own
	created uint64  // the number of the write that made the session
}

// storedLine is a line as a store keeps it.
type storedLine struct {
	Format  int            `json:"format"`
	Epoch   uint64         `json:"by_epoch"`
	By      uint64         `json:"by"`
	Step    uint64         `json:"step"`
	Created *serial        `json:"created"`
	State   queue.State    `json:"state"`
	Reason  text           `json:"reason,omitempty"`
	Active  *serial        `json:"active,omitempty"`
	Waiting []*serial      `json:"waiting,omitempty"`
	Past    []*serial      `json:"past,omitempty"`
	Tickets []storedTicket `json:"tickets,omitempty"`
}

// storedTicket is a ticket of a line. Those that have ended have the first fields
// only, and live in views no more.
type storedTicket struct {
	Number  *serial           `json:"number"`
	State   queue.TicketState `json:"state"`
	ID      text              `json:"id"`
	Key     text              `json:"key"` // of its owner
	Asked   bool              `json:"asked,omitempty"`
	Fencing uint64            `json:"fencing,omitempty"`
	Live    *storedExecution  `json:"live,omitempty"`
}

type storedExecution struct {
	Kind       text      `json:"owner_kind"`
	Owner      text      `json:"owner_id"`
	Branch     text      `json:"branch,omitempty"`
	Language   text      `json:"language,omitempty"`
	Generation text      `json:"generation,omitempty"`
	Resources  []text    `json:"resources,omitempty"`
	Metadata   [][2]text `json:"metadata,omitempty"`
	Queued     seconds   `json:"queued"`
	Started    *seconds  `json:"started,omitempty"`
	Reason     text      `json:"reason,omitempty"`
}

const lineFormat = 1

// text is any string: one that isn't UTF-8, which JSON can't say, is encoded.
type text string

type encodedText struct {
	Bytes []byte `json:"base64"`
}

// MarshalJSON returns a string where it can.
func (t text) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(t)) {
		return json.Marshal(string(t))
	}
	return json.Marshal(encodedText{[]byte(t)})
}

// UnmarshalJSON is the reverse.
func (t *text) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '{' {
		var e encodedText
		if err := json.Unmarshal(data, &e); err != nil {
			return err
		}
		*t = text(e.Bytes)
		return nil
	}
	return json.Unmarshal(data, (*string)(t))
}

func (l *line) bytes() []byte {
	m := &l.machine
	s := storedLine{
		Format: lineFormat, Epoch: l.written.by.Epoch, By: l.written.by.Number, Step: l.written.step, Created: numbered(l.written.created),
		State: m.State, Reason: text(l.reason), Active: numbered(uint64(m.Active.Value())),
	}
	for n := range m.Waiting.All() {
		s.Waiting = append(s.Waiting, numbered(uint64(n)))
	}
	for n := range m.Past.All() {
		s.Past = append(s.Past, numbered(uint64(n)))
	}
	for _, n := range slices.Sorted(maps.Keys(m.Tickets)) {
		part := m.Tickets[n]
		t := storedTicket{
			Number: numbered(uint64(n)), State: part.State, ID: text(part.Id.Value()), Key: text(part.Owner.Value()),
			Asked: part.Asked, Fencing: uint64(part.Fencing),
		}
		if x := l.live[n]; x != nil && !part.State.Ended() {
			t.Live = x.stored()
		}
		s.Tickets = append(s.Tickets, t)
	}
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // it has nothing that JSON can't say
	}
	return data
}

func (x *execution) stored() *storedExecution {
	s := &storedExecution{
		Kind: text(x.owner.Kind), Owner: text(x.owner.ID), Branch: text(x.branch), Language: text(x.language), Generation: text(x.generation),
		Queued: seconds(x.queued), Started: since1970(x.started), Reason: text(x.reason),
	}
	for _, r := range x.resources {
		s.Resources = append(s.Resources, text(r))
	}
	for _, k := range slices.Sorted(maps.Keys(x.metadata)) {
		s.Metadata = append(s.Metadata, [2]text{text(k), text(x.metadata[k])})
	}
	return s
}

func (l *line) load(rec Record) error {
	l.start(rec.Key.Name)
	l.stamp(rec.Version)
	if len(rec.Data) == 0 {
		return nil
	}
	var s storedLine
	err := json.Unmarshal(rec.Data, &s)
	if err == nil && s.Format != lineFormat {
		err = fmt.Errorf("format %d; this is format %d", s.Format, lineFormat)
	}
	if err == nil {
		err = l.take(&s)
	}
	if err != nil {
		return fmt.Errorf("%w: queue of session %.100q: %w", ErrRecord, l.session, err)
	}
	return nil
}

// take makes l, whose version is stamped, what s says.
func (l *line) take(s *storedLine) error {
	v := l.stored
	l.written = written{Version{s.Epoch, s.By}, s.Step, s.Created.in(v)}
	l.reason = string(s.Reason)
	m := &l.machine
	m.State = s.State
	m.Tickets = make(map[queue.Ticket]queue.TicketPart, len(s.Tickets))
	m.TicketById = make(map[queue.Id]queue.Ticket, len(s.Tickets))
	for i := range s.Tickets {
		if err := l.takeTicket(&s.Tickets[i]); err != nil {
			return err
		}
	}
	seen := map[queue.Ticket]bool{} // in a place of theirs, as each is once
	list := func(f *fsm.FIFO[queue.Ticket], numbers []*serial, is func(queue.TicketState) bool) error {
		for _, n := range numbers {
			t := queue.Ticket(n.in(v))
			if !is(m.Tickets[t].State) || seen[t] {
				return fmt.Errorf("ticket %d is %s, and in a list of others, or twice in one", t, m.Tickets[t].State)
			}
			f.Push(t)
			seen[t] = true
		}
		return nil
	}
	if n := queue.Ticket(s.Active.in(v)); n != 0 {
		m.Active = fsm.Some(n)
		if seen[n] = true; !m.Tickets[n].State.Holds() {
			return fmt.Errorf("ticket %d is %s, and has the place", n, m.Tickets[n].State)
		}
	}
	queued := func(s queue.TicketState) bool { return s == queue.TicketQueued }
	if err := cmp.Or(list(&m.Waiting, s.Waiting, queued), list(&m.Past, s.Past, queue.TicketState.Ended)); err != nil {
		return err
	}
	switch {
	case len(seen) != len(m.Tickets):
		return fmt.Errorf("of %d tickets %d have the place, wait or are remembered", len(m.Tickets), len(seen))
	case m.State == queue.Absent, !m.NoLostAdmission(), !m.ClosedIsQuiet(), m.State == queue.Leaving && !m.Active.HasValue():
		return fmt.Errorf("no session is %s with %v in the place and %d waiting", m.State, m.Active, m.Waiting.Len())
	}
	return nil
}

func (l *line) takeTicket(t *storedTicket) error {
	m, n := &l.machine, queue.Ticket(t.Number.in(l.stored))
	switch _, twice := m.Tickets[n]; {
	case n == 0 || twice:
		return fmt.Errorf("ticket %d is there twice, or has no number", n)
	case t.ID == "" || t.Key == "" || fsm.Has(m.TicketById, queue.Id(t.ID)):
		return fmt.Errorf("ticket %d has no execution id of its own, or no owner", n)
	case t.State == queue.TicketMade, t.State.Ended() != (t.Live == nil):
		return fmt.Errorf("ticket %d is %s, and shown is %t", n, t.State, t.Live != nil)
	}
	m.Tickets[n] = queue.TicketPart{
		State: t.State, Id: fsm.Some(queue.Id(t.ID)), Owner: fsm.Some(queue.Owner(t.Key)), Asked: t.Asked, Fencing: queue.Fence(t.Fencing),
	}
	m.TicketById[queue.Id(t.ID)] = n
	if t.Live == nil {
		return nil
	}
	s := t.Live
	x := &execution{
		number: n, session: l.session, id: string(t.ID), owner: Owner{string(s.Kind), string(s.Owner)}, branch: string(s.Branch),
		language: string(s.Language), generation: string(s.Generation), state: TicketState(t.State.String()),
		queued: s.Queued.time(), started: s.Started.time(), ran: t.State.Holds(), asked: t.Asked, reason: string(s.Reason),
	}
	for _, r := range s.Resources {
		x.resources = append(x.resources, string(r))
	}
	if x.owner.key() != queue.Owner(t.Key) {
		return errors.New("its owner isn't the one who may act on it")
	}
	for _, kv := range s.Metadata {
		if x.metadata == nil {
			x.metadata = map[string]string{}
		}
		x.metadata[string(kv[0])] = string(kv[1])
	}
	l.admit(x)
	return nil
}
