package lanes_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/queue"
	"github.com/interlock-go/interlock/lanes"
)

// queueModel is a coordinator and its reference, and draws the calls of both.
type queueModel struct {
	stored  bool                // elsewhere than in memory
	serials *lanes.Subscription // tells the numbers that a store gives
	told    uint64
	last    uint64
	real    *lanes.Coordinator
	ref     *refQueues
	clock   *handClock
	ids     []string // that the id factory makes next
	handles []lanes.Ticket
	foreign []lanes.Ticket
	events  *lanes.Subscription
	seen    uint64
}

func newQueueModel(t *rapid.T, store lanes.Store) *queueModel {
	q := lanes.QueueConfig{
		Cap: rapid.IntRange(1, 3).Draw(t, "cap"), Remember: rapid.SampledFrom([]int{0, 1, 2, lanes.RememberNone}).Draw(t, "remember"),
		MaxSessions: rapid.SampledFrom([]int{0, 2}).Draw(t, "sessions"), ForgetIdle: rapid.SampledFrom([]time.Duration{0, 5 * time.Second}).Draw(t, "idle"),
	}
	m := &queueModel{clock: &handClock{now: epoch}}
	manager, err := lanes.Open(lanes.Config{Store: store, Clock: m.clock, Queue: q, IDs: func() string {
		id := m.ids[0]
		m.ids = m.ids[1:]
		return id
	}})
	if err != nil {
		t.Fatal(err)
	}
	m.real = manager.Coordinator()
	_, memory := store.(*lanes.Memory)
	m.stored = !memory
	keep := q.Remember
	switch keep {
	case 0:
		keep = 1_000_000_000
	case lanes.RememberNone:
		keep = 0
	}
	m.ref = &refQueues{
		params: queue.Params{Cap: q.Cap, Keep: keep}, most: q.MaxSessions, after: q.ForgetIdle, now: epoch,
		lines: map[string]*refLine{}, tickets: map[queue.Ticket]*lanes.TicketView{},
	}
	if m.events, err = m.real.Subscribe(bg, lanes.SubscribeOptions{}); err != nil {
		t.Fatal(err)
	}
	if m.serials, err = m.real.Subscribe(bg, lanes.SubscribeOptions{}); err != nil {
		t.Fatal(err)
	}
	other, err := lanes.Open(lanes.Config{})
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := other.Coordinator().Submit(bg, asks("s", "a"))
	if err != nil {
		t.Fatal(err)
	}
	m.foreign = []lanes.Ticket{{}, theirs}
	return m
}

var (
	drawSession = rapid.SampledFrom([]string{"s", "t", "u", " s\n", "s", ""})
	drawID      = rapid.SampledFrom([]string{"a", "b", "d", "e", "f", "\ta ", " "})
	drawOwner   = rapid.SampledFrom([]lanes.Owner{agent, agent, {Kind: " agent", ID: "a1 "}, {Kind: "agent"}, {Kind: "system", ID: "a1"}, {}, {Kind: "agent", ID: " "}})
	drawReason  = rapid.SampledFrom([]string{"", "why", "because"})
)

// blank returns what is refused of the named arguments, which are trimmed, the
// first one first.
func blank(event string, named ...*string) *lanes.Refusal {
	var no *lanes.Refusal
	for i, name := range []string{"session", "execution", "owner kind", "owner id"}[:len(named)] {
		if named[i] == nil {
			continue
		}
		if *named[i] = strings.TrimSpace(*named[i]); *named[i] == "" && no == nil {
			no = &lanes.Refusal{Code: lanes.ErrInvalidArgument, Message: name + ": it is empty", Machine: "queue", Row: "shell.argument", Event: event, Argument: name}
		}
	}
	return no
}

// refused fails unless err is that refusal, or none for nil.
func refused(t *rapid.T, want *lanes.Refusal, err error) bool {
	t.Helper()
	var got *lanes.Refusal
	if err != nil && !errors.As(err, &got) {
		t.Fatalf("got %v; want %v", err, want)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("refusal (-want +got):\n%s", diff)
	}
	return want != nil
}

func (m *queueModel) request(t *rapid.T) lanes.Request {
	r := lanes.Request{
		Session: drawSession.Draw(t, "session"), Owner: drawOwner.Draw(t, "owner"), Branch: rapid.SampledFrom([]string{"", "main"}).Draw(t, "branch"),
	}
	if rapid.Bool().Draw(t, "named") {
		r.Execution = drawID.Draw(t, "execution")
	} else {
		m.ids = rapid.SliceOfN(drawID, 3, 3).Draw(t, "ids")
	}
	if r.Branch != "" {
		r.Metadata, r.ResourceKeys = map[string]string{"k": "v"}, []string{"gpu"}
	}
	return r
}

