package mermaid

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// LinkKind says what became of a link.
type LinkKind uint8

const (
	Kept LinkKind = iota
	Gained
	Lost
)

// Flowchart is a picture of ways that came, went and stayed. Links that stayed
// are there for orientation.
type Flowchart struct {
	Nodes []string
	Links []Link
}

// Link leads from one node to another, both by their index.
type Link struct {
	From, To int
	Label    string
	Kind     LinkKind
}

// Node returns the index of the node with that name, a new one if there is
// none yet.
func (f *Flowchart) Node(name string) int {
	if i := slices.Index(f.Nodes, name); i >= 0 {
		return i
	}
	f.Nodes = append(f.Nodes, name)
	return len(f.Nodes) - 1
}

// arrows of a link: what came is thick, what went is dotted.
var arrows = [...]string{Kept: "-->", Gained: "==>", Lost: "-.->"}

// colours can be told apart on light and dark ground; the arrows can without.
var colours = [...]string{Gained: "stroke:#2da44e,stroke-width:4px", Lost: "stroke:#cf222e,stroke-width:2px"}

// Bytes returns the diagram's text without the fence.
func (f *Flowchart) Bytes() []byte {
	var b bytes.Buffer
	b.WriteString("flowchart LR\n")
	for i, n := range f.Nodes {
		fmt.Fprintf(&b, "  s%d([\"%s\"])\n", i+1, Escape(n))
	}
	for _, l := range f.Links {
		label := ""
		if l.Label != "" {
			label = "|\"" + Escape(l.Label) + "\"|"
		}
		fmt.Fprintf(&b, "  s%d %s%s s%d\n", l.From+1, arrows[l.Kind], label, l.To+1)
	}
	for _, k := range []LinkKind{Gained, Lost} {
		var of []string
		for i, l := range f.Links {
			if l.Kind == k {
				of = append(of, fmt.Sprint(i))
			}
		}
		if of != nil {
			fmt.Fprintf(&b, "  linkStyle %s %s\n", strings.Join(of, ","), colours[k])
		}
	}
	return b.Bytes()
}

// Chains are lists of things in an order, one below the other.
type Chains []Chain

// Chain is a list with a title. What is marked has a thick border.
type Chain struct {
	Title  string
	Items  []string
	Marked []string
}

// Bytes returns the diagram's text without the fence.
func (c Chains) Bytes() []byte {
	var b bytes.Buffer
	b.WriteString("flowchart TB\n")
	marked := false
	for i, ch := range c {
		fmt.Fprintf(&b, "  subgraph g%d [\"%s\"]\n    direction LR\n    ", i+1, Escape(ch.Title))
		for j, it := range ch.Items {
			if j > 0 {
				b.WriteString(" --> ")
			}
			fmt.Fprintf(&b, "c%dn%d[\"%s\"]", i+1, j+1, Escape(it))
			if slices.Contains(ch.Marked, it) {
				b.WriteString(":::moved")
				marked = true
			}
		}
		b.WriteString("\n  end\n")
	}
	for i := 1; i < len(c); i++ {
		fmt.Fprintf(&b, "  g%d ~~~ g%d\n", i, i+1)
	}
	if marked {
		b.WriteString("  classDef moved stroke-width:4px\n")
	}
	return b.Bytes()
}
