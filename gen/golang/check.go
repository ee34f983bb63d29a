package golang

import (
	"fmt"
	"go/token"
	"go/types"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// check returns what Go can't be generated for, as a sorted diag.List, or nil.
func check(m *machine) error {
	if err := m.Lacks("the Go package", spec.Parts, spec.SubTables, spec.Lists, spec.Sets); err != nil {
		return err
	}
	var ds diag.List
	for _, v := range m.Shared {
		ds.Add(diag.Unsupported, v.Sym.Pos, "%s: shared variables aren't generated to Go yet; a Machine is one instance", v.Sym.Name)
	}
	if len(ds) > 0 {
		return ds // what follows would only repeat it
	}
	for _, s := range m.symbols() {
		if what := unsayableType(s.Type); what != "" {
			ds.Add(diag.Unsupported, s.Pos, "%s isn't generated to Go yet: %s", what, s.Name)
		}
	}
	for _, n := range m.expressions() {
		sayableOrComplain(n, &ds)
	}
	m.checkNames(&ds)
	ds.Sort()
	return ds.Err()
}

// sayableOrComplain complains about the outermost operation that Go code isn't
// generated for.
func sayableOrComplain(n *expr.Node, ds *diag.List) {
	said := false
	n.Walk(func(n *expr.Node) bool {
		if what := unsayable(n); what != "" && !said {
			ds.Add(diag.Unsupported, n.Pos, "%s isn't generated to Go yet", what)
			said = true
		}
		return !said
	})
}

// scope tells names apart that must differ in Go.
type scope struct {
	taken map[string]owner
	ds    *diag.List
}

// owner is what has a name in Go; the zero owner is generated code itself.
type owner struct {
	what string
	pos  diag.Pos
}

func newScope(ds *diag.List, reserved ...string) *scope {
	s := &scope{map[string]owner{}, ds}
	for _, name := range reserved {
		s.taken[name] = owner{}
	}
	return s
}

// add enters a name that a part of the table has in Go.
func (s *scope) add(name, what string, pos diag.Pos) {
	old, clash := s.taken[name]
	switch {
	case !clash:
		s.taken[name] = owner{what, pos}
	case old == owner{}:
		s.ds.Add(diag.ReservedName, pos, "%s would be %s in Go, which generated code keeps for itself", what, name)
	default:
		s.ds.Add(diag.NameClash, pos, "%s and %s would both be %s in Go", what, old.what, name).
			Also(old.pos, "%s", old.what)
	}
}

// free complains about a small name that Go has a meaning for.
func (s *scope) free(name, what string, pos diag.Pos) {
	if token.IsKeyword(name) || types.Universe.Lookup(name) != nil {
		s.ds.Add(diag.ReservedName, pos, "%s would be %s, which Go reserves", what, name)
	}
}

func (m *machine) checkNames(ds *diag.List) {
	if token.IsKeyword(m.pkg()) {
		ds.Add(diag.ReservedName, diag.Pos{File: m.Path}, "%s is a keyword of Go and can't be a package", m.pkg())
	}
	m.checkPackage(newScope(ds, "Machine", "State", "Event", "Effect", "EffectKind", "Decision", "Row", "Rows",
		"NoRow", "Params", "New", "rows", "fsm", "strconv", "m", "e", "buf", "stateNames"))
	m.checkMethods(newScope(ds, "Params", "State", "Step", "Explain"))
	groups := newScope(ds, "String")
	for _, g := range m.Groups {
		groups.add(names.Exported(g.Name), "the group "+g.Name, g.Pos)
	}
	for _, e := range m.Events {
		args := newScope(ds)
		for _, a := range e.Args {
			args.add(names.Exported(a.Sym.Name), "the argument "+a.Sym.Name, a.Sym.Pos)
		}
	}
	fields := newScope(ds, "Kind")
	for _, f := range m.fields {
		fields.add(f.name, "the argument "+f.args[0].Name, f.args[0].Pos)
	}
	for _, e := range m.Effects {
		params := newScope(ds, "fsm")
		for _, a := range e.Args {
			params.add(names.Local(a.Name), "the argument "+a.Name, a.Pos)
			params.free(names.Local(a.Name), "the argument "+a.Name, a.Pos)
		}
	}
}

func (m *machine) checkPackage(s *scope) {
	for _, t := range m.types {
		s.add(t.Name, "the type "+t.Name, t.Pos)
		if t.Kind != expr.Enum {
			continue
		}
		s.add(tableOf(t), "the names of "+t.Name, t.Pos)
		for i, v := range t.Values {
			s.add(names.Value(t, i), fmt.Sprintf("the value %s of %s", v, t.Name), t.Pos)
		}
	}
	for _, st := range m.States {
		s.add(names.Exported(st.Name), "the state "+st.Name, st.Pos)
	}
	for _, e := range m.Events {
		s.add(names.Exported(e.Name), "the event "+e.Name, e.Pos)
	}
	for _, d := range m.decisions {
		pos, what := d.event.Pos, "the answer "+d.name()
		if d.row != nil {
			pos, what = d.row.Pos, "the row "+d.name()
		}
		s.add(d.constant(), what, pos)
	}
	for _, e := range m.Effects {
		s.add(kindOf(e), "the kind of the effect "+e.Name, e.Pos)
		s.add(names.Local(e.Name), "the effect "+e.Name, e.Pos)
		s.free(names.Local(e.Name), "the effect "+e.Name, e.Pos)
	}
}

func (m *machine) checkMethods(s *scope) {
	for _, p := range m.Params {
		s.add(names.Exported(p.Name), "the parameter "+p.Name, p.Pos)
	}
	for _, v := range m.Vars {
		s.add(names.Exported(v.Sym.Name), "the variable "+v.Sym.Name, v.Sym.Pos)
	}
	for _, e := range m.Events {
		s.add(names.Local(e.Name), "the event "+e.Name, e.Pos)
		s.keyword(names.Local(e.Name), "the event "+e.Name, e.Pos)
	}
	for _, d := range m.defs {
		s.add(names.Local(d.Name), "the definition "+d.Name, d.Pos)
		s.keyword(names.Local(d.Name), "the definition "+d.Name, d.Pos)
	}
	for _, p := range m.predicates {
		s.add(names.Exported(p.Name), "the property "+p.Name, p.Pos)
	}
}

// keyword complains about a small name that can't be a method.
func (s *scope) keyword(name, what string, pos diag.Pos) {
	if token.IsKeyword(name) {
		s.ds.Add(diag.ReservedName, pos, "%s would be %s, a keyword of Go", what, name)
	}
}
