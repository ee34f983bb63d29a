package golang

import (
	"slices"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// unsayable returns the words for what Go code isn't generated for; empty for
// what it is.
func unsayable(n *expr.Node) string {
	switch n.Op {
	case expr.OpTail, expr.OpAppend, expr.OpRemove, expr.OpWith, expr.OpWithout, expr.OpUnion, expr.OpMinus, expr.OpEmpty:
		return "a list or set that is computed, but for the new value of a variable,"
	case expr.OpType:
		return "an operation on sets"
	case expr.OpAll, expr.OpExists:
		return "a quantifier"
	case expr.OpFieldValues:
		if !n.Sym.Unique {
			return "a search in all values of " + n.Sym.Part.Name + "." + n.Sym.Name + ", which isn't unique,"
		}
	case expr.OpEq, expr.OpNe:
		return ""
	case expr.OpIn:
		if s := n.Args[1]; s.Op == expr.OpRef || s.Op == expr.OpDef || s.Op == expr.OpFieldValues {
			return ""
		}
		return "in, but for groups, variables and unique fields,"
	case expr.OpRef, expr.OpField:
		if n.New {
			return "the state after the step"
		}
		if n.Sym.Kind == expr.SymGhost {
			return n.Sym.Name
		}
	}
	if n.Op != expr.OpIn && n.Op != expr.OpSize && n.Op != expr.OpNoElem && slices.ContainsFunc(n.Args, func(a *expr.Node) bool { return a.Op == expr.OpFieldValues }) {
		return "an operation on all values of a field"
	}
	return ""
}

func sayable(n *expr.Node) bool {
	at, _ := firstUnsayable(n)
	return at == nil
}

// firstUnsayable returns the outermost operation below n that Go code isn't
// generated for, with the words for it; nil if there is none.
func firstUnsayable(n *expr.Node) (*expr.Node, string) {
	if n.Op == expr.OpEq || n.Op == expr.OpNe {
		for i, a := range n.Args {
			if a.Op == expr.OpEmpty { // printed as a size
				return firstUnsayable(n.Args[1-i])
			}
		}
	}
	if what := unsayable(n); what != "" {
		return n, what
	}
	below := n.Args
	if n.Op == expr.OpDef {
		below = []*expr.Node{n.Sym.Body}
	}
	return firstOf(below, firstUnsayable)
}

// firstUnsayableChange is the same for the new value of a list or set, which
// is printed as changes of the old one.
func firstUnsayableChange(n *expr.Node) (*expr.Node, string) {
	switch {
	case n.Op == expr.OpEmpty:
		return nil, ""
	case n.Op == expr.OpCond:
		if at, what := firstUnsayable(n.Args[0]); at != nil {
			return at, what
		}
		return firstOf(n.Args[1:], firstUnsayableChange)
	case changes[n.Op] != "":
		if at, what := firstOf(n.Args[1:], firstUnsayable); at != nil {
			return at, what
		}
		return firstUnsayableChange(n.Args[0])
	}
	return firstUnsayable(n)
}

func firstOf(ns []*expr.Node, f func(*expr.Node) (*expr.Node, string)) (*expr.Node, string) {
	for _, n := range ns {
		if at, what := f(n); at != nil {
			return at, what
		}
	}
	return nil, ""
}

// checkExpressions complains about what production code would evaluate and
// can't say.
func (m *machine) checkExpressions(ds *diag.List) {
	changed := map[*expr.Node]bool{}
	for _, r := range m.rows() {
		for _, a := range r.Set {
			changed[a.Expr] = collection(a.Var.Type)
		}
	}
	for _, v := range m.owned() {
		changed[v.Init] = collection(v.Sym.Type)
	}
	for _, n := range m.expressions() {
		f := firstUnsayable
		if changed[n] {
			f = firstUnsayableChange
		}
		if at, what := f(n); at != nil {
			ds.Add(diag.Unsupported, at.Pos, "%s isn't generated to Go yet", what)
		}
	}
}

// checkTypes complains about lists and sets that aren't variables of the
// machine.
func (m *machine) checkTypes(ds *diag.List) {
	var owned []*expr.Symbol
	for _, v := range m.owned() {
		owned = append(owned, v.Sym)
	}
	for _, s := range m.symbols() {
		if collection(s.Type) && !slices.Contains(owned, s) && s.Kind != expr.SymDef {
			ds.Add(diag.Unsupported, s.Pos, "a value of type %s isn't generated to Go yet, but for a variable of the machine: %s", s.Type, s.Name)
		}
	}
}

// checkOrder complains about rows whose updates can't be put in an order in
// which all right sides read the old state.
func (m *machine) checkOrder(ds *diag.List) {
	for _, r := range m.rows() {
		_, left := m.plan(r)
		for _, s := range left {
			if !s.plain() {
				ds.Add(diag.Unsupported, r.Pos, "%s changes parts, lists or sets and reads in turn what it changes: that isn't generated to Go yet", r.Name()).Width = len(r.ID)
				break
			}
		}
		if r.Then != nil {
			m.checkThen(r, ds)
		}
	}
}

// checkThen complains about moves of a sub-table's row that read what the row
// before it has written; of the rest the language sees to it.
func (m *machine) checkThen(r *spec.Row, ds *diag.List) {
	for _, then := range r.Then.Rows {
		for _, f := range then.Fire {
			second := m.fire(f)
			for _, first := range m.steps(r) {
				if _, other := readsOf(f.Move); common(other, first.writes) || common(second.own, first.writes) && !first.apart(&second) {
					ds.Add(diag.Unsupported, f.Pos, "the move %s reads what %s has written by then: that isn't generated to Go yet", f.Move.Name, r.Name())
				}
			}
		}
	}
}
