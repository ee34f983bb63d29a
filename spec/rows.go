package spec

import (
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// decision reads a check or a row.
func (b *builder) decision(e *Event, id, n *node, scope *expr.Scope, check bool, index *int) {
	checkName(id, "row", b.diags)
	r := &Row{ID: id.text, Event: e, Check: check, Index: *index, Pos: id.pos}
	*index++
	keys := []string{"from", "when", "unless", "why", "stay", "refuse", "ignore"}
	if check {
		keys = append(keys, "id")
	} else {
		keys = append(keys, "never", "to", "fire", "forget", "set", "emit", "then")
	}
	b.mapping(n, keys...)
	b.from(r, n.get("from"))
	r.When = b.conditions(n.get("when"), scope)
	r.Unless = b.conditions(n.get("unless"), scope)
	r.Why = b.sentence(n.get("why"))
	b.outcome(r, n, scope)
	if check {
		e.Checks = append(e.Checks, r)
	} else {
		e.Rows = append(e.Rows, r)
	}
}

func (b *builder) conditions(n *node, scope *expr.Scope) []*Cond {
	var out []*Cond
	if n != nil && n.kind == sequenceNode && len(n.items) == 0 {
		b.diags.Add(diag.WrongShape, n.pos, "a list without a condition").WithHint("leave the key out")
	}
	for _, item := range b.list(n) {
		long := b.long(item, "holds", "says")
		src := b.need(long, "holds", "a condition")
		if src == nil {
			continue
		}
		if c := expr.Parse(b.text(src), src.pos, scope, expr.BoolType, b.diags); c != nil {
			out = append(out, &Cond{Expr: c, Src: b.sentence(src), Says: b.sentence(long.get("says")), Pos: src.pos})
		}
	}
	return out
}

var outcomeKeys = []struct {
	key string
	is  Outcome
}{{"stay", Stay}, {"refuse", Refuse}, {"ignore", Ignore}, {"never", Never}}

// moveKeys are what makes a row a move.
var moveKeys = []string{"to", "fire", "forget", "set", "emit", "then"}

// outcome reads which of the five outcomes a row has.
func (b *builder) outcome(r *Row, n *node, scope *expr.Scope) {
	var found []string
	for _, o := range outcomeKeys {
		v := n.get(o.key)
		if v == nil {
			continue
		}
		found = append(found, o.key)
		r.Outcome = o.is
		if o.is == Never {
			if r.Claim = b.sentence(v); r.Claim == "" && v.kind == scalarNode {
				b.diags.Add(diag.MissingKey, v.pos, "never needs the reason why this doesn't occur").WithHint("never: nobody has it then")
			}
		} else {
			r.Code = b.answer(v)
		}
	}
	if slices.ContainsFunc(moveKeys, func(key string) bool { return n.get(key) != nil }) {
		found = append(found, "a move")
		r.Outcome = Move
		b.move(r, n, scope)
	}
	switch len(found) {
	case 1:
	case 0:
		b.diags.Add(diag.BadOutcome, r.Pos, "%s says nothing of what it does", r.Name()).
			WithHint("one of to, set, fire or emit (a move), stay, refuse, ignore or never").Width = len(r.ID)
	default:
		b.diags.Add(diag.BadOutcome, r.Pos, "%s has several outcomes: %s", r.Name(), strings.Join(found, ", ")).Width = len(r.ID)
	}
}
