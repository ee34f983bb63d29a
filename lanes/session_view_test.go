package lanes_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/lanes"
)

// The tests of this file are the rules on time, confirmation and the view.

func TestSessionRule07BoundsAreTheCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSessions(t, lanes.Config{Sessions: lanes.SessionConfig{
			SendBound: time.Second, Grace: 2 * time.Second, TTL: 3 * time.Second, AbortTimeout: 4 * time.Second, AbortRepeat: time.Second / 4,
		}})
		ends := func(id string, state lanes.SessionState, after time.Duration) {
			t.Helper()
			time.Sleep(after - 1)
			wantSession(t, s, id, state)
			time.Sleep(1)
			wantSession(t, s, id, lanes.SessionUnknown)
		}
		id, _ := reach(t, s, "starting unsent")
		ends(id, lanes.SessionStarting, time.Second)
		id, _ = reach(t, s, "starting sent")
		ends(id, lanes.SessionStarting, 2*time.Second)
		id, _ = reach(t, s, "completed")
		ends(id, lanes.SessionCompleted, 3*time.Second)
		id, _ = reach(t, s, "starting sent")
		a := startAbort(t, s, id)
		a.returns(nil)
		time.Sleep(time.Second / 4)
		a.wantAnswer(t, "", 2)
		time.Sleep(4*time.Second - time.Second/4 - 1)
		a.wantAnswer(t, "", 2)
		time.Sleep(1)
		a.wantAnswer(t, lanes.AbortTimedOut, 2)
	})
	for _, c := range []lanes.SessionConfig{{SendBound: -1}, {Grace: -1}, {TTL: -1}, {AbortTimeout: -1}, {AbortRepeat: -1}} {
		_, err := lanes.Open(lanes.Config{Sessions: c})
		wantRefusal(t, err, lanes.ErrInvalidArgument, "shell.argument")
	}
}

// Due at t means expired at t, before any other event at t, and whether or not
// anybody looks; the clock is the injected one.
func TestSessionRule07DueIsExpired(t *testing.T) {
	now := epoch
	s := openSessions(t, lanes.Config{Clock: manual{&now}})
	lease := mustBegin(t, s, "a")
	now = now.Add(30 * time.Second)
	_, err := s.Sent(bg, lease)
	wantNo(t, s, "a", err, lanes.ErrLeaseNotCurrent, "sent.stale")

	lease = mustBegin(t, s, "a")
	mustSend(t, s, lease)
	p := startPoll(t, s)
	now = now.Add(30 * time.Second)
	if seen := observe(t, p, list{"a": lanes.StatusBusy}, "a"); seen.Note != lanes.NoteNotOurRun || seen.State != lanes.SessionUnknown {
		t.Fatalf("%+v", seen)
	}
	graceOver := now
	now = now.Add(time.Minute)
	if v := sessionView(t, s, "a"); !v.Since.Equal(graceOver) {
		t.Fatalf("unknown since %v; its grace was over at %v", v.Since, graceOver)
	}

	// Whether or not anybody looks, at the time or at all.
	mustBegin(t, s, "a")
	unsent := now.Add(30 * time.Second)
	now = now.Add(9 * time.Minute)
	if v := sessionView(t, s, "a"); v.State != lanes.SessionUnknown || !v.Since.Equal(unsent) {
		t.Fatalf("%+v; its send bound was over at %v", v, unsent)
	}

	// Two calls may read the clock in one order and take their steps in the
	// other: the later time counts.
	lease = mustBegin(t, s, "a")
	now = now.Add(30 * time.Second)
	sessionView(t, s, "another of the directory")
	now = now.Add(-time.Minute)
	_, err = s.Sent(bg, lease)
	wantNo(t, s, "a", err, lanes.ErrLeaseNotCurrent, "sent.stale")
}

