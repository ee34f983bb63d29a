package tlaplus

import (
	"strings"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

// taken are words that the modules can't define: TLA+'s own, and those of the
// standard modules that are extended somewhere.
const taken = `ACTION ASSUME ASSUMPTION AXIOM BOOLEAN BY CASE CHOOSE CONSTANT CONSTANTS
COROLLARY DEF DEFINE DEFS DOMAIN ELSE ENABLED EXCEPT EXTENDS FALSE HAVE HIDE IF IN
INSTANCE LAMBDA LEMMA LET LOCAL MODULE NEW OBVIOUS OMITTED ONLY OTHER PICK PROOF
PROPOSITION PROVE QED RECURSIVE SF_ STATE STRING SUBSET SUFFICES TAKE TEMPORAL THEN
THEOREM TRUE UNCHANGED UNION USE VARIABLE VARIABLES WF_ WITH WITNESS
Nat Int Cardinality IsFiniteSet Seq Len Head Tail Append SubSeq SelectSeq
Print PrintT Assert JavaTime TLCGet TLCSet SortSeq Permutations RandomElement
ToString TLCEval Any`

// declareAll collects the names that the modules define, and complains about
// those that would be two things.
func (m *module) declareAll() {
	m.global = map[string]declared{}
	for _, w := range strings.Fields(taken) {
		m.global[w] = declared{what: "a word of TLA+"}
	}
	for _, w := range []string{"vars", "TypeOK", "Init", "Next", "System", "World", "Spec", "FairSpec", "Fairness", "Never",
		"None", "Assume", "Alone", "State", "Edge", "EdgesInit", "EdgesNext",
		"Log", "Line", "Args", "Instance", "Tells", "TraceInit", "TraceStep", "TraceDone", "TraceNext", "at", "MCAnswers", "MCOwn"} {
		m.declare(w, "a name of every module", diag.Pos{})
	}
	for _, suffix := range []string{"", "Edges", "Trace", "TraceLog"} {
		m.declare(m.name+suffix, "a module", m.t.Pos)
	}
	m.declare("MC"+m.name, "a module", m.t.Pos)
	if m.t.Per != "" {
		m.declare(names.Exported(m.t.Per), "the instances", m.t.PerPos)
	}
	for _, ty := range m.t.Types {
		m.declare(names.Exported(ty.Name), "the type "+ty.Name, ty.Pos)
	}
	for _, ty := range m.identity {
		m.declare(plural(ty.Name), "how many values "+ty.Name+" has", ty.Pos)
	}
	for _, v := range m.vars {
		m.declare(v.name, "the variable "+v.name, v.pos())
	}
	for _, s := range m.t.Params {
		m.declare(names.Exported(s.Name), "the constant "+s.Name, s.Pos)
	}
	for _, s := range m.t.Groups {
		m.declare(names.Exported(s.Name), "the group "+s.Name, s.Pos)
	}
	for _, s := range m.t.Defs {
		m.declare(names.Exported(s.Name), "the definition "+s.Name, s.Pos)
	}
	m.declareParts()
	m.declareEvents()
	m.declareProperties()
	for _, e := range m.events() {
		for _, a := range e.Args {
			if old, ok := m.global[a.Sym.Name]; ok {
				m.clash(a.Sym.Pos, "the argument "+a.Sym.Name, a.Sym.Name, old)
			}
		}
	}
}

// declareParts declares what only tables with parts, lists or sub-tables have.
func (m *module) declareParts() {
	if m.lists {
		m.declare(elements, "a name of every module with lists", diag.Pos{})
		m.declare(withoutFirst, "a name of every module with lists", diag.Pos{})
	}
	for _, p := range m.t.Parts {
		m.declare(names.Exported(p.State.Type.Name), "the states of "+p.Name, p.Pos)
		for _, g := range p.Groups {
			m.declare(names.Exported(g.Name), "the group "+g.Name, g.Pos)
		}
		m.declare(atStart(p), "the start of "+p.Name, p.Pos)
		if p.Memory != nil {
			m.declare(remembered(p), "what is remembered of "+p.Name, p.Pos)
			m.declare(forgetting(p), "what is forgotten of "+p.Name, p.Pos)
		}
	}
	for _, f := range m.several() {
		m.declare(each(f.Move, f.To), "the move "+f.Move.Name+" of several parts", f.Move.Pos)
	}
	for _, t := range m.t.Tables {
		m.declare(names.Exported(t.Name), "the sub-table "+t.Name, t.Pos)
		m.declare(thenRow(t), "the decision of "+t.Name, t.Pos)
		m.declare(thenEffects(t), "the effects of "+t.Name, t.Pos)
		for _, r := range t.Rows {
			m.declare(action(r), "the row "+r.Name(), r.Pos)
		}
	}
}

func (m *module) declareEvents() {
	for _, e := range m.events() {
		name := names.Exported(e.Name)
		m.declare(name, "the event "+e.Name, e.Pos)
		if m.accepted[e] != name {
			m.declare(m.accepted[e], "what "+e.Name+" accepts", e.Pos)
		}
		if len(e.Checks) > 1 {
			m.declare(name+"Passes", "the checks of "+e.Name, e.Pos)
		}
		if e.Can != nil && !m.ofWorld(e) {
			m.declare(can(e), "when "+e.Name+" is possible", e.Pos)
			m.declare("Trace"+can(e), "when "+e.Name+" is possible", e.Pos)
		}
		if len(m.assumptions(e)) > 0 {
			m.declare(name+"Allowed", "the assumptions about "+e.Name, e.Pos)
		}
		for _, r := range e.Decisions() {
			m.declare(action(r), "the row "+r.Name(), r.Pos)
		}
	}
	for _, a := range m.apart {
		m.declare(a.name, "a step of every other event", m.t.Pos)
	}
	for _, a := range m.t.Assumptions {
		m.declare(a.Name, "the assumption "+a.Name, a.Pos)
	}
}

func (m *module) declareProperties() {
	for _, p := range m.t.Properties {
		m.declare(p.Name, "the property "+p.Name, p.Pos)
		switch p.Kind {
		case spec.StepAlways:
			m.declare(twin(p), "the property "+p.Name, p.Pos)
		case spec.Sometimes:
			if len(p.Each) > 0 {
				m.declare("MCNo"+p.Name, "the goals of "+p.Name, p.Pos)
			}
			for _, g := range m.goals(p) {
				m.declare(g.operator(), "the goal "+g.name, p.Pos)
			}
		case spec.Eventually:
			if f := m.fairness(p); f != "Fairness" {
				m.declare(f, "the fairness of "+p.Name, p.Pos)
				m.declare(m.fairSpec(p), "the fairness of "+p.Name, p.Pos)
			}
		case spec.Isolated:
			m.declare(twin(p), "the property "+p.Name, p.Pos)
			for _, e := range m.t.Events {
				m.declare("MC"+names.Exported(e.Name)+"Answer", "the answer to "+e.Name, e.Pos)
			}
		}
	}
}

// declared is what has a name in the modules; one without a place is TLA+'s
// own, or that of every module.
type declared struct {
	what string
	pos  diag.Pos
}

func (m *module) declare(name, what string, pos diag.Pos) {
	if old, ok := m.global[name]; ok && old.what != what {
		m.clash(pos, what, name, old)
		return
	}
	m.global[name] = declared{what, pos}
}

// clash tells that what stands at pos would be name, which old is already.
func (m *module) clash(pos diag.Pos, what, name string, old declared) {
	if !old.pos.IsValid() {
		m.fail(diag.ReservedName, pos, "%s would be %s in TLA+, which is %s", what, name, old.what)
		return
	}
	m.fail(diag.NameClash, pos, "%s and %s would both be %s in TLA+", what, old.what, name).Also(old.pos, "%s", old.what)
}

// plural names the constant that says how many values a type has.
func plural(name string) string {
	name = names.Exported(name)
	switch {
	case strings.HasSuffix(name, "y"):
		return name[:len(name)-1] + "ies"
	case strings.HasSuffix(name, "s"):
		return name + "es"
	}
	return name + "s"
}
