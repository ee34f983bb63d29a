// Package celtest is a second opinion for tests: it has cel-go's own
// interpreter evaluate the source of a table's expressions, on the values that
// another evaluator was given. It shares nothing with the typed tree, nor with
// what is compiled from it.
//
// To CEL, an enumeration's value is a string, a serial or identity is a
// number, an optional is CEL's own, a list is a list, a set is a sorted one, and
// the parts of a kind are a map of maps: tickets(t).asked is an index and a
// field. Two things are not CEL's: a list's bound, which is looked at in the
// result only, and order in logic. Of a && b and a || b CEL forgives an error on
// either side if the other one decides, and the language of tables on the right
// only.
package celtest

import (
	"fmt"
	"slices"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// Lookup returns the type and the code (as in package interp) of a name as
// expressions write it: "holder", "new.holder", "receipt.outcome", "lease",
// "it.asked", and of a part by its key: "tickets(2).asked",
// "new.tickets(2).asked".
type Lookup func(name string) (*expr.Type, uint64, bool)

// Evaluator evaluates expressions of one model of a table. It isn't safe for
// concurrent use.
type Evaluator struct {
	table    *spec.Table
	model    *spec.Model
	env      *cel.Env
	constant map[string]ref.Val // groups, values, types
	defs     map[string]string
	programs map[string]cel.Program
}

// New returns an Evaluator.
func New(t *spec.Table, m *spec.Model) (*Evaluator, error) {
	e := &Evaluator{table: t, model: m, constant: map[string]ref.Val{}, defs: map[string]string{}, programs: map[string]cel.Program{}}
	for _, d := range t.Defs {
		e.defs[d.Name] = d.Src
	}
	e.constants(m)
	macros := append([]cel.Macro{cel.AllMacro, cel.ExistsMacro, implies}, partMacros(t)...)
	opts := append([]cel.EnvOption{cel.StdLib(), cel.Macros(macros...)}, functions()...)
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
	all := e.types()
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
			elems = append(elems, e.toCEL(t, uint64(c)))
		}
		e.constant[t.Name] = list(elems)
		for i, v := range t.Values {
			e.constant[t.Name+"."+v] = e.toCEL(t, uint64(i))
			if count[v] == 1 {
				e.constant[v] = e.toCEL(t, uint64(i))
			}
		}
	}
	for _, g := range e.groups() {
		var elems []ref.Val
		for _, s := range g.Members {
			elems = append(elems, e.toCEL(g.Type.Elem, uint64(s)))
		}
		e.constant[g.Name] = set(elems)
	}
	for i, p := range e.table.Params {
		code := uint64(m.Params[i])
		if p.Type.Kind == expr.Int {
			code -= uint64(p.Type.Lo)
		}
		e.constant[p.Name] = e.toCEL(p.Type, code)
	}
}

// types returns all types that have a name, those of states included.
func (e *Evaluator) types() []*expr.Type {
	out := append([]*expr.Type{e.table.State.Type}, e.table.Types...)
	for _, p := range e.table.Parts {
		out = append(out, p.State.Type)
	}
	return out
}

// groups returns those of the machine's states and of its parts'.
func (e *Evaluator) groups() []*expr.Symbol {
	out := slices.Clone(e.table.Groups)
	for _, p := range e.table.Parts {
		out = append(out, p.Groups...)
	}
	return out
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
	for _, r := range e.table.Rows() {
		for _, em := range r.Emit {
			if em.Each != nil {
				add(em.Each.Name)
			}
		}
	}
	for _, p := range e.table.Parts {
		for _, name := range partNames(p) {
			add(name)
		}
	}
	for _, p := range e.table.Properties {
		for _, s := range p.Each {
			add(s.Name)
		}
	}
	for _, s := range append(e.groups(), e.table.Params...) {
		add(s.Name)
	}
	for _, t := range e.types() {
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
	return e.fromCEL(want, v)
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
		c, err := e.fromCEL(a.Type, elems[i])
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
	v, _, err := p.Eval(&activation{e: e, look: look, parts: map[string]ref.Val{}})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", src, err)
	}
	return v, nil
}

// activation gives CEL the values of names.
type activation struct {
	e     *Evaluator
	look  Lookup
	parts map[string]ref.Val // that were looked up already
}

// Parent returns nil: there is no outer scope.
func (a *activation) Parent() cel.Activation { return nil }

// ResolveName returns the value of a name.
func (a *activation) ResolveName(name string) (any, bool) {
	if v, ok := a.e.constant[name]; ok {
		return v, true
	}
	if v, ok := a.partValue(name); ok {
		return v, true
	}
	if t, code, ok := a.look(name); ok {
		return a.e.toCEL(t, code), true
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
