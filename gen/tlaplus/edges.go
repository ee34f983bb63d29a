package tlaplus

import (
	"slices"
	"strconv"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
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
	if len(m.t.Starts()) > 0 {
		w.line("")
		w.comment("There are several states to start in: each has a line, too.")
		w.line("EdgesInit == Init /\\ PrintT(ToString(<<vars>>))")
	}
	w.thens()
	var kids []doc
	for _, e := range m.events() {
		if rows := m.edgesOf(e); len(rows) > 0 {
			kids = append(kids, quantified(`\E`, m.bounds(e), listed(`\/`, rows)))
		}
	}
	w.line("")
	w.define("EdgesNext", m.over(`\E`, nil, listed(`\/`, kids)))
	w.end()
	return w.buf.Bytes()
}

// edgesOf returns e's rows with the edge that each prints, those that can't
// occur included.
func (m *module) edgesOf(e *spec.Event) []doc {
	var out []doc
	edge := func(row string, effects doc) doc {
		return call("Edge", append(append([]doc{text(row)}, m.instance()...), tuple(argTexts(e)), effects)...)
	}
	for _, r := range e.Decisions() {
		if r.Then == nil {
			out = append(out, conjunction([]doc{m.row(r), edge(strconv.Quote(r.Name()), m.effectsOf(r))}))
			continue
		}
		out = append(out, conjunction([]doc{m.row(r), edge(m.decision(r, m.instance()), m.thenSent(r, m.effectsOf(r), m.instance()))}))
		for _, sub := range r.Then.Rows {
			if sub.Outcome == spec.Never {
				name := strconv.Quote(r.Name() + "+" + sub.Name())
				out = append(out, conjunction(append(m.guards(r), m.row(sub), edge(name, tuple(nil)))))
			}
		}
	}
	return out
}

// decision is the name of what decides a step that r goes on with.
func (m *module) decision(r *spec.Row, instance []doc) string {
	return strconv.Quote(r.Name()+"+") + ` \o ` + call(thenRow(r.Then), instance...).flat()
}

// thenSent is what a step sends that r goes on with.
func (m *module) thenSent(r *spec.Row, own doc, instance []doc) doc {
	then := call(thenEffects(r.Then), instance...)
	if len(r.Emit) == 0 {
		return then
	}
	return binary(setOp, `\o`, own, then)
}

func tuple(kids []doc) doc {
	d := filled("<<", kids, ">>")
	d.hang = true
	return d
}

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
	s := m.here()
	s.taken = argNamesOf(r)
	return m.sent(r, s)
}

// sent prints what r emits, in a scope.
func (m *module) sent(r *spec.Row, s scope) doc {
	var parts, out []doc
	for _, em := range r.Emit {
		if em.Each == nil {
			out = append(out, s.effect(em))
			continue
		}
		if len(out) > 0 {
			parts = append(parts, tuple(slices.Clip(out)))
			out = nil
		}
		i := m.local("i", s.taken...)
		list, in := s.expr(em.In).flat(), s
		in.args = map[*expr.Symbol]doc{em.Each: text(list + "[" + i + "]")}
		for k, v := range s.args {
			in.args[k] = v
		}
		in.taken = append(s.taken[:len(s.taken):len(s.taken)], i)
		all := wrapped("["+i+` \in DOMAIN `+list+" |-> ", in.effect(em), "]")
		all.hang = true
		parts = append(parts, all)
	}
	if len(out) > 0 || len(parts) == 0 {
		parts = append(parts, tuple(slices.Clip(out)))
	}
	d := parts[0]
	for _, p := range parts[1:] {
		d = doc{form: infix, prec: setOp, op: `\o`, kids: []doc{d, p}}
	}
	return d
}

// effect prints one effect.
func (s scope) effect(em *spec.Emit) doc {
	kids := []doc{text(strconv.Quote(em.Effect.Name))}
	for _, n := range em.Args {
		kids = append(kids, s.expr(n))
	}
	return tuple(kids)
}
