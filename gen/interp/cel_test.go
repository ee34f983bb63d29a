package interp

import (
	"slices"
	"testing"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
	"github.com/interlock-go/interlock/spec/expr/celtest"
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
	told  map[string]bool // sources that had a value

	event  *spec.Event // whose arguments are in scope
	effect *spec.Effect
	each   []*expr.Symbol
	it     *expr.Symbol // the part that is moved, bound first
	step   bool         // new.x is in scope
}

// TestCEL has cel-go evaluate every expression of the bundled tables, from its
// source, in reachable states, for all arguments: the values must be the
// closures'. Not given to it are the keys in it.x: and tickets(t).x: on the left
// of a set, which have no source of their own.
func TestCEL(t *testing.T) {
	for name, every := range map[string]map[string]int{
		"lane":    {"memory": 11, "honest": 1, "durable": 51, "lost": 2, "reviewed": 5, "losses": 3},
		"queue":   {"small": 40, "owners": 11, "crash": 70, "everyday": 700, "pair": 7},
		"session": {"alone": 1, "wild": 70, "lists": 90, "honest": 90},
	} {
		t.Run(name, func(t *testing.T) {
			table, err := spec.Load("../../spec/" + name + ".yaml")
			if err != nil {
				t.Fatal(err)
			}
			compareWithCEL(t, table, every)
		})
	}
}

func TestCELNumbers(t *testing.T) {
	table, err := spec.Load("testdata/numbers.yaml")
	if err != nil {
		t.Fatal(err)
	}
	table.EventNamed("inc").Rows[0].Set = nil // it leaves the range
	compareWithCEL(t, table, map[string]int{"small": 1})
}

// compareWithCEL looks at each so many-th state of a model.
func compareWithCEL(t *testing.T, table *spec.Table, every map[string]int) {
	told := map[string]bool{}
	for _, md := range table.Models {
		if every[md.Name] < 1 {
			t.Errorf("nothing says which states of model %s to look at", md.Name)
			continue
		}
		m, err := New(table, md)
		if err != nil {
			t.Fatal(err)
		}
		cel, err := celtest.New(table, md)
		if err != nil {
			t.Fatal(err)
		}
		s := &second{t: t, m: m, cel: cel, sc: m.scratch(), vars: make([]uint64, len(m.vars)), told: told}
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
	for _, src := range sources(table) {
		if !told[src] {
			t.Errorf("%s never had a value", src)
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
				s.goals(p, p.Src, p.Holds)
			case p.Kind == spec.Eventually:
				s.goals(p, p.FromSrc, p.From)
				s.goals(p, p.ToSrc, p.To)
			}
		}
		s.subTables()
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
	}
	if ev.can != nil {
		s.value(ev.event.Name, ev.event.CanSrc, expr.BoolType, ev.can, &s.sc.env)
	}
	for _, r := range slices.Concat(rules.checks, rules.rows) {
		s.rule(r, e)
	}
	for _, a := range ev.assume {
		s.value(a.name, a.src, expr.BoolType, a.only, &s.sc.env)
	}
	for _, f := range s.m.table.Follows {
		if f.Row != nil && f.Row.Event == ev.event || f.Event != nil && f.Event == ev.event {
			s.sets(f.Set, argSyms(ev.event), nil)
		}
	}
	s.event = nil
}

// subTables compares the rows that others go on with.
func (s *second) subTables() {
	seen := map[*rules]bool{}
	for _, of := range s.m.native.events {
		for _, r := range of.rows {
			if r.then == nil || seen[r.then] {
				continue
			}
			seen[r.then] = true
			for _, sub := range r.then.rows {
				s.rule(sub, &env{old: s.vars, new: s.vars})
			}
		}
	}
}

