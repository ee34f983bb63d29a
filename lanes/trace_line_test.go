package lanes_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/lane"
	"github.com/interlock-go/interlock/fsm/queue"
	"github.com/interlock-go/interlock/fsm/session"
	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/lanes"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// writer says what a recorder saw in the words of a table.
type writer struct {
	table *spec.Table
	rows  map[string]*spec.Row
	texts map[string]uint64 // the codes of identities that are texts
}

func writerOf(t testing.TB, machine string) *writer {
	t.Helper()
	table, err := spec.Load("../spec/" + machine + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	w := &writer{table, map[string]*spec.Row{}, map[string]uint64{}}
	for _, r := range table.Rows() {
		w.rows[r.Name()] = r
	}
	return w
}

// decided returns the names of the rows that decided s, the second empty but
// for those that go on with a sub-table.
func decided(s *lanes.Taken) (row, then string) {
	switch d := s.Decision.(type) {
	case lane.Decision:
		return d.Row.Info().Name, ""
	case queue.Decision:
		if d.Then != queue.NoRow {
			then = d.Then.Info().Name
		}
		return d.Row.Info().Name, then
	case session.Decision:
		return d.Row.Info().Name, ""
	}
	return "", ""
}

// line returns s as a line of a log. The error is of what no table has.
func (w *writer) line(s *lanes.Taken) (l tlaplus.Line, err error) {
	l = tlaplus.Line{Instance: s.Instance}
	row, then := decided(s)
	if l.Row, l.Then = w.rows[row], w.rows[then]; l.Row == nil || then != "" && l.Then == nil {
		return l, fmt.Errorf("the table has no row %s %s", row, then)
	}
	event := reflect.ValueOf(s.Event)
	if name := event.Type().Name(); name != names.Exported(l.Row.Event.Name) {
		return l, fmt.Errorf("row %s isn't one of %s", row, name)
	}
	for i, a := range l.Row.Event.Args {
		l.Args = append(l.Args, w.code(a.Sym.Type, event.Field(i)))
	}
	effects := reflect.ValueOf(s.Effects)
	for i := range effects.Len() {
		e := effects.Index(i)
		effect := w.table.Effects[e.FieldByName("Kind").Uint()-1]
		em := tlaplus.Emitted{Effect: effect}
		for _, a := range effect.Args {
			em.Args = append(em.Args, w.code(a.Type, e.FieldByName(names.Exported(a.Name))))
		}
		l.Effects = append(l.Effects, em)
	}
	w.after(&l, reflect.ValueOf(s.After))
	return l, nil
}

// after tells l the variables of a machine.
func (w *writer) after(l *tlaplus.Line, m reflect.Value) {
	l.After = []uint64{m.FieldByName("State").Uint()}
	for _, v := range slices.Concat(w.table.Vars, w.table.Shared) {
		field := m.FieldByName(names.Exported(v.Sym.Name))
		if list, ok := field.Interface().(fsm.FIFO[queue.Ticket]); ok {
			elems := []uint64{}
			for t := range list.All() {
				elems = append(elems, uint64(t))
			}
			l.After, l.Lists = append(l.After, 0), append(l.Lists, elems)
			continue
		}
		l.After = append(l.After, w.code(v.Sym.Type, field))
	}
	for _, p := range w.table.Parts {
		parts := m.FieldByName(names.Exported(p.Name)).Interface().(map[queue.Ticket]queue.TicketPart)
		for _, key := range slices.Sorted(maps.Keys(parts)) {
			rec := tlaplus.Record{Part: p, Key: uint64(key)}
			part := reflect.ValueOf(parts[key])
			for _, f := range p.Fields() {
				rec.Fields = append(rec.Fields, w.code(f.Type, part.FieldByName(names.Exported(f.Name))))
			}
			l.Parts = append(l.Parts, rec)
		}
	}
}

// code returns the code of a value in Go.
func (w *writer) code(ty *expr.Type, v reflect.Value) uint64 {
	switch ty.Kind {
	case expr.Bool:
		if v.Bool() {
			return 1
		}
		return 0
	case expr.Int:
		return uint64(v.Int() - int64(ty.Lo))
	case expr.Enum:
		if ty.Else != "" {
			return v.Uint() - 1 // in Go the zero value is none of them
		}
		return v.Uint()
	case expr.Optional:
		if !v.MethodByName("HasValue").Call(nil)[0].Bool() {
			return 0
		}
		return 1 + w.code(ty.Elem, v.MethodByName("Value").Call(nil)[0])
	}
	if v.Kind() != reflect.String {
		return v.Uint()
	}
	if w.texts[v.String()] == 0 {
		w.texts[v.String()] = uint64(len(w.texts)) + 1
	}
	return w.texts[v.String()]
}

// lines returns what was recorded as lines of a log. It is in the order of the
// steps of each instance; where instances share fresh values, in that of their
// issue, as a log must be.
func (w *writer) lines(t testing.TB, records []numbered) []tlaplus.Line {
	t.Helper()
	type keyed struct {
		tlaplus.Line
		issued uint64 // the last number that the instance had drawn
	}
	var all []keyed
	last := map[string]uint64{}
	for i := range records {
		l, err := w.line(&records[i].Taken)
		if err != nil {
			t.Fatal(err)
		}
		if w.table.Name == "lane" && l.Row.Name() == "claim.won" {
			last[l.Instance] = l.Args[1]
		}
		all = append(all, keyed{l, last[l.Instance]})
	}
	slices.SortStableFunc(all, func(a, b keyed) int {
		return int(int64(a.issued) - int64(b.issued))
	})
	var out []tlaplus.Line
	for _, k := range all {
		out = append(out, k.Line)
	}
	return out
}

// uncovered returns the rows that may apply and aren't among those taken, sorted.
func (w *writer) uncovered(taken map[string]bool) []string {
	var out []string
	for name, r := range w.rows {
		never := r.Outcome == spec.Never
		world := r.Event != nil && slices.Contains(w.table.World, r.Event)
		if !taken[name] && !never && !world {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
