package markdown

import (
	"testing"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// What the tables keep both as text and as a tree comes back as it was written.
func TestSourceIsWhatWasWritten(t *testing.T) {
	everyTable(t, func(t *testing.T, table *spec.Table, _ string) {
		same := func(src string, n *expr.Node) {
			t.Helper()
			if got := source(n); n != nil && got != src {
				t.Errorf("written %s, printed %s", src, got)
			}
		}
		for _, r := range table.Rows() {
			for _, c := range append(r.When, r.Unless...) {
				same(c.Src, c.Expr)
			}
			for _, a := range r.Set {
				same(a.Src, a.Expr)
			}
		}
		for _, f := range table.Follows {
			if f.Effect != nil {
				continue
			}
			for _, a := range f.Set {
				same(a.Src, a.Expr)
			}
		}
		for _, a := range table.Assumptions {
			same(a.Src, a.Only)
		}
		for _, q := range table.Properties {
			if q.Holds != nil {
				same(q.Src, q.Holds)
			}
			for _, c := range q.Clauses {
				same(c.Src, c.Holds)
			}
		}
	})
}

func TestSourceKeepsParentheses(t *testing.T) {
	ref := func(name string) *expr.Node {
		return &expr.Node{Op: expr.OpRef, Sym: &expr.Symbol{Name: name}}
	}
	op := func(o expr.Op, args ...*expr.Node) *expr.Node { return &expr.Node{Op: o, Args: args} }
	a, b, c := ref("a"), ref("b"), ref("c")
	for want, n := range map[string]*expr.Node{
		"(a || b) && c":             op(expr.OpAnd, op(expr.OpOr, a, b), c),
		"a || b && c":               op(expr.OpOr, a, op(expr.OpAnd, b, c)),
		"a - (b - c)":               op(expr.OpSub, a, op(expr.OpSub, b, c)),
		"a - b - c":                 op(expr.OpSub, op(expr.OpSub, a, b), c),
		"(a + b) * c":               op(expr.OpMul, op(expr.OpAdd, a, b), c),
		"(a == b) == c":             op(expr.OpEq, op(expr.OpEq, a, b), c),
		"!(a in b)":                 op(expr.OpNot, op(expr.OpIn, a, b)),
		"(!a).implies(b || c)":      op(expr.OpImplies, op(expr.OpNot, a), op(expr.OpOr, b, c)),
		"(a ? b : c) ? a : b":       op(expr.OpCond, op(expr.OpCond, a, b, c), a, b),
		"a ? b : c ? a : b":         op(expr.OpCond, a, b, op(expr.OpCond, c, a, b)),
		"some(a).is(b)":             op(expr.OpIs, op(expr.OpSome, a), b),
		"a.value().after(new.c)":    op(expr.OpAfter, op(expr.OpGet, a), &expr.Node{Op: expr.OpRef, New: true, Sym: &expr.Symbol{Name: "c"}}),
		"a.exists(x, x == empty())": {Op: expr.OpExists, Sym: &expr.Symbol{Name: "x"}, Args: []*expr.Node{a, op(expr.OpEq, ref("x"), op(expr.OpEmpty))}},
	} {
		if got := source(n); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
