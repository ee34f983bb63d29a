package lanes_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/fsm/queue"
	"github.com/interlock-go/interlock/gen/mbt/edges"
	"github.com/interlock-go/interlock/gen/mbt/literal"
	"github.com/interlock-go/interlock/lanes"
)

// queueEdges goes through a recording of the queue by calls.
type queueEdges struct {
	w     *writer
	rec   *edges.Recording
	ways  map[string][]*edges.Edge // to a state, a shortest one
	field map[string]int
}

// TestQueueEdges makes the call of each recorded edge of the queue on a
// coordinator of its own, in the state that a shortest way of calls has led to.
// What is decided and sent, and the state after, is the edge's.
func TestQueueEdges(t *testing.T) {
	w, n := writerOf(t, "queue"), newTally()
	for i := range uint64(4) {
		w.texts[literal.Text(i)] = i
		w.texts["5:agent"+literal.Text(i)] = i // as an owner
	}
	for _, rec := range edgesOf(t, w) {
		q := queueEdges{w, rec, map[string][]*edges.Edge{fmt.Sprint(rec.Start): nil}, map[string]int{}}
		for i, name := range rec.Fields {
			q.field[name] = i
		}
		from := map[string][]*edges.Edge{}
		for i := range rec.Edges {
			e := &rec.Edges[i]
			from[fmt.Sprint(e.From)] = append(from[fmt.Sprint(e.From)], e)
		}
		for todo := []string{fmt.Sprint(rec.Start)}; len(todo) > 0; todo = todo[1:] {
			for _, e := range from[todo[0]] {
				to := fmt.Sprint(e.To)
				if _, known := q.ways[to]; !known && q.makes(q.ways[todo[0]], e) && q.alone(e) {
					q.ways[to] = append(slices.Clone(q.ways[todo[0]]), e)
					todo = append(todo, to)
				}
			}
		}
		for i := range rec.Edges {
			e := &rec.Edges[i]
			way, known := q.ways[fmt.Sprint(e.From)]
			if !known || !q.makes(way, e) {
				n.left[e.Row]++
				continue
			}
			n.replayed[e.Row]++
			// The step of a shut is no session's: what it leads to is seen by the
			// edges after it.
			if diff := w.sameAs(e, rec, q.call(t, way, e), e.Event != "shut"); diff != "" {
				t.Fatalf("%s: %s%v in %v of %v (-edge +lanes):\n%s", rec.Name, e.Event, e.Args, e.From, rec.Fields, diff)
			}
		}
	}
	t.Log(n)
	// Those of the traces; a crash without a store, which is none; ends and waits by a handle of a ticket that was never
	// submitted; and a session too many, for which there would have to be
	// another.
	never := append(strings.Fields(traces[1].never), "crash.memory", "end.unmade", "leave.unmade", "submit.tooMany")
	slices.Sort(never)
	if diff := cmp.Diff(never, n.unmet()); diff != "" {
		t.Errorf("rows without an edge that was replayed (-known +here):\n%s", diff)
	}
}

// alone reports whether an edge is all that its call does: a close of the
// coordinator closes its sessions too, by steps of their own.
func (q *queueEdges) alone(e *edges.Edge) bool {
	return e.Event != "shut" || queue.State(e.From[0]) != queue.Open
}

// makes reports whether a caller that went a way can make e's call: a ticket gets
// a number that was never given, its handle exists once it did, and has no
// fencing number.
func (q *queueEdges) makes(way []*edges.Edge, e *edges.Edge) bool {
	switch e.Event {
	case "submit":
		return e.Args[0] > e.From[q.field["newest"]] && e.Args[3] == 1
	case "end", "leave":
		given := slices.ContainsFunc(way, func(s *edges.Edge) bool { return s.Event == "submit" && s.Args[0] == e.Args[0] })
		return given && (e.Event == "leave" || e.Args[2] == 0)
	case "cancelQueued", "interrupt", "forceEnd", "close", "cleanUp", "shut":
		return true
	}
	return false
}

// call goes a way and then makes e's call, and returns the step that it took.
func (q *queueEdges) call(t *testing.T, way []*edges.Edge, e *edges.Edge) *lanes.Taken {
	t.Helper()
	config := lanes.QueueConfig{Cap: q.rec.Params[0], Remember: q.rec.Params[1]}
	if config.Remember == 0 {
		config.Remember = lanes.RememberNone
	}
	m, err := lanes.Open(lanes.Config{Queue: config})
	if err != nil {
		t.Fatal(err)
	}
	log := &tracer{machine: "queue"}
	m.Record(log.record)
	var tickets []lanes.Ticket
	client := &queueClient{c: m.Coordinator(), mu: new(sync.Mutex), tickets: &tickets}
	before := 0
	for _, e := range append(slices.Clone(way), e) {
		in := q.input(e)
		// The numbers below a ticket's are those of other sessions.
		for n := uint64(len(tickets)) + 1; e.Event == "submit" && n < e.Args[0] && e.From[q.field["coordinatorClosed"]] == 0; n++ {
			client.call(queueInput{session: fmt.Sprint("other", n), event: "submit", execution: "x", owner: in.owner}, lanes.Ticket{})
		}
		before = len(log.records)
		var ticket lanes.Ticket
		if in.ticket > 0 {
			ticket = tickets[in.ticket-1]
		}
		client.call(in, ticket)
	}
	if len(log.records) == before {
		t.Fatalf("%s%v: no step", e.Event, e.Args)
	}
	return &log.records[before].Taken
}

// input returns e as a call. A ticket that is named by its id has the one of its
// state before.
func (q *queueEdges) input(e *edges.Edge) queueInput {
	in := queueInput{session: "s", event: e.Event}
	owner := func(code uint64) lanes.Owner { return lanes.Owner{Kind: "agent", ID: literal.Text(code)} }
	switch e.Event {
	case "submit":
		in.execution, in.owner = literal.Text(e.Args[1]), owner(e.Args[2])
	case "end":
		in.ticket, in.fails = e.Args[0], e.Args[1] == 1
	case "leave":
		in.ticket = e.Args[0]
	case "cancelQueued", "interrupt", "forceEnd":
		in.execution = "nobody's"
		if at, ok := q.field[fmt.Sprintf("tickets(%d).id", e.Args[0])]; ok && e.From[at] > 0 {
			in.execution = literal.Text(e.From[at] - 1)
		}
		if len(e.Args) > 1 {
			in.owner = owner(e.Args[1])
		}
	}
	return in
}
