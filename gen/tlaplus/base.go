package tlaplus

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// base prints the module without bounds.
func (m *module) base() []byte {
	w := &printer{m: m}
	w.preface(m.name, m.t.Doc,
		"Each check and row of the table is an action: "+m.example()+" Those that change nothing aren't part of Next, where they would hide deadlocks; the world's events come last.")
	if m.lists {
		w.line("EXTENDS Integers, Sequences, FiniteSets")
	} else {
		w.line("EXTENDS Integers, FiniteSets")
	}
	w.line("")
	w.constants()
	w.variables()
	w.types()
	w.listOperators()
	w.partStarts()
	w.start()
	w.defs()
	w.assumptions()
	w.partOperators()
	for _, t := range m.t.Tables {
		w.subTable(m.subs[t])
	}
	for _, e := range m.events() {
		w.event(e)
	}
	w.next()
	w.baseProperties()
	w.end()
	return w.buf.Bytes()
}

func (m *module) example() string {
	for _, r := range m.t.Rows() {
		return r.Name() + " is " + action(r) + "."
	}
	return "it has none."
}

func (w *printer) constants() {
	type constant struct{ name, note string }
	var cs []constant
	m := w.m
	if m.t.Per != "" {
		cs = append(cs, constant{names.Exported(m.t.Per), "The instances: each has a " + m.t.Name + " of its own."})
	}
	for _, ty := range m.identity {
		note := ty.Doc
		if ty.Kind == expr.Serial {
			note += " 1..n in the order of their issue"
			if ty.Shared {
				note += ", to all instances"
			}
			note += "; 0 is older than all."
		}
		cs = append(cs, constant{names.Exported(ty.Name), note})
	}
	for _, s := range m.t.Params {
		cs = append(cs, constant{names.Exported(s.Name), s.Doc})
	}
	if len(m.t.Assumptions) > 0 {
		cs = append(cs, constant{"Assume", "Names of the assumptions about the world that hold."})
	}
	if m.worldless {
		cs = append(cs, constant{"Alone", "Nothing happens in the world, and it restricts no argument."})
	}
	if m.none {
		cs = append(cs, constant{"None", "No value."})
	}
	if len(cs) == 0 {
		return
	}
	column := 0
	for i, c := range cs {
		column = max(column, len(listItem(c.name, i, len(cs)))+1)
	}
	w.line("CONSTANTS")
	for i, c := range cs {
		w.noted(listItem(c.name, i, len(cs)), column, strings.TrimSpace(c.note))
	}
	w.line("")
}

// listItem adds a comma to all names but the last.
func listItem(name string, i, n int) string {
	if i < n-1 {
		return name + ","
	}
	return name
}

func (w *printer) variables() {
	m := w.m
	column := 0
	for i, v := range m.vars {
		column = max(column, len(listItem(v.name, i, len(m.vars)))+1)
	}
	w.line("VARIABLES")
	world := false
	for i, v := range m.vars {
		if v.world && !world {
			w.line("  \\* Of the world, unknown to the machine:")
			world = true
		}
		note := v.note
		if m.p != "" && !v.indexed {
			note += " One for all instances."
		}
		w.noted(listItem(v.name, i, len(m.vars)), column, note)
	}
	w.line("")
	w.define("vars", filled("<<", m.varNames(func(*variable) bool { return true }), ">>"))
	w.line("")
}

func (m *module) varNames(which func(*variable) bool) []doc {
	var out []doc
	for _, v := range m.vars {
		if which(v) {
			out = append(out, text(v.name))
		}
	}
	return out
}

// types prints the sets that don't depend on a size.
func (w *printer) types() {
	m := w.m
	type set struct {
		name   string
		values []string
	}
	var sets []set
	states := func(name string, states []*spec.State, groups []*expr.Symbol) {
		all := set{name: name}
		for _, s := range states {
			all.values = append(all.values, s.Name)
		}
		sets = append(sets, all)
		for _, g := range groups {
			s := set{name: names.Exported(g.Name)}
			for _, i := range g.Members {
				s.values = append(s.values, states[i].Name)
			}
			sets = append(sets, s)
		}
	}
	states("State", m.t.States, m.t.Groups)
	for _, p := range m.t.Parts {
		states(names.Exported(p.State.Type.Name), p.States, p.Groups)
	}
	for _, ty := range m.t.Types {
		if ty.Kind == expr.Enum {
			sets = append(sets, set{names.Exported(ty.Name), ty.Values})
		}
	}
	column := 0
	for _, s := range sets {
		column = max(column, len(s.name))
	}
	for _, s := range sets {
		var kids []doc
		for _, v := range s.values {
			kids = append(kids, text(strconv.Quote(v)))
		}
		head := s.name + strings.Repeat(" ", column-len(s.name)) + " == "
		for _, l := range prefixed(head, filled("{", kids, "}").lines(len(head), 0)) {
			w.line("%s", l)
		}
	}
	for _, ty := range m.t.Types {
		if ty.Kind == expr.Int || ty.Kind == expr.Bool {
			w.line("%s == %s", names.Exported(ty.Name), m.set(ty))
		}
	}
	w.line("")
}

