package tlaplus

import (
	"strings"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
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
	m.global = map[string]string{}
	for _, w := range strings.Fields(taken) {
		m.global[w] = "a word of TLA+"
	}
	for _, w := range []string{"vars", "TypeOK", "Init", "Next", "System", "World", "Spec", "FairSpec", "Fairness", "Never",
		"None", "Assume", "Alone", "State", "Edge", "EdgesNext",
		"Log", "Line", "Args", "Instance", "Tells", "TraceInit", "TraceStep", "TraceDone", "TraceNext", "at", "MCAnswers", "MCOwn"} {
		m.declare(w, "a name of every module")
	}
	for _, suffix := range []string{"", "Edges", "Trace", "TraceLog"} {
		m.declare(m.name+suffix, "a module")
	}
	m.declare("MC"+m.name, "a module")
	if m.t.Per != "" {
		m.declare(names.Exported(m.t.Per), "the instances")
	}
	for _, ty := range m.t.Types {
		m.declare(names.Exported(ty.Name), "a type")
	}
	for _, ty := range m.identity {
		m.declare(plural(ty.Name), "how many values a type has")
	}
	for _, v := range m.vars {
		m.declare(v.name, "a variable")
	}
	for _, s := range m.t.Params {
		m.declare(names.Exported(s.Name), "a parameter")
	}
	for _, s := range m.t.Groups {
		m.declare(names.Exported(s.Name), "a group")
	}
	for _, s := range m.t.Defs {
		m.declare(names.Exported(s.Name), "a definition")
	}
	m.declareParts()
	m.declareEvents()
	m.declareProperties()
	for _, e := range m.events() {
		for _, a := range e.Args {
			if what := m.global[a.Sym.Name]; what != "" {
				m.fail("%s: the argument %s has the name of %s", e.Pos, a.Sym.Name, what)
			}
		}
	}
}

// declareParts declares what only tables with parts, lists or sub-tables have.
func (m *module) declareParts() {
	if m.lists {
		m.declare(elements, "a name of every module with lists")
		m.declare(withoutFirst, "a name of every module with lists")
	}
	for _, p := range m.t.Parts {
		m.declare(names.Exported(p.State.Type.Name), "the states of "+p.Name)
		for _, g := range p.Groups {
			m.declare(names.Exported(g.Name), "a group")
		}
		m.declare(atStart(p), "the start of "+p.Name)
		if p.Memory != nil {
			m.declare(remembered(p), "what is remembered of "+p.Name)
			m.declare(forgetting(p), "what is forgotten of "+p.Name)
		}
	}
	for _, f := range m.several() {
		m.declare(each(f.Move, f.To), "the move "+f.Move.Name+" of several parts")
	}
	for _, t := range m.t.Tables {
		m.declare(names.Exported(t.Name), "the sub-table "+t.Name)
		m.declare(thenRow(t), "the decision of "+t.Name)
		m.declare(thenEffects(t), "the effects of "+t.Name)
		for _, r := range t.Rows {
			m.declare(action(r), "the row "+r.Name())
		}
	}
}

func (m *module) declareEvents() {
	for _, e := range m.events() {
		name := names.Exported(e.Name)
		m.declare(name, "the event "+e.Name)
		if m.accepted[e] != name {
			m.declare(m.accepted[e], "what "+e.Name+" accepts")
		}
		if len(e.Checks) > 1 {
			m.declare(name+"Passes", "the checks of "+e.Name)
		}
		if e.Can != nil && !m.ofWorld(e) {
			m.declare(can(e), "when "+e.Name+" is possible")
			m.declare("Trace"+can(e), "when "+e.Name+" is possible")
		}
		if len(m.assumptions(e)) > 0 {
			m.declare(name+"Allowed", "the assumptions about "+e.Name)
		}
		for _, r := range e.Decisions() {
			m.declare(action(r), "the row "+r.Name())
		}
	}
	for _, a := range m.apart {
		m.declare(a.name, "a step of every other event")
	}
	for _, a := range m.t.Assumptions {
		m.declare(a.Name, "the assumption "+a.Name)
	}
}

func (m *module) declareProperties() {
	for _, p := range m.t.Properties {
		m.declare(p.Name, "the property "+p.Name)
		switch p.Kind {
		case spec.StepAlways:
			m.declare(twin(p), "the property "+p.Name)
		case spec.Sometimes:
			if len(p.Each) > 0 {
				m.declare("MCNo"+p.Name, "the goals of "+p.Name)
			}
			for _, g := range m.goals(p) {
				m.declare(g.operator(), "the goal "+g.name)
			}
		case spec.Eventually:
			if f := m.fairness(p); f != "Fairness" {
				m.declare(f, "the fairness of "+p.Name)
				m.declare(m.fairSpec(p), "the fairness of "+p.Name)
			}
		case spec.Isolated:
			for _, e := range m.t.Events {
				m.declare("MC"+names.Exported(e.Name)+"Answer", "the answer to "+e.Name)
			}
		}
	}
}

func (m *module) declare(name, what string) {
	if old, ok := m.global[name]; ok && old != what {
		m.fail("%s is %s and %s", name, old, what)
		return
	}
	m.global[name] = what
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
