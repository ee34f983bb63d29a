package lanes_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/interlock-go/interlock/lanes"
)

// Cases 54 to 57 from public reports, and what hostile callers do.

// After a restart a session that isn't in the server's list is no idle one.
func TestCase54AbsentAfterARestartIsUnknown(t *testing.T) {
	inBubble(t, func(t *testing.T, before *lanes.Sessions) {
		reach(t, before, "running")
		after := openSessions(t, lanes.Config{})
		seen := show(t, after, "running", lanes.StatusAbsent)
		if seen.State != "" && seen.State != lanes.SessionUnknown {
			t.Fatalf("%+v", seen)
		}
		wantSession(t, after, "running", lanes.SessionUnknown)
		_, err := after.Begin(bg, inDir("running"), "turn", false)
		wantNo(t, after, "running", err, lanes.ErrConfirmRequired, "begin.blind")
	})
}

// Absent just after the start isn't the end of the turn.
func TestCase55AbsentBeforeItIsSeenIsStarting(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		id, _ := reach(t, s, "starting sent")
		for range 10 {
			time.Sleep(2 * time.Second)
			if seen := show(t, s, id, lanes.StatusAbsent); seen.Note != lanes.NoteAbsenceIsNoEvidence || seen.State != lanes.SessionStarting {
				t.Fatalf("%+v", seen)
			}
		}
		show(t, s, id, lanes.StatusBusy)
		time.Sleep(time.Hour)
		wantSession(t, s, id, lanes.SessionRunning)
		if seen := show(t, s, id, lanes.StatusAbsent); seen.Note != "" || seen.State != lanes.SessionCompleted {
			t.Fatalf("%+v", seen)
		}
		// One that is never seen ends with its grace.
		mustSend(t, s, mustBegin(t, s, id))
		time.Sleep(30 * time.Second)
		wantSession(t, s, id, lanes.SessionUnknown)
	})
}

// The grace counts from the sending, so that a prompt that takes long to get
// sent costs its run nothing.
func TestCase56TheGraceCountsFromTheSending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSessions(t, lanes.Config{Sessions: lanes.SessionConfig{SendBound: time.Hour}})
		lease := mustBegin(t, s, "a")
		time.Sleep(59 * time.Minute)
		mustSend(t, s, lease)
		time.Sleep(29 * time.Second)
		wantSession(t, s, "a", lanes.SessionStarting)
		show(t, s, "a", lanes.StatusBusy)
		wantSession(t, s, "a", lanes.SessionRunning)
	})
}

// After an abort, a crash and a restart the next turn begins.
func TestCase57ABeginAfterAbortAndRestart(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		id, _ := reach(t, s, "running")
		a := startAbort(t, s, id)
		restarted := openSessions(t, lanes.Config{})
		lease := mustBegin(t, restarted, id)
		mustSend(t, restarted, lease)
		// Without a crash, the abort that nobody answers is over after its time.
		time.Sleep(15 * time.Second)
		a.wantAnswer(t, lanes.AbortTimedOut, 1)
		mustBegin(t, s, id)
	})
}

func TestSessionHostileArguments(t *testing.T) {
	s := openSessions(t, lanes.Config{})
	done := ended(t) // arguments come before the context
	for _, bad := range []string{"", "a\n", "a\x00", "\x7f", "a\u0085", "\xff", strings.Repeat("x", 4097), strings.Repeat("x", 1<<20)} {
		for _, k := range []lanes.SessionKey{{Directory: bad, Session: "a"}, {Directory: dir, Session: bad}} {
			_, err := s.Begin(done, k, "turn", true)
			no := wantRefusal(t, err, lanes.ErrInvalidArgument, "shell.argument")
			if no.Event != "begin" || no.Machine != "session" || no.State != "" || no.Session != nil || len(no.Error()) > 300 {
				t.Fatalf("%+v", no)
			}
			_, err = s.View(done, k)
			wantRefusal(t, err, lanes.ErrInvalidArgument, "shell.argument")
			wantRefusal(t, s.Delete(done, k), lanes.ErrInvalidArgument, "shell.argument")
			_, err = s.AbortSession(done, k, works)
			wantRefusal(t, err, lanes.ErrInvalidArgument, "shell.argument")
		}
		if _, err := s.StartPoll(done, bad); !errors.Is(err, lanes.ErrInvalidArgument) {
			t.Fatal(err)
		}
		// No session can have such an id: a list that has it is a list.
		if o, err := startPoll(t, s).Observe(bg, list{bad: lanes.StatusBusy}); err != nil || !o.Accepted || len(o.Sessions) != 0 {
			t.Fatalf("%+v, %v", o, err)
		}
		if !strings.Contains(bad, "xx") {
			_, err := s.Begin(done, inDir("a"), bad, true)
			wantRefusal(t, err, lanes.ErrInvalidLabel, "shell.label")
		}
	}
	for _, good := range []string{"a", "/home/anna/Meine Projekte/日本", `C:\src`, "ses:1/2", " ", strings.Repeat("x", 4096)} {
		if _, err := s.Begin(bg, lanes.SessionKey{Directory: good, Session: good}, "turn", true); err != nil {
			t.Fatalf("%q: %v", good, err)
		}
	}

	zero := lanes.SessionLease{}
	_, err := s.Sent(done, zero)
	wantRefusal(t, err, lanes.ErrInvalidLease, "shell.lease")
	_, err = s.PromptFailed(done, zero)
	wantRefusal(t, err, lanes.ErrInvalidLease, "shell.lease")
	_, err = s.Abort(done, zero, works)
	wantRefusal(t, err, lanes.ErrInvalidLease, "shell.lease")
	_, err = lanes.Poll{}.Observe(done, nil)
	wantRefusal(t, err, lanes.ErrInvalidArgument, "shell.argument")
	lease := mustBegin(t, s, "a")
	_, err = s.Abort(done, lease, nil)
	wantRefusal(t, err, lanes.ErrInvalidArgument, "shell.argument")
	wantSession(t, s, "a", lanes.SessionStarting)
}

