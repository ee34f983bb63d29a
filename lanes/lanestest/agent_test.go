package lanestest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/lanes"
)

var (
	here  = lanes.SessionKey{Directory: "/src", Session: "ses_1"}
	there = lanes.SessionKey{Directory: "/other", Session: "ses_1"}
)

// call makes a call of a, and returns its code and answer.
func call(t *testing.T, a *Agent, method, url, body string) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	a.ServeHTTP(w, httptest.NewRequest(method, url, strings.NewReader(body)))
	return w.Code, strings.TrimSpace(w.Body.String())
}

func wantCall(t *testing.T, a *Agent, call func(*testing.T, *Agent) (int, string), code int, body string) {
	t.Helper()
	gotCode, gotBody := call(t, a)
	if gotCode != code || gotBody != body {
		t.Fatalf("got %d %s; want %d %s", gotCode, gotBody, code, body)
	}
}

func listed(t *testing.T, a *Agent) (int, string) {
	return call(t, a, "GET", "/session/status?directory=/src", "")
}

func prompted(t *testing.T, a *Agent) (int, string) {
	return call(t, a, "POST", "/session/ses_1/prompt?directory=/src", "hello")
}

func aborted(t *testing.T, a *Agent) (int, string) {
	return call(t, a, "POST", "/session/ses_1/abort?directory=/src", "")
}

func wantTurns(t *testing.T, a *Agent, want ...Turn) {
	t.Helper()
	if diff := cmp.Diff(want, a.Turns(here)); diff != "" {
		t.Fatalf("turns (-want +got):\n%s", diff)
	}
}

// Idle sessions are left out of the list, and those of another directory.
func TestAgentLeavesOutIdleSessions(t *testing.T) {
	var a Agent
	wantCall(t, &a, listed, 200, `{}`)
	wantCall(t, &a, prompted, 204, "")
	a.StartOutside(there, false)
	wantCall(t, &a, listed, 200, `{"ses_1":{"type":"busy"}}`)
	a.Retry(here, true)
	wantCall(t, &a, listed, 200, `{"ses_1":{"type":"retry"}}`)
	a.Retry(here, false)
	wantCall(t, &a, listed, 200, `{"ses_1":{"type":"busy"}}`)
	a.Finish(here)
	wantCall(t, &a, listed, 200, `{}`)
	wantTurns(t, &a, Turn{Prompt: "hello", End: TurnFinished})
}

// A prompt is accepted before the list shows it, and corrupts the turn that it
// comes into.
func TestAgentPrompts(t *testing.T) {
	var a Agent
	a.HoldPrompts(true)
	wantCall(t, &a, prompted, 204, "")
	wantCall(t, &a, listed, 200, `{}`)
	a.HoldPrompts(false)
	wantCall(t, &a, listed, 200, `{"ses_1":{"type":"busy"}}`)
	wantCall(t, &a, prompted, 204, "")
	wantTurns(t, &a, Turn{Prompt: "hello", Corrupted: true}, Turn{Prompt: "hello"})
}

// What runs in another process is in no list, and no abort hits it; a prompt
// comes into it all the same.
func TestAgentElsewhere(t *testing.T) {
	var a Agent
	a.StartOutside(here, true)
	wantCall(t, &a, listed, 200, `{}`)
	wantCall(t, &a, aborted, 200, "true")
	wantCall(t, &a, prompted, 204, "")
	wantTurns(t, &a, Turn{Elsewhere: true, Corrupted: true}, Turn{Prompt: "hello"})
}

// An abort hits what is at work when it arrives, and not a prompt that starts
// later.
func TestAgentAborts(t *testing.T) {
	var a Agent
	a.HoldPrompts(true)
	wantCall(t, &a, prompted, 204, "")
	wantCall(t, &a, aborted, 200, "true")
	a.HoldPrompts(false)
	wantTurns(t, &a, Turn{Prompt: "hello"})
	a.HoldAborts(true)
	wantCall(t, &a, aborted, 200, "true")
	wantTurns(t, &a, Turn{Prompt: "hello"})
	a.Finish(here)
	a.StartOutside(here, false)
	a.HoldAborts(false)
	wantTurns(t, &a, Turn{Prompt: "hello", End: TurnFinished}, Turn{End: TurnAborted})
}

// A call that fails may be done all the same.
func TestAgentFailures(t *testing.T) {
	var a Agent
	a.FailNext(FailBefore, FailAfter, FailBefore, FailBefore, FailAfter, FailAfter)
	wantCall(t, &a, prompted, http.StatusServiceUnavailable, "overloaded")
	wantTurns(t, &a)
	wantCall(t, &a, prompted, http.StatusBadGateway, "bad gateway")
	wantTurns(t, &a, Turn{Prompt: "hello"})
	wantCall(t, &a, listed, http.StatusServiceUnavailable, "overloaded")
	wantCall(t, &a, aborted, http.StatusServiceUnavailable, "overloaded")
	wantTurns(t, &a, Turn{Prompt: "hello"})
	wantCall(t, &a, listed, http.StatusBadGateway, "bad gateway")
	wantCall(t, &a, aborted, http.StatusBadGateway, "bad gateway")
	wantTurns(t, &a, Turn{Prompt: "hello", End: TurnAborted})
	wantCall(t, &a, listed, 200, "{}")
}
