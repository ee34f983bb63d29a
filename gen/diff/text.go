package diff

import (
	"fmt"
	"strings"
)

// Headline says a report in one line: "session: 1 of 50 cells decides
// differently, 2 properties fail".
func (r *Report) Headline() string {
	if len(r.Failed) > 0 {
		return r.subject() + ": " + count(len(r.Failed), "table", "tables") + " can't be read, so nothing is compared"
	}
	for i, list := range [][]Item{r.Added, r.Removed} {
		if len(list) == 1 && list[0].Kind == wholeTable {
			return r.subject() + ": the table is " + [...]string{"new", "gone"}[i]
		}
	}
	return r.subject() + ": " + strings.Join(r.headlines(), ", ")
}

func (r *Report) subject() string {
	if r.Machine == "" {
		return r.New
	}
	return r.Machine
}

func (r *Report) headlines() []string {
	var out []string
	say := func(n int, one, many string) {
		if n > 0 {
			out = append(out, count(n, one, many))
		}
	}
	if n := len(cellsIn(r.Decisions)); n > 0 {
		verb := "decide differently"
		if n == 1 {
			verb = "decides differently"
		}
		out = append(out, fmt.Sprintf("%d of %s %s", n, count(r.Cells, "cell", "cells"), verb))
	}
	broken, mended := 0, 0
	for _, p := range r.Properties {
		switch {
		case p.After == fails:
			broken++
		case p.After == holds && p.Before == fails:
			mended++
		}
	}
	say(broken, "property fails", "properties fail")
	say(mended, "property holds that failed", "properties hold that failed")
	if len(r.Decisions) > 0 {
		if broken+mended == 0 && r.Holding > 0 {
			out = append(out, "no property notices")
		}
		return out
	}
	if broken == 0 {
		out = append(out, "no decision changed")
	}
	if r.Verdict == Same {
		return []string{"nothing changed"}
	}
	if r.Verdict == Unknown {
		out = append(out, "but not all can be told")
	}
	say(len(r.Renamed), "rename", "renames")
	if broken == 0 && len(out) == 1 && r.onlyWords() {
		out = []string{"only wording or order changed"}
	}
	return out
}

// onlyWords reports whether nothing but wording and order is told.
func (r *Report) onlyWords() bool {
	rest := *r
	rest.Wording, rest.Order = nil, nil
	return rest.empty() && !r.empty()
}

// Text returns a report for a terminal.
func (r *Report) Text() string {
	t := &text{}
	t.line("%s", r.Headline())
	t.line("  %s", r.judgement())
	for _, f := range r.Failed {
		t.line("%s:", f.Table)
		for _, d := range f.Diagnostics {
			for l := range strings.SplitSeq(d, "\n") {
				t.line("  %s", l)
			}
		}
	}
	t.decisions(r)
	t.properties(r)
	t.lists(r)
	return t.b.String()
}

// judgement is the verdict with its reasons.
func (r *Report) judgement() string {
	s := string(r.Verdict)
	if len(r.Reasons) > 0 {
		s += ": " + strings.Join(r.Reasons[:min(len(r.Reasons), mostReasons)], "; ")
	}
	if n := len(r.Reasons) - mostReasons; n > 0 {
		s += fmt.Sprintf("; and %d more", n)
	}
	return s
}

// mostReasons is how many reasons stand in one line.
const mostReasons = 8

type text struct{ b strings.Builder }

func (t *text) line(format string, args ...any) { fmt.Fprintf(&t.b, format+"\n", args...) }

// section prints its heading if there are items.
func (t *text) section(heading string, items []string) {
	if len(items) == 0 {
		return
	}
	t.line("%s:", heading)
	for _, it := range items {
		t.line("  %s", it)
	}
}

func (t *text) decisions(r *Report) {
	for _, d := range r.Decisions {
		t.line("%s in %s%s:", d.Event, d.place(), when(d.When))
		t.line("  before: %s", d.Before.say())
		t.line("  after:  %s", d.After.say())
		t.line("  shown in %s%s by:", d.In, d.Follows.way())
		for i, s := range d.Way {
			row := s.Row
			if i == len(d.Way)-1 {
				row = d.Before.Row + " → " + d.After.Row
				if d.Before.Row == d.After.Row {
					row = d.After.Row
				}
			}
			t.line("    %d. %s: %s", i+1, s.Event, row)
		}
	}
	for _, u := range r.Unseen {
		t.line("%s in %s is written otherwise: %s", u.Event, atPlace(u.State, u.Part), u.say())
		for _, l := range u.paper() {
			t.line("  %s", l)
		}
	}
}

// way says whose way to a decision it is.
func (a after) way() string {
	switch a {
	case afterOld:
		return ", on the old table's way past another difference,"
	case afterNew:
		return ", on the new table's way past another difference,"
	}
	return ""
}

func (d *Decision) place() string { return atPlace(d.State, d.Part) }

func atPlace(state, part string) string {
	if part != "" {
		return state + ", " + part
	}
	return state
}

func when(conds []string) string {
	if len(conds) == 0 {
		return ""
	}
	text := ""
	for i, c := range conds {
		switch {
		case strings.HasPrefix(c, "unless "):
			text += ", "
		case i == 0:
			text += ", when "
		default:
			text += " and "
		}
		text += c
	}
	return text
}

