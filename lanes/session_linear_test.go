package lanes_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/session"
	"github.com/interlock-go/interlock/lanes"
)

// sessionInput is a call of a history, and sessionOutput its answer. An abort
// whose delivery fails is two: the abort, and the answer to it.
type sessionInput struct {
	call   string
	key    lanes.SessionKey // without a session for what is of a directory
	lease  uint64
	poll   uint64
	list   map[string]lanes.Status
	choice bool // of a begin: confirmed
}

type sessionOutput struct {
	number uint64 // of the lease or poll that was given
	code   string // of a refusal, or a note
	state  lanes.SessionState
	seen   lanes.Observation
}

// sessionHistoryState is one directory at a time that stands still.
type sessionHistoryState struct {
	directory *refDirectory
	asked     session.Poll // the last list asked for
}

var sessionHistories = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		byDirectory := map[string][]porcupine.Operation{}
		for _, op := range history {
			d := op.Input.(sessionInput).key.Directory
			byDirectory[d] = append(byDirectory[d], op)
		}
		return slices.Collect(maps.Values(byDirectory))
	},
	Init: func() any {
		return sessionHistoryState{directory: &refDirectory{now: epoch, sessions: map[string]refSession{}}}
	},
	Step: func(state, in, out any) (bool, any) {
		s, c, got := state.(sessionHistoryState), in.(sessionInput), out.(sessionOutput)
		s.directory = s.directory.clone()
		return s.step(c, got), s
	},
	Equal: func(a, b any) bool { return reflect.DeepEqual(a, b) },
	DescribeOperation: func(in, out any) string {
		return fmt.Sprintf("%+v -> %+v", in.(sessionInput), out.(sessionOutput))
	},
}

// step takes the step of c, and reports whether got is its answer.
func (s *sessionHistoryState) step(c sessionInput, got sessionOutput) bool {
	d, id := s.directory, c.key.Session
	var row session.Row
	switch c.call {
	case "start poll":
		if session.Poll(got.number) <= s.asked {
			return false // not in the order of asking
		}
		s.asked = session.Poll(got.number)
		return true
	case "observe":
		want := d.observe(session.Poll(c.poll), s.asked, epoch, c.list)
		return reflect.DeepEqual(want, got.seen)
	case "view":
		return got.state == d.view(c.key.Directory, id).State
	case "begin":
		row = d.send(id, session.Begin{Run: session.Run(got.number), Lease: session.Lease(got.number), Confirmed: c.choice}, epoch)
		if (row == session.BeginTaken) != (got.number > 0) {
			return false
		}
	case "sent":
		row = d.send(id, session.Sent{Lease: session.Lease(c.lease), Asked: s.asked}, epoch)
	case "prompt failed":
		row = d.send(id, session.PromptFailed{Lease: session.Lease(c.lease)}, epoch)
	case "delete":
		row = d.send(id, session.Delete{}, epoch)
	case "abort":
		row = d.send(id, session.Abort{Named: fsm.Some(session.Lease(c.lease)), Call: session.Call(c.lease)}, epoch)
		if row == session.AbortSent {
			d.aborted(id)
			return got.code == "delivered"
		}
	case "abort answered":
		row = d.send(id, session.AbortAnswered{Call: session.Call(c.lease)}, epoch)
		r := d.sessions[id]
		r.abort = nil
		d.put(id, r)
		return row == session.AbortAnsweredAnswered
	}
	return got.code == row.Info().Code
}

// sessionClient makes calls at random, and keeps their history.
type sessionClient struct {
	sessions *lanes.Sessions
	id       int
	now      *atomic.Int64
	shared   *sharedLeases
	random   *rand.Rand
	history  []porcupine.Operation
	mine     lanes.SessionLease
	polls    []lanes.Poll
}

// sharedLeases are those of all clients, so that many are stale.
type sharedLeases struct {
	mu     sync.Mutex
	leases []lanes.SessionLease
}

