package diff

import (
	"slices"
	"strings"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
)

// agreed notes that rows which are written otherwise decided alike.
func (c *comparer) agreed(l *lockstep, at int, a, b *interp.Step) {
	then := b.Label.Then
	if !c.touched[b.Label.Event.Event] && (then == nil || !c.touched[then.Table]) {
		return
	}
	place, state, _ := c.placeAt(l, at, b)
	c.agreedBy(place, a.Label.Row, b.Label.Row)
	if then != nil && a.Label.Then != nil {
		c.agreedBy(placeOf(c.new, c.tokenNew(), nil, then.Table, state, nil), a.Label.Then, then)
	}
}

// agreedBy notes that two rows decided alike in a cell, if they are what is
// written otherwise there.
func (c *comparer) agreedBy(place string, a, b *spec.Row) {
	c.meet(place, a, b)
	u := c.written[place]
	if u == nil {
		return
	}
	if len(u.Before)+len(u.After) == 0 || slices.Contains(u.Before, a.Name()) || slices.Contains(u.After, b.Name()) {
		c.agree[place] = true
	}
}

// aside notes that a row which is written otherwise decided where the other table
// can't be.
func (c *comparer) aside(l *lockstep, side, at int, st *interp.Step) {
	f, token := c.old, c.tokenOld()
	if side == 1 {
		f, token = c.new, c.tokenNew()
	}
	state, part := l.control(side, l.pairs[at].state[side], &st.Label.Event)
	note := func(place string, r *spec.Row) {
		if u := c.written[place]; u != nil && slices.Contains([][]string{u.Before, u.After}[side], r.Name()) {
			u.Aside = true
		}
	}
	note(placeOf(f, token, st.Label.Event.Event, nil, state, part), st.Label.Row)
	if then := st.Label.Then; then != nil {
		note(placeOf(f, token, nil, then.Table, state, nil), then)
	}
}

// placeAt returns the cell of the new table that decides a step from a pair.
func (c *comparer) placeAt(l *lockstep, at int, b *interp.Step) (string, *spec.State, *spec.State) {
	state, part := l.control(1, l.pairs[at].state[1], &b.Label.Event)
	token := c.tokenNew()
	return placeOf(c.new, token, b.Label.Event.Event, nil, state, part), state, part
}

// sight files a difference, unless it was seen on a way as short.
func (c *comparer) sight(l *lockstep, at int, s *sighting, model string, alone bool) {
	a, b := &s.old.Label, &s.new.Label
	p := &l.pairs[at]
	if (alone || p.after != afterBoth) && (claimed(a) || claimed(b)) {
		return // the world, or the other machine, may be what keeps it from occurring
	}
	place, state, part := c.placeAt(l, at, s.new)
	if b.Then != nil {
		then := placeOf(c.new, c.tokenNew(), nil, b.Then.Table, state, nil)
		c.shown[then] = true
		if a.Then != nil {
			c.meet(then, a.Then, b.Then)
		}
	}
	c.meet(place, a.Row, b.Row)
	key := strings.Join([]string{place, a.Decision(), b.Decision()}, "\n")
	c.shown[place] = true
	known, seen := c.seen[key]
	if seen && !c.r.Decisions[known].simpler(p) {
		return
	}
	d := Decision{Event: b.Event.Event.Name, State: state.Name, What: s.what, In: model, Follows: p.after}
	d.Part = partOf(b.Event.Event, part)
	d.When = conditions(a.Row, b.Row)
	d.Before, d.After = c.answer(l, 0, s.old, s.what), c.answer(l, 1, s.new, s.what)
	d.Way = append(l.way(at), stepOf(l.new, b))
	if seen {
		c.r.Decisions[known] = d
		return
	}
	c.seen[key] = len(c.r.Decisions)
	c.r.Decisions = append(c.r.Decisions, d)
}

// simpler reports whether a pair shows the decision on a simpler way: on one of
// both machines, or a shorter one.
func (d *Decision) simpler(p *pairing) bool {
	if (d.Follows == afterBoth) != (p.after == afterBoth) {
		return p.after == afterBoth
	}
	return p.steps+1 < len(d.Way)
}

// claimed reports whether a row claims that the step doesn't occur.
func claimed(l *interp.Label) bool {
	return l.Row.Outcome == spec.Never || l.Then != nil && l.Then.Outcome == spec.Never
}

// conditions are those of both rows, in words where the table has them.
func conditions(rows ...*spec.Row) []string {
	var out []string
	for _, r := range rows {
		for _, w := range r.When {
			out = appendOnce(out, saysCond(w))
		}
		for _, w := range r.Unless {
			out = appendOnce(out, "unless "+saysCond(w))
		}
	}
	return out
}

func saysCond(c *spec.Cond) string {
	if c.Says != "" {
		return c.Says
	}
	return c.Src
}

// answer says what a step does, and in what it differs.
func (c *comparer) answer(l *lockstep, side int, st *interp.Step, what difference) Answer {
	label := &st.Label
	r := label.Row
	if label.Then != nil && label.Then.Outcome == spec.Never {
		r = label.Then
	}
	a := Answer{Row: label.Decision(), Outcome: r.Outcome.String(), Code: r.Code, Claim: r.Claim}
	if r.Outcome == spec.Move {
		to, part := l.control(side, st.To, &label.Event)
		a.To = to.Name
		if part != nil && what == states {
			a.Does = append(a.Does, "then "+partOf(label.Event.Event, part))
		}
	}
	if what == effects || what == answers {
		for _, e := range label.Effects {
			a.Does = append(a.Does, interp.FormatEffect(e))
		}
	}
	if what == effects && len(label.Effects) == 0 {
		a.Does = append(a.Does, "no effects")
	}
	if what == data {
		a.Does = append(a.Does, updatesOf(label)...)
	}
	return a
}

// partOf says the state of an event's subject: "ticket queued". A fresh one
// is always at its start, so nothing is said of it.
func partOf(e *spec.Event, part *spec.State) string {
	if part == nil || e == nil || e.Of == nil || e.Args[0].Fresh {
		return ""
	}
	key := e.Of.Key.Name
	return strings.ToLower(key[:1]) + key[1:] + " " + part.Name
}

// updatesOf are the updates of the rows that decided a step, as written.
func updatesOf(l *interp.Label) []string {
	var out []string
	for _, r := range []*spec.Row{l.Row, l.Then} {
		if r == nil {
			continue
		}
		for _, s := range r.Set {
			out = append(out, s.Var.Name+": "+s.Src)
		}
	}
	if len(out) == 0 {
		out = append(out, "sets nothing")
	}
	return out
}
