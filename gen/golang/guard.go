package golang

import (
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// conditions returns the conditions of a row in the table's words, in the
// order of guards.
func conditions(r *spec.Row) []string {
	var out []string
	if r.From != nil {
		out = append(out, "from "+list(r.FromSrc, "or"))
	}
	for _, c := range r.When {
		out = append(out, "when "+words(c))
	}
	for _, c := range r.Unless {
		out = append(out, "unless "+words(c))
	}
	return out
}

func words(c *spec.Cond) string {
	if c.Says != "" {
		return c.Says
	}
	return strings.Join(strings.Fields(c.Src), " ")
}

// guards returns the conditions of a row, in the same order, as normal nodes.
func (m *machine) guards(r *spec.Row) []*expr.Node {
	var out []*expr.Node
	if r.From != nil {
		out = append(out, m.from(r))
	}
	for _, c := range r.When {
		out = append(out, normal(c.Expr))
	}
	for _, c := range r.Unless {
		out = append(out, negate(normal(c.Expr)))
	}
	return out
}

// from returns that the state is one of a row's: not the one that is missing,
// or one of what the table lists.
func (m *machine) from(r *spec.Row) *expr.Node {
	if len(r.FromSrc) != 1 && len(r.From) == len(m.States)-1 {
		for i := range m.States {
			if !slices.Contains(r.From, i) {
				return negate(m.isState(i))
			}
		}
	}
	var out *expr.Node
	or := func(n *expr.Node) {
		if out != nil {
			n = boolean(expr.OpOr, out, n)
		}
		out = n
	}
	for _, name := range r.FromSrc {
		for _, g := range m.Groups {
			if g.Name == name {
				or(boolean(expr.OpIn, m.stateRef(), &expr.Node{Op: expr.OpRef, Type: g.Type, Sym: g}))
			}
		}
		for i, s := range m.States {
			if s.Name == name {
				or(m.isState(i))
			}
		}
	}
	return out
}

func (m *machine) stateRef() *expr.Node {
	return &expr.Node{Op: expr.OpRef, Type: m.State.Type, Sym: m.State}
}

func (m *machine) isState(i int) *expr.Node {
	return boolean(expr.OpEq, m.stateRef(), &expr.Node{Op: expr.OpValue, Type: m.State.Type, Int: i})
}

// conjunction prints guards that all hold, on a line each where one line is
// too long.
func (m *machine) conjunction(guards []*expr.Node) string {
	switch len(guards) {
	case 0:
		return "true"
	case 1:
		return m.operand(guards[0], 0)
	}
	var out []string
	for _, g := range guards {
		out = append(out, m.operand(g, precAnd))
	}
	return broken(out, " &&")
}