// rule compares everything that a check or row evaluates.
func (s *second) rule(r *rule, e *env) {
	name := r.row.Name()
	for _, c := range r.conds {
		s.value(name, c.src, expr.BoolType, c.eval, e)
	}
	for i := range r.fires {
		f := &r.fires[i]
		s.value(name, f.Src, f.On.Type, f.on, e)
		on := f.on(e)
		if e.undefined != nil {
			e.undefined = nil
			continue
		}
		for _, key := range f.keys(on) {
			s.it, e.bound[0] = f.Move.It, key
			for j, u := range f.sets {
				s.value(name, f.Move.Set[j].Src, u.typ, u.eval, e)
			}
			s.it = nil
		}
	}
	sets := r.sets
	if r.row.To != nil {
		sets = sets[1:]
	}
	for i, u := range sets {
		s.value(name, r.row.Set[i].Src, u.typ, u.eval, e)
	}
	for i := range r.emits {
		s.emits(r.row, r.row.Emit[i], &r.emits[i], e)
	}
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

// emits compares what a row sends, once or for each element of a list.
func (s *second) emits(row *spec.Row, src *spec.Emit, em *emit, e *env) {
	if em.each == nil {
		s.emit(row, src, em, e)
		return
	}
	s.value(row.Name(), src.InSrc, src.In.Type, em.each, e)
	s.each = []*expr.Symbol{src.Each}
	for list := em.each(e); list != 0; list /= em.base {
		e.bound[0] = list%em.base - 1
		s.emit(row, src, em, e)
	}
	s.each = nil
}

func (s *second) emit(row *spec.Row, src *spec.Emit, em *emit, e *env) {
	want, err := s.cel.Emit(src.Src, em.effect, s.look(e))
	s.told[src.Src] = s.told[src.Src] || err == nil
	var got []uint64
	var undefined *Fault
	for i := range em.args {
		code, fault := em.args[i].code(&s.m.domains, e, row.Name())
		if fault != nil && undefined == nil {
			undefined = fault
		}
		e.undefined = nil
		got = append(got, code)
		s.count++
	}
	if (undefined != nil) != (err != nil) || err == nil && !slices.Equal(got, want) {
		s.t.Errorf("%s: %s: %d, %v; CEL says %d, %v", row.Name(), src.Src, got, undefined, want, err)
	}
	if err != nil {
		return
	}
	// What follows an effect reads its arguments.
	event := s.event
	for _, f := range s.m.table.Follows {
		if f.Effect == em.effect {
			s.effect, s.sc.env.effect, s.event = em.effect, want, nil
			s.sets(f.Set, nil, em.effect.Args)
			s.effect, s.event = nil, event
		}
	}
}

// after compares the properties of one step, whether or not they speak of it.
func (s *second) after(from State, st *Step) {
	s.m.loadStep(s.sc, from, st)
	s.event, s.step = st.Label.Event.Event, true
	for _, p := range s.m.table.Properties {
		for _, c := range p.Clauses {
			// What an answer is, CEL doesn't know: package spec puts it in.
			if !c.Answered && (c.Event == nil || c.Event == s.event) {
				s.holds(p.Name, c.Src, c.Holds, nil)
			}
		}
		if p.Kind == spec.Sometimes && p.On == s.event {
			s.goals(p, p.Src, p.Holds)
		}
	}
	s.event, s.step = nil, false
	s.m.load(s.sc, from)
}

// goals compares a condition for all values of its property's Each.
func (s *second) goals(p *spec.Property, src string, n *expr.Node) {
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
		s.holds(p.Name, src, n, p.Each)
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
	s.told[src] = s.told[src] || err == nil
	got := f(e)
	undefined := e.undefined != nil
	e.undefined = nil
	want = s.m.value(t, want)
	if undefined != (err != nil) || err == nil && got != want {
		s.t.Errorf("%s: %s: %d, undefined %t; CEL says %d, %v, in\n%s\nargs %v",
			name, src, got, undefined, want, err, s.m.format(s.sc.old, nil), e.args)
	}
}
