package markdown

import (
	"slices"
	"strconv"
	"strings"

	"github.com/interlock-go/interlock/gen/mermaid"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// column is one of a decision table's: states in which all its lines say the
// same.
type column struct {
	name   string
	of     *spec.Part // nil: states of the machine
	states []int
}

// subject returns the parts whose states are an event's columns; nil: the
// machine's are. A fresh part is in its first state always.
func subject(e *spec.Event) *spec.Part {
	if s := e.Subject(); s == nil || s.Fresh {
		return nil
	}
	return e.Of
}

// columns returns those of an event, or of a sub-table, for which e is nil.
// States of a part that make a group and are treated alike share one.
func (p *page) columns(e *spec.Event, rows []*spec.Row) []column {
	var out []column
	if e == nil || subject(e) == nil {
		for _, s := range p.t.States {
			out = append(out, column{name: s.Name, states: []int{s.Index}})
		}
		return out
	}
	of := e.Of
	alike := func(a, b int) bool {
		return !slices.ContainsFunc(rows, func(r *spec.Row) bool { return p.cell(r, of, a) != p.cell(r, of, b) })
	}
	for s := 0; s < len(of.States); s++ {
		c := column{name: of.States[s].Name, of: of, states: []int{s}}
		for _, g := range of.Groups {
			n := len(g.Members)
			if n <= len(c.states) || g.Members[0] != s || g.Members[n-1] != s+n-1 ||
				slices.ContainsFunc(g.Members, func(m int) bool { return !alike(s, m) }) {
				continue
			}
			c.name, c.states = g.Name, g.Members
		}
		s += len(c.states) - 1
		out = append(out, c)
	}
	return out
}

// concerns reports whether r may decide its event where the subject is in
// state s.
func (r *reach) concerns(row *spec.Row, s int) bool {
	return slices.ContainsFunc(r.t.Cells, func(c *spec.Cell) bool {
		return c.Event == row.Event && c.Part != nil && c.Part.Index == s && slices.Contains(c.Rows, row)
	})
}

// subjectTo returns the state that r's subject comes to; nil: it stays.
func subjectTo(r *spec.Row) *spec.State {
	var to *spec.State
	for _, f := range r.Fire {
		if isSubject(r, f.On) && f.To != nil {
			to = f.To
		}
	}
	return to
}

func isSubject(r *spec.Row, n *expr.Node) bool {
	return r.Event != nil && r.Event.Of != nil && n.Op == expr.OpRef && n.Sym == r.Event.Args[0].Sym
}

// fired says what r does to parts; bold what the columns are about.
func fired(r *spec.Row, bold bool) []string {
	var out []string
	last := "" // of the parts in the last item
	for _, f := range r.Fire {
		if f.To == nil {
			out = append(out, prose(f.Move.Name)+" "+fireOn(f))
			last = ""
			continue
		}
		to := "→ " + prose(f.To.Name)
		switch {
		case f.Src == last:
			out[len(out)-1] += " " + to
		case bold && isSubject(r, f.On):
			out = append(out, "**"+to+"**")
			continue
		default:
			out = append(out, fireOn(f)+" "+to)
		}
		last = f.Src
	}
	return out
}

func fireOn(f *spec.Fire) string {
	switch f.On.Type.Kind {
	case expr.List:
		return "each in " + code(f.Src)
	case expr.Optional:
		return code(f.Src) + " (if any)"
	}
	return code(f.Src)
}

// assigned is the left side of an update as the table writes it.
func assigned(a *spec.Assign, e *spec.Event) string {
	switch {
	case a.Key == nil:
		return a.Var.Name
	case a.Key.Op != expr.OpRef:
		return a.Var.Part.Name + "(..)." + a.Var.Name
	case e == nil || e.Of != nil && a.Key.Sym == e.Args[0].Sym:
		return "it." + a.Var.Name
	}
	return a.Var.Part.Name + "(" + a.Key.Sym.Name + ")." + a.Var.Name
}

func linked(t *spec.SubTable) string {
	return "[" + prose(t.Name) + "](#" + anchor("then "+t.Name) + ")"
}

// subTable writes the decisions of one, by the machine's states.
func (p *page) subTable(t *spec.SubTable) {
	p.printf("\n### then %s\n\n", code(t.Name))
	if t.Doc != "" {
		p.printf("%s ", prose(t.Doc))
	}
	p.printf("In the same step.\n\n")
	columns := p.columns(nil, nil)
	p.heads(columns)
	p.lines(columns, t.Rows)
}

// lifecycles draws, for each kind of parts, the ways that its moves go. A way
// is labelled by the events and sub-tables that take it.
func (p *page) lifecycles() {
	for _, o := range p.t.Parts {
		d := &mermaid.StateDiagram{Classes: []mermaid.Class{{Name: "only", Style: "stroke-dasharray:5 4", States: p.reach.partOnly(o, p.reach.param)}}}
		for _, s := range o.States {
			d.States = append(d.States, mermaid.State{Name: s.Name, Initial: s.Index == 0})
		}
		p.reach.partMoves(o, func(r *spec.Row, from, to int) {
			if from != to {
				d.Connect(from, to, p.partWay(o, r, from, to))
			}
		})
		p.printf("\nA part of %s.", code(o.Name))
		if o.Doc != "" {
			p.printf(" %s", sentence(o.Doc))
		}
		if m := o.Memory; m != nil {
			p.printf(" Of those that are %s the last %s are remembered, in %s; the others are as at the start.",
				list(escaped(m.StatesSrc), "or"), code(m.MostSrc), code(m.List.Sym.Name))
		}
		if len(d.Classes[0].States) > 0 {
			p.printf(" Dashed border: reached only with %s.", code(p.reach.param.Name))
		}
		p.draw(d)
	}
}

func by(r *spec.Row) string {
	if r.Table != nil {
		return r.Table.Name
	}
	return r.Event.Name
}

// partWay labels a way of a part: by the event or sub-table that takes it, and
// by its rows where others of the same lead elsewhere from there.
func (p *page) partWay(o *spec.Part, row *spec.Row, from, to int) string {
	split, same := false, []string(nil)
	p.reach.partMoves(o, func(r *spec.Row, f, other int) {
		switch {
		case by(r) != by(row) || f != from || other == from:
		case other != to:
			split = true
		case !slices.Contains(same, r.ID):
			same = append(same, r.ID)
		}
	})
	if !split {
		return by(row)
	}
	return by(row) + " (" + strings.Join(same, ", ") + ")"
}

// ownMoves is moves of the events that aren't about a part.
func (r *reach) ownMoves(f func(row *spec.Row, from, to int)) {
	r.moves(func(row *spec.Row, from, to int) {
		if subject(row.Event) == nil {
			f(row, from, to)
		}
	})
}

// partMoves calls f for each way that a row moves a part of o.
func (r *reach) partMoves(o *spec.Part, f func(row *spec.Row, from, to int)) {
	for _, row := range r.t.Rows() {
		began := map[string]bool{}
		for _, fi := range row.Fire {
			if fi.Move.Part != o || fi.To == nil {
				continue
			}
			for _, from := range fi.Move.From {
				if isSubject(row, fi.On) && !began[fi.Src] && subject(row.Event) != nil && !r.concerns(row, from) {
					continue
				}
				f(row, from, fi.To.Index)
			}
			began[fi.Src] = true
		}
	}
}

// partOnly returns the states of a part that only events lead to which need
// the bool parameter.
func (r *reach) partOnly(o *spec.Part, param *expr.Symbol) []int {
	if param == nil {
		return nil
	}
	with, without := map[int]bool{}, map[int]bool{}
	r.partMoves(o, func(row *spec.Row, _, to int) {
		with[to] = true
		without[to] = without[to] || row.Event == nil || !r.needs(row, -1, param)
	})
	var only []int
	for _, s := range o.States {
		if with[s.Index] && !without[s.Index] {
			only = append(only, s.Index)
		}
	}
	return only
}

// parts lists what a part holds, and its moves.
func (p *page) parts() {
	for _, o := range p.t.Parts {
		p.printf("\nOf each part of %s, by %s:\n\n", code(o.Name), prose(o.Key.Name))
		p.header("name", "type", "meaning")
		for _, v := range o.Vars {
			typ := code(typeName(v.Sym.Type))
			if v.Sym.Unique {
				typ += ", no two have the same"
			}
			p.row(code("it."+v.Sym.Name), typ, prose(v.Sym.Doc))
		}
		p.printf("\n")
		p.header("move", "from", "to", "with", "meaning")
		for _, m := range o.Moves {
			p.row(code(m.Name), list(escaped(m.FromSrc), "or"), list(escaped(m.ToSrc), "or"), strings.Join(updates(m.Set, nil), ", "), prose(m.Doc))
		}
	}
}

// typeName is a type as the table writes it, a list's bound included.
func typeName(t *expr.Type) string {
	if t.Kind != expr.List {
		return t.String()
	}
	if t.Bound.Op == expr.OpRef {
		return t.String() + " max " + t.Bound.Sym.Name
	}
	return t.String() + " max " + strconv.Itoa(t.Bound.Int)
}
