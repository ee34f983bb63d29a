package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// wanted says how a value of t is written.
func wanted(t *expr.Type) string {
	switch t.Kind {
	case expr.Bool:
		return "true or false"
	case expr.Int:
		return fmt.Sprintf("a number from %d to %d", t.Lo, t.Hi)
	case expr.Enum:
		return `one of "` + strings.Join(t.Values, `", "`) + `"`
	case expr.Identity:
		return "a number from 1"
	case expr.Serial:
		return "a number from 1, or 0 for the origin"
	case expr.Optional:
		return wanted(t.Elem) + ", or null for none"
	}
	return "an array, of each element " + wanted(t.Elem)
}

// value checks a value of an argument and keeps what it is: a bool, a number
// counted from the type's first one, nil, or a list of values. It complains
// about what has no code.
func (r *reader) value(name string, t *expr.Type, raw json.RawMessage) any {
	v, hint := r.read(t, raw)
	if v == bad {
		// Also where an answer is given to values outside the type: those
		// that have a code in Go are numbers.
		d := r.complain(diag.TypeMismatch, string(raw), "%s is no %s, the type of %s", raw, t, name)
		if i := strings.Index(r.text, quoted(name)); i >= 0 {
			if j := strings.Index(r.text[i:], string(raw)); j >= 0 {
				d.Pos.Col = len([]rune(r.text[:i+j])) + 1
			}
		}
		if d.Hint = hint; hint == "" {
			d.Hint = "write it as " + wanted(t)
		}
	}
	return v
}

// invalid is what read returns for a value that isn't one of the type.
type invalid struct{}

var bad any = invalid{}

func (r *reader) read(t *expr.Type, raw json.RawMessage) (v any, hint string) {
	null := bytes.Equal(bytes.TrimSpace(raw), []byte("null"))
	switch t.Kind {
	case expr.Bool:
		var b bool
		if null || json.Unmarshal(raw, &b) != nil {
			return bad, ""
		}
		return b, ""
	case expr.Int:
		n, ok := number(raw)
		if !ok || t.Else == "" && (n < int64(t.Lo) || n > int64(t.Hi)) {
			return bad, ""
		}
		return uint64(n - int64(t.Lo)), ""
	case expr.Enum:
		var s string
		if null || json.Unmarshal(raw, &s) != nil {
			return bad, ""
		}
		i := slices.Index(t.Values, s)
		if i < 0 {
			if near := diag.Nearest(s, t.Values); near != "" {
				return bad, "did you mean " + near + "?"
			}
			return bad, ""
		}
		return uint64(i), ""
	case expr.Identity, expr.Serial:
		n, ok := number(raw)
		if !ok || n < 0 || n == 0 && t.Kind == expr.Identity && t.Else == "" {
			return bad, ""
		}
		r.most[t] = max(r.most[t], int(min(n, math.MaxInt32)))
		return uint64(n), ""
	case expr.Optional:
		if null {
			return nil, ""
		}
		return r.read(t.Elem, raw)
	}
	return r.elements(t, raw)
}

func (r *reader) elements(t *expr.Type, raw json.RawMessage) (v any, hint string) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return bad, ""
	}
	out := []any{}
	for _, e := range list {
		x, hint := r.read(t.Elem, e)
		if x == bad {
			return bad, hint
		}
		out = append(out, x)
	}
	return out, ""
}

// number reads a whole number that is written as one.
func number(raw json.RawMessage) (int64, bool) {
	var n json.Number
	if raw[0] == '"' || json.Unmarshal(raw, &n) != nil {
		return 0, false
	}
	i, err := n.Int64()
	return i, err == nil
}

// code returns the code of what read kept.
func code(m *interp.Machine, t *expr.Type, v any) uint64 {
	switch t.Kind {
	case expr.Bool:
		if v == true {
			return 1
		}
		return 0
	case expr.Optional:
		if v == nil {
			return 0
		}
		return 1 + code(m, t.Elem, v)
	case expr.Set:
		set := uint64(0)
		for _, e := range v.([]any) {
			set |= 1 << code(m, t.Elem, e)
		}
		return set
	case expr.List:
		list := uint64(0)
		for _, e := range v.([]any) {
			list = m.ListBase(t).Append(list, code(m, t.Elem, e))
		}
		return list
	}
	return v.(uint64)
}
