package tlaplus

import (
	"slices"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// stateLevel reports whether the base module has p as a predicate of states:
// an invariant, what holds at an end, or a property of refusals, which change
// nothing.
func (m *module) stateLevel(p *spec.Property) bool {
	return p.Kind == spec.Invariant || p.Kind == spec.Ends || p.Kind == spec.StepAlways && !hasSteps(p)
}

// hasSteps reports whether p speaks of steps that may change something.
func hasSteps(p *spec.Property) bool {
	return slices.ContainsFunc(p.Clauses, func(c *spec.Clause) bool { return !stays(c) })
}

// stays reports whether c speaks of answers that change nothing in the machine.
func stays(c *spec.Clause) bool { return c.Kind == spec.Refused || c.Kind == spec.Ignored }

// twin is the name of a step property as an invariant.
func twin(p *spec.Property) string { return "MC" + p.Name }

func (w *printer) baseProperties() {
	m := w.m
	w.section()
	w.line("(* Properties. *)")
	w.never()
	w.apartOperators()
	for _, p := range m.t.Properties {
		if p.Kind == spec.Sometimes || p.Kind == spec.Isolated {
			continue
		}
		w.line("")
		if p.Doc != "" {
			w.comment(p.Doc)
		}
		switch {
		case p.Kind == spec.Invariant:
			w.define(p.Name, m.over(`\A`, nil, m.here().expr(p.Holds)))
		case p.Kind == spec.Ends:
			w.define(p.Name, m.ends(p))
		case p.Kind == spec.Eventually:
			var each []string
			for _, s := range p.Each {
				each = append(each, s.Name+` \in `+m.set(s.Type))
			}
			w.define(p.Name, m.over(`\A`, each, m.leadsTo(p)))
		case hasSteps(p):
			w.stepProperty(p)
		default:
			w.define(p.Name, m.enabled(p))
		}
	}
	w.theorems()
}

// leadsTo prints p's goal, weakened by fresh values that are used up.
func (m *module) leadsTo(p *spec.Property) doc {
	s := m.here()
	for _, each := range p.Each {
		s.taken = append(s.taken, each.Name)
	}
	goals := []doc{s.expr(p.To)}
	for _, ty := range m.fresh {
		if slices.ContainsFunc(p.Fair, func(f *spec.Fairness) bool {
			return slices.ContainsFunc(f.Event.Args, func(a *spec.Arg) bool { return a.Fresh && a.Sym.Type == ty })
		}) {
			goals = append(goals, m.usedUp(ty))
		}
	}
	d := binary(implies, "~>", s.expr(p.From), disj(goals...))
	return d
}

// ends prints that a state is one that p allows as the last, that a fresh value
// is missing, or that some step changes something.
func (m *module) ends(p *spec.Property) doc {
	over := []doc{m.here().expr(p.Holds)}
	for _, ty := range m.fresh {
		over = append(over, m.usedUp(ty))
	}
	return listed(`\/`, []doc{text("ENABLED <<Next>>_vars"), m.over(`\A`, nil, disj(over...))})
}

// usedUp prints that no fresh value of a type is left.
func (m *module) usedUp(ty *expr.Type) doc {
	next := binary(sum, "+", text(m.counter(ty).at(m.p, false)), text("1"))
	return binary(relation, `\notin`, next, text(m.set(ty)))
}

// clause returns the step that c speaks of, its bounds, and what must hold.
func (m *module) clause(c *spec.Clause) (bounds []string, step, holds doc, notHolds doc) {
	s := m.here()
	switch c.Kind {
	case spec.AlwaysApart:
		step = call(m.apartFrom(c.Except).name, m.instance()...)
	case spec.After:
		s.taken = argNames(c.Event)
		bounds, step = m.bounds(c.Event), m.event(m.accepted[c.Event], c.Event)
		if c.Row != nil {
			step = m.row(c.Row)
		}
	case spec.Refused, spec.Ignored:
		s.taken = argNames(c.Event)
		var rows []doc
		for _, r := range c.Event.Decisions() {
			if c.Row == r || c.Row == nil && r.Outcome == spec.Refuse {
				rows = append(rows, m.row(r))
			}
		}
		bounds, step = m.bounds(c.Event), choose(rows)
	}
	return bounds, step, s.expr(c.Holds), s.not(c.Holds)
}

// stepProperty prints p over the steps that change something.
func (w *printer) stepProperty(p *spec.Property) {
	m := w.m
	var kids []doc
	for _, c := range p.Clauses {
		if stays(c) {
			continue
		}
		bounds, step, holds, _ := m.clause(c)
		kids = append(kids, m.over(`\A`, bounds, binary(implies, "=>", step, holds)))
	}
	w.define(p.Name, wrapped("[][", listed(`/\`, kids), "]_vars"))
}

// enabled prints p as an invariant: no step that could be taken now breaks it.
func (m *module) enabled(p *spec.Property) doc {
	var kids []doc
	for _, c := range p.Clauses {
		bounds, step, _, not := m.clause(c)
		kids = append(kids, m.over(`\A`, bounds, notEnabled(conj(step, not))))
	}
	return listed(`/\`, kids)
}

func notEnabled(action doc) doc {
	return doc{form: wrap, prec: negation, open: "~ENABLED ", kids: []doc{operand(action, negation)}}
}

// goal is one value of a sometimes property.
type goal struct {
	property *spec.Property
	name     string
	values   []string
}

// operator is the name of the invariant that a state or step that reaches g
// breaks.
func (g goal) operator() string { return "MCNo" + g.name }

// goals returns one for each value of what p ranges over.
func (m *module) goals(p *spec.Property) []goal {
	out := []goal{{property: p, name: p.Name}}
	for _, s := range p.Each {
		var longer []goal
		for _, g := range out {
			for _, v := range m.valuesOf(p, s.Type) {
				longer = append(longer, goal{
					property: p, name: g.name + names.Exported(v.name),
					values: append(g.values[:len(g.values):len(g.values)], v.text),
				})
			}
		}
		out = longer
	}
	return out
}

// value is a constant, as an expression and as part of a name.
type value struct{ name, text string }

func (m *module) valuesOf(p *spec.Property, t *expr.Type) []value {
	switch t.Kind {
	case expr.Bool:
		return []value{{"False", "FALSE"}, {"True", "TRUE"}}
	case expr.Enum:
		var out []value
		for _, v := range t.Values {
			out = append(out, value{v, `"` + v + `"`})
		}
		return out
	}
	m.fail(diag.Unsupported, p.Pos, "in TLA+, %s ranges over %s, which has no goals", p.Name, t)
	return nil
}
