// Package check says everything that can be said of a table without a JVM: what
// is of no use in it, what an output can't print, and what a search of its
// models finds.
package check

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

// Watch is told what goes well, as it happens. Functions may be nil.
type Watch struct {
	Explore  func(context.Context, *spec.Table, *spec.Model, []*spec.Property) (*verify.Search, error) // in place of verify.Explore
	OneUps   func(context.Context, *spec.Table, []*verify.Search) ([]*verify.OneUp, error)             // in place of verify.OneUps
	Search   func(*verify.Search)                                                                      // a model was explored
	Weighed  func(*verify.Search)                                                                      // what its properties are worth was found out
	Untold   func([]interp.Part)                                                                       // of these it can't be told whether anything could break them
	OneUp    func(*verify.Search, []*verify.OneUp)                                                     // a model was explored one size up; nil: none is
	Control  func(verify.Control)                                                                      // a property fails without an assumption, as it must
	Rejected func(*verify.Search, interp.Result)                                                       // a rejected design fails by the property that it names
	Others   func(*verify.Search, []string)                                                            // what else fails in it
}

// Run checks t and returns its warnings and findings, by place. The error is a
// diag.List if the table can't be printed or a model can't be explored, or
// ctx's; the list then has what was found before.
func Run(ctx context.Context, t *spec.Table, w Watch) (diag.List, error) {
	r := &run{ctx: ctx, t: t, watch: w, found: append(diag.List(nil), t.Warnings...)}
	err := r.table()
	r.found.Sort()
	return r.found, err
}

type run struct {
	ctx   context.Context
	t     *spec.Table
	watch Watch
	found diag.List
}

func (r *run) explore(m *spec.Model, props []*spec.Property) (*verify.Search, error) {
	if r.watch.Explore != nil {
		return r.watch.Explore(r.ctx, r.t, m, props)
	}
	return verify.Explore(r.ctx, r.t, m, props)
}

func (r *run) table() error {
	if r.t.Fails != "" {
		return r.rejected()
	}
	if err := gen.Printable(r.t); err != nil {
		return err
	}
	var searches []*verify.Search
	for _, m := range r.t.Models {
		s, err := r.explore(m, m.Checks)
		if err != nil {
			return err
		}
		searches = append(searches, s)
		if r.watch.Search != nil {
			r.watch.Search(s)
		}
		ended := s.Report.Steps.Err != nil
		var open []string
		for _, res := range s.Failing() {
			switch {
			case ended && res.Verdict == explore.Undecided && res.Err == nil:
				if res.Name != s.Report.Never.Name {
					open = append(open, res.Name)
				}
			default:
				r.failing(s, res)
			}
		}
		if len(open) > 0 { // the last one told is the step that ended the search
			last := r.found[len(r.found)-1]
			last.Detail += "the search of the model ends there, so nothing is told of " + strings.Join(open, ", ") + "\n"
		}
		if err := s.Weigh(r.ctx); err != nil {
			return err
		}
		if r.watch.Weighed != nil {
			r.watch.Weighed(s)
		}
	}
	for _, c := range verify.Controls(r.t) {
		if err := r.control(c); err != nil {
			return err
		}
	}
	var ups []*verify.OneUp
	if r.watch.OneUp != nil {
		explore, err := r.watch.OneUps, error(nil)
		if explore == nil {
			explore = verify.OneUps
		}
		if ups, err = explore(r.ctx, r.t, searches); err != nil {
			return err
		}
		for _, s := range searches {
			r.watch.OneUp(s, verify.Of(ups, s))
		}
	}
	r.found = append(r.found, verify.Gate(r.t, searches, ups)...)
	if untold := verify.Untold(searches); len(untold) > 0 && r.watch.Untold != nil {
		r.watch.Untold(untold)
	}
	return nil
}