// Confirmation is the only authority to begin, and good for one.
func TestSessionRule08EveryBeginIsConfirmed(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		_, err := s.Begin(bg, inDir("new"), "turn", false)
		wantNo(t, s, "new", err, lanes.ErrConfirmRequired, "begin.blind")
		for _, state := range []string{"unknown", "completed"} {
			id, _ := reach(t, s, state)
			for range 3 { // asking again is no confirmation
				_, err := s.Begin(bg, inDir(id), "turn", false)
				wantNo(t, s, id, err, lanes.ErrConfirmRequired, "begin.blind")
			}
			lease := mustBegin(t, s, id)
			if _, err := s.PromptFailed(bg, lease); err != nil {
				t.Fatal(err)
			}
			_, err := s.Begin(bg, inDir(id), "turn", false)
			wantNo(t, s, id, err, lanes.ErrConfirmRequired, "begin.blind")
		}
	})
}

// The view says in words why it is asked for, our own late run included.
func TestSessionRule08TheViewSaysWhy(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		why := func(id string, want ...string) {
			t.Helper()
			v := sessionView(t, s, id)
			for _, w := range append(want, "leaves out what runs elsewhere") {
				if !v.NeedsConfirmation || !strings.Contains(v.Why, w) {
					t.Fatalf("%+v doesn't say %q", v, w)
				}
			}
		}
		why("new", "a forgotten run of ours")
		id, _ := reach(t, s, "starting sent")
		if v := sessionView(t, s, id); v.NeedsConfirmation || v.Why != "" {
			t.Fatalf("%+v", v)
		}
		time.Sleep(30 * time.Second)
		why(id, "Our run turn was sent and never seen")
		time.Sleep(10 * time.Minute)
		if v := sessionView(t, s, id); strings.Contains(v.Why, "turn") {
			t.Fatalf("kept for ever: %+v", v)
		}

		id, lease := reach(t, s, "starting sent")
		if _, err := s.PromptFailed(bg, lease); err != nil {
			t.Fatal(err)
		}
		why(id, "The prompt of our run turn failed, but")
		id, lease = reach(t, s, "starting unsent")
		if _, err := s.PromptFailed(bg, lease); err != nil {
			t.Fatal(err)
		}
		if v := sessionView(t, s, id); strings.Contains(v.Why, "turn") {
			t.Fatalf("it wasn't sent: %+v", v)
		}

		id, _ = reach(t, s, "running")
		if _, err := s.AbortSession(bg, inDir(id), fails); err != nil {
			t.Fatal(err)
		}
		why(id, "Our run turn was stopped, and may go on")
		show(t, s, id, lanes.StatusBusy)
		time.Sleep(5 * time.Second)
		why(id, "The server reported this session busy, 5s ago.")
	})
}

