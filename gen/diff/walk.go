package diff

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
)

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

// walkAll walks each pair of models as far as both machines answer alike, then,
// if rows that are written otherwise are still unseen, past the differences.
func (c *comparer) walkAll(ctx context.Context, anything bool) error {
	done := map[string]bool{}
	var walks []*walked
	for _, p := range c.plans(anything) {
		key := c.modelKey(p.new)
		if done[key] {
			continue
		}
		done[key] = true
		w, err := c.walk(ctx, p, anything)
		if err != nil {
			return err
		}
		if w != nil {
			walks = append(walks, w)
		}
	}
	open := c.rowsUnseen()
	for _, w := range walks {
		if err := c.walkOn(ctx, w, open); err != nil {
			return err
		}
	}
	return nil
}

// walked is a pair of models with its walk.
type walked struct {
	*lockstep
	name   string
	report int // its place among those that the report tells
}

// walk walks one pair of models. A machine that can't be run at these sizes, or
// whose steps can't be told somewhere, is noted: then not all was seen, and the
// result is nil. The error is ctx's.
func (c *comparer) walk(ctx context.Context, p plan, anything bool) (*walked, error) {
	c.o.Notice("walking " + p.name)
	old, err := interp.New(c.old.t, p.old)
	if err != nil {
		c.cannot("the old table in model %s: %v", p.name, err)
		return nil, nil
	}
	fresh, err := interp.New(c.new.t, p.new)
	if err != nil {
		c.cannot("the new table in model %s: %v", p.name, err)
		return nil, nil
	}
	l := newLockstep(c.matching, old, fresh, c.o.MaxPairs)
	alone := p.new.Alone
	name := p.name
	if anything {
		name += ", callers saying anything"
	}
	l.found = func(at int, s *sighting) { c.sight(l, at, s, name, alone) }
	l.agreed = func(at int, a, b *interp.Step) { c.agreed(l, at, a, b) }
	l.aside = func(side, at int, st *interp.Step) { c.aside(l, side, at, st) }
	complete, err := l.run(ctx)
	c.r.Explored = append(c.r.Explored, Walk{Model: p.name, Anything: anything, Pairs: len(l.pairs), Complete: complete})
	if err = c.ended(ctx, p.name, complete, err); err != nil || !complete {
		return nil, err
	}
	return &walked{l, p.name, len(c.r.Explored) - 1}, nil
}

// ended notes how a walk ended. The error is ctx's.
func (c *comparer) ended(ctx context.Context, name string, complete bool, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		c.cannot("model %s: %v", name, err)
	default:
		c.partial = c.partial || !complete
	}
	return nil
}

// walkOn walks one pair of models past the differences, with either machine, as
// long as it meets rows in open.
func (c *comparer) walkOn(ctx context.Context, w *walked, open rowsOf) error {
	for side := range 2 {
		c.open = open.clone()
		complete, err := w.beyond(ctx, side, func() bool { return len(c.open) == 0 })
		walk := &c.r.Explored[w.report]
		walk.Pairs, walk.Complete = len(w.pairs), walk.Complete && complete
		if err = c.ended(ctx, w.name, complete, err); err != nil {
			return err
		}
	}
	return nil
}

// rowsOf are rows by the cells in which they decide otherwise than the other
// table.
type rowsOf map[string]map[string]bool

func (r rowsOf) clone() rowsOf {
	out := rowsOf{}
	for place, rows := range r {
		out[place] = maps.Clone(rows)
	}
	return out
}

// rowsUnseen are the rows that are written otherwise, and that no walk has met
// in their cells.
func (c *comparer) rowsUnseen() rowsOf {
	out := rowsOf{}
	for _, place := range c.places {
		u := c.written[place]
		if u.Never || c.shown[place] && len(u.Before)+len(u.After) == 0 {
			continue
		}
		rows := map[string]bool{}
		for _, name := range slices.Concat(u.Before, u.After) {
			if !c.met[place+"\n"+name] {
				rows[name] = true
			}
		}
		if len(rows) > 0 || len(u.Before)+len(u.After) == 0 {
			out[place] = rows
		}
	}
	return out
}

// meet notes that two rows were seen to decide in a cell.
func (c *comparer) meet(place string, a, b *spec.Row) {
	if c.written[place] == nil {
		return
	}
	rows := c.open[place]
	for _, r := range []*spec.Row{a, b} {
		c.met[place+"\n"+r.Name()] = true
		delete(rows, r.Name())
	}
	if len(rows) == 0 {
		delete(c.open, place)
	}
}

// cannot notes that something couldn't be run.
func (c *comparer) cannot(format string, args ...any) {
	c.unrun = appendOnce(c.unrun, fmt.Sprintf(format, args...))
}
