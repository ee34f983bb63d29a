package expr

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"

	"github.com/interlock-go/interlock/spec/diag"
)

// Scope is the set of names that an expression may read. Build it with
// NewScope and With; a Scope is read-only and may be shared.
type Scope struct {
	names  map[string]*name
	fields map[string]*name // of parts, as functions of the key: "tickets.asked", "new.tickets.asked"
	order  []string
	hidden map[string]string // names that exist but may not be read here, and why
	partly bool              // some names couldn't be declared, which is told already
	env    func() (*cel.Env, error)
}

// name is one entry of a Scope: a symbol, a value of an enumeration, or a type
// as the set of its values.
type name struct {
	sym   *Symbol
	key   *Symbol // of a field read by it.x: the subject
	new   bool    // the symbol after the step
	typ   *Type
	value int // index in typ.Values, for values
	kind  nameKind
}

type nameKind uint8

const (
	nameSymbol nameKind = iota
	nameValue
	nameType
	nameField       // of the subject
	nameFieldValues // of all parts
)

// Entry adds names to a scope.
type Entry func(*Scope)

// Names makes symbols readable under their own names.
func Names(syms ...*Symbol) Entry {
	return func(s *Scope) {
		for _, sym := range syms {
			s.add(sym.Name, &name{sym: sym, typ: sym.Type})
		}
	}
}

// Qualified makes symbols readable as prefix.name: "receipt.outcome".
func Qualified(prefix string, syms ...*Symbol) Entry {
	return func(s *Scope) {
		for _, sym := range syms {
			s.add(prefix+"."+sym.Name, &name{sym: sym, typ: sym.Type})
		}
	}
}

// After makes symbols readable as new.x, their value after the step.
func After(syms ...*Symbol) Entry {
	return func(s *Scope) {
		for _, sym := range syms {
			s.add("new."+sym.Name, &name{sym: sym, typ: sym.Type, new: true})
		}
	}
}

// Types makes the types' values readable, as Type.value and where that is
// unique as value, and identities, serials and enumerations as sets of all
// their values.
func Types(ts ...*Type) Entry {
	return func(s *Scope) {
		count := map[string]int{}
		for _, t := range ts {
			for _, v := range t.Values {
				count[v]++
			}
		}
		for _, t := range ts {
			for i, v := range t.Values {
				n := &name{kind: nameValue, typ: t, value: i}
				s.add(t.Name+"."+v, n)
				if count[v] == 1 {
					s.add(v, n)
				} else {
					s.hidden[v] = "several types have this value: write " + t.Name + "." + v
				}
			}
			s.add(t.Name, &name{kind: nameType, typ: SetOf(t)})
		}
	}
}

// Fields makes the fields of parts readable: tickets(t).asked, and tickets.id
// as the set of all parts' values where a set may hold them.
func Fields(fields ...*Symbol) Entry {
	return func(s *Scope) { s.addFields("", false, fields) }
}

// FieldsAfter makes the fields of parts readable as new.tickets(t).asked, their
// values after the step.
func FieldsAfter(fields ...*Symbol) Entry {
	return func(s *Scope) { s.addFields("new.", true, fields) }
}

func (s *Scope) addFields(prefix string, after bool, fields []*Symbol) {
	for _, f := range fields {
		key := prefix + f.Part.Name + "." + f.Name
		s.fields[key] = &name{kind: nameField, sym: f, typ: f.Type, new: after}
		elem := f.Type
		if elem.Kind == Optional {
			elem = elem.Elem
		}
		if elem.Kind == Enum || elem.Kind == Identity || elem.Kind == Serial {
			s.add(key, &name{kind: nameFieldValues, sym: f, typ: SetOf(elem), new: after})
		}
	}
}

// Subject makes the fields of the part that key names readable as it.asked,
// and with after as new.it.asked too.
func Subject(key *Symbol, after bool, fields ...*Symbol) Entry {
	return func(s *Scope) {
		for _, f := range fields {
			s.add("it."+f.Name, &name{kind: nameField, sym: f, key: key, typ: f.Type})
			if after {
				s.add("new.it."+f.Name, &name{kind: nameField, sym: f, key: key, typ: f.Type, new: true})
			}
		}
	}
}

// Hidden tells why names that exist may not be read here; the complaint about
// such a name quotes it.
func Hidden(why string, names ...string) Entry {
	return func(s *Scope) {
		for _, n := range names {
			s.hidden[n] = why
		}
	}
}

// Partly says that some names are missing since they couldn't be declared. That
// is told already, so a name that isn't known is no complaint of its own.
func Partly() Entry { return func(s *Scope) { s.partly = true } }

