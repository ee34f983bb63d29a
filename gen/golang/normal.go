package golang

import "github.com/interlock-go/interlock/spec/expr"

// normal returns n in the form that prints as plain Go, with the same meaning:
// no implies, after or negated comparison, comparisons with none and some as
// questions to the optional, emptiness as a size, and conditional expressions only at the very top
// (of conditions: nowhere).
//
// It may evaluate more than n does, which no one can tell: expressions have no
// effects and, in Go, are defined everywhere.
func normal(n *expr.Node) *expr.Node {
	if n == nil {
		return nil
	}
	args := make([]*expr.Node, len(n.Args))
	for i, a := range n.Args {
		args[i] = normal(a)
	}
	m := *n
	m.Args = args
	switch n.Op {
	case expr.OpCond:
		return choose(&m)
	case expr.OpAnd, expr.OpOr:
		return &m
	}
	for i, a := range args {
		if a.Op == expr.OpCond {
			return lift(&m, i)
		}
	}
	switch n.Op {
	case expr.OpNot:
		return negate(args[0])
	case expr.OpImplies:
		return boolean(expr.OpOr, negate(args[0]), args[1])
	case expr.OpAfter:
		m.Op = expr.OpGt
	case expr.OpNoElem:
		return isEmpty(args[0])
	case expr.OpEq:
		return equal(&m)
	case expr.OpNe:
		m.Op = expr.OpEq
		return negate(equal(&m))
	}
	return &m
}

// lift turns f(c ? a : b) into c ? f(a) : f(b), where the conditional is
// argument i of n.
func lift(n *expr.Node, i int) *expr.Node {
	cond := n.Args[i]
	with := func(arg *expr.Node) *expr.Node {
		m := *n
		m.Args = append([]*expr.Node(nil), n.Args...)
		m.Args[i] = arg
		return &m
	}
	return normal(&expr.Node{
		Op: expr.OpCond, Type: n.Type, Pos: n.Pos,
		Args: []*expr.Node{cond.Args[0], with(cond.Args[1]), with(cond.Args[2])},
	})
}

// choose turns a conditional condition into && and ||.
func choose(n *expr.Node) *expr.Node {
	c, a, b := n.Args[0], n.Args[1], n.Args[2]
	switch {
	case n.Type.Kind != expr.Bool:
		return n
	case a.Op == expr.OpBool && a.Int == 1:
		return boolean(expr.OpOr, c, b)
	case a.Op == expr.OpBool:
		return boolean(expr.OpAnd, negate(c), b)
	case b.Op == expr.OpBool && b.Int == 0:
		return boolean(expr.OpAnd, c, a)
	case b.Op == expr.OpBool:
		return boolean(expr.OpOr, negate(c), a)
	}
	return boolean(expr.OpOr, boolean(expr.OpAnd, c, a), boolean(expr.OpAnd, negate(c), b))
}

// equal simplifies comparisons with true, false, none and some(x).
func equal(n *expr.Node) *expr.Node {
	for i, a := range n.Args {
		other := n.Args[1-i]
		switch a.Op {
		case expr.OpBool:
			if a.Int == 0 {
				return negate(other)
			}
			return other
		case expr.OpNone:
			return negate(boolean(expr.OpHasValue, other))
		case expr.OpEmpty:
			return isEmpty(other)
		case expr.OpSome:
			return boolean(expr.OpIs, other, a.Args[0])
		}
	}
	return n
}

func isEmpty(n *expr.Node) *expr.Node {
	size := &expr.Node{Op: expr.OpSize, Type: expr.IntType, Args: []*expr.Node{n}, Pos: n.Pos}
	return boolean(expr.OpEq, size, &expr.Node{Op: expr.OpInt, Type: expr.IntType, Pos: n.Pos})
}

var opposites = map[expr.Op]expr.Op{
	expr.OpEq: expr.OpNe, expr.OpNe: expr.OpEq,
	expr.OpLt: expr.OpGe, expr.OpGe: expr.OpLt,
	expr.OpGt: expr.OpLe, expr.OpLe: expr.OpGt,
}

// negate returns the negation of a normal condition.
func negate(n *expr.Node) *expr.Node {
	m := *n
	if op, ok := opposites[n.Op]; ok {
		m.Op = op
		return &m
	}
	switch n.Op {
	case expr.OpNot:
		return n.Args[0]
	case expr.OpBool:
		m.Int = 1 - n.Int
		return &m
	}
	return boolean(expr.OpNot, n)
}

func boolean(op expr.Op, args ...*expr.Node) *expr.Node {
	return &expr.Node{Op: op, Type: expr.BoolType, Args: args, Pos: args[0].Pos}
}
