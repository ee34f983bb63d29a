package celtest

import (
	"slices"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/interlock-go/interlock/spec"
)

// implies expands a.implies(b) to !a || b.
var implies = cel.ReceiverMacro("implies", 1, func(f cel.MacroExprFactory, target ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
	return f.NewCall(operators.LogicalOr, f.NewCall(operators.LogicalNot, target), args[0]), nil
})

// functions are the language's own operations, over dyn: types are checked
// elsewhere.
func functions() []cel.EnvOption {
	return []cel.EnvOption{
		function("none", 0, func([]ref.Val) ref.Val { return types.OptionalNone }),
		function("origin", 0, func([]ref.Val) ref.Val { return types.Int(0) }),
		function("empty", 0, func([]ref.Val) ref.Val { return list(nil) }),
		function("some", 1, func(a []ref.Val) ref.Val { return types.OptionalOf(a[0]) }),

		method("is", 1, func(a []ref.Val) ref.Val { return types.OptionalOf(a[1]).Equal(a[0]) }),
		method("hasValue", 0, func(a []ref.Val) ref.Val { return types.Bool(optional(a[0]).HasValue()) }),
		method("value", 0, func(a []ref.Val) ref.Val {
			if o := optional(a[0]); o.HasValue() {
				return o.GetValue()
			}
			return types.NewErr("value() of none")
		}),
		method("after", 1, func(a []ref.Val) ref.Val { return types.Bool(a[0].(types.Int) > a[1].(types.Int)) }),

		method("isEmpty", 0, func(a []ref.Val) ref.Val { return types.Bool(len(elements(a[0])) == 0) }),
		method("with", 1, func(a []ref.Val) ref.Val { return set(append(elements(a[0]), a[1])) }),
		method("without", 1, func(a []ref.Val) ref.Val {
			return set(slices.DeleteFunc(elements(a[0]), func(e ref.Val) bool { return compare(e, a[1]) == 0 }))
		}),
		method("union", 1, func(a []ref.Val) ref.Val { return set(append(elements(a[0]), elements(a[1])...)) }),
		method("minus", 1, func(a []ref.Val) ref.Val {
			return set(slices.DeleteFunc(elements(a[0]), func(e ref.Val) bool { return has(a[1], e) }))
		}),
		method("subset", 1, func(a []ref.Val) ref.Val {
			return types.Bool(!slices.ContainsFunc(elements(a[0]), func(e ref.Val) bool { return !has(a[1], e) }))
		}),

		method("head", 0, func(a []ref.Val) ref.Val {
			if l := elements(a[0]); len(l) > 0 {
				return l[0]
			}
			return types.NewErr("head() of an empty list")
		}),
		method("tail", 0, func(a []ref.Val) ref.Val {
			if l := elements(a[0]); len(l) > 0 {
				return list(l[1:])
			}
			return types.NewErr("tail() of an empty list")
		}),
		method("append", 1, func(a []ref.Val) ref.Val { return list(append(elements(a[0]), a[1])) }),
		method("remove", 1, func(a []ref.Val) ref.Val {
			l := elements(a[0])
			if i := slices.IndexFunc(l, func(e ref.Val) bool { return compare(e, a[1]) == 0 }); i >= 0 {
				l = slices.Delete(l, i, i+1)
			}
			return list(l)
		}),
	}
}

func has(set, elem ref.Val) bool {
	return slices.ContainsFunc(elements(set), func(e ref.Val) bool { return compare(e, elem) == 0 })
}

func optional(v ref.Val) *types.Optional {
	if o, ok := v.(*types.Optional); ok {
		return o
	}
	return types.OptionalNone
}

func function(name string, args int, f func([]ref.Val) ref.Val) cel.EnvOption {
	return cel.Function(name, cel.Overload(name, dyn(args), cel.DynType, binding(f)))
}

func method(name string, args int, f func([]ref.Val) ref.Val) cel.EnvOption {
	return cel.Function(name, cel.MemberOverload("member_"+name, dyn(args+1), cel.DynType, binding(f)))
}

// effectFunction makes an effect a function that returns its arguments.
func effectFunction(f *spec.Effect) cel.EnvOption {
	return function(f.Name, len(f.Args), func(a []ref.Val) ref.Val {
		return types.NewRefValList(types.DefaultTypeAdapter, slices.Clone(a))
	})
}

func dyn(n int) []*cel.Type { return slices.Repeat([]*cel.Type{cel.DynType}, n) }

func binding(f func([]ref.Val) ref.Val) cel.OverloadOpt {
	return cel.FunctionBinding(func(args ...ref.Val) ref.Val { return f(args) })
}
