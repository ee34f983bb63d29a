package lanes

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/interlock-go/interlock/fsm/queue"
)

// Coordinator lets the writers of one session run one at a time, in the order
// in which they asked. Sessions don't wait for each other. It runs no code but
// the function given to Run, and stops none: an interrupt is a signal that its
// ticket's owner heeds.
//
// A call looks at its arguments first. Ids and owners count without the space
// around them; an empty one is refused with ErrInvalidArgument. Submit, Run and
// Subscribe under a context that has ended do nothing, and their error wraps the
// context's. The calls that end, cancel or close something never wait, and are
// done whatever their context: whoever has to end a ticket can, when its time is
// up. An error that is a *Refusal means that nothing was changed.
//
// In a Store that isn't a Memory a coordinator takes over, when it is first used,
// what earlier ones have left: tickets that waited are cancelled, with the reason
// "coordinator lost", and one that ran is TicketOrphaned. It keeps its session
// until it is ended by ForceEnd: nobody else knows whether its work has ended. A
// coordinator that another one has followed changes nothing any more, and answers
// ErrSuperseded. An error that wraps ErrStoreUncertain means that nobody knows yet
// whether the call was done; after any other error of the store it wasn't.
//
// Any number of goroutines may use a Coordinator, from within the function of
// Run and the sinks of SubscribeFunc too.
type Coordinator struct {
	clock   Clock
	ids     func() string
	config  QueueConfig
	params  queue.Params
	refused watcher
	record  recorder // nil for none

	mu      sync.Mutex // held for one step, or for a picture; never while anybody else's code runs
	shared  queue.Shared
	reason  string // why the coordinator is closed
	lines   lines
	stored  stored // of a store that isn't a Memory
	events  stream
	effects []queue.Effect // room for those of a step
	rests   rests
	armed   bool // a timer is set, or about to be
	timer   Timer
	down    bool // no timer is to be set any more
}

func newCoordinator(c Config) (*Coordinator, error) {
	params, err := c.Queue.params()
	if err != nil {
		return nil, err
	}
	_, memory := c.Store.(*Memory)
	params.Durable = !memory
	return &Coordinator{
		clock: c.Clock, ids: c.IDs, config: c.Queue, params: params, refused: c.Refused,
		lines: openLines(c.Store), events: stream{keep: c.Queue.Replay},
		stored: openStored(c.Store),
	}, nil
}

// Request is what Submit and Run ask for.
type Request struct {
	Session   string // whose turn is asked for; required
	Execution string // unique in the session for as long as it is remembered; empty for one that Config.IDs makes
	Owner     Owner  // required

	// The rest is shown in views, and means nothing to the coordinator. Slice
	// and map are copied.
	Branch       string
	Language     string
	Generation   string
	ResourceKeys []string
	Metadata     map[string]string

	// Timeout is how long Run waits to be admitted; 0 for as long as its
	// context lasts. Submit doesn't look at it.
	Timeout time.Duration
}

// draws is how often an id is made before the last one's refusal is answered.
const draws = 3

