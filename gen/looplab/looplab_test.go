package looplab_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/looplab/fsm"

	lane "github.com/interlock-go/interlock/fsm/lane/looplab"
	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/looplab"
	"github.com/interlock-go/interlock/spec"
)

func load(t testing.TB) *spec.Table {
	t.Helper()
	table, err := spec.Load("../../spec/lane.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func files(t testing.TB, table *spec.Table) []file.File {
	t.Helper()
	out, err := looplab.Files(table)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestFilesAreTheSameEachTime(t *testing.T) {
	want := files(t, load(t))
	for range 100 {
		if diff := cmp.Diff(want, files(t, load(t))); diff != "" {
			t.Fatal(diff)
		}
	}
}

// TestEveryEdge takes every step of every model: looplab/fsm goes where the
// table goes, and where the control state decides, one answer is all there is.
func TestEveryEdge(t *testing.T) {
	table := load(t)
	for _, model := range table.Models {
		t.Run(model.Name, func(t *testing.T) {
			m, err := interp.New(table, model)
			if err != nil {
				t.Fatal(err)
			}
			w := walker{t: t, table: table, m: m, f: lane.New(nil), answers: map[[2]string]string{}}
			w.walk()
		})
	}
}

type walker struct {
	t       *testing.T
	table   *spec.Table
	m       *interp.Machine
	f       *fsm.FSM
	answers map[[2]string]string // of cells that the control state decides
}

func (w *walker) walk() {
	todo := w.m.Init()
	seen := map[interp.State]bool{todo[0]: true}
	for len(todo) > 0 {
		s := todo[0]
		todo = todo[1:]
		err := w.m.Steps(s, func(st interp.Step) bool {
			w.step(s, st)
			if !seen[st.To] {
				seen[st.To] = true
				todo = append(todo, st.To)
			}
			return !w.t.Failed()
		})
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w *walker) control(s interp.State, instance int) string {
	own, _ := w.m.Fields()
	return w.table.States[w.m.Values(s)[instance*len(own)]].Name
}

func (w *walker) step(s interp.State, st interp.Step) {
	row := st.Label.Row
	if w.table.EventNamed(row.Event.Name).By == "world" {
		return
	}
	from, to := w.control(s, st.Label.Instance), w.control(st.To, st.Label.Instance)
	answer := "not accepted"
	if st.Kind.Accepted() {
		answer = "to " + to
		w.f.SetState(from)
		moved, err := lane.Fire(context.Background(), w.f, lane.Event(row.Name()))
		if err != nil || moved != (from != to) || w.f.Current() != to {
			w.t.Errorf("%s in %s: %s, moved: %v, %v; want %s", row.Name(), from, w.f.Current(), moved, err, to)
		}
	} else if e := lane.Event(row.Name()); e != "" {
		w.t.Errorf("%s is refused, and has the event %s", row.Name(), e)
	}
	cell := [2]string{row.Event.Name, from}
	if guards := lane.Guards(cell[0], cell[1]); len(guards) > 0 {
		if !strings.Contains(strings.Join(guards, " "), row.Name()) {
			w.t.Errorf("%s in %s has no guard for %s", cell[0], from, row.Name())
		}
		return
	}
	if old, ok := w.answers[cell]; ok && old != answer {
		w.t.Errorf("the control state decides %s in %s, which is %s and %s", cell[0], from, old, answer)
	}
	w.answers[cell] = answer
	w.f.SetState(from)
	if answer == "not accepted" && w.f.Can(cell[0]) {
		w.t.Errorf("%s in %s can be fired", cell[0], from)
	}
}

// TestStay pins what looplab/fsm does with a row that stays: an error, though
// the callbacks of the event run; Fire tells it from a refusal.
func TestStay(t *testing.T) {
	var calls []string
	note := func(s string) fsm.Callback {
		return func(context.Context, *fsm.Event) { calls = append(calls, s) }
	}
	f := lane.New(fsm.Callbacks{
		"before_event": note("before"), "leave_state": note("leave"), "enter_state": note("enter"), "after_event": note("after"),
	})
	f.SetState("stop_requested")
	ctx := context.Background()
	if err := f.Event(ctx, "requestStop"); !errors.As(err, new(fsm.NoTransitionError)) {
		t.Errorf("looplab/fsm says %v of a stay", err)
	}
	if diff := cmp.Diff([]string{"before", "after"}, calls); diff != "" {
		t.Error(diff)
	}
	if moved, err := lane.Fire(ctx, f, "requestStop"); moved || err != nil {
		t.Errorf("a stay: %v, %v", moved, err)
	}
	if moved, err := lane.Fire(ctx, f, "claim"); moved || !errors.As(err, new(fsm.InvalidEventError)) {
		t.Errorf("a refusal: %v, %v", moved, err)
	}
	if moved, err := lane.Fire(ctx, f, "release"); !moved || err != nil {
		t.Errorf("a move: %v, %v", moved, err)
	}
}

// TestStayKeepsACallbacksError makes sure that Fire hides only the stay.
func TestStayKeepsACallbacksError(t *testing.T) {
	broken := errors.New("broken")
	f := lane.New(fsm.Callbacks{"after_requestStop": func(_ context.Context, e *fsm.Event) { e.Err = broken }})
	f.SetState("stop_requested")
	if moved, err := lane.Fire(context.Background(), f, "requestStop"); moved || err != broken {
		t.Errorf("%v, %v", moved, err)
	}
}

// TestDiagram: looplab/fsm's own diagram starts where the machine is.
func TestDiagram(t *testing.T) {
	f := lane.New(nil)
	if _, err := lane.Fire(context.Background(), f, "claim"); err != nil {
		t.Fatal(err)
	}
	theirs, err := fsm.VisualizeForMermaidWithGraphType(f, fsm.StateDiagram)
	if err != nil || !strings.Contains(theirs, "[*] --> running") {
		t.Errorf("looplab/fsm mended its diagrams: %v\n%s", err, theirs)
	}
	ours, err := lane.Diagram()
	if err != nil || !strings.Contains(ours, "[*] --> free\n") {
		t.Errorf("%v\n%s", err, ours)
	}
}
