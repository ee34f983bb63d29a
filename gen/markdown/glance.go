package markdown

import (
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec"
)

// glanceFrom is the number of states from which on a picture doesn't tell
// nearly all: refusals, ignores and what is kept beside the state are then
// easier to find in a matrix.
const glanceFrom = 5

// glance writes where each event can lead, outcomes only, a line an event.
func (p *page) glance() {
	if len(p.t.States) < glanceFrom {
		return
	}
	p.section("At a glance")
	p.printf("Where each event can lead. **Bold**: the state changes. set: the state stays, something kept beside it may change. \"or\": what the event carries, or what is kept, decides; see its table.\n\n")
	head := []string{"event"}
	for _, s := range p.t.States {
		head = append(head, prose(s.Name))
	}
	p.header(head...)
	for _, e := range p.t.Events {
		line := []string{code(e.Name)}
		for _, s := range p.t.States {
			line = append(line, p.outcomes(e, s))
		}
		p.row(line...)
	}
}

// outcomes lists what e can do in s: what leaves the state as it is, moves in
// the table's order, then stays, ignores and refusals. Rows that never apply
// aren't among them.
func (p *page) outcomes(e *spec.Event, s *spec.State) string {
	var sets, moves, others []string
	for _, r := range p.decided(e, s) {
		if r.Outcome != spec.Move {
			continue
		}
		for _, to := range targets(r, s.Index) {
			name := "**" + prose(p.t.States[to].Name) + "**"
			switch {
			case to == s.Index:
				sets = []string{"set"}
			case !slices.Contains(moves, name):
				moves = append(moves, name)
			}
		}
	}
	for _, o := range []spec.Outcome{spec.Stay, spec.Ignore, spec.Refuse} {
		has := slices.ContainsFunc(p.decided(e, s), func(r *spec.Row) bool { return r.Outcome == o })
		if has || o == spec.Refuse && len(typed(e)) > 0 {
			others = append(others, o.String())
		}
	}
	return list(slices.Concat(sets, moves, others), "or")
}

// decided returns the checks and rows that may decide e in s, whatever the state
// of its subject.
func (p *page) decided(e *spec.Event, s *spec.State) []*spec.Row {
	var out []*spec.Row
	for _, r := range e.Decisions() {
		if slices.ContainsFunc(p.t.Cells, func(c *spec.Cell) bool {
			return c.Event == e && c.State == s && slices.Contains(c.Rows, r)
		}) {
			out = append(out, r)
		}
	}
	return out
}

// maxWords bounds the words of a condition in a picture's label.
const maxWords = 12

// way returns the label of a move between two states: its event, and where that
// has other ways out its condition in a few words, or else its rows.
func (p *page) way(row *spec.Row, from, to int) string {
	split, same := false, []string(nil)
	p.reach.moves(func(r *spec.Row, f, other int) {
		switch {
		case r.Event != row.Event || f != from || other == from:
		case other != to:
			split = true
		case !slices.Contains(same, r.ID):
			same = append(same, r.ID)
		}
	})
	switch {
	case !split:
		return row.Event.Name
	case len(row.When) == 1 && len(row.Unless) == 0:
		if words := strings.Join(strings.Fields(row.When[0].Says), " "); words != "" && len(words) <= maxWords {
			return row.Event.Name + " (" + words + ")"
		}
	}
	return row.Event.Name + " (" + strings.Join(same, ", ") + ")"
}
