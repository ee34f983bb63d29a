package lanes_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/lane"
	"github.com/interlock-go/interlock/fsm/queue"
	"github.com/interlock-go/interlock/fsm/session"
	"github.com/interlock-go/interlock/lanes"
)

// What JSON shows is fixed by the behaviour text, to the name.
func TestJSON(t *testing.T) {
	r := mustOpen(t)
	show := func(v any, want string) {
		t.Helper()
		got, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	show(view(t, r, "p"), `{"project":"p","busy":false}`)
	lease := mustClaim(t, r, "p", "run")
	show(view(t, r, "p"), `{"project":"p","busy":true,"run":"run","state":"running"}`)
	show(mustStop(t, r, lease), `{"project":"p","busy":true,"run":"run","state":"stop_requested"}`)
	_, err := r.Claim(bg, "p", "run")
	show(err, `{"code":"PROJECT_BUSY","message":"another run owns this lane","machine":"lane","row":"claim.busy",`+
		`"occupant":{"project":"p","busy":true,"run":"run","state":"stop_requested"}}`)
	_, err = r.Release(bg, lanes.Lease{}, lanes.OutcomeFailed)
	show(err, `{"code":"INVALID_LEASE","message":"a lease is missing","machine":"lane","row":"release.lease"}`)
	_, err = r.View(bg, "")
	show(err, `{"code":"INVALID_LABEL","message":"project: a label is 1 to 80 ASCII characters: a letter or digit, then letters, `+
		`digits, dots, underscores and hyphens","machine":"lane","row":"shell.label"}`)
	show(mustRelease(t, r, lease, lanes.OutcomeNeedsReview),
		`{"project":"p","run":"run","outcome":"needs_review","stop_requested":true,"work_executed_here":false}`)
	show(lanes.Fencing{Epoch: 1, Number: 2}, `{"epoch":1,"number":2}`)
}

// The table of refusals in the package documentation is that of the machine's
// tables, for the events that callers send.
func TestDocumentedRefusals(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^//\t([A-Z_]+) +([a-zA-Z]+\.[a-zA-Z]+) `).FindAllStringSubmatch(string(doc), -1) {
		got[m[2]] = m[1]
	}
	want := map[string]string{
		"shell.label": "INVALID_LABEL", "shell.argument": "INVALID_ARGUMENT", "shell.ticket": "FOREIGN_TICKET", "shell.serial": "NO_SUCH_TICKET",
		"shell.lease": "INVALID_LEASE",
	}
	for row := session.Row(1); int(row) <= session.Rows; row++ {
		if info := row.Info(); info.Kind == fsm.Refuse {
			want[info.Name] = info.Code
		}
	}
	for row := lane.Row(1); int(row) <= lane.Rows; row++ {
		info := row.Info()
		event, _, _ := strings.Cut(info.Name, ".")
		if info.Kind == fsm.Refuse && (event == "claim" || event == "requestStop" || event == "release") && row != lane.ClaimLease {
			want[info.Name] = info.Code // claim.lease never answers: the lease of a claim is made here
		}
	}
	for row := queue.Row(1); int(row) <= queue.Rows; row++ {
		info := row.Info()
		switch event, _, _ := strings.Cut(info.Name, "."); {
		case info.Kind != fsm.Refuse, info.Code == "INVALID_ARGUMENT": // numbers and reports are made here
		case event == "crash", event == "adopt", row == queue.EndLost: // an operator's, without a call yet
		default:
			want[info.Name] = info.Code
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Codes mean what the table says, in its words.
func TestMessages(t *testing.T) {
	means(t, "../spec/lane.yaml", lanes.ErrProjectBusy, lanes.ErrLeaseNotCurrent, lanes.ErrInvalidLease, lanes.ErrInvalidOutcome)
	means(t, "../spec/queue.yaml", lanes.ErrCoordinatorClosed, lanes.ErrTooManySessions, lanes.ErrSessionClosed,
		lanes.ErrDuplicateExecution, lanes.ErrQueueFull, lanes.ErrStillQueued, lanes.ErrTicketOrphaned, lanes.ErrNoSuchSession,
		lanes.ErrNotWaiting, lanes.ErrNotRunning, lanes.ErrNotOwner, lanes.ErrInvalidArgument, lanes.ErrAdmissionCancelled,
		lanes.ErrEndedBeforeWait)
	means(t, "../spec/session.yaml", lanes.ErrSessionAlreadyRunning, lanes.ErrAbortPending, lanes.ErrConfirmRequired, lanes.ErrNotAbortable)
	s := openSessions(t, lanes.Config{})
	_, err := s.Sent(bg, lanes.ForgeSession(s, inDir("a"), "turn", 1))
	if no := wantRefusal(t, err, lanes.ErrLeaseNotCurrent, "sent.stale"); no.Message != "this lease doesn't own the session, or no longer" {
		t.Errorf("a session says %q", no.Message)
	}
	if got := lanes.Code("NEW").Error(); got != "NEW" {
		t.Errorf("a code without words is %q", got)
	}
}

// means fails unless each code's words are those of the table.
func means(t *testing.T, path string, codes ...lanes.Code) {
	t.Helper()
	table, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range codes {
		m := regexp.MustCompile(`(?m)^  ` + string(code) + `: +"?(.*?)\.?"?$`).FindStringSubmatch(string(table))
		if m == nil {
			t.Errorf("the table has no %s", code)
			continue
		}
		if want := string(code) + ": " + strings.ToLower(m[1][:1]) + m[1][1:]; code.Error() != want {
			t.Errorf("%q; the table says %q", code.Error(), want)
		}
	}
}

func TestErrors(t *testing.T) {
	r := mustOpen(t)
	mustClaim(t, r, "p", "run")
	_, err := r.Claim(bg, "p", "next")
	want := "lanes: claim refused: PROJECT_BUSY: another run owns this lane (project p, run run, running)"
	if err.Error() != want {
		t.Errorf("got %q; want %q", err, want)
	}
	wrapped := fmt.Errorf("starting: %w", err)
	if !errors.Is(wrapped, lanes.ErrProjectBusy) || errors.Is(wrapped, lanes.ErrInvalidLabel) || errors.Is(wrapped, errors.New("PROJECT_BUSY")) {
		t.Error("errors.Is finds another code than the refusal's")
	}
}

func TestAll(t *testing.T) {
	onEach(t, func(t *testing.T, open func() *lanes.Projects) {
		r := open()
		all := func() (views []lanes.View) {
			for v, err := range r.All(bg) {
				if err != nil {
					t.Fatal(err)
				}
				views = append(views, v)
			}
			return views
		}
		if got := all(); got != nil {
			t.Fatalf("got %v", got)
		}
		b, a := mustClaim(t, r, "b", "run"), mustClaim(t, r, "a", "other")
		mustClaim(t, open(), "C", "run")
		mustStop(t, r, b)
		if diff := cmp.Diff([]lanes.View{running("C", "run"), running("a", "other"), stopping("b", "run")}, all()); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		mustRelease(t, r, a, lanes.OutcomeFailed)
		for v := range r.All(bg) {
			if v.Project != "C" {
				t.Fatalf("got %v", v)
			}
			break
		}
		// A lane that is freed while the others are looked at isn't shown.
		var seen []string
		for v := range r.All(bg) {
			seen = append(seen, v.Project)
			if v.Project == "C" {
				mustRelease(t, r, b, lanes.OutcomeFailed)
				wantView(t, r, free("b"))
			}
		}
		if diff := cmp.Diff([]string{"C"}, seen); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

func TestOpen(t *testing.T) {
	m, err := lanes.Open(lanes.Config{Clock: clock(1234)})
	if err != nil {
		t.Fatal(err)
	}
	r := m.Projects()
	first, second := mustClaim(t, r, "p", "run").Fencing(), mustClaim(t, r, "q", "run").Fencing()
	if first != (lanes.Fencing{Epoch: 1234, Number: 1}) || second.Epoch != 1234 || second.Compare(first) <= 0 || first.Compare(second) >= 0 || first.Compare(first) != 0 {
		t.Errorf("fencing %v, then %v", first, second)
	}
	if later := (lanes.Fencing{Epoch: 1235, Number: 1}); later.Compare(second) <= 0 {
		t.Errorf("%v isn't after %v", later, second)
	}
	if zero := (lanes.Lease{}); zero.Fencing() != (lanes.Fencing{}) || zero.Project() != "" || zero.Run() != "" || zero.String() != "lease()" || !zero.Equal(lanes.Lease{}) {
		t.Errorf("the zero Lease is %v", zero)
	}
	m, err = lanes.Open(lanes.Config{Clock: clock(-5)})
	if err != nil {
		t.Fatal(err)
	}
	r = m.Projects()
	if f := mustClaim(t, r, "p", "run").Fencing(); f.Epoch != 1 {
		t.Errorf("before 1970 the fencing is %v", f)
	}
}
