package interp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

const (
	maxElements = 63      // that a set may range over: its code is a bitmask
	maxValues   = 1 << 20 // of a type that an argument or quantifier ranges over, or of an event's arguments together
)

// domains knows the sizes that one model gives to types.
type domains struct {
	table *spec.Table
	model *spec.Model
	base  int // the least number that a set of numbers may hold
}

// codes returns how many codes t has; a code is always less than that. For
// identities and serials that counts 0, which only a serial takes.
func (d *domains) codes(t *expr.Type) (uint64, error) {
	switch t.Kind {
	case expr.Bool:
		return 2, nil
	case expr.Int:
		if t.Hi < t.Lo {
			return 0, fmt.Errorf("the range %s is empty", t)
		}
		return uint64(t.Hi-t.Lo) + 1, nil
	case expr.Enum:
		return uint64(len(t.Values)), nil
	case expr.Identity, expr.Serial:
		n := d.model.Sizes[t]
		if n < 1 {
			return 0, fmt.Errorf("model %s has no size for %s", d.model.Name, t)
		}
		return uint64(n) + 1, nil
	case expr.Optional:
		n, err := d.codes(t.Elem)
		return n + 1, err
	case expr.Set:
		n, err := d.codes(t.Elem)
		if err != nil {
			return 0, err
		}
		if n > maxElements || nested(t.Elem) {
			return 0, fmt.Errorf("%s: a set has at most %d elements, and no sets or optional numbers in it", t, maxElements)
		}
		return 1 << n, nil
	case expr.List:
		bound, err := d.number(t.Bound)
		if err != nil {
			return 0, err
		}
		n, ok := d.lists(t).Lists(bound)
		if !ok {
			return 0, fmt.Errorf("%s of at most %d in model %s: too many lists", t, bound, d.model.Name)
		}
		return n, nil
	}
	return 0, fmt.Errorf("%s has no values", t)
}

// lists returns the base of the codes of lists of type t.
func (d *domains) lists(t *expr.Type) expr.ListBase {
	return expr.BaseOf(t.Elem, d.model.Sizes[t.Elem])
}

// number returns the value of a bound: a literal or a constant.
func (d *domains) number(n *expr.Node) (int, error) {
	if n.Op == expr.OpInt {
		return n.Int, nil
	}
	if i := slices.Index(d.table.Params, n.Sym); n.Op == expr.OpRef && i >= 0 {
		return d.model.Params[i], nil
	}
	return 0, errorAt(n.Pos, "a bound is a number or a constant")
}

// nested reports whether sets of t aren't supported: the closures' values of
// such elements differ from their codes by more than a shift.
func nested(t *expr.Type) bool {
	for ; t.Kind == expr.Optional; t = t.Elem {
		if t.Elem.Kind == expr.Int {
			return true
		}
	}
	return t.Kind == expr.Set || t.Kind == expr.List
}

// arguments returns the codes that an argument ranges over: the values of its
// type, then the origin where it may be that.
func (d *domains) arguments(a *spec.Arg) ([]uint64, error) {
	out, err := d.values(a.Sym.Type)
	if err != nil || !a.Origin {
		return out, err
	}
	if a.Sym.Type.Kind == expr.Optional {
		return append(out, 1), nil
	}
	return append(out, 0), nil
}

// values returns the codes that quantifiers range over: all of t's, but no
// origin of a serial.
func (d *domains) values(t *expr.Type) ([]uint64, error) {
	n, err := d.codes(t)
	if err != nil {
		return nil, err
	}
	if n > maxValues {
		return nil, fmt.Errorf("%s has %d values in model %s: too many to go through", t, n, d.model.Name)
	}
	var out []uint64
	switch t.Kind {
	case expr.Optional:
		elems, err := d.values(t.Elem)
		if err != nil {
			return nil, err
		}
		out = append(out, 0)
		for _, e := range elems {
			out = append(out, e+1)
		}
	case expr.Set:
		elems, err := d.values(t.Elem)
		if err != nil {
			return nil, err
		}
		for subset := range uint64(1) << len(elems) {
			var set uint64
			for i, e := range elems {
				set |= subset >> i & 1 << e
			}
			out = append(out, set)
		}
	default:
		for c := first(t); c < n; c++ {
			out = append(out, c)
		}
	}
	return out, nil
}

// first is the least code among the values of type t.
func first(t *expr.Type) uint64 {
	if t.Kind == expr.Identity || t.Kind == expr.Serial {
		return 1
	}
	return 0
}

// initial is the code at the start of a variable without an expression for it.
func initial(t *expr.Type) uint64 {
	if t.Kind == expr.Identity {
		return 1
	}
	return 0
}

// width is the number of bytes that a slot with n codes takes in a State.
func width(n uint64) int {
	w := 1
	for n--; n > 0xff; n >>= 8 {
		w++
	}
	return w
}

// format returns the value with that code as the table writes it, such as
// "failed", "none", "{1, 2}" or "[2, 1]".
func (d *domains) format(t *expr.Type, code uint64) string {
	if t.Kind != expr.List {
		return FormatValue(t, code)
	}
	var elems []string
	for _, e := range d.lists(t).Elements(code) {
		elems = append(elems, FormatValue(t.Elem, e))
	}
	return "[" + strings.Join(elems, ", ") + "]"
}

// FormatValue returns the value with that code as the table writes it, such as
// "failed", "none" or "{1, 2}". Of a list, whose code depends on a model's
// sizes, it returns the code: [Machine.Format] knows them.
func FormatValue(t *expr.Type, code uint64) string {
	switch t.Kind {
	case expr.Bool:
		return strconv.FormatBool(code != 0)
	case expr.Int:
		return strconv.Itoa(int(code) + t.Lo)
	case expr.Enum:
		if code < uint64(len(t.Values)) {
			return t.Values[code]
		}
	case expr.Serial:
		if code == 0 {
			return "origin"
		}
	case expr.Optional:
		if code == 0 {
			return "none"
		}
		return FormatValue(t.Elem, code-1)
	case expr.Set:
		var elems []string
		for c := range uint64(64) {
			if code>>c&1 != 0 {
				elems = append(elems, FormatValue(t.Elem, c))
			}
		}
		return "{" + strings.Join(elems, ", ") + "}"
	}
	return strconv.FormatUint(code, 10)
}
