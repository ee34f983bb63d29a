package lanes_test

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"sync"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/lane"
	"github.com/interlock-go/interlock/fsm/queue"
	"github.com/interlock-go/interlock/fsm/session"
	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/lanes"
	"github.com/interlock-go/interlock/spec"
)

// numbered is a record of a log: each step has one, and they are numbered from
// 1.
type numbered struct {
	number int
	lanes.Taken
}

// tracer writes a log of one machine.
type tracer struct {
	mu      sync.Mutex
	machine string
	records []numbered
}

func (l *tracer) record(s lanes.Taken) {
	if s.Machine != l.machine {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.records = append(l.records, numbered{len(l.records) + 1, s})
}

// trace is a log, and what its end says: how many records it has.
type trace struct {
	records []numbered
	end     int
	start   any // the machine of an instance at its start
}

func (l *tracer) trace(start any) trace { return trace{l.records, len(l.records), start} }

// matcher takes the steps of a log on machines of its own.
type matcher struct {
	*writer
	start    any
	machines map[string]any
	shared   queue.Shared
}

// match returns an error unless tr is a behaviour of the table: each record is
// one step of its instance, with the row, the effects and the variables after it
// that the record tells. The error names the first record that isn't, and which
// condition of its row is false. It takes one step a record.
func match(w *writer, tr trace) error {
	if len(tr.records) == 0 {
		return errors.New("the log is empty")
	}
	return newMatcher(w, tr.start).rest(tr, 0)
}

func newMatcher(w *writer, start any) *matcher {
	return &matcher{writer: w, start: start, machines: map[string]any{}}
}

func (m *matcher) clone() *matcher {
	c := *m
	c.machines = maps.Clone(m.machines)
	return &c
}

// rest is match for a log whose first records were taken.
func (m *matcher) rest(tr trace, from int) error {
	for i := from; i < len(tr.records); i++ {
		r := &tr.records[i]
		if r.number != i+1 {
			return fmt.Errorf("record %d has the number %d", i+1, r.number)
		}
		if err := m.take(&r.Taken); err != nil {
			return fmt.Errorf("record %d, %s %s: %w", i+1, r.Machine, r.Instance, err)
		}
	}
	if len(tr.records) != tr.end {
		return fmt.Errorf("record %d is missing, and the log's end", len(tr.records)+1)
	}
	return nil
}

// take takes the step that r tells.
func (m *matcher) take(r *lanes.Taken) error {
	before, ok := m.machines[r.Instance]
	if !ok {
		before = m.start
	}
	want := lanes.Taken{Machine: r.Machine, Instance: r.Instance, Event: r.Event}
	var guards []fsm.Guard
	switch b := before.(type) {
	case lane.Machine:
		e, ok := r.Event.(lane.Event)
		if !ok {
			return fmt.Errorf("%T is no event of it", r.Event)
		}
		guards = b.Explain(e)
		want.Decision, want.Effects = b.Step(e, nil)
		want.After = b
	case queue.Machine:
		e, ok := r.Event.(queue.Event)
		if !ok {
			return fmt.Errorf("%T is no event of it", r.Event)
		}
		b = b.Clone()
		b.Shared = m.shared
		guards = b.Explain(e)
		want.Decision, want.Effects = b.Step(e, nil)
		want.After, m.shared = b, b.Shared
	case session.Machine:
		e, ok := r.Event.(session.Event)
		if !ok {
			return fmt.Errorf("%T is no event of it", r.Event)
		}
		guards = b.Explain(e)
		want.Decision, want.Effects = b.Step(e, nil)
		want.After = b
	}
	m.machines[r.Instance] = want.After
	return m.compare(r, &want, guards)
}

// compare says how r differs from the step that the table takes.
func (m *matcher) compare(r, want *lanes.Taken, guards []fsm.Guard) error {
	row, then := decided(r)
	wantRow, wantThen := decided(want)
	if row != wantRow || then != wantThen {
		return fmt.Errorf("%T%+v: %s, but %s; the table takes %s", r.Event, r.Event, strings.Trim(row+"+"+then, "+"), falsified(guards, row, then), strings.Trim(wantRow+"+"+wantThen, "+"))
	}
	got, err := m.line(r)
	if err != nil {
		return err
	}
	expected, err := m.line(want)
	if err != nil {
		return err
	}
	if reflect.DeepEqual(expected, got) {
		return nil
	}
	return fmt.Errorf("%T%+v by %s (-table +record):\n%s", r.Event, r.Event, row, cmp.Diff(told(&expected), told(&got)))
}

// falsified names the conditions of a row that are false.
func falsified(guards []fsm.Guard, rows ...string) string {
	var wrong []string
	for _, g := range guards {
		for _, row := range rows {
			if g.Row == row && !g.Holds {
				wrong = append(wrong, fmt.Sprintf("%q is false", g.Cond))
			}
		}
	}
	if len(wrong) == 0 {
		return "a row before it applies"
	}
	return strings.Join(wrong, ", ")
}

// told is what a line tells of effects and variables.
func told(l *tlaplus.Line) any {
	effects := []string{}
	for _, e := range l.Effects {
		effects = append(effects, fmt.Sprint(e.Effect.Name, e.Args))
	}
	parts := []string{}
	for _, p := range l.Parts {
		parts = append(parts, fmt.Sprint(p.Part.Name, p.Key, p.Fields))
	}
	return []any{effects, l.After, l.Lists, parts}
}

// moves reports whether r is of a row that changes something.
func (w *writer) moves(r *lanes.Taken) bool {
	row, _ := decided(r)
	return w.rows[row] != nil && w.rows[row].Outcome == spec.Move
}
