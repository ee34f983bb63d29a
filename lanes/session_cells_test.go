package lanes_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/lanes"
)

// What each event does in each state, as the behaviour text's table has it: a
// state to be in after it, or a code that changed nothing. The order is that of
// reachable. Of the timers only those can be seen that run: time that passes is
// an event of whatever bound is due.
var sessionCells = []struct {
	event string
	send  func(t *testing.T, s *lanes.Sessions, id string, lease lanes.SessionLease) string
	want  [6]string
}{
	{"begin, confirmed", begins(true),
		[6]string{"starting", "SESSION_ALREADY_RUNNING", "SESSION_ALREADY_RUNNING", "SESSION_ALREADY_RUNNING", "SESSION_ALREADY_RUNNING", "starting"}},
	{"begin, not confirmed", begins(false),
		[6]string{"CONFIRM_REQUIRED", "SESSION_ALREADY_RUNNING", "SESSION_ALREADY_RUNNING", "SESSION_ALREADY_RUNNING", "SESSION_ALREADY_RUNNING", "CONFIRM_REQUIRED"}},
	{"sent, our lease", func(t *testing.T, s *lanes.Sessions, id string, lease lanes.SessionLease) string {
		note, err := s.Sent(bg, lease)
		return answerOf(t, s, id, note, err)
	}, [6]string{"LEASE_NOT_CURRENT", "starting", "ALREADY_SENT", "ALREADY_SENT", "ALREADY_SENT", "LEASE_NOT_CURRENT"}},
	{"sent, not our lease", func(t *testing.T, s *lanes.Sessions, id string, lease lanes.SessionLease) string {
		note, err := s.Sent(bg, notOurs(s, lease))
		return answerOf(t, s, id, note, err)
	}, everywhere("LEASE_NOT_CURRENT")},
	{"status busy", reports(lanes.StatusBusy),
		[6]string{"NOT_OUR_RUN", "STALE_REPORT", "running", "running", "running", "NOT_OUR_RUN"}},
	{"status retry", reports(lanes.StatusRetry),
		[6]string{"NOT_OUR_RUN", "STALE_REPORT", "retrying", "retrying", "retrying", "NOT_OUR_RUN"}},
	{"status absent", reports(lanes.StatusAbsent),
		[6]string{"ABSENCE_IS_NO_EVIDENCE", "STALE_REPORT", "ABSENCE_IS_NO_EVIDENCE", "completed", "completed", "ABSENCE_IS_NO_EVIDENCE"}},
	{"status busy, stale", stale(lanes.StatusBusy), everywhere("STALE_REPORT")},
	{"status retry, stale", stale(lanes.StatusRetry), everywhere("STALE_REPORT")},
	{"status absent, stale", stale(lanes.StatusAbsent), everywhere("STALE_REPORT")},
	{"prompt failed, our lease", func(t *testing.T, s *lanes.Sessions, id string, lease lanes.SessionLease) string {
		note, err := s.PromptFailed(bg, lease)
		return answerOf(t, s, id, note, err)
	}, [6]string{"LEASE_NOT_CURRENT", "unknown", "unknown", "RUN_WAS_SEEN", "RUN_WAS_SEEN", "LEASE_NOT_CURRENT"}},
	{"prompt failed, not our lease", func(t *testing.T, s *lanes.Sessions, id string, lease lanes.SessionLease) string {
		note, err := s.PromptFailed(bg, notOurs(s, lease))
		return answerOf(t, s, id, note, err)
	}, everywhere("LEASE_NOT_CURRENT")},
	{"30 s pass: the send bound, the grace", passes(30 * time.Second),
		[6]string{"unknown", "unknown", "unknown", "running", "retrying", "completed"}},
	{"10 min pass: the TTL too", passes(10 * time.Minute),
		[6]string{"unknown", "unknown", "unknown", "running", "retrying", "unknown"}},
	{"abort, unnamed", func(t *testing.T, s *lanes.Sessions, id string, _ lanes.SessionLease) string {
		_, err := s.AbortSession(bg, inDir(id), fails)
		return answerOf(t, s, id, "", err)
	}, aborted},
	{"abort, our lease", func(t *testing.T, s *lanes.Sessions, id string, lease lanes.SessionLease) string {
		_, err := s.Abort(bg, lease, fails)
		return answerOf(t, s, id, "", err)
	}, aborted},
	{"abort, another lease", func(t *testing.T, s *lanes.Sessions, id string, lease lanes.SessionLease) string {
		_, err := s.Abort(bg, notOurs(s, lease), fails)
		return answerOf(t, s, id, "", err)
	}, [6]string{"NOT_ABORTABLE", "LEASE_NOT_CURRENT", "LEASE_NOT_CURRENT", "LEASE_NOT_CURRENT", "LEASE_NOT_CURRENT", "NOT_ABORTABLE"}},
	{"abort, of which a begin is told", func(t *testing.T, s *lanes.Sessions, id string, _ lanes.SessionLease) (got string) {
		got = "no delivery"
		_, err := s.AbortSession(bg, inDir(id), func(context.Context) error {
			_, err := s.Begin(bg, inDir(id), "next", true)
			got = answerOf(t, s, id, "", err)
			return errors.New("no route to host")
		})
		if err != nil {
			return answerOf(t, s, id, "", err)
		}
		return got
	}, [6]string{"NOT_ABORTABLE", "no delivery", "ABORT_PENDING", "ABORT_PENDING", "ABORT_PENDING", "NOT_ABORTABLE"}},
	{"delete", func(t *testing.T, s *lanes.Sessions, id string, _ lanes.SessionLease) string {
		return answerOf(t, s, id, "", s.Delete(bg, inDir(id)))
	}, everywhere("unknown")},
}

