package mutate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

// Kills says what notices a mutant, each group for itself and in order.
type Kills struct {
	Checker    []string `json:"checker,omitempty"`    // codes of what the front end says
	Properties []string `json:"properties,omitempty"` // names
	Never      []string `json:"never,omitempty"`      // rows that were never to occur
	Steps      []string `json:"steps,omitempty"`      // what has no meaning, such as a value outside its type
	Vacuity    []string `json:"vacuity,omitempty"`    // what is of no use in any size
	Tests      string   `json:"tests,omitempty"`      // the first step that differs
}

// Any reports whether anything notices.
func (k *Kills) Any() bool { return len(k.Checker) > 0 || k.Tests != "" || k.Claims() }

// Claims reports whether something notices that says what the machine is for:
// not the front end, which sees that a table has holes, and not the tests, which
// see that it is another table.
func (k *Kills) Claims() bool {
	return len(k.Properties) > 0 || len(k.Never) > 0 || len(k.Steps) > 0 || len(k.Vacuity) > 0
}

// budget is how many times as many states as the table has in a size a mutant
// may have there: beyond, what wasn't found is left open.
const budget = 4

// leastBudget is how many it may have in any case.
const leastBudget = 20_000

// judge puts machines before every killer but the tests.
type judge struct {
	ctx   context.Context
	table *spec.Table
	loose bool
	own   map[string]size // of the table itself; nil: there is no bound
	kills Kills
}

// models judges every size, the smaller ones first. Each property is judged in
// each size until one breaks it: that it holds in others too changes nothing. A
// size of more than verify.EdgesInFull edges is asked only if no smaller one
// breaks a property: that says whether the mutant is noticed, and spares most of
// the time; what such a size alone would add to a mutant that is noticed already,
// another name or what is of no use, isn't told then.
func (j *judge) models() error {
	var searches []*verify.Search
	broken := map[*spec.Property]bool{}
	for _, m := range j.bySize() {
		if j.own[m.Name].edges > verify.EdgesInFull && j.kills.Claims() {
			continue
		}
		open := slices.DeleteFunc(slices.Clone(m.Checks), func(p *spec.Property) bool { return broken[p] })
		s, whole, err := j.explore(m, open)
		if err != nil {
			return err
		}
		j.failing(s, broken)
		if !whole {
			continue // what a cut search doesn't find says nothing
		}
		searches = append(searches, s)
		if err := j.needless(s, m, broken); err != nil {
			return err
		}
	}
	if len(searches) == len(j.table.Models) && len(searches) > 0 {
		j.unused(searches, broken)
	}
	for _, c := range verify.Controls(j.table) {
		if broken[c.Property] {
			continue
		}
		s, whole, err := j.explore(c.Weakened(), []*spec.Property{c.Property})
		if err != nil {
			return err
		}
		if whole && len(s.Report.Properties) > 0 && s.Report.Properties[0].Verdict != explore.Violated {
			note(&j.kills.Vacuity, c.Property.Name+" without "+c.Without.Name)
		}
	}
	return nil
}

// size is how large the table's graph is.
type size struct{ states, edges int }

// bySize returns the models, those with the fewest edges first.
func (j *judge) bySize() []*spec.Model {
	out := slices.Clone(j.table.Models)
	slices.SortStableFunc(out, func(a, b *spec.Model) int { return j.own[a.Name].edges - j.own[b.Name].edges })
	return out
}

// explore searches a size, up to the budget; whole says that it came to its end.
func (j *judge) explore(m *spec.Model, props []*spec.Property) (s *verify.Search, whole bool, err error) {
	machine, err := machineOf(j.table, m, j.loose)
	if err != nil {
		return nil, false, err
	}
	most := 0
	if j.own != nil {
		most = max(budget*j.own[m.Name].states, leastBudget)
	}
	s, err = verify.ExploreMachine(j.ctx, machine, props, func(o *explore.Options[interp.State, interp.Label]) { o.MaxStates = most })
	if err != nil {
		return nil, false, err
	}
	return s, s.Report.Complete, nil
}

