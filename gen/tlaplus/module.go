package tlaplus

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// module is what all printed modules of a table have in common.
type module struct {
	t    *spec.Table
	name string // of the base module
	p, q string // two instances; empty if there is just one
	vars []*variable
	subs map[*spec.SubTable]*subTable

	accepted map[*spec.Event]string // operators over moves and stays
	apart    []*apart               // operators over every event but some

	global map[string]declared // every name that a module defines, and for what
	errs   diag.List

	none      bool // some type is optional
	worldless bool // some model has no world
	lists     bool // some variable is a list
	effects   bool
	identity  []*expr.Type // identities and serials, in the table's order
	fresh     []*expr.Type // those that some event has a fresh value of
}

// variable is a variable of the base module.
type variable struct {
	name    string
	sym     *expr.Symbol // nil for a counter
	part    *spec.Part   // the parts that it holds; nil: no parts
	counter *expr.Type   // the type whose values it counts
	indexed bool         // a function of the instance
	world   bool
	start   doc
	any     bool // it may start with any of its values: start is the declared one
	set     doc  // of its values
	note    string
}

// pos is where the table declares v; none for the control state.
func (v *variable) pos() diag.Pos {
	switch {
	case v.part != nil:
		return v.part.Pos
	case v.counter != nil:
		return v.counter.Pos
	}
	return v.sym.Pos
}

// apart is the operator for a step of any event but those in except.
type apart struct {
	name   string
	except []*spec.Event
}

// at returns v's value for an instance.
func (v *variable) at(p string, after bool) string {
	s := v.name
	if after {
		s += "'"
	}
	if v.indexed {
		s += "[" + p + "]"
	}
	return s
}

func newModule(t *spec.Table) (*module, error) {
	m := &module{t: t, name: names.Exported(t.Name), accepted: map[*spec.Event]string{}, effects: len(t.Effects) > 0}
	for _, ty := range t.Types {
		if ty.Kind == expr.Identity || ty.Kind == expr.Serial {
			m.identity = append(m.identity, ty)
		}
	}
	m.worldless = slices.ContainsFunc(t.Models, func(model *spec.Model) bool { return model.Alone })
	m.findFresh()
	m.nameInstances()
	m.addVars()
	for _, e := range m.events() {
		m.accepted[e] = m.acceptedName(e)
	}
	for _, p := range t.Properties {
		for _, c := range p.Clauses {
			if c.Kind == spec.AlwaysApart {
				m.apartFrom(c.Except)
			}
		}
		if p.Kind == spec.Isolated {
			m.apartFrom(nil)
		}
	}
	m.declareAll()
	m.subs = map[*spec.SubTable]*subTable{}
	for _, sub := range t.Tables {
		m.subs[sub] = m.subTable(sub)
	}
	return m, m.err()
}

// fail says what can't be printed; once, however often it is come across.
func (m *module) fail(code diag.Code, pos diag.Pos, format string, args ...any) *diag.Diagnostic {
	var one diag.List
	d := one.Add(code, pos, format, args...)
	if !slices.ContainsFunc(m.errs, func(o *diag.Diagnostic) bool { return o.Error() == d.Error() }) {
		m.errs = append(m.errs, d)
	}
	return d
}

// err returns what can't be printed, as a sorted diag.List, or nil.
func (m *module) err() error {
	m.errs.Sort()
	return m.errs.Err()
}

// events returns those of the machine, then those of the world.
func (m *module) events() []*spec.Event { return slices.Concat(m.t.Events, m.t.World) }

func (m *module) findFresh() {
	used := map[*expr.Type]bool{}
	for _, e := range m.events() {
		for _, a := range e.Args {
			used[a.Sym.Type] = used[a.Sym.Type] || a.Fresh
		}
	}
	for _, ty := range m.identity {
		if used[ty] {
			m.fresh = append(m.fresh, ty)
		}
	}
}

// nameInstances takes names that nothing in the table has.
func (m *module) nameInstances() {
	if m.t.Per == "" {
		return
	}
	used := map[string]bool{}
	for _, e := range m.events() {
		for _, a := range e.Args {
			used[a.Sym.Name] = true
		}
	}
	for _, p := range m.t.Properties {
		for _, s := range p.Each {
			used[s.Name] = true
		}
	}
	for _, vs := range [][]*spec.Var{m.t.Vars, m.t.Shared, m.t.Ghosts} {
		for _, v := range vs {
			used[v.Sym.Name] = true
		}
	}
	letter := strings.ToLower(m.t.Per[:1])
	take := func(letter string) string {
		name := letter
		for n := 2; used[name]; n++ {
			name = letter + strconv.Itoa(n)
		}
		return name
	}
	m.p = take(letter)
	m.q = take(string('a' + (letter[0]-'a'+1)%26))
}

func (m *module) addVars() {
	per := m.t.Per != ""
	initial := ""
	for _, s := range m.t.States {
		if s.Initial {
			initial = s.Name
		}
	}
	m.vars = append(m.vars, &variable{
		name: "state", sym: m.t.State, indexed: per, start: text(strconv.Quote(initial)), set: text("State"),
		note: "The control state.",
	})
	add := func(vs []*spec.Var, indexed, world bool) {
		for _, v := range vs {
			m.vars = append(m.vars, &variable{
				name: v.Sym.Name, sym: v.Sym, indexed: indexed, world: world,
				start: m.start(v), any: v.Any, set: text(m.values(v.Sym.Type)), note: v.Sym.Doc,
			})
		}
	}
	add(m.t.Vars, per, false)
	for _, p := range m.t.Parts {
		m.vars = append(m.vars, m.partVariable(p, per))
	}
	add(m.t.Shared, false, false)
	for _, ty := range m.fresh {
		m.vars = append(m.vars, &variable{
			name: "issued" + names.Exported(ty.Name), counter: ty, indexed: per && !ty.Shared, world: true,
			start: text("0"), set: text(m.set(ty) + ` \cup {0}`), note: "The last " + ty.Name + " that was given out; 0 before the first.",
		})
	}
	add(m.t.Ghosts, per, true)
}

