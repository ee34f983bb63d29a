package diff

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// plan is a pair of models to walk.
type plan struct {
	name     string
	old, new *spec.Model
}

// walks looks for commands that are answered differently: in the world of each
// model if both tables have the same one, and, where cells that are written
// otherwise stay unseen, without a world.
func (c *comparer) walks(ctx context.Context) error {
	if !c.mayDiffer() {
		c.r.Graph = "equal, names apart: the same states and steps"
		if !c.sameWorld() {
			c.r.Graph = "the machines are equal, names apart; what the model's world does isn't"
		}
		return nil
	}
	if c.sameWorld() {
		if err := c.walkAll(ctx, false); err != nil {
			return err
		}
	}
	if len(c.r.Explored) == 0 || slices.ContainsFunc(c.places, func(p string) bool { return !c.shown[p] && !c.agree[p] && !c.written[p].Never }) {
		if err := c.walkAll(ctx, true); err != nil {
			return err
		}
	}
	if len(c.r.Decisions) == 0 && len(c.r.Explored) > 0 && !c.partial && c.unrun == nil {
		c.r.Graph = "no command of any model is answered otherwise"
	}
	return nil
}

// mayDiffer reports whether the two machines are not plainly the same.
func (c *comparer) mayDiffer() bool {
	if len(c.places) > 0 || len(c.r.Orders) > 0 {
		return true
	}
	kinds := []string{"state", "event", "argument", "check", "row", "variable", "shared variable", "part", "part state", "part variable", "move", "table", "effect", "constant", "value", "type"}
	for _, list := range [][]Item{c.r.Added, c.r.Removed} {
		if slices.ContainsFunc(list, func(it Item) bool { return slices.Contains(kinds, it.Kind) }) {
			return true
		}
	}
	return len(c.r.Declared)+len(c.r.Rows) > 0
}

// sameWorld reports whether both tables have the same world, so that it can be
// walked in lockstep too.
func (c *comparer) sameWorld() bool {
	if len(c.r.Environment) > 0 {
		return false
	}
	for _, list := range [][]Item{c.r.Added, c.r.Removed} {
		if slices.ContainsFunc(list, func(it Item) bool {
			return it.Kind == "ghost" || it.Kind == "world event" || it.Kind == "assumption"
		}) {
			return false
		}
	}
	return true
}

func (c *comparer) walkAll(ctx context.Context, anything bool) error {
	done := map[string]bool{}
	for _, p := range c.plans(anything) {
		key := c.modelKey(p.new)
		if done[key] {
			continue
		}
		done[key] = true
		if err := c.walk(ctx, p, anything); err != nil {
			return err
		}
	}
	return nil
}

func (c *comparer) modelKey(m *spec.Model) string {
	var b strings.Builder
	fmt.Fprint(&b, m.Instances, m.Params, m.Alone)
	for _, t := range c.new.t.Types {
		fmt.Fprint(&b, " ", m.Sizes[t])
	}
	for _, a := range m.Assume {
		fmt.Fprint(&b, " ", a.Name)
	}
	return b.String()
}

// plans returns the models of the new table, then those of the old one, each
// for both tables.
func (c *comparer) plans(anything bool) []plan {
	var out []plan
	for _, m := range c.new.t.Models {
		out = append(out, plan{m.Name, c.modelFor(m, c.new, c.old, c.toOld, anything), c.copyModel(m, anything)})
	}
	for _, m := range c.old.t.Models {
		out = append(out, plan{m.Name + " of the old table", c.copyModel(m, anything), c.modelFor(m, c.old, c.new, c.toNew, anything)})
	}
	return out
}

func (c *comparer) copyModel(m *spec.Model, anything bool) *spec.Model {
	out := *m
	if anything {
		out.Alone, out.Assume = true, nil
	}
	return &out
}

