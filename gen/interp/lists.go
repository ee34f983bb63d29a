package interp

import "github.com/interlock-go/interlock/spec/expr"

// list compiles the operations on lists. A list is its code, and what it holds
// are codes: identities, serials and values of enumerations are their own.
func (c *compiler) list(n *expr.Node, args []eval) eval {
	if n.Op == expr.OpIn && n.Args[1].Type.Kind == expr.List {
		a, b, base := args[0], args[1], c.lists(n.Args[1].Type)
		return func(e *env) uint64 { return bit(base.Has(b(e), a(e))) }
	}
	if len(n.Args) == 0 || n.Args[0].Type.Kind != expr.List {
		return nil
	}
	a, base := args[0], c.lists(n.Args[0].Type)
	switch n.Op {
	case expr.OpSize:
		return func(e *env) uint64 { return uint64(base.Size(a(e))) }
	case expr.OpNoElem:
		return func(e *env) uint64 { return bit(a(e) == 0) }
	case expr.OpHead:
		return func(e *env) uint64 {
			if l := a(e); l != 0 {
				return base.Head(l)
			}
			return e.fail(n)
		}
	case expr.OpTail:
		return func(e *env) uint64 {
			if l := a(e); l != 0 {
				return base.Tail(l)
			}
			return e.fail(n)
		}
	case expr.OpRemove:
		b := args[1]
		return func(e *env) uint64 { return base.Remove(a(e), b(e)) }
	case expr.OpAppend:
		bound, err := c.number(n.Args[0].Type.Bound)
		if err != nil {
			return nil
		}
		b := args[1]
		return func(e *env) uint64 {
			l, x := a(e), b(e)
			if base.Size(l) >= bound {
				return e.fail(n)
			}
			return base.Append(l, x)
		}
	}
	return nil
}

// place is where the fields of parts are: slot is that of the first key.
type place struct {
	slot
	stride, keys int
}

func (c *compiler) place(f *expr.Symbol) (place, bool) {
	s, ok := c.slots[f]
	for _, p := range c.table.Parts {
		if p.Sym == f.Part {
			return place{s, len(p.Fields()), c.model.Sizes[p.Key]}, ok
		}
	}
	return place{}, false
}

// of returns the slot of the part with that key.
func (p place) of(key uint64) slot {
	p.at += (int(key) - 1) * p.stride
	return p.slot
}

// field compiles the field of a part whose key is computed.
func (c *compiler) field(n *expr.Node, after bool) (eval, error) {
	p, ok := c.place(n.Sym)
	if !ok {
		return nil, unreadable(n)
	}
	key, err := c.compile(n.Args[0], after)
	if err != nil {
		return nil, err
	}
	after = after || n.New
	return c.decode(n.Sym.Type, func(e *env) uint64 {
		k := key(e)
		if k == 0 || e.undefined != nil {
			return e.fail(n)
		}
		slots := e.old
		if after {
			slots = e.new
		}
		return slots[e.base+p.at+(int(k)-1)*p.stride]
	}), nil
}

// fieldValues compiles the set of what a field holds in any part.
func (c *compiler) fieldValues(n *expr.Node, after bool) (eval, error) {
	p, ok := c.place(n.Sym)
	if !ok {
		return nil, unreadable(n)
	}
	less := bit(n.Sym.Type.Kind == expr.Optional)
	after = after || n.New
	return func(e *env) uint64 {
		slots := e.old
		if after {
			slots = e.new
		}
		var set uint64
		for key := range p.keys {
			if v := slots[e.base+p.at+key*p.stride]; v >= less {
				set |= 1 << (v - less)
			}
		}
		return set
	}, nil
}
