package expr

import (
	"slices"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"

	"github.com/interlock-go/interlock/spec/diag"
)

// convert returns e as a Node of type want (nil: any).
func (c *converter) convert(e ast.Expr, want *Type) *Node {
	n := c.build(e, want)
	if n == nil {
		return nil
	}
	n.Pos = c.place(e)
	if want != nil && !Same(n.Type, want) {
		d := c.diags.Add(diag.TypeMismatch, c.place(e), "this is of type %s; %s is wanted", n.Type, want)
		switch {
		case want.Kind == Optional && Same(n.Type, want.Elem):
			d.WithHint("an optional that has the value x is some(x)")
		case want.Kind == Bool && n.Op == OpValue && e.Kind() == ast.IdentKind:
			d.WithHint("a condition compares it: x == %s, where x is a %s", e.AsIdent(), n.Type)
		}
		return nil
	}
	return n
}

func (c *converter) build(e ast.Expr, want *Type) *Node {
	switch e.Kind() {
	case ast.LiteralKind:
		return c.literal(e)
	case ast.IdentKind:
		return c.ident(e)
	case ast.CallKind:
		return c.call(e, want)
	case ast.ComprehensionKind:
		return c.quantifier(e)
	case ast.SelectKind:
		return c.fail(diag.Unsupported, e, "there are no fields here: %s", e.AsSelect().FieldName())
	}
	d := c.diags.Add(diag.Unsupported, c.place(e), "lists, maps and messages can't be written in an expression")
	if e.Kind() == ast.ListKind {
		d.WithHint("name states once, groups: {GROUP: [a, b]}, and ask state in GROUP; of other values ask each, x == a || x == b")
	}
	return nil
}

func (c *converter) literal(e ast.Expr) *Node {
	switch v := e.AsLiteral().(type) {
	case types.Bool:
		n := &Node{Op: OpBool, Type: BoolType}
		if v {
			n.Int = 1
		}
		return n
	case types.Int:
		if int64(int32(v)) != int64(v) {
			return c.fail(diag.Unsupported, e, "%d has more than 32 bits, and the model checker counts with 32", int64(v))
		}
		return &Node{Op: OpInt, Type: IntType, Int: int(v)}
	}
	return c.fail(diag.Unsupported, e, "only true, false and whole numbers can be written as literals")
}

func (c *converter) ident(e ast.Expr) *Node {
	key := e.AsIdent()
	for _, s := range slices.Backward(c.bound) {
		if s.Name == key {
			return &Node{Op: OpRef, Type: s.Type, Sym: s}
		}
	}
	n := c.scope.names[key]
	switch {
	case n == nil:
		return c.fail(diag.UnknownName, e, "unknown name %s", key)
	case n.kind == nameValue:
		return &Node{Op: OpValue, Type: n.typ, Int: n.value}
	case n.kind == nameType:
		return &Node{Op: OpType, Type: n.typ}
	case n.kind == nameField:
		return &Node{Op: OpField, Type: n.typ, Sym: n.sym, New: n.new, Args: []*Node{Ref(n.key)}}
	case n.kind == nameFieldValues:
		return &Node{Op: OpFieldValues, Type: n.typ, Sym: n.sym, New: n.new}
	case n.sym.Kind == SymDef:
		return &Node{Op: OpDef, Type: n.typ, Sym: n.sym, New: n.new}
	}
	return &Node{Op: OpRef, Type: n.typ, Sym: n.sym, New: n.new}
}

// operation is a function or method of the language with fixed argument and
// result types.
type operation struct {
	name   string
	op     Op
	args   func(recv *Type) []*Type // of the arguments after the receiver; nil: it doesn't fit
	result func(recv *Type) *Type
}

var operations = []operation{
	{"is", OpIs, onOptional(elem), boolean},
	{"hasValue", OpHasValue, onOptional(), boolean},
	{"value", OpGet, onOptional(), elem},
	{"after", OpAfter, on(Serial, same), boolean},
	{"implies", OpImplies, on(Bool, same), boolean},
	{"with", OpWith, on(Set, elem), same},
	{"without", OpWithout, on(Set, elem), same},
	{"union", OpUnion, on(Set, same), same},
	{"minus", OpMinus, on(Set, same), same},
	{"subset", OpSubset, on(Set, same), boolean},
	{"isEmpty", OpNoElem, on(Set), boolean},
	{"isEmpty", OpNoElem, on(List), boolean},
	{"size", OpSize, on(Set), func(*Type) *Type { return IntType }},
	{"size", OpSize, on(List), func(*Type) *Type { return IntType }},
	{"head", OpHead, on(List), elem},
	{"tail", OpTail, on(List), same},
	{"append", OpAppend, on(List, elem), same},
	{"remove", OpRemove, on(List, elem), same},
}

