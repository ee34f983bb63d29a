package expr

import "github.com/interlock-go/interlock/spec/diag"

// Fix returns n with names replaced by what is known of them, and what then is
// known beforehand worked out. Nothing that may have no value is asked that n
// didn't ask, unless what is known asks it. n itself isn't changed; definitions
// must not read the names.
func (n *Node) Fix(known map[*Symbol]*Node) *Node {
	if n.Op == OpRef {
		if v, ok := known[n.Sym]; ok {
			return v.at(n.Pos)
		}
		return n
	}
	args := make([]*Node, len(n.Args))
	same := true
	for i, a := range n.Args {
		args[i] = a.Fix(known)
		same = same && args[i] == a
	}
	if same {
		return n
	}
	out := *n
	out.Args = args
	return out.fold()
}

// at returns a copy of n at another place; its operands stay where they are.
func (n *Node) at(pos diag.Pos) *Node {
	out := *n
	out.Pos = pos
	return &out
}

// truth returns the constant condition at n's place.
func (n *Node) truth(v bool) *Node {
	return Truth(v).at(n.Pos)
}

// Truth returns a constant condition.
func Truth(v bool) *Node {
	out := &Node{Op: OpBool, Type: BoolType}
	if v {
		out.Int = 1
	}
	return out
}

// IsTrue and IsFalse report whether n is that constant.
func (n *Node) IsTrue() bool  { return n.Op == OpBool && n.Int == 1 }
func (n *Node) IsFalse() bool { return n.Op == OpBool && n.Int == 0 }

// Both returns a && b, Either a || b, Negated !n and Cond c ? a : b, worked out as
// far as their operands are constants.
func Both(a, b *Node) *Node   { return join(OpAnd, a, b) }
func Either(a, b *Node) *Node { return join(OpOr, a, b) }
func Negated(n *Node) *Node   { return n.not() }

func Cond(c, a, b *Node) *Node {
	return (&Node{Op: OpCond, Type: a.Type, Args: []*Node{c, a, b}, Pos: c.Pos}).fold()
}

func join(op Op, a, b *Node) *Node {
	return (&Node{Op: op, Type: BoolType, Args: []*Node{a, b}, Pos: b.Pos}).fold()
}

// not returns the negation of n.
func (n *Node) not() *Node {
	switch n.Op {
	case OpBool:
		return n.truth(n.Int == 0)
	case OpNot:
		return n.Args[0]
	}
	return &Node{Op: OpNot, Type: BoolType, Args: []*Node{n}, Pos: n.Pos}
}

// fold works n out as far as its operands are constants.
func (n *Node) fold() *Node {
	switch n.Op {
	case OpEq, OpNe:
		return n.foldEqual()
	case OpLt, OpLe, OpGt, OpGe:
		return n.foldOrder()
	case OpNot:
		return n.Args[0].not()
	case OpAnd, OpOr:
		return n.foldList()
	case OpImplies:
		a, b := n.Args[0], n.Args[1]
		switch {
		case a.IsFalse():
			return n.truth(true)
		case a.IsTrue():
			return b
		case b.IsFalse():
			return a.not()
		}
	case OpCond:
		switch {
		case n.Args[0].IsTrue():
			return n.Args[1]
		case n.Args[0].IsFalse():
			return n.Args[2]
		}
	}
	return n
}

func (n *Node) foldEqual() *Node {
	a, b := n.Args[0], n.Args[1]
	constant := func(n *Node) bool { return n.Op == OpBool || n.Op == OpValue || n.Op == OpInt }
	if constant(a) && constant(b) {
		return n.truth((a.Int == b.Int) == (n.Op == OpEq))
	}
	if b.Op == OpBool {
		a, b = b, a
	}
	if a.Op != OpBool {
		return n
	}
	if (a.Int == 1) == (n.Op == OpEq) {
		return b
	}
	return b.not()
}

func (n *Node) foldOrder() *Node {
	a, b := n.Args[0], n.Args[1]
	if a.Op != OpInt || b.Op != OpInt {
		return n
	}
	switch n.Op {
	case OpLt:
		return n.truth(a.Int < b.Int)
	case OpLe:
		return n.truth(a.Int <= b.Int)
	case OpGt:
		return n.truth(a.Int > b.Int)
	}
	return n.truth(a.Int >= b.Int)
}

// foldList leaves out the operands that decide nothing, up to the first that
// decides all.
func (n *Node) foldList() *Node {
	idle := n.truth(n.Op == OpAnd)
	var args []*Node
	for _, a := range n.Args {
		if a.Op == OpBool && a.Int == idle.Int {
			continue
		}
		args = append(args, a)
		if a.Op == OpBool {
			break
		}
	}
	switch {
	case len(args) == 0:
		return idle
	case len(args) == 1, args[0].Op == OpBool:
		return args[0]
	}
	out := *n
	out.Args = args
	return &out
}
