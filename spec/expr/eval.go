package expr

import "fmt"

// Env gives an evaluation its values, all as codes: bool 0 and 1; a number
// itself, as a two's complement; an enumeration's value its index; an identity
// from 1; a serial from 1, its origin 0; an optional 0 for none, else 1 + the
// code it holds; a set a bit mask, bit i for the element of code i; a list as
// in ListBase.
type Env struct {
	// Value returns the code of a name, after the step if after is set.
	Value func(s *Symbol, after bool) uint64
	// Field returns the code of a field of the part with that key. It may be
	// nil where there are no parts.
	Field func(s *Symbol, key uint64, after bool) uint64
	// Size returns how many values an identity or serial has, the origin not
	// counted. It may be nil where no expression ranges over a type, nor reads a
	// list or the fields of all parts.
	Size func(*Type) int

	bound []binding
}

type binding struct {
	sym   *Symbol
	value uint64
}

// Eval returns the code of n. If something is undefined on the way, such as
// the value of none, it returns that node instead. &&, ||, implies and ?: go
// left to right and leave out what doesn't matter.
//
// It walks the tree: this is the meaning of the language at its plainest, for
// deciding cells and to hold faster engines against.
func (e *Env) Eval(n *Node) (code uint64, undefined *Node) {
	switch n.Op {
	case OpBool, OpInt, OpValue:
		return uint64(n.Int), nil
	case OpNone, OpOrigin, OpEmpty:
		return 0, nil
	case OpRef:
		return e.ref(n), nil
	case OpDef:
		return e.Eval(n.Sym.Body)
	case OpAnd, OpOr, OpImplies, OpCond:
		return e.lazy(n)
	case OpAll, OpExists:
		return e.quantifier(n)
	case OpType:
		return e.all(n.Type.Elem), nil
	case OpFieldValues:
		return e.fieldValues(n), nil
	}
	var args [2]uint64
	for i, a := range n.Args {
		if args[i], undefined = e.Eval(a); undefined != nil {
			return 0, undefined
		}
	}
	switch {
	case n.Op == OpGet && args[0] == 0, n.Op == OpField && args[0] == 0: // no part has the origin for a key
		return 0, n
	case n.Op == OpField:
		return e.Field(n.Sym, args[0], n.New), nil
	case isList(n):
		return e.list(n, args[0], args[1])
	}
	return apply(n, args[0], args[1]), nil
}

// fieldValues returns the set of what a field holds in any part, but none.
func (e *Env) fieldValues(n *Node) uint64 {
	var set uint64
	for key := range e.Size(n.Sym.Part.Type) {
		v := e.Field(n.Sym, uint64(key)+1, n.New)
		switch {
		case n.Sym.Type.Kind != Optional:
			set |= 1 << v
		case v != 0:
			set |= 1 << (v - 1)
		}
	}
	return set
}

// isList reports whether n is an operation on a list.
func isList(n *Node) bool {
	switch n.Op {
	case OpHead, OpTail, OpAppend, OpRemove:
		return true
	case OpSize, OpNoElem:
		return n.Args[0].Type.Kind == List
	case OpIn:
		return n.Args[1].Type.Kind == List
	}
	return false
}

// base returns the base of the codes of lists of elem.
func (e *Env) base(elem *Type) ListBase {
	if elem.Kind == Identity || elem.Kind == Serial {
		return BaseOf(elem, e.Size(elem))
	}
	return BaseOf(elem, 0)
}

func (e *Env) list(n *Node, x, y uint64) (uint64, *Node) {
	if n.Op == OpIn {
		return bit(e.base(n.Args[1].Type.Elem).Has(y, x)), nil
	}
	t := n.Args[0].Type
	b := e.base(t.Elem)
	switch n.Op {
	case OpSize:
		return uint64(b.Size(x)), nil
	case OpNoElem:
		return bit(x == 0), nil
	case OpRemove:
		return b.Remove(x, y), nil
	case OpAppend:
		bound, undefined := e.Eval(t.Bound)
		if undefined != nil || b.Size(x) >= int(bound) {
			return 0, n
		}
		return b.Append(x, y), nil
	}
	switch {
	case x == 0:
		return 0, n
	case n.Op == OpHead:
		return b.Head(x), nil
	}
	return b.Tail(x), nil
}

