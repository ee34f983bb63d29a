package lanes_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/lanes"
)

// The tests of this file are the rules of the behaviour text of sessions, by
// their numbers.

func TestSessionRule01TheLeaseComesBeforeThePrompt(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		lease := mustBegin(t, s, "a")
		wantSession(t, s, "a", lanes.SessionStarting)
		if v := sessionView(t, s, "a"); !v.Abortable {
			t.Fatalf("a stop works at once; the view is %+v", v)
		}
		_, err := s.Begin(bg, inDir("a"), "again", true)
		wantNo(t, s, "a", err, lanes.ErrSessionAlreadyRunning, "begin.running")

		// It is checked again immediately before the prompt is sent.
		if err := s.Delete(bg, inDir("a")); err != nil {
			t.Fatal(err)
		}
		_, err = s.Sent(bg, lease)
		wantNo(t, s, "a", err, lanes.ErrLeaseNotCurrent, "sent.stale")

		// Marking it twice is no permission to send it twice.
		lease = mustBegin(t, s, "a")
		mustSend(t, s, lease)
		if note, err := s.Sent(bg, lease); note != lanes.NoteAlreadySent || err != nil {
			t.Fatalf("%q, %v", note, err)
		}
		wantSession(t, s, "a", lanes.SessionStarting)
	})
}

// A lease that is never sent ends by its own bound, a run that is never seen by
// its grace, which counts from the sending.
func TestSessionRule01UnsentAndUnseenRunsEnd(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		lease := mustBegin(t, s, "a")
		time.Sleep(30*time.Second - 1)
		wantSession(t, s, "a", lanes.SessionStarting)
		time.Sleep(1)
		wantSession(t, s, "a", lanes.SessionUnknown)
		_, err := s.Sent(bg, lease)
		wantNo(t, s, "a", err, lanes.ErrLeaseNotCurrent, "sent.stale")

		lease = mustBegin(t, s, "a")
		time.Sleep(29 * time.Second)
		mustSend(t, s, lease)
		time.Sleep(30*time.Second - 1)
		wantSession(t, s, "a", lanes.SessionStarting)
		time.Sleep(1)
		wantSession(t, s, "a", lanes.SessionUnknown)
	})
}

func TestSessionRule02AFailedPromptGivesTheLeaseUp(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		for _, state := range []string{"starting unsent", "starting sent"} {
			id, lease := reach(t, s, state)
			if note, err := s.PromptFailed(bg, lease); note != "" || err != nil {
				t.Fatalf("%s: %q, %v", state, note, err)
			}
			wantSession(t, s, id, lanes.SessionUnknown)
			mustBegin(t, s, id)
		}
		for _, state := range []string{"running", "retrying"} {
			id, lease := reach(t, s, state)
			if note, err := s.PromptFailed(bg, lease); note != lanes.NoteRunWasSeen || err != nil {
				t.Fatalf("%s: %q, %v", state, note, err)
			}
			wantSession(t, s, id, lanes.SessionState(state))
		}
	})
}

func TestSessionRule03AbortableWhereARunOfOursIs(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		_, old := reach(t, s, "completed")
		for _, state := range reachable {
			id, lease := reach(t, s, state)
			abortable := state != "unknown" && state != "completed"
			if v := sessionView(t, s, id); v.Abortable != abortable {
				t.Fatalf("%s: abortable is %v", state, v.Abortable)
			}
			stale := lanes.ForgeSession(s, inDir(id), "turn", 1<<40)
			if !abortable {
				for _, l := range []lanes.SessionLease{lease, stale} {
					_, err := s.Abort(bg, l, works)
					wantNo(t, s, id, err, lanes.ErrNotAbortable, "abort.resting")
				}
				_, err := s.AbortSession(bg, inDir(id), works)
				wantNo(t, s, id, err, lanes.ErrNotAbortable, "abort.resting")
				continue
			}
			_, err := s.Abort(bg, stale, works)
			wantNo(t, s, id, err, lanes.ErrLeaseNotCurrent, "abort.stale")
			got, err := s.Abort(bg, lease, fails)
			if err != nil {
				t.Fatal(err)
			}
			if v := sessionView(t, s, id); v.State != lanes.SessionCompleted || v.Ended != lanes.SessionStopped || v.Run != "turn" {
				t.Fatalf("%s: after an abort the view is %+v", state, v)
			}
			want := lanes.AbortFailed
			if state == "starting unsent" {
				want = lanes.AbortNotNeeded
			}
			if got.Answer != want {
				t.Fatalf("%s: %+v", state, got)
			}
		}
		_, err := s.Abort(bg, old, works)
		wantNo(t, s, "completed", err, lanes.ErrNotAbortable, "abort.resting")
	})
}

