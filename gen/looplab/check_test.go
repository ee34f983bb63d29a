package looplab_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/looplab/fsm"

	"github.com/interlock-go/interlock/gen/looplab"
	"github.com/interlock-go/interlock/spec"
)

// table returns a machine with two states and an event between them.
func table(t *testing.T, from, to, event string) *spec.Table {
	t.Helper()
	src := fmt.Sprintf(`machine: door
doc: A door.
states: {%[1]s: {initial: true}, %[2]s: {}}
answers: {SHUT: It is.}
events:
  %[3]s():
    rows:
      done: {from: %[1]s, to: %[2]s}
      same: {from: %[2]s, stay: SHUT}
`, from, to, event)
	tab, err := spec.Read("door.yaml", []byte(src))
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return tab
}

// TestHijacked gives a callback to each name and shows that looplab/fsm calls
// it for something else, or not at all; such names are refused.
func TestHijacked(t *testing.T) {
	for _, c := range []struct {
		from, to, event string
		key             string
		fire            string // an event that isn't the key's
		called          bool   // of fire, or of the key's own
		want            string
	}{
		{"ajar", "shut", "event", "before_event", "other", true, "the callback before_event"},
		{"ajar", "shut", "leave_ajar", "leave_ajar", "other", true, "reads the callback leave_ajar as leave of \"ajar\""},
		{"ajar", "shut", "enter_room", "enter_room", "enter_room", false, "reads the callback enter_room as enter of \"room\""},
		{"ajar", "shut", "before_noon", "before_noon", "before_noon", false, "as before of \"noon\""},
		{"ajar", "after_hours", "lock", "after_hours", "lock", false, "as after of \"hours\""},
	} {
		called := false
		f := fsm.NewFSM(c.from, fsm.Events{
			{Name: c.event, Src: []string{c.from}, Dst: c.to},
			{Name: "other", Src: []string{c.from}, Dst: c.to},
		}, fsm.Callbacks{c.key: func(context.Context, *fsm.Event) { called = true }})
		if err := f.Event(context.Background(), c.fire); err != nil {
			t.Fatal(err)
		}
		if called != c.called {
			t.Errorf("looplab/fsm gives %s back to its owner", c.key)
		}
		refused(t, table(t, c.from, c.to, c.event), c.want)
	}
}

// TestHijackedElsewhere has the names that the language itself refuses, or
// that a table can't have: the back end doesn't rely on that.
func TestHijackedElsewhere(t *testing.T) {
	tab := table(t, "ajar", "shut", "lock")
	tab.States[0].Name = "state"
	refused(t, tab, "leave_state")

	tab = table(t, "ajar", "shut", "lock")
	tab.Events[0].Name = "shut"
	refused(t, tab, "shut is an event and a state")
	called := ""
	f := fsm.NewFSM("ajar", fsm.Events{{Name: "shut", Src: []string{"ajar"}, Dst: "open"}, {Name: "lock", Src: []string{"ajar"}, Dst: "shut"}},
		fsm.Callbacks{"shut": func(_ context.Context, e *fsm.Event) { called = e.Event }})
	if err := f.Event(context.Background(), "lock"); err != nil || called != "lock" {
		t.Errorf("looplab/fsm gives the callback shut to the event: %v, called by %q", err, called)
	}
}

func refused(t *testing.T, tab *spec.Table, want string) {
	t.Helper()
	files, err := looplab.Files(tab)
	if err == nil || !strings.Contains(err.Error(), want) || files != nil {
		t.Errorf("%v, want %q", err, want)
	}
}

func TestTaken(t *testing.T) {
	if _, err := looplab.Files(table(t, "beforehand", "leaves", "eventual")); err != nil {
		t.Error(err)
	}
}
