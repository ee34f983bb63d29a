package spec

import (
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// Cell is an event, or a sub-table, in a control state, with the decisions
// that some values of what it reads lead to, in the order of the table. An
// event with a subject has a cell for each state of that too; where the subject
// is fresh, for its first state alone: no other occurs.
type Cell struct {
	Event *Event
	Table *SubTable // nil: a cell of Event
	State *State
	Part  *State // the subject's state; nil: there is no subject
	Rows  []*Row
}

// maxCell bounds how many values are tried to decide one event or sub-table.
const maxCell = 1 << 20

// cells decides every cell: for all values of what an event reads exactly one
// check or row applies, and everything that the row computes is defined. Of
// identities as many values are tried as the event mentions and one more, which
// is enough, since only equality and order are ever asked for.
func (b *builder) cells() {
	for _, e := range b.t.Events {
		b.decideAll(newDecider(b, e.Name, e.Pos, e.Checks, e.Rows), e)
	}
	for _, s := range b.t.Tables {
		b.decideAll(newDecider(b, s.Name, s.Pos, nil, s.Rows), nil)
	}
}

// decideAll decides the cells of one event, or of a sub-table.
func (b *builder) decideAll(d *decider, e *Event) {
	parts := []*State{nil}
	if e != nil && e.Of != nil {
		parts = e.Of.States
		if e.Args[0].Fresh {
			parts = parts[:1]
		}
		d.subject = e.Args[0].Sym
	}
	if e != nil {
		for _, a := range e.Args {
			if d.origins[a.Sym] = a.Origin; a.Fresh {
				d.fresh = append(d.fresh, a.Sym)
			}
		}
	}
	for _, s := range b.t.States {
		for _, p := range parts {
			if !d.tooMany {
				b.t.Cells = append(b.t.Cells, d.cell(s, p, e))
			}
		}
	}
	for _, r := range slices.Concat(d.checks, d.rows) {
		switch {
		case len(*b.diags) > 0:
		case !d.used[r]:
			b.diags.Add(diag.DeadRow, r.Pos, "%s can never apply", r.Name()).
				WithHint("its conditions contradict each other, or a check before it covers them").Width = len(r.ID)
		default:
			d.shadowed(r, parts)
		}
	}
}

// shadowed tells the conditions of r that are true whatever is tried, given
// those before them in r. One that repeats what a check before r has asked is
// no fault: r then says by itself when it applies.
func (d *decider) shadowed(r *Row, parts []*State) {
	all := slices.Concat(r.When, r.Unless)
	if !slices.ContainsFunc(all, func(c *Cond) bool { return !d.failed[c] }) {
		return
	}
	alone := newDecider(d.b, r.Name(), r.Pos, nil, []*Row{r})
	alone.quiet = true
	alone.subject, alone.fresh, alone.origins, alone.failed = d.subject, d.fresh, d.origins, d.failed
	for _, s := range d.b.t.States {
		for _, p := range parts {
			alone.state, alone.part = s, p
			alone.begin(s, p)
			for ok := true; ok && alone.tries < maxCell; ok = alone.next() {
				alone.tries++
				if _, defined := alone.applies(r); !defined {
					return // a check before r protects it
				}
			}
		}
	}
	for i, c := range all {
		if d.failed[c] || alone.tries >= maxCell {
			continue
		}
		always := "holds"
		if i >= len(r.When) {
			always = "fails"
		}
		d.b.t.Warnings.Add(diag.Shadowed, c.Pos, "%s always %s where %s asks it", brief(c.Src), always, r.Name()).
			Also(r.Pos, "%s", r.Name()).Width = len([]rune(c.Src))
	}
}

// brief shortens an expression that is too long for a sentence.
func brief(src string) string { return shortened(src, 100) }

// shortened cuts a text that has more than so many code points.
func shortened(src string, most int) string {
	if rs := []rune(src); len(rs) > most {
		return string(rs[:most]) + "…"
	}
	return src
}

// decider tries the values of one event or sub-table.
type decider struct {
	*values
	b            *builder
	name         string
	pos          diag.Pos
	checks, rows []*Row
	state, part  *State // of the cell
	used         map[*Row]bool
	failed       map[*Cond]bool // it was asked, and kept its row from applying
	told         map[string]bool
	tries        int
	tooMany      bool
	quiet        bool // what is undefined isn't told
}

func newDecider(b *builder, name string, pos diag.Pos, checks, rows []*Row) *decider {
	d := &decider{b: b, name: name, pos: pos, checks: checks, rows: rows, used: map[*Row]bool{}, failed: map[*Cond]bool{}, told: map[string]bool{}}
	d.values = newValues(b.t, slices.Concat(checks, rows))
	return d
}

// cell tries every value of what is read, in one control state and one state
// of the subject.
func (d *decider) cell(s, part *State, e *Event) *Cell {
	c := &Cell{Event: e, State: s, Part: part}
	if e == nil {
		c.Table = d.rows[0].Table
	}
	d.state, d.part = s, part
	d.begin(s, part)
	seen := map[*Row]bool{}
	for ok := true; ok; ok = ok && d.next() {
		if d.tries++; d.tries%1024 == 0 && d.b.ctx.Err() != nil {
			d.tooMany = true
			break
		}
		if d.tries > maxCell {
			d.tooMany = true
			d.b.diags.Add(diag.TooLarge, d.pos, "%s reads too many values to be decided: more than %d", d.name, maxCell).
				WithHint("smaller ranges, or fewer variables in its conditions").Width = len(d.name)
			break
		}
		r, fine := d.decide()
		if d.cut {
			d.tooMany = true
			d.b.diags.Add(diag.TooLarge, d.pos, "%s reads a list that is too long for all lists to be tried", d.name).
				WithHint("a smaller bound, or a constant for it: then small values of the constant are tried").Width = len(d.name)
			break
		}
		if r != nil {
			seen[r], d.used[r] = true, true
			fine = d.defined(r)
		}
		ok = fine
	}
	for _, r := range slices.Concat(d.checks, d.rows) {
		if seen[r] {
			c.Rows = append(c.Rows, r)
		}
	}
	return c
}

// decide returns the one check or row that applies. It complains once a cell
// of a gap, an overlap or something undefined, and then says to stop.
func (d *decider) decide() (*Row, bool) {
	for _, r := range d.checks {
		applies, ok := d.applies(r)
		switch {
		case !ok:
			return nil, false
		case applies:
			return r, true
		}
	}
	var found *Row
	for _, r := range d.rows {
		applies, ok := d.applies(r)
		switch {
		case !ok:
			return nil, false
		case applies && found != nil:
			d.overlap(found, r)
			return nil, true
		case applies:
			found = r
		}
	}
	if found == nil {
		d.b.diags.Add(diag.Gap, d.pos, "no check or row decides %s when %s", d.name, d.witness()).
			WithHint("add a row for it: a move, stay, refuse, ignore, or never with the reason").Width = len(d.name)
		return nil, false
	}
	return found, true
}

func (d *decider) overlap(a, b *Row) {
	key := a.Name() + " " + b.Name()
	if d.told[key] {
		return
	}
	d.told[key] = true
	d.used[a], d.used[b] = true, true
	d.b.diags.Add(diag.Overlap, b.Pos, "%s and %s both apply when %s", a.Name(), b.Name(), d.witness()).
		WithHint("rows have no order: let one exclude the other").Also(a.Pos, "%s", a.Name()).Width = len(b.ID)
}

// applies reports whether a check's or row's conditions hold; ok is false if
// one is undefined.
func (d *decider) applies(r *Row) (applies, ok bool) {
	if r.From != nil && !slices.Contains(r.From, d.state.Index) || r.PartFrom != nil && !slices.Contains(r.PartFrom, d.part.Index) {
		return false, true
	}
	for i, c := range slices.Concat(r.When, r.Unless) {
		v, undefined := d.env.Eval(c.Expr)
		if undefined != nil {
			d.undefined(r, undefined, c.Src)
			return false, false
		}
		if (v == 1) != (i < len(r.When)) {
			d.failed[c] = true
			return false, true
		}
	}
	return true, true
}

// defined tries everything that a move computes.
func (d *decider) defined(r *Row) bool {
	for _, x := range r.results() {
		if !x.partial() {
			continue
		}
		v, undefined := d.env.Eval(x.Node)
		if undefined == nil && x.to != nil && x.to.Kind == expr.List && !d.fits(x.to, v) {
			undefined = x.Node
		}
		if undefined != nil {
			d.undefined(r, undefined, x.src)
			return false
		}
	}
	return true
}

// partialHints say how to protect an operation that isn't always defined.
var partialHints = map[expr.Op]string{
	expr.OpGet:   "ask hasValue() before, in this condition or an earlier one",
	expr.OpHead:  "ask isEmpty() before, in this condition or an earlier one",
	expr.OpTail:  "ask isEmpty() before, in this condition or an earlier one",
	expr.OpField: "compare it with origin() before: that is the key of no part",
}

func (d *decider) undefined(r *Row, n *expr.Node, src string) {
	key := r.Name() + " " + src
	if d.quiet || d.told[key] {
		return
	}
	d.told[key] = true
	hint := partialHints[n.Op]
	if hint == "" {
		hint = "ask size() before: the list may have as many elements as it can hold already"
	}
	d.b.diags.Add(diag.Undefined, n.Pos, "in %s, %s has no value when %s", r.Name(), brief(src), d.witness()).
		WithHint("%s", hint).Also(r.Pos, "%s", r.Name())
}

// witness says the values that are being tried.
func (d *decider) witness() string {
	parts := []string{"state = " + d.state.Name}
	if d.part != nil {
		parts = append(parts, "it.state = "+d.part.Name)
	}
	return strings.Join(append(parts, d.say()...), ", ")
}

// result is an expression that a move computes.
type result struct {
	*expr.Node
	to  *expr.Type // of what it is assigned to; nil: of nothing
	src string
}

func (r *Row) results() []result {
	var out []result
	for _, f := range r.Fire {
		out = append(out, result{f.On, nil, f.Src})
	}
	for _, a := range r.Set {
		if a.Key != nil {
			out = append(out, result{a.Key, nil, a.Src})
		}
		out = append(out, result{a.Expr, a.Var.Type, a.Src})
	}
	for _, em := range r.Emit {
		if em.Each != nil {
			out = append(out, result{em.In, nil, em.InSrc})
			continue // what each sends is tried by search alone
		}
		for _, x := range em.Args {
			out = append(out, result{x, nil, em.Src})
		}
	}
	return out
}

// partial reports whether r may have no value.
func (r result) partial() bool {
	found := r.to != nil && r.to.Kind == expr.List
	r.Walk(func(n *expr.Node) bool {
		switch n.Op {
		case expr.OpGet, expr.OpHead, expr.OpTail, expr.OpAppend, expr.OpField:
			found = true
		}
		return !found
	})
	return found
}
