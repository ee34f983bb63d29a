package markdown

import (
	"fmt"
	"strings"

	"github.com/interlock-go/interlock/gen/mermaid"
	"github.com/interlock-go/interlock/spec"
)

// picture draws the changes of state and says what isn't drawn.
func (p *page) picture() {
	if len(p.t.Parts) > 0 {
		p.section("Pictures")
	} else {
		p.section("Picture")
	}
	d := &mermaid.StateDiagram{Classes: []mermaid.Class{
		{Name: "holds", Style: "stroke-width:3px", States: p.reach.holds},
		{Name: "only", Style: "stroke-dasharray:5 4", States: p.reach.only},
	}}
	for _, s := range p.t.States {
		d.States = append(d.States, mermaid.State{Name: s.Name, Initial: s.Initial})
	}
	everywhere := p.everywhere()
	p.reach.moves(func(row *spec.Row, from, to int) {
		if from != to && everywhere[row.Event] == nil {
			d.Connect(from, to, p.way(row, from, to))
		}
	})
	p.printf("Only changes of state are drawn.%s", p.leftOut(everywhere))
	if v := p.reach.holder; v != nil {
		p.printf(" Thick border: %s always has a value there.", code(v.Sym.Name))
	}
	if param := p.reach.param; param != nil && len(p.reach.only) > 0 {
		p.printf(" Dashed border: reached only with %s.", code(param.Name))
	}
	p.draw(d)
	p.lifecycles()
}

// draw writes a diagram, or why there is none.
func (p *page) draw(d *mermaid.StateDiagram) {
	if !d.Fits() {
		p.printf("\n\nNot drawn: %s between states are more than a picture can show. The decisions below have them all.\n", number(len(d.Edges), "way"))
		return
	}
	p.printf("\n\n```mermaid\n%s```\n", d.Bytes())
}

// everywhere returns the events that lead from every state to one, with that
// state. With fewer than three states they are drawn like any other.
func (p *page) everywhere() map[*spec.Event]*spec.State {
	type way struct {
		event *spec.Event
		from  int
	}
	ways := map[way]bool{}
	to := map[*spec.Event]*spec.State{}
	split := map[*spec.Event]bool{}
	p.reach.moves(func(row *spec.Row, from, target int) {
		if from == target {
			return
		}
		s := p.t.States[target]
		if to[row.Event] != nil && to[row.Event] != s {
			split[row.Event] = true
		}
		to[row.Event] = s
		ways[way{row.Event, from}] = true
	})
	for _, e := range p.t.Events {
		n := 0
		for _, s := range p.t.States {
			if ways[way{e, s.Index}] {
				n++
			}
		}
		if len(p.t.States) < 3 || split[e] || n < len(p.t.States)-1 {
			delete(to, e)
		}
	}
	return to
}

// leftOut counts what the picture doesn't show.
func (p *page) leftOut(everywhere map[*spec.Event]*spec.State) string {
	var parts []string
	for _, s := range p.t.States {
		var events []string
		for _, e := range p.t.Events {
			if everywhere[e] == s {
				events = append(events, code(e.Name))
			}
		}
		lead := "lead"
		if len(events) == 1 {
			lead = "leads"
		}
		if len(events) > 0 {
			parts = append(parts, fmt.Sprintf("%s, which %s from everywhere to %s", list(events, "and"), lead, prose(s.Name)))
		}
	}
	refusals, stays, ignores, sets := 0, 0, 0, 0
	for _, e := range p.t.Events {
		refusals += len(typed(e))
		for _, r := range e.Decisions() {
			switch r.Outcome {
			case spec.Refuse:
				refusals++
			case spec.Stay:
				stays++
			case spec.Ignore:
				ignores++
			case spec.Move:
				if r.To == nil && r.Then == nil {
					sets++
				}
			}
		}
	}
	for _, c := range []struct {
		n    int
		what string
	}{{refusals, "refusal"}, {ignores, "ignore"}, {stays, "stay"}, {sets, "move"}} {
		if c.n > 0 {
			parts = append(parts, number(c.n, c.what))
		}
	}
	if sets > 0 {
		parts[len(parts)-1] += " within a state"
	}
	if len(parts) == 0 {
		return ""
	}
	return " Left out: " + strings.Join(parts, "; ") + "."
}
