package diff

import (
	"slices"

	"github.com/interlock-go/interlock/gen/mermaid"
)

// mostLinks is how many links a picture has before it is no help.
const mostLinks = 14

// picture draws the ways that came and went, with those of the same events
// that stayed; nil: there are none, or too many to see anything.
func (r *Report) picture() []byte {
	if len(r.Gained)+len(r.Lost) == 0 || len(r.Gained)+len(r.Lost) > mostLinks {
		return nil
	}
	var f mermaid.Flowchart
	var events []string
	add := func(e Edge, kind mermaid.LinkKind, label string) {
		name := func(s string) string {
			if e.Of != "" {
				return e.Of + ": " + s
			}
			return s
		}
		f.Links = append(f.Links, mermaid.Link{From: f.Node(name(e.From)), To: f.Node(name(e.To)), Label: label, Kind: kind})
		events = append(events, e.Event)
	}
	for _, e := range r.Gained {
		add(e, mermaid.Gained, "new: "+e.Event)
	}
	for _, e := range r.Lost {
		add(e, mermaid.Lost, "gone: "+e.Event)
	}
	touched := slices.Clone(events)
	for _, e := range r.kept {
		if len(f.Links) < mostLinks && slices.Contains(touched, e.Event) {
			add(e, mermaid.Kept, e.Event)
		}
	}
	return f.Bytes()
}

// picture draws the checks in both orders.
func (o *Order) picture() []byte {
	c := mermaid.Chains{{Title: "before", Items: o.Before, Marked: o.Moved}, {Title: "after", Items: o.After, Marked: o.Moved}}
	return c.Bytes()
}
