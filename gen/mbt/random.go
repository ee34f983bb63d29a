package mbt

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/mbt/literal"
	"github.com/interlock-go/interlock/gen/mbt/ways"
	"github.com/interlock-go/interlock/spec"
)

// Random drives the machine by random commands, with the interpreted table as
// its reference and, unless peer is nil, looplab/fsm beside it on the control
// states. After each command row, kind and code, machine and effects are
// compared; an answer that isn't a move must leave the machine bit by bit.
//
// A shortest way to each row comes first, once. Random runs begin with such a
// way too, or with none, and draw commands by the row that they lead to, so that
// rare rows come as often as others. Among them are hostile ones: zero values, values outside
// their enumeration, identities that nobody gave out, stale ones, and ones that
// aren't fresh where the table wants that.
//
// A failure shrinks and is printed as a script in Go. A row of the table that
// never decided, but for those that never apply, is a failure too, and so is a
// step that allocates. The seed is fixed unless -rapid.seed or RAPID_SEED gives
// one.
func Random[M comparable, F any](t *testing.T, tab Table, s Subject[M, F], peer *Looplab) {
	table := tab.load(t)
	settle(t)
	b := &rig[M, F]{table: table, subject: s, peer: peer, print: literal.Of(table), known: map[string]decision{}, taken: map[string]witness{}}
	for _, d := range decisions(table) {
		b.known[d.info.Name] = d
	}
	for _, r := range table.Rows() {
		b.infos = append(b.infos, b.known[r.Name()].info)
	}
	for _, m := range table.Models {
		if err := b.add(m); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range b.setups {
		for _, w := range s.ways {
			b.begin(s).follow(t, w)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		r := b.start(rt)
		actions := map[string]func(*rapid.T){}
		for _, e := range table.Events {
			actions[e.Name] = func(rt *rapid.T) { r.do(rt, r.draw(rt, e)) }
		}
		rt.Repeat(actions)
	})
	for _, d := range decisions(table) {
		w, ok := b.taken[d.info.Name]
		switch {
		case ok:
			b.allocations(t, d.info.Name, w)
		case d.reachable():
			t.Errorf("%s never decided a command: more runs may, see -rapid.checks", d.info.Name)
		}
	}
}

// settle makes rapid repeatable unless a seed is given, and keeps it from
// writing files: the script of a failure is printed.
func settle(t *testing.T) {
	for _, set := range []struct{ name, from, to string }{{"rapid.seed", "0", "1"}, {"rapid.nofailfile", "false", "true"}} {
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
type rig[M comparable, F any] struct {
	table   *spec.Table
	subject Subject[M, F]
	peer    *Looplab
	print   literal.Printer
	setups  []*setup
	known   map[string]decision
	infos   []fsm.Info         // by spec.Row.Index
	taken   map[string]witness // the first command that each row decided
}

// setup is a machine's parameters, with the table's own stepper for them.
type setup struct {
	params  []int
	start   []uint64
	stepper interp.Stepper
	ways    [][]command // to rows, in the table's order
}

// witness is a step that can be taken again.
type witness struct {
	params []int
	vars   []uint64
	cmd    command
}

// add adds a model's ways to the setup of its parameters.
func (b *rig[M, F]) add(model *spec.Model) error {
	m, err := interp.New(b.table, model)
	if err != nil {
		return err
	}
	paths, err := ways.Find(context.Background(), m)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(b.setups, func(s *setup) bool { return slices.Equal(s.params, model.Params) })
	if i < 0 {
		i = len(b.setups)
		start := m.Values(m.Init()[0])[:1+len(b.table.Vars)]
		b.setups = append(b.setups, &setup{params: model.Params, start: start, stepper: m.TableStepper()})
	}
	for _, p := range paths {
		if p != nil {
			b.setups[i].ways = append(b.setups[i].ways, b.way(p))
		}
	}
	return nil
}

// way returns what a path has happen to the instance of its last step. Others,
// and the world, only ever have it find other fresh values.
func (b *rig[M, F]) way(p *interp.Path) []command {
	last := p.Steps[len(p.Steps)-1].Label
	var out []command
	for _, st := range p.Steps {
		if e := st.Label.Event; e.Instance == last.Instance && b.table.EventNamed(e.Event.Name).By != "world" {
			out = append(out, command{e.Event, e.Args, b.print.Event(e.Event, e.Args)})
		}
	}
	return out
}

// allocations demands that a step doesn't allocate, given room for its effects.
func (b *rig[M, F]) allocations(t *testing.T, row string, w witness) {
	m, start := new(M), b.subject.Machine(w.params, w.vars)
	_, buf := b.subject.Step(&start, w.cmd.event.Index, w.cmd.args, nil)
	start = b.subject.Machine(w.params, w.vars)
	if n := testing.AllocsPerRun(100, func() {
		*m = start
		_, buf = b.subject.Step(m, w.cmd.event.Index, w.cmd.args, buf[:0])
	}); n != 0 {
		t.Errorf("%s: %v allocations", row, n)
	}
}

// start begins a run.
func (b *rig[M, F]) start(rt *rapid.T) *run[M, F] {
	s := b.setups[0]
	if len(b.setups) > 1 {
		s = b.setups[rapid.IntRange(0, len(b.setups)-1).Draw(rt, fmt.Sprint("params of ", b.table.Name))]
	}
	r := b.begin(s)
	if i := rapid.IntRange(0, len(s.ways)).Draw(rt, "way"); i > 0 {
		r.follow(rt, s.ways[i-1])
	}
	return r
}

// begin returns a run at its start.
func (b *rig[M, F]) begin(s *setup) *run[M, F] {
	r := &run[M, F]{rig: b, setup: s, vars: slices.Clone(s.start), fresh: map[string]uint64{}}
	r.machine = b.subject.Machine(s.params, r.vars)
	r.script = newScript(b.print, s.params, s.start)
	if b.peer != nil {
		r.other = b.peer.New(nil)
	}
	return r
}
