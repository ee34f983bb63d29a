package golang

import (
	"strings"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// updates prints the steps of a move. Those that read each other's targets are
// made together.
func (b *body) updates(r *spec.Row) {
	order, left := b.plan(r)
	for _, s := range order {
		s.print(b)
	}
	b.together(left)
}

// statement prints what is done with an unconditional value; empty if there is
// nothing to do.
type statement func(n *expr.Node) string

// assigningTo prints assignments to a local variable.
func (m *machine) assigningTo(local string) statement {
	return func(n *expr.Node) string { return local + " = " + m.operand(n, 0) }
}

// assigning prints assignments to a field of the machine.
func (m *machine) assigning(target *expr.Symbol) statement {
	return m.into(ref(target), func(n *expr.Node) bool { return n.Op == expr.OpRef && n.Sym == target })
}

// into prints assignments to a place. One of its own value is none.
func (m *machine) into(place string, own func(n *expr.Node) bool) statement {
	return func(n *expr.Node) string {
		switch {
		case own(n):
			return ""
		case n.Op == expr.OpAdd && own(n.Args[0]):
			return place + " += " + m.operand(n.Args[1], 0)
		case n.Op == expr.OpSub && own(n.Args[0]):
			return place + " -= " + m.operand(n.Args[1], 0)
		}
		return place + " = " + m.operand(n, 0)
	}
}

// choose prints the statement for n: one for each of its cases if n is
// conditional.
func (p *printer) choose(n *expr.Node, do statement) {
	if n.Op != expr.OpCond {
		if s := do(n); s != "" {
			p.printf("%s\n", s)
		}
		return
	}
	idle := func(n *expr.Node) bool { return n.Op != expr.OpCond && do(n) == "" }
	cond, then, otherwise := n.Args[0], n.Args[1], n.Args[2]
	if idle(then) {
		cond, then, otherwise = negate(cond), otherwise, then
	}
	p.printf("if %s {\n", p.operand(cond, 0))
	p.choose(then, do)
	switch {
	case idle(otherwise):
		p.printf("}\n")
	case otherwise.Op == expr.OpCond:
		p.printf("} else ")
		p.choose(otherwise, do)
	default:
		p.printf("} else {\n%s\n}\n", do(otherwise))
	}
}

// together prints updates that read each other's targets as one assignment,
// which evaluates all right sides first.
func (b *body) together(steps []step) {
	if len(steps) == 0 {
		return
	}
	var targets, values []string
	for _, s := range steps {
		targets = append(targets, s.place)
		if s.value.Op != expr.OpCond {
			values = append(values, b.operand(s.value, 0))
			continue
		}
		next := "next" + names.Exported(s.target.Name)
		b.printf("var %s %s\n", next, b.goType(s.target.Type))
		b.choose(s.value, b.assigningTo(next))
		values = append(values, next)
	}
	b.printf("%s = %s\n", strings.Join(targets, ", "), strings.Join(values, ", "))
}