func TestSessionRule09TheView(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		want := func(want lanes.SessionView) {
			t.Helper()
			want.SessionKey = inDir("a")
			got := sessionView(t, s, "a")
			if (got.Why != "") != got.NeedsConfirmation {
				t.Fatalf("%+v", got)
			}
			got.Why = ""
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("(-want +got):\n%s", diff)
			}
		}
		want(lanes.SessionView{State: lanes.SessionUnknown, NeedsConfirmation: true})
		time.Sleep(time.Second)
		lease, begun := mustBegin(t, s, "a"), time.Now()
		time.Sleep(time.Second)
		mustSend(t, s, lease)
		want(lanes.SessionView{State: lanes.SessionStarting, Abortable: true, Since: begun, Run: "turn"})
		time.Sleep(time.Second)
		show(t, s, "a", lanes.StatusBusy)
		seen := time.Now()
		time.Sleep(time.Second)
		show(t, s, "a", lanes.StatusBusy)
		want(lanes.SessionView{State: lanes.SessionRunning, Abortable: true, Since: seen, Run: "turn"})
		show(t, s, "a", lanes.StatusRetry)
		want(lanes.SessionView{State: lanes.SessionRetrying, Abortable: true, Since: time.Now(), Run: "turn"})
		show(t, s, "a", lanes.StatusAbsent)
		ended := time.Now()
		time.Sleep(time.Second)
		want(lanes.SessionView{State: lanes.SessionCompleted, NeedsConfirmation: true, Since: ended, Run: "turn", Ended: lanes.SessionEnded})

		// At rest it has what the server reports, and the age of that.
		p := startPoll(t, s)
		time.Sleep(time.Second)
		observe(t, p, list{"a": lanes.StatusRetry}, "a")
		time.Sleep(time.Second)
		want(lanes.SessionView{State: lanes.SessionCompleted, NeedsConfirmation: true, Since: ended, Run: "turn", Ended: lanes.SessionEnded,
			Reported: lanes.StatusRetry, ReportAge: 2 * time.Second})
		lease, begun = mustBegin(t, s, "a"), time.Now()
		want(lanes.SessionView{State: lanes.SessionStarting, Abortable: true, Since: begun, Run: "turn"})
		if _, err := s.Abort(bg, lease, works); err != nil {
			t.Fatal(err)
		}
		show(t, s, "a", lanes.StatusAbsent)
		want(lanes.SessionView{State: lanes.SessionCompleted, NeedsConfirmation: true, Since: begun, Run: "turn", Ended: lanes.SessionStopped})
		time.Sleep(10 * time.Minute)
		want(lanes.SessionView{State: lanes.SessionUnknown, NeedsConfirmation: true})
	})
}

func TestSessionRule10DeleteForgets(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		for _, state := range reachable {
			id, lease := reach(t, s, state)
			if err := s.Delete(bg, inDir(id)); err != nil {
				t.Fatal(err)
			}
			if v := sessionView(t, s, id); v.State != lanes.SessionUnknown || v.Run != "" || !v.Since.IsZero() || strings.Contains(v.Why, "turn") {
				t.Fatalf("%s: %+v", state, v)
			}
			_, err := s.Sent(bg, lease)
			wantNo(t, s, id, err, lanes.ErrLeaseNotCurrent, "sent.stale")
			_, err = s.Abort(bg, lease, works)
			wantNo(t, s, id, err, lanes.ErrNotAbortable, "abort.resting")
		}
	})
}

// Ownership lives in one process: whatever a store has of another is unknown.
func TestSessionRule10AnotherProcessIsUnknown(t *testing.T) {
	memory := lanes.NewMemory(epoch)
	s, same := openSessions(t, lanes.Config{Store: memory}), openSessions(t, lanes.Config{Store: memory})
	lease := mustBegin(t, s, "a")
	wantSession(t, same, "a", lanes.SessionStarting) // one process, one memory
	_, err := same.Begin(bg, inDir("a"), "turn", true)
	wantNo(t, same, "a", err, lanes.ErrSessionAlreadyRunning, "begin.running")
	_, err = same.Sent(bg, lease)
	wantNo(t, same, "a", err, lanes.ErrLeaseNotCurrent, "sent.stale")
	mustSend(t, s, lease)

	// What it wrote, in the memory of another process.
	old, err := memory.Load(bg, lanes.Key{Machine: "session", Name: dir})
	if err != nil || len(old.Data) == 0 {
		t.Fatalf("%+v, %v", old, err)
	}
	after := lanes.NewMemory(epoch.Add(time.Hour))
	if _, err := after.Swap(bg, lanes.Write{Key: old.Key, Data: old.Data}); err != nil {
		t.Fatal(err)
	}
	restarted := openSessions(t, lanes.Config{Store: after})
	wantSession(t, restarted, "a", lanes.SessionUnknown)
	_, err = restarted.Sent(bg, lease)
	wantNo(t, restarted, "a", err, lanes.ErrLeaseNotCurrent, "sent.stale")
	mustBegin(t, restarted, "a")

	// By swap it is the same record, and the same process.
	other := openSessions(t, lanes.Config{Store: bySwap{memory}})
	wantSession(t, other, "a", lanes.SessionStarting)
	other.InProcess("another")
	wantSession(t, other, "a", lanes.SessionUnknown)
	wantSession(t, s, "a", lanes.SessionStarting)
}