// submitted is what the reference makes of r: the ticket's number, or a refusal.
// On a store the number is that of a write, whichever that is; later ones are
// higher.
func (m *queueModel) submitted(r lanes.Request, ids []string, serial uint64) (queue.Ticket, *lanes.Refusal) {
	o := r.Owner
	if o.ID == "" {
		o.ID = o.Kind
	}
	// The order of the checks is that of the arguments: session, owner, id.
	if no := blank("submit", &r.Session, nil, &o.Kind, &o.ID); no != nil {
		return 0, no
	}
	if r.Execution != "" {
		ids = []string{r.Execution}
	}
	var no *lanes.Refusal
	for _, id := range ids {
		if no := blank("submit", nil, &id); no != nil {
			return 0, no
		}
		number := m.ref.shared.Newest + 1
		if m.stored {
			number = max(number, queue.Ticket(serial))
		}
		d, was := m.ref.step(r.Session, queue.Submit{
			Ticket: number, Id: queue.Id(id), Owner: queue.Owner(o.Kind + "\x00" + o.ID), Room: m.ref.most == 0 || len(m.ref.lines) < m.ref.most,
		}, given{ticket: lanes.TicketView{
			Execution: id, Session: r.Session, Branch: r.Branch, Owner: o, ResourceKeys: r.ResourceKeys, Metadata: r.Metadata, Serial: uint64(number),
		}})
		if no = m.ref.refusal(r.Session, d, was); no == nil {
			return number, nil
		}
		if no.Code != lanes.ErrDuplicateExecution {
			return 0, no
		}
	}
	return 0, no
}

func (m *queueModel) submit(t *rapid.T) {
	r := m.request(t)
	ids := m.ids
	ticket, err := m.real.Submit(bg, r)
	if r.Metadata != nil { // its caller keeps changing it
		r.Metadata["k"], r.ResourceKeys[0] = "changed", "changed"
		r.Metadata, r.ResourceKeys = map[string]string{"k": "v"}, []string{"gpu"}
	}
	number, no := m.submitted(r, ids, ticket.Serial())
	if refused(t, no, err) {
		return
	}
	if ticket.Serial() != uint64(number) {
		t.Fatalf("serial %d; want %d", ticket.Serial(), number)
	}
	m.handles = append(m.handles, ticket)
}

// handle draws a ticket for a call that sends event, and what is refused of it.
func (m *queueModel) handle(t *rapid.T, event string) (lanes.Ticket, *lanes.Refusal) {
	all := slices.Concat(m.foreign, m.handles)
	i := rapid.IntRange(0, len(all)-1).Draw(t, "ticket")
	switch i {
	case 0:
		return all[i], &lanes.Refusal{Code: lanes.ErrInvalidArgument, Message: "ticket: it is the zero Ticket", Machine: "queue", Row: "shell.argument", Event: event, Argument: "ticket"}
	case 1:
		return all[i], &lanes.Refusal{Code: lanes.ErrForeignTicket, Message: words(lanes.ErrForeignTicket), Machine: "queue", Row: "shell.ticket", Event: event}
	}
	return all[i], nil
}

func (m *queueModel) end(t *rapid.T) {
	ticket, no := m.handle(t, "end")
	as, report := queue.ReportCompleted, lanes.Report{State: lanes.TicketCompleted}
	call := func() (lanes.Ended, error) { return m.real.Complete(bg, ticket) }
	if rapid.Bool().Draw(t, "fails") {
		text := drawReason.Draw(t, "text")
		as, report = queue.ReportFailed, lanes.Report{State: lanes.TicketFailed, Error: text}
		call = func() (lanes.Ended, error) { return m.real.Fail(ended(nil), ticket, errors.New(text)) }
	}
	got, err := call()
	if barred(t, no, err) {
		return
	}
	number := queue.Ticket(ticket.Serial())
	d, was := m.ref.step(ticket.Session(), queue.End{Ticket: number, Report: as}, given{report: report})
	if refused(t, m.ref.refusal(ticket.Session(), d, was), err) {
		return
	}
	if want := (lanes.Ended{State: m.ref.tickets[number].State, Already: d.Row.Info().Kind == fsm.Stay}); got != want {
		t.Fatalf("got %+v; want %+v", got, want)
	}
}

