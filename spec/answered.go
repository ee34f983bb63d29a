package spec

import (
	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// moved is what answer is where a row moves: no code.
const moved = "moved"

// answered reads the properties of all that an event is answered. Each is a
// clause for every check and row of the event, in which answer and refused are
// constants.
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
	typ := &expr.Type{Kind: expr.Enum, Name: "Answer"}
	at := map[string]int{}
	for _, a := range b.t.Answers {
		at[a.Code] = len(typ.Values)
		typ.Values = append(typ.Values, a.Code)
	}
	at[moved] = len(typ.Values)
	typ.Values = append(typ.Values, moved)
	answer := &expr.Symbol{Kind: expr.SymParam, Name: "answer", Type: typ, Pos: section.key.pos}
	refused := &expr.Symbol{Kind: expr.SymParam, Name: "refused", Type: expr.BoolType, Pos: section.key.pos}
	scope := ev.scope(b.after, true)
	for _, name := range []string{answer.Name, refused.Name, moved} {
		if what, there, ok := scope.Lookup(name); ok {
			b.diags.Add(diag.DuplicateName, section.key.pos, "under answered, %s has a meaning of its own, and %s has that name", name, what).Also(there, "%s", what)
			return
		}
	}
	scope = scope.With(expr.Types(typ), expr.Names(answer, refused))
	for _, e := range b.mapping(section.value) {
		long := b.long(e.value, "holds", "doc", "given")
		p := b.property(e.key, long, StepAlways)
		if p == nil {
			continue
		}
		holds, src := b.holds(long, scope, "a step property")
		if holds == nil {
			continue
		}
		says := false
		for _, r := range ev.Decisions() {
			c := &Clause{Kind: answeredBy[r.Outcome], Event: ev, Row: r, Answered: true, Src: src, Pos: e.key.pos}
			code, ok := at[r.Code]
			if !ok {
				code = at[moved]
			}
			isRefused := 0
			if r.Outcome == Refuse {
				isRefused = 1
			}
			c.Holds = holds.Fix(map[*expr.Symbol]int{answer: code, refused: isRefused})
			if r.Outcome == Never || c.Holds.IsTrue() {
				continue // it says nothing of this answer
			}
			says = true
			p.Clauses = append(p.Clauses, c)
		}
		if !says {
			d := ev.Decisions()[0]
			p.Clauses = append(p.Clauses, &Clause{
				Kind: answeredBy[d.Outcome], Event: ev, Row: d, Answered: true, Src: src, Pos: e.key.pos,
				Holds: &expr.Node{Op: expr.OpBool, Type: expr.BoolType, Int: 1, Pos: holds.Pos},
			})
			b.t.Warnings.Add(diag.Vacuous, e.key.pos, "%s says nothing of what %s is answered", e.key.text, ev.Name).
				WithHint("compare answer with a code that %s is answered", ev.Name).Width = len(e.key.text)
		}
	}
}

// answeredBy are the kinds of clauses that speak of a row.
var answeredBy = map[Outcome]ClauseKind{Move: After, Stay: After, Refuse: Refused, Ignore: Ignored}
