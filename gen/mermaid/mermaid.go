// Package mermaid prints state diagrams in Mermaid's syntax, for readers on
// GitHub: flat, in the declared order, with nothing but borders to tell states
// apart, so that light and dark themes both work. Names are data, never syntax:
// whatever stands in one comes out as written.
package mermaid

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// StateDiagram is a picture of the changes of state. The zero value is empty;
// the order of states and edges is the layout.
type StateDiagram struct {
	States  []State
	Edges   []*Edge
	Classes []Class
}

// State is a box. Its id is s1, s2, ... by its place, so that no name can be
// taken for a keyword.
type State struct {
	Name    string
	Initial bool
}

// Edge leads from one state to another, both by their index. Each of Labels
// takes that way.
type Edge struct {
	From, To int
	Labels   []string
}

// Class gives some states a style. Its name is printed as it is: letters only.
type Class struct {
	Name   string
	Style  string // as in "stroke-width:3px"
	States []int
}

// Connect adds label to the edge between two states, and the edge if there is
// none yet. A label that is there already isn't repeated.
func (d *StateDiagram) Connect(from, to int, label string) {
	for _, e := range d.Edges {
		if e.From == from && e.To == to {
			if !slices.Contains(e.Labels, label) {
				e.Labels = append(e.Labels, label)
			}
			return
		}
	}
	d.Edges = append(d.Edges, &Edge{From: from, To: to, Labels: []string{label}})
}

// What a diagram may have at most. Mermaid stops at 500 edges and 50,000
// characters; a reader stops before.
const (
	MaxEdges = 400
	MaxBytes = 40_000
)

// Fits reports whether the diagram is within MaxEdges and MaxBytes.
func (d *StateDiagram) Fits() bool {
	edges := len(d.Edges)
	for _, s := range d.States {
		if s.Initial {
			edges++
		}
	}
	return edges <= MaxEdges && len(d.Bytes()) <= MaxBytes
}

// Bytes returns the diagram's text, a line each for a state, a start, an edge
// and a style, without the fence. Classes without states are left out.
func (d *StateDiagram) Bytes() []byte {
	var b bytes.Buffer
	b.WriteString("stateDiagram-v2\n")
	if d.Width() < maxWidth {
		b.WriteString("  direction LR\n")
	}
	for i, s := range d.States {
		fmt.Fprintf(&b, "  state \"%s\" as s%d\n", Escape(s.Name), i+1)
	}
	for i, s := range d.States {
		if s.Initial {
			fmt.Fprintf(&b, "  [*] --> s%d\n", i+1)
		}
	}
	for _, e := range d.Edges {
		var lines []string
		for _, l := range e.lines() {
			lines = append(lines, Escape(l))
		}
		fmt.Fprintf(&b, "  s%d --> s%d: %s\n", e.From+1, e.To+1, strings.Join(lines, "<br/>"))
	}
	for _, c := range d.Classes {
		if len(c.States) > 0 {
			fmt.Fprintf(&b, "  classDef %s %s\n", c.Name, c.Style)
		}
	}
	for _, c := range d.Classes {
		if len(c.States) > 0 {
			fmt.Fprintf(&b, "  class %s %s\n", ids(c.States), c.Name)
		}
	}
	return b.Bytes()
}

func ids(states []int) string {
	var s []string
	for _, i := range states {
		s = append(s, fmt.Sprintf("s%d", i+1))
	}
	return strings.Join(s, ",")
}
