package lanes_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/fsm/session"
	"github.com/interlock-go/interlock/gen/mbt/edges"
	"github.com/interlock-go/interlock/lanes"
	"github.com/interlock-go/interlock/spec/expr"
)

// byHand is a clock that is set.
type byHand struct{ now *time.Time }

func (c byHand) Now() time.Time                            { return *c.now }
func (byHand) AfterFunc(time.Duration, func()) lanes.Timer { return time.NewTimer(time.Hour) }

// sessionRun takes steps of a recording by calls. The package's numbers are
// others than the recording's: named says which stands for which, by type.
type sessionRun struct {
	t       *testing.T
	w       *writer
	s       *lanes.Sessions
	log     *tracer
	now     time.Time
	leases  map[uint64]lanes.SessionLease // by their codes
	named   map[*expr.Type]map[uint64]uint64
	early   lanes.Poll // asked for before all else
	steps   []*edges.Edge
	diff    string // of the first step that isn't its edge's
	checked *edges.Edge
}

// Where they are in a recorded state.
const sessionCurrent, sessionSentAt, sessionAbortOut = 2, 4, 5

// TestSessionEdges makes the call of each recorded edge of a session that can be
// made with lists that nothing else is settled by: row, and the state after, are
// the edge's, up to the names of runs, leases, calls and lists. Where an abort is
// out, the call is made while it is delivered.
func TestSessionEdges(t *testing.T) {
	w, n := writerOf(t, "session"), newTally()
	for _, rec := range edgesOf(t, w) {
		ways := map[string][]*edges.Edge{fmt.Sprint(rec.Start): nil}
		from := map[string][]*edges.Edge{}
		for i := range rec.Edges {
			e := &rec.Edges[i]
			from[fmt.Sprint(e.From)] = append(from[fmt.Sprint(e.From)], e)
		}
		for todo := []string{fmt.Sprint(rec.Start)}; len(todo) > 0; todo = todo[1:] {
			for _, e := range from[todo[0]] {
				to := fmt.Sprint(e.To)
				if _, known := ways[to]; !known && sessionMakes(ways[todo[0]], e) {
					ways[to] = append(slices.Clone(ways[todo[0]]), e)
					todo = append(todo, to)
				}
			}
		}
		for i := range rec.Edges {
			e := &rec.Edges[i]
			way, known := ways[fmt.Sprint(e.From)]
			if !known || !sessionMakes(way, e) {
				n.left[e.Row]++
				continue
			}
			n.replayed[e.Row]++
			if diff := sessionCall(t, w, append(slices.Clone(way), e)); diff != "" {
				t.Fatalf("%s%v in %v of %v, after %d steps (-edge +lanes):\n%s", e.Event, e.Args, e.From, rec.Fields, len(way), diff)
			}
		}
	}
	t.Log(n)
	if diff := cmp.Diff(strings.Fields(traces[2].never), n.unmet()); diff != "" {
		t.Errorf("rows without an edge that was replayed (-known +here):\n%s", diff)
	}
}

// sessionMakes reports whether who went a way can make e happen.
func sessionMakes(way []*edges.Edge, e *edges.Edge) bool {
	used := func(event string, arg int, code uint64) bool {
		return slices.ContainsFunc(way, func(s *edges.Edge) bool { return s.Event == event && s.Args[arg] == code })
	}
	settled := uint64(0) // whether a list was accepted, after the sending if there was one
	for _, s := range way {
		switch s.Event {
		case "status":
			settled = 1
		case "sent":
			settled = 0
		}
	}
	switch e.Event {
	case "begin":
		return !used("begin", 0, e.Args[0]) && !used("begin", 1, e.Args[1])
	case "sent":
		return !used("sent", 1, e.Args[1]) && e.Args[1] > 0
	case "status":
		poll, sentAt := e.Args[1], e.From[sessionSentAt]
		if session.Report(e.Args[0]) == session.ReportAbsent && !slices.ContainsFunc(e.From, func(v uint64) bool { return v > 0 }) {
			return false // no step is taken on what nobody knows
		}
		if e.Args[2] > 0 || settled > 0 || used("status", 0, 0) || used("status", 0, 1) || used("status", 0, 2) {
			// A list that was accepted is what settles: this one was asked for after it.
			return settled > 0 && e.Args[2] > sentAt && poll > e.Args[2]
		}
		return poll > 0 && poll != sentAt
	case "promptFailed", "delete":
		return true
	case "abort":
		return !used("abort", 1, e.Args[1])
	case "abortAnswered":
		return e.From[sessionAbortOut] == e.Args[0]+1
	case "sendExpired", "graceExpired", "ttlExpired":
		return e.From[sessionCurrent] == e.Args[0]+1 && (e.Row == "sendExpired.unsent" || e.Row == "graceExpired.unseen" || e.Row == "ttlExpired.forgotten")
	}
	return false
}