var aborted = [6]string{"NOT_ABORTABLE", "completed", "completed", "completed", "completed", "NOT_ABORTABLE"}

func everywhere(s string) [6]string { return [6]string{s, s, s, s, s, s} }

func begins(confirmed bool) func(*testing.T, *lanes.Sessions, string, lanes.SessionLease) string {
	return func(t *testing.T, s *lanes.Sessions, id string, _ lanes.SessionLease) string {
		_, err := s.Begin(bg, inDir(id), "next", confirmed)
		return answerOf(t, s, id, "", err)
	}
}

func reports(status lanes.Status) func(*testing.T, *lanes.Sessions, string, lanes.SessionLease) string {
	return func(t *testing.T, s *lanes.Sessions, id string, _ lanes.SessionLease) string {
		seen := show(t, s, id, status)
		wantSession(t, s, id, seen.State)
		if seen.Note != "" {
			return string(seen.Note)
		}
		return string(seen.State)
	}
}

// stale tells of a list that was in flight when another was accepted.
func stale(status lanes.Status) func(*testing.T, *lanes.Sessions, string, lanes.SessionLease) string {
	return func(t *testing.T, s *lanes.Sessions, id string, _ lanes.SessionLease) string {
		flying, l := startPoll(t, s), list{}
		if status != lanes.StatusAbsent {
			l[id] = status
		}
		before := sessionView(t, s, id).State
		settling := list{}
		if before == lanes.SessionRunning || before == lanes.SessionRetrying {
			settling[id] = map[lanes.SessionState]lanes.Status{lanes.SessionRunning: lanes.StatusBusy, lanes.SessionRetrying: lanes.StatusRetry}[before]
		}
		if o, err := startPoll(t, s).Observe(bg, settling); err != nil || !o.Accepted {
			t.Fatalf("%+v, %v", o, err)
		}
		seen := observe(t, flying, l, id)
		wantSession(t, s, id, before)
		return string(seen.Note)
	}
}

func passes(d time.Duration) func(*testing.T, *lanes.Sessions, string, lanes.SessionLease) string {
	return func(t *testing.T, s *lanes.Sessions, id string, _ lanes.SessionLease) string {
		time.Sleep(d)
		return string(sessionView(t, s, id).State)
	}
}

// notOurs is a lease of the same session and run that isn't the current one.
func notOurs(s *lanes.Sessions, lease lanes.SessionLease) lanes.SessionLease {
	return lanes.ForgeSession(s, lease.Key(), lease.Run(), 1<<40)
}

// answerOf is the code or note of an answer, or else the state after it.
func answerOf(t *testing.T, s *lanes.Sessions, id string, note lanes.Note, err error) string {
	t.Helper()
	var no *lanes.Refusal
	switch {
	case errors.As(err, &no):
		return string(no.Code)
	case err != nil:
		t.Fatal(err)
	case note != "":
		return string(note)
	}
	return string(sessionView(t, s, id).State)
}

func TestSessionCells(t *testing.T) {
	for _, c := range sessionCells {
		for i, state := range reachable {
			t.Run(fmt.Sprint(c.event, " in ", state), func(t *testing.T) {
				inBubble(t, func(t *testing.T, s *lanes.Sessions) {
					id, lease := reach(t, s, state)
					before := sessionView(t, s, id)
					got := c.send(t, s, id, lease)
					if got != c.want[i] {
						t.Fatalf("got %s; want %s", got, c.want[i])
					}
					// A code in capitals means that nothing has changed.
					if after := sessionView(t, s, id); strings.ToUpper(got) == got && c.event != "abort, of which a begin is told" {
						before.Reported, after.Reported, before.ReportAge, after.ReportAge = "", "", 0, 0 // kept beside it
						before.Why, after.Why = "", ""
						if diff := cmp.Diff(before, after); diff != "" {
							t.Fatalf("%s (-before +after):\n%s", got, diff)
						}
					}
				})
			})
		}
	}
}
