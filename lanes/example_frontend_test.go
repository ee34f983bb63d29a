package lanes_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"github.com/interlock-go/interlock/lanes"
	"github.com/interlock-go/interlock/lanes/lanestest"
)

// frontEnd prompts an agent server for people in a browser.
type frontEnd struct {
	sessions  *lanes.Sessions
	agent     string // its URL
	directory string
}

// prompt begins a run: 202 once its prompt is sent, 409 with the code and the
// reason if a run can't begin, or must be confirmed: by a button that says
// "Continue here", and sends the same again with confirm=yes.
func (f *frontEnd) prompt(w http.ResponseWriter, r *http.Request) {
	ctx, key := r.Context(), lanes.SessionKey{Directory: f.directory, Session: r.PathValue("id")}
	lease, err := f.sessions.Begin(ctx, key, r.URL.Query().Get("run"), r.URL.Query().Get("confirm") == "yes")
	if err != nil {
		refuse(w, err)
		return
	}
	if err := f.send(ctx, lease, r.Body); err != nil {
		// This must be told even if the browser has gone, which may be why. It
		// is refused if somebody has stopped the run, or deleted the session.
		f.sessions.PromptFailed(context.WithoutCancel(ctx), lease)
		refuse(w, err)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

// send sends a run's prompt, if it still has its session.
func (f *frontEnd) send(ctx context.Context, lease lanes.SessionLease, prompt io.Reader) error {
	if note, err := f.sessions.Sent(ctx, lease); err != nil {
		return err
	} else if note != "" {
		return fmt.Errorf("not sent again: %s", note)
	}
	return f.call(ctx, "/session/"+url.PathEscape(lease.Key().Session)+"/prompt", prompt, nil)
}

// stop stops the run that the session has.
func (f *frontEnd) stop(w http.ResponseWriter, r *http.Request) {
	key := lanes.SessionKey{Directory: f.directory, Session: r.PathValue("id")}
	done, err := f.sessions.AbortSession(r.Context(), key, func(ctx context.Context) error {
		return f.call(ctx, "/session/"+url.PathEscape(key.Session)+"/abort", nil, nil)
	})
	if err != nil {
		refuse(w, err)
		return
	}
	fmt.Fprintln(w, done.Answer)
}

// poll asks the agent server for its list, as the front end does all the time.
func (f *frontEnd) poll(ctx context.Context) error {
	poll, err := f.sessions.StartPoll(ctx, f.directory) // before the server is asked
	if err != nil {
		return err
	}
	var statuses map[string]struct{ Type string }
	if err := f.call(ctx, "/session/status", nil, &statuses); err != nil {
		return err // and no absence
	}
	list := map[string]lanes.Status{}
	for id, s := range statuses {
		if s.Type != "idle" { // some servers list them; the others are left out
			list[id] = lanes.Status(s.Type)
		}
	}
	_, err = poll.Observe(ctx, list)
	return err
}

// call makes a call of the agent server: a POST, or a GET if there is an answer.
func (f *frontEnd) call(ctx context.Context, path string, body io.Reader, answer any) error {
	method := http.MethodPost
	if answer != nil {
		method = http.MethodGet
	}
	r, err := http.NewRequestWithContext(ctx, method, f.agent+path+"?directory="+url.QueryEscape(f.directory), body)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return errors.New(resp.Status)
	}
	if answer == nil {
		return nil
	}
	return json.NewDecoder(resp.Body).Decode(answer)
}

// refuse answers a refusal with 409, its code and in words why, and any other
// error with 502.
func refuse(w http.ResponseWriter, err error) {
	var no *lanes.Refusal
	if !errors.As(err, &no) {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusConflict)
	json.NewEncoder(w).Encode(no)
}

func (f *frontEnd) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /session/{id}/prompt", f.prompt)
	mux.HandleFunc("POST /session/{id}/stop", f.stop)
	return mux
}

// A front end for people who prompt an agent server that others use too. Every
// turn is confirmed by a person, and no other prompt goes into it.
func Example_frontEnd() {
	var agent lanestest.Agent
	server := httptest.NewServer(&agent)
	defer server.Close()
	m, err := lanes.Open(lanes.Config{})
	if err != nil {
		log.Fatal(err)
	}
	f := &frontEnd{m.Sessions(), server.URL, "/src/web"}
	front := httptest.NewServer(f.handler())
	defer front.Close()
	key := lanes.SessionKey{Directory: "/src/web", Session: "ses_1"}

	post := func(path string) {
		resp, err := http.Post(front.URL+"/session/ses_1/"+path, "text/plain", strings.NewReader("Fix the tests."))
		if err != nil {
			log.Fatal(err)
		}
		defer resp.Body.Close()
		var no struct {
			Code    string
			Session lanes.SessionView
		}
		if resp.StatusCode == http.StatusConflict {
			if err := json.NewDecoder(resp.Body).Decode(&no); err != nil {
				log.Fatal(err)
			}
		}
		fmt.Println(strings.TrimSpace(fmt.Sprintln(path, "->", resp.StatusCode, no.Code)))
		if no.Session.Why != "" {
			fmt.Println("   ", no.Session.Why)
		}
	}
	look := func() {
		if err := f.poll(context.Background()); err != nil {
			log.Fatal(err)
		}
		v, err := f.sessions.View(context.Background(), key)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("   ", v.State)
	}

	agent.StartOutside(key, true) // in a terminal: the list doesn't have it
	post("prompt?run=turn-1")
	agent.Finish(key) // the person looks, and waits until it has
	agent.HoldPrompts(true)
	post("prompt?run=turn-1&confirm=yes")
	look() // not yet in the list: absence is no idleness
	post("prompt?run=turn-1&confirm=yes")
	agent.HoldPrompts(false)
	look()
	agent.Finish(key)
	look()
	post("prompt?run=turn-2")
	for _, turn := range agent.Turns(key) {
		fmt.Printf("%q elsewhere: %v, corrupted: %v\n", turn.Prompt, turn.Elsewhere, turn.Corrupted)
	}

	// Output:
	// prompt?run=turn-1 -> 409 CONFIRM_REQUIRED
	//     Something else may run in this session, a forgotten run of ours too: the server's list leaves out what runs elsewhere.
	// prompt?run=turn-1&confirm=yes -> 202
	//     starting
	// prompt?run=turn-1&confirm=yes -> 409 SESSION_ALREADY_RUNNING
	//     running
	//     completed
	// prompt?run=turn-2 -> 409 CONFIRM_REQUIRED
	//     Something else may run in this session, a forgotten run of ours too: the server's list leaves out what runs elsewhere.
	// "" elsewhere: true, corrupted: false
	// "Fix the tests." elsewhere: false, corrupted: false
}
