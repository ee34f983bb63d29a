package interp

import (
	"math/bits"

	"github.com/interlock-go/interlock/spec/expr"
)

// element returns the number of the bit that stands for a value of type t.
func (c *compiler) element(t *expr.Type) func(v uint64) uint64 {
	if t.Kind == expr.Int {
		base := uint64(c.base)
		return func(v uint64) uint64 { return v - base }
	}
	return func(v uint64) uint64 { return v }
}

func (c *compiler) set(n *expr.Node, args []eval) eval {
	switch n.Op {
	case expr.OpSize:
		a := args[0]
		return func(e *env) uint64 { return uint64(bits.OnesCount64(a(e))) }
	case expr.OpNoElem:
		a := args[0]
		return func(e *env) uint64 { return bit(a(e) == 0) }
	case expr.OpUnion:
		a, b := args[0], args[1]
		return func(e *env) uint64 { return a(e) | b(e) }
	case expr.OpMinus:
		a, b := args[0], args[1]
		return func(e *env) uint64 { return a(e) &^ b(e) }
	case expr.OpSubset:
		a, b := args[0], args[1]
		return func(e *env) uint64 { return bit(a(e)&^b(e) == 0) }
	case expr.OpIn:
		a, b, elem := args[0], args[1], c.element(n.Args[0].Type)
		// A number outside the range shifts the bit out: it isn't in the set.
		return func(e *env) uint64 { return b(e) >> elem(a(e)) & 1 }
	case expr.OpWithout:
		a, b, elem := args[0], args[1], c.element(n.Args[1].Type)
		return func(e *env) uint64 { return a(e) &^ (1 << elem(b(e))) }
	case expr.OpWith:
		return c.adding(n, args[0], args[1])
	}
	return nil
}

// adding is undefined for a number outside the set's range.
func (c *compiler) adding(n *expr.Node, a, b eval) eval {
	t, elem := n.Type.Elem, c.element(n.Args[1].Type)
	if t.Kind != expr.Int {
		return func(e *env) uint64 { return a(e) | 1<<b(e) }
	}
	lo, hi := int64(t.Lo), int64(t.Hi)
	return func(e *env) uint64 {
		set, v := a(e), b(e)
		if int64(v) < lo || int64(v) > hi {
			return e.fail(n)
		}
		return set | 1<<elem(v)
	}
}

// wholeType is the set of all values of a type, where it is an operand.
func (c *compiler) wholeType(n *expr.Node) (eval, error) {
	elems, err := c.elements(n)
	if err != nil {
		return nil, err
	}
	elem := c.element(n.Type.Elem)
	var set uint64
	for _, v := range elems {
		if elem(v) >= maxElements {
			return nil, errorAt(n.Pos, "%s is too large for a set", n.Type.Elem)
		}
		set |= 1 << elem(v)
	}
	return constant(set), nil
}

// elements returns the values of n's type, n being an OpType, in order.
func (c *compiler) elements(n *expr.Node) ([]uint64, error) {
	codes, err := c.values(n.Type.Elem)
	if err != nil {
		return nil, errorAt(n.Pos, "%w", err)
	}
	for i, code := range codes {
		codes[i] = c.value(n.Type.Elem, code)
	}
	return codes, nil
}

// quantifier compiles all and exists: elements in the order of their codes,
// until one decides.
func (c *compiler) quantifier(n *expr.Node, after bool) (eval, error) {
	at := len(c.bound)
	if at == maxBound {
		return nil, errorAt(n.Pos, "more than %d names bound at once", maxBound)
	}
	inner := c.with(c.args, c.effect, append(c.bound[:at:at], n.Sym))
	body, err := inner.compile(n.Args[1], after)
	if err != nil {
		return nil, err
	}
	decides := bit(n.Op == expr.OpExists)
	if n.Args[0].Op == expr.OpType {
		elems, err := c.elements(n.Args[0])
		if err != nil {
			return nil, err
		}
		return func(e *env) uint64 {
			for _, v := range elems {
				e.bound[at] = v
				if body(e) == decides || e.undefined != nil {
					return decides
				}
			}
			return decides ^ 1
		}, nil
	}
	set, err := c.compile(n.Args[0], after)
	if err != nil {
		return nil, err
	}
	if t := n.Args[0].Type; t.Kind == expr.List {
		base := uint64(c.lists(t))
		return func(e *env) uint64 {
			for rest := set(e); rest != 0; rest /= base {
				e.bound[at] = rest%base - 1
				if body(e) == decides || e.undefined != nil {
					return decides
				}
			}
			return decides ^ 1
		}, nil
	}
	base := uint64(0)
	if n.Sym.Type.Kind == expr.Int {
		base = uint64(c.base)
	}
	return func(e *env) uint64 {
		for rest := set(e); rest != 0; rest &= rest - 1 {
			e.bound[at] = uint64(bits.TrailingZeros64(rest)) + base
			if body(e) == decides || e.undefined != nil {
				return decides
			}
		}
		return decides ^ 1
	}, nil
}
