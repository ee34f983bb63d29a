package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// Weighed is what a property is worth that speaks of behaviours without end and
// holds in a search.
type Weighed struct {
	Property *spec.Property
	Needless bool           // it holds without the fairness that it asks for, too
	Own      *spec.Fairness // the one that it only repeats; nil: none
	RunOut   interp.RunOut  // what it owes to fresh values that ran out
}

// Weigh looks at what the properties are worth that were judged: could anything
// break them, and what do those of behaviours without end hang on? It ends s's
// use of the behaviours, which take much memory.
func (s *Search) Weigh(ctx context.Context) error {
	parts, breaks, err := interp.Breakables(s.Machine, s.Model.Checks...)
	if err != nil {
		return fmt.Errorf("model %s: %w", s.Model.Name, err)
	}
	s.Breaks = map[interp.Part]interp.Breaks{}
	for i, p := range parts {
		s.Breaks[p] = breaks[i]
	}
	for _, p := range s.Model.Checks {
		pinned, err := interp.Pinned(s.Machine, p)
		if err != nil {
			return fmt.Errorf("model %s: %w", s.Model.Name, err)
		}
		s.pinned = append(s.pinned, pinned...)
	}
	return s.weighEndings(ctx)
}

// weighEndings fills in Weighed.
func (s *Search) weighEndings(ctx context.Context) error {
	for _, p := range s.Model.Checks {
		if s.behaviours == nil || !isEventually(p) || s.Explorer(p) != Holds {
			continue
		}
		w, err := s.weigh(ctx, p)
		if err != nil {
			return fmt.Errorf("model %s: %w", s.Model.Name, err)
		}
		s.Weighed = append(s.Weighed, w)
	}
	s.behaviours = nil
	return nil
}

// NeedlessFairness returns those of the model's properties that hold without the
// fairness that they ask for, which then says nothing. It is the part of Weigh
// that a change of the table may alter.
func (s *Search) NeedlessFairness(ctx context.Context) ([]string, error) {
	if err := s.weighEndings(ctx); err != nil {
		return nil, err
	}
	var out []string
	for _, w := range s.Weighed {
		if w.Needless {
			out = append(out, w.Property.Name)
		}
	}
	return out, nil
}

func (s *Search) weigh(ctx context.Context, p *spec.Property) (Weighed, error) {
	w := Weighed{Property: p}
	var err error
	if w.RunOut, err = s.behaviours.RunOut(ctx, p); err != nil || w.RunOut.Only || len(p.Fair) == 0 {
		return w, err // where nothing is waited for, no fairness matters
	}
	unfair, err := s.behaviours.Judge(ctx, false, p)
	if err != nil {
		return w, err
	}
	if w.Needless = unfair[0].Verdict == explore.Holds; !w.Needless {
		w.Own, err = s.behaviours.OwnFairness(p)
	}
	return w, err
}

// RanOut says which claims of s hold only since behaviours end where fresh
// values have run out, a text each.
func (s *Search) RanOut() []string {
	var out []string
	for _, w := range s.Weighed {
		if len(w.RunOut.Of) > 0 {
			out = append(out, w.Property.Name+" holds until "+typeNames(w.RunOut.Of)+" runs out")
		}
	}
	return out
}

func typeNames(types []*expr.Type) string {
	var out []string
	for _, t := range types {
		out = append(out, t.Name)
	}
	return strings.Join(out, " or ")
}

