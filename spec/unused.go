package spec

import (
	"slices"

	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// unused finds what is declared and of no use. A variable that is only ever set
// is of no use either.
func (b *builder) unused() {
	u := &usage{read: map[*expr.Symbol]bool{}, types: map[*expr.Type]bool{}}
	for _, x := range b.t.expressions() {
		u.of = x.of
		x.node.Walk(u.note)
	}
	tell := func(pos diag.Pos, name, format string, args ...any) {
		b.t.Warnings.Add(diag.UnusedName, pos, format, args...).Width = len(name)
	}
	for _, a := range b.t.Answers {
		if !b.used[a.Code] {
			tell(a.Pos, a.Code, "no row answers %s", a.Code)
		}
	}
	for _, t := range b.t.Types {
		if !b.named[t] && !u.types[t] {
			tell(t.Pos, t.Name, "nothing is of the type %s", t.Name)
		}
	}
	symbols := func(syms []*expr.Symbol, format string) {
		for _, s := range syms {
			if !b.named[s] && !u.read[s] {
				tell(s.Pos, s.Name, format, s.Name)
			}
		}
	}
	symbols(b.t.Params, "nothing reads the constant %s")
	symbols(b.t.Groups, "nothing names the group %s")
	symbols(b.t.Defs, "nothing uses the definition %s")
	for _, vars := range [][]*Var{b.t.Vars, b.t.Shared, b.t.Ghosts} {
		for _, v := range vars {
			if !b.remembered(v.Sym) {
				symbols([]*expr.Symbol{v.Sym}, "nothing reads %s")
			}
		}
	}
	for _, p := range b.t.Parts {
		symbols(p.Groups, "nothing names the group %s")
		for _, v := range p.Vars {
			symbols([]*expr.Symbol{v.Sym}, "nothing reads %s of "+p.Name)
		}
	}
	for _, e := range slices.Concat(b.t.Events, b.t.World) {
		for _, a := range e.Args {
			if a.Sym.Type.Else == "" && a != e.Subject() && !u.read[a.Sym] {
				tell(a.Sym.Pos, a.Sym.Name, "nothing reads the argument %s of %s", a.Sym.Name, e.Name)
			}
		}
	}
	b.unusedActs(tell)
}

// unusedActs finds effects, moves and sub-tables that no row does.
func (b *builder) unusedActs(tell func(pos diag.Pos, name, format string, args ...any)) {
	rows := b.t.Rows()
	for _, e := range b.t.Effects {
		emits := func(r *Row) bool {
			return slices.ContainsFunc(r.Emit, func(em *Emit) bool { return em.Effect == e })
		}
		if !slices.ContainsFunc(rows, emits) {
			tell(e.Pos, e.Name, "no row emits %s", e.Name)
		}
	}
	for _, p := range b.t.Parts {
		for _, m := range p.Moves {
			fires := func(r *Row) bool {
				return slices.ContainsFunc(r.Fire, func(f *Fire) bool { return f.Move == m })
			}
			if !slices.ContainsFunc(rows, fires) {
				tell(m.Pos, m.Name, "no row fires %s of %s", m.Name, p.Name)
			}
		}
	}
	for _, s := range b.t.Tables {
		if !slices.ContainsFunc(rows, func(r *Row) bool { return r.Then == s }) {
			tell(s.Pos, s.Name, "no row goes on with %s", s.Name)
		}
	}
}

// usage is what expressions read.
type usage struct {
	read  map[*expr.Symbol]bool
	types map[*expr.Type]bool
	of    *expr.Symbol // what the expression sets: a ghost that only says how it grows says nothing
}

func (u *usage) note(n *expr.Node) bool {
	if n.Sym != nil && (n.Sym != u.of || n.Sym.Kind != expr.SymGhost) {
		u.read[n.Sym] = true
	}
	switch n.Op {
	case expr.OpValue:
		u.types[n.Type] = true
	case expr.OpType:
		u.types[n.Type.Elem] = true
	}
	return true
}

// use is an expression of a table.
type use struct {
	node *expr.Node   // may be nil
	of   *expr.Symbol // what it sets; nil: nothing
}

// expressions returns all that the table computes or asks: values at the start,
// definitions, rows, the world, and properties.
func (t *Table) expressions() []use {
	var out []use
	add := func(ns ...*expr.Node) {
		for _, n := range ns {
			out = append(out, use{node: n})
		}
	}
	set := func(as []*Assign) {
		for _, a := range as {
			add(a.Key)
			out = append(out, use{a.Expr, a.Var})
		}
	}
	vars := slices.Concat(t.Vars, t.Shared, t.Ghosts)
	for _, p := range t.Parts {
		vars = append(vars, p.Vars...)
		for _, m := range p.Moves {
			set(m.Set)
		}
	}
	for _, v := range vars {
		add(v.Init)
	}
	for _, d := range t.Defs {
		add(d.Body)
	}
	for _, e := range slices.Concat(t.Events, t.World) {
		add(e.Can)
	}
	for _, r := range t.Rows() {
		for _, c := range slices.Concat(r.When, r.Unless) {
			add(c.Expr)
		}
		set(r.Set)
		for _, f := range r.Fire {
			add(f.On)
		}
		for _, em := range r.Emit {
			add(em.In)
			add(em.Args...)
		}
	}
	for _, f := range t.Follows {
		set(f.Set)
	}
	for _, a := range t.Assumptions {
		add(a.Only)
	}
	for _, p := range t.Properties {
		add(p.Holds, p.From, p.To)
		for _, c := range p.Clauses {
			add(c.Holds)
		}
	}
	return out
}
