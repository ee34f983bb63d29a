package celtest

import (
	"fmt"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// allOf is the name of the map that holds all parts of a kind.
func allOf(part string, after bool) string {
	if after {
		return "all_new_" + part
	}
	return "all_" + part
}

// partMacros make tickets(t) and new.tickets(t) an index into a map.
func partMacros(t *spec.Table) []cel.Macro {
	var out []cel.Macro
	for _, p := range t.Parts {
		out = append(out,
			cel.GlobalMacro(p.Name, 1, func(f cel.MacroExprFactory, _ ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
				return f.NewCall(operators.Index, f.NewIdent(allOf(p.Name, false)), args[0]), nil
			}),
			cel.ReceiverMacro(p.Name, 1, func(f cel.MacroExprFactory, _ ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
				return f.NewCall(operators.Index, f.NewIdent(allOf(p.Name, true)), args[0]), nil
			}))
	}
	return out
}

// partNames returns what may be read of parts: the maps, the fields of an
// event's subject, and the sets of what a field holds.
func partNames(p *spec.Part) []string {
	out := []string{allOf(p.Name, false), allOf(p.Name, true)}
	for _, f := range p.Fields() {
		for _, of := range []string{"it.", p.Name + "."} {
			out = append(out, of+f.Name, "new."+of+f.Name)
		}
	}
	return out
}

// partValue returns a map of parts, or the set of what a field of them holds.
func (a *activation) partValue(name string) (ref.Val, bool) {
	if v, ok := a.parts[name]; ok {
		return v, true
	}
	for _, p := range a.e.table.Parts {
		for _, after := range []bool{false, true} {
			of := p.Name
			if after {
				of = "new." + p.Name
			}
			if name == allOf(p.Name, after) {
				a.parts[name] = a.records(p, of)
				return a.parts[name], true
			}
			field, ok := strings.CutPrefix(name, of+".")
			if !ok {
				continue
			}
			for _, f := range p.Fields() {
				if f.Name == field {
					a.parts[name] = a.fieldValues(p, of, f)
					return a.parts[name], true
				}
			}
		}
	}
	return nil, false
}

func (a *activation) field(of string, key int, f *expr.Symbol) ref.Val {
	t, code, ok := a.look(fmt.Sprintf("%s(%d).%s", of, key, f.Name))
	if !ok {
		return types.NewErr("%s(%d).%s isn't known here", of, key, f.Name)
	}
	return a.e.toCEL(t, code)
}

// records returns all parts by key; it has none for the origin.
func (a *activation) records(p *spec.Part, of string) ref.Val {
	all := map[ref.Val]ref.Val{}
	for key := 1; key <= a.e.model.Sizes[p.Key]; key++ {
		record := map[ref.Val]ref.Val{}
		for _, f := range p.Fields() {
			record[types.String(f.Name)] = a.field(of, key, f)
		}
		all[types.Int(key)] = types.NewRefValMap(types.DefaultTypeAdapter, record)
	}
	return types.NewRefValMap(types.DefaultTypeAdapter, all)
}

// fieldValues returns the set of what a field holds in any part; of an
// optional, what it holds.
func (a *activation) fieldValues(p *spec.Part, of string, f *expr.Symbol) ref.Val {
	var elems []ref.Val
	for key := 1; key <= a.e.model.Sizes[p.Key]; key++ {
		v := a.field(of, key, f)
		if o, ok := v.(*types.Optional); ok {
			if !o.HasValue() {
				continue
			}
			v = o.GetValue()
		}
		elems = append(elems, v)
	}
	return set(elems)
}
