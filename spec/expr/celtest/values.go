package celtest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/interlock-go/interlock/spec/expr"
)

// toCEL returns the value with that code.
func (e *Evaluator) toCEL(t *expr.Type, code uint64) ref.Val {
	switch t.Kind {
	case expr.Bool:
		return types.Bool(code != 0)
	case expr.Int:
		return types.Int(int64(code) + int64(t.Lo))
	case expr.Enum:
		return types.String(t.Name + "." + t.Values[code])
	case expr.Optional:
		if code == 0 {
			return types.OptionalNone
		}
		return types.OptionalOf(e.toCEL(t.Elem, code-1))
	case expr.Set:
		var elems []ref.Val
		for c := range uint64(64) {
			if code>>c&1 != 0 {
				elems = append(elems, e.toCEL(t.Elem, c))
			}
		}
		return set(elems)
	case expr.List:
		var elems []ref.Val
		for _, c := range e.base(t).Elements(code) {
			elems = append(elems, e.toCEL(t.Elem, c))
		}
		return list(elems)
	}
	return types.Int(code)
}

// base returns the base of the codes of lists of type t.
func (e *Evaluator) base(t *expr.Type) expr.ListBase {
	return expr.BaseOf(t.Elem, e.model.Sizes[t.Elem])
}

// bound returns how many elements a list of type t may have.
func (e *Evaluator) bound(t *expr.Type) int {
	if i := slices.Index(e.table.Params, t.Bound.Sym); t.Bound.Sym != nil && i >= 0 {
		return e.model.Params[i]
	}
	return t.Bound.Int
}

// fromCEL returns the code of a value of type t.
func (e *Evaluator) fromCEL(t *expr.Type, v ref.Val) (uint64, error) {
	switch v := v.(type) {
	case types.Bool:
		if t.Kind == expr.Bool {
			if v {
				return 1, nil
			}
			return 0, nil
		}
	case types.Int:
		switch t.Kind {
		case expr.Int:
			return uint64(int64(v) - int64(t.Lo)), nil
		case expr.Identity, expr.Serial:
			return uint64(v), nil
		}
	case types.String:
		for i, name := range t.Values {
			if t.Kind == expr.Enum && string(v) == t.Name+"."+name {
				return uint64(i), nil
			}
		}
	case *types.Optional:
		if t.Kind == expr.Optional {
			if !v.HasValue() {
				return 0, nil
			}
			c, err := e.fromCEL(t.Elem, v.GetValue())
			return c + 1, err
		}
	case traits.Lister:
		switch t.Kind {
		case expr.Set:
			return e.fromSet(t, v)
		case expr.List:
			return e.fromList(t, v)
		}
	}
	return 0, fmt.Errorf("CEL's %v of type %s is no %s", v.Value(), v.Type().TypeName(), t)
}

func (e *Evaluator) fromSet(t *expr.Type, v ref.Val) (uint64, error) {
	var set uint64
	for _, x := range elements(v) {
		c, err := e.fromCEL(t.Elem, x)
		if err != nil {
			return 0, err
		}
		set |= 1 << c
	}
	return set, nil
}

// fromList refuses a list that is too long: CEL's have no bound.
func (e *Evaluator) fromList(t *expr.Type, v ref.Val) (uint64, error) {
	elems := elements(v)
	if n := e.bound(t); len(elems) > n {
		return 0, fmt.Errorf("%d elements in a list of at most %d", len(elems), n)
	}
	var out uint64
	for _, x := range elems {
		c, err := e.fromCEL(t.Elem, x)
		if err != nil {
			return 0, err
		}
		out = e.base(t).Append(out, c)
	}
	return out, nil
}

// elements returns what is in a list.
func elements(v ref.Val) []ref.Val {
	l, ok := v.(traits.Lister)
	if !ok {
		return nil
	}
	var out []ref.Val
	for it := l.Iterator(); it.HasNext() == types.True; {
		out = append(out, it.Next())
	}
	return out
}

// set returns a set: sorted, each element once, so that equal sets are equal
// lists.
func set(elems []ref.Val) ref.Val {
	slices.SortFunc(elems, compare)
	return list(slices.CompactFunc(elems, func(a, b ref.Val) bool { return compare(a, b) == 0 }))
}

func list(elems []ref.Val) ref.Val { return types.NewRefValList(types.DefaultTypeAdapter, elems) }

func compare(a, b ref.Val) int {
	if x, ok := a.(types.Int); ok {
		if y, ok := b.(types.Int); ok {
			return cmp.Compare(x, y)
		}
	}
	return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
}

func cutNew(name string) (string, bool) { return strings.CutPrefix(name, "new.") }
