package golang

import (
	"slices"
	"strings"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// conditions returns the conditions of a row in the table's words, in the
// order of guards.
func (m *machine) conditions(r *spec.Row) []string {
	var out []string
	if r.From != nil {
		of := ""
		if len(m.Parts) > 0 && m.Per != "" {
			of = names.Local(m.Per) + " "
		}
		out = append(out, "from "+of+list(r.FromSrc, "or"))
	}
	if r.PartFrom != nil {
		out = append(out, "from "+names.Local(r.Event.Of.Key.Name)+" "+list(r.PartFromSrc, "or"))
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
		out = append(out, from(r.From, r.FromSrc, m.States, m.Groups, expr.Ref(m.State)))
	}
	if r.PartFrom != nil {
		p, key := r.Event.Of, r.Event.Args[0].Sym
		subject := &expr.Node{Op: expr.OpField, Type: p.State.Type, Sym: p.State, Args: []*expr.Node{expr.Ref(key)}}
		out = append(out, from(r.PartFrom, r.PartFromSrc, p.States, p.Groups, subject))
	}
	for _, c := range r.When {
		out = append(out, normal(c.Expr))
	}
	for _, c := range r.Unless {
		out = append(out, negate(normal(c.Expr)))
	}
	return out
}

// from returns that at is one of a row's states: not the one that is missing,
// or one of what the table lists.
func from(among []int, src []string, states []*spec.State, groups []*expr.Symbol, at *expr.Node) *expr.Node {
	is := func(i int) *expr.Node {
		return boolean(expr.OpEq, at, &expr.Node{Op: expr.OpValue, Type: at.Type, Int: i})
	}
	if len(src) != 1 && len(among) == len(states)-1 {
		for i := range states {
			if !slices.Contains(among, i) {
				return negate(is(i))
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
	for _, name := range src {
		for _, g := range groups {
			if g.Name == name {
				or(boolean(expr.OpIn, at, &expr.Node{Op: expr.OpRef, Type: g.Type, Sym: g}))
			}
		}
		for i, s := range states {
			if s.Name == name {
				or(is(i))
			}
		}
	}
	return out
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
