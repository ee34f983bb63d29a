package lanes_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/queue"
	"github.com/interlock-go/interlock/lanes"
)

// queueInput is a call of a history, and queueOutput its answer.
type queueInput struct {
	session   string
	event     string      // as the table names it; snapshot for a look
	execution string      // of a submit, cancelQueued, interrupt or forceEnd
	ticket    uint64      // of an end or leave; 0 if it was named by its id
	fails     bool        // of an end
	owner     lanes.Owner // of a cancelQueued or interrupt
}

type queueOutput struct {
	number  uint64 // of the ticket that a submit gave
	code    string // of the refusal or the answer; empty for a move
	picture string // of a snapshot
}

const queueCap, queueKeep = 2, 3

// queueLinear is the generated Step. A submit's fresh number is the one that the
// package gave.
var queueLinear = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		bySession := map[string][]porcupine.Operation{}
		for _, op := range history {
			s := op.Input.(queueInput).session
			bySession[s] = append(bySession[s], op)
		}
		var parts [][]porcupine.Operation
		for _, part := range bySession {
			parts = append(parts, part)
		}
		return parts
	},
	Init: func() any { return queue.Machine{Params: queue.Params{Cap: queueCap, Keep: queueKeep}} },
	Step: func(state, in, out any) (bool, any) {
		before := state.(queue.Machine)
		m, c, got := before.Clone(), in.(queueInput), out.(queueOutput)
		if c.event == "snapshot" {
			return got.picture == pictureOf(&m), before
		}
		d := stepOf(&m, c, got.number)
		info := d.Row.Info()
		if info.Kind == fsm.Internal {
			return false, before
		}
		if (got.number > 0) != (c.event == "submit" && info.Kind == fsm.Move) {
			return false, before
		}
		if d.Row == queue.LeaveForgotten && got.code == "ADMISSION_CANCELLED" {
			return true, m // its handle knows how it ended
		}
		return got.code == info.Code, m
	},
	Equal: func(a, b any) bool {
		x, y := a.(queue.Machine), b.(queue.Machine)
		return x.State == y.State && x.Shared == y.Shared && x.Active == y.Active && x.Waiting.Equal(y.Waiting) && x.Past.Equal(y.Past) &&
			maps.Equal(x.Tickets, y.Tickets)
	},
	DescribeOperation: func(in, out any) string { return fmt.Sprintf("%+v -> %+v", in, out) },
	DescribeState: func(state any) string {
		m := state.(queue.Machine)
		return pictureOf(&m)
	},
}

// stepOf sends c to m.
func stepOf(m *queue.Machine, c queueInput, number uint64) (d queue.Decision) {
	ticket := queue.Ticket(c.ticket)
	if ticket == 0 {
		if ticket = 1 << 60; m.TicketById[queue.Id(c.execution)] != 0 {
			ticket = m.TicketById[queue.Id(c.execution)]
		}
	}
	owner := queue.Owner(c.owner.ID)
	switch c.event {
	case "submit":
		if number == 0 {
			number = 1 << 59 // of a ticket that is refused
		}
		d, _ = m.Step(queue.Submit{Ticket: queue.Ticket(number), Id: queue.Id(c.execution), Owner: owner, Room: true}, nil)
	case "end":
		report := queue.ReportCompleted
		if c.fails {
			report = queue.ReportFailed
		}
		d, _ = m.Step(queue.End{Ticket: ticket, Report: report}, nil)
	case "leave":
		d, _ = m.Step(queue.Leave{Ticket: ticket}, nil)
	case "cancelQueued":
		d, _ = m.Step(queue.CancelQueued{Ticket: ticket, Owner: owner}, nil)
	case "interrupt":
		d, _ = m.Step(queue.Interrupt{Ticket: ticket, Owner: owner}, nil)
	case "forceEnd":
		d, _ = m.Step(queue.ForceEnd{Ticket: ticket}, nil)
	case "close":
		d, _ = m.Step(queue.Close{}, nil)
	case "cleanUp":
		d, _ = m.Step(queue.CleanUp{}, nil)
	case "shut":
		if d, _ = m.Step(queue.Shut{}, nil); d.Row == queue.ShutFirst {
			m.Step(queue.Close{}, nil) // the session's, where there is one
		}
	}
	return d
}

// pictureOf is what a snapshot of m shows: whether it is closed, and the serial
// numbers of its tickets.
func pictureOf(m *queue.Machine) string {
	s := fmt.Sprint(m.State.Shutting(), " ", uint64(m.Active.Value()))
	for t := range m.Waiting.All() {
		s += fmt.Sprint(" ", uint64(t))
	}
	return s
}

// queueClient makes calls at random, and knows the tickets of others too.
type queueClient struct {
	c       *lanes.Coordinator
	among   int // sessions
	random  *rand.Rand
	mu      *sync.Mutex
	tickets *[]lanes.Ticket
	owner   lanes.Owner
}

