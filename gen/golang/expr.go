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

// cond prints a condition where an operand of the given precedence may stand.
func (m *machine) cond(n *expr.Node, prec int) string { return m.operand(normal(n), prec) }

// operand prints a normal node, in parentheses where it binds less tightly
// than its place.
func (m *machine) operand(n *expr.Node, prec int) string {
	b, ok := binary[n.Op]
	if !ok {
		return m.primary(n)
	}
	if n.Op == expr.OpEq || n.Op == expr.OpNe {
		if s := m.equal(n); s != "" {
			return s
		}
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
		return m.of("fsm", "None") + "[" + m.goType(n.Type.Elem) + "]()"
	case expr.OpSome:
		arg := n.Args[0]
		s := m.operand(arg, 0)
		if arg.Op == expr.OpInt || arg.Op == expr.OpOrigin {
			return m.of("fsm", "Some") + "[" + m.goType(n.Type.Elem) + "](" + s + ")"
		}
		return m.of("fsm", "Some") + "(" + s + ")"
	case expr.OpRef:
		if local := m.bound[n.Sym]; local != "" {
			return local
		}
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
		return m.in(n.Args[0], n.Args[1])
	case expr.OpField:
		return m.record(m.partOf(n.Sym), n.Args[0]) + "." + names.Exported(n.Sym.Name)
	}
	return m.collected(n)
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
	if p := m.partsWith(t); p != nil {
		return names.PartValue(p, i)
	}
	return names.Value(t, i)
}

func (m *machine) goType(t *expr.Type) string {
	switch {
	case t.Kind == expr.Optional:
		return m.of("fsm", "Optional") + "[" + m.goType(t.Elem) + "]"
	case t.Kind == expr.List:
		return m.of("fsm", "FIFO") + "[" + m.goType(t.Elem) + "]"
	case t.Kind == expr.Set:
		return m.of("fsm", "Set") + "[" + m.goType(t.Elem) + "]"
	case t.Name != "":
		return t.Name
	case t.Kind == expr.Bool:
		return "bool"
	}
	return "int"
}