// failing tells a result that isn't what its property claims.
func (r *run) failing(s *verify.Search, res interp.Result) {
	code, pos, width := diag.Violated, s.Model.Pos, len(s.Model.Name)
	p := verify.PropertyOf(r.t, res.Name)
	if p != nil {
		pos, width = p.Pos, len(p.Name)
	}
	message := fmt.Sprintf("%s: %s in model %s", res.Name, res.Verdict, s.Model.Name)
	var at diag.Pos
	var hint string
	switch {
	case res.Name == s.Report.Never.Name && res.Path != nil && len(res.Path.Steps) > 0:
		row := neverRow(res)
		code, pos, width = diag.NeverOccurs, row.Pos, len(row.ID)
		message = fmt.Sprintf("%s occurs in model %s: %s", row.Name(), s.Model.Name, row.Claim)
	case res.Verdict == explore.NotReached:
		code = diag.NotReached
	case res.Verdict != explore.Violated:
		code = diag.CantTell
		message = fmt.Sprintf("%s: it can't be told in model %s", res.Name, s.Model.Name)
		var fault *interp.Fault
		switch {
		case res.Err == nil:
			hint = "the search of the model ended before it was told: mend what ended it"
		case errors.As(res.Err, &fault):
			message = fmt.Sprintf("%s: %v in model %s", fault.Where, fault.Reason, s.Model.Name)
			if fault.Pos.IsValid() {
				at, pos, width = pos, fault.Pos, 1
			}
			if fault.Reason == interp.ErrRange {
				hint = "say by a condition what happens at the bound, or widen the variable's type"
			}
		}
	}
	d := r.found.Add(code, pos, "%s", message)
	d.Width, d.Hint = width, hint
	if res.Path != nil {
		d.Detail = s.Machine.Explain(res)
	}
	if at != pos {
		what := res.Name
		if p == nil {
			what = "the model " + s.Model.Name
		}
		d.Also(at, "%s", what)
	}
}

// neverRow returns the row that a path to a never row ends in.
func neverRow(res interp.Result) *spec.Row {
	last := res.Path.Steps[len(res.Path.Steps)-1].Label
	if last.Then != nil && last.Then.Outcome == spec.Never {
		return last.Then
	}
	return last.Row
}

// control explores a model without an assumption: the property must fail.
func (r *run) control(c verify.Control) error {
	s, err := r.explore(c.Weakened(), []*spec.Property{c.Property})
	if err != nil || len(s.Report.Properties) == 0 {
		return err
	}
	res := s.Report.Properties[0]
	if res.Verdict == explore.Violated {
		if r.watch.Control != nil {
			r.watch.Control(c)
		}
		return nil
	}
	r.found.Add(diag.NeedlessAssume, c.Property.Pos, "%s without %s: %s %s; the assumption says nothing", c.Model.Name, c.Without.Name, c.Property.Name, res.Verdict).
		Also(c.Without.Pos, "%s", c.Without.Name).Width = len(c.Property.Name)
	return nil
}

// breaks reports whether a result is of the property that a rejected design
// names.
func (r *run) breaks(res interp.Result) bool {
	p := verify.PropertyOf(r.t, res.Name)
	return p != nil && p.Name == r.t.Fails
}

// rejected explores a design that must fail.
func (r *run) rejected() error {
	broken, untold := false, false
	for _, m := range r.t.Models {
		s, err := r.explore(m, r.t.Properties)
		if err != nil {
			return err
		}
		if r.watch.Search != nil {
			r.watch.Search(s)
		}
		var others []string
		for _, res := range s.Failing() {
			named := r.breaks(res)
			if named && res.Verdict != explore.Violated && res.Verdict != explore.NotReached {
				r.failing(s, res) // what can't be told breaks nothing
				untold = true
				continue
			}
			if !named {
				others = append(others, res.Name)
				continue
			}
			broken = true
			if r.watch.Rejected != nil {
				r.watch.Rejected(s, res)
			}
		}
		if len(others) > 0 && r.watch.Others != nil {
			r.watch.Others(s, others)
		}
	}
	if !broken && !untold {
		r.found.Add(diag.NotRejected, r.t.FailsPos, "%s holds, though this design is rejected for breaking it", r.t.Fails).Width = len(r.t.Fails)
	}
	return nil
}
