package diff

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
)

// What is said of a property.
const (
	holds   = "holds"
	fails   = "fails"
	notTold = "not told" // no model's job
)

// finding is what one table's models say of a property.
type finding struct {
	verdict string
	model   string
	way     []Step
	endless bool
	loop    []Step
	why     string
	text    string
}

// verdicts compares what the explorer says of the properties, each table in
// its own models. Where everything that they speak of is the same, they are
// not asked.
func (c *comparer) verdicts(ctx context.Context) error {
	var was, is map[*entity]finding
	asked := c.asks()
	if len(asked) > 0 {
		var err error
		if was, err = c.judged(ctx, c.old, func(e *entity) bool { return c.toNew[e] != nil && asked[c.toNew[e]] }); err != nil {
			return err
		}
		if is, err = c.judged(ctx, c.new, func(e *entity) bool { return asked[e] }); err != nil {
			return err
		}
	}
	for _, e := range c.new.ofKind("property") {
		o := c.toOld[e]
		p := Property{Name: e.name, Doc: e.doc, After: is[e].verdict}
		if o != nil {
			p.Before = was[o].verdict
		}
		for _, ch := range c.restated[e] {
			p.Restated = true
			p.Said = append(p.Said, said(ch))
		}
		if p.Before == p.After && !p.Restated {
			switch {
			case !asked[e]:
				c.r.Unasked++
			case p.After == holds:
				c.r.Holding++
			}
			continue
		}
		if p.After == fails {
			p.counterexample(is[e])
		} else if o != nil && p.Before == fails {
			p.counterexample(was[o])
		}
		c.r.Properties = append(c.r.Properties, p)
	}
	return nil
}

func (p *Property) counterexample(f finding) {
	p.Model, p.Way, p.Endless, p.Loop, p.Why, p.Text = f.model, f.way, f.endless, f.loop, f.why, f.text
}

// said says a change in one line: "from: also ajar", "to: open → ajar".
func said(ch Change) string {
	before, after := strings.Join(ch.Before, "; "), strings.Join(ch.After, "; ")
	list := slices.Contains(lists, strings.Fields(ch.What)[0])
	switch {
	case list && before == "":
		return ch.What + ": also " + after
	case list && after == "":
		return ch.What + ": no longer " + before
	}
	return ch.What + ": " + cmp.Or(before, "nothing") + " → " + cmp.Or(after, "nothing")
}

// lists are what has several values, of which one comes or goes.
var lists = []string{"from", "when", "unless", "assume", "checks", "on", "given", "fair", "all", "emit"}

// asks returns the properties of the new table that may have another verdict
// than before.
func (c *comparer) asks() map[*entity]bool {
	all := len(c.r.Decisions)+len(c.r.Unseen)+len(c.r.Environment)+len(c.r.Bounds)+len(c.r.Declared)+len(c.r.Rows)+len(c.r.Orders) > 0
	for _, list := range [][]Item{c.r.Added, c.r.Removed} {
		all = all || slices.ContainsFunc(list, func(it Item) bool { return it.Kind != "property" && it.Kind != "code" })
	}
	out := map[*entity]bool{}
	for _, e := range c.new.ofKind("property") {
		if all || c.toOld[e] == nil || len(c.restated[e]) > 0 {
			out[e] = true
		}
	}
	return out
}

// judged explores all models of a table. A property fails if it does in one of
// the models whose job it is. A rejected design judges everything in its
// models, whether they assume what a property is given or not: there only those
// count that do, its own property apart.
func (c *comparer) judged(ctx context.Context, f *facts, asked func(*entity) bool) (map[*entity]finding, error) {
	out := map[*entity]finding{}
	for _, e := range f.ofKind("property") {
		out[e] = finding{verdict: notTold}
	}
	for _, m := range f.t.Models {
		var props []*spec.Property
		for _, p := range m.Checks {
			if asked(f.by[p]) && (f.t.Fails == "" || applies(m, p) || p.Name == f.t.Fails) {
				props = append(props, p)
			}
		}
		if len(props) == 0 {
			continue
		}
		c.o.Notice("exploring " + m.Name)
		s, err := verify.Explore(ctx, f.t, m, props)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			c.cannot("%s: %v", f.t.Path, err)
			continue
		}
		for _, p := range props {
			if e := f.by[p]; out[e].verdict != fails {
				if v := told(s, p); v.verdict != notTold {
					out[e] = v
				}
			}
		}
	}
	return out, nil
}

// applies reports whether m assumes what p is given: without it p is to fail.
func applies(m *spec.Model, p *spec.Property) bool {
	return !slices.ContainsFunc(p.Given, func(a *spec.Assumption) bool { return !m.Assumes(a) })
}

// told returns what one search says of p.
func told(s *verify.Search, p *spec.Property) finding {
	v := finding{verdict: notTold, model: s.Model.Name}
	for _, r := range s.Report.Properties {
		if !verify.IsOf(r.Name, p) {
			continue
		}
		switch {
		case r.Verdict == explore.Undecided:
		case r.Verdict.OK():
			v.verdict = holds
		default:
			v.verdict, v.text, v.way = fails, s.Machine.Explain(r), wayOf(s.Machine, r.Path)
			if r.Endless != nil {
				v.endless = true
				v.loop = stepsOf(s.Machine, r.Endless.Loop)
			}
			v.why = v.text
			if r.Path != nil {
				v.why = strings.TrimPrefix(v.text, s.Machine.Trace(r.Path))
			}
			v.why = strings.TrimRight(v.why, "\n")
			return v
		}
	}
	return v
}

func wayOf(m *interp.Machine, p *interp.Path) []Step {
	if p == nil {
		return nil
	}
	return stepsOf(m, p.Steps)
}

func stepsOf(m *interp.Machine, steps []interp.Step) []Step {
	var out []Step
	for i := range steps {
		out = append(out, stepOf(m, &steps[i].Label))
	}
	return out
}