func (e *Env) ref(n *Node) uint64 {
	switch n.Sym.Kind {
	case SymGroup:
		var set uint64
		for _, m := range n.Sym.Members {
			set |= 1 << m
		}
		return set
	case SymBound:
		for i := len(e.bound) - 1; i >= 0; i-- {
			if e.bound[i].sym == n.Sym {
				return e.bound[i].value
			}
		}
	}
	return e.Value(n.Sym, n.New)
}

func (e *Env) lazy(n *Node) (uint64, *Node) {
	a, undefined := e.Eval(n.Args[0])
	if undefined != nil {
		return 0, undefined
	}
	switch {
	case n.Op == OpCond && a == 1:
		return e.Eval(n.Args[1])
	case n.Op == OpCond:
		return e.Eval(n.Args[2])
	case n.Op == OpAnd && a == 0:
		return 0, nil
	case n.Op == OpOr && a == 1, n.Op == OpImplies && a == 0:
		return 1, nil
	}
	return e.Eval(n.Args[1])
}

func (e *Env) quantifier(n *Node) (uint64, *Node) {
	set, undefined := e.Eval(n.Args[0])
	if undefined != nil {
		return 0, undefined
	}
	stop := bit(n.Op == OpExists)
	for _, v := range e.elements(n.Args[0].Type, set) {
		e.bound = append(e.bound, binding{n.Sym, v})
		got, undefined := e.Eval(n.Args[1])
		e.bound = e.bound[:len(e.bound)-1]
		if undefined != nil {
			return 0, undefined
		}
		if got == stop {
			return stop, nil
		}
	}
	return 1 - stop, nil
}

// elements returns the codes of what is in a set or list.
func (e *Env) elements(t *Type, code uint64) []uint64 {
	if t.Kind == List {
		return e.base(t.Elem).Elements(code)
	}
	var out []uint64
	for v := uint64(0); v < 64; v++ {
		if code>>v&1 != 0 {
			out = append(out, v)
		}
	}
	return out
}

// all returns the set of every value that an argument of type t may have.
func (e *Env) all(t *Type) uint64 {
	var set uint64
	first, n := 0, 0
	switch t.Kind {
	case Enum:
		n = len(t.Values)
	case Identity, Serial:
		first, n = 1, e.Size(t)
	}
	for i := range n {
		set |= 1 << (first + i)
	}
	return set
}

// apply computes an operation whose arguments are all defined.
func apply(n *Node, a, b uint64) uint64 {
	switch n.Op {
	case OpNot:
		return 1 - a
	case OpEq:
		return bit(a == b)
	case OpNe:
		return bit(a != b)
	case OpLt:
		return bit(int64(a) < int64(b))
	case OpLe:
		return bit(int64(a) <= int64(b))
	case OpGt:
		return bit(int64(a) > int64(b))
	case OpGe:
		return bit(int64(a) >= int64(b))
	case OpAdd:
		return a + b
	case OpSub:
		return a - b
	case OpMul:
		return a * b
	case OpSome:
		return a + 1
	case OpIs:
		return bit(a == b+1)
	case OpHasValue:
		return bit(a != 0)
	case OpGet:
		return a - 1
	case OpAfter:
		return bit(a > b)
	case OpIn:
		return b >> a & 1
	}
	return applySet(n, a, b)
}

func applySet(n *Node, a, b uint64) uint64 {
	switch n.Op {
	case OpSize:
		size := uint64(0)
		for ; a != 0; a &= a - 1 {
			size++
		}
		return size
	case OpNoElem:
		return bit(a == 0)
	case OpWith:
		return a | 1<<b
	case OpWithout:
		return a &^ (1 << b)
	case OpUnion:
		return a | b
	case OpMinus:
		return a &^ b
	case OpSubset:
		return bit(a&^b == 0)
	}
	panic(fmt.Sprintf("expr: no meaning for operation %d", n.Op)) // a Node that Parse did not make
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
