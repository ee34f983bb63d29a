package diff

import (
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec"
)

// cell is one cell on one side, in the old table's words.
type cell struct {
	*spec.Cell
	text string
}

// cellsOf returns the cells of a table by their place, and the places in order.
func cellsOf(f *facts, token func(any) string) (map[string]cell, []string) {
	out := map[string]cell{}
	var order []string
	for _, c := range f.t.Cells {
		place := placeOf(f, token, c.Event, c.Table, c.State, c.Part)
		var lines []string
		for _, r := range c.Rows {
			lines = append(lines, rowText(f, token, r, c.State, c.Part))
		}
		out[place] = cell{c, cellText(c, lines)}
		order = append(order, place)
	}
	return out, order
}

// cellText keeps the order of checks, and no other.
func cellText(c *spec.Cell, lines []string) string {
	n := 0
	for n < len(c.Rows) && c.Rows[n].Check {
		n++
	}
	rows := slices.Clone(lines[n:])
	slices.Sort(rows)
	return strings.Join(append(slices.Clone(lines[:n]), rows...), "\n")
}

func placeOf(f *facts, token func(any) string, e *spec.Event, t *spec.SubTable, s, part *spec.State) string {
	place := ""
	if t != nil {
		place = token(t)
	} else {
		place = token(e)
	}
	place += " in " + token(s)
	if part != nil {
		place += ", " + token(part)
	}
	return place
}

// rowText is what a row does in one cell: all but where it applies.
func rowText(f *facts, token func(any) string, r *spec.Row, s, part *spec.State) string {
	e := f.by[r]
	var lines []string
	for i := range e.pieces {
		p := &e.pieces[i]
		switch {
		case p.aspect != decision || strings.HasPrefix(p.label, "from"):
			continue
		case p.label == "to" && r.To == s:
			continue // it stays
		case p.label == "when" || p.label == "unless":
			lines = append(lines, "if "+p.string(token))
			continue
		}
		lines = append(lines, p.label0()+p.string(token))
	}
	for _, x := range r.Fire { // what a move does is part of what the row does
		m := f.by[x.Move]
		for i := range m.pieces {
			p := &m.pieces[i]
			lines = append(lines, "move "+token(x.Move)+" "+p.label0()+p.string(token))
		}
	}
	slices.Sort(lines)
	check := ""
	if r.Check {
		check = "check "
	}
	return check + strings.Join(slices.Compact(lines), " ")
}

// paper lists the cells that are written otherwise on both sides.
func (c *comparer) paper() {
	old, _ := cellsOf(c.old, c.tokenOld())
	token := c.tokenNew()
	fresh, order := cellsOf(c.new, token)
	c.written, c.touched = map[string]*Unseen{}, map[any]bool{}
	for _, place := range order {
		b := fresh[place]
		a, ok := old[place]
		if !ok || a.text == b.text {
			continue
		}
		u := &Unseen{State: b.State.Name}
		if b.Event != nil {
			u.Event = b.Event.Name
		} else {
			u.Event = b.Table.Name
		}
		u.Part = partOf(b.Event, b.Part)
		c.onlyIn(u, a, b)
		c.written[place] = u
		if b.Event != nil {
			c.touched[b.Event] = true
		} else {
			c.touched[b.Table] = true
		}
		c.places = append(c.places, place)
	}
}

// onlyIn notes the rows of two cells that the other doesn't have alike, and
// whether each of them on one side claims that it doesn't occur.
func (c *comparer) onlyIn(u *Unseen, a, b cell) {
	tokenOld, tokenNew := c.tokenOld(), c.tokenNew()
	was := func(r *spec.Row) string { return rowText(c.old, tokenOld, r, a.State, a.Part) }
	is := func(r *spec.Row) string { return rowText(c.new, tokenNew, r, b.State, b.Part) }
	old, fresh := map[string]bool{}, map[string]bool{}
	for _, r := range a.Rows {
		old[was(r)] = true
	}
	for _, r := range b.Rows {
		fresh[is(r)] = true
	}
	var gone, come bool
	u.Before, u.Was, gone = rest(a, was, fresh)
	u.After, u.Is, come = rest(b, is, old)
	u.Never = gone || come
}