func (q *queueClient) draw() (queueInput, lanes.Ticket) {
	in := queueInput{session: fmt.Sprint("s", q.random.IntN(q.among)), event: "snapshot", execution: fmt.Sprint("x", q.random.IntN(12)), owner: q.owner}
	var ticket lanes.Ticket
	q.mu.Lock()
	if n := len(*q.tickets); n > 0 {
		ticket = (*q.tickets)[max(0, n-1-q.random.IntN(6))]
	}
	q.mu.Unlock()
	switch k := q.random.IntN(40); {
	case k < 12:
		in.event = "submit"
	case k < 22 && !ticket.IsZero():
		in.event, in.fails = "end", k%2 == 0
	case k < 27 && !ticket.IsZero():
		in.event = "leave"
	case k < 30:
		in.event = "cancelQueued"
	case k < 33:
		in.event = "interrupt"
	case k < 35:
		in.event = "forceEnd"
	case k < 36:
		in.event = "close"
	case k < 37:
		in.event = "cleanUp"
	}
	if in.event == "end" || in.event == "leave" {
		in.session, in.ticket, in.execution = ticket.Session(), ticket.Serial(), ""
	} else if in.event != "submit" && !ticket.IsZero() && q.random.IntN(2) == 0 {
		in.session, in.execution = ticket.Session(), ticket.Execution()
	}
	return in, ticket
}

// call makes the call, and tells its answer as the table would.
func (q *queueClient) call(in queueInput, ticket lanes.Ticket) (out queueOutput) {
	var err error
	target := lanes.Target{Session: in.session, Execution: in.execution, Owner: in.owner, Reason: "r"}
	already := func(is bool, code string) {
		if is {
			out.code = code
		}
	}
	switch in.event {
	case "snapshot":
		out.picture, err = q.look(in.session)
	case "submit":
		var t lanes.Ticket
		if t, err = q.c.Submit(bg, lanes.Request{Session: in.session, Execution: in.execution, Owner: in.owner}); err == nil {
			out.number = t.Serial()
			q.mu.Lock()
			*q.tickets = append(*q.tickets, t)
			q.mu.Unlock()
		}
	case "end":
		end := q.c.Complete
		if in.fails {
			end = func(ctx context.Context, t lanes.Ticket) (lanes.Ended, error) { return q.c.Fail(ctx, t, nil) }
		}
		e, no := end(bg, ticket)
		err = no
		already(e.Already, "ALREADY_ENDED")
	case "leave":
		out.code = q.leave(ticket)
	case "cancelQueued":
		err = q.c.CancelQueued(bg, target)
	case "interrupt":
		var i lanes.Interrupted
		i, err = q.c.Interrupt(bg, target)
		already(i.Already, "ALREADY_REQUESTED")
	case "forceEnd":
		err = q.c.ForceEnd(bg, target)
	case "close":
		var c lanes.Closed
		c, err = q.c.CloseSession(bg, in.session, "")
		already(c.Already, "ALREADY_CLOSED")
	case "cleanUp":
		var c lanes.CleanedUp
		c, err = q.c.CleanupSession(bg, in.session, "")
		already(c.Already, "ALREADY_LEAVING")
	case "shut":
		var c lanes.Closed
		c, err = q.c.Close(bg, "")
		already(c.Already, "ALREADY_CLOSED")
	}
	var no *lanes.Refusal
	if errors.As(err, &no) {
		out.code = string(no.Code)
	} else if err != nil {
		out.code = err.Error()
	}
	return out
}

// look returns what pictureOf is of session.
func (q *queueClient) look(session string) (string, error) {
	s, err := q.c.Snapshot(bg, session)
	var active uint64
	if s.Owner != nil {
		active = s.Owner.Serial
	}
	picture := fmt.Sprint(s.Closed, " ", active)
	for _, v := range s.Queue {
		picture += fmt.Sprint(" ", v.Serial)
	}
	return picture, err
}

// leave waits for ticket, under a context that ends about now.
func (q *queueClient) leave(ticket lanes.Ticket) string {
	ctx, cancel := context.WithCancel(bg)
	if q.random == nil || q.random.IntN(2) == 0 {
		cancel()
	} else {
		go cancel()
	}
	err := q.c.Wait(ctx, ticket)
	cancel()
	var w *lanes.WaitError
	switch {
	case err == nil:
		return "ADMITTED"
	case errors.Is(err, context.Canceled):
		return "" // the ticket was cancelled by this
	case errors.As(err, &w) && (w.State == lanes.TicketCancelled) == (w.Code == lanes.ErrAdmissionCancelled):
		return string(w.Code)
	}
	return err.Error()
}

// recordQueue runs clients that make calls at random, n each, and returns what
// they saw.
func recordQueue(c *lanes.Coordinator, seed uint64, n int) (all []porcupine.Operation) {
	var now atomic.Int64
	var mu sync.Mutex
	var tickets []lanes.Ticket
	histories := make([][]porcupine.Operation, clients)
	atOnce(clients, func(client int) {
		q := &queueClient{c, 1 + int(seed%2), rand.New(rand.NewPCG(seed, uint64(client))), &mu, &tickets, lanes.Owner{Kind: "agent", ID: fmt.Sprint(client % 2)}}
		for range n {
			in, ticket := q.draw()
			op := porcupine.Operation{ClientId: client, Input: in, Call: now.Add(1)}
			op.Output = q.call(in, ticket)
			op.Return = now.Add(1)
			histories[client] = append(histories[client], op)
		}
	})
	for _, h := range histories {
		all = append(all, h...)
	}
	return all
}

