package lanes_test

import (
	"fmt"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/interlock-go/interlock/lanes"
)

// 1,000,000 sessions at once, used and cleaned up: the heap is back within 5 MiB
// of where it was.
func TestQueueCase41AMillionSessionsLeaveNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a few seconds")
	}
	const bound = 5 << 20
	n := 1_000_000
	if raced {
		n /= 10
	}
	c := coordinator(t, lanes.QueueConfig{})
	before := heap()
	for i := range n {
		mustSubmit(t, c, "session-"+strconv.Itoa(i), "x")
	}
	held := heap()
	t.Logf("%d bytes a session with a ticket that runs", (held-before)/uint64(n))
	for i := range n {
		if _, err := c.CleanupSession(bg, "session-"+strconv.Itoa(i), ""); err != nil {
			t.Fatal(err)
		}
		err := c.ForceEnd(bg, lanes.Target{Session: "session-" + strconv.Itoa(i), Execution: "x", Reason: "over"})
		if err != nil {
			t.Fatal(err)
		}
		snapshot(t, c, "unknown-"+strconv.Itoa(i))
	}
	after := heap()
	t.Logf("the heap was %d KiB, then %d MiB, and is %d KiB", before>>10, held>>20, after>>10)
	if after > before+bound {
		t.Errorf("the heap is %d bytes above where it was", after-before)
	}
	runtime.KeepAlive(c)
}

// What has ended leaves nothing but what a session is to remember.
func TestQueueKeepsWhatItMust(t *testing.T) {
	clock := &handClock{now: epoch}
	c := coordinatorOf(t, lanes.Config{Clock: clock, Queue: lanes.QueueConfig{Remember: 2, ForgetIdle: time.Hour}})
	want := func(sessions, live, remembered, resting int) {
		t.Helper()
		if s, l, m, r := c.Kept(); s != sessions || l != live || m != remembered || r != resting {
			t.Fatalf("%d sessions, %d tickets live, %d are remembered, %d sessions rest; want %d, %d, %d, %d", s, l, m, r, sessions, live, remembered, resting)
		}
	}
	a := mustSubmit(t, c, "s", "a")
	for i := range 10 {
		c.WaitFor(bg, mustSubmit(t, c, "s", fmt.Sprint(i)), 0)
	}
	b := mustSubmit(t, c, "s", "b")
	want(1, 2, 2, 0)
	mustComplete(t, c, a)
	want(1, 1, 2, 0)
	c.ForceEnd(bg, lanes.Target{Session: "s", Execution: "b", Reason: "r"})
	want(1, 0, 2, 1)
	mustComplete(t, c, b)
	mustSubmit(t, c, "t", "a")
	want(2, 1, 2, 1)
	c.CleanupSession(bg, "s", "")
	want(1, 1, 0, 0)
	c.CleanupSession(bg, "t", "")
	want(1, 1, 0, 0)
	c.ForceEnd(bg, lanes.Target{Session: "t", Execution: "a", Reason: "r"})
	want(0, 0, 0, 0)
	c.CloseSession(bg, "t", "")
	c.Submit(bg, lanes.Request{Session: "t"})
	c.Snapshot(bg, "t")
	want(0, 0, 0, 0)
}

// A session whose line was long keeps no room for it.
func TestQueueShrinks(t *testing.T) {
	const n = 50_000
	c := coordinator(t, lanes.QueueConfig{Cap: n, Remember: 10})
	before := heap()
	running := mustSubmit(t, c, "s", "running")
	tickets := make([]lanes.Ticket, n)
	for i := range tickets {
		tickets[i] = mustSubmit(t, c, "s", strconv.Itoa(i))
	}
	mustComplete(t, c, running)
	for _, ticket := range tickets {
		mustComplete(t, c, ticket)
	}
	tickets = nil
	if after := heap(); after > before+1<<19 {
		t.Errorf("the heap is %d bytes above where it was", after-before)
	}
	runtime.KeepAlive(c)
}

// A handle that is kept keeps its ticket alone, and not its session.
func TestQueueHandlesKeepLittle(t *testing.T) {
	c := coordinator(t, lanes.QueueConfig{Cap: 50_000})
	first := mustSubmit(t, c, "s", "first")
	before := heap()
	for i := range 50_000 {
		mustSubmit(t, c, "s", strconv.Itoa(i))
	}
	c.CleanupSession(bg, "s", "")
	mustComplete(t, c, first)
	if after := heap(); after > before+1<<18 {
		t.Errorf("the heap is %d bytes above where it was", after-before)
	}
	wantState(t, first, lanes.TicketCancelled)
}