// rest returns the rows of a cell that aren't in the other one.
func rest(x cell, text func(*spec.Row) string, other map[string]bool) (names []string, does []Answer, never bool) {
	never = true
	for _, r := range x.Rows {
		if other[text(r)] {
			continue
		}
		names = append(names, r.Name())
		does = append(does, onPaper(r, x.State))
		never = never && r.Outcome == spec.Never
	}
	return names, does, never && len(names) > 0
}

// onPaper says what a row does in a state, as it is written.
func onPaper(r *spec.Row, s *spec.State) Answer {
	a := Answer{Row: r.Name(), Outcome: r.Outcome.String(), Code: r.Code, Claim: r.Claim, When: conditions(r)}
	if r.Outcome == spec.Move {
		a.To = s.Name
		if r.To != nil {
			a.To = r.To.Name
		}
	}
	for _, x := range r.Set {
		a.Does = append(a.Does, x.Var.Name+": "+x.Src)
	}
	for _, x := range r.Fire {
		a.Does = append(a.Does, x.Move.Name+": "+x.Src)
	}
	for _, x := range r.Emit {
		a.Does = append(a.Does, x.Src)
	}
	if r.Then != nil {
		a.Does = append(a.Does, "then "+r.Then.Name)
	}
	return a
}

// edges compares the ways between control states, and the moves of parts.
func (c *comparer) edges() {
	type key struct{ of, from, to, event string }
	list := func(f *facts, token func(any) string) (map[key]Edge, []key) {
		out := map[key]Edge{}
		var keys []key
		add := func(k key, e Edge) {
			if _, ok := out[k]; !ok {
				keys = append(keys, k)
			}
			out[k] = e
		}
		for _, cell := range f.t.Cells {
			for _, r := range cell.Rows {
				if r.Outcome != spec.Move || r.To == nil || r.To == cell.State {
					continue
				}
				name, by := "", any(cell.Table)
				if cell.Event != nil {
					name, by = cell.Event.Name, cell.Event
				} else {
					name = cell.Table.Name
				}
				add(key{"", token(cell.State), token(r.To), token(by)}, Edge{From: cell.State.Name, To: r.To.Name, Event: name})
			}
		}
		for _, p := range f.t.Parts {
			for _, m := range p.Moves {
				for _, from := range m.From {
					for _, to := range m.To {
						add(key{token(p), token(p.States[from]), token(p.States[to]), token(m)},
							Edge{Of: p.Name, From: p.States[from].Name, To: p.States[to].Name, Event: m.Name})
					}
				}
			}
		}
		return out, keys
	}
	old, oldKeys := list(c.old, c.tokenOld())
	fresh, newKeys := list(c.new, c.tokenNew())
	for _, k := range newKeys {
		if _, ok := old[k]; !ok {
			c.r.Gained = append(c.r.Gained, fresh[k])
		} else {
			c.r.kept = append(c.r.kept, fresh[k])
		}
	}
	for _, k := range oldKeys {
		if _, ok := fresh[k]; !ok {
			c.r.Lost = append(c.r.Lost, old[k])
		}
	}
}

// orders finds events whose checks, as far as both sides have them, are tried
// in another order.
func (c *comparer) orders() {
	for _, e := range c.new.t.Events {
		o := c.toOld[c.new.by[e]]
		if o == nil {
			continue
		}
		var was, is []string // in the new table's words
		for _, r := range o.obj.(*spec.Event).Checks {
			if n := c.toNew[c.old.by[r]]; n != nil && n.kind == "check" {
				was = append(was, n.name)
			}
		}
		for _, r := range e.Checks {
			if x := c.toOld[c.new.by[r]]; x != nil && x.kind == "check" {
				is = append(is, r.ID)
			}
		}
		if slices.Equal(was, is) {
			continue
		}
		ord := Order{Event: e.Name, Before: was, After: is}
		for i := range was {
			if i < len(is) && was[i] != is[i] {
				ord.Moved = append(ord.Moved, is[i])
			}
		}
		c.r.Orders = append(c.r.Orders, ord)
	}
}
