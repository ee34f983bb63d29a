package tlaplus

import (
	"slices"
	"strconv"
	"strings"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// mc prints the module with bounds.
func (m *module) mc() []byte {
	w := &printer{m: m}
	w.preface("MC"+m.name, "Bounds for TLC, and properties in the form that it needs: a cfg a size.")
	w.line("EXTENDS %s", m.name)
	w.bounds()
	w.twins()
	w.isolation()
	w.sometimes()
	w.end()
	return w.buf.Bytes()
}

func (w *printer) bounds() {
	m := w.m
	if len(m.identity) == 0 {
		return
	}
	column := 0
	for i, ty := range m.identity {
		column = max(column, len(listItem(plural(ty.Name), i, len(m.identity)))+1)
	}
	w.line("")
	w.line("CONSTANTS")
	for i, ty := range m.identity {
		note := "How many."
		if m.p != "" && !ty.Shared {
			note = "How many an instance has."
		}
		w.noted(listItem(plural(ty.Name), i, len(m.identity)), column, note)
	}
	w.line("")
	for _, ty := range m.identity {
		w.line("MC%s == 1..%s", names.Exported(ty.Name), plural(ty.Name))
	}
}

func (w *printer) twins() {
	m, opened := w.m, false
	for _, p := range m.t.Properties {
		if p.Kind != spec.StepAlways || !hasSteps(p) {
			continue
		}
		if !opened {
			w.section()
			w.comment("The properties of steps once more, as invariants: no step that could be taken now breaks them.  [][A]_vars doesn't look at a step that changes nothing, so it would pass a row that accepts and then does nothing.")
			opened = true
		}
		w.line("")
		w.define(twin(p), m.enabled(p))
	}
}

// isolation prints what every event would be answered, and that a step of one
// instance doesn't change it for another.
func (w *printer) isolation() {
	m := w.m
	for _, p := range m.t.Properties {
		if p.Kind != spec.Isolated || m.p == "" {
			continue
		}
		w.section()
		w.comment("What an instance would answer now, whatever fresh values are left.")
		var all []doc
		for _, e := range m.t.Events {
			all = append(all, w.answer(e))
		}
		var own []doc
		for _, v := range m.vars {
			if v.indexed && !v.world {
				own = append(own, text(v.at(m.p, false)))
			}
		}
		w.line("")
		w.define("MCAnswers("+m.p+")", filled("<<", all, ">>"))
		w.line("")
		w.define("MCOwn("+m.p+")", filled("<<", own, ">>"))
		w.line("")
		w.comment(p.Doc, "A step of one instance changes neither the variables of another nor what it answers.")
		// What is left alone comes first: only then are steps worth a look.
		same := conj(unchanged("MCOwn("+m.q+")"), unchanged("MCAnswers("+m.q+")"))
		others := quantified(`\A`, []string{m.p + ` \in ` + names.Exported(m.t.Per) + ` \ {` + m.q + "}"},
			not(call(m.apartFrom(nil).name, text(m.p))))
		body := quantified(`\A`, []string{m.bound(m.q)}, listed(`\/`, []doc{same, others}))
		w.define(p.Name, wrapped("[][", body, "]_vars"))
		w.line("")
		w.comment("The same as an invariant, which TLC names when it holds.")
		step := conj(call(m.apartFrom(nil).name, text(m.p)), not(same))
		rest := []string{m.q + ` \in ` + names.Exported(m.t.Per) + ` \ {` + m.p + "}"}
		w.define(twin(p), quantified(`\A`, []string{m.bound(m.p)}, quantified(`\A`, rest, notEnabled(step))))
	}
}

func unchanged(s string) doc { return binary(relation, "=", text(s+"'"), text(s)) }

// answer prints the name of the row that decides e, as a function of those
// arguments that matter, and returns all its values for an instance.
func (w *printer) answer(e *spec.Event) doc {
	m := w.m
	read := map[*expr.Symbol]bool{}
	for _, r := range e.Decisions() {
		if r.PartFrom != nil {
			read[e.Args[0].Sym] = true
		}
		for _, c := range slices.Concat(r.When, r.Unless) {
			for _, s := range c.Expr.Reads(expr.SymArg) {
				read[s] = true
			}
		}
	}
	args, bounds := m.instance(), []string(nil)
	for _, a := range e.Args {
		if read[a.Sym] {
			args = append(args, text(a.Sym.Name))
			bounds = append(bounds, a.Sym.Name+` \in `+m.argument(a))
		}
	}
	name := "MC" + names.Exported(e.Name) + "Answer"
	w.line("")
	w.line("%s ==", call(name, args...).flat())
	for _, c := range e.Checks {
		cond := conj(m.conditions(c)...)
		if s := "  IF " + cond.flat() + " THEN " + strconv.Quote(c.Name()) + " ELSE"; len(s) <= width {
			w.line("%s", s)
			continue
		}
		w.line("%s", strings.Join(indent(2, prefixed("IF ", cond.lines(5, 0))), "\n"))
		w.line("    THEN %s ELSE", strconv.Quote(c.Name()))
	}
	if len(e.Rows) == 1 {
		w.line("  %s", strconv.Quote(e.Rows[0].Name()))
	}
	for i, r := range e.Rows {
		if len(e.Rows) == 1 {
			break
		}
		arm := "  CASE "
		if i > 0 {
			arm = "    [] "
		}
		cond := conj(m.conditions(r)...)
		lines := prefixed(arm, cond.lines(7, 4+len(r.Name())+2))
		w.line("%s -> %s", strings.Join(lines, "\n"), strconv.Quote(r.Name()))
	}
	if len(bounds) == 0 {
		return call(name, args...)
	}
	return wrapped("["+strings.Join(bounds, ", ")+" |-> ", call(name, args...), "]")
}

// sometimes prints, for each goal, that it isn't reached: TLC shows how it is.
func (w *printer) sometimes() {
	m, opened := w.m, false
	for _, p := range m.t.Properties {
		if p.Kind != spec.Sometimes {
			continue
		}
		if !opened {
			w.section()
			w.comment("What must be possible: each of these must be violated.")
			opened = true
		}
		s := m.here()
		var params []doc
		for _, each := range p.Each {
			s.taken = append(s.taken, each.Name)
			params = append(params, text(each.Name))
		}
		var body doc
		if p.On == nil {
			body = m.over(`\A`, nil, s.not(p.Holds))
		} else {
			s.taken = append(s.taken, argNames(p.On)...)
			step := conj(m.event(m.accepted[p.On], p.On), s.expr(p.Holds))
			body = m.over(`\A`, m.bounds(p.On), notEnabled(step))
		}
		w.line("")
		w.comment(p.Doc)
		w.define(call("MCNo"+p.Name, params...).flat(), body)
		if len(p.Each) == 0 {
			continue
		}
		w.line("")
		for _, g := range m.goals(p) {
			w.line("%s == MCNo%s(%s)", g.operator(), p.Name, strings.Join(g.values, ", "))
		}
	}
}