// modelFor returns m, a model of from, for the other table. What the other one
// gives sizes to and this one doesn't has the sizes of its own first model.
func (c *comparer) modelFor(m *spec.Model, from, to *facts, other map[*entity]*entity, anything bool) *spec.Model {
	out := &spec.Model{Name: m.Name, Instances: m.Instances, Sizes: map[*expr.Type]int{}, Params: make([]int, len(to.t.Params)), Alone: m.Alone || anything}
	if len(to.t.Models) > 0 {
		own := to.t.Models[0]
		for t, n := range own.Sizes {
			out.Sizes[t] = n
		}
		copy(out.Params, own.Params)
	}
	for _, t := range to.t.Types {
		if (t.Kind == expr.Identity || t.Kind == expr.Serial) && out.Sizes[t] == 0 {
			out.Sizes[t] = 2
		}
	}
	for _, t := range from.t.Types {
		if o := other[from.by[t]]; o != nil {
			if x, ok := o.obj.(*expr.Type); ok && m.Sizes[t] > 0 {
				out.Sizes[x] = m.Sizes[t]
			}
		}
	}
	for i, p := range from.t.Params {
		if o := other[from.by[p]]; o != nil {
			out.Params[o.at] = m.Params[i]
		}
	}
	if !anything {
		for _, a := range m.Assume {
			if o := other[from.by[a]]; o != nil {
				out.Assume = append(out.Assume, o.obj.(*spec.Assumption))
			}
		}
	}
	return out
}

// walk walks one pair of models. A machine that can't be run at these sizes, or
// whose steps can't be told somewhere, is noted: then not all was seen. The
// error is ctx's.
func (c *comparer) walk(ctx context.Context, p plan, anything bool) error {
	c.o.Notice("walking " + p.name)
	old, err := interp.New(c.old.t, p.old)
	if err != nil {
		c.cannot("the old table in model %s: %v", p.name, err)
		return nil
	}
	fresh, err := interp.New(c.new.t, p.new)
	if err != nil {
		c.cannot("the new table in model %s: %v", p.name, err)
		return nil
	}
	l := newLockstep(c.matching, old, fresh, c.o.MaxPairs)
	alone := p.new.Alone
	name := p.name
	if anything {
		name += ", callers saying anything"
	}
	l.found = func(at int, s *sighting) { c.sight(l, at, s, name, alone) }
	l.agreed = func(at int, a, b *interp.Step) { c.agreed(l, at, a, b) }
	complete, err := l.run(ctx)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		c.cannot("model %s: %v", p.name, err)
	default:
		c.partial = c.partial || !complete
	}
	c.r.Explored = append(c.r.Explored, Walk{Model: p.name, Anything: anything, Pairs: len(l.pairs), Complete: complete})
	return nil
}

// cannot notes that something couldn't be run.
func (c *comparer) cannot(format string, args ...any) {
	c.unrun = appendOnce(c.unrun, fmt.Sprintf(format, args...))
}

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
	u := c.written[place]
	if u == nil {
		return
	}
	if len(u.Before)+len(u.After) == 0 || slices.Contains(u.Before, a.Name()) || slices.Contains(u.After, b.Name()) {
		c.agree[place] = true
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
	if alone && (claimed(a) || claimed(b)) {
		return // the world may be what keeps it from occurring
	}
	place, state, part := c.placeAt(l, at, s.new)
	if b.Then != nil {
		c.shown[placeOf(c.new, c.tokenNew(), nil, b.Then.Table, state, nil)] = true
	}
	key := strings.Join([]string{place, a.Decision(), b.Decision()}, "\n")
	c.shown[place] = true
	known, seen := c.seen[key]
	if seen && len(c.r.Decisions[known].Way) <= l.pairs[at].steps+1 {
		return
	}
	d := Decision{Event: b.Event.Event.Name, State: state.Name, What: s.what, In: model}
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
	if what == effects {
		for _, e := range label.Effects {
			a.Does = append(a.Does, interp.FormatEffect(e))
		}
		if len(label.Effects) == 0 {
			a.Does = append(a.Does, "no effects")
		}
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
