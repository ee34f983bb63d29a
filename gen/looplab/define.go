package looplab

import (
	"slices"

	"github.com/interlock-go/interlock/spec"
)

// definition is what looplab/fsm can be told of a table.
type definition struct {
	entries []*entry
	split   map[*spec.Event]bool // each of its accepted rows is an event of its own
	guarded []*spec.Cell         // those that the control state doesn't decide
}

// entry is one event with one target.
type entry struct {
	name string
	src  []*spec.State
	dst  *spec.State
	rows []*spec.Row
}

func define(t *spec.Table) *definition {
	d := &definition{split: map[*spec.Event]bool{}}
	for _, c := range t.Cells {
		if len(targets(c)) > 1 {
			d.split[c.Event] = true
		}
		if !decided(c) {
			d.guarded = append(d.guarded, c)
		}
	}
	for _, e := range t.Events {
		for _, r := range e.Decisions() {
			for _, c := range t.Cells {
				if c.Event == e && accepted(r) && slices.Contains(c.Rows, r) {
					d.add(r, c.State)
				}
			}
		}
	}
	return d
}

// add enters an accepted row in one of its states.
func (d *definition) add(r *spec.Row, from *spec.State) {
	name, dst := d.event(r), target(r, from)
	i := slices.IndexFunc(d.entries, func(e *entry) bool { return e.name == name && e.dst == dst })
	if i < 0 {
		i = len(d.entries)
		d.entries = append(d.entries, &entry{name: name, dst: dst})
	}
	e := d.entries[i]
	if !slices.Contains(e.src, from) {
		e.src = append(e.src, from)
	}
	if !slices.Contains(e.rows, r) {
		e.rows = append(e.rows, r)
	}
}

// event returns the event that stands for an accepted row.
func (d *definition) event(r *spec.Row) string {
	if d.split[r.Event] {
		return r.Name()
	}
	return r.Event.Name
}

func accepted(r *spec.Row) bool { return r.Outcome == spec.Move || r.Outcome == spec.Stay }

func target(r *spec.Row, from *spec.State) *spec.State {
	if r.To == nil {
		return from
	}
	return r.To
}

// targets returns where the accepted rows of a cell lead.
func targets(c *spec.Cell) []*spec.State {
	var out []*spec.State
	for _, r := range c.Rows {
		if to := target(r, c.State); accepted(r) && !slices.Contains(out, to) {
			out = append(out, to)
		}
	}
	return out
}

// possible returns the rows of a cell but for those that never apply.
func possible(c *spec.Cell) []*spec.Row {
	return slices.DeleteFunc(slices.Clone(c.Rows), func(r *spec.Row) bool { return r.Outcome == spec.Never })
}

// decided reports whether all rows of a cell come to one for looplab/fsm:
// accepted with one target, or not accepted.
func decided(c *spec.Cell) bool {
	rows := possible(c)
	takes := slices.DeleteFunc(slices.Clone(rows), func(r *spec.Row) bool { return !accepted(r) })
	return len(takes) == 0 || len(takes) == len(rows) && len(targets(c)) == 1
}
