package spec

import (
	"cmp"
	"maps"
	"slices"

	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// moved is what answer is where a row moves: no code.
const moved = "moved"

// answering is what properties may read of an event's answers. For each check
// and row all of it is known: constant, but for how often an effect is sent where
// the rows of a sub-table differ in that.
type answering struct {
	event   *Event
	answer  *expr.Symbol   // a code, or moved
	refused *expr.Symbol   // a bool
	told    []*expr.Symbol // how often each effect is sent, in their order
}

// answered reads the properties of all that an event is answered. Each is a
// clause for every check and row of the event.
func (b *builder) answered(section entry) {
	ev := b.event(section.key)
	if ev == nil {
		return
	}
	if v := section.value; v != nil && v.kind == scalarNode {
		b.diags.Add(diag.WrongShape, v.pos, "a property needs a name").
			WithHint("write %s: {NAME: %s}", section.key.text, v.text).Width = len(v.text)
		return
	}
	scope := ev.scope(b.after, true)
	for _, name := range []string{"answer", "refused", moved, "told"} {
		if what, there, ok := scope.Lookup(name); ok {
			b.diags.Add(diag.DuplicateName, section.key.pos, "under answered, %s has a meaning of its own, and %s has that name", name, what).Also(there, "%s", what)
			return
		}
	}
	a := b.answering(ev, section.key.pos)
	scope = scope.With(expr.Types(a.answer.Type), expr.Names(a.answer, a.refused), expr.Qualified("told", a.told...))
	for _, e := range b.mapping(section.value) {
		long := b.long(e.value, "holds", "doc", "given")
		p := b.property(e.key, long, StepAlways)
		if p == nil {
			continue
		}
		if holds, src := b.holds(long, scope, "a step property"); holds != nil {
			b.clausesOf(p, a, Clause{Event: ev, Answered: true, Holds: holds, Src: src, Pos: e.key.pos})
		}
	}
}

func (b *builder) answering(ev *Event, pos diag.Pos) *answering {
	typ := &expr.Type{Kind: expr.Enum, Name: "Answer", Values: []string{moved}}
	for _, a := range b.t.Answers {
		typ.Values = append(typ.Values, a.Code)
	}
	named := func(name string, t *expr.Type) *expr.Symbol {
		return &expr.Symbol{Kind: expr.SymParam, Name: name, Type: t, Pos: pos}
	}
	a := &answering{event: ev, answer: named("answer", typ), refused: named("refused", expr.BoolType)}
	for _, f := range b.t.Effects {
		a.told = append(a.told, named(f.Name, expr.IntType))
	}
	return a
}

func (a *answering) readsTold(n *expr.Node) bool {
	return slices.ContainsFunc(n.Reads(expr.SymParam), func(s *expr.Symbol) bool { return slices.Contains(a.told, s) })
}

// decides returns the condition under which r, a row of a sub-table, decides.
func (r *Row) decides(t *Table) *expr.Node {
	all := expr.Truth(true)
	if r.From != nil {
		some := expr.Truth(false)
		for _, i := range r.From {
			state := &expr.Node{Op: expr.OpValue, Type: t.State.Type, Int: i, Pos: r.Pos}
			is := &expr.Node{Op: expr.OpEq, Type: expr.BoolType, Args: []*expr.Node{expr.Ref(t.State), state}, Pos: r.Pos}
			some = expr.Either(some, is)
		}
		all = expr.Both(all, some)
	}
	for _, c := range r.When {
		all = expr.Both(all, c.Expr)
	}
	for _, c := range r.Unless {
		all = expr.Both(all, expr.Negated(c.Expr))
	}
	return all
}

// of returns what is known where r decides. How often an effect is sent depends
// on which row of the sub-table decides, if they differ in it.
func (a *answering) of(t *Table, r *Row) map[*expr.Symbol]*expr.Node {
	answer := &expr.Node{Op: expr.OpValue, Type: a.answer.Type}
	if r.Code != "" {
		answer.Int = slices.Index(a.answer.Type.Values, r.Code)
	}
	known := map[*expr.Symbol]*expr.Node{a.answer: answer, a.refused: expr.Truth(r.Outcome == Refuse)}
	for i, f := range t.Effects {
		known[a.told[i]] = r.told(t, f)
	}
	return known
}

// told returns how often r, with its sub-table, sends an effect. Exactly one row
// of a sub-table decides, by the state before the step as r itself.
func (r *Row) told(t *Table, f *Effect) *expr.Node {
	times := func(n int) *expr.Node { return &expr.Node{Op: expr.OpInt, Type: expr.IntType, Int: n} }
	own := r.tells(f)
	if r.Then == nil {
		return times(own)
	}
	of := map[int][]*Row{} // the rows of the sub-table that send it so often
	for _, sub := range r.Then.Rows {
		if sub.Outcome == Move {
			of[sub.tells(f)] = append(of[sub.tells(f)], sub)
		}
	}
	counts := slices.SortedFunc(maps.Keys(of), func(a, b int) int {
		return cmp.Or(cmp.Compare(len(of[b]), len(of[a])), cmp.Compare(a, b))
	})
	if len(counts) == 0 {
		return times(own)
	}
	out := times(own + counts[0]) // what most rows do is said last, without a condition
	for _, n := range counts[1:] {
		some := expr.Truth(false)
		for _, sub := range of[n] {
			some = expr.Either(some, sub.decides(t))
		}
		out = expr.Cond(some, times(own+n), out)
	}
	return out
}

// clausesOf adds what is left of a condition for each check and row that is an
// answer, unless it is true. It is of no use if that is all of them, but for one
// that reads what is told: the table then does as it says.
func (b *builder) clausesOf(p *Property, a *answering, whole Clause) {
	told := a.readsTold(whole.Holds)
	says := told
	for _, r := range a.event.Decisions() {
		if r.Outcome == Never {
			continue
		}
		c := whole
		c.Kind, c.Row, c.Holds = answeredBy[r.Outcome], r, whole.Holds.Fix(a.of(b.t, r))
		c.Then = told && r.Then != nil
		if !c.Holds.IsTrue() {
			says = true
			p.Clauses = append(p.Clauses, &c)
			continue
		}
		b.idle = append(b.idle, idleClause{p, &c})
	}
	if !says {
		b.t.Warnings.Add(diag.Vacuous, whole.Pos, "%s says nothing of what %s is answered", p.Name, a.event.Name).
			WithHint("compare answer with a code that %s is answered", a.event.Name).Width = len(p.Name)
	}
}

// idleClause is true whatever is answered.
type idleClause struct {
	of *Property
	*Clause
}

// decided gives the properties of which nothing is left, since their table
// decides them, a clause that back ends can print.
func (b *builder) decided() {
	for _, c := range b.idle {
		if len(c.of.Clauses) == 0 {
			c.of.Clauses = append(c.of.Clauses, c.Clause)
		}
	}
}

// tells counts how often r sends an effect; one that is sent for each of a list
// counts once.
func (r *Row) tells(f *Effect) int {
	n := 0
	for _, em := range r.Emit {
		if em.Effect == f {
			n++
		}
	}
	return n
}

// answeredBy are the kinds of clauses that speak of a row.
var answeredBy = map[Outcome]ClauseKind{Move: After, Stay: After, Refuse: Refused, Ignore: Ignored}
