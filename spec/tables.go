package spec

import (
	"slices"

	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// tables declares the sub-tables, so that rows can name them.
func (b *builder) tables(n *node) {
	for _, e := range b.mapping(n) {
		b.names.declare(e.key, "sub-table", onTop)
		b.mapping(e.value, "doc", "rows")
		b.t.Tables = append(b.t.Tables, &SubTable{
			Name: e.key.text, Doc: b.sentence(e.value.get("doc")), Index: len(b.t.Tables), Pos: e.key.pos,
		})
	}
}

// subTable reads which table a row goes on with.
func (b *builder) subTable(n *node) *SubTable {
	var known []string
	for _, s := range b.t.Tables {
		if s.Name == b.text(n) {
			return s
		}
		known = append(known, s.Name)
	}
	b.unknown(diag.UnknownName, n, known, "there is no sub-table %s", n.text)
	return nil
}

// subRows reads the rows of the sub-tables, which are counted after those of
// events, and holds them against the rows that go on with them.
func (b *builder) subRows(n *node) {
	index := 0
	for _, r := range b.t.Rows() {
		index = max(index, r.Index+1)
	}
	for _, s := range b.t.Tables {
		for _, e := range b.mapping(b.need(n.get(s.Name), "rows", "a sub-table")) {
			if r := b.subRow(s, e, &index); r != nil {
				s.Rows = append(s.Rows, r)
			}
		}
		if len(s.Rows) == 0 {
			b.diags.Add(diag.MissingKey, s.Pos, "the sub-table %s has no rows", s.Name).Width = len(s.Name)
		}
		b.sameRows(s.Rows)
		for _, e := range b.t.Events {
			for _, r := range e.Rows {
				if r.Then == s {
					b.compose(r, s)
				}
			}
		}
	}
}

func (b *builder) subRow(s *SubTable, e entry, index *int) *Row {
	checkName(e.key, "row", b.diags)
	r := &Row{ID: e.key.text, Table: s, Index: *index, Pos: e.key.pos}
	*index++
	b.mapping(e.value, "from", "when", "unless", "why", "never", "to", "fire", "forget", "set", "emit")
	b.from(r, e.value.get("from"))
	r.When = b.conditions(e.value.get("when"), b.guards)
	r.Unless = b.conditions(e.value.get("unless"), b.guards)
	r.Why = b.sentence(e.value.get("why"))
	b.outcome(r, e.value, b.guards)
	return r
}

// compose demands that no row of s reads or sets what r sets: their order then
// doesn't matter, but for the parts' moves.
func (b *builder) compose(r *Row, s *SubTable) {
	sets := b.sets(r)
	for _, sub := range s.Rows {
		for _, own := range b.sets(sub) {
			if slices.Contains(sets, own) && own.Kind != expr.SymField && !b.remembered(own) {
				b.diags.Add(diag.TwoUpdates, sub.Pos, "%s sets %s, and so does %s before it", sub.Name(), own.Name, r.Name()).Also(r.Pos, "%s", r.Name()).Width = len(sub.ID)
			}
		}
		for _, read := range b.readBy(sub) {
			if slices.Contains(sets, read) {
				b.diags.Add(diag.StaleRead, sub.Pos, "%s reads %s, which %s has just set: it would see the value before", sub.Name(), read.Name, r.Name()).
					Also(r.Pos, "%s", r.Name()).Width = len(sub.ID)
			}
		}
	}
}

// remembered reports whether s is the list of parts that ended, which both
// rows may lengthen.
func (b *builder) remembered(s *expr.Symbol) bool {
	return slices.ContainsFunc(b.t.Parts, func(p *Part) bool { return p.Memory != nil && p.Memory.List.Sym == s })
}

// sets returns what a row may change: variables, the control state, and parts'
// fields by whichever key.
func (b *builder) sets(r *Row) []*expr.Symbol {
	var out []*expr.Symbol
	if r.To != nil {
		out = append(out, b.t.State)
	}
	for _, a := range r.Set {
		out = append(out, a.Var)
	}
	for _, f := range r.Fire {
		if f.To != nil {
			out = append(out, f.Move.Part.State)
		}
		for _, a := range f.Move.Set {
			out = append(out, a.Var)
		}
		if m := f.Move.Part.Memory; m != nil && f.To != nil && slices.Contains(m.States, f.To.Index) {
			out = append(out, m.List.Sym)
		}
	}
	return out
}

// readBy returns what a row's conditions and results read of the state.
func (b *builder) readBy(r *Row) []*expr.Symbol {
	var nodes []*expr.Node
	for _, c := range slices.Concat(r.When, r.Unless) {
		nodes = append(nodes, c.Expr)
	}
	for _, x := range r.results() {
		nodes = append(nodes, x.Node)
	}
	var out []*expr.Symbol
	if r.From != nil {
		out = append(out, b.t.State)
	}
	for _, n := range nodes {
		for _, s := range n.Reads(expr.SymState, expr.SymVar, expr.SymShared, expr.SymField) {
			if !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}