// wait waits for a ticket in a way that ends at once.
func (m *queueModel) wait(t *rapid.T) {
	ticket, no := m.handle(t, "wait")
	way := rapid.SampledFrom([]string{"ended", "no time", "negative", "patient"}).Draw(t, "way")
	number := queue.Ticket(ticket.Serial())
	if v := m.ref.tickets[number]; way == "patient" && no == nil && v.State == lanes.TicketQueued {
		return
	}
	var err error
	reason, code, cause := "context canceled", lanes.ErrAdmissionCancelled, context.Canceled
	switch way {
	case "ended":
		err = m.real.Wait(ended(nil), ticket)
	case "no time":
		reason, code, cause = "admission timed out", lanes.ErrAdmissionTimedOut, context.DeadlineExceeded
		err = m.real.WaitFor(bg, ticket, 0)
	case "negative":
		err = m.real.WaitFor(bg, ticket, -1)
		if no == nil {
			no = &lanes.Refusal{Code: lanes.ErrInvalidArgument, Message: "timeout: it is negative", Machine: "queue", Row: "shell.argument", Event: "wait", Argument: "timeout"}
		}
	case "patient":
		err = m.real.Wait(bg, ticket)
	}
	if barred(t, no, err) {
		return
	}
	d, _ := m.ref.step(ticket.Session(), queue.Leave{Ticket: number}, given{reason: reason})
	v := m.ref.tickets[number]
	switch {
	case d.Row == queue.LeaveAdmitted:
		code = ""
	case d.Row == queue.LeaveGaveUp:
		if !errors.Is(err, cause) {
			t.Fatalf("%v isn't %v", err, cause)
		}
	case v.State == lanes.TicketCancelled:
		code = lanes.ErrAdmissionCancelled
	default:
		code = lanes.ErrEndedBeforeWait
	}
	var got *lanes.WaitError
	if code == "" {
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	if !errors.As(err, &got) || got.Code != code || got.State != v.State || got.Reason != v.CancelReason || got.Session != v.Session || got.Execution != v.Execution {
		t.Fatalf("got %+v; want %s of %+v", err, code, v)
	}
}

// aim draws a target, and what is refused of it before the session is looked at.
func (m *queueModel) aim(t *rapid.T, event string) (real, trimmed lanes.Target, no *lanes.Refusal) {
	real = lanes.Target{
		Session: drawSession.Draw(t, "session"), Execution: drawID.Draw(t, "execution"), Owner: drawOwner.Draw(t, "owner"),
		Serial: rapid.SampledFrom([]uint64{0, 0, 0, 1, 2, uint64(m.ref.shared.Newest), 99}).Draw(t, "serial"), Reason: drawReason.Draw(t, "reason"),
	}
	trimmed = real
	o := &trimmed.Owner
	if o.ID == "" {
		o.ID = o.Kind
	}
	if event == "forceEnd" {
		no = blank(event, &trimmed.Session, &trimmed.Execution)
		if no == nil && real.Reason == "" {
			no = &lanes.Refusal{Code: lanes.ErrInvalidArgument, Message: "reason: it is empty", Machine: "queue", Row: "shell.argument", Event: event, Argument: "reason"}
		}
	} else {
		no = blank(event, &trimmed.Session, &trimmed.Execution, &o.Kind, &o.ID)
	}
	n := m.ref.find(trimmed.Session, trimmed.Execution)
	if no == nil && real.Serial != 0 && m.ref.tickets[n] != nil && real.Serial != uint64(n) {
		no = &lanes.Refusal{Code: lanes.ErrNoSuchTicket, Message: words(lanes.ErrNoSuchTicket), Machine: "queue", Row: "shell.serial", Event: event}
	}
	return real, trimmed, no
}

func (m *queueModel) cancelQueued(t *rapid.T) {
	target, as, no := m.aim(t, "cancelQueued")
	err := m.real.CancelQueued(bg, target)
	if barred(t, no, err) {
		return
	}
	e := queue.CancelQueued{Ticket: m.ref.find(as.Session, as.Execution), Owner: queue.Owner(as.Owner.Kind + "\x00" + as.Owner.ID)}
	d, was := m.ref.step(as.Session, e, given{reason: orElse(as.Reason, "cancelled by owner")})
	refused(t, m.ref.refusal(as.Session, d, was), err)
}

func (m *queueModel) interrupt(t *rapid.T) {
	target, as, no := m.aim(t, "interrupt")
	got, err := m.real.Interrupt(bg, target)
	if barred(t, no, err) {
		return
	}
	n := m.ref.find(as.Session, as.Execution)
	e := queue.Interrupt{Ticket: n, Owner: queue.Owner(as.Owner.Kind + "\x00" + as.Owner.ID)}
	d, was := m.ref.step(as.Session, e, given{reason: orElse(as.Reason, "interrupt requested by owner")})
	if refused(t, m.ref.refusal(as.Session, d, was), err) {
		return
	}
	if want := (lanes.Interrupted{Already: d.Row.Info().Kind == fsm.Stay, Reason: m.ref.tickets[n].CancelReason}); got != want {
		t.Fatalf("got %+v; want %+v", got, want)
	}
}

func (m *queueModel) forceEnd(t *rapid.T) {
	target, as, no := m.aim(t, "forceEnd")
	err := m.real.ForceEnd(bg, target)
	if barred(t, no, err) {
		return
	}
	d, was := m.ref.step(as.Session, queue.ForceEnd{Ticket: m.ref.find(as.Session, as.Execution)}, given{reason: as.Reason, forced: true})
	refused(t, m.ref.refusal(as.Session, d, was), err)
}

func orElse(reason, otherwise string) string {
	if reason == "" {
		return otherwise
	}
	return reason
}