// variable returns the variable of a symbol.
func (m *module) variable(sym *expr.Symbol) *variable {
	for _, v := range m.vars {
		if v.sym == sym {
			return v
		}
	}
	m.fail(diag.Unsupported, sym.Pos, "in TLA+, %s isn't a variable of the table", sym.Name)
	return &variable{name: sym.Name, sym: sym}
}

// counter returns the counter of a type's fresh values.
func (m *module) counter(ty *expr.Type) *variable {
	for _, v := range m.vars {
		if v.counter == ty {
			return v
		}
	}
	m.fail(diag.Unsupported, ty.Pos, "in TLA+, nothing gives out values of %s", ty)
	return &variable{name: ty.Name}
}

// start returns a variable's first value.
func (m *module) start(v *spec.Var) doc {
	if v.Init != nil {
		if len(v.Init.Reads(expr.SymVar, expr.SymShared, expr.SymGhost)) > 0 {
			return m.here().expr(v.Init)
		}
		return scope{m: m}.expr(v.Init)
	}
	switch t := v.Sym.Type; t.Kind {
	case expr.Bool:
		return text("FALSE")
	case expr.Int:
		return text(strconv.Itoa(t.Lo))
	case expr.Enum:
		return text(strconv.Quote(t.Values[0]))
	case expr.Serial:
		return text("0")
	case expr.Optional:
		return text("None")
	case expr.Set:
		return text("{}")
	case expr.List:
		return text("<<>>")
	}
	m.fail(diag.Unsupported, v.Sym.Pos, "in TLA+, %s needs a value at the start", v.Sym.Name)
	return text("?")
}

// argument returns the set of an argument's values.
func (m *module) argument(a *spec.Arg) string {
	s := m.set(a.Sym.Type)
	switch {
	case !a.Origin:
		return s
	case a.Sym.Type.Kind == expr.Optional:
		return m.set(a.Sym.Type.Elem) + ` \cup {0, None}`
	}
	return s + ` \cup {0}`
}

// set returns the set of t's values, without the origin.
func (m *module) set(t *expr.Type) string {
	switch t.Kind {
	case expr.Bool:
		return "BOOLEAN"
	case expr.Int:
		return fmt.Sprintf("%d..%d", t.Lo, t.Hi)
	case expr.Optional:
		m.none = true
		return m.set(t.Elem) + ` \cup {None}`
	case expr.Set:
		if t.Elem.Kind == expr.Int || t.Elem.Kind == expr.Optional {
			return "SUBSET (" + m.set(t.Elem) + ")"
		}
		return "SUBSET " + m.set(t.Elem)
	case expr.List:
		m.lists = true
		return "Seq(" + m.set(t.Elem) + ")"
	}
	return names.Exported(t.Name)
}

// values is set for a variable, which may hold the origin.
func (m *module) values(t *expr.Type) string {
	if t.Kind == expr.Serial {
		return m.set(t) + ` \cup {0}`
	}
	return m.set(t)
}

func (m *module) acceptedName(e *spec.Event) string {
	name := names.Exported(e.Name)
	for _, r := range e.Decisions() {
		if accepts(r) != m.moves(r) {
			return name + "Accepted"
		}
	}
	return name
}

// accepts reports whether r is one of the steps that properties of its event
// speak of.
func accepts(r *spec.Row) bool { return r.Outcome == spec.Move || r.Outcome == spec.Stay }

// moves reports whether r changes anything, be it only in the world.
func (m *module) moves(r *spec.Row) bool {
	if r.Outcome == spec.Move {
		return true
	}
	for _, f := range m.t.Follows {
		if f.Follows(r) {
			return true
		}
	}
	return false
}

// apartFrom returns the operator for a step of every event but some.
func (m *module) apartFrom(except []*spec.Event) *apart {
	for _, a := range m.apart {
		if slices.Equal(a.except, except) {
			return a
		}
	}
	a := &apart{name: "AnyEvent", except: except}
	if len(except) > 0 {
		a.name = "AllBut"
		for _, e := range except {
			a.name += names.Exported(e.Name)
		}
	}
	m.apart = append(m.apart, a)
	return a
}

// printer writes one module.
type printer struct {
	m   *module
	buf bytes.Buffer
}

func (w *printer) line(format string, args ...interface{}) {
	fmt.Fprintf(&w.buf, format, args...)
	w.buf.WriteByte('\n')
}

// define prints name(params) == body: on one line if it fits, else the body
// below.
func (w *printer) define(head string, body doc) {
	if s := head + " == " + body.flat(); len(s) <= width && body.form != list {
		w.line("%s", s)
		return
	}
	w.line("%s ==", head)
	w.body(body)
}

func (w *printer) body(body doc) {
	for _, l := range indent(2, body.lines(2, 0)) {
		w.line("%s", l)
	}
}
