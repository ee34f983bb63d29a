package interp_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

func loadDesk(t testing.TB) *spec.Table {
	t.Helper()
	table, err := spec.Load("testdata/desk.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// person is a ticket of the desk, written without the table.
type person struct {
	state string
	name  uint64
	told  bool
}

// desk is testdata/desk.yaml by hand.
type desk struct {
	t         *testing.T
	table     *spec.Table
	cap, keep int

	closed  bool
	now     uint64 // 0: nobody
	line    []uint64
	past    []uint64
	tickets map[uint64]*person
	effects []interp.Effect
}

var wheres = []string{"made", "waiting", "served", "done", "left"}

// Step is interp.Stepper's.
func (d *desk) Step(vars []uint64, event int, args []uint64) (interp.Decision, []interp.Effect, error) {
	d.read(vars)
	d.effects = nil
	var name string
	switch d.table.Events[event].Name {
	case "take":
		name = d.take(args[0], args[1])
	case "finish":
		name = d.finish(args[0])
	case "leave":
		name = d.leave(args[0])
	case "close":
		name = d.close()
	}
	d.write(vars)
	first, then, _ := strings.Cut(name, "+")
	dec := interp.Decided(row(d.t, d.table, first).Index)
	if then != "" {
		dec.Then = row(d.t, d.table, then).Index
	}
	return dec, d.effects, nil
}

func (d *desk) read(vars []uint64) {
	keys := (len(vars) - 4) / 3
	base := expr.ListBase(keys + 2)
	d.closed, d.now = vars[0] == 1, 0
	if vars[1] > 0 {
		d.now = vars[1] - 1
	}
	d.line, d.past = base.Elements(vars[2]), base.Elements(vars[3])
	d.tickets = map[uint64]*person{}
	for k := range keys {
		rec := vars[4+3*k:]
		d.tickets[uint64(k+1)] = &person{wheres[rec[0]], rec[1], rec[2] == 1}
	}
}

func (d *desk) write(vars []uint64) {
	base := expr.ListBase(len(d.tickets) + 2)
	list := func(l []uint64) (code uint64) {
		for _, t := range l {
			code = base.Append(code, t)
		}
		return code
	}
	vars[0], vars[1], vars[2], vars[3] = 0, 0, list(d.line), list(d.past)
	if d.closed {
		vars[0] = 1
	}
	if d.now > 0 {
		vars[1] = d.now + 1
	}
	for k, p := range d.tickets {
		rec := vars[4+3*(k-1):]
		rec[0], rec[1], rec[2] = uint64(slices.Index(wheres, p.state)), p.name, 0
		if p.told {
			rec[2] = 1
		}
	}
}

func (d *desk) emit(effect string, args ...uint64) {
	i := slices.IndexFunc(d.table.Effects, func(e *spec.Effect) bool { return e.Name == effect })
	d.effects = append(d.effects, interp.Effect{Effect: d.table.Effects[i], Args: args})
}

func (d *desk) over(t uint64, where string) {
	d.tickets[t].state = where
	d.past = append(d.past, t)
}

func (d *desk) trim() {
	for len(d.past) > d.keep {
		*d.tickets[d.past[0]] = person{state: "made"}
		d.past = d.past[1:]
	}
}

func (d *desk) take(t, name uint64) string {
	if d.closed {
		return "take.closed"
	}
	for _, p := range d.tickets {
		if p.name == name+1 {
			return "take.twice"
		}
	}
	if len(d.line) >= d.cap {
		return "take.full"
	}
	*d.tickets[t] = person{state: "served", name: name + 1}
	if d.now == 0 {
		d.now = t
		d.emit("called", t)
		return "take.served"
	}
	d.tickets[t].state = "waiting"
	d.line = append(d.line, t)
	return "take.waits"
}

func (d *desk) finish(t uint64) string {
	p, name := d.tickets[t], "finish.happy"
	switch {
	case p.state == "done" || p.state == "left":
		return "finish.over"
	case p.state != "served":
		return "finish.not"
	case p.told:
		name = "finish.angry"
		d.over(t, "left")
		d.emit("sent", t, 4)
	default:
		d.over(t, "done")
		d.emit("sent", t, 3)
	}
	d.now = 0
	switch {
	case len(d.line) > 0:
		d.now, d.line = d.line[0], d.line[1:]
		d.tickets[d.now].state = "served"
		d.emit("called", d.now)
		name += "+turn.next"
	case d.closed:
		for _, p := range d.tickets {
			*p = person{state: "made"}
		}
		d.past = nil
		name += "+turn.home"
	default:
		name += "+turn.idle"
	}
	d.trim()
	return name
}

func (d *desk) leave(t uint64) string {
	if d.tickets[t].state != "waiting" {
		return "leave.not"
	}
	d.line = slices.DeleteFunc(d.line, func(o uint64) bool { return o == t })
	d.over(t, "left")
	d.trim()
	d.emit("sent", t, 4)
	return "leave.gone"
}

func (d *desk) close() string {
	if d.closed {
		return "close.again"
	}
	d.closed = true
	for _, t := range d.line {
		d.over(t, "left")
		d.emit("sent", t, 4)
	}
	d.line = nil
	if d.now > 0 {
		d.tickets[d.now].told = !d.tickets[d.now].told
	}
	d.trim()
	return "close.told"
}

// TestDesk compares parts, their moves and memory, lists and a sub-table with
// the same machine written by hand: every step of the whole graph.
func TestDesk(t *testing.T) {
	table := loadDesk(t)
	for name, want := range map[string][2]int{"small": {137, 1133}, "large": {348, 3849}} {
		md := model(t, table, name)
		m := machine(t, table, md)
		byHand := machine(t, table, md, interp.WithStepper(&desk{t: t, table: table, cap: md.Params[0], keep: md.Params[1]}))
		var steps []string
		visit := func(from interp.State, st interp.Step) error {
			steps = append(steps, m.Format(from)+"|"+m.FormatEvent(st.Label.Event)+"|"+st.Label.Decision()+"|"+effects(st)+"|"+m.Format(st.To))
			return nil
		}
		walk := func(sys *interp.Machine) (string, []string) {
			steps = nil
			r, err := explore.Run(t.Context(), sys, explore.Options[interp.State, interp.Label]{Visit: visit, Rows: len(table.Rows())})
			if err != nil || !r.Steps.Verdict.OK() {
				t.Fatal(err, m.Explain(r.Steps))
			}
			if r.States != want[0] || r.Edges != want[1] {
				t.Errorf("%s: %d states, %d edges", name, r.States, r.Edges)
			}
			return r.String(), steps
		}
		a, ours := walk(m)
		b, theirs := walk(byHand)
		if a != b || !slices.Equal(ours, theirs) {
			t.Errorf("%s: the graphs differ", name)
			for i := range min(len(ours), len(theirs)) {
				if ours[i] != theirs[i] {
					t.Fatalf("\n%s\n%s", ours[i], theirs[i])
				}
			}
		}
	}
}

func effects(st interp.Step) string {
	var out []string
	for _, f := range st.Label.Effects {
		out = append(out, interp.FormatEffect(f))
	}
	return strings.Join(out, ", ")
}

// TestDeskProperties shows that step properties of a row, of the subject's
// fields and of new ones are judged, and how they are told.
func TestDeskProperties(t *testing.T) {
	table := loadDesk(t)
	m := machine(t, table, model(t, table, "small"))
	r := run(t, m)
	for _, res := range r.Properties {
		if res.Name == "Bad" {
			wants(t, nil, nil, m.Explain(res), "3. finish(ticket 1): finish.angry+turn.home\n     sent(ticket 1, where left)\n     now = none, tickets(1).state = made, tickets(1).name = none, tickets(1).told = false\n"+
				"Bad fails: new.it.state == done\n")
		} else if !res.Verdict.OK() {
			t.Errorf("%s: %s", res.Name, m.Explain(res))
		}
	}
}

// TestPartFaults changes the desk so that a step breaks what no row may.
func TestPartFaults(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*spec.Table)
		reason error
		want   string
	}{
		{"a move from another state", func(table *spec.Table) {
			row(t, table, "finish.not").PartFrom = []int{0}
			row(t, table, "finish.happy").PartFrom = []int{1, 2}
		}, interp.ErrMove, "finish.happy: the part isn't where the move starts: finish: ticket (waiting of 2)"},
		{"forgetting one that waits", func(table *spec.Table) {
			row(t, table, "close.told").Forget = table.Parts
		}, interp.ErrMove, "close.told: the part isn't where the move starts: forget: tickets (served of 1)"},
		{"a value twice", func(table *spec.Table) {
			table.EventNamed("take").Checks = slices.Delete(table.EventNamed("take").Checks, 1, 2)
		}, interp.ErrUnique, "take.waits: two parts have one value in a unique variable"},
		{"a list that is full", func(table *spec.Table) {
			table.EventNamed("take").Checks = table.EventNamed("take").Checks[:2]
		}, interp.ErrUndefined, "take.waits: the expression has no value: line: line.append(ticket) (append() to a full list)"},
		{"the head of nothing", func(table *spec.Table) {
			table.Tables[0].Rows[0].Unless = nil
			table.Tables[0].Rows = table.Tables[0].Rows[:1]
		}, interp.ErrUndefined, "(head() of an empty list)"},
		{"a sub-table with a gap", func(table *spec.Table) {
			table.Tables[0].Rows = table.Tables[0].Rows[:2]
		}, interp.ErrGap, "gap at finish(ticket 1)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := loadDesk(t)
			c.change(table)
			m := machine(t, table, model(t, table, "small"))
			r := run(t, m)
			if r.Steps.Err == nil {
				t.Fatal("nothing is wrong")
			}
			wants(t, r.Steps.Err, c.reason, r.Steps.Err.Error(), c.want)
		})
	}
}