// machineOf returns the machine of a size.
func machineOf(t *spec.Table, m *spec.Model, loose bool) (*interp.Machine, error) {
	if loose {
		return interp.New(t, m, interp.Loose())
	}
	return interp.New(t, m)
}

// failing takes in what fails in a size.
func (j *judge) failing(s *verify.Search, broken map[*spec.Property]bool) {
	for _, r := range s.Report.Properties {
		p := verify.PropertyOf(j.table, r.Name)
		fails := r.Verdict == explore.Violated || r.Verdict == explore.NotReached
		var fault *interp.Fault
		switch {
		case p != nil && fails:
			broken[p] = true
			note(&j.kills.Properties, p.Name)
		case errors.As(r.Err, &fault):
			broken[p] = true
			note(&j.kills.Steps, r.Name+": "+fault.Reason.Error())
		}
	}
	if r := s.Report.Never; r.Verdict == explore.Violated {
		last := r.Path.Steps[len(r.Path.Steps)-1].Label
		note(&j.kills.Never, last.Decision())
	}
	var fault *interp.Fault
	if errors.As(s.Report.Steps.Err, &fault) {
		note(&j.kills.Steps, fault.Where+": "+fault.Reason.Error())
	}
}

// needless takes in fairness that nothing needs any more.
func (j *judge) needless(s *verify.Search, m *spec.Model, broken map[*spec.Property]bool) error {
	if !slices.ContainsFunc(m.Checks, func(p *spec.Property) bool { return p.Kind == spec.Eventually && !broken[p] }) {
		return nil
	}
	names, err := s.NeedlessFairness(j.ctx)
	if err != nil {
		return err
	}
	for _, n := range names {
		if !broken[verify.PropertyOf(j.table, n)] {
			note(&j.kills.Vacuity, n+" without its fairness")
		}
	}
	return nil
}

// unused takes in what is of no use in any size. A property that failed isn't
// asked for its premises.
func (j *judge) unused(searches []*verify.Search, broken map[*spec.Property]bool) {
	for _, p := range verify.Vacuous(j.table, searches) {
		if !broken[p.Property] {
			note(&j.kills.Vacuity, "premise of "+p.Property.Name)
		}
	}
	for _, r := range verify.Unfired(j.table, searches) {
		note(&j.kills.Vacuity, r.Name()+" never fires")
	}
	for _, s := range verify.NotEntered(j.table, searches) {
		note(&j.kills.Vacuity, s.Name+" is never entered")
	}
}

// note adds a text that isn't there yet.
func note(list *[]string, text string) {
	if i, found := slices.BinarySearch(*list, text); !found {
		*list = slices.Insert(*list, i, text)
	}
}

// checker takes in what the front end says.
func (j *judge) checker(found diag.List) {
	for _, d := range found {
		note(&j.kills.Checker, string(d.Code))
	}
}

// String says in a line what notices.
func (k *Kills) String() string {
	var parts []string
	add := func(name string, list []string) {
		if len(list) > 0 {
			parts = append(parts, name+" "+strings.Join(list, ", "))
		}
	}
	add("checker", k.Checker)
	add("properties", k.Properties)
	add("never", k.Never)
	add("steps", k.Steps)
	add("vacuity", k.Vacuity)
	if k.Tests != "" {
		parts = append(parts, "tests "+k.Tests)
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, "; ")
}

// ErrFindings is a table whose mutants say nothing, since it has warnings or
// isn't what it claims itself.
var ErrFindings = errors.New("it has warnings, or doesn't do what it claims itself: mend what check shows of it first")

// sizesOf judges the table itself, and returns how large each of its sizes is.
func sizesOf(ctx context.Context, t *spec.Table) (map[string]size, error) {
	j := &judge{ctx: ctx, table: t}
	if err := j.models(); err != nil {
		return nil, err
	}
	if len(t.Warnings) > 0 || j.kills.Claims() {
		return nil, fmt.Errorf("%s: %w", t.Path, ErrFindings)
	}
	sizes := map[string]size{}
	for _, m := range t.Models {
		s, _, err := j.explore(m, nil)
		if err != nil {
			return nil, err
		}
		sizes[m.Name] = size{s.Report.States, s.Report.Edges}
	}
	return sizes, nil
}
