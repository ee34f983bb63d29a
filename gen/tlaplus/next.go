package tlaplus

import (
	"slices"
	"strconv"
	"strings"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
)

// next prints the steps as a whole, and what is fair.
func (w *printer) next() {
	m := w.m
	w.section()
	steps := []string{}
	for _, part := range []struct {
		name   string
		events []*spec.Event
	}{{"System", m.t.Events}, {"World", m.t.World}} {
		if len(part.events) == 0 {
			continue
		}
		var kids []doc
		for _, e := range part.events {
			if slices.ContainsFunc(e.Decisions(), m.moves) {
				kids = append(kids, quantified(`\E`, m.bounds(e), m.event(names.Exported(e.Name), e)))
			}
		}
		if len(kids) == 0 {
			continue
		}
		w.define(part.name, m.over(`\E`, nil, listed(`\/`, kids)))
		w.line("")
		steps = append(steps, part.name)
	}
	if len(steps) == 0 {
		steps = []string{"FALSE"}
	}
	w.line("Next == %s", strings.Join(steps, ` \/ `))
	w.line("")
	w.line("Spec == Init /\\ [][Next]_vars")
	w.fairness()
}

// listed is a list with bullets, unless it is one.
func listed(op string, kids []doc) doc {
	d := junctionOf(op, kids)
	if d.form == list {
		d.hang = true
	}
	return d
}

// eventually returns the properties that need fairness.
func (m *module) eventually() []*spec.Property {
	var out []*spec.Property
	for _, p := range m.t.Properties {
		if p.Kind == spec.Eventually {
			out = append(out, p)
		}
	}
	return out
}

// fairness names what p needs. Where all ask for the same, it is Fairness.
func (m *module) fairness(p *spec.Property) string {
	for _, other := range m.eventually() {
		if !slices.EqualFunc(other.Fair, p.Fair, (*spec.Fairness).Same) {
			return p.Name + "Fairness"
		}
	}
	return "Fairness"
}

func (m *module) fairSpec(p *spec.Property) string {
	return "FairSpec" + strings.TrimSuffix(strings.TrimSuffix(m.fairness(p), "Fairness"), "Fairness")
}

func (w *printer) fairness() {
	m := w.m
	printed := map[string]bool{}
	for _, p := range m.eventually() {
		name := m.fairness(p)
		if printed[name] {
			continue
		}
		printed[name] = true
		var kids []doc
		for _, f := range p.Fair {
			kids = append(kids, m.fair(f))
		}
		w.line("")
		if len(kids) == 0 {
			w.define(name, text("TRUE"))
		} else {
			w.define(name, m.over(`\A`, nil, listed(`/\`, kids)))
		}
		w.line("")
		w.line("%s == Spec /\\ %s", m.fairSpec(p), name)
	}
}

// fair is the fairness of an event or row, for each value of what it is owed to
// apart.
func (m *module) fair(f *spec.Fairness) doc {
	var some, each []string
	for i, bound := range m.bounds(f.Event) {
		if slices.Contains(f.Each, f.Event.Args[i]) {
			each = append(each, bound)
		} else {
			some = append(some, bound)
		}
	}
	step := m.event(names.Exported(f.Event.Name), f.Event)
	if f.Row != nil {
		step = m.row(f.Row)
	}
	operator := "WF_vars("
	if f.Strong {
		operator = "SF_vars("
	}
	return quantified(`\A`, each, wrapped(operator, quantified(`\E`, some, step), ")"))
}

// apartOperators prints, for properties of every step but some, what such a
// step is.
func (w *printer) apartOperators() {
	m := w.m
	for _, a := range m.apart {
		var kids []doc
		for _, e := range m.events() {
			if !slices.Contains(a.except, e) {
				kids = append(kids, quantified(`\E`, m.bounds(e), m.event(m.accepted[e], e)))
			}
		}
		what := "A step of any event"
		for i, e := range a.except {
			if i == 0 {
				what += " but " + e.Name
			} else {
				what += ", " + e.Name
			}
		}
		w.line("")
		w.comment(what + ".")
		w.define(call(a.name, m.instance()...).flat(), listed(`\/`, orFalse(kids)))
	}
}

func orFalse(kids []doc) []doc {
	if len(kids) == 0 {
		return []doc{text("FALSE")}
	}
	return kids
}

// never prints that the rows that can't occur don't.
func (w *printer) never() {
	m := w.m
	var kids []doc
	for _, r := range m.t.Rows() {
		if r.Outcome == spec.Never && r.Event != nil {
			d := doc{form: wrap, prec: negation, open: "~ENABLED ", kids: []doc{m.row(r)}}
			kids = append(kids, quantified(`\A`, m.bounds(r.Event), d))
		}
	}
	for _, t := range m.t.Tables {
		kids = append(kids, m.impossible(t)...)
	}
	if len(kids) == 0 {
		return
	}
	w.line("")
	w.comment("Rows that the table says can't occur.")
	w.define("Never", m.over(`\A`, nil, listed(`/\`, kids)))
}

func (m *module) hasNever() bool {
	return slices.ContainsFunc(m.t.Rows(), func(r *spec.Row) bool { return r.Outcome == spec.Never })
}

// theorems says which property follows from what.
func (w *printer) theorems() {
	m := w.m
	w.line("")
	always := "[]TypeOK"
	if m.hasNever() {
		always = "[](TypeOK /\\ Never)"
	}
	w.line("THEOREM Spec => %s", always)
	for _, p := range m.t.Properties {
		given := "Spec"
		if p.Kind == spec.Eventually {
			given = m.fairSpec(p)
		}
		for _, a := range p.Given {
			if len(a.All) > 0 {
				given += " /\\ " + a.Name + ` \subseteq Assume`
			} else {
				given += " /\\ " + strconv.Quote(a.Name) + ` \in Assume`
			}
		}
		switch {
		case p.Kind == spec.Sometimes || p.Kind == spec.Isolated:
		case m.stateLevel(p):
			w.line("THEOREM %s => []%s", given, p.Name)
		default:
			w.line("THEOREM %s => %s", given, p.Name)
		}
	}
}
