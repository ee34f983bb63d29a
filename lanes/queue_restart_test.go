package lanes_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/lanes"
)

func queueKey(session string) lanes.Key { return lanes.Key{Machine: "queue", Name: session} }

// After a crash who waited is cancelled, in their order, and the one that ran is
// orphaned: it keeps the session, so that two never run, until it is ended by
// force.
func TestQueueRule21ARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := bySwap{lanes.NewMemory(epoch)}
		before := coordinatorOf(t, lanes.Config{Store: store})
		busy := asks("busy", "a")
		busy.Branch, busy.ResourceKeys, busy.Metadata = "main\xff", []string{"gpu"}, map[string]string{"k": "v", "\xfe": "w"}
		a, err := before.Submit(bg, busy)
		if err != nil {
			t.Fatal(err)
		}
		b, d := mustSubmit(t, before, "busy", "b"), mustSubmit(t, before, "busy", "d")
		mustComplete(t, before, mustSubmit(t, before, "idle", "a"))
		if _, err := before.Interrupt(bg, aimed("busy", "a")); err != nil {
			t.Fatal(err)
		}
		mustSubmit(t, before, "earlier in the alphabet", "a")
		was := snapshot(t, before, "busy")
		time.Sleep(time.Minute)

		after := coordinatorOf(t, lanes.Config{Store: store})
		events := listen(t, after, lanes.SubscribeOptions{})
		s := snapshot(t, after, "busy")
		events.want(t, "b cancelled at -1: coordinator lost", "d cancelled at -1: coordinator lost", "a orphaned at 0", "queue a", "a orphaned at 0", "queue a")
		was.Owner.State, was.Queue, was.Seq = lanes.TicketOrphaned, nil, 4
		if s.Seq = 4; !cmp.Equal(was, s) {
			t.Fatalf("(-before +after):\n%s", cmp.Diff(was, s))
		}
		var all []string
		for s, err := range after.Snapshots(bg) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, s.Session)
		}
		if !slices.Equal(all, []string{"busy", "idle", "earlier in the alphabet"}) {
			t.Fatalf("%q", all)
		}

		// The lost process goes on, and changes nothing.
		_, err = before.Complete(bg, a)
		wantRefusal(t, err, lanes.ErrTicketOrphaned, "end.orphaned")
		if _, err := before.Submit(bg, asks("idle", "x")); !errors.Is(err, lanes.ErrSuperseded) {
			t.Fatal(err)
		}
		if err := before.Wait(ended(t), b); !errors.Is(err, lanes.ErrSuperseded) {
			t.Fatal(err)
		}
		if _, err := before.Close(bg, ""); !errors.Is(err, lanes.ErrSuperseded) {
			t.Fatal(err)
		}
		_, err = after.Complete(bg, d)
		wantRefusal(t, err, lanes.ErrForeignTicket, "shell.ticket")

		// Ids stay taken, and nobody runs beside the orphan.
		_, err = after.Submit(bg, asks("busy", "b"))
		wantRefusal(t, err, lanes.ErrDuplicateExecution, "submit.duplicate")
		e := mustSubmit(t, after, "busy", "e")
		wantState(t, e, lanes.TicketQueued)
		if r, err := after.Interrupt(bg, aimed("busy", "a")); err != nil || !r.Already {
			t.Fatal(r, err)
		}
		if err := after.ForceEnd(bg, lanes.Target{Session: "busy", Execution: "a", Serial: s.Owner.Serial, Reason: "its process is gone"}); err != nil {
			t.Fatal(err)
		}
		wantState(t, e, lanes.TicketRunning)
		if e, err := before.Complete(bg, a); err != nil || !e.Already {
			t.Fatal(e, err)
		}
		mustComplete(t, after, mustSubmit(t, after, "idle", "b"))
	})
}