// sessionCall takes steps, and says how the first that differs from its edge
// does.
func sessionCall(t *testing.T, w *writer, steps []*edges.Edge) string {
	t.Helper()
	r := &sessionRun{
		t: t, w: w, log: &tracer{machine: "session"}, now: epoch, steps: steps,
		leases: map[uint64]lanes.SessionLease{}, named: map[*expr.Type]map[uint64]uint64{},
	}
	m, err := lanes.Open(lanes.Config{Clock: byHand{&r.now}})
	if err != nil {
		t.Fatal(err)
	}
	m.Record(r.log.record)
	r.s = m.Sessions()
	if r.early, err = r.s.StartPoll(bg, inDir("s").Directory); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(steps); {
		i = r.step(i)
	}
	if last := steps[len(steps)-1]; r.diff == "" && r.checked != last {
		return "it wasn't reached"
	}
	return r.diff
}

// step takes the step with that number, and those that fall into the delivery of
// an abort, and returns the next one's.
func (r *sessionRun) step(i int) (next int) {
	e, before := r.steps[i], len(r.log.records)
	next = i + 1
	switch e.Event {
	case "begin":
		lease, err := r.s.Begin(bg, inDir("s"), "turn", e.Args[2] == 1)
		if err == nil {
			r.leases[e.Args[1]] = lease
		}
	case "sent":
		r.s.Sent(bg, r.lease(e.Args[0]))
	case "promptFailed":
		r.s.PromptFailed(bg, r.lease(e.Args[0]))
	case "delete":
		r.s.Delete(bg, inDir("s"))
	case "status":
		r.status(e)
	case "sendExpired", "graceExpired":
		r.now = r.now.Add(30 * time.Second)
		r.s.View(bg, inDir("s"))
	case "ttlExpired":
		r.now = r.now.Add(10 * time.Minute)
		r.s.View(bg, inDir("s"))
	case "abort":
		within := func(context.Context) error {
			r.check(e, before)
			for next < len(r.steps) && r.steps[next].Event != "abortAnswered" {
				next = r.step(next)
			}
			before = len(r.log.records)
			return errUnreachable
		}
		if e.Args[0] == 0 {
			r.s.AbortSession(bg, inDir("s"), within)
		} else {
			r.s.Abort(bg, r.lease(e.Args[0]-1), within)
		}
		if e.Row == "abort.sent" {
			if next < len(r.steps) {
				r.check(r.steps[next], before) // it was answered
			}
			return next + 1
		}
	}
	r.check(e, before)
	return next
}

// lease returns the lease of that code, and one that nobody ever had if none was
// given.
func (r *sessionRun) lease(code uint64) lanes.SessionLease {
	if l, ok := r.leases[code]; ok {
		return l
	}
	return lanes.ForgeSession(r.s, inDir("s"), "turn", 1<<40+code)
}

// status has a list come that was asked for now, or before all else.
func (r *sessionRun) status(e *edges.Edge) {
	p := r.early
	if e.Args[1] > e.From[sessionSentAt] {
		var err error
		if p, err = r.s.StartPoll(bg, inDir("s").Directory); err != nil {
			r.t.Fatal(err)
		}
	}
	list := map[string]lanes.Status{}
	if report := session.Report(e.Args[0]); report != session.ReportAbsent {
		list["s"] = map[session.Report]lanes.Status{session.ReportBusy: lanes.StatusBusy, session.ReportRetry: lanes.StatusRetry}[report]
	}
	if _, err := p.Observe(bg, list); err != nil {
		r.t.Fatal(err)
	}
}

// check compares the first step since before with an edge.
func (r *sessionRun) check(e *edges.Edge, before int) {
	if r.diff != "" {
		return
	}
	if r.checked = e; len(r.log.records) <= before {
		r.diff = "no step"
		return
	}
	l, err := r.w.line(&r.log.records[before].Taken)
	if err != nil {
		r.t.Fatal(err)
	}
	if l.Row.Name() != e.Row {
		r.diff = fmt.Sprintf("-%s\n+%s", e.Row, l.Row.Name())
		return
	}
	for i, a := range l.Row.Event.Args {
		if e.Event != "status" { // whose lists are named only where a run keeps them
			r.name(a.Sym.Type, e.Args[i], l.Args[i])
		}
	}
	want := []uint64{e.To[0]}
	for i, v := range r.w.table.Vars {
		want = append(want, r.translated(v.Sym.Type, e.To[i+1]))
	}
	r.diff = cmp.Diff(want, l.After)
}

// name notes which number a fresh value has.
func (r *sessionRun) name(ty *expr.Type, code, number uint64) {
	if ty.Kind != expr.Identity && ty.Kind != expr.Serial {
		return
	}
	if r.named[ty] == nil {
		r.named[ty] = map[uint64]uint64{}
	}
	if _, ok := r.named[ty][code]; !ok {
		r.named[ty][code] = number
	}
}

// translated returns a recorded value in the package's numbers.
func (r *sessionRun) translated(ty *expr.Type, code uint64) uint64 {
	switch {
	case ty.Kind == expr.Optional && code > 0:
		return 1 + r.translated(ty.Elem, code-1)
	case (ty.Kind == expr.Identity || ty.Kind == expr.Serial) && code > 0:
		return r.named[ty][code]
	}
	return code
}
