package equal

import (
	"fmt"
	"slices"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
	"github.com/interlock-go/interlock/tla"
)

// None is the model value that stands for an optional without a value.
const None = "None"

// Encode returns the value with that code as the models write it.
func Encode(t *expr.Type, code uint64) tla.Value {
	switch t.Kind {
	case expr.Bool:
		return tla.Bool(code != 0)
	case expr.Int:
		return tla.Int(int64(code) + int64(t.Lo))
	case expr.Enum:
		if code < uint64(len(t.Values)) {
			return tla.Str(t.Values[code])
		}
	case expr.Optional:
		if code == 0 {
			return tla.Model(None)
		}
		return Encode(t.Elem, code-1)
	case expr.Set:
		var elems []tla.Value
		for c := range uint64(64) {
			if code>>c&1 != 0 {
				elems = append(elems, Encode(t.Elem, c))
			}
		}
		return tla.Set(elems...)
	}
	return tla.Int(int64(code))
}

// Decode returns the code of a value of type t. Its error says that v isn't
// one; whether a serial or identity is within the model's size isn't looked at.
func Decode(t *expr.Type, v tla.Value) (uint64, error) {
	wrong := func() (uint64, error) { return 0, fmt.Errorf("%s is no value of type %s", v, t) }
	switch t.Kind {
	case expr.Bool:
		if v.Type() != tla.BoolType {
			return wrong()
		}
		if v.Bool() {
			return 1, nil
		}
		return 0, nil
	case expr.Int:
		if v.Type() != tla.IntType || v.Int() < int64(t.Lo) || v.Int() > int64(t.Hi) {
			return wrong()
		}
		return uint64(v.Int() - int64(t.Lo)), nil
	case expr.Identity, expr.Serial:
		if v.Type() != tla.IntType || v.Int() < 0 {
			return wrong()
		}
		return uint64(v.Int()), nil
	case expr.Enum:
		if v.Type() == tla.StringType {
			for i, s := range t.Values {
				if s == v.Text() {
					return uint64(i), nil
				}
			}
		}
		return wrong()
	case expr.Optional:
		if v.Type() == tla.ModelType && v.Text() == None {
			return 0, nil
		}
		c, err := Decode(t.Elem, v)
		return c + 1, err
	case expr.Set:
		return decodeSet(t, v)
	}
	return wrong()
}

func decodeSet(t *expr.Type, v tla.Value) (uint64, error) {
	if v.Type() != tla.SetType {
		return 0, fmt.Errorf("%s is no value of type %s", v, t)
	}
	var set uint64
	for e := range v.Elems() {
		c, err := Decode(t.Elem, e)
		if err != nil {
			return 0, err
		}
		if c > 63 {
			return 0, fmt.Errorf("%s is no value of type %s", v, t)
		}
		set |= 1 << c
	}
	return set, nil
}

// variable is one variable of a model: where a machine keeps it.
type variable struct {
	field interp.Field
	at    int // among the own or the shared fields
}

// variables returns a model's variables in the order of its vars tuple: the
// control state, the table's variables, the shared ones, counters of fresh
// values in the order of the types, ghosts.
func variables(m *interp.Machine) []variable {
	own, shared := m.Fields()
	var out []variable
	add := func(fields []interp.Field, kinds ...interp.FieldKind) {
		for i, f := range fields {
			for _, k := range kinds {
				if f.Kind == k {
					out = append(out, variable{f, i})
				}
			}
		}
	}
	add(own, interp.Control, interp.Var)
	add(shared, interp.Var)
	for _, t := range m.Table().Types {
		for _, fields := range [][]interp.Field{own, shared} {
			for i, f := range fields {
				if f.Kind == interp.Issued && f.Type == t {
					out = append(out, variable{f, i})
				}
			}
		}
	}
	add(own, interp.Ghost)
	return out
}

// decoder reads states and edges of a model.
type decoder struct {
	m       *interp.Machine
	names   []string // of the instances
	vars    []variable
	own     int // fields of an instance
	rows    map[string]*spec.Row
	effects map[string]*spec.Effect
	values  []uint64

	// The last state decoded: TLC prints the edges of one state together.
	last      tla.Value
	lastState interp.State
}

func newDecoder(m *interp.Machine) *decoder {
	own, shared := m.Fields()
	d := &decoder{
		m: m, vars: variables(m), own: len(own),
		rows: map[string]*spec.Row{}, effects: map[string]*spec.Effect{},
		values: make([]uint64, m.Instances()*len(own)+len(shared)),
	}
	for i := range m.Instances() {
		d.names = append(d.names, interp.InstanceName(i))
	}
	for _, r := range m.Table().Rows() {
		d.rows[r.Name()] = r
	}
	for _, e := range m.Table().Effects {
		d.effects[e.Name] = e
	}
	return d
}

// instance returns the number of an instance, which is called p1, p2, ...
func (d *decoder) instance(v tla.Value) (int, error) {
	if i := slices.Index(d.names, v.Text()); i >= 0 && v.Type() == tla.ModelType {
		return i, nil
	}
	return 0, fmt.Errorf("%s is none of the %d instances", v, len(d.names))
}

// state decodes a tuple of all variables.
func (d *decoder) state(v tla.Value) (interp.State, error) {
	if d.lastState != "" && v.Equal(d.last) {
		return d.lastState, nil
	}
	if v.Type() != tla.TupleType || v.Len() != len(d.vars) {
		return "", fmt.Errorf("%s isn't a tuple of the %d variables", v, len(d.vars))
	}
	for i, x := range d.vars {
		if err := d.variable(x, v.Elem(i)); err != nil {
			return "", fmt.Errorf("%s: %w", x.field.Name, err)
		}
	}
	return d.m.Pack(d.values)
}

// variable decodes one variable: own ones are functions of the instance if
// there is such a thing.
func (d *decoder) variable(x variable, v tla.Value) error {
	if !x.field.Own {
		c, err := Decode(x.field.Type, v)
		d.values[d.m.Instances()*d.own+x.at] = c
		return err
	}
	if d.m.Table().Per == "" {
		c, err := Decode(x.field.Type, v)
		d.values[x.at] = c
		return err
	}
	if v.Type() != tla.FuncType || v.Len() != d.m.Instances() {
		return fmt.Errorf("%s isn't a function of the %d instances", v, d.m.Instances())
	}
	for arg, res := range v.Pairs() {
		i, err := d.instance(arg)
		if err != nil {
			return err
		}
		c, err := Decode(x.field.Type, res)
		if err != nil {
			return err
		}
		d.values[i*d.own+x.at] = c
	}
	return nil
}
