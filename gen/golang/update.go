package golang

import (
	"slices"
	"strings"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// update is an assignment of a move: the state's or a variable's.
type update struct {
	target *expr.Symbol
	value  *expr.Node // normal
	reads  []*expr.Symbol
}

func (m *machine) updatesOf(r *spec.Row) []update {
	var out []update
	if r.To != nil {
		out = append(out, update{target: m.State, value: &expr.Node{Op: expr.OpValue, Type: m.State.Type, Int: r.To.Index}})
	}
	for _, a := range r.Set {
		out = append(out, update{a.Var, normal(a.Expr), a.Expr.Reads(expr.SymState, expr.SymVar)})
	}
	return out
}

// updates prints the assignments of a move in the table's order, except that
// one that reads a variable comes before the one that overwrites it: all right
// sides read the old state.
func (b *body) updates(r *spec.Row) {
	left := b.updatesOf(r)
	for len(left) > 0 {
		i := slices.IndexFunc(left, func(u update) bool { return !readByOther(left, u) })
		if i < 0 {
			b.together(left)
			return
		}
		b.update(left[i])
		left = slices.Delete(left, i, i+1)
	}
}

func readByOther(left []update, u update) bool {
	return slices.ContainsFunc(left, func(o update) bool {
		return o.target != u.target && slices.Contains(o.reads, u.target)
	})
}

func (b *body) update(u update) { b.choose(u.value, b.assigning(u.target)) }

// statement prints what is done with an unconditional value; empty if there is
// nothing to do.
type statement func(n *expr.Node) string

// assigningTo prints assignments to a local variable.
func (m *machine) assigningTo(local string) statement {
	return func(n *expr.Node) string { return local + " = " + m.operand(n, 0) }
}

// assigning prints assignments to a field of the machine. One of its own value
// is none.
func (m *machine) assigning(target *expr.Symbol) statement {
	isTarget := func(n *expr.Node) bool { return n.Op == expr.OpRef && n.Sym == target }
	return func(n *expr.Node) string {
		switch {
		case isTarget(n):
			return ""
		case n.Op == expr.OpAdd && isTarget(n.Args[0]):
			return ref(target) + " += " + m.operand(n.Args[1], 0)
		case n.Op == expr.OpSub && isTarget(n.Args[0]):
			return ref(target) + " -= " + m.operand(n.Args[1], 0)
		}
		return ref(target) + " = " + m.operand(n, 0)
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
func (b *body) together(us []update) {
	var targets, values []string
	for _, u := range us {
		targets = append(targets, ref(u.target))
		if u.value.Op != expr.OpCond {
			values = append(values, b.operand(u.value, 0))
			continue
		}
		next := "next" + names.Exported(u.target.Name)
		b.printf("var %s %s\n", next, b.goType(u.target.Type))
		b.choose(u.value, b.assigningTo(next))
		values = append(values, next)
	}
	b.printf("%s = %s\n", strings.Join(targets, ", "), strings.Join(values, ", "))
}
