package diff

import (
	"context"
	"fmt"
	"slices"

	"github.com/interlock-go/interlock/spec"
)

// Options say how far a comparison goes.
type Options struct {
	// MaxPairs bounds the pairs of states of a walk; 0: a million. A walk that
	// ends there can't tell that nothing else differs.
	MaxPairs int
	Notice   func(string) // is told what begins; may be nil
}

const defaultPairs = 1_000_000

// Tables compares two tables. The error is that for which ctx ended.
func Tables(ctx context.Context, old, new *spec.Table, o Options) (*Report, error) {
	if o.MaxPairs <= 0 {
		o.MaxPairs = defaultPairs
	}
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	c := &comparer{
		matching: newMatching(newFacts(old), newFacts(new)), o: o, restated: map[*entity][]Change{}, seen: map[string]int{}, shown: map[string]bool{},
		agree: map[string]bool{}, met: map[string]bool{},
		r: &Report{Old: old.Path, New: new.Path, Machine: new.Name, Cells: len(new.Cells)},
	}
	c.changes()
	c.unanswered()
	c.edges()
	c.orders()
	c.paper()
	if err := c.walks(ctx); err != nil {
		return nil, err
	}
	c.unseen()
	if err := c.verdicts(ctx); err != nil {
		return nil, err
	}
	c.judge()
	return c.r, nil
}

// comparer fills in a report.
type comparer struct {
	*matching
	o        Options
	r        *Report
	restated map[*entity][]Change // properties that say something else
	written  map[string]*Unseen   // cells that are written otherwise, by place
	touched  map[any]bool         // events and sub-tables with such cells
	places   []string
	seen     map[string]int  // differences that were filed, and where
	shown    map[string]bool // places of these
	agree    map[string]bool // places where rows that are written otherwise were seen to decide alike
	met      map[string]bool // rows that are written otherwise and were seen to decide, behind their places
	open     rowsOf          // of these, what the walk at hand still looks for; nil: it looks for none
	unrun    []string        // models that couldn't be run, and why
	partial  bool            // a walk ended early
}

// unseen lists the cells that are written otherwise and that no walk shows to
// differ.
func (c *comparer) unseen() {
	for _, place := range c.places {
		if c.shown[place] {
			continue
		}
		u := c.written[place]
		u.Reached, u.NoModel = c.agree[place], len(c.r.Explored) == 0
		c.r.Unseen = append(c.r.Unseen, *u)
	}
}

// judge says what the change means. What counts as breaking is listed in the
// package's documentation.
func (c *comparer) judge() {
	r := c.r
	breaking := func(format string, args ...any) {
		r.Verdict = Breaking
		r.Reasons = append(r.Reasons, fmt.Sprintf(format, args...))
	}
	if n := len(cellsIn(r.Decisions)); n > 0 {
		breaking("%s differently", count(n, "cell decides", "cells decide"))
	}
	for _, it := range r.Removed {
		switch it.Kind {
		case "event", "effect", "state", "part", "value":
			breaking("the %s %s is gone", it.Kind, it.Name)
		case "argument":
			if !c.ofWorld(it, c.old) {
				breaking("the argument %s is gone", it.Name)
			}
		}
	}
	for _, it := range r.Added {
		switch {
		case it.Kind == "argument" && !c.ofWorld(it, c.new):
			breaking("the argument %s is new", it.Name)
		case it.Kind == "event" && c.uncalled(it.Name):
			breaking("the event %s is new, and nobody has to ask for it", it.Name)
		}
	}
	for _, ch := range r.Declared {
		switch ch.Kind {
		case "argument", "type", "state", "part", "event", "constant", "variable", "shared variable", "part variable":
			if ch.What != "shared" {
				breaking("the %s %s is declared otherwise", ch.Kind, ch.Name)
			}
		}
	}
	for _, p := range r.Properties {
		if p.After == fails && p.Before != fails && p.Before != "" {
			breaking("the property %s fails", p.Name)
		}
	}
	if r.Verdict == Breaking {
		return
	}
	c.harmless()
}

func (c *comparer) harmless() {
	r := c.r
	unknown := func(format string, args ...any) {
		r.Verdict = Unknown
		r.Reasons = append(r.Reasons, fmt.Sprintf(format, args...))
	}
	for _, why := range c.unrun {
		unknown("%s", why)
	}
	if c.partial {
		unknown("a walk ended at %d pairs of states", c.o.MaxPairs)
	}
	open := 0
	for _, u := range r.Unseen {
		if !u.Reached && !u.Never {
			open++
		}
	}
	if open > 0 {
		unknown("%s written otherwise, and no model shows what that means", count(open, "cell is", "cells are"))
	}
	for _, p := range r.Properties {
		if p.Before == "" && p.After == fails {
			unknown("the new property %s fails", p.Name)
		}
	}
	switch {
	case r.Verdict == Unknown:
	case r.empty():
		r.Verdict = Same
	default:
		r.Verdict = Harmless
	}
}

// empty reports whether nothing is told.
func (r *Report) empty() bool {
	return len(r.Decisions)+len(r.Unseen)+len(r.Renamed)+len(r.Added)+len(r.Removed)+len(r.Gained)+len(r.Lost)+len(r.Orders)+
		len(r.Rows)+len(r.Declared)+len(r.Environment)+len(r.Bounds)+len(r.Properties)+len(r.Wording)+len(r.Order) == 0
}

// ofWorld reports whether an argument is one of an event of the world.
func (c *comparer) ofWorld(it Item, f *facts) bool {
	return slices.ContainsFunc(f.all, func(e *entity) bool {
		return e.kind == "argument" && e.path() == it.Name && e.of.kind == "world event"
	})
}

// uncalled reports whether an event of the new table happens without a caller.
func (c *comparer) uncalled(name string) bool {
	e := c.new.t.EventNamed(name)
	return e != nil && (e.By == "timer" || e.By == "environment")
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// cellsIn returns the cells of the decisions, each once.
func cellsIn(ds []Decision) []string {
	var out []string
	for _, d := range ds {
		if place := d.Event + "\n" + d.State + "\n" + d.Part; !slices.Contains(out, place) {
			out = append(out, place)
		}
	}
	return out
}