func boolean(*Type) *Type { return BoolType }
func elem(t *Type) *Type  { return t.Elem }
func same(t *Type) *Type  { return t }

func onOptional(args ...func(*Type) *Type) func(*Type) []*Type { return on(Optional, args...) }

func on(kind Kind, args ...func(*Type) *Type) func(*Type) []*Type {
	return func(recv *Type) []*Type {
		if recv.Kind != kind {
			return nil
		}
		out := make([]*Type, 0, len(args))
		for _, a := range args {
			out = append(out, a(recv))
		}
		return out
	}
}

func (c *converter) call(e ast.Expr, want *Type) *Node {
	call := e.AsCall()
	name, args := call.FunctionName(), call.Args()
	if call.IsMemberFunction() {
		args = append([]ast.Expr{call.Target()}, args...)
	}
	switch name {
	case "none", "origin", "empty":
		return c.constant(e, name, want)
	case "some":
		return c.some(args[0], want)
	case operators.LogicalNot:
		return c.node(OpNot, BoolType, args, BoolType)
	case operators.LogicalAnd:
		return c.node(OpAnd, BoolType, args, BoolType, BoolType)
	case operators.LogicalOr:
		return c.node(OpOr, BoolType, args, BoolType, BoolType)
	case operators.Equals:
		return c.equal(OpEq, args)
	case operators.NotEquals:
		return c.equal(OpNe, args)
	case operators.Conditional:
		return c.conditional(args, want)
	case operators.In:
		return c.member(args)
	}
	if op, ok := arithmetic[name]; ok {
		return c.node(op.op, op.result, args, IntType, IntType)
	}
	if f := c.scope.fields[name]; f != nil {
		n := c.node(OpField, f.typ, args, f.sym.Part.Type)
		if n != nil {
			n.Sym, n.New = f.sym, f.new
		}
		return n
	}
	return c.method(e, name, args, want)
}

var arithmetic = map[string]struct {
	op     Op
	result *Type
}{
	operators.Less:          {OpLt, BoolType},
	operators.LessEquals:    {OpLe, BoolType},
	operators.Greater:       {OpGt, BoolType},
	operators.GreaterEquals: {OpGe, BoolType},
	operators.Add:           {OpAdd, IntType},
	operators.Subtract:      {OpSub, IntType},
	operators.Multiply:      {OpMul, IntType},
}

// node converts args to the given types and joins them.
func (c *converter) node(op Op, result *Type, args []ast.Expr, want ...*Type) *Node {
	n := &Node{Op: op, Type: result}
	for i, a := range args {
		arg := c.convert(a, want[i])
		if arg == nil {
			return nil
		}
		n.Args = append(n.Args, arg)
	}
	return n
}

// constant converts none(), origin() and empty(), whose type is what their
// place wants.
func (c *converter) constant(e ast.Expr, name string, want *Type) *Node {
	switch {
	case want == nil:
		return c.fail(diag.Untyped, e, "the type of %s() isn't known here", name)
	case name == "none" && want.Kind == Optional:
		return &Node{Op: OpNone, Type: want}
	case name == "empty" && (want.Kind == Set || want.Kind == List):
		return &Node{Op: OpEmpty, Type: want}
	case name == "origin" && want.Kind == Serial:
		return &Node{Op: OpOrigin, Type: want}
	}
	return c.fail(diag.TypeMismatch, e, "%s() isn't a value of type %s", name, want)
}

func (c *converter) some(arg ast.Expr, want *Type) *Node {
	var inner *Type
	if want != nil && want.Kind == Optional {
		inner = want.Elem
	}
	a := c.convert(arg, inner)
	if a == nil {
		return nil
	}
	t := want
	if inner == nil {
		t = OptionalOf(a.Type)
	}
	return &Node{Op: OpSome, Type: t, Args: []*Node{a}}
}

// constants are the operations without arguments, each of many types.
var constants = []string{"none", "origin", "empty"}

// untyped reports whether e takes its type from its place.
func untyped(e ast.Expr) bool {
	return e.Kind() == ast.CallKind && slices.Contains(constants, e.AsCall().FunctionName())
}