func TestSessionRule04WhatIsOlderChangesNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		var old []lanes.SessionLease
		for range 5 {
			lease := mustBegin(t, s, "a")
			for _, l := range append(old, lanes.ForgeSession(s, inDir("a"), "turn", 0), lanes.ForgeSession(nil, inDir("a"), "turn", 0)) {
				before := sessionView(t, s, "a")
				_, err := s.Sent(bg, l)
				wantNo(t, s, "a", err, lanes.ErrLeaseNotCurrent, "sent.stale")
				_, err = s.PromptFailed(bg, l)
				wantNo(t, s, "a", err, lanes.ErrLeaseNotCurrent, "promptFailed.stale")
				_, err = s.Abort(bg, l, works)
				wantNo(t, s, "a", err, lanes.ErrLeaseNotCurrent, "abort.stale")
				if diff := cmp.Diff(before, sessionView(t, s, "a")); diff != "" {
					t.Fatal(diff)
				}
				if l.Equal(lease) {
					t.Fatal("a lease came back")
				}
			}
			old = append(old, lease)
			if _, err := s.PromptFailed(bg, lease); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// The bounds of an older run end no newer one.
func TestSessionRule04OlderTimersChangeNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		first := mustBegin(t, s, "a")
		time.Sleep(20 * time.Second)
		if _, err := s.PromptFailed(bg, first); err != nil {
			t.Fatal(err)
		}
		second := mustBegin(t, s, "a")
		time.Sleep(20 * time.Second) // the first's send bound is over
		mustSend(t, s, second)
		time.Sleep(15 * time.Second) // and the second's: but it was sent
		wantSession(t, s, "a", lanes.SessionStarting)
		show(t, s, "a", lanes.StatusBusy)
		time.Sleep(time.Hour) // and its grace: but it was seen
		wantSession(t, s, "a", lanes.SessionRunning)
		show(t, s, "a", lanes.StatusAbsent)
		time.Sleep(9 * time.Minute)
		mustSend(t, s, mustBegin(t, s, "a"))
		show(t, s, "a", lanes.StatusBusy)
		time.Sleep(time.Minute) // the TTL of the run that completed
		wantSession(t, s, "a", lanes.SessionRunning)
	})
}

func TestSessionRule05OnlyListsAskedForAfterTheSendingCount(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		lease := mustBegin(t, s, "a")
		if seen := show(t, s, "a", lanes.StatusBusy); seen.Note != lanes.NoteStaleReport || seen.State != lanes.SessionStarting {
			t.Fatalf("an unsent run: %+v", seen)
		}
		late := startPoll(t, s)
		mustSend(t, s, lease)
		if seen := observe(t, late, list{"a": lanes.StatusBusy}, "a"); seen.Note != lanes.NoteStaleReport || seen.State != lanes.SessionStarting {
			t.Fatalf("asked for before the sending: %+v", seen)
		}
		want := lanes.Observed{Session: "a", Status: lanes.StatusRetry, State: lanes.SessionRetrying}
		if diff := cmp.Diff(want, show(t, s, "a", lanes.StatusRetry)); diff != "" {
			t.Fatalf("asked for after it (-want +got):\n%s", diff)
		}
	})
}