// Under a context that has ended a call does nothing.
func TestSessionEndedContexts(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		done := ended(t)
		id, lease := reach(t, s, "starting unsent")
		p := startPoll(t, s)
		for what, call := range map[string]func() error{
			"begin":         func() error { _, err := s.Begin(done, inDir("new"), "turn", true); return err },
			"sent":          func() error { _, err := s.Sent(done, lease); return err },
			"prompt failed": func() error { _, err := s.PromptFailed(done, lease); return err },
			"abort":         func() error { _, err := s.Abort(done, lease, works); return err },
			"abort session": func() error { _, err := s.AbortSession(done, inDir(id), works); return err },
			"delete":        func() error { return s.Delete(done, inDir(id)) },
			"view":          func() error { _, err := s.View(done, inDir(id)); return err },
			"poll":          func() error { _, err := s.StartPoll(done, dir); return err },
			"observe":       func() error { _, err := p.Observe(done, list{"new": lanes.StatusBusy}); return err },
			"all": func() error {
				for _, err := range s.All(done) {
					return err
				}
				return nil
			},
		} {
			if err := call(); err == nil || !strings.Contains(err.Error(), "context canceled") {
				t.Fatalf("%s: %v", what, err)
			}
			wantSession(t, s, id, lanes.SessionStarting)
			if v := sessionView(t, s, "new"); v.State != lanes.SessionUnknown || v.Reported != "" {
				t.Fatalf("%s: %+v", what, v)
			}
		}
		mustSend(t, s, lease)
		show(t, s, id, lanes.StatusBusy)
		wantSession(t, s, id, lanes.SessionRunning)
	})
}

// A list is its caller's to change once it was told.
func TestSessionListsAreCopied(t *testing.T) {
	s := openSessions(t, lanes.Config{})
	l := list{"a": lanes.StatusBusy}
	if _, err := startPoll(t, s).Observe(bg, l); err != nil {
		t.Fatal(err)
	}
	l["b"] = lanes.StatusBusy
	delete(l, "a")
	if a, b := sessionView(t, s, "a").Reported, sessionView(t, s, "b").Reported; a != lanes.StatusBusy || b != "" {
		t.Fatalf("%q, %q", a, b)
	}
}

// A lease acts through the manager that issued it, though others have the same
// memory.
func TestSessionLeasesOfAnotherManager(t *testing.T) {
	memory := lanes.NewMemory(epoch)
	s, other := openSessions(t, lanes.Config{Store: memory}), openSessions(t, lanes.Config{Store: memory})
	lease := mustBegin(t, s, "a")
	for name, call := range map[string]func() error{
		"sent":         func() error { _, err := other.Sent(bg, lease); return err },
		"promptFailed": func() error { _, err := other.PromptFailed(bg, lease); return err },
		"abort":        func() error { _, err := other.Abort(bg, lease, fails); return err },
	} {
		var no *lanes.Refusal
		if err := call(); !errors.As(err, &no) || no.Code != lanes.ErrLeaseNotCurrent {
			t.Errorf("%s: %v", name, err)
		}
	}
	wantSession(t, other, "a", lanes.SessionStarting)
	mustSend(t, s, lease)
}

func TestSessionMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := lanes.NewMemory(epoch)
		s := openSessions(t, lanes.Config{Store: memory})
		empty := func(after string) {
			t.Helper()
			for range s.All(bg) {
			}
			if n := memory.Names(); n != 0 {
				t.Fatalf("%d records are left after %s", n, after)
			}
		}
		for i := range 1000 {
			k := lanes.SessionKey{Directory: fmt.Sprint(dir, i), Session: "a"}
			if _, err := s.View(bg, k); err != nil {
				t.Fatal(err)
			}
			_, err := s.Begin(bg, k, "turn", false)
			wantRefusal(t, err, lanes.ErrConfirmRequired, "begin.blind")
			if err := s.Delete(bg, k); err != nil {
				t.Fatal(err)
			}
		}
		empty("views, refusals and deletes of unknown sessions")
		for _, state := range reachable {
			reach(t, s, state)
		}
		if n := memory.Names(); n != 1 {
			t.Fatalf("%d records for one directory", n)
		}
		time.Sleep(time.Hour)
		show(t, s, "running", lanes.StatusAbsent)
		show(t, s, "retrying", lanes.StatusAbsent)
		time.Sleep(time.Hour)
		empty("an hour")
		for _, state := range reachable {
			id, _ := reach(t, s, state)
			if _, err := s.AbortSession(bg, inDir(id), fails); err != nil && !errors.Is(err, lanes.ErrNotAbortable) {
				t.Fatal(err)
			}
			if err := s.Delete(bg, inDir(id)); err != nil {
				t.Fatal(err)
			}
		}
		empty("deletes")
		show(t, s, "a", lanes.StatusBusy)
		show(t, s, "a", lanes.StatusAbsent)
		empty("a list that shows nothing")
	})
}

// A poll that is let go of leaves nothing behind, and as long as it is held it
// stays stale.
func TestSessionPollsLeaveNothing(t *testing.T) {
	memory := lanes.NewMemory(epoch)
	now := &asked{}
	s := openSessions(t, lanes.Config{Store: memory, Clock: now})
	held := startPoll(t, s)
	for range 100 {
		startPoll(t, s)
	}
	show(t, s, "a", lanes.StatusAbsent)
	collectGarbage()
	time.Sleep(10 * time.Millisecond)
	if o, err := held.Observe(bg, list{"a": lanes.StatusBusy}); err != nil || o.Accepted {
		t.Fatalf("%+v, %v", o, err)
	}
	before := now.times.Load()
	for i := 0; memory.Names() > 0; i++ {
		if i > 1000 {
			t.Fatalf("%d records are left", memory.Names())
		}
		collectGarbage()
		time.Sleep(10 * time.Millisecond)
	}
	if n := now.times.Load() - before; n != 0 {
		t.Fatalf("the collector asked the clock %d times", n)
	}
}

// asked is a clock that stands still, and counts how often it is asked.
type asked struct {
	manual
	times atomic.Int64
}

func (a *asked) Now() time.Time {
	a.times.Add(1)
	return epoch
}

func TestSessionRule09NothingShowsTheToken(t *testing.T) {
	s := openSessions(t, lanes.Config{})
	first := mustBegin(t, s, "a")
	if _, err := s.PromptFailed(bg, first); err != nil {
		t.Fatal(err)
	}
	const text = `session lease("a" in "/src/web": turn)`
	wantHidden(t, first, mustBegin(t, s, "a"), map[string]string{
		"0%v": text, "0%#v": text, "0json": `{"directory":"/src/web","session":"a","run":"turn"} <nil>`, "text": text + " <nil>",
	})
	wantHidden(t, lanes.SessionLease{}, lanes.SessionLease{}, map[string]string{"0%v": "session lease()"})
	if l := (lanes.SessionLease{}); !l.IsZero() || l.Run() != "" || l.Key() != (lanes.SessionKey{}) || first.IsZero() || first.Run() != "turn" || first.Key() != inDir("a") {
		t.Fatal("the labels of a lease are wrong")
	}
	if p := startPoll(t, s); fmt.Sprintf("%v %+d", p, p) != `poll("/src/web") poll("/src/web")` || fmt.Sprint(lanes.Poll{}) != `poll("")` {
		t.Fatal(p)
	}
}

// Sessions that were held at once and let go give their memory back: those of a
// directory that stays, by deletes, and those of directories that go, by time.
func TestSessionHeap(t *testing.T) {
	const n, few = 50_000, 50
	now := epoch
	s := openSessions(t, lanes.Config{Clock: manual{&now}})
	before := heap()
	back := func(what string) {
		t.Helper()
		if after := heap(); after > before+1<<20 {
			t.Errorf("after %s the heap is %d bytes above where it was", what, after-before)
		}
	}
	begin := func(k lanes.SessionKey) {
		if _, err := s.Begin(bg, k, "turn", true); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		begin(inDir(fmt.Sprint(i)))
	}
	for i := few; i < n; i++ {
		if err := s.Delete(bg, inDir(fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	back("deletes of all but a few")
	for i := range n {
		begin(lanes.SessionKey{Directory: fmt.Sprint("/other", i%1000), Session: fmt.Sprint(i)})
	}
	now = now.Add(30*time.Second + 10*time.Minute)
	for v, err := range s.All(bg) {
		t.Fatalf("%+v, %v", v, err)
	}
	back("the time of all")
	runtime.KeepAlive(s)
}