// pair converts two expressions of one type, the typed one first.
func (c *converter) pair(a, b ast.Expr, want *Type) (x, y *Node) {
	if want == nil && untyped(a) && !untyped(b) {
		y, x = c.pair(b, a, nil)
		return x, y
	}
	if x = c.convert(a, want); x == nil {
		return nil, nil
	}
	return x, c.convert(b, x.Type)
}

func (c *converter) equal(op Op, args []ast.Expr) *Node {
	x, y := c.pair(args[0], args[1], nil)
	if x == nil || y == nil {
		return nil
	}
	return &Node{Op: op, Type: BoolType, Args: []*Node{x, y}}
}

func (c *converter) conditional(args []ast.Expr, want *Type) *Node {
	cond := c.convert(args[0], BoolType)
	x, y := c.pair(args[1], args[2], want)
	if cond == nil || x == nil || y == nil {
		return nil
	}
	return &Node{Op: OpCond, Type: x.Type, Args: []*Node{cond, x, y}}
}

func (c *converter) member(args []ast.Expr) *Node {
	set := c.convert(args[1], nil)
	if set == nil {
		return nil
	}
	if set.Type.Kind != Set && set.Type.Kind != List {
		return c.fail(diag.TypeMismatch, args[1], "in needs a set, a group or a list on its right; this is of type %s", set.Type)
	}
	x := c.convert(args[0], set.Type.Elem)
	if x == nil {
		return nil
	}
	return &Node{Op: OpIn, Type: BoolType, Args: []*Node{x, set}}
}

func (c *converter) method(e ast.Expr, name string, args []ast.Expr, want *Type) *Node {
	named := func(o operation) bool { return o.name == name }
	if !slices.ContainsFunc(operations, named) || len(args) == 0 {
		return c.fail(diag.Unsupported, e, "%s isn't part of the language", readable(name))
	}
	if !grown(args[0]) {
		want = nil
	}
	recv := c.convert(args[0], want)
	if recv == nil {
		return nil
	}
	i := slices.IndexFunc(operations, func(o operation) bool { return named(o) && o.args(recv.Type) != nil })
	if i < 0 || len(operations[i].args(recv.Type)) != len(args)-1 {
		return c.fail(diag.TypeMismatch, e, "%s isn't defined for a value of type %s", name, recv.Type)
	}
	o := operations[i]
	n := c.node(o.op, o.result(recv.Type), args[1:], o.args(recv.Type)...)
	if n == nil {
		return nil
	}
	n.Args = append([]*Node{recv}, n.Args...)
	return n
}

// grown reports whether e is empty(), or that with elements: empty().with(1).
// It takes its type from its place.
func grown(e ast.Expr) bool {
	for e.Kind() == ast.CallKind && e.AsCall().IsMemberFunction() &&
		slices.Contains([]string{"with", "append"}, e.AsCall().FunctionName()) {
		e = e.AsCall().Target()
	}
	return e.Kind() == ast.CallKind && e.AsCall().FunctionName() == "empty"
}

// quantifier converts what CEL's all and exists macros expand to.
func (c *converter) quantifier(e ast.Expr) *Node {
	q := e.AsComprehension()
	op := OpAll
	if q.AccuInit().Kind() == ast.LiteralKind && q.AccuInit().AsLiteral() == types.False {
		op = OpExists
	}
	set := c.convert(q.IterRange(), nil)
	if set == nil {
		return nil
	}
	if set.Type.Kind != Set && set.Type.Kind != List {
		return c.fail(diag.TypeMismatch, q.IterRange(), "all and exists need a set or a list; this is of type %s", set.Type)
	}
	if what, there, ok := c.scope.Lookup(q.IterVar()); ok {
		c.diags.Add(diag.DuplicateName, c.place(e), "%s is bound here, and is the name of %s already", q.IterVar(), what).Also(there, "%s", what)
		return nil
	}
	sym := &Symbol{Kind: SymBound, Name: q.IterVar(), Type: set.Type.Elem, Index: len(c.bound), Pos: c.place(e)}
	c.bound = append(c.bound, sym)
	body := c.convert(q.LoopStep().AsCall().Args()[1], BoolType)
	c.bound = c.bound[:len(c.bound)-1]
	if body == nil {
		return nil
	}
	return &Node{Op: op, Type: BoolType, Sym: sym, Args: []*Node{set, body}}
}
