package diff

import (
	"strconv"
	"strings"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

func (f *facts) from(e *entity, label string, states []*spec.State, which []int) {
	if which == nil {
		e.say(decision, label, word("any"), "any")
	}
	for _, i := range which {
		e.say(decision, label, named(states[i]), states[i].Name)
	}
}

func (f *facts) sets(e *entity, a aspect, sets []*spec.Assign, bound []*expr.Symbol) {
	for _, s := range sets {
		name := s.Var.Name
		to := named(s.Var)
		if s.Key != nil {
			to = word("of", f.field(s.Var), f.expr(s.Key, bound, false))
			name = s.Var.Part.Name + "." + name
		}
		e.say(a, "set "+name, word("set", to, f.expr(s.Expr, bound, false)), s.Src)
	}
}

func (f *facts) event(kind string, ev *spec.Event) {
	e := f.add(kind, ev.Name, ev.Doc, ev, nil)
	about := decision
	if kind == "world event" {
		about = world
	}
	e.say(about, "by", word(ev.By), ev.By)
	if ev.Of != nil {
		e.say(about, "of", named(ev.Of), ev.Of.Name)
	}
	if ev.Can != nil {
		e.say(world, "can", f.expr(ev.Can, nil, false), ev.CanSrc)
	}
	var args []*expr.Symbol
	for _, a := range ev.Args {
		args = append(args, a.Sym)
	}
	f.arguments(args, ev.Args, e)
	var checks []term
	for _, r := range ev.Checks {
		checks = append(checks, named(r))
		f.row(r, e, about == world)
	}
	if len(checks) > 1 {
		e.say(order, "checks", word("checks", checks...), "")
	}
	for _, r := range ev.Rows {
		f.row(r, e, about == world)
	}
}

func (f *facts) row(r *spec.Row, of *entity, ofWorld bool) {
	kind := "row"
	if r.Check {
		kind = "check"
	}
	e := f.add(kind, r.ID, r.Why, r, of)
	first := len(e.pieces)
	f.from(e, "from", f.t.States, r.From)
	if r.Event != nil && r.Event.Of != nil {
		f.from(e, "from "+r.Event.Of.Name, r.Event.Of.States, r.PartFrom)
	}
	for _, c := range r.When {
		for _, l := range f.literals(c.Expr, false) {
			e.say(decision, "when", l, c.Src)
		}
		e.words = append(e.words, c.Says)
	}
	for _, c := range r.Unless {
		for _, l := range f.literals(c.Expr, true) {
			e.say(decision, "unless", l, c.Src)
		}
		e.words = append(e.words, c.Says)
	}
	if r.Claim != "" {
		e.words = append(e.words, r.Claim)
	}
	f.outcome(e, r)
	if ofWorld {
		for i := first; i < len(e.pieces); i++ {
			e.pieces[i].aspect = world
		}
	}
}

// outcome says what a row does. Fires and effects are ordered.
func (f *facts) outcome(e *entity, r *spec.Row) {
	does := word(r.Outcome.String())
	src := r.Outcome.String()
	if r.Code != "" {
		does.args = append(does.args, f.code(r.Code))
		src += " " + r.Code
	}
	e.say(decision, "outcome", does, src)
	if r.To != nil {
		e.say(decision, "to", named(r.To), r.To.Name)
	}
	f.sets(e, decision, r.Set, nil)
	for i, x := range r.Fire {
		t := word("fire"+strconv.Itoa(i), named(x.Move), f.expr(x.On, nil, false))
		if x.To != nil {
			t.args = append(t.args, named(x.To))
		}
		e.say(decision, "fire", t, x.Move.Name+": "+x.Src)
	}
	for _, p := range r.Forget {
		e.say(decision, "forget", named(p), p.Name)
	}
	for i, x := range r.Emit {
		e.say(decision, "emit", f.emit(i, x), x.Src)
	}
	if r.Then != nil {
		e.say(decision, "then", named(r.Then), r.Then.Name)
	}
}

func (f *facts) emit(i int, x *spec.Emit) term {
	var bound []*expr.Symbol
	t := word("emit"+strconv.Itoa(i), named(x.Effect))
	if x.Each != nil {
		t.args = append(t.args, word("each", f.expr(x.In, nil, false)))
		bound = []*expr.Symbol{x.Each}
	}
	for _, a := range x.Args {
		t.args = append(t.args, f.expr(a, bound, false))
	}
	return t
}

// follow is said of what is followed.
func (f *facts) follow(x *spec.Follow) {
	var e *entity
	switch {
	case x.Row != nil:
		e = f.by[x.Row]
	case x.Event != nil:
		e = f.by[x.Event]
	default:
		e = f.by[x.Effect]
	}
	before := len(e.pieces)
	f.sets(e, world, x.Set, nil)
	for i := before; i < len(e.pieces); i++ {
		p := &e.pieces[i]
		p.src = strings.TrimPrefix(p.label, "set ") + ": " + p.src
		p.label = "follows"
	}
}