// Submit asks for a turn in a session, which is made if there is none. The
// ticket runs at once if nothing does; else it waits, in the order of
// submission. Wait says when it runs, and its owner then ends it with Complete
// or Fail, whatever happens: no time-out does, since nobody else knows whether
// the work has ended.
//
// It is refused, in this order, with ErrCoordinatorClosed, ErrTooManySessions,
// ErrSessionClosed, ErrDuplicateExecution or ErrQueueFull. A refused ticket
// leaves nothing behind.
func (c *Coordinator) Submit(ctx context.Context, r Request) (_ Ticket, err error) {
	if c.closed() {
		return Ticket{}, ErrNotOpen
	}
	defer c.refused.tell(ctx, &err)
	if err := ctx.Err(); err != nil {
		return Ticket{}, fmt.Errorf("lanes: submit: %w", err)
	}
	session, err := given("submit", "session", r.Session)
	if err != nil {
		return Ticket{}, err
	}
	owner, err := r.Owner.named("submit")
	if err != nil {
		return Ticket{}, err
	}
	record := new([1]execution)
	x := &record[0]
	*x = execution{
		coordinator: c, session: session, id: r.Execution, owner: owner, branch: r.Branch, language: r.Language,
		generation: r.Generation, resources: slices.Clone(r.ResourceKeys), metadata: maps.Clone(r.Metadata),
	}
	left := draws
	if x.id != "" {
		if x.id, err = given("submit", "execution", x.id); err != nil {
			return Ticket{}, err
		}
		left = 1
	}
	for {
		if r.Execution == "" {
			if x.id, err = given("submit", "execution", c.ids()); err != nil {
				return Ticket{}, err
			}
		}
		left--
		no := c.submit(ctx, x)
		if no == nil {
			return Ticket{record[:0]}, nil
		}
		if left == 0 || !isCode(no, ErrDuplicateExecution) {
			return Ticket{}, no
		}
	}
}

func (c *Coordinator) submit(ctx context.Context, x *execution) error {
	a := act{at: c.clock.Now(), ticket: x, owner: x.owner.key()}
	return c.send(ctx, x.session, nil, &a, nil)
}

// Ended is how a ticket has ended.
type Ended struct {
	State   TicketState // cancelled, if that was requested, whatever was reported
	Already bool        // it had ended before, and nothing was changed
}

// Complete ends t, which runs, and hands its place to the next in line in the
// same step. Its state is completed, or cancelled if that was requested. A
// ticket that has ended is left as it is, which is no error.
//
// It is refused with ErrForeignTicket for a ticket of another coordinator, with
// ErrStillQueued if t waits, and with ErrInvalidArgument for the zero Ticket.
func (c *Coordinator) Complete(ctx context.Context, t Ticket) (Ended, error) {
	return c.end(ctx, t, queue.ReportCompleted, Report{State: TicketCompleted})
}

// Fail is Complete for a ticket whose work has failed; its error text is
// err's, and empty for nil.
func (c *Coordinator) Fail(ctx context.Context, t Ticket, err error) (Ended, error) {
	return c.end(ctx, t, queue.ReportFailed, Report{State: TicketFailed, Error: textOf(err)})
}

func (c *Coordinator) end(ctx context.Context, t Ticket, as queue.Report, r Report) (e Ended, err error) {
	if c.closed() {
		return e, ErrNotOpen
	}
	defer c.refused.tell(ctx, &err)
	x, err := c.own("end", t)
	if err != nil {
		return Ended{}, err
	}
	var a act // filled afterwards, which takes half the stack of a literal
	a.at, a.report = c.clock.Now(), r
	err = c.send(c.lasting(ctx), x.session, queue.End{Ticket: x.number, Report: as}, &a, func(*line) {
		e = Ended{State: x.state, Already: a.code() == codeAlreadyEnded}
	})
	return e, err
}

// own returns what t is a ticket of, for a call that sends event.
func (c *Coordinator) own(event string, t Ticket) (*execution, error) {
	x := t.execution()
	if x == nil {
		return nil, invalid(event, "ticket", "it is the zero Ticket")
	}
	if x.coordinator != c {
		return nil, shellRefusal(event, "shell.ticket", ErrForeignTicket)
	}
	return x, nil
}

// textOf returns err's text, which is its own code's to make.
func textOf(err error) (text string) {
	if err == nil {
		return ""
	}
	defer func() {
		if p := recover(); p != nil {
			text = fmt.Sprintf("%T, whose Error panics: %v", err, p)
		}
	}()
	return err.Error()
}

// Target names one ticket, for who has no handle of it.
type Target struct {
	Session   string
	Execution string
	Owner     Owner  // must be its submitter's; ForceEnd doesn't look at it
	Serial    uint64 // if not 0, must be the ticket's, so that a namesake is spared
	Reason    string // shown in its view; empty for the default
}

