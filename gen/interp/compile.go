package interp

import (
	"slices"

	"github.com/interlock-go/interlock/spec/expr"
)

// eval computes the value of one expression. Where that is undefined it says
// so in env.undefined and returns anything; && || implies and ?: go left to
// right and leave out what doesn't matter.
type eval func(*env) uint64

// env is what an expression reads.
type env struct {
	old, new  []uint64         // slots before and after the step; one slice if nothing changed
	base      int              // where the instance's own slots start
	args      []uint64         // codes of the event's arguments
	effect    []uint64         // codes of an effect's arguments, in what follows it
	bound     [maxBound]uint64 // values of bound names, outermost first
	undefined *expr.Node
}

// maxBound is how many names may be bound at once.
const maxBound = 16

// fail marks the result as undefined because of n; the first reason is kept.
func (e *env) fail(n *expr.Node) uint64 {
	if e.undefined == nil {
		e.undefined = n
	}
	return 0
}

// slot is where a symbol is kept: among the instance's own slots, or at a
// fixed place.
type slot struct {
	at  int
	own bool
}

// compiler compiles expressions over one layout of slots.
type compiler struct {
	domains
	slots  map[*expr.Symbol]slot
	args   []*expr.Symbol // of the event
	effect []*expr.Symbol // of the effect
	bound  []*expr.Symbol
}

// with returns a compiler for expressions that read these arguments and bound
// names too.
func (c *compiler) with(args, effect, bound []*expr.Symbol) *compiler {
	w := *c
	w.args, w.effect, w.bound = args, effect, slices.Clip(bound)
	return &w
}

// compile compiles n; after says that the state's names stand for their values
// after the step, as in a definition that is read by new.x.
func (c *compiler) compile(n *expr.Node, after bool) (eval, error) {
	switch n.Op {
	case expr.OpBool, expr.OpInt, expr.OpValue:
		return constant(uint64(n.Int)), nil
	case expr.OpNone, expr.OpOrigin, expr.OpEmpty:
		return constant(0), nil
	case expr.OpRef:
		return c.ref(n, after)
	case expr.OpDef:
		if n.Sym.Body == nil {
			return nil, errorAt(n.Pos, "the definition %s is empty", n.Sym.Name)
		}
		return c.compile(n.Sym.Body, after || n.New)
	case expr.OpAll, expr.OpExists:
		return c.quantifier(n, after)
	case expr.OpType:
		return c.wholeType(n)
	case expr.OpField:
		return c.field(n, after)
	case expr.OpFieldValues:
		return c.fieldValues(n, after)
	}
	args := make([]eval, len(n.Args))
	for i, a := range n.Args {
		f, err := c.compile(a, after)
		if err != nil {
			return nil, err
		}
		args[i] = f
	}
	for _, group := range []func(*expr.Node, []eval) eval{logic, number, optional, c.list, c.set} {
		if f := group(n, args); f != nil {
			return f, nil
		}
	}
	return nil, errorAt(n.Pos, "no meaning for operation %d", n.Op)
}

func constant(v uint64) eval { return func(*env) uint64 { return v } }

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (c *compiler) ref(n *expr.Node, after bool) (eval, error) {
	s := n.Sym
	switch s.Kind {
	case expr.SymGroup:
		var set uint64
		for _, m := range s.Members {
			set |= 1 << m
		}
		return constant(set), nil
	case expr.SymBound:
		if i := slices.Index(c.bound, s); i >= 0 {
			return func(e *env) uint64 { return e.bound[i] }, nil
		}
	case expr.SymParam:
		if i := slices.Index(c.table.Params, s); i >= 0 && i < len(c.model.Params) {
			return constant(uint64(c.model.Params[i])), nil
		}
	case expr.SymArg:
		if i := find(c.args, s); i >= 0 {
			return c.decode(s.Type, func(e *env) uint64 { return e.args[i] }), nil
		}
	case expr.SymEffect:
		if i := find(c.effect, s); i >= 0 {
			return c.decode(s.Type, func(e *env) uint64 { return e.effect[i] }), nil
		}
	case expr.SymState, expr.SymVar, expr.SymShared, expr.SymGhost:
		if at, ok := c.slots[s]; ok {
			return c.decode(s.Type, read(at, after || n.New)), nil
		}
	}
	return nil, unreadable(n)
}

