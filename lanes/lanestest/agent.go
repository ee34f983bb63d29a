package lanestest

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"sync"

	"github.com/interlock-go/interlock/lanes"
)

// Agent is a fake agent server with the manners of a real one. As an
// http.Handler it answers
//
//	GET  /session/status?directory=D       the statuses, such as {"ses_1":{"type":"busy"}}
//	POST /session/{id}/prompt?directory=D  with the prompt as its body: 204
//	POST /session/{id}/abort?directory=D   200 and true, whether or not anything runs
//
// Its list leaves out idle sessions, and what runs in another process. A prompt
// is accepted before it starts. A prompt that comes into a turn at work corrupts
// that turn. An abort hits whatever is at work here when it arrives.
//
// Nothing happens by itself: a test says when prompts start, aborts arrive, turns
// end and calls fail. Any number of goroutines may use an Agent; its zero value
// is ready for use.
//
// In a bubble of testing/synctest time stands still while a socket is waited for.
// There the Agent is called without one:
//
//	w := httptest.NewRecorder()
//	agent.ServeHTTP(w, httptest.NewRequest("GET", "/session/status?directory=/src", nil))
//	err := json.Unmarshal(w.Body.Bytes(), &statuses)
type Agent struct {
	mu          sync.Mutex
	turns       map[lanes.SessionKey][]*Turn
	holdPrompts bool
	holdAborts  bool
	prompts     []heldPrompt
	aborts      []lanes.SessionKey
	failures    []Failure
}

// Turn is one turn of a session, as it was.
type Turn struct {
	Prompt    string // empty if the turn isn't of a prompt that this Agent took
	Elsewhere bool   // it runs in another process: no list has it, no abort hits it
	Retrying  bool   // the list says retry, not busy
	Corrupted bool   // a prompt came into it
	End       TurnEnd
}

// TurnEnd is how a turn came to its end.
type TurnEnd string

// The ends of a turn; it is at work while it has none.
const (
	TurnFinished TurnEnd = "finished"
	TurnAborted  TurnEnd = "aborted"
)

// Failure is how a call fails.
type Failure string

// The failures of a call.
const (
	FailBefore Failure = "before" // it is answered 503, and nothing was done
	FailAfter  Failure = "after"  // it is answered 502, and was done all the same
)

type heldPrompt struct {
	key    lanes.SessionKey
	prompt string
}

// HoldPrompts says whether prompts that are accepted wait before they start.
// Those that wait start, in their order, when it is set to false.
func (a *Agent) HoldPrompts(hold bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.holdPrompts = hold; !hold {
		for _, p := range a.prompts {
			a.start(p.key, &Turn{Prompt: p.prompt})
		}
		a.prompts = nil
	}
}

// HoldAborts says whether aborts that are accepted are still on their way. Those
// arrive, in their order, when it is set to false.
func (a *Agent) HoldAborts(hold bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.holdAborts = hold; !hold {
		for _, key := range a.aborts {
			a.hit(key)
		}
		a.aborts = nil
	}
}

// FailNext makes the next calls fail, one each, lists as well as prompts and
// aborts.
func (a *Agent) FailNext(failures ...Failure) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.failures = append(a.failures, failures...)
}

// StartOutside starts a turn of somebody else, who uses this server, or, if
// elsewhere is set, another one.
func (a *Agent) StartOutside(key lanes.SessionKey, elsewhere bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.start(key, &Turn{Elsewhere: elsewhere})
}

// Retry makes the session's turn at work retry, or go on.
func (a *Agent) Retry(key lanes.SessionKey, retrying bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if t := a.atWork(key, true); t != nil {
		t.Retrying = retrying
	}
}

// Finish ends the session's turn at work, wherever it is.
func (a *Agent) Finish(key lanes.SessionKey) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if t := a.atWork(key, true); t != nil {
		t.End = TurnFinished
	}
}

// Turns returns the session's turns, the first one in front.
func (a *Agent) Turns(key lanes.SessionKey) []Turn {
	a.mu.Lock()
	defer a.mu.Unlock()
	var turns []Turn
	for _, t := range a.turns[key] {
		turns = append(turns, *t)
	}
	return turns
}

// atWork returns the session's turn at work, or nil: of any process, or here
// alone.
func (a *Agent) atWork(key lanes.SessionKey, anywhere bool) *Turn {
	for _, t := range slices.Backward(a.turns[key]) {
		if t.End == "" && (anywhere || !t.Elsewhere) {
			return t
		}
	}
	return nil
}

func (a *Agent) start(key lanes.SessionKey, t *Turn) {
	if other := a.atWork(key, true); other != nil {
		other.Corrupted = true
	}
	if a.turns == nil {
		a.turns = map[lanes.SessionKey][]*Turn{}
	}
	a.turns[key] = append(a.turns[key], t)
}

func (a *Agent) hit(key lanes.SessionKey) {
	for _, t := range a.turns[key] {
		if t.End == "" && !t.Elsewhere {
			t.End = TurnAborted
		}
	}
}

// ServeHTTP implements http.Handler.
func (a *Agent) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /session/status", a.answer(a.status))
	mux.HandleFunc("POST /session/{id}/prompt", a.answer(a.prompt))
	mux.HandleFunc("POST /session/{id}/abort", a.answer(a.abort))
	mux.ServeHTTP(w, r)
}

// answer returns a handler that answers what do does, in JSON, or 204 if that is
// nil, unless the call is to fail.
func (a *Agent) answer(do func(key lanes.SessionKey, text string) any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		key := lanes.SessionKey{Directory: r.URL.Query().Get("directory"), Session: r.PathValue("id")}
		answer, failure := a.call(do, key, string(text))
		switch {
		case failure == FailBefore:
			http.Error(w, "overloaded", http.StatusServiceUnavailable)
		case failure == FailAfter:
			http.Error(w, "bad gateway", http.StatusBadGateway)
		case answer == nil:
			w.WriteHeader(http.StatusNoContent)
		default:
			w.Header().Set("Content-Type", "application/json")
			json.NewEncoder(w).Encode(answer) // a caller that has left needs no answer
		}
	}
}

// call does one call, unless it fails before.
func (a *Agent) call(do func(key lanes.SessionKey, text string) any, key lanes.SessionKey, text string) (answer any, failure Failure) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.failures) > 0 {
		failure, a.failures = a.failures[0], a.failures[1:]
	}
	if failure != FailBefore {
		answer = do(key, text)
	}
	return answer, failure
}

func (a *Agent) status(of lanes.SessionKey, _ string) any {
	type status struct {
		Type string `json:"type"`
	}
	list := map[string]status{}
	for key := range a.turns {
		t := a.atWork(key, false)
		switch {
		case t == nil || key.Directory != of.Directory: // idle here: left out
		case t.Retrying:
			list[key.Session] = status{"retry"}
		default:
			list[key.Session] = status{"busy"}
		}
	}
	return list
}

func (a *Agent) prompt(key lanes.SessionKey, text string) any {
	if a.holdPrompts {
		a.prompts = append(a.prompts, heldPrompt{key, text})
	} else {
		a.start(key, &Turn{Prompt: text})
	}
	return nil
}

func (a *Agent) abort(key lanes.SessionKey, _ string) any {
	if a.holdAborts {
		a.aborts = append(a.aborts, key)
	} else {
		a.hit(key)
	}
	return true
}
