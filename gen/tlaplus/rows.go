package tlaplus

import (
	"strings"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
)

// action names the operator of a row: end.failed is EndFailed, the row next of
// the sub-table handOver is HandOverNext.
func action(r *spec.Row) string {
	if r.Table != nil {
		return names.Exported(r.Table.Name) + names.Exported(r.ID)
	}
	return names.Row(r)
}

// row returns r's operator applied to what it needs.
func (m *module) row(r *spec.Row) doc {
	if r.Table == nil {
		return m.event(action(r), r.Event)
	}
	args := m.instance()
	if r.Outcome == spec.Move {
		args = append(args, m.subs[r.Table].left()...)
	}
	return call(action(r), args...)
}

// argNamesOf are the names that r's event binds.
func argNamesOf(r *spec.Row) []string {
	if r.Event == nil {
		return nil
	}
	return argNames(r.Event)
}

// guards returns all that must hold for r to decide.
func (m *module) guards(r *spec.Row) []doc {
	if r.Table != nil {
		return m.conditions(r)
	}
	e := r.Event
	for i, c := range e.Checks {
		if c == r {
			return append(m.reached(e, i, r), m.conditions(r)...)
		}
	}
	var out []doc
	if len(e.Checks) > 1 {
		out = append(out, m.event(passes(e), e))
	} else {
		out = m.reached(e, len(e.Checks), r)
	}
	out = append(out, m.conditions(r)...)
	if accepts(r) && len(m.assumptions(e)) > 0 {
		out = append(out, m.event(names.Exported(e.Name)+"Allowed", e))
	}
	return out
}

// passes names the operator that none of e's checks answers.
func passes(e *spec.Event) string { return names.Exported(e.Name) + "Passes" }

// row prints one check or row: its guards, then what it changes.
func (w *printer) row(r *spec.Row) {
	m := w.m
	what := r.Outcome.String() + " " + r.Code
	switch r.Outcome {
	case spec.Never:
		what = "never: " + r.Claim
	case spec.Move:
		what = ""
		if len(r.Emit) > 0 {
			var emits []string
			for _, e := range r.Emit {
				emits = append(emits, emission(e))
			}
			what = "Emits " + strings.Join(emits, ", ") + "."
		}
	}
	w.line("")
	w.comment(what, r.Why)
	w.line("%s ==", m.row(r).flat())
	// Flattened, so that all guards have bullets of their own.
	var parts []doc
	if g := conj(m.guards(r)...); g.form == list && g.op == `/\` {
		parts = g.kids
	} else {
		parts = []doc{g}
	}
	w.body(conjunction(append(parts, m.changes(r)...)))
}

// emission is an effect as the table writes it.
func emission(e *spec.Emit) string {
	if e.Each == nil {
		return e.Src
	}
	return e.Src + " for each " + e.Each.Name + " in " + e.InSrc
}

// conjunction is a list with bullets even if it is short.
func conjunction(kids []doc) doc {
	if len(kids) == 1 {
		return kids[0]
	}
	return doc{form: list, prec: junction, op: `/\`, kids: kids, hang: true}
}