// did notes a call that was made between two ticks.
func (c *sessionClient) did(in sessionInput, out sessionOutput, call int64) {
	c.history = append(c.history, porcupine.Operation{ClientId: c.id, Input: in, Call: call, Output: out, Return: c.now.Add(1)})
}

// codeOf is what a call answered, in a history.
func codeOf(note lanes.Note, err error) string {
	var no *lanes.Refusal
	switch {
	case errors.As(err, &no):
		return string(no.Code)
	case err != nil:
		return err.Error()
	}
	return string(note)
}

func (c *sessionClient) one(directories int) {
	s, lease := c.sessions, c.mine
	if c.shared.mu.Lock(); len(c.shared.leases) > 0 && c.random.IntN(3) == 0 {
		lease = c.shared.leases[c.random.IntN(len(c.shared.leases))]
	}
	c.shared.mu.Unlock()
	in := sessionInput{key: lanes.SessionKey{Directory: fmt.Sprint("d", c.random.IntN(directories)), Session: fmt.Sprint("s", c.random.IntN(2))}}
	leased := func(call string) bool {
		if lease.IsZero() {
			return false
		}
		in.call, in.key, in.lease = call, lease.Key(), lease.Serial()
		return true
	}
	var out sessionOutput
	var err error
	begun := c.now.Add(1)
	switch k := c.random.IntN(20); {
	case k < 5:
		in.call, in.choice = "begin", c.random.IntN(4) > 0
		lease, err = s.Begin(bg, in.key, "turn", in.choice)
		if out.code, out.number = codeOf("", err), lease.Serial(); err == nil {
			c.mine = lease
			c.shared.mu.Lock()
			c.shared.leases = append(c.shared.leases, lease)
			c.shared.mu.Unlock()
		}
	case k < 9 && leased("sent"):
		note, err := s.Sent(bg, lease)
		out.code = codeOf(note, err)
	case k < 10 && leased("prompt failed"):
		note, err := s.PromptFailed(bg, lease)
		out.code = codeOf(note, err)
	case k < 11 && leased("abort"):
		c.abort(in, lease, begun)
		return
	case k < 12:
		in.call = "delete"
		out.code = codeOf("", s.Delete(bg, in.key))
	case k < 15:
		in.call, in.key.Session = "start poll", ""
		p, err := s.StartPoll(bg, in.key.Directory)
		if out.code = codeOf("", err); err == nil {
			out.number = p.Number()
			c.polls = append(c.polls, p)
		}
	case k < 19 && len(c.polls) > 0:
		p := c.polls[len(c.polls)-1-c.random.IntN(min(2, len(c.polls)))]
		in = sessionInput{call: "observe", key: lanes.SessionKey{Directory: p.Directory()}, poll: p.Number(), list: map[string]lanes.Status{}}
		for i := range 2 {
			if n := c.random.IntN(3); n > 0 {
				in.list[fmt.Sprint("s", i)] = []lanes.Status{"", lanes.StatusBusy, lanes.StatusRetry}[n]
			}
		}
		out.seen, err = p.Observe(bg, in.list)
		out.code = codeOf("", err)
	default:
		in.call = "view"
		v, err := s.View(bg, in.key)
		out.state, out.code = v.State, codeOf("", err)
	}
	c.did(in, out, begun)
}

// abort makes an abort whose delivery fails: the first of its two calls ends
// when the delivery is called.
func (c *sessionClient) abort(in sessionInput, lease lanes.SessionLease, begun int64) {
	delivered := int64(0)
	_, err := c.sessions.Abort(bg, lease, func(context.Context) error {
		c.did(in, sessionOutput{code: "delivered"}, begun)
		delivered = c.now.Add(1)
		return errUnreachable
	})
	if delivered == 0 {
		c.did(in, sessionOutput{code: codeOf("", err)}, begun)
		return
	}
	in.call = "abort answered"
	c.did(in, sessionOutput{}, delivered)
}

// lettingOthers is a clock that stands still, and lets others run before it
// answers, now and then.
type lettingOthers struct{}