// start prints TypeOK and Init.
func (w *printer) start() {
	m := w.m
	column := 0
	for _, v := range m.vars {
		column = max(column, len(v.name))
	}
	w.line("TypeOK ==")
	for _, v := range m.vars {
		set := v.set
		if v.indexed {
			set = wrapped("["+names.Exported(m.t.Per)+" -> ", set, "]")
		}
		head := fmt.Sprintf("  /\\ %-*s \\in ", column, v.name)
		w.line("%s", strings.Join(prefixed(head, set.lines(len(head), 0)), "\n"))
	}
	for _, d := range m.bounded() {
		w.line("  /\\ %s", d.flat())
	}
	w.line("")
	w.line("Init ==")
	for _, v := range m.vars {
		if v.any {
			set := v.set.flat()
			if v.indexed {
				set = "[" + names.Exported(m.t.Per) + " -> " + set + "]"
			}
			w.line("  /\\ %-*s \\in %s", column, v.name, set)
			continue
		}
		start := v.start.flat()
		if v.indexed {
			start = "[" + m.bound(m.p) + " |-> " + start + "]"
		}
		w.line("  /\\ %-*s = %s", column, v.name, start)
	}
}

// bound returns `p \in Project`.
func (m *module) bound(p string) string { return p + ` \in ` + names.Exported(m.t.Per) }

// here is the scope of a definition about an instance.
func (m *module) here() scope { return scope{m: m, p: m.p} }

func (w *printer) defs() {
	for _, d := range w.m.t.Defs {
		s := w.m.here()
		s.guard = true // rows use it in their guards
		w.line("")
		w.comment(d.Doc)
		w.define(call(names.Exported(d.Name), w.m.instance()...).flat(), s.expr(d.Body))
	}
}

// instance is the first argument of every operator about one.
func (m *module) instance() []doc {
	if m.p == "" {
		return nil
	}
	return []doc{text(m.p)}
}

// assumptions returns those about e.
func (m *module) assumptions(e *spec.Event) []*spec.Assumption {
	var out []*spec.Assumption
	for _, a := range m.t.Assumptions {
		if slices.Contains(a.On, e) {
			out = append(out, a)
		}
	}
	return out
}

// assumptions prints, for each event that some assumption is about, when it is
// possible. Conditions are written out event by event: their arguments are
// the event's.
func (w *printer) assumptions() {
	m := w.m
	if len(m.t.Assumptions) == 0 {
		return
	}
	w.section()
	w.comment("The assumptions about the world.  Where one is in Assume, it is part of the rows that accept the events it is about.")
	for _, a := range m.t.Assumptions {
		if len(a.All) == 0 {
			continue
		}
		var parts []doc
		for _, p := range a.Parts() {
			parts = append(parts, text(strconv.Quote(p.Name)))
		}
		w.line("")
		w.comment(a.Doc)
		w.define(a.Name, filled("{", parts, "}"))
	}
	for _, e := range m.events() {
		as := m.assumptions(e)
		if len(as) == 0 {
			continue
		}
		s := m.here()
		s.guard = true
		s.taken = argNames(e)
		var parts []doc
		var docs []string
		for _, a := range as {
			docs = append(docs, a.Name+": "+a.Doc)
			parts = append(parts, binary(implies, "=>", text(strconv.Quote(a.Name)+` \in Assume`), s.expr(a.Only)))
		}
		w.line("")
		w.comment(docs...)
		w.define(m.event(names.Exported(e.Name)+"Allowed", e).flat(), conj(parts...))
	}
}

// event returns an operator applied to the instance and e's arguments.
func (m *module) event(name string, e *spec.Event) doc {
	args := m.instance()
	for _, a := range argNames(e) {
		args = append(args, text(a))
	}
	return call(name, args...)
}

func argNames(e *spec.Event) []string {
	var out []string
	for _, a := range e.Args {
		out = append(out, a.Sym.Name)
	}
	return out
}

// bounds returns the quantifier's bounds of e's arguments.
func (m *module) bounds(e *spec.Event) []string {
	var out []string
	for _, a := range e.Args {
		out = append(out, a.Sym.Name+` \in `+m.argument(a))
	}
	return out
}

// over quantifies over the instances and more bounds.
func (m *module) over(quantifier string, bounds []string, body doc) doc {
	if m.p != "" {
		bounds = append([]string{m.bound(m.p)}, bounds...)
	}
	return quantified(quantifier, bounds, body)
}
