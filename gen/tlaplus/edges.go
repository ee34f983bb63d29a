package tlaplus

import (
	"slices"
	"strconv"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
)

// edges prints the module that prints each edge of the graph.
func (m *module) edges() []byte {
	w := &printer{m: m}
	w.preface(m.name+"Edges",
		"Prints each edge of the graph, answers that change nothing included, on a line of its own: row, instance, arguments, effects, state, next state.  It is compared with the graphs that the table and the generated Go reach.  One worker.")
	w.line("EXTENDS MC%s, TLC", m.name)
	w.line("")
	w.comment("Evaluated once an edge, after all primed variables are known.")
	p := `"-"`
	if m.p != "" {
		p = m.p
		w.line("Edge(row, %s, args, effects) ==", p)
	} else {
		w.line("Edge(row, args, effects) ==")
	}
	w.line("  PrintT(ToString(<<row, %s, args, effects, vars, vars'>>))", p)
	w.line("")
	var kids []doc
	for _, e := range m.events() {
		var rows []doc
		for _, r := range e.Decisions() {
			args := append([]doc{text(strconv.Quote(r.Name()))}, m.instance()...)
			args = append(args, tuple(argTexts(e)), m.effectsOf(r))
			rows = append(rows, conjunction([]doc{m.event(names.Row(r), e), call("Edge", args...)}))
		}
		if len(rows) > 0 {
			kids = append(kids, quantified(`\E`, m.bounds(e), listed(`\/`, rows)))
		}
	}
	w.define("EdgesNext", m.over(`\E`, nil, listed(`\/`, kids)))
	w.end()
	return w.buf.Bytes()
}

func tuple(kids []doc) doc { return filled("<<", kids, ">>") }

func argTexts(e *spec.Event) []doc {
	var out []doc
	for _, a := range argNames(e) {
		out = append(out, text(a))
	}
	return out
}

// effectsOf prints what r emits, in order: each its name and arguments, which
// read the old state.
func (m *module) effectsOf(r *spec.Row) doc {
	var out []doc
	for _, em := range r.Emit {
		kids := []doc{text(strconv.Quote(em.Effect.Name))}
		for _, n := range em.Args {
			kids = append(kids, m.emitted(r, n))
		}
		out = append(out, tuple(kids))
	}
	return tuple(slices.Clip(out))
}