// Gate returns what is of no use in t, or says nothing, in any of the searches,
// which have been weighed; and what is otherwise one size up, if that was looked
// at.
func Gate(t *spec.Table, searches []*Search, ups []*OneUp) diag.List {
	var l diag.List
	if len(searches) == 0 {
		return nil
	}
	idle(&l, t, searches, ups)
	notOneUp(&l, t, ups)
	for _, v := range Vacuous(t, searches) {
		d := l.Add(diag.Vacuous, v.Pos, "%s: %s", v.Property.Name, v.What)
		if v.Pos != v.Property.Pos {
			d.Also(v.Property.Pos, "the property")
		}
	}
	for _, p := range partsThat(searches, interp.Trivial) {
		what := "it is true of all values that its variables may have"
		if !p.Whole {
			what = "this part is true of all values that its variables may have"
		}
		d := l.Add(diag.TrueByType, p.Pos, "%s: %s", p.Property.Name, what)
		if p.Pos != p.Property.Pos {
			d.Also(p.Property.Pos, "the property")
		}
	}
	for _, p := range t.Properties {
		if isEventually(p) {
			weighed(&l, p, searches)
		}
	}
	return l
}

// weighed tells what is wrong with a claim about behaviours without end.
func weighed(l *diag.List, p *spec.Property, searches []*Search) {
	var own *spec.Fairness
	var ran interp.RunOut
	judged, repeats, only := 0, 0, 0
	for _, s := range searches {
		if slices.Contains(s.Model.Checks, p) {
			judged++
		}
		for _, w := range s.Weighed {
			if w.Property != p {
				continue
			}
			if w.Needless {
				l.Add(diag.NeedlessAssume, p.Pos, "%s: %s holds without its fairness, which says nothing", s.Model.Name, p.Name).Width = len(p.Name)
			}
			if w.Own != nil {
				own = w.Own
				repeats++
			}
			if w.RunOut.Only {
				ran = w.RunOut
				only++
			}
		}
	}
	if judged > 0 && repeats == judged {
		l.Add(diag.OwnFairness, p.Pos, "%s says just that %s is fair: it waits exactly where such a step is possible, and each of these brings what it waits for", p.Name, own).
			Also(own.Pos, "the fairness").Width = len(p.Name)
	}
	if judged > 0 && only == judged {
		l.Add(diag.RunOut, p.Pos, "%s: what it waits for never comes before %s runs out, in any model whose job it is", p.Name, typeNames(ran.Of)).Width = len(p.Name)
	}
}

// Untold returns the parts of properties of which it can't be told whether
// anything could break them.
func Untold(searches []*Search) []interp.Part { return partsThat(searches, interp.Untold) }

// partsThat returns the parts of which the strongest verdict in any search is
// the given one: what can be broken in one model isn't trivial.
func partsThat(searches []*Search, is interp.Breaks) []interp.Part {
	best := map[interp.Part]interp.Breaks{}
	for _, s := range searches {
		for p, b := range s.Breaks {
			old, known := best[p]
			switch {
			case !known, b == interp.Breakable, old == interp.Trivial && b == interp.Untold:
				best[p] = b
			}
		}
	}
	var out []interp.Part
	for p, b := range best {
		if b == is {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b interp.Part) int { return before(a.Pos, b.Pos) })
	return out
}

// idle tells rows, states and variables that no search came across.
func idle(l *diag.List, t *spec.Table, searches []*Search, ups []*OneUp) {
	for _, row := range Unfired(t, searches) {
		also := oneUp(ups, func(s *Search) bool { return s.Report.Fired[row.Index] > 0 })
		l.Add(diag.NeverFires, row.Pos, "%s decides nothing in any model%s", row.Name(), also).Width = len(row.ID)
	}
	for _, st := range NotEntered(t, searches) {
		also := oneUp(ups, func(s *Search) bool { return !slices.Contains(NotEntered(t, []*Search{s}), st) })
		l.Add(diag.NeverEntered, st.Pos, "%s is never entered in any model%s", st.Name, also).Width = len(st.Name)
	}
	for _, v := range Constant(t, searches) {
		if slices.ContainsFunc(t.Warnings, func(d *diag.Diagnostic) bool { return d.Pos == v.Pos }) {
			continue // nothing reads it, which was said
		}
		also := oneUp(ups, func(s *Search) bool { return s.Varies[v] })
		l.Add(diag.NeverChanges, v.Pos, "%s never changes in any model%s", v.Name, also).Width = len(v.Name)
	}
}