// TestQueueLinearizable holds what concurrent clients saw against the generated
// Step: some order of their calls, each within its time, gives those answers.
// The picture of a history that has none is left behind.
//
//	LANES_SEEDS=10000 go test -run TestQueueLinearizable ./lanes
func TestQueueLinearizable(t *testing.T) {
	seeds := uint64(1000)
	if testing.Short() {
		seeds = 50
	}
	if s := os.Getenv("LANES_SEEDS"); s != "" {
		if _, err := fmt.Sscan(s, &seeds); err != nil {
			t.Fatal(err)
		}
	}
	begun, calls, overlaps := time.Now(), 0, 0
	codes := map[string]int{}
	config := lanes.Config{Clock: yieldingClock{}, Queue: lanes.QueueConfig{Cap: queueCap, Remember: queueKeep}}
	for seed := range seeds {
		config.Store = lanes.NewMemory(epoch) // by turns in place and by swap
		if seed%2 == 1 {
			config.Store = yielding{config.Store}
		}
		history := recordQueue(coordinatorOf(t, config), seed, 25)
		verdict, info := porcupine.CheckOperationsVerbose(queueLinear, history, time.Minute)
		if verdict != porcupine.Ok {
			t.Fatalf("seed %d: %s; see %s", seed, verdict, drawn("queue", queueLinear, info))
		}
		calls += len(history)
		overlaps += overlapping(history)
		for _, op := range history {
			codes[op.Input.(queueInput).event+" "+op.Output.(queueOutput).code]++
		}
	}
	t.Logf("%d histories of %d calls, of which %d overlap with another's, in %v", seeds, calls, overlaps, time.Since(begun).Round(time.Millisecond))
	for _, want := range strings.Fields("submit. submit.QUEUE_FULL submit.DUPLICATE_EXECUTION submit.SESSION_CLOSED end. end.ALREADY_ENDED end.STILL_QUEUED " +
		"leave. leave.ADMITTED leave.ADMISSION_CANCELLED leave.ENDED_BEFORE_WAIT cancelQueued. cancelQueued.NOT_OWNER interrupt. interrupt.ALREADY_REQUESTED forceEnd. close. cleanUp.") {
		if codes[strings.Replace(want, ".", " ", 1)] == 0 {
			t.Errorf("no history has the answer %s", want)
		}
	}
	if overlaps < calls/10 {
		t.Errorf("only %d of %d calls overlap with another client's: the histories show little", overlaps, calls)
	}
}

// Histories in which two tickets run, an admission is out of order, or one that
// left is admitted, are none of the model's.
func TestQueueLinearizableRejects(t *testing.T) {
	at := int64(0)
	op := func(in queueInput, out queueOutput) porcupine.Operation {
		at += 2
		in.session, in.owner = "s", agent
		return porcupine.Operation{Input: in, Output: out, Call: at, Return: at + 1}
	}
	submit := func(id string, number uint64) porcupine.Operation {
		return op(queueInput{event: "submit", execution: id}, queueOutput{number: number})
	}
	look := func(picture string) porcupine.Operation {
		return op(queueInput{event: "snapshot"}, queueOutput{picture: picture})
	}
	end := func(ticket uint64, code string) porcupine.Operation {
		return op(queueInput{event: "end", ticket: ticket}, queueOutput{code: code})
	}
	leave := func(ticket uint64, code string) porcupine.Operation {
		return op(queueInput{event: "leave", ticket: ticket}, queueOutput{code: code})
	}
	lines := []porcupine.Operation{submit("a", 1), submit("b", 2), submit("d", 3)}
	for name, c := range map[string]struct {
		rest []porcupine.Operation
		want bool
	}{
		"in order":            {[]porcupine.Operation{end(1, ""), look("false 2 3"), end(2, ""), look("false 3")}, true},
		"out of order":        {[]porcupine.Operation{end(1, ""), look("false 3 2")}, false},
		"nobody admitted":     {[]porcupine.Operation{end(1, ""), look("false 0 2 3")}, false},
		"two run":             {[]porcupine.Operation{end(2, "")}, false},
		"ended twice":         {[]porcupine.Operation{end(1, ""), end(1, "")}, false},
		"left":                {[]porcupine.Operation{leave(2, ""), end(1, ""), look("false 3")}, true},
		"left, then admitted": {[]porcupine.Operation{leave(2, ""), end(1, ""), look("false 2 3")}, false},
		"admitted too early":  {[]porcupine.Operation{leave(2, "ADMITTED")}, false},
		"beyond the cap":      {[]porcupine.Operation{submit("e", 4)}, false},
		"the same id":         {[]porcupine.Operation{end(1, ""), submit("a", 4)}, false},
	} {
		if got := porcupine.CheckOperations(queueLinear, append(lines[:3:3], c.rest...)); got != c.want {
			t.Errorf("%s: linearizable: %v; want %v", name, got, c.want)
		}
	}
}
