package markdown

import (
	"strconv"
	"strings"

	"github.com/interlock-go/interlock/spec/expr"
)

// Binding strengths of what the table writes between operands, loosest first.
const (
	bindCond = iota + 1
	bindOr
	bindAnd
	bindRelation
	bindSum
	bindProduct
	bindNot
	bindMember
)

var infix = map[expr.Op]struct {
	sign string
	bind int
}{
	expr.OpOr: {" || ", bindOr}, expr.OpAnd: {" && ", bindAnd},
	expr.OpEq: {" == ", bindRelation}, expr.OpNe: {" != ", bindRelation}, expr.OpIn: {" in ", bindRelation},
	expr.OpLt: {" < ", bindRelation}, expr.OpLe: {" <= ", bindRelation}, expr.OpGt: {" > ", bindRelation}, expr.OpGe: {" >= ", bindRelation},
	expr.OpAdd: {" + ", bindSum}, expr.OpSub: {" - ", bindSum}, expr.OpMul: {" * ", bindProduct},
}

var method = map[expr.Op]string{
	expr.OpImplies: "implies", expr.OpIs: "is", expr.OpHasValue: "hasValue", expr.OpGet: "value", expr.OpAfter: "after",
	expr.OpSize: "size", expr.OpNoElem: "isEmpty", expr.OpWith: "with", expr.OpWithout: "without",
	expr.OpUnion: "union", expr.OpMinus: "minus", expr.OpSubset: "subset", expr.OpAll: "all", expr.OpExists: "exists",
}

// source writes n in the table's language, for the places where the checked
// table keeps a tree and not the text. Arguments of effects lack the effect's
// name.
func source(n *expr.Node) string {
	s, _ := write(n)
	return s
}

func write(n *expr.Node) (text string, bind int) {
	if in, ok := infix[n.Op]; ok {
		left, right := in.bind, in.bind+1
		switch in.bind {
		case bindRelation: // neither side may be one
			left = right
		case bindAnd, bindOr: // the order of reading is the same
			right = left
		}
		return within(n.Args[0], left) + in.sign + within(n.Args[1], right), in.bind
	}
	if name, ok := method[n.Op]; ok {
		var args []string
		if n.Op == expr.OpAll || n.Op == expr.OpExists {
			args = append(args, n.Sym.Name)
		}
		for _, a := range n.Args[1:] {
			args = append(args, source(a))
		}
		return within(n.Args[0], bindMember) + "." + name + "(" + strings.Join(args, ", ") + ")", bindMember
	}
	switch n.Op {
	case expr.OpNot:
		return "!" + within(n.Args[0], bindNot), bindNot
	case expr.OpCond:
		return within(n.Args[0], bindOr) + " ? " + within(n.Args[1], bindOr) + " : " + within(n.Args[2], bindCond), bindCond
	case expr.OpSome:
		return "some(" + source(n.Args[0]) + ")", bindMember
	}
	return leaf(n), bindMember
}

// within writes n as an operand, in parentheses if it binds less than bind.
func within(n *expr.Node, bind int) string {
	s, b := write(n)
	if b < bind {
		return "(" + s + ")"
	}
	return s
}

func leaf(n *expr.Node) string {
	switch n.Op {
	case expr.OpBool:
		return strconv.FormatBool(n.Int != 0)
	case expr.OpInt:
		return strconv.Itoa(n.Int)
	case expr.OpValue:
		if n.Type.Name == "State" {
			return n.Type.Values[n.Int]
		}
		return n.Type.Name + "." + n.Type.Values[n.Int]
	case expr.OpNone:
		return "none()"
	case expr.OpEmpty:
		return "empty()"
	case expr.OpOrigin:
		return "origin()"
	case expr.OpType:
		return n.Type.Elem.String()
	}
	name := ""
	if n.Sym != nil {
		name = n.Sym.Name
	}
	if n.New {
		name = "new." + name
	}
	return name
}
