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

// Encode returns the value with that code as the models write it. A list's code
// depends on a model: see EncodeIn.
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

// EncodeIn is Encode for any value of m's model: a list is a sequence.
func EncodeIn(m *interp.Machine, t *expr.Type, code uint64) tla.Value {
	if t.Kind != expr.List {
		return Encode(t, code)
	}
	var elems []tla.Value
	for _, e := range m.ListBase(t).Elements(code) {
		elems = append(elems, Encode(t.Elem, e))
	}
	return tla.Tuple(elems...)
}

// decodeIn is Decode for any value of m's model.
func decodeIn(m *interp.Machine, t *expr.Type, v tla.Value) (uint64, error) {
	if t.Kind != expr.List {
		return Decode(t, v)
	}
	if v.Type() != tla.TupleType {
		return 0, fmt.Errorf("%s is no value of type %s", v, t)
	}
	base, list := m.ListBase(t), uint64(0)
	for e := range v.Elems() {
		c, err := Decode(t.Elem, e)
		if err != nil {
			return 0, err
		}
		if c+1 >= uint64(base) {
			return 0, fmt.Errorf("%s is no value of type %s", v, t)
		}
		list = base.Append(list, c)
	}
	return list, nil
}

// variable is one variable of a model: where a machine keeps it. All parts of
// one kind are one, a function of their keys to records.
type variable struct {
	name  string
	field interp.Field // of a part: its first key's state
	at    int          // among the own or the shared fields
}

// variables returns a model's variables in the order of its vars tuple: the
// control state, the table's variables, the parts, the shared variables,
// counters of fresh values in the order of the types, ghosts.
func variables(m *interp.Machine) []variable {
	own, shared := m.Fields()
	var out []variable
	add := func(fields []interp.Field, kinds ...interp.FieldKind) {
		for i, f := range fields {
			for _, k := range kinds {
				if f.Kind == k {
					out = append(out, variable{f.Name, f, i})
				}
			}
		}
	}
	add(own, interp.Control, interp.Var)
	for i, f := range own {
		if f.Kind == interp.OfPart && f.Key == 1 && f.Sym == f.Part.State {
			out = append(out, variable{f.Part.Name, f, i})
		}
	}
	add(shared, interp.Var)
	for _, t := range m.Table().Types {
		for _, fields := range [][]interp.Field{own, shared} {
			for i, f := range fields {
				if f.Kind == interp.Issued && f.Type == t {
					out = append(out, variable{f.Name, f, i})
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
			return "", fmt.Errorf("%s: %w", x.name, err)
		}
	}
	return d.m.Pack(d.values)
}

// variable decodes one variable: own ones are functions of the instance if
// there is such a thing.
func (d *decoder) variable(x variable, v tla.Value) error {
	if !x.field.Own {
		return d.value(x, d.m.Instances()*d.own, v)
	}
	if d.m.Table().Per == "" {
		return d.value(x, 0, v)
	}
	if v.Type() != tla.FuncType || v.Len() != d.m.Instances() {
		return fmt.Errorf("%s isn't a function of the %d instances", v, d.m.Instances())
	}
	for arg, res := range v.Pairs() {
		i, err := d.instance(arg)
		if err != nil {
			return err
		}
		if err := d.value(x, i*d.own, res); err != nil {
			return err
		}
	}
	return nil
}

// value decodes the value of a variable whose fields start at base.
func (d *decoder) value(x variable, base int, v tla.Value) error {
	if x.field.Kind == interp.OfPart {
		return d.parts(x, base, v)
	}
	c, err := decodeIn(d.m, x.field.Type, v)
	d.values[base+x.at] = c
	return err
}

// parts decodes a function of keys, which are 1, 2, .., to records.
func (d *decoder) parts(x variable, base int, v tla.Value) error {
	p := x.field.Part
	keys := d.m.Model().Sizes[p.Key]
	if v.Type() != tla.TupleType || v.Len() != keys {
		return fmt.Errorf("%s isn't a function of the %d keys", v, keys)
	}
	at := base + x.at
	for key := range keys {
		for _, f := range p.Fields() {
			field, ok := v.Elem(key).Field(f.Name)
			if !ok {
				return fmt.Errorf("%s has no field %s", v.Elem(key), f.Name)
			}
			c, err := Decode(f.Type, field)
			if err != nil {
				return fmt.Errorf("%s of %d: %w", f.Name, key+1, err)
			}
			d.values[at] = c
			at++
		}
	}
	return nil
}
