package expr

// Fix returns n with names replaced by constants, and what then is known
// beforehand worked out: at has their values, as OpBool and OpValue have them in
// Int. Nothing that may have no value is asked that n didn't ask. n itself isn't
// changed; definitions must not read the names.
func (n *Node) Fix(at map[*Symbol]int) *Node {
	if n.Op == OpRef {
		v, ok := at[n.Sym]
		if !ok {
			return n
		}
		op := OpValue
		switch n.Type.Kind {
		case Bool:
			op = OpBool
		case Int:
			op = OpInt
		}
		return &Node{Op: op, Type: n.Type, Int: v, Pos: n.Pos}
	}
	args := make([]*Node, len(n.Args))
	same := true
	for i, a := range n.Args {
		args[i] = a.Fix(at)
		same = same && args[i] == a
	}
	if same {
		return n
	}
	out := *n
	out.Args = args
	return out.fold()
}

// truth returns the constant condition at n's place.
func (n *Node) truth(v bool) *Node {
	out := &Node{Op: OpBool, Type: BoolType, Pos: n.Pos}
	if v {
		out.Int = 1
	}
	return out
}

// IsTrue and IsFalse report whether n is that constant.
func (n *Node) IsTrue() bool  { return n.Op == OpBool && n.Int == 1 }
func (n *Node) IsFalse() bool { return n.Op == OpBool && n.Int == 0 }

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
