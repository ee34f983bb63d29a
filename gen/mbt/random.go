package mbt

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/mbt/literal"
	"github.com/interlock-go/interlock/gen/mbt/ways"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// Random drives the machine by random commands, with the interpreted table as
// its reference and, unless peer is nil, looplab/fsm beside it on the control
// states. After each command row, kind and code, machine and effects are
// compared; an answer that isn't a move must leave the machine bit by bit.
//
// A shortest way to each row comes first, once. Half of the random runs begin
// with such a way too, and all draw commands by the row that they lead to, so
// that rare rows come as often as others. Among them are hostile ones: zero
// values, values outside their enumeration, identities that nobody gave out,
// stale ones, and ones that aren't fresh where the table wants that.
//
// A failure shrinks and is printed as a script in Go. A row of the table that
// never decided, but for those that never apply, is a failure too, and so is a
// step that allocates. The seed is fixed unless -rapid.seed or RAPID_SEED gives
// one.
func Random[M, F any](t *testing.T, tab Table, s Subject[M, F], peer *Looplab) {
	table := tab.load(t)
	settle(t, len(decisions(table)))
	b := &rig[M, F]{table: table, peer: peer, known: map[string]decision{}, taken: map[string]witness[M, F]{}, led: map[ways.Decider]bool{}}
	for _, d := range decisions(table) {
		b.known[d.info.Name] = d
	}
	for _, m := range table.Models {
		if err := b.add(m, s); err != nil {
			t.Fatal(err)
		}
	}
	for _, w := range b.ways {
		b.begin(b.setups[w.setup], w.start).follow(t, w.commands)
	}
	var often []*spec.Event
	for _, e := range table.Events {
		for range weight(e) {
			often = append(often, e)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		r := b.random(rt)
		rt.Repeat(map[string]func(*rapid.T){"step": func(rt *rapid.T) {
			r.do(rt, r.draw(rt, pick(rt, often, "event")))
		}})
	})
	for _, d := range decisions(table) {
		if w, ok := b.taken[d.info.Name]; ok {
			w.allocations(t, d.info.Name)
		}
	}
	for _, name := range missing(table, func(d decision) bool { _, ok := b.taken[d.info.Name]; return ok }) {
		t.Errorf("%s never decided a command: more runs may, see -rapid.checks", name)
	}
}

// weight is how often an event is drawn, by how many rows it has: one of few
// rows often ends what others go on with.
func weight(e *spec.Event) int { return len(e.Args) + len(e.Decisions()) }

// pick draws one of a list, each as likely as another: rapid's own numbers are
// mostly small. It shrinks to the first.
func pick[T any](rt *rapid.T, list []T, label string) T {
	i := rapid.Custom(func(t *rapid.T) int {
		n := 0
		for range 12 {
			n <<= 1
			if rapid.Bool().Draw(t, "bit") {
				n++
			}
		}
		return n % len(list)
	}).Draw(rt, label)
	return list[i]
}

// settle makes rapid repeatable unless a seed is given, lets it run longer for
// a table of many rows, and keeps it from writing files: the script of a failure
// is printed.
func settle(t *testing.T, rows int) {
	for _, set := range []struct{ name, from, to string }{
		{"rapid.seed", "0", "1"}, {"rapid.nofailfile", "false", "true"},
		{"rapid.steps", "30", fmt.Sprint(30 * (1 + rows/30))},
	} {
		f := flag.Lookup(set.name)
		if f == nil || f.Value.String() != set.from {
			continue
		}
		if err := f.Value.Set(set.to); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Value.Set(set.from) }) // it was its value
	}
}

// rig is what all runs of Random share.
type rig[M, F any] struct {
	table  *spec.Table
	peer   *Looplab
	setups []*setup[M, F]
	ways   []way
	led    map[ways.Decider]bool // there is a way
	known  map[string]decision
	taken  map[string]witness[M, F] // the first command that each row decided
}

// setup is a machine's parameters, with the table's own stepper for them.
type setup[M, F any] struct {
	subject Subject[M, F]
	params  []int
	start   []uint64       // the declared one
	starts  [][]uint64     // all of them, that one first
	fields  []interp.Field // of start
	most    map[*expr.Type]uint64
	interp  *interp.Machine
	stepper interp.Stepper
	print   literal.Printer
}

