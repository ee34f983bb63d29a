package equal

import (
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/tla"
)

// shown returns what production code sees of a state, as a model writes it: a
// tuple of the variables in the order of the model's vars, without ghosts.
func shown(m *interp.Machine, s interp.State) tla.Value {
	own, _ := m.Fields()
	values := m.Values(s)
	var out []tla.Value
	for _, x := range variables(m) {
		switch {
		case x.field.Kind == interp.Ghost:
		case !x.field.Own:
			out = append(out, x.shown(m, values[m.Instances()*len(own):]))
		case m.Table().Per == "":
			out = append(out, x.shown(m, values))
		default:
			var pairs []tla.Pair
			for i := range m.Instances() {
				pairs = append(pairs, tla.Pair{Arg: tla.Model(interp.InstanceName(i)), Result: x.shown(m, values[i*len(own):])})
			}
			out = append(out, tla.Func(pairs...))
		}
	}
	return tla.Tuple(out...)
}

// shown returns the variable's value among the codes of an instance, or of
// what is shared.
func (x variable) shown(m *interp.Machine, values []uint64) tla.Value {
	if x.field.Kind != interp.OfPart {
		return EncodeIn(m, x.field.Type, values[x.at])
	}
	at := x.at
	var parts []tla.Value
	for range m.Model().Sizes[x.field.Part.Key] {
		var fields []tla.Field
		for _, f := range x.field.Part.Fields() {
			fields = append(fields, tla.Field{Name: f.Name, Value: Encode(f.Type, values[at])})
			at++
		}
		parts = append(parts, tla.Record(fields...))
	}
	return tla.Tuple(parts...)
}