// say says an answer as the table would.
func (a *Answer) say() string {
	s := a.Outcome
	switch {
	case a.Code != "":
		s += " " + a.Code
	case a.Claim != "":
		s += ": " + a.Claim
	case a.To != "":
		s = "→ " + a.To
	}
	if len(a.Does) > 0 {
		s += " (" + strings.Join(a.Does, ", ") + ")"
	}
	return s + "  [" + a.Row + "]"
}

func (t *text) properties(r *Report) {
	for _, p := range r.Properties {
		if p.unasked() {
			continue
		}
		t.line("property %s: %s", p.Name, p.verdicts())
		for _, s := range p.Said {
			t.line("  %s", s)
		}
		if p.Why != "" {
			t.line("  in %s:", p.Model)
			for i, s := range p.Way {
				t.line("    %d. %s: %s", i+1, s.Event, s.Row)
			}
			for l := range strings.SplitSeq(p.Why, "\n") {
				t.line("    %s", l)
			}
		}
	}
	var open []string
	for _, p := range r.Properties {
		if p.unasked() {
			open = append(open, p.Name)
		}
	}
	t.section("told before, and no model's job any more", open)
}

// unasked reports whether all there is to say is that no model tells any more.
func (p *Property) unasked() bool { return p.Before != "" && p.After == notTold && !p.Restated }

func (p *Property) verdicts() string {
	switch {
	case p.Before == "" && p.After == "":
		return "says something else"
	case p.Before == "":
		return "new, " + p.After
	case p.Before == p.After:
		return p.After + " as before, and says something else"
	}
	return p.Before + " before, " + p.After + " now"
}

func (t *text) lists(r *Report) {
	for _, s := range r.sections() {
		t.section(s.heading, s.items)
	}
	if s := r.counts(); s != "" {
		t.line("%s", s)
	}
}

// listing is a section of short lines.
type listing struct {
	heading string
	items   []string
}

// sections returns all that is told in lines, the weightiest first.
func (r *Report) sections() []listing {
	var out []listing
	add := func(heading string, items []string) {
		if len(items) > 0 {
			out = append(out, listing{heading, items})
		}
	}
	add("edges gained", edgeLines(r.Gained))
	add("edges lost", edgeLines(r.Lost))
	add("gone", itemLines(r.Removed))
	add("new", itemLines(r.Added))
	add("renamed", renameLines(r.Renamed))
	var orders []string
	for _, o := range r.Orders {
		orders = append(orders, fmt.Sprintf("%s: %s → %s", o.Event, strings.Join(o.Before, ", "), strings.Join(o.After, ", ")))
	}
	add("checks in another order", orders)
	add("written otherwise", changeLines(r.Rows))
	add("declared otherwise", changeLines(r.Declared))
	add("environment of the model", changeLines(r.Environment))
	add("bounds", changeLines(r.Bounds))
	var codes []string
	for _, c := range r.Unanswered {
		codes = append(codes, c+" is no longer answered by any row; callers may still look for it")
	}
	add("codes", codes)
	add("wording only", r.Wording)
	add("order only", r.Order)
	return out
}

func edgeLines(edges []Edge) []string {
	var out []string
	for _, e := range edges {
		s := e.From + " → " + e.To + " by " + e.Event
		if e.Of != "" {
			s = e.Of + ": " + s
		}
		out = append(out, s)
	}
	return out
}

func itemLines(items []Item) []string {
	var out []string
	for _, it := range items {
		if it.Kind == wholeTable {
			continue // the headline says it
		}
		s := it.Kind + " " + it.Name
		if it.Says != "" {
			s += ": " + it.Says
		}
		out = append(out, s)
	}
	return out
}

func renameLines(renames []Rename) []string {
	var out []string
	for _, n := range renames {
		s := fmt.Sprintf("%s %s is now %s", n.Kind, n.Old, n.New)
		if n.Kind == "code" {
			s += ": " + count(n.Uses, "check or row", "checks and rows") + ", and every caller that looks for the old name"
		}
		out = append(out, s)
	}
	return out
}

func changeLines(changes []Change) []string {
	var out []string
	for _, ch := range changes {
		out = append(out, ch.Kind+" "+ch.Name+": "+said(ch))
	}
	return out
}

// counts says what else is known, in one line.
func (r *Report) counts() string {
	var out []string
	if r.Graph != "" {
		out = append(out, "graph: "+r.Graph)
	}
	if r.Holding > 0 {
		out = append(out, count(r.Holding, "other property holds", "other properties hold")+" before and after")
	}
	if r.Unasked > 0 && r.Verdict != Same {
		out = append(out, "nothing that "+count(r.Unasked, "property speaks", "properties speak")+" of changed")
	}
	pairs := 0
	for _, w := range r.Explored {
		pairs += w.Pairs
	}
	if pairs > 0 {
		out = append(out, fmt.Sprintf("%s walked in lockstep, %s pairs of states", count(len(r.Explored), "model", "models"), thousands(pairs)))
	}
	return strings.Join(out, "; ")
}

// thousands writes n with commas.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