// What JSON shows of a session.
func TestSessionJSON(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		shows := func(v any, want string) {
			t.Helper()
			got, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, string(got)); diff != "" {
				t.Fatalf("(-want +got):\n%s", diff)
			}
		}
		lease := mustBegin(t, s, "a")
		const owned = `{"directory":"/src/web","session":"a","state":"starting","abortable":true,"needs_confirmation":false,"since":"2000-01-01T00:00:00Z","run":"turn"}`
		shows(utc(sessionView(t, s, "a")), owned)
		_, err := s.Begin(bg, inDir("a"), "next", true)
		no := wantRefusal(t, err, lanes.ErrSessionAlreadyRunning, "begin.running")
		*no.Session = utc(*no.Session)
		shows(no, `{"code":"SESSION_ALREADY_RUNNING","message":"a run of ours owns this session","machine":"session","row":"begin.running","session":`+owned+`}`)
		mustSend(t, s, lease)
		p := startPoll(t, s)
		o, err := p.Observe(bg, list{"a": lanes.StatusBusy, "b": lanes.StatusRetry})
		if err != nil {
			t.Fatal(err)
		}
		shows(o, `{"accepted":true,"sessions":[{"session":"a","status":"busy","state":"running"},{"session":"b","status":"retry","state":"unknown","note":"NOT_OUR_RUN"}]}`)
		time.Sleep(time.Second)
		shows(sessionView(t, s, "b"), `{"directory":"/src/web","session":"b","state":"unknown","abortable":false,"needs_confirmation":true,`+
			`"why":"The server reported this session retry, 1s ago. Something else may run in this session, a forgotten run of ours too: `+
			`the server's list leaves out what runs elsewhere.","reported":"retry","report_age_ns":1000000000}`)
	})
}

func utc(v lanes.SessionView) lanes.SessionView {
	v.Since = v.Since.UTC()
	return v
}

// All yields what something is kept of, sorted, and nothing else.
// A view that is printed says what it is of, and not only whose.
func TestSessionViewString(t *testing.T) {
	key := lanes.SessionKey{Directory: "/src", Session: "a"}
	for want, v := range map[string]lanes.SessionView{
		`"a" in "/src": unknown`:                                    {SessionKey: key, State: lanes.SessionUnknown},
		`"a" in "/src": running (turn-7)`:                           {SessionKey: key, State: lanes.SessionRunning, Run: "turn-7"},
		`"a" in "/src": completed (turn-7, stopped), abort pending`: {SessionKey: key, State: lanes.SessionCompleted, Run: "turn-7", Ended: lanes.SessionStopped, AbortPending: true},
	} {
		if got := fmt.Sprintf("%v", v); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if got := fmt.Sprintf("%+v", v); got != want {
			t.Errorf("%%+v: got %s, want %s", got, want)
		}
	}
}

func TestSessionAll(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		all := func() (got []string) {
			for v, err := range s.All(bg) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, v.Directory+" "+v.Session+" "+string(v.State))
			}
			return got
		}
		for _, k := range []lanes.SessionKey{{Directory: "b", Session: "y"}, {Directory: "b", Session: "x"}, {Directory: "a", Session: "z"}} {
			if _, err := s.Begin(bg, k, "turn", true); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff([]string{"a z starting", "b x starting", "b y starting"}, all()); diff != "" {
			t.Fatal(diff)
		}
		for range s.All(bg) {
			break
		}
		time.Sleep(30*time.Second + 10*time.Minute)
		if got := all(); got != nil {
			t.Fatal(got)
		}
	})
}
