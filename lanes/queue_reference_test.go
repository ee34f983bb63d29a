package lanes_test

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/queue"
	"github.com/interlock-go/interlock/lanes"
)

// refQueues is what a coordinator should be: the generated machine of each
// session, and what follows from its effects, told one after the other.
type refQueues struct {
	params queue.Params
	most   int           // of sessions; 0 for any number
	after  time.Duration // that idle ones are forgotten; 0 for never
	now    time.Time

	shared  queue.Shared
	reason  string
	lines   map[string]*refLine
	order   []string // of creation
	resting []string // the idle ones, in the order in which they became so
	tickets map[queue.Ticket]*lanes.TicketView
	seq     uint64
	events  []lanes.Event // since they were last compared
}

type refLine struct {
	machine queue.Machine
	reason  string
	since   time.Time // that it is idle
}

func (m *refQueues) line(session string) *refLine {
	if l := m.lines[session]; l != nil {
		return l
	}
	return &refLine{machine: queue.Machine{Params: m.params}}
}

// given is what a call gives besides its event.
type given struct {
	reason string
	report lanes.Report
	forced bool
	ticket lanes.TicketView
}

// step sends e to the machine of session.
func (m *refQueues) step(session string, e queue.Event, g given) (d queue.Decision, was string) {
	l := m.line(session)
	l.machine.Shared = m.shared
	was = l.machine.State.String()
	d, effects := l.machine.Step(e, nil)
	if d.Row.Info().Kind != fsm.Move {
		return d, was
	}
	m.shared = l.machine.Shared
	if s, ok := e.(queue.Submit); ok {
		m.tickets[s.Ticket] = &g.ticket
		if m.lines[session] == nil {
			m.lines[session] = l
			m.order = append(m.order, session)
		}
	}
	for _, effect := range effects {
		m.do(session, l, effect, g)
	}
	same := func(other string) bool { return other == session }
	idle := l.machine.State.Known() && !l.machine.Active.HasValue() && l.machine.Waiting.Len() == 0
	if l.machine.State == queue.Absent {
		delete(m.lines, session)
		m.order = slices.DeleteFunc(m.order, same)
	}
	switch at := slices.Index(m.resting, session); {
	case idle && at < 0 && m.after > 0:
		m.resting, l.since = append(m.resting, session), m.now
	case !idle && at >= 0:
		m.resting = slices.Delete(m.resting, at, at+1)
	}
	return d, was
}

func (m *refQueues) do(session string, l *refLine, effect queue.Effect, g given) {
	v := m.tickets[effect.Ticket]
	e := lanes.Event{Session: session}
	shown := func(position int) *lanes.TicketView {
		now := *v
		now.Position = position
		return &now
	}
	ask := func() {
		if !v.CancelRequested || g.forced {
			v.CancelReason = g.reason
		}
		v.CancelRequested = true
	}
	switch effect.Kind {
	case queue.EffectTicketState:
		v.State = lanes.TicketState(effect.Where.String())
		position := lanes.NoPosition
		switch effect.Where {
		case queue.TicketQueued:
			v.QueuedAt, position = m.now, effect.Place.Value()
		case queue.TicketRunning:
			v.StartedAt, position = m.now, 0
		case queue.TicketCancelled:
			ask()
			v.FinishedAt, v.Reported, e.Reason = m.now, g.report, v.CancelReason
		default:
			v.FinishedAt, v.Error = m.now, g.report.Error
		}
		e.Type, e.Ticket = lanes.EventTicketState, shown(position)
	case queue.EffectOwnerLeft:
		e.Type, e.Previous, e.Reason = lanes.EventOwnerChanged, shown(lanes.NoPosition), effect.How.String()
	case queue.EffectOwnerCame:
		e.Type, e.Ticket, e.Reason = lanes.EventOwnerChanged, shown(0), "admitted"
	case queue.EffectInterruptRequested:
		ask()
		e.Type, e.Ticket, e.Reason = lanes.EventInterruptRequested, shown(0), g.reason
	case queue.EffectForceEnded:
		e.Type, e.Ticket, e.Reason = lanes.EventForceEnded, shown(0), g.reason
	case queue.EffectSessionClosed:
		l.reason = g.reason
		e.Type, e.Reason = lanes.EventSessionClosed, g.reason
	case queue.EffectSessionForgotten:
		e.Type = lanes.EventSessionForgotten
	case queue.EffectQueueChanged:
		s := m.picture(session, l)
		s.Seq = m.seq + 1
		e.Type, e.Snapshot = lanes.EventQueueChanged, &s
	}
	m.tell(e)
}

func (m *refQueues) tell(e lanes.Event) {
	m.seq++
	e.Seq, e.At = m.seq, m.now
	m.events = append(m.events, e)
}

