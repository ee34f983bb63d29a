package looplab

import (
	"slices"

	"github.com/interlock-go/interlock/spec"
)

// definition is what looplab/fsm can be told of a table.
type definition struct {
	entries []*entry
	split   map[*spec.Event]bool // each of its accepted rows is an event of its own
	guarded []*cell              // those that the control state doesn't decide
}

// entry is one event with one target.
type entry struct {
	name string
	src  []*spec.State
	dst  *spec.State
	rows []choice
}

// choice is what decides a step: a row, with the row of a sub-table that it
// goes on with if it does.
type choice struct{ row, then *spec.Row }

// name returns the choice's name in the table: "claim.won", or of two rows
// "end.failed+handOver.next".
func (c choice) name() string {
	if c.then == nil {
		return c.row.Name()
	}
	return c.row.Name() + "+" + c.then.Name()
}

// accepted reports whether the choice is a move or a stay.
func (c choice) accepted() bool {
	return (c.row.Outcome == spec.Move || c.row.Outcome == spec.Stay) && !c.never()
}

// never reports whether the table claims that the choice never occurs.
func (c choice) never() bool {
	return c.row.Outcome == spec.Never || c.then != nil && c.then.Outcome == spec.Never
}

// target returns where the choice leads from a state.
func (c choice) target(from *spec.State) *spec.State {
	for _, r := range []*spec.Row{c.then, c.row} {
		if r != nil && r.To != nil {
			return r.To
		}
	}
	return from
}

// cell is an event in a control state, whatever its subject is: looplab/fsm
// knows no parts.
type cell struct {
	event   *spec.Event
	state   *spec.State
	choices []choice
}

// cells returns those of the machine's events, in the order of the table.
func cells(t *spec.Table) []*cell {
	var out []*cell
	for _, e := range t.Events {
		for _, s := range t.States {
			var rows []*spec.Row
			for _, c := range t.Cells {
				if c.Event == e && c.State == s {
					rows = append(rows, c.Rows...)
				}
			}
			c := &cell{event: e, state: s}
			for _, r := range e.Decisions() {
				if slices.Contains(rows, r) {
					c.choices = append(c.choices, goesOn(t, r, s)...)
				}
			}
			out = append(out, c)
		}
	}
	return out
}

// goesOn returns the choices that a row comes to in a state.
func goesOn(t *spec.Table, r *spec.Row, s *spec.State) []choice {
	if r.Then == nil {
		return []choice{{row: r}}
	}
	var out []choice
	for _, c := range t.Cells {
		if c.Table == r.Then && c.State == s {
			for _, then := range c.Rows {
				out = append(out, choice{r, then})
			}
		}
	}
	return out
}

// choices returns all that may decide an event, in the order of the table.
func choices(e *spec.Event) []choice {
	var out []choice
	for _, r := range e.Decisions() {
		if r.Then == nil {
			out = append(out, choice{row: r})
			continue
		}
		for _, then := range r.Then.Rows {
			out = append(out, choice{r, then})
		}
	}
	return out
}

func define(t *spec.Table) *definition {
	d := &definition{split: map[*spec.Event]bool{}}
	all := cells(t)
	for _, c := range all {
		if len(targets(c)) > 1 {
			d.split[c.event] = true
		}
		if !decided(c) {
			d.guarded = append(d.guarded, c)
		}
	}
	for _, e := range t.Events {
		for _, x := range choices(e) {
			for _, c := range all {
				if c.event == e && x.accepted() && slices.Contains(c.choices, x) {
					d.add(x, c.state)
				}
			}
		}
	}
	return d
}

// add enters an accepted choice in one of its states.
func (d *definition) add(x choice, from *spec.State) {
	name, dst := d.event(x), x.target(from)
	i := slices.IndexFunc(d.entries, func(e *entry) bool { return e.name == name && e.dst == dst })
	if i < 0 {
		i = len(d.entries)
		d.entries = append(d.entries, &entry{name: name, dst: dst})
	}
	e := d.entries[i]
	if !slices.Contains(e.src, from) {
		e.src = append(e.src, from)
	}
	if !slices.Contains(e.rows, x) {
		e.rows = append(e.rows, x)
	}
}

// event returns the event that stands for an accepted choice.
func (d *definition) event(x choice) string {
	if d.split[x.row.Event] {
		return x.name()
	}
	return x.row.Event.Name
}

// targets returns where the accepted choices of a cell lead.
func targets(c *cell) []*spec.State {
	var out []*spec.State
	for _, x := range c.choices {
		if to := x.target(c.state); x.accepted() && !slices.Contains(out, to) {
			out = append(out, to)
		}
	}
	return out
}

// possible returns the choices of a cell but for those that never occur.
func possible(c *cell) []choice {
	return slices.DeleteFunc(slices.Clone(c.choices), choice.never)
}

// decided reports whether all choices of a cell come to one for looplab/fsm:
// accepted with one target, or not accepted.
func decided(c *cell) bool {
	all := possible(c)
	takes := slices.DeleteFunc(slices.Clone(all), func(x choice) bool { return !x.accepted() })
	return len(takes) == 0 || len(takes) == len(all) && len(targets(c)) == 1
}
