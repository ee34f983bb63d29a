package interp

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
	"github.com/interlock-go/interlock/spec/expr/celtest"
)

// Sources that a table doesn't keep; TestCEL looks them up in the file.
var (
	laneDefs = map[string]string{"recovered": "fencing != claimedFencing"}
	laneCans = map[string]string{"workEnds": "number in work", "holderGone": "lease in held && !holder.is(lease)"}
)

// second compares the closures of a machine with cel-go.
type second struct {
	t   *testing.T
	m   *Machine
	cel *celtest.Evaluator
	sc  *scratch
	// vars holds the codes of what a stepper sees, where closures read those.
	vars  []uint64
	count int

	event  *spec.Event // whose arguments are in scope
	effect *spec.Effect
	each   []*expr.Symbol
	step   bool // new.x is in scope
}

// TestCEL has cel-go evaluate every expression of the lane, from its source,
// in the reachable states, for all arguments: the values must be the
// closures'.
func TestCEL(t *testing.T) {
	table, err := spec.Load("../../spec/lane.yaml")
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile("../../spec/lane.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"{is: " + laneDefs["recovered"], "can: " + laneCans["workEnds"], "can: " + laneCans["holderGone"]} {
		if !strings.Contains(string(src), s) {
			t.Errorf("the table has no %q", s)
		}
	}
	compareWithCEL(t, table, laneDefs, map[string]int{"memory": 11, "honest": 1, "durable": 51, "lost": 2, "reviewed": 5, "losses": 3})
}

func TestCELNumbers(t *testing.T) {
	table, err := spec.Load("testdata/numbers.yaml")
	if err != nil {
		t.Fatal(err)
	}
	table.EventNamed("inc").Rows[0].Set = nil // it leaves the range
	compareWithCEL(t, table, nil, map[string]int{"small": 1})
}

// compareWithCEL looks at each so many-th state of a model.
func compareWithCEL(t *testing.T, table *spec.Table, defs map[string]string, every map[string]int) {
	for _, md := range table.Models {
		if every[md.Name] < 1 {
			t.Errorf("nothing says which states of model %s to look at", md.Name)
			continue
		}
		m, err := New(table, md)
		if err != nil {
			t.Fatal(err)
		}
		cel, err := celtest.New(table, md, defs)
		if err != nil {
			t.Fatal(err)
		}
		s := &second{t: t, m: m, cel: cel, sc: m.scratch(), vars: make([]uint64, len(m.vars))}
		states, n := reachable(t, m), 0
		for i := 0; i < len(states) && !t.Failed(); i += every[md.Name] {
			s.state(states[i])
			n++
		}
		t.Logf("%s: %d values of %d states", md.Name, s.count, n)
		if s.count == 0 {
			t.Error("nothing was compared")
		}
	}
}

func reachable(t *testing.T, m *Machine) []State {
	states := m.Init()
	seen := map[State]bool{states[0]: true}
	for i := 0; i < len(states); i++ {
		err := m.Steps(states[i], func(st Step) bool {
			if !seen[st.To] {
				seen[st.To] = true
				states = append(states, st.To)
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return states
}

// state compares everything that can be read in one state.
func (s *second) state(at State) {
	m := s.m
	m.load(s.sc, at)
	for i := range m.instances {
		s.sc.env.base = i * len(m.layout.own)
		m.gather(s.vars, s.sc.old, s.sc.env.base)
		for _, p := range m.table.Properties {
			switch {
			case p.Kind == spec.Invariant:
				s.holds(p.Name, p.Src, p.Holds, nil)
			case p.Kind == spec.Sometimes && p.On == nil:
				s.goals(p)
			}
		}
		for _, ev := range m.events {
			for _, calls := range ev.calls {
				for _, args := range calls {
					s.call(ev, args)
				}
			}
		}
	}
	err := m.Steps(at, func(st Step) bool {
		s.after(at, &st)
		return !s.t.Failed()
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// call compares conditions and updates of one event with its arguments,
// whether or not its rows apply.
func (s *second) call(ev *event, args []uint64) {
	s.event, s.sc.env.args = ev.event, args
	rules, e := ev.rules, &s.sc.env
	if !ev.world {
		rules = s.m.native.events[ev.event.Index]
		e = &env{old: s.vars, new: s.vars, args: args}
	} else if ev.can != nil {
		s.value(ev.event.Name, laneCans[ev.event.Name], expr.BoolType, ev.can, &s.sc.env)
	}
	for _, r := range slices.Concat(rules.checks, rules.rows) {
		for _, c := range r.conds {
			s.value(r.row.Name(), c.src, expr.BoolType, c.eval, e)
		}
		sets := r.sets
		if r.row.To != nil {
			sets = sets[1:]
		}
		for i, u := range sets {
			s.value(r.row.Name(), r.row.Set[i].Src, u.typ, u.eval, e)
		}
		for i, em := range r.emits {
			s.emit(r.row, r.row.Emit[i], em, e)
		}
	}
	for _, a := range ev.assume {
		s.value(a.name, a.src, expr.BoolType, a.only, &s.sc.env)
	}
	for _, f := range s.m.table.Follows {
		if f.Row != nil && f.Row.Event == ev.event || f.Event == ev.event {
			s.sets(f.Set, argSyms(ev.event), nil)
		}
	}
	s.event = nil
}

func (s *second) sets(sets []*spec.Assign, args, effect []*expr.Symbol) {
	ups, err := s.m.full.with(args, effect, nil).updates(sets)
	if err != nil {
		s.t.Fatal(err)
	}
	for i, u := range ups {
		s.value(sets[i].Var.Name, sets[i].Src, u.typ, u.eval, &s.sc.env)
	}
}

func (s *second) emit(row *spec.Row, src *spec.Emit, em emit, e *env) {
	want, err := s.cel.Emit(src.Src, em.effect, s.look(e))
	if err != nil {
		s.t.Fatal(err)
	}
	for i := range em.args {
		got, fault := em.args[i].code(&s.m.domains, e, row.Name())
		if fault != nil || got != want[i] {
			s.t.Errorf("%s: argument %d of %s: %d, %v; CEL says %d", row.Name(), i, src.Src, got, fault, want[i])
		}
		s.count++
	}
	// What follows an effect reads its arguments.
	for _, f := range s.m.table.Follows {
		if f.Effect == em.effect {
			s.effect, s.sc.env.effect = em.effect, want
			s.sets(f.Set, nil, em.effect.Args)
			s.effect = nil
		}
	}
}

// after compares the properties of one step, whether or not they speak of it.
func (s *second) after(from State, st *Step) {
	s.m.loadStep(s.sc, from, st)
	s.event, s.step = st.Label.Event.Event, true
	for _, p := range s.m.table.Properties {
		for _, c := range p.Clauses {
			if c.Event == nil || c.Event == s.event {
				s.holds(p.Name, c.Src, c.Holds, nil)
			}
		}
		if p.Kind == spec.Sometimes && p.On == s.event {
			s.goals(p)
		}
	}
	s.event, s.step = nil, false
	s.m.load(s.sc, from)
}

// goals compares a Sometimes for all values of its Each.
func (s *second) goals(p *spec.Property) {
	var dims [][]uint64
	for _, sym := range p.Each {
		values, err := s.m.values(sym.Type)
		if err != nil {
			s.t.Fatal(err)
		}
		dims = append(dims, values)
	}
	s.each = p.Each
	each(dims, func(choice []uint64) {
		for i, sym := range p.Each {
			s.sc.env.bound[i] = s.m.value(sym.Type, choice[i])
		}
		s.holds(p.Name, p.Src, p.Holds, p.Each)
	})
	s.each = nil
}

func (s *second) holds(name, src string, n *expr.Node, bound []*expr.Symbol) {
	var args []*expr.Symbol
	if s.event != nil {
		args = argSyms(s.event)
	}
	f, err := s.m.full.with(args, nil, bound).compile(n, false)
	if err != nil {
		s.t.Fatal(err)
	}
	s.value(name, src, expr.BoolType, f, &s.sc.env)
}

// value compares one value.
func (s *second) value(name, src string, t *expr.Type, f eval, e *env) {
	s.count++
	want, err := s.cel.Eval(src, t, s.look(e))
	got := f(e)
	undefined := e.undefined != nil
	e.undefined = nil
	want = s.m.value(t, want)
	if undefined != (err != nil) || err == nil && got != want {
		s.t.Errorf("%s: %s: %d, undefined %t; CEL says %d, %v, in\n%s\nargs %v",
			name, src, got, undefined, want, err, s.m.format(s.sc.old, nil), e.args)
	}
}

// look gives CEL the values that e holds.
func (s *second) look(e *env) celtest.Lookup {
	production := &e.old[0] == &s.vars[0]
	return func(name string) (*expr.Type, uint64, bool) {
		if s.event != nil {
			if i := slices.IndexFunc(s.event.Args, func(a *spec.Arg) bool { return a.Sym.Name == name }); i >= 0 {
				return s.event.Args[i].Sym.Type, e.args[i], true
			}
		}
		if s.effect != nil {
			for i, a := range s.effect.Args {
				if s.effect.Name+"."+a.Name == name {
					return a.Type, e.effect[i], true
				}
			}
		}
		for i, sym := range s.each {
			if sym.Name == name {
				code, ok := s.m.code(sym.Type, 1<<63, e.bound[i])
				return sym.Type, code, ok
			}
		}
		slots, plain := e.old, name
		if after, ok := strings.CutPrefix(name, "new."); ok {
			if !s.step {
				panic(fmt.Sprintf("%s is read where there is no step", name))
			}
			slots, plain = e.new, after
		}
		table := s.m.slots
		if production {
			table = s.m.layout.production
		}
		for sym, at := range table {
			if sym.Name == plain {
				return sym.Type, slots[at.in(e.base)], true
			}
		}
		return nil, 0, false
	}
}