// Two that live at once: the newer one takes over what the older one has made
// since, and two never run.
func TestQueueRule21TwoCoordinators(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := bySwap{lanes.NewMemory(epoch)}
		older, newer := coordinatorOf(t, lanes.Config{Store: store}), coordinatorOf(t, lanes.Config{Store: store})
		mustSubmit(t, older, "s", "a")
		snapshot(t, newer, "s")
		late := mustSubmit(t, older, "t", "a") // it can't know
		b := mustSubmit(t, newer, "t", "b")
		wantState(t, b, lanes.TicketQueued)
		_, err := older.Complete(bg, late)
		wantRefusal(t, err, lanes.ErrTicketOrphaned, "end.orphaned")
		if s := snapshot(t, newer, "t"); s.Owner == nil || s.Owner.State != lanes.TicketOrphaned || len(s.Queue) != 1 {
			t.Fatalf("%+v", s)
		}
	})
}

// An opening writes nothing before it is used, and a manager that never was used
// takes nothing over.
func TestQueueOpeningTouchesNothing(t *testing.T) {
	memory := lanes.NewMemory(epoch)
	m, err := lanes.Open(lanes.Config{Store: bySwap{memory}})
	if err != nil {
		t.Fatal(err)
	}
	mustClaim(t, m.Projects(), "p", "run")
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if n := memory.Names(); n != 1 {
		t.Fatalf("%d records", n)
	}
}

// A close that a crash has cut short is finished by the next coordinator, which
// itself is open.
func TestQueueRule13ACloseIsResumed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &failing{Store: lanes.NewMemory(epoch)}
		limited := &breaking{Store: store, left: -1}
		before := coordinatorOf(t, lanes.Config{Store: limited})
		for _, s := range []string{"s", "t", "u"} {
			mustSubmit(t, before, s, "a")
			mustSubmit(t, before, s, "b")
		}
		limited.left = 2 // the flag, and one session
		if _, err := before.Close(bg, "the machine stops"); !errors.Is(err, errDown) {
			t.Fatal(err)
		}
		_, err := before.Submit(bg, asks("new", "a"))
		if no := wantRefusal(t, err, lanes.ErrCoordinatorClosed, "submit.shut"); no.Reason != "the machine stops" {
			t.Fatalf("%+v", no)
		}
		after := coordinatorOf(t, lanes.Config{Store: store})
		for s, err := range after.Snapshots(bg) {
			if err != nil || !s.Closed || s.CloseReason != "the machine stops" || len(s.Queue) > 0 || s.Owner.State != lanes.TicketOrphaned {
				t.Fatalf("%+v, %v", s, err)
			}
		}
		mustSubmit(t, after, "new", "a")

		// A close that failed half-way is finished by the next call of it.
		limited = &breaking{Store: lanes.NewMemory(epoch), left: -1}
		again := coordinatorOf(t, lanes.Config{Store: limited})
		events := listen(t, again, lanes.SubscribeOptions{})
		mustSubmit(t, again, "s", "a")
		limited.left = 1
		if _, err := again.Close(bg, "first"); !errors.Is(err, errDown) {
			t.Fatal(err)
		}
		limited.left = -1
		events.take()
		if c, err := again.Close(bg, "second"); err != nil || !c.Already || c.Reason != "first" {
			t.Fatal(c, err)
		}
		events.want(t, "interrupt a: first", "session closed: first", "queue closed(first) a", "coordinator closed: first")
	})
}

// breaking is a store that breaks after some writes; never while left is
// negative.
type breaking struct {
	lanes.Store
	left int
}

func (b *breaking) Swap(ctx context.Context, w lanes.Write) (lanes.Version, error) {
	if b.left == 0 {
		return lanes.Version{}, errDown
	}
	b.left--
	return b.Store.Swap(ctx, w)
}