func (m *refQueues) picture(session string, l *refLine) lanes.Snapshot {
	s := lanes.Snapshot{Session: session, Closed: l.machine.State != queue.Open, CloseReason: l.reason, Seq: m.seq}
	if l.machine.Active.HasValue() {
		v := *m.tickets[l.machine.Active.Value()]
		v.Position = 0
		s.Owner = &v
	}
	for t := range l.machine.Waiting.All() {
		v := *m.tickets[t]
		v.Position = len(s.Queue) + 1
		s.Queue = append(s.Queue, v)
	}
	return s
}

func (m *refQueues) snapshot(session string) lanes.Snapshot {
	if l := m.lines[session]; l != nil {
		return m.picture(session, l)
	}
	return lanes.Snapshot{Session: session, Closed: m.shared.CoordinatorClosed, CloseReason: m.reason, Seq: m.seq}
}

// view is that of a ticket, which may have ended long ago.
func (m *refQueues) view(t queue.Ticket) lanes.TicketView {
	v := *m.tickets[t]
	v.Position = lanes.NoPosition
	switch v.State {
	case lanes.TicketRunning:
		v.Position = 0
	case lanes.TicketQueued:
		v.Position = 1 + slices.Index(slices.Collect(m.lines[v.Session].machine.Waiting.All()), t)
	}
	return v
}

// find returns the number of the ticket of that id, and one that was never given
// for none.
func (m *refQueues) find(session, execution string) queue.Ticket {
	if t, ok := m.line(session).machine.TicketById[queue.Id(execution)]; ok {
		return t
	}
	return 1 << 60
}

// wait passes the time, in which idle sessions are forgotten as they are due.
func (m *refQueues) wait(d time.Duration) {
	end := m.now.Add(d)
	for len(m.resting) > 0 {
		due := m.lines[m.resting[0]].since.Add(m.after)
		if due.After(end) {
			break
		}
		m.now = due
		m.step(m.resting[0], queue.CleanUp{}, given{reason: "idle"})
	}
	m.now = end
}

// closeAll is the close of the coordinator.
func (m *refQueues) closeAll(reason string) queue.Decision {
	shut := queue.Machine{Params: m.params, Shared: m.shared}
	d, _ := shut.Step(queue.Shut{}, nil)
	if d.Row.Info().Kind != fsm.Move {
		return d
	}
	m.shared, m.reason = shut.Shared, reason
	for _, session := range slices.Clone(m.order) {
		m.step(session, queue.Close{}, given{reason: reason})
	}
	m.tell(lanes.Event{Type: lanes.EventCoordinatorClosed, Reason: reason})
	return d
}

// refusal is the refusal that the decision stands for, or nil.
func (m *refQueues) refusal(session string, d queue.Decision, was string) *lanes.Refusal {
	info := d.Row.Info()
	if info.Kind != fsm.Refuse {
		return nil
	}
	event, _, _ := strings.Cut(info.Name, ".")
	code := lanes.Code(info.Code)
	no := &lanes.Refusal{Code: code, Message: words(code), Machine: "queue", Row: info.Name, State: was, Event: event}
	switch code {
	case lanes.ErrCoordinatorClosed:
		no.Reason = m.reason
	case lanes.ErrSessionClosed:
		no.Reason = m.lines[session].reason
	}
	return no
}

// serials returns the numbers of all tickets, in order.
func (m *refQueues) serials() []queue.Ticket { return slices.Sorted(maps.Keys(m.tickets)) }

// handClock is a clock whose time passes when it is told to. What is due in no
// time is called at once.
type handClock struct {
	now    time.Time
	timers []*handTimer
}

type handTimer struct {
	clock *handClock
	due   time.Time
	call  func()
}

func (c *handClock) Now() time.Time { return c.now }

func (c *handClock) AfterFunc(d time.Duration, f func()) lanes.Timer {
	t := &handTimer{c, c.now.Add(d), f}
	if d <= 1 {
		f()
		return t
	}
	c.timers = append(c.timers, t)
	return t
}

func (t *handTimer) Stop() bool {
	at := slices.Index(t.clock.timers, t)
	if at >= 0 {
		t.clock.timers = slices.Delete(t.clock.timers, at, at+1)
	}
	return at >= 0
}

// pass lets d pass, and makes the calls that are due, each at its time.
func (c *handClock) pass(d time.Duration) {
	end := c.now.Add(d)
	for {
		var next *handTimer
		for _, t := range c.timers {
			if !t.due.After(end) && (next == nil || t.due.Before(next.due)) {
				next = t
			}
		}
		if next == nil {
			c.now = end
			return
		}
		next.Stop()
		c.now = next.due
		next.call()
	}
}
