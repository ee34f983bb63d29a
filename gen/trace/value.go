package trace

import (
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec/expr"
)

// Value returns the value with that code as JSON has it: a bool, a number, the
// name of an enumeration's value, null for none, a list for sets and lists.
// The origin is 0.
func Value(m *interp.Machine, t *expr.Type, code uint64) any {
	switch t.Kind {
	case expr.Bool:
		return code != 0
	case expr.Int:
		return int64(code) + int64(t.Lo)
	case expr.Enum:
		if code < uint64(len(t.Values)) {
			return t.Values[code]
		}
	case expr.Optional:
		if code == 0 {
			return nil
		}
		return Value(m, t.Elem, code-1)
	case expr.Set:
		out := []any{}
		for c := range uint64(64) {
			if code>>c&1 != 0 {
				out = append(out, Value(m, t.Elem, c))
			}
		}
		return out
	case expr.List:
		out := []any{}
		for _, c := range m.ListBase(t).Elements(code) {
			out = append(out, Value(m, t.Elem, c))
		}
		return out
	}
	return code
}

// fields returns the named values of what an event or effect carries.
func fields(m *interp.Machine, names []string, types []*expr.Type, codes []uint64) map[string]any {
	out := map[string]any{}
	for i, name := range names {
		if i < len(codes) {
			out[name] = Value(m, types[i], codes[i])
		}
	}
	return out
}

// Args returns the arguments of an event by their names.
func Args(m *interp.Machine, ev interp.Event) map[string]any {
	var names []string
	var types []*expr.Type
	for _, a := range ev.Event.Args {
		names, types = append(names, a.Sym.Name), append(types, a.Sym.Type)
	}
	return fields(m, names, types, ev.Args)
}

// Effect is what the shell is to do, in JSON.
type Effect struct {
	Effect string         `json:"effect"`
	Args   map[string]any `json:"args,omitempty"`
}

// Effects returns effects for JSON.
func Effects(m *interp.Machine, list []interp.Effect) []Effect {
	var out []Effect
	for _, f := range list {
		var names []string
		var types []*expr.Type
		for _, a := range f.Effect.Args {
			names, types = append(names, a.Name), append(types, a.Type)
		}
		out = append(out, Effect{f.Effect.Name, fields(m, names, types, f.Args)})
	}
	return out
}

// Change is a field that differs after a step, in JSON.
type Change struct {
	Instance string `json:"instance,omitempty"` // empty: there is just one, or all share the field
	Field    string `json:"field"`
	Old      string `json:"old"`
	New      string `json:"new"`
}

// Changes returns what differs between two states, for JSON.
func Changes(m *interp.Machine, old, new interp.State) []Change {
	var out []Change
	for _, c := range m.Changes(old, new) {
		name := ""
		if c.Instance >= 0 && m.Table().Per != "" {
			name = interp.InstanceName(c.Instance)
		}
		out = append(out, Change{name, c.Field.Name, c.Old, c.New})
	}
	return out
}
