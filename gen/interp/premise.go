package interp

import (
	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// side is a condition under which a part of another says something.
type side struct {
	holds *expr.Node
	what  string // what is wrong if it never is
	in    int    // the number of the side that it presumes; -1: none
}

// leftSides returns the conditions under which the parts of a condition say
// something: of an implication that its left side is true, of what is said of all
// in a set or list that there is one, within definitions, quantifiers and right
// sides too; and of alternatives that the last one decides, but for those of a
// right side: there each is a case of its own, which need not occur. A negation is moved
// inward, unless n isn't as it was written: what was known there may have left it.
func leftSides(n *expr.Node, written bool) []side {
	var l sides
	l.of(n, scope{in: -1, fixed: !written, whole: func(x *expr.Node) *expr.Node { return x }})
	return l
}

const neverTrue = "its premise is never true"

type sides []side

// scope is where a part of a condition stands.
type scope struct {
	in    int                         // the number of the side that it is under; -1: none
	right bool                        // it is a right side
	fixed bool                        // it isn't as it was written
	whole func(*expr.Node) *expr.Node // makes a condition on the part one on all of it
}

func (l *sides) say(holds *expr.Node, what string, in int) int {
	*l = append(*l, side{holds, what, in})
	return len(*l) - 1
}

// under adds a premise, and the sides of what it is the premise of.
func (l *sides) under(s scope, premise, then *expr.Node, never string) {
	at := l.say(s.whole(premise), never, s.in)
	l.of(then, scope{at, true, s.fixed, func(x *expr.Node) *expr.Node { return s.whole(joint(premise, x)) }})
}

// of adds the sides of n.
func (l *sides) of(n *expr.Node, s scope) {
	switch n.Op {
	case expr.OpImplies:
		l.under(s, n.Args[0], n.Args[1], neverTrue)
	case expr.OpOr:
		if s.right {
			return
		}
		last := len(n.Args) - 1
		all := not(n.Args[0])
		for _, a := range n.Args[1:last] {
			all = boolean(expr.OpAnd, all.Pos, all, not(a))
		}
		l.under(s, all, n.Args[last], neverTrue)
	case expr.OpAnd:
		for _, a := range n.Args {
			l.of(a, s)
		}
	case expr.OpCond:
		l.under(s, n.Args[0], n.Args[1], neverTrue)
		l.under(s, not(n.Args[0]), n.Args[2], "its condition is never false")
	case expr.OpAll:
		some := s
		some.whole = func(x *expr.Node) *expr.Node {
			return s.whole(&expr.Node{Op: expr.OpExists, Type: expr.BoolType, Sym: n.Sym, Args: []*expr.Node{n.Args[0], x}, Pos: x.Pos})
		}
		before := len(*l)
		l.of(n.Args[1], some)
		// That nothing in it is so may say that it is empty.
		if len(*l) == before && n.Args[0].Op != expr.OpType && n.Args[1].Op != expr.OpNot {
			yes := *expr.Truth(true)
			yes.Pos = n.Args[0].Pos
			l.say(some.whole(&yes), "what it speaks of is always empty", s.in)
		}
	case expr.OpDef:
		if !n.New { // its body would have to be read after the step
			l.of(n.Sym.Body, s)
		}
	case expr.OpNot:
		if m := inward(n.Args[0]); m != nil && !s.fixed {
			l.of(m, s)
		}
	}
}

// inward returns what is true where n isn't, with the negation moved into n's
// parts; nil: it has none.
func inward(n *expr.Node) *expr.Node {
	other := map[expr.Op]expr.Op{expr.OpAnd: expr.OpOr, expr.OpOr: expr.OpAnd, expr.OpExists: expr.OpAll}
	switch n.Op {
	case expr.OpNot:
		return n.Args[0]
	case expr.OpAnd, expr.OpOr:
		m := &expr.Node{Op: other[n.Op], Type: expr.BoolType, Pos: n.Pos}
		for _, a := range n.Args {
			m.Args = append(m.Args, not(a))
		}
		return m
	case expr.OpExists:
		return &expr.Node{Op: other[n.Op], Type: expr.BoolType, Sym: n.Sym, Args: []*expr.Node{n.Args[0], not(n.Args[1])}, Pos: n.Pos}
	case expr.OpDef:
		if !n.New {
			return not(n.Sym.Body)
		}
	}
	return nil
}

func not(n *expr.Node) *expr.Node {
	return boolean(expr.OpNot, n.Pos, n)
}

// joint is a && b, told where b stands.
func joint(a, b *expr.Node) *expr.Node { return boolean(expr.OpAnd, b.Pos, a, b) }

func boolean(op expr.Op, pos diag.Pos, args ...*expr.Node) *expr.Node {
	return &expr.Node{Op: op, Type: expr.BoolType, Args: args, Pos: pos}
}