// Once a list is accepted, all of its directory that are in flight are stale,
// whenever they were asked for, and whatever its sessions made of it.
func TestSessionRule05AnAcceptedListMakesOthersStale(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		for _, accepted := range []list{{"a": lanes.StatusBusy}, {}, {"other": lanes.StatusBusy}} {
			id, lease := reach(t, s, "starting sent")
			if len(accepted) == 1 && accepted["a"] != "" {
				accepted = list{id: lanes.StatusBusy}
			}
			first, second, third := startPoll(t, s), startPoll(t, s), startPoll(t, s)
			o, err := second.Observe(bg, accepted)
			if err != nil || !o.Accepted {
				t.Fatalf("%+v, %v", o, err)
			}
			state := sessionView(t, s, id).State
			for _, p := range []lanes.Poll{first, third, second} {
				o, err := p.Observe(bg, list{id: lanes.StatusRetry, "new": lanes.StatusBusy})
				if err != nil || o.Accepted {
					t.Fatalf("%+v, %v", o, err)
				}
				for _, seen := range o.Sessions {
					if seen.Note != lanes.NoteStaleReport {
						t.Fatalf("%+v", seen)
					}
				}
				wantSession(t, s, id, state)
				if v := sessionView(t, s, "new"); v.Reported != "" {
					t.Fatalf("a stale list is told of: %+v", v)
				}
			}
			if err := s.Delete(bg, lease.Key()); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// A poll that failed is no event, is no absence and makes nothing stale.
func TestSessionRule05AFailedPollIsNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		id, _ := reach(t, s, "running")
		flying := startPoll(t, s)
		startPoll(t, s)
		ctx, cancel := context.WithCancel(bg)
		p := startPoll(t, s)
		cancel()
		if _, err := p.Observe(ctx, list{}); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		// Nor is a list that says what no list says.
		for _, status := range []lanes.Status{"", "idle", "absent", "Busy"} {
			_, err := p.Observe(bg, list{"b": status})
			wantRefusal(t, err, lanes.ErrInvalidArgument, "shell.argument")
		}
		wantSession(t, s, id, lanes.SessionRunning)
		if seen := observe(t, flying, list{id: lanes.StatusRetry}, id); seen.Note != "" || seen.State != lanes.SessionRetrying {
			t.Fatalf("%+v", seen)
		}
	})
}

func TestSessionRule06DirectoriesAreApart(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		here, there := inDir("a"), lanes.SessionKey{Directory: "/src/api", Session: "a"}
		lease := mustBegin(t, s, "a")
		other, err := s.Begin(bg, there, "turn", true)
		if err != nil || other.Equal(lease) {
			t.Fatal(err)
		}
		mustSend(t, s, lease)
		mustSend(t, s, other)
		flying := startPoll(t, s)
		p, err := s.StartPoll(bg, there.Directory)
		if err != nil {
			t.Fatal(err)
		}
		if o, err := p.Observe(bg, list{"a": lanes.StatusBusy}); err != nil || !o.Accepted || len(o.Sessions) != 1 {
			t.Fatalf("%+v, %v", o, err)
		}
		wantSession(t, s, "a", lanes.SessionStarting)
		if v, err := s.View(bg, there); err != nil || v.State != lanes.SessionRunning {
			t.Fatalf("%+v, %v", v, err)
		}
		// A list of one makes none of the other stale.
		if seen := observe(t, flying, list{"a": lanes.StatusBusy}, "a"); seen.State != lanes.SessionRunning {
			t.Fatalf("%+v", seen)
		}
		if err := s.Delete(bg, there); err != nil {
			t.Fatal(err)
		}
		if v, err := s.View(bg, here); err != nil || v.State != lanes.SessionRunning {
			t.Fatalf("%+v, %v", v, err)
		}
	})
}

// Two ways to write a pair are two pairs.
func TestSessionRule06KeysDontRunTogether(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		for _, k := range []lanes.SessionKey{{Directory: "a/b", Session: "c"}, {Directory: "a", Session: "b/c"}, {Directory: "a ", Session: "b/c"}, {Directory: "A", Session: "b/c"}} {
			if _, err := s.Begin(bg, k, "turn", true); err != nil {
				t.Fatalf("%v: %v", k, err)
			}
		}
	})
}
