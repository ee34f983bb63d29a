package mermaid

import "strings"

// maxWidth is what a page shows without shrinking, in pixels: below it a
// diagram runs from left to right, else from top to bottom.
const maxWidth = 960

// What Mermaid 11 draws, in pixels.
const (
	boxBorder = 16
	rankGap   = 50
	startSize = 14
)

// textWidth is near what a sans serif font of 16 px takes.
func textWidth(s string) int {
	width := 0
	for _, r := range s {
		switch {
		case strings.ContainsRune("fijlrtI.,'()/!- ", r):
			width += 5
		case strings.ContainsRune("mwMW", r):
			width += 12
		default:
			width += 9
		}
	}
	return width
}

// Width estimates how wide the diagram is when it runs from left to right: the
// widest box of each rank, and between two ranks the widest label.
func (d *StateDiagram) Width() int {
	rank := d.ranks()
	last := 0
	for _, r := range rank {
		last = max(last, r)
	}
	boxes, gaps := make([]int, last+1), make([]int, last+1)
	for i, s := range d.States {
		boxes[rank[i]] = max(boxes[rank[i]], textWidth(s.Name)+boxBorder)
	}
	for _, e := range d.Edges {
		from, to := rank[e.From], rank[e.To]
		gap := (from + to) / 2
		for _, l := range e.lines() {
			gaps[gap] = max(gaps[gap], textWidth(l))
		}
	}
	width := startSize
	for i := range boxes {
		width += boxes[i] + rankGap + gaps[i]
	}
	return width
}

// ranks returns each state's distance from the start by the longest way, edges
// that close a circle left out.
func (d *StateDiagram) ranks() []int {
	rank := make([]int, len(d.States))
	const open, done = 1, 2
	mark := make([]int, len(d.States))
	var order []int // of finishing, last first when read backwards
	back := map[*Edge]bool{}
	var visit func(int)
	visit = func(s int) {
		mark[s] = open
		for _, e := range d.Edges {
			switch {
			case e.From != s:
			case mark[e.To] == open:
				back[e] = true
			case mark[e.To] == 0:
				visit(e.To)
			}
		}
		mark[s] = done
		order = append(order, s)
	}
	for s := range d.States {
		if mark[s] == 0 {
			visit(s)
		}
	}
	for i := len(order) - 1; i >= 0; i-- {
		for _, e := range d.Edges {
			if e.From == order[i] && !back[e] {
				rank[e.To] = max(rank[e.To], rank[e.From]+1)
			}
		}
	}
	return rank
}