func (lettingOthers) Now() time.Time {
	for range rand.IntN(3) {
		runtime.Gosched()
	}
	return epoch
}

func (lettingOthers) AfterFunc(time.Duration, func()) lanes.Timer { return time.NewTimer(time.Hour) }

// TestSessionLinearizable holds what concurrent clients saw against the
// generated Step, as TestLinearizable does for projects.
//
//	LANES_SEEDS=10000 go test -run TestSessionLinearizable ./lanes
func TestSessionLinearizable(t *testing.T) {
	seeds := uint64(1000)
	if testing.Short() {
		seeds = 50
	}
	if s := os.Getenv("LANES_SEEDS"); s != "" {
		if _, err := fmt.Sscan(s, &seeds); err != nil {
			t.Fatal(err)
		}
	}
	overlaps, calls := 0, 0
	for seed := range seeds {
		var store lanes.Store = lanes.NewMemory(epoch) // by turns in place and by swap
		if seed/2%2 == 1 {
			store = yielding{store}
		}
		s := openSessions(t, lanes.Config{Store: store, Clock: lettingOthers{}})
		var ticks atomic.Int64
		shared := &sharedLeases{}
		histories := make([]*sessionClient, clients)
		atOnce(clients, func(i int) {
			c := &sessionClient{sessions: s, id: i, now: &ticks, shared: shared, random: rand.New(rand.NewPCG(seed, uint64(i)))}
			histories[i] = c
			for range 25 {
				c.one(1 + int(seed%2))
			}
		})
		var history []porcupine.Operation
		for _, c := range histories {
			history = append(history, c.history...)
		}
		verdict, info := porcupine.CheckOperationsVerbose(sessionHistories, history, time.Minute)
		if verdict != porcupine.Ok {
			t.Fatalf("seed %d: %s; see %s", seed, verdict, drawn("session", sessionHistories, info))
		}
		calls += len(history)
		overlaps += overlapping(history)
	}
	t.Logf("%d histories of %d calls, of which %d overlap with another's", seeds, calls, overlaps)
	if overlaps < calls/10 {
		t.Errorf("only %d of %d calls overlap with another client's: the histories show little", overlaps, calls)
	}
}

// A history in which a session has two owners is none of the model's, nor one in
// which a list counts that was asked for before the prompt was sent.
func TestSessionLinearizableRejects(t *testing.T) {
	k := lanes.SessionKey{Directory: "d", Session: "s0"}
	var at int64
	after := func(in sessionInput, out sessionOutput) porcupine.Operation {
		at += 2
		in.key = k
		return porcupine.Operation{Input: in, Call: at, Output: out, Return: at + 1}
	}
	taken := func(n uint64) porcupine.Operation {
		return after(sessionInput{call: "begin", choice: true}, sessionOutput{number: n})
	}
	asked := after(sessionInput{call: "start poll"}, sessionOutput{number: 2})
	sent := after(sessionInput{call: "sent", lease: 1}, sessionOutput{})
	busy := func(state lanes.SessionState, note lanes.Note) porcupine.Operation {
		return after(sessionInput{call: "observe", poll: 2, list: list{"s0": lanes.StatusBusy}}, sessionOutput{
			seen: lanes.Observation{Accepted: true, Sessions: []lanes.Observed{{Session: "s0", Status: lanes.StatusBusy, State: state, Note: note}}},
		})
	}
	first := taken(1)
	first.Call, first.Return = 0, 1
	for name, c := range map[string]struct {
		history []porcupine.Operation
		want    bool
	}{
		"stale":          {[]porcupine.Operation{first, asked, sent, busy("starting", lanes.NoteStaleReport)}, true},
		"taken for ours": {[]porcupine.Operation{first, asked, sent, busy("running", "")}, false},
		"two own":        {[]porcupine.Operation{first, taken(3)}, false},
	} {
		if got := porcupine.CheckOperations(sessionHistories, c.history); got != c.want {
			t.Errorf("%s: linearizable: %v; want %v", name, got, c.want)
		}
	}
}