func unreadable(n *expr.Node) error {
	return errorAt(n.Pos, "%s can't be read here", n.Sym.Name)
}

// find looks s up by identity, then by name: an assumption over several events
// names the arguments that they have in common.
func find(syms []*expr.Symbol, s *expr.Symbol) int {
	if i := slices.Index(syms, s); i >= 0 {
		return i
	}
	return slices.IndexFunc(syms, func(o *expr.Symbol) bool { return o.Name == s.Name && expr.Same(o.Type, s.Type) })
}

func read(s slot, after bool) eval {
	i := s.at
	switch {
	case s.own && after:
		return func(e *env) uint64 { return e.new[e.base+i] }
	case s.own:
		return func(e *env) uint64 { return e.old[e.base+i] }
	case after:
		return func(e *env) uint64 { return e.new[i] }
	}
	return func(e *env) uint64 { return e.old[i] }
}

// decode turns the code that f returns into a value.
func (c *compiler) decode(t *expr.Type, f eval) eval {
	if !numeric(t) {
		return f
	}
	d := c.domains
	return func(e *env) uint64 { return d.value(t, f(e)) }
}

func logic(n *expr.Node, args []eval) eval {
	switch n.Op {
	case expr.OpNot:
		a := args[0]
		return func(e *env) uint64 { return a(e) ^ 1 }
	case expr.OpAnd:
		a, b := args[0], args[1]
		return func(e *env) uint64 { return bit(a(e) != 0 && e.undefined == nil && b(e) != 0) }
	case expr.OpOr:
		a, b := args[0], args[1]
		return func(e *env) uint64 { return bit(a(e) != 0 || e.undefined == nil && b(e) != 0) }
	case expr.OpImplies:
		a, b := args[0], args[1]
		return func(e *env) uint64 { return bit(a(e) == 0 || e.undefined == nil && b(e) != 0) }
	case expr.OpCond:
		a, b, c := args[0], args[1], args[2]
		return func(e *env) uint64 {
			if a(e) != 0 {
				return b(e)
			}
			return c(e)
		}
	case expr.OpEq:
		a, b := args[0], args[1]
		return func(e *env) uint64 { return bit(a(e) == b(e)) }
	case expr.OpNe:
		a, b := args[0], args[1]
		return func(e *env) uint64 { return bit(a(e) != b(e)) }
	case expr.OpAfter:
		a, b := args[0], args[1]
		return func(e *env) uint64 { return bit(a(e) > b(e)) }
	}
	return nil
}

func number(n *expr.Node, args []eval) eval {
	if len(args) != 2 {
		return nil
	}
	a, b := args[0], args[1]
	switch n.Op {
	case expr.OpLt:
		return func(e *env) uint64 { return bit(int64(a(e)) < int64(b(e))) }
	case expr.OpLe:
		return func(e *env) uint64 { return bit(int64(a(e)) <= int64(b(e))) }
	case expr.OpGt:
		return func(e *env) uint64 { return bit(int64(a(e)) > int64(b(e))) }
	case expr.OpGe:
		return func(e *env) uint64 { return bit(int64(a(e)) >= int64(b(e))) }
	case expr.OpAdd:
		return func(e *env) uint64 { return a(e) + b(e) }
	case expr.OpSub:
		return func(e *env) uint64 { return a(e) - b(e) }
	case expr.OpMul:
		return func(e *env) uint64 { return a(e) * b(e) }
	}
	return nil
}

func optional(n *expr.Node, args []eval) eval {
	switch n.Op {
	case expr.OpSome:
		a, t := args[0], n.Type.Elem
		return func(e *env) uint64 { return some(t, a(e)) }
	case expr.OpIs:
		a, b, t := args[0], args[1], n.Args[0].Type.Elem
		return func(e *env) uint64 { return bit(a(e) == some(t, b(e))) }
	case expr.OpHasValue:
		a := args[0]
		return func(e *env) uint64 { return bit(a(e) != 0) }
	case expr.OpGet:
		a, t := args[0], n.Type
		return func(e *env) uint64 {
			v := a(e)
			if v == 0 {
				return e.fail(n)
			}
			return get(t, v)
		}
	}
	return nil
}