// NewScope returns a scope of the given names.
func NewScope(entries ...Entry) *Scope {
	return (&Scope{}).With(entries...)
}

// With returns s with more names. A later name hides an earlier one.
func (s *Scope) With(entries ...Entry) *Scope {
	c := &Scope{names: map[string]*name{}, fields: map[string]*name{}, order: slices.Clone(s.order), hidden: map[string]string{}, partly: s.partly}
	maps.Copy(c.names, s.names)
	maps.Copy(c.fields, s.fields)
	maps.Copy(c.hidden, s.hidden)
	for _, e := range entries {
		e(c)
	}
	c.env = sync.OnceValues(c.build)
	return c
}

func (s *Scope) add(key string, n *name) {
	if _, ok := s.names[key]; !ok {
		s.order = append(s.order, key)
	}
	s.names[key] = n
	delete(s.hidden, key)
}

// build makes the CEL environment. Sets are lists there, so that CEL's own
// macros accept them; the conversion to Nodes tells them apart. A part's field
// is a function there, see fields.go.
func (s *Scope) build() (*cel.Env, error) {
	opts := slices.Concat([]cel.EnvOption{cel.StdLib(), cel.Macros(cel.AllMacro, cel.ExistsMacro)}, functions)
	for _, key := range s.order {
		opts = append(opts, cel.Variable(key, celType(s.names[key].typ)))
	}
	for _, key := range slices.Sorted(maps.Keys(s.fields)) {
		f := s.fields[key].sym
		opts = append(opts, cel.Function(key, cel.Overload(strings.ReplaceAll(key, ".", "_"), []*cel.Type{celType(f.Part.Type)}, celType(f.Type))))
	}
	env, err := cel.NewCustomEnv(opts...)
	if err != nil {
		return nil, fmt.Errorf("build the scope of an expression: %w", err)
	}
	return env, nil
}

func celType(t *Type) *cel.Type {
	switch t.Kind {
	case Bool:
		return cel.BoolType
	case Int:
		return cel.IntType
	case Optional:
		return optional(celType(t.Elem))
	case Set, List:
		return cel.ListType(celType(t.Elem))
	}
	return types.NewOpaqueType(t.Name)
}

func optional(elem *cel.Type) *cel.Type { return types.NewOpaqueType("optional", elem) }

// functions are the language's own operations.
var functions = func() []cel.EnvOption {
	a := cel.TypeParamType("A")
	set, opt := cel.ListType(a), optional(a)
	fn := func(name string, result *cel.Type, args ...*cel.Type) cel.EnvOption {
		return cel.Function(name, cel.Overload(name, args, result))
	}
	method := func(name string, result *cel.Type, args ...*cel.Type) cel.EnvOption {
		return cel.Function(name, cel.MemberOverload("member_"+name, args, result))
	}
	return []cel.EnvOption{
		fn("some", opt, a),
		fn("none", opt),
		fn("origin", a),
		fn("empty", set),
		method("is", cel.BoolType, opt, a),
		method("hasValue", cel.BoolType, opt),
		method("value", a, opt),
		method("after", cel.BoolType, a, a),
		method("implies", cel.BoolType, cel.BoolType, cel.BoolType),
		method("with", set, set, a),
		method("without", set, set, a),
		method("union", set, set, set),
		method("minus", set, set, set),
		method("subset", cel.BoolType, set, set),
		method("isEmpty", cel.BoolType, set),
		method("head", a, set),
		method("tail", set, set),
		method("append", set, set, a),
		method("remove", set, set, a),
	}
}()

// Lookup returns what name stands for in s, in words, and where it is declared:
// nowhere, for the control state.
func (s *Scope) Lookup(name string) (what string, pos diag.Pos, ok bool) {
	n := s.names[name]
	if n == nil {
		return "", diag.Pos{}, false
	}
	switch n.kind {
	case nameValue:
		return "a value of " + n.typ.Name, n.typ.Pos, true
	case nameType:
		return "a type", n.typ.Elem.Pos, true
	case nameField, nameFieldValues:
		return "a part's field", n.sym.Pos, true
	}
	return kindNames[n.sym.Kind], n.sym.Pos, true
}

var kindNames = [...]string{
	SymState: "the control state", SymVar: "a variable", SymShared: "a shared variable", SymGhost: "a ghost variable",
	SymParam: "a constant", SymArg: "an argument", SymEffect: "an argument of an effect", SymGroup: "a group of states",
	SymBound: "a bound name", SymDef: "a definition", SymPart: "a kind of parts", SymField: "a part's field",
}