// What is in a store is read by later versions: it changes on purpose only.
func TestQueueRecordsAreStable(t *testing.T) {
	now := epoch
	memory := lanes.NewMemory(epoch)
	c := coordinatorOf(t, lanes.Config{Store: bySwap{memory}, Clock: manual{&now}})
	wants := func(k lanes.Key, want string) {
		t.Helper()
		r, err := memory.Load(bg, k)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(r.Data)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	r := asks("s", "a\xff")
	r.Branch, r.Metadata, r.ResourceKeys = "main", map[string]string{"k": "v"}, []string{"gpu"}
	a, err := c.Submit(bg, r)
	if err != nil {
		t.Fatal(err)
	}
	const live = `"live":{"owner_kind":"agent","owner_id":"a1","branch":"main","resources":["gpu"],"metadata":[["k","v"]],"queued":1700000000,"started":1700000000}}`
	const by = `{"format":1,"by_epoch":1700000000,"by":1,`
	wants(lanes.Key{Machine: "coordinator", Name: "sessions"}, `{"format":1}`)
	wants(queueKey("s"), by+`"step":1,"created":0,"state":"open","active":0,"tickets":[{"number":0,"state":"running","id":{"base64":"Yf8="},"key":"5:agenta1",`+live+`]}`)
	now = now.Add(time.Second / 4)
	mustSubmit(t, c, "s", "b")
	wants(queueKey("s"), by+`"step":2,"created":2,"state":"open","active":2,"waiting":[0],"tickets":[{"number":2,"state":"running","id":{"base64":"Yf8="},"key":"5:agenta1",`+live+
		`,{"number":0,"state":"queued","id":"b","key":"5:agenta1","live":{"owner_kind":"agent","owner_id":"a1","queued":1700000000.25}}]}`)
	mustComplete(t, c, a)
	if _, err := c.CloseSession(bg, "s", "why"); err != nil {
		t.Fatal(err)
	}
	wants(queueKey("s"), by+`"step":4,"created":2,"state":"closed","reason":"why","active":3,"past":[2],"tickets":[{"number":2,"state":"completed","id":{"base64":"Yf8="},"key":"5:agenta1"},`+
		`{"number":3,"state":"running","id":"b","key":"5:agenta1","asked":true,"live":{"owner_kind":"agent","owner_id":"a1","queued":1700000000.25,"started":1700000000.25,"reason":"why"}}]}`)
	if _, err := c.Close(bg, "over"); err != nil {
		t.Fatal(err)
	}
	wants(lanes.Key{Machine: "coordinator", Name: "sessions"}, `{"format":1,"by_epoch":1700000000,"by":1,"closed":true,"reason":"over"}`)
}

// Case 22: a record that can't be read is an error of its own: never an unknown
// session, and never overwritten. Others aren't concerned.
func TestQueueCase22UnreadableRecords(t *testing.T) {
	const good = `{"format":1,"by_epoch":1700000000,"by":1,"step":1,"created":2,"state":"open","active":2,"waiting":[3],"past":[4],"tickets":[` +
		`{"number":2,"state":"running","id":"a","key":"5:agenta1","live":{"owner_kind":"agent","owner_id":"a1","queued":1,"started":1}},` +
		`{"number":3,"state":"queued","id":"b","key":"5:agenta1","live":{"owner_kind":"agent","owner_id":"a1","queued":1}},` +
		`{"number":4,"state":"failed","id":"d","key":"5:agenta1"}]}`
	for _, change := range [][2]string{
		{good, "x"}, {good, "null"}, {good, "{}"}, {good, "[]"}, {`"format":1`, `"format":2`}, {`"state":"open"`, `"state":"paused"`}, {`"state":"open"`, `"state":"absent"`},
		{`"state":"open"`, `"state":"closed"`}, {`"state":"open"`, `"state":"leaving"`}, {`"active":2,`, ""}, {`"active":2`, `"active":3`}, {`"active":2`, `"active":9`},
		{`"waiting":[3],`, ""}, {`"waiting":[3]`, `"waiting":[3,3]`}, {`"waiting":[3]`, `"waiting":[2]`}, {`"waiting":[3]`, `"waiting":[null]`}, {`"past":[4],`, ""}, {`"past":[4]`, `"past":[3]`},
		{`"number":3`, `"number":2`}, {`"number":3,`, ""}, {`"number":3`, `"number":18446744073709551615`}, {`"id":"b"`, `"id":"a"`}, {`"id":"b"`, `"id":""`},
		{`"key":"5:agenta1","live":{"owner_kind":"agent","owner_id":"a1","queued":1}}`, `"key":"5:agenta2","live":{"owner_kind":"agent","owner_id":"a1","queued":1}}`},
		{`,"live":{"owner_kind":"agent","owner_id":"a1","queued":1}}`, `}`}, {`"state":"failed"`, `"state":"made"`}, {`"state":"failed"`, `"state":"gone"`}, {`"queued":1}`, `"queued":"1"}`},
	} {
		data := strings.Replace(good, change[0], change[1], 1)
		if data == good {
			t.Fatalf("no %s", change[0])
		}
		memory := lanes.NewMemory(epoch)
		if _, err := memory.Swap(bg, lanes.Write{Key: queueKey("s"), Data: []byte(data)}); err != nil {
			t.Fatal(err)
		}
		c := coordinatorOf(t, lanes.Config{Store: bySwap{memory}})
		mustComplete(t, c, mustSubmit(t, c, "t", "a"))
		_, err := c.Submit(bg, asks("s", "a"))
		if _, err := c.Snapshot(bg, "s"); !errors.Is(err, lanes.ErrRecord) {
			t.Errorf("the picture of %s: %v", data, err)
		}
		var seen []error
		for _, err := range c.Snapshots(bg) {
			seen = append(seen, err)
		}
		if len(seen) != 2 || seen[0] != nil || !errors.Is(seen[1], lanes.ErrRecord) {
			t.Errorf("the pictures beside %s: %v", data, seen)
		}
		if no := (*lanes.Refusal)(nil); !errors.Is(err, lanes.ErrRecord) || errors.As(err, &no) {
			t.Errorf("%s: %v", data, err)
		}
		var unknown *fsm.UnknownError
		if want := strings.Contains(change[1], "paused") || strings.Contains(change[1], "gone"); errors.As(err, &unknown) != want || want && (unknown.Machine != "queue" || unknown.Table == "") {
			t.Errorf("%s: %v", data, err)
		}
		if r, err := memory.Load(bg, queueKey("s")); err != nil || string(r.Data) != data {
			t.Errorf("%s became %s, %v", data, r.Data, err)
		}
	}
	memory := lanes.NewMemory(epoch)
	for _, k := range []lanes.Key{queueKey("x"), queueKey("s")} { // so that the coordinator is a newer one
		if _, err := memory.Swap(bg, lanes.Write{Key: k, Data: []byte(good)}); err != nil {
			t.Fatal(err)
		}
	}
	c := coordinatorOf(t, lanes.Config{Store: bySwap{memory}})
	if s := snapshot(t, c, "s"); s.Owner == nil || s.Owner.Execution != "a" {
		t.Fatalf("the good one: %+v", s)
	}
}

// Times and strings come back from a store as they were.
func TestStoredTimesAndTexts(t *testing.T) {
	for _, at := range []time.Time{epoch, epoch.Add(1), time.Unix(-5, 7), time.Unix(-1, 999999999), time.Unix(0, 0), time.Date(12026, 1, 2, 3, 4, 5, 6, time.UTC)} {
		data, err := json.Marshal(lanes.Seconds(at))
		if err != nil {
			t.Fatal(err)
		}
		var got lanes.Seconds
		if err := json.Unmarshal(data, &got); err != nil || !time.Time(got).Equal(at) {
			t.Errorf("%v is %s, and comes back as %v, %v", at, data, time.Time(got), err)
		}
	}
	for _, s := range []string{"", "a", "\xff", "日本\x00", `"{`, "<&>"} {
		data, err := json.Marshal(lanes.Text(s))
		if err != nil {
			t.Fatal(err)
		}
		var got lanes.Text
		if err := json.Unmarshal(data, &got); err != nil || string(got) != s {
			t.Errorf("%q is %s, and comes back as %q, %v", s, data, got, err)
		}
	}
}