// CancelQueued takes a ticket that waits out of the line. The default reason is
// "cancelled by owner". It never touches the one that runs.
//
// It is refused with ErrNoSuchSession, ErrNoSuchTicket if the serial number
// doesn't fit, ErrNotWaiting or ErrNotOwner.
func (c *Coordinator) CancelQueued(ctx context.Context, t Target) (err error) {
	if c.closed() {
		return ErrNotOpen
	}
	defer c.refused.tell(ctx, &err)
	owner, err := t.check("cancelQueued", true)
	if err != nil {
		return err
	}
	a := act{at: c.clock.Now(), verb: "cancelQueued", target: t, owner: owner, reason: orElse(t.Reason, cancelReason)}
	return c.send(c.lasting(ctx), t.Session, nil, &a, nil)
}

// Interrupted is what an interrupt found.
type Interrupted struct {
	Already bool   // cancellation had been requested before, and nothing was changed
	Reason  string // the first request's
}

// Interrupt requests the cancellation of the ticket that runs: its Cancelled is
// closed, and the context that Run gave it ends. It keeps its place until its
// owner ends it. The default reason is "interrupt requested by owner".
//
// It is refused with ErrNoSuchSession, ErrNoSuchTicket if the serial number
// doesn't fit, ErrNotRunning or ErrNotOwner.
func (c *Coordinator) Interrupt(ctx context.Context, t Target) (i Interrupted, err error) {
	if c.closed() {
		return i, ErrNotOpen
	}
	defer c.refused.tell(ctx, &err)
	owner, err := t.check("interrupt", true)
	if err != nil {
		return Interrupted{}, err
	}
	a := act{at: c.clock.Now(), verb: "interrupt", target: t, owner: owner, reason: orElse(t.Reason, askReason)}
	err = c.send(c.lasting(ctx), t.Session, nil, &a, func(l *line) {
		i = Interrupted{Already: a.code() == codeAlreadyRequested, Reason: l.live[a.on].reason}
	})
	return i, err
}

// ForceEnd ends the ticket that runs without its owner, which may have
// vanished, and hands its place on. It is for operators: if the owner is still
// at work, two work at once. A reason is required. The owner's own end is
// answered as one that came too late.
//
// It is refused with ErrNoSuchSession, ErrNoSuchTicket if the serial number
// doesn't fit, or ErrNotRunning.
func (c *Coordinator) ForceEnd(ctx context.Context, t Target) (err error) {
	if c.closed() {
		return ErrNotOpen
	}
	defer c.refused.tell(ctx, &err)
	if _, err := t.check("forceEnd", false); err != nil {
		return err
	}
	if t.Reason == "" {
		return invalid("forceEnd", "reason", "it is empty")
	}
	a := act{at: c.clock.Now(), verb: "forceEnd", target: t, reason: t.Reason, forced: true}
	return c.send(c.lasting(ctx), t.Session, nil, &a, nil)
}

// check trims what t names, for a call that sends event, and returns what its
// owner is to the table.
func (t *Target) check(event string, owned bool) (owner queue.Owner, err error) {
	if t.Session, err = given(event, "session", t.Session); err != nil {
		return "", err
	}
	if t.Execution, err = given(event, "execution", t.Execution); err != nil {
		return "", err
	}
	if !owned {
		return "", nil
	}
	if t.Owner, err = t.Owner.named(event); err != nil {
		return "", err
	}
	return t.Owner.key(), nil
}

// find returns the number of the ticket that t names, and one that was never
// given if l has none of that id.
func (l *line) find(event string, t *Target) (queue.Ticket, error) {
	n, found := l.machine.TicketById[queue.Id(t.Execution)]
	if !found {
		return unissued, nil
	}
	if t.Serial != 0 && t.Serial != uint64(n) {
		return 0, shellRefusal(event, "shell.serial", ErrNoSuchTicket)
	}
	return n, nil
}

func orElse(reason, otherwise string) string {
	if reason == "" {
		return otherwise
	}
	return reason
}
