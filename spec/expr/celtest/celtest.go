// Package celtest is a second opinion for tests: it has cel-go's own
// interpreter evaluate the source of a table's expressions, on the values that
// another evaluator was given. It shares nothing with the typed tree, nor with
// what is compiled from it.
//
// To CEL, an enumeration's value is a string, a serial or identity is a
// number, an optional is CEL's own, and a set is a sorted list. One thing is
// not comparable: of a && b and a || b CEL forgives an error on either side if
// the other one decides, and the language of tables on the right only.
package celtest

import (
	"fmt"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// Lookup returns the type and the code (as in package interp) of a name as
// expressions write it: "holder", "new.holder", "receipt.outcome", "lease".
type Lookup func(name string) (*expr.Type, uint64, bool)

// Evaluator evaluates expressions of one model of a table. It isn't safe for
// concurrent use.
type Evaluator struct {
	table    *spec.Table
	env      *cel.Env
	constant map[string]ref.Val // groups, values, types
	defs     map[string]string
	programs map[string]cel.Program
}

// New returns an Evaluator. defs holds the source of each of the table's
// definitions, which the table doesn't keep.
func New(t *spec.Table, m *spec.Model, defs map[string]string) (*Evaluator, error) {
	e := &Evaluator{table: t, constant: map[string]ref.Val{}, defs: defs, programs: map[string]cel.Program{}}
	for _, d := range t.Defs {
		if defs[d.Name] == "" {
			return nil, fmt.Errorf("the source of %s is missing", d.Name)
		}
	}
	e.constants(m)
	opts := append([]cel.EnvOption{cel.StdLib(), cel.Macros(cel.AllMacro, cel.ExistsMacro, implies)}, functions()...)
	for _, f := range t.Effects {
		opts = append(opts, effectFunction(f))
	}
	for _, name := range e.names() {
		opts = append(opts, cel.Variable(name, cel.DynType))
	}
	var err error
	e.env, err = cel.NewCustomEnv(opts...)
	return e, err
}

// constants computes what doesn't depend on the state.
func (e *Evaluator) constants(m *spec.Model) {
	count := map[string]int{}
	all := append([]*expr.Type{e.table.State.Type}, e.table.Types...)
	for _, t := range all {
		for _, v := range t.Values {
			count[v]++
		}
	}
	for _, t := range all {
		n := len(t.Values)
		first := 0
		if t.Kind == expr.Identity || t.Kind == expr.Serial {
			first, n = 1, m.Sizes[t]+1
		}
		var elems []ref.Val
		for c := first; c < n; c++ {
			elems = append(elems, ToCEL(t, uint64(c)))
		}
		e.constant[t.Name] = list(elems)
		for i, v := range t.Values {
			e.constant[t.Name+"."+v] = ToCEL(t, uint64(i))
			if count[v] == 1 {
				e.constant[v] = ToCEL(t, uint64(i))
			}
		}
	}
	for _, g := range e.table.Groups {
		var elems []ref.Val
		for _, s := range g.Members {
			elems = append(elems, ToCEL(e.table.State.Type, uint64(s)))
		}
		e.constant[g.Name] = list(elems)
	}
	for i, p := range e.table.Params {
		code := uint64(m.Params[i])
		if p.Type.Kind == expr.Int {
			code -= uint64(p.Type.Lo)
		}
		e.constant[p.Name] = ToCEL(p.Type, code)
	}
}

// names returns everything that may be read somewhere, each once, in a fixed
// order.
func (e *Evaluator) names() []string {
	var out []string
	seen := map[string]bool{}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	state := append([]*expr.Symbol{e.table.State}, e.table.Defs...)
	for _, list := range [][]*spec.Var{e.table.Vars, e.table.Shared, e.table.Ghosts} {
		for _, v := range list {
			state = append(state, v.Sym)
		}
	}
	for _, s := range state {
		add(s.Name)
		add("new." + s.Name)
	}
	for _, list := range [][]*spec.Event{e.table.Events, e.table.World} {
		for _, ev := range list {
			for _, a := range ev.Args {
				add(a.Sym.Name)
			}
		}
	}
	for _, f := range e.table.Effects {
		for _, a := range f.Args {
			add(f.Name + "." + a.Name)
		}
	}
	for _, p := range e.table.Properties {
		for _, s := range p.Each {
			add(s.Name)
		}
	}
	for _, s := range append(append([]*expr.Symbol(nil), e.table.Groups...), e.table.Params...) {
		add(s.Name)
	}
	for _, t := range append([]*expr.Type{e.table.State.Type}, e.table.Types...) {
		add(t.Name)
		for _, v := range t.Values {
			add(t.Name + "." + v)
			if _, ok := e.constant[v]; ok {
				add(v)
			}
		}
	}
	return out
}

// Eval evaluates src and returns the code of its value, which is of type want.
func (e *Evaluator) Eval(src string, want *expr.Type, look Lookup) (uint64, error) {
	v, err := e.eval(src, look)
	if err != nil {
		return 0, err
	}
	return FromCEL(want, v)
}

// Emit evaluates src, which emits f, and returns the codes of its arguments.
func (e *Evaluator) Emit(src string, f *spec.Effect, look Lookup) ([]uint64, error) {
	v, err := e.eval(src, look)
	if err != nil {
		return nil, err
	}
	elems := elements(v)
	if len(elems) != len(f.Args) {
		return nil, fmt.Errorf("%s: %d arguments, not %d", src, len(elems), len(f.Args))
	}
	var out []uint64
	for i, a := range f.Args {
		c, err := FromCEL(a.Type, elems[i])
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

func (e *Evaluator) eval(src string, look Lookup) (ref.Val, error) {
	p, ok := e.programs[src]
	if !ok {
		tree, issues := e.env.Compile(src)
		if err := issues.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", src, err)
		}
		var err error
		if p, err = e.env.Program(tree); err != nil {
			return nil, fmt.Errorf("%s: %w", src, err)
		}
		e.programs[src] = p
	}
	v, _, err := p.Eval(&activation{e: e, look: look})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", src, err)
	}
	return v, nil
}

// activation gives CEL the values of names.
type activation struct {
	e    *Evaluator
	look Lookup
}

// Parent returns nil: there is no outer scope.
func (a *activation) Parent() cel.Activation { return nil }

// ResolveName returns the value of a name.
func (a *activation) ResolveName(name string) (any, bool) {
	if v, ok := a.e.constant[name]; ok {
		return v, true
	}
	if t, code, ok := a.look(name); ok {
		return ToCEL(t, code), true
	}
	look := a.look
	if after, ok := cutNew(name); ok {
		name = after
		look = func(n string) (*expr.Type, uint64, bool) { return a.look("new." + n) }
	}
	src, ok := a.e.defs[name]
	if !ok {
		return nil, false
	}
	v, err := a.e.eval(src, look)
	if err != nil {
		return types.WrapErr(err), true
	}
	return v, true
}
