package looplab

import (
	"strings"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

// prefixes begin the keys by which callbacks are given to looplab/fsm. A key
// without one is short for an event or a state.
var prefixes = []string{"before_", "leave_", "enter_", "after_"}

// Check returns, as a diag.List, the names whose callbacks looplab/fsm would
// give to something else, or to nothing, without a word: an event called
// event, a state called state, one name for both, and names that begin like a
// callback's key. It is nil for a table that Files takes.
func Check(t *spec.Table) error {
	var ds diag.List
	states := map[string]*spec.State{}
	for _, s := range t.States {
		states[s.Name] = s
		if s.Name == "state" {
			ds.Add(diag.ReservedName, s.Pos, "looplab/fsm takes the callback leave_state for that of every state").
				WithHint("give the state another name").Width = len(s.Name)
		}
		checkPrefix(&ds, "state", s.Name, s.Pos)
	}
	for _, e := range t.Events {
		if e.Name == "event" {
			ds.Add(diag.ReservedName, e.Pos, "looplab/fsm takes the callback before_event for that of every event").
				WithHint("give the event another name").Width = len(e.Name)
		}
		if s := states[e.Name]; s != nil {
			ds.Add(diag.NameClash, e.Pos, "%s is an event and a state: looplab/fsm gives the event's callback to the state", e.Name).
				WithHint("give one of them another name").
				Also(s.Pos, "the state %s", s.Name).Width = len(e.Name)
		}
		checkPrefix(&ds, "event", e.Name, e.Pos)
	}
	ds.Sort()
	return ds.Err()
}

func checkPrefix(ds *diag.List, what, name string, pos diag.Pos) {
	for _, prefix := range prefixes {
		if strings.HasPrefix(name, prefix) {
			ds.Add(diag.ReservedName, pos, "looplab/fsm reads the callback %s as %s of %q", name, strings.TrimSuffix(prefix, "_"), strings.TrimPrefix(name, prefix)).
				WithHint("the %s's name must not begin with %s", what, prefix).Width = len(name)
		}
	}
}
