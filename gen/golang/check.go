package golang

import (
	"fmt"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// check returns what Go can't be generated for, as a sorted diag.List, or nil.
func check(m *machine) error {
	var ds diag.List
	m.checkTypes(&ds)
	m.checkExpressions(&ds)
	m.checkOrder(&ds)
	m.checkNames(&ds)
	ds.Sort()
	return ds.Err()
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

// packages are what no package can be called: what Go takes for something else,
// then what files that import it have another thing of that name: the generated
// test, the test that a counterexample is told as.
var packages = [...]struct{ why, names string }{
	{"Go takes a package of that name for something else", "main internal vendor testdata documentation"},
	{"generated tests, which import it, have something else of that name", "at a b buf c d e event f fsm it looplab m mbt model params rowcases s source t testing v x bad effects fmt got i shared steps subject"},
}

// numbered are names with a number that generated tests have.
var numbered = regexp.MustCompile(`^(at|p)\d+$`)

// checkPackageName refuses a machine's name that no package can have.
func (m *machine) checkPackageName(ds *diag.List) {
	name := m.pkg()
	if token.IsKeyword(name) {
		ds.Add(diag.ReservedName, m.Pos, "%s is a keyword of Go and can't be a package", name).Width = len(m.Name)
	}
	for i, p := range packages {
		if slices.Contains(strings.Fields(p.names), name) || i > 0 && numbered.MatchString(name) {
			ds.Add(diag.ReservedName, m.Pos, "the machine %s would be the package %s: %s", m.Name, name, p.why).Width = len(m.Name)
		}
	}
}

func (m *machine) checkNames(ds *diag.List) {
	m.checkPackageName(ds)
	reserved := []string{"Machine", "State", "Event", "Effect", "EffectKind", "Decision", "Row", "Rows",
		"NoRow", "Params", "New", "rows", "fsm", "strconv", "m", "e", "buf", "stateNames", "generatedFrom"}
	methods := []string{"Params", "State", "Step", "Explain", "Clone"}
	if len(m.startsAnywhere()) > 0 {
		reserved = append(reserved, "Start", "Starts")
	}
	if len(m.Shared) > 0 {
		reserved, methods = append(reserved, "Shared"), append(methods, "Shared")
	}
	if m.growing() {
		reserved = append(reserved, "maps", "it", "k", "to", "d", "row", "head")
	}
	m.checkPackage(newScope(ds, reserved...))
	m.checkMethods(newScope(ds, methods...))
	checkGroups(m.Groups, ds)
	for _, p := range m.Parts {
		checkGroups(p.Groups, ds)
		fields := newScope(ds)
		for _, f := range p.Fields() {
			fields.add(names.Exported(f.Name), "the variable "+f.Name, f.Pos)
		}
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
	for _, r := range m.rows() {
		for _, em := range r.Emit {
			if em.Each != nil {
				m.checkEach(em, newScope(ds, reserved...))
			}
		}
	}
	for _, e := range m.Effects {
		params := newScope(ds, "fsm")
		for _, a := range e.Args {
			params.add(names.Local(a.Name), "the argument "+a.Name, a.Pos)
			params.free(names.Local(a.Name), "the argument "+a.Name, a.Pos)
		}
	}
}

func checkGroups(groups []*expr.Symbol, ds *diag.List) {
	s := newScope(ds, "String", "MarshalText", "UnmarshalText")
	for _, g := range groups {
		s.add(names.Exported(g.Name), "the group "+g.Name, g.Pos)
	}
}

func (m *machine) checkPackage(s *scope) {
	for _, p := range m.Parts {
		s.add(names.Record(p), "the record of "+p.Name, p.Pos)
		s.add(p.State.Type.Name, "the type of states of "+p.Name, p.Pos)
		s.add(tableOf(p.State.Type), "the names of states of "+p.Name, p.Pos)
		for _, st := range p.States {
			s.add(names.PartValue(p, st.Index), "the state "+st.Name, st.Pos)
		}
	}
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
		if d.row != nil {
			s.add(d.constant(), "the row "+d.name(), d.row.Pos)
			continue
		}
		s.add(d.constant(), "the answer "+d.name(), d.event.Pos)
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
	for _, v := range m.owned() {
		s.add(names.Exported(v.Sym.Name), "the variable "+v.Sym.Name, v.Sym.Pos)
	}
	for _, e := range m.Events {
		s.add(names.Local(e.Name), "the event "+e.Name, e.Pos)
		s.keyword(names.Local(e.Name), "the event "+e.Name, e.Pos)
	}
	for _, t := range m.Tables {
		s.add(names.Local(t.Name), "the sub-table "+t.Name, t.Pos)
		s.keyword(names.Local(t.Name), "the sub-table "+t.Name, t.Pos)
		s.add(doing(t), "what the rows of "+t.Name+" do", t.Pos)
	}
	for _, p := range m.Parts {
		m.checkPart(p, s)
	}
	for _, d := range m.defs {
		s.add(names.Local(d.Name), "the definition "+d.Name, d.Pos)
		s.keyword(names.Local(d.Name), "the definition "+d.Name, d.Pos)
	}
	for _, p := range m.predicates {
		s.add(names.Exported(p.Name), "the property "+p.Name, p.Pos)
	}
}

// checkEach looks at the loop variable of an effect for each.
func (m *machine) checkEach(em *spec.Emit, s *scope) {
	for _, e := range m.Effects {
		s.add(names.Local(e.Name), "the effect "+e.Name, e.Pos)
	}
	s.add(names.Local(em.Each.Name), "each "+em.Each.Name, em.Each.Pos)
	s.free(names.Local(em.Each.Name), "each "+em.Each.Name, em.Each.Pos)
}

// checkPart enters the fields and methods by which a machine holds parts.
func (m *machine) checkPart(p *spec.Part, s *scope) {
	s.add(names.Exported(p.Name), "the parts "+p.Name, p.Pos)
	for _, f := range unique(p) {
		s.add(names.Index(p, f), "the parts by "+f.Name, f.Pos)
	}
	for _, what := range []string{"", "set", "trim", "forgetAll"} {
		s.add(helper(p, what), "what generated code does with "+p.Name, p.Pos)
	}
	for _, v := range p.Moves {
		s.add(helper(p, v.Name), "the move "+v.Name, v.Pos)
	}
}

// keyword complains about a small name that can't be a method.
func (s *scope) keyword(name, what string, pos diag.Pos) {
	if token.IsKeyword(name) {
		s.ds.Add(diag.ReservedName, pos, "%s would be %s, a keyword of Go", what, name)
	}
}
