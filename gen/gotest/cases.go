package gotest

import (
	"fmt"
	"strings"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/mbt/literal"
	"github.com/interlock-go/interlock/gen/mbt/ways"
	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

// stepCase is one step that a row decides.
type stepCase struct {
	row     string // the constant in Go
	then    string // of the row that it goes on with; empty: there is none
	print   literal.Printer
	way     []string
	params  []int
	before  []uint64
	event   *spec.Event
	args    []uint64
	moves   bool
	after   []uint64
	effects []interp.Effect
}

// findCases returns a case for each decision of the machine's events, in the
// order of the table, values outside their types first. Never rows have none,
// nor do those pairs of rows that no model reaches.
func findCases(t *spec.Table) ([]stepCase, error) {
	found, err := search(t)
	if err != nil {
		return nil, err
	}
	var out []stepCase
	reached := map[*spec.Row]bool{}
	for _, e := range t.Events {
		for i, a := range e.Args {
			if literal.Outside(a) == nil {
				continue
			}
			c, err := outside(t, e, i)
			if err != nil {
				return nil, err
			}
			out = append(out, c)
		}
		for _, d := range ways.Deciders(e) {
			if c, ok := found[d]; ok {
				out = append(out, c)
				reached[d.Row], reached[d.Then] = true, true
			}
		}
	}
	var ds diag.List
	for _, r := range t.Rows() {
		if !reached[r] && r.Outcome != spec.Never && (r.Event == nil || t.Events[r.Event.Index] == r.Event) {
			ds.Add(diag.DeadRow, r.Pos, "no model reaches %s, so no test can be made for it", r.Name()).
				WithHint("give a model that does").Width = len(r.ID)
		}
	}
	return out, ds.Err()
}

// search returns, for each decision that some model reaches, a step that it
// decides: the one with the shortest way there, in the first such model.
func search(t *spec.Table) (map[ways.Decider]stepCase, error) {
	found := map[ways.Decider]stepCase{}
	for _, model := range t.Models {
		m, err := interp.New(t, model)
		if err != nil {
			return nil, err
		}
		paths, err := ways.Find(m)
		if err != nil {
			return nil, err
		}
		for d, path := range paths {
			if d.Never() {
				continue
			}
			if c, ok := found[d]; !ok || len(path.Steps)-1 < len(c.way) {
				found[d] = caseOf(m, path)
			}
		}
	}
	return found, nil
}

// caseOf returns the last step of a path as a case.
func caseOf(m *interp.Machine, path *interp.Path) stepCase {
	last := path.Steps[len(path.Steps)-1]
	before := path.Init
	if n := len(path.Steps); n > 1 {
		before = path.Steps[n-2].To
	}
	c := stepCase{
		row: names.Row(last.Label.Row), params: m.Model().Params, print: literal.Of(m.Table()).In(m),
		before: literal.Vars(m, before, last.Label.Instance), after: literal.Vars(m, last.To, last.Label.Instance),
		event: last.Label.Event.Event, args: last.Label.Args,
		moves: last.Label.Row.Outcome == spec.Move, effects: last.Label.Effects,
	}
	if last.Label.Then != nil {
		c.then = names.Row(last.Label.Then)
	}
	for _, st := range path.Steps[:len(path.Steps)-1] {
		step := m.FormatEvent(st.Label.Event)
		if st.Label.Instance == last.Label.Instance {
			step = strings.TrimSuffix(step, " of "+interp.InstanceName(st.Label.Instance))
		}
		c.way = append(c.way, step)
	}
	return c
}

// outside returns a step from the start at which argument i, and all after it,
// are outside their types: the first of them answers.
func outside(t *spec.Table, e *spec.Event, i int) (stepCase, error) {
	if len(t.Models) == 0 {
		return stepCase{}, fmt.Errorf("%s has no model", t.Name)
	}
	m, err := interp.New(t, t.Models[0])
	if err != nil {
		return stepCase{}, err
	}
	start := literal.Vars(m, m.Init()[0], 0)
	c := stepCase{row: names.TypeRow(e, e.Args[i]), params: t.Models[0].Params, print: literal.Of(t).In(m), before: start, after: start, event: e}
	for j, a := range e.Args {
		c.args = append(c.args, inside(a))
		if j >= i && literal.Outside(a) != nil {
			c.args[j] = beyond(a)
		}
	}
	return c, nil
}

// cases prints the table of cases.
func (p *printer) cases(cases []stepCase) {
	p.printf("// rowCases has a step for each row that may apply, by a shortest way from the\n")
	p.printf("// start; a comment says what happened before. Without After the machine stays as\n")
	p.printf("// it is.\n")
	p.printf("var rowCases = []mbt.Case[%[1]s.Machine, %[1]s.Event, %[1]s.%[2]s, %[1]s.Effect]{\n", p.Pkg, p.decides())
	for _, c := range cases {
		p.printf("{\n")
		if len(c.way) > 0 {
			p.way(c.way)
		}
		p.printf("Before: %s,\n", c.print.Machine(c.params, c.before))
		p.printf("Event: %s,\n", p.Event(c.event, c.args))
		p.printf("Row: %s,\n", p.decision(c))
		if c.moves {
			p.printf("After: %s,\n", c.print.Machine(c.params, c.after))
		}
		if len(c.effects) > 0 {
			p.printf("Effects: []%s.Effect{\n", p.Pkg)
			for _, f := range c.effects {
				p.printf("%s,\n", strings.TrimPrefix(p.Effect(f), p.Pkg+".Effect"))
			}
			p.printf("},\n")
		}
		p.printf("},\n")
	}
	p.printf("}\n")
}

// decision prints what decides a case.
func (p *printer) decision(c stepCase) string {
	switch {
	case len(p.Tables) == 0:
		return p.Pkg + "." + c.row
	case c.then == "":
		return fmt.Sprintf("%s.Decision{Row: %s.%s}", p.Pkg, p.Pkg, c.row)
	}
	return fmt.Sprintf("%[1]s.Decision{Row: %[1]s.%[2]s, Then: %[1]s.%[3]s}", p.Pkg, c.row, c.then)
}

// way prints what happened before, as a comment of lines of at most 80 columns
// where the steps allow that.
func (p *printer) way(steps []string) {
	line := "// after " + steps[0]
	for _, s := range steps[1:] {
		if len(line)+len(s)+len(", ") > 72 { // the case is indented
			p.printf("%s,\n", line)
			line = "// " + s
			continue
		}
		line += ", " + s
	}
	p.printf("%s\n", line)
}
