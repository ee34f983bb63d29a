package tlaplus

import (
	"slices"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// Operators on lists that the standard modules don't have.
const (
	elements     = "Elements"
	withoutFirst = "WithoutFirst"
)

// listOperators prints them, if there are lists.
func (w *printer) listOperators() {
	m := w.m
	if !m.lists {
		return
	}
	w.line(`%s(list) == {list[i] : i \in DOMAIN list}`, elements)
	w.line("")
	if !m.takesOut() {
		return
	}
	w.comment("list without the first x in it.")
	w.line("%s(list, x) ==", withoutFirst)
	w.line(`  IF x \notin %s(list)`, elements)
	w.line("    THEN list")
	w.line(`    ELSE LET i == CHOOSE i \in DOMAIN list :`)
	w.line(`                    list[i] = x /\ \A j \in 1..(i - 1) : list[j] # x`)
	w.line(`         IN SubSeq(list, 1, i - 1) \o SubSeq(list, i + 1, Len(list))`)
	w.line("")
}

// takesOut reports whether something is taken out of a list.
func (m *module) takesOut() bool {
	found := false
	look := func(n *expr.Node) {
		n.Walk(func(n *expr.Node) bool {
			found = found || n.Op == expr.OpRemove
			return !found
		})
	}
	assigned := func(as []*spec.Assign) {
		for _, a := range as {
			look(a.Expr)
		}
	}
	for _, r := range m.t.Rows() {
		for _, c := range slices.Concat(r.When, r.Unless) {
			look(c.Expr)
		}
		assigned(r.Set)
		for _, f := range r.Fire {
			look(f.On)
			found = found || m.remembers(f) == removes
		}
		for _, em := range r.Emit {
			look(em.In)
			for _, a := range em.Args {
				look(a)
			}
		}
	}
	for _, f := range m.t.Follows {
		assigned(f.Set)
	}
	for _, a := range m.t.Assumptions {
		look(a.Only)
	}
	for _, p := range m.t.Properties {
		look(p.Holds)
		look(p.From)
		look(p.To)
		for _, c := range p.Clauses {
			look(c.Holds)
		}
	}
	return found
}

// bounded returns that the lists among the variables are within their bounds.
func (m *module) bounded() []doc {
	var out []doc
	for _, v := range m.vars {
		if v.sym == nil || v.sym.Type == nil || v.sym.Type.Kind != expr.List {
			continue
		}
		most := m.here().expr(v.sym.Type.Bound)
		d := binary(relation, "<=", call("Len", text(v.at(m.p, false))), most)
		if v.indexed {
			d = quantified(`\A`, []string{m.bound(m.p)}, d)
		}
		out = append(out, d)
	}
	return out
}

// list prints an operation on lists, and reports whether n is one.
func (s scope) list(n *expr.Node) (doc, bool) {
	of := func(i int) bool { return n.Args[i].Type.Kind == expr.List }
	arg := func(i int) doc { return s.expr(n.Args[i]) }
	switch {
	case n.Op == expr.OpEmpty && n.Type.Kind == expr.List:
		return text("<<>>"), true
	case n.Op == expr.OpHead:
		return call("Head", arg(0)), true
	case n.Op == expr.OpTail:
		return call("Tail", arg(0)), true
	case n.Op == expr.OpAppend:
		return call("Append", arg(0), arg(1)), true
	case n.Op == expr.OpRemove:
		return call(withoutFirst, arg(0), arg(1)), true
	case n.Op == expr.OpSize && of(0):
		return call("Len", arg(0)), true
	case n.Op == expr.OpNoElem && of(0):
		return binary(relation, "=", arg(0), text("<<>>")), true
	case n.Op == expr.OpIn && of(1):
		return binary(relation, `\in`, arg(0), call(elements, arg(1))), true
	}
	return doc{}, false
}

// set prints what a quantifier ranges over.
func (s scope) set(n *expr.Node) doc {
	if n.Type.Kind == expr.List {
		return call(elements, s.expr(n))
	}
	return s.expr(n)
}

// field prints a part's field.
func (s scope) field(n *expr.Node) doc {
	all := s.m.variable(n.Sym.Part).at(s.p, n.New)
	return text(all + "[" + s.expr(n.Args[0]).flat() + "]." + n.Sym.Name)
}

// fieldValues prints the set of what a field holds in any part.
func (s scope) fieldValues(n *expr.Node) doc {
	key := n.Sym.Part.Type
	name := s.m.local(names.Local(key.Name), s.taken...)
	all := s.m.variable(n.Sym.Part).at(s.p, n.New)
	set := text("{" + all + "[" + name + "]." + n.Sym.Name + " : " + name + ` \in ` + names.Exported(key.Name) + "}")
	if n.Sym.Type.Kind != expr.Optional {
		return set
	}
	return binary(setOp, `\`, set, text("{None}"))
}