// witness is a step that can be taken again.
type witness[M, F any] struct {
	*setup[M, F]
	vars []uint64
	cmd  command
}

// add makes a setup of a model's parameters, unless there is one, and adds the
// model's ways.
func (b *rig[M, F]) add(model *spec.Model, s Subject[M, F]) error {
	if i := slices.IndexFunc(b.setups, func(s *setup[M, F]) bool { return slices.Equal(s.params, model.Params) }); i >= 0 {
		return b.waysOf(model, i)
	}
	m, most, err := spacious(b.table, model)
	if err != nil {
		return err
	}
	b.setups = append(b.setups, &setup[M, F]{
		subject: sized(s, m), params: model.Params,
		start: literal.Vars(m, m.Init()[0], 0), starts: starts(m), fields: literal.Fields(m), most: most,
		interp: m, stepper: m.TableStepper(), print: literal.Of(b.table).In(m),
	})
	return b.waysOf(model, len(b.setups)-1)
}

// way is a shortest way to a step, the step included, and beyond.
type way struct {
	setup    int
	start    []uint64 // one of the setup's
	commands []command
}

// waysOf adds ways to what decides a step in the model, and in none before.
func (b *rig[M, F]) waysOf(model *spec.Model, setup int) error {
	m, err := interp.New(b.table, model)
	if err != nil {
		return err
	}
	paths, err := ways.Find(m)
	if err != nil {
		return err
	}
	for _, e := range b.table.Events {
		for _, d := range ways.Deciders(e) {
			path := paths[d]
			if path == nil || b.led[d] {
				continue
			}
			b.led[d] = true
			last := path.Steps[len(path.Steps)-1].Label
			w := way{setup: setup, start: b.setups[setup].startLike(m, path.Init, last.Instance)}
			for _, st := range path.Steps {
				if l := st.Label; l.Instance == last.Instance && l.Row.Event.By != "world" {
					text := b.setups[setup].print.Event(l.Row.Event, l.Args)
					w.commands = append(w.commands, command{l.Row.Event, l.Args, text})
				}
			}
			b.ways = append(b.ways, w)
		}
	}
	return nil
}

// allocations demands that a step doesn't allocate, given room for its effects,
// but for what the machine grows by.
func (w witness[M, F]) allocations(t *testing.T, row string) {
	start := w.subject.Machine(w.params, w.vars)
	_, buf := w.subject.Step(&start, w.cmd.event.Index, w.cmd.args, nil)
	start = w.subject.Machine(w.params, w.vars)
	step := func(m *M) { _, buf = w.subject.Step(m, w.cmd.event.Index, w.cmd.args, buf[:0]) }
	named := 0
	if strings.Contains(row, "+") {
		named = 1 // the name of two rows is made for this test
	}
	if diff := allocates(&start, named, step); diff != "" {
		t.Errorf("%s: %s", row, diff)
	}
}

// random begins a random run, which often begins with a way.
func (b *rig[M, F]) random(rt *rapid.T) *run[M, F] {
	if pick(rt, []bool{false, true}, "led") && len(b.ways) > 0 {
		w := pick(rt, b.ways, "way")
		r := b.begin(b.setups[w.setup], w.start)
		r.follow(rt, w.commands)
		return r
	}
	s := b.setups[0]
	if len(b.setups) > 1 {
		s = pick(rt, b.setups, fmt.Sprint("params of ", b.table.Name))
	}
	start := s.start
	if len(s.starts) > 1 {
		start = pick(rt, s.starts, "start")
	}
	return b.begin(s, start)
}

// begin returns a run at one of its starts.
func (b *rig[M, F]) begin(s *setup[M, F], start []uint64) *run[M, F] {
	r := &run[M, F]{rig: b, setup: s, vars: slices.Clone(start), fresh: map[string]uint64{}}
	r.machine = s.subject.Machine(s.params, r.vars)
	r.script = newScript(s.print, s.params, start)
	if b.peer != nil {
		r.other = b.peer.New(nil)
	}
	return r
}
