package lanes_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/lanes"
	"github.com/interlock-go/interlock/lanes/lanestest"
)

// The example's front end and the fake agent server, over HTTP, where things go
// wrong. The server's manners are those of a real one.
type site struct {
	t     *testing.T
	agent *lanestest.Agent
	end   *frontEnd
	front *httptest.Server
}

func newSite(t *testing.T) *site {
	agent := &lanestest.Agent{}
	server := httptest.NewServer(agent)
	t.Cleanup(server.Close)
	s := openSessions(t, lanes.Config{Sessions: lanes.SessionConfig{AbortRepeat: time.Millisecond}})
	end := &frontEnd{s, server.URL, dir}
	front := httptest.NewServer(end.handler())
	t.Cleanup(front.Close)
	return &site{t, agent, end, front}
}

// post makes a call of the front end, and returns its status and answer.
func (s *site) post(path string) (int, string) {
	s.t.Helper()
	resp, err := http.Post(s.front.URL+"/session/a/"+path, "text/plain", strings.NewReader("prompt of "+path))
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp.StatusCode, strings.TrimSpace(string(body))
}

func (s *site) wantStatus(path string, want int) {
	s.t.Helper()
	if got, body := s.post(path); got != want {
		s.t.Fatalf("%s: %d %s; want %d", path, got, body, want)
	}
}

// wantCode fails unless the call is answered 409 with that code and a reason.
func (s *site) wantCode(path string, want lanes.Code) {
	s.t.Helper()
	var no struct {
		Code    lanes.Code
		Message string
	}
	status, body := s.post(path)
	if err := json.Unmarshal([]byte(body), &no); err != nil || status != http.StatusConflict || no.Code != want || no.Message == "" {
		s.t.Fatalf("%s: %d %s; want %s", path, status, body, want)
	}
}

func (s *site) wantState(want lanes.SessionState) {
	s.t.Helper()
	if err := s.end.poll(bg); err != nil {
		s.t.Fatal(err)
	}
	wantSession(s.t, s.end.sessions, "a", want)
}

func (s *site) wantTurns(want ...lanestest.Turn) {
	s.t.Helper()
	if diff := cmp.Diff(want, s.agent.Turns(inDir("a"))); diff != "" {
		s.t.Fatalf("turns (-want +got):\n%s", diff)
	}
}

// stop stops the run that the session has, and tells the answer once there is
// one.
func (s *site) stop() <-chan string {
	stopped := make(chan string, 1)
	go func() {
		_, answer := s.post("stop")
		stopped <- answer
	}()
	return stopped
}

// pollUntilObeyed asks for lists until a stop is answered, which it must be
// since it was obeyed.
func (s *site) pollUntilObeyed(stopped <-chan string) {
	s.t.Helper()
	for {
		if err := s.end.poll(bg); err != nil {
			s.t.Fatal(err)
		}
		select {
		case answer := <-stopped:
			if answer != string(lanes.AbortObeyed) {
				s.t.Fatal(answer)
			}
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// A call that fails may be accepted all the same: the next begin is confirmed,
// and its view says that the server is busy.
func TestFrontEndLostReply(t *testing.T) {
	s := newSite(t)
	s.agent.FailNext(lanestest.FailBefore, lanestest.FailAfter)
	s.wantStatus("prompt?run=first&confirm=yes", http.StatusBadGateway)
	s.wantTurns()
	s.wantStatus("prompt?run=second&confirm=yes", http.StatusBadGateway)
	s.wantState(lanes.SessionUnknown)
	s.wantCode("prompt?run=third", lanes.ErrConfirmRequired)
	v := sessionView(t, s.end.sessions, "a")
	if v.Reported != lanes.StatusBusy || !strings.Contains(v.Why, "The prompt of our run second failed, but") {
		t.Fatalf("%+v", v)
	}
	s.wantTurns(lanestest.Turn{Prompt: "prompt of prompt?run=second&confirm=yes"})
}

// A list that fails is no absence.
func TestFrontEndFailedList(t *testing.T) {
	s := newSite(t)
	s.wantStatus("prompt?run=first&confirm=yes", http.StatusAccepted)
	s.wantState(lanes.SessionRunning)
	s.agent.FailNext(lanestest.FailBefore, lanestest.FailAfter)
	for range 2 {
		if err := s.end.poll(bg); err == nil {
			t.Fatal("the list didn't fail")
		}
		wantSession(t, s.end.sessions, "a", lanes.SessionRunning)
	}
	s.agent.Retry(inDir("a"), true)
	s.wantState(lanes.SessionRetrying)
	s.agent.Finish(inDir("a"))
	s.wantState(lanes.SessionCompleted)
}

// An abort that arrives late hits its own run, and no later one.
func TestFrontEndLateAbort(t *testing.T) {
	s := newSite(t)
	s.wantStatus("prompt?run=first&confirm=yes", http.StatusAccepted)
	s.wantState(lanes.SessionRunning)
	s.agent.HoldAborts(true)
	stopped := s.stop()
	for sessionView(t, s.end.sessions, "a").State != lanes.SessionCompleted {
		time.Sleep(time.Millisecond)
	}
	s.wantState(lanes.SessionCompleted) // the list still shows it: not obeyed
	s.wantCode("prompt?run=second&confirm=yes", lanes.ErrAbortPending)
	select {
	case answer := <-stopped:
		t.Fatalf("answered %s before it arrived", answer)
	default:
	}
	s.agent.HoldAborts(false)
	s.pollUntilObeyed(stopped)
	s.wantStatus("prompt?run=second&confirm=yes", http.StatusAccepted)
	s.wantState(lanes.SessionRunning)
	s.wantTurns(lanestest.Turn{Prompt: "prompt of prompt?run=first&confirm=yes", End: lanestest.TurnAborted}, lanestest.Turn{Prompt: "prompt of prompt?run=second&confirm=yes"})
}

// A prompt that starts after the first abort is hit by a later one.
func TestFrontEndAbortsAPromptThatStartsLate(t *testing.T) {
	s := newSite(t)
	s.agent.HoldPrompts(true)
	s.wantStatus("prompt?run=first&confirm=yes", http.StatusAccepted)
	stopped := s.stop()
	time.Sleep(10 * time.Millisecond)
	s.agent.HoldPrompts(false)
	for turns := s.agent.Turns(inDir("a")); turns[0].End == ""; turns = s.agent.Turns(inDir("a")) {
		time.Sleep(time.Millisecond)
	}
	s.pollUntilObeyed(stopped)
	s.wantCode("stop", lanes.ErrNotAbortable)
}
