package lanes_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/queue"
	"github.com/interlock-go/interlock/lanes"
)

const (
	stepsCap     = 1
	stepsKeep    = 1
	stepsTickets = 3
)

// path is a state of the machine, and the calls that lead to it.
type path struct {
	machine queue.Machine
	calls   []queueInput
}

// TestQueueEveryStep makes every call in every state that one session of three
// tickets can be in, with two owners, a cap and a memory of one: each state is
// reached by calls of a coordinator of its own. The answers, and what is seen
// afterwards, are the generated Step's, and every row that a caller can meet is
// met.
func TestQueueEveryStep(t *testing.T) {
	start := path{machine: queue.Machine{Params: queue.Params{Cap: stepsCap, Keep: stepsKeep}}}
	seen, rows := map[string]bool{keyOf(&start.machine): true}, map[queue.Row]int{}
	steps := 0
	for todo := []path{start}; len(todo) > 0; todo = todo[1:] {
		p := todo[0]
		for _, call := range callsOf(&p.machine) {
			next := p.machine.Clone()
			d := stepOf(&next, call, uint64(p.machine.Newest)+1)
			if next.Newest > stepsTickets {
				continue
			}
			steps++
			rows[d.Row]++
			rows[d.Then]++
			replayCall(t, p, call, d, &next)
			if key := keyOf(&next); !seen[key] {
				seen[key] = true
				todo = append(todo, path{next, append(slices.Clone(p.calls), call)})
			}
		}
	}
	t.Logf("%d steps from %d states", steps, len(seen))
	for row := queue.Row(1); int(row) <= queue.Rows; row++ {
		info := row.Info()
		event, _, _ := strings.Cut(info.Name, ".")
		switch {
		case event == "crash", event == "adopt", info.Code == "TICKET_ORPHANED": // nothing is orphaned without a store
		case info.Kind == fsm.Internal, info.Code == "INVALID_ARGUMENT": // never, and what the shell rules out
		case row == queue.SubmitTooMany: // there is room for one session
		case rows[row] == 0:
			t.Errorf("row %s isn't met", row)
		}
	}
}

// callsOf returns the calls that there are in m's state.
func callsOf(m *queue.Machine) (calls []queueInput) {
	add := func(c queueInput) {
		c.session = "s"
		calls = append(calls, c)
	}
	for i, id := range []string{"a", "b", "d"} {
		owner := lanes.Owner{Kind: "agent", ID: fmt.Sprint(i % 2)}
		add(queueInput{event: "submit", execution: id, owner: owner})
		for _, event := range []string{"cancelQueued", "interrupt"} {
			add(queueInput{event: event, execution: id, owner: owner})
			add(queueInput{event: event, execution: id, owner: lanes.Owner{Kind: "agent", ID: "another"}})
		}
		add(queueInput{event: "forceEnd", execution: id})
	}
	for n := queue.Ticket(1); n <= m.Newest; n++ {
		add(queueInput{event: "end", ticket: uint64(n)})
		add(queueInput{event: "end", ticket: uint64(n), fails: true})
		add(queueInput{event: "leave", ticket: uint64(n)})
	}
	for _, event := range []string{"close", "cleanUp", "shut"} {
		add(queueInput{event: event})
	}
	return calls
}

// keyOf tells two states of a machine apart.
func keyOf(m *queue.Machine) string {
	s := fmt.Sprint(m.Shared, m.State, m.Active, m.Waiting, m.Past)
	for n := queue.Ticket(1); n <= m.Newest; n++ {
		s += fmt.Sprintf("%+v", m.Tickets[n])
	}
	return s
}

// replayCall goes p's way on a coordinator of its own, and then makes the call,
// which should be decided by d and lead to next.
func replayCall(t *testing.T, p path, call queueInput, d queue.Decision, next *queue.Machine) {
	t.Helper()
	m, err := lanes.Open(lanes.Config{Queue: lanes.QueueConfig{Cap: stepsCap, Remember: stepsKeep}})
	if err != nil {
		t.Fatal(err)
	}
	var tickets []lanes.Ticket
	q := &queueClient{c: m.Coordinator(), mu: new(sync.Mutex), tickets: &tickets}
	do := func(c queueInput) queueOutput {
		var ticket lanes.Ticket
		if c.ticket > 0 {
			ticket = tickets[c.ticket-1]
		}
		return q.call(c, ticket)
	}
	for _, c := range p.calls {
		do(c)
	}
	got := do(call)
	fail := func(what string, got, want any) {
		t.Helper()
		t.Fatalf("after %+v: %+v, decided by %s: %s %v; want %v", p.calls, call, d, what, got, want)
	}
	if want := d.Row.Info().Code; got.code != want && !(d.Row == queue.LeaveForgotten && got.code == "ADMISSION_CANCELLED") {
		fail("answer", got.code, want)
	}
	if (got.number > 0) != (call.event == "submit" && d.Row.Info().Kind == fsm.Move) {
		fail("ticket", got.number, d.Row.Info().Kind)
	}
	closed := next.State.Shutting() || next.State == queue.Absent && next.CoordinatorClosed
	want := strings.Replace(pictureOf(next), fmt.Sprint(next.State.Shutting()), fmt.Sprint(closed), 1)
	if picture := do(queueInput{session: "s", event: "snapshot"}).picture; picture != want {
		fail("picture", picture, want)
	}
	for _, ticket := range tickets {
		part, v := next.Tickets[queue.Ticket(ticket.Serial())], ticket.View()
		if part.State == queue.TicketMade { // forgotten
			if v.Position != lanes.NoPosition {
				fail(ticket.String(), v.State, "ended")
			}
		} else if string(v.State) != part.State.String() || v.CancelRequested != part.Asked {
			fail(ticket.String(), v.State, part.State)
		}
	}
}
