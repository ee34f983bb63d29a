package golang

import (
	"strconv"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec/expr"
)

// Go's precedences, from loosest to tightest.
const (
	precOr = iota + 1
	precAnd
	precCompare
	precAdd
	precMul
	precUnary
)

var binary = map[expr.Op]struct {
	prec int
	op   string
}{
	expr.OpOr: {precOr, " || "}, expr.OpAnd: {precAnd, " && "},
	expr.OpEq: {precCompare, " == "}, expr.OpNe: {precCompare, " != "},
	expr.OpLt: {precCompare, " < "}, expr.OpLe: {precCompare, " <= "},
	expr.OpGt: {precCompare, " > "}, expr.OpGe: {precCompare, " >= "},
	expr.OpAdd: {precAdd, " + "}, expr.OpSub: {precAdd, " - "}, expr.OpMul: {precMul, "*"},
}

// unsayable returns the words for what Go code isn't generated for; empty for
// what it is.
func unsayable(n *expr.Node) string {
	switch n.Op {
	case expr.OpSize, expr.OpNoElem, expr.OpWith, expr.OpWithout, expr.OpUnion, expr.OpMinus, expr.OpSubset, expr.OpEmpty, expr.OpType:
		return "an operation on sets"
	case expr.OpAll, expr.OpExists:
		return "a quantifier"
	case expr.OpIn:
		if g := n.Args[1]; g.Op != expr.OpRef || g.Sym.Kind != expr.SymGroup {
			return "in, but for groups of states"
		}
		return ""
	case expr.OpRef:
		if n.New {
			return "the state after the step"
		}
		if n.Sym.Kind == expr.SymGhost || n.Sym.Kind == expr.SymShared || n.Sym.Kind == expr.SymBound {
			return n.Sym.Name
		}
		if n.Sym.Kind == expr.SymGroup {
			return ""
		}
	}
	return unsayableType(n.Type)
}

func unsayableType(t *expr.Type) string {
	for ; t != nil; t = t.Elem {
		if t.Kind == expr.Set {
			return "a value of type " + t.String()
		}
	}
	return ""
}

func sayable(n *expr.Node) bool { return unsayable(n) == "" }

// cond prints a condition where an operand of the given precedence may stand.
func (m *machine) cond(n *expr.Node, prec int) string { return m.operand(normal(n), prec) }

// operand prints a normal node, in parentheses where it binds less tightly
// than its place.
func (m *machine) operand(n *expr.Node, prec int) string {
	b, ok := binary[n.Op]
	if !ok {
		return m.primary(n)
	}
	right := b.prec + 1
	if n.Op == expr.OpAnd || n.Op == expr.OpOr {
		right = b.prec
	}
	s := m.operand(n.Args[0], b.prec) + b.op + m.operand(n.Args[1], right)
	if b.prec < prec {
		return "(" + s + ")"
	}
	return s
}

func (m *machine) primary(n *expr.Node) string {
	switch n.Op {
	case expr.OpBool:
		return strconv.FormatBool(n.Int == 1)
	case expr.OpInt:
		return strconv.Itoa(n.Int)
	case expr.OpOrigin:
		return "0"
	case expr.OpValue:
		return m.value(n.Type, n.Int)
	case expr.OpNone:
		return "fsm.None[" + m.goType(n.Type.Elem) + "]()"
	case expr.OpSome:
		arg := n.Args[0]
		s := m.operand(arg, 0)
		if arg.Op == expr.OpInt || arg.Op == expr.OpOrigin {
			return "fsm.Some[" + m.goType(n.Type.Elem) + "](" + s + ")"
		}
		return "fsm.Some(" + s + ")"
	case expr.OpRef:
		return ref(n.Sym)
	case expr.OpDef:
		return "m." + names.Local(n.Sym.Name) + "()"
	case expr.OpNot:
		return "!" + m.operand(n.Args[0], precUnary)
	case expr.OpIs:
		return m.operand(n.Args[0], precUnary) + ".Is(" + m.operand(n.Args[1], 0) + ")"
	case expr.OpHasValue:
		return m.operand(n.Args[0], precUnary) + ".HasValue()"
	case expr.OpGet:
		return m.operand(n.Args[0], precUnary) + ".Value()"
	case expr.OpIn:
		return m.operand(n.Args[0], precUnary) + "." + names.Exported(n.Args[1].Sym.Name) + "()"
	}
	return "" // check lets nothing else through
}

func ref(s *expr.Symbol) string {
	switch s.Kind {
	case expr.SymState:
		return "m.State"
	case expr.SymArg:
		return "e." + names.Exported(s.Name)
	}
	return "m." + names.Exported(s.Name)
}

// value returns the name of an enumeration's value.
func (m *machine) value(t *expr.Type, i int) string {
	if t == m.State.Type {
		return names.Exported(m.States[i].Name)
	}
	return names.Value(t, i)
}

func (m *machine) goType(t *expr.Type) string {
	switch {
	case t.Kind == expr.Optional:
		return "fsm.Optional[" + m.goType(t.Elem) + "]"
	case t.Name != "":
		return t.Name
	case t.Kind == expr.Bool:
		return "bool"
	}
	return "int"
}
