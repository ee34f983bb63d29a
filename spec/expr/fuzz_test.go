package expr_test

import (
	"testing"

	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// scope has a name of every kind.
func scope() *expr.Scope {
	pos := diag.Pos{File: "fuzz.yaml", Line: 1, Col: 1}
	state := &expr.Type{Kind: expr.Enum, Name: "State", Values: []string{"open", "shut"}}
	side := &expr.Type{Kind: expr.Enum, Name: "Side", Values: []string{"left", "right", "open"}}
	key := &expr.Type{Kind: expr.Serial, Name: "Key"}
	id := &expr.Type{Kind: expr.Identity, Name: "Id"}
	number := &expr.Type{Kind: expr.Int, Lo: -2, Hi: 3}
	list := &expr.Type{Kind: expr.List, Elem: key, Bound: &expr.Node{Op: expr.OpInt, Type: expr.IntType, Int: 2}}
	sym := func(kind expr.SymKind, name string, t *expr.Type) *expr.Symbol {
		return &expr.Symbol{Kind: kind, Name: name, Type: t, Pos: pos}
	}
	part := sym(expr.SymPart, "tickets", key)
	asked := &expr.Symbol{Kind: expr.SymField, Name: "asked", Type: expr.BoolType, Index: 1, Part: part, Pos: pos}
	by := &expr.Symbol{Kind: expr.SymField, Name: "by", Type: expr.OptionalOf(id), Index: 2, Part: part, Pos: pos}
	group := sym(expr.SymGroup, "both", expr.SetOf(state))
	group.Members = []int{0, 1}
	k := sym(expr.SymArg, "k", key)
	vars := []*expr.Symbol{
		sym(expr.SymState, "state", state), sym(expr.SymVar, "owner", expr.OptionalOf(key)), sym(expr.SymVar, "line", list),
		sym(expr.SymVar, "ids", expr.SetOf(id)), sym(expr.SymVar, "side", side), sym(expr.SymVar, "n", number), sym(expr.SymVar, "on", expr.BoolType),
	}
	return expr.NewScope(expr.Types(state, side, key, id), expr.Names(group, k), expr.Names(vars...), expr.After(vars...),
		expr.Fields(asked, by), expr.Subject(k, true, asked, by), expr.Hidden("nobody may", "secret"))
}

// FuzzParse: a source is an expression of a known type or has complaints with
// places, and every expression has a value, or tells which operation has none.
func FuzzParse(f *testing.F) {
	for _, src := range []string{
		"true", "owner.is(k) && !on", "owner.hasValue() && owner.value().after(k)", "line.append(k).tail().head() == k", "n + 1 < 2 * n - -1",
		"ids.all(x, x in ids)", "Id.exists(x, !(x in ids.without(x).union(ids)))", "state in both ? side == Side.open : new.on", "it.asked.implies(tickets(k).asked)",
		"none() == some(k)", "tickets.by.size() == 0", "secret", "empty().with(1)", "'a' == \"b\"", "k == origin()", "((((", "a.b.c", "[1, 2][0]", "n == 99999999999",
	} {
		f.Add(src)
	}
	s := scope()
	f.Fuzz(func(t *testing.T, src string) {
		for _, want := range []*expr.Type{nil, expr.BoolType} {
			var diags diag.List
			n := expr.Parse(src, diag.Pos{File: "fuzz.yaml", Line: 1, Col: 1}, s, want, &diags)
			if (n == nil) != (len(diags) > 0) {
				t.Fatalf("%v with %v", n, diags)
			}
			for _, d := range diags {
				if !d.Pos.IsValid() || d.Pos.Line != 1 || d.Pos.Col < 1 || d.Message == "" {
					t.Fatalf("%+v", d)
				}
			}
			if n == nil {
				continue
			}
			n.Walk(func(m *expr.Node) bool {
				if m.Type == nil || !m.Pos.IsValid() {
					t.Fatalf("%q: a node without a type or place: %+v", src, m)
				}
				return true
			})
			evaluate(t, n)
		}
	})
}

// evaluate gives every name its first value, then its second.
func evaluate(t *testing.T, n *expr.Node) {
	t.Helper()
	for code := range uint64(2) {
		env := expr.Env{
			Value: func(s *expr.Symbol, _ bool) uint64 { return code },
			Field: func(*expr.Symbol, uint64, bool) uint64 { return code },
			Size:  func(*expr.Type) int { return 2 },
		}
		v, undefined := env.Eval(n)
		if undefined == nil && n.Type.Kind == expr.Bool && v > 1 {
			t.Fatalf("a condition of value %d", v)
		}
	}
}
