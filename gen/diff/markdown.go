package diff

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/interlock-go/interlock/gen/markdown"
)

// Limit is how many characters a comment on GitHub may have.
const Limit = 65_536

// Marker is the first line of a comment, by which the next run finds it.
const Marker = "<!-- interlock diff: this comment is replaced at each push -->"

// caps are how many items a list shows, tried one after the other until the
// comment is short enough.
var caps = []int{1000, 200, 60, 25, 10, 5, 3, 1}

// Markdown returns the reports as one comment on a pull request: shorter than
// [Limit], with counts of what was left out.
func Markdown(reports []*Report) string {
	for _, n := range caps {
		if text := comment(reports, n); utf8.RuneCountInString(text) < Limit {
			return text
		}
	}
	var b strings.Builder
	b.WriteString(Marker + "\n")
	for i, r := range reports {
		line := "- " + prose(r.Headline()) + "\n"
		if utf8.RuneCountInString(b.String()+line) > Limit-100 {
			fmt.Fprintf(&b, "- … and %s\n", count(len(reports)-i, "table", "tables"))
			break
		}
		b.WriteString(line)
	}
	return b.String()
}

func comment(reports []*Report, most int) string {
	var b strings.Builder
	b.WriteString(Marker + "\n")
	var unchanged []string
	for _, r := range reports {
		if r.Verdict == Same {
			unchanged = append(unchanged, prose(r.Machine))
			continue
		}
		m := &comments{most: most}
		m.report(r)
		b.WriteString(m.b.String())
		if b.Len() > 8*Limit {
			break // too long in any case
		}
	}
	if unchanged != nil {
		if len(unchanged) < len(reports) {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "No change: %s.\n", strings.Join(unchanged, ", "))
	}
	return b.String()
}

// comments writes reports, at most so many items a list.
type comments struct {
	most int
	b    strings.Builder
}

func (m *comments) printf(format string, args ...any) { fmt.Fprintf(&m.b, format, args...) }

// longest is how much of one name, sentence or expression is shown.
const longest = 240

func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}

// prose shows s as it is written. A name after an at sign must not call
// somebody: in a comment it would.
func prose(s string) string {
	return strings.ReplaceAll(markdown.Prose(shorten(s, longest)), "@", "@\u200b")
}

func code(s string) string { return markdown.Code(shorten(s, longest)) }

func codes(list []string) string {
	var out []string
	for _, s := range list {
		out = append(out, code(s))
	}
	return strings.Join(out, ", ")
}

func (m *comments) report(r *Report) {
	m.printf("## %s\n\n", prose(r.Headline()))
	m.printf("%s", verdictWords[r.Verdict])
	if reasons := r.otherReasons(); len(reasons) > 0 {
		m.printf(" %s", prose(upperFirst(strings.Join(m.first(reasons), "; "))))
		m.rest(len(reasons), "; and %d more")
		m.printf(".")
	}
	m.printf("\n\n")
	m.failed(r)
	m.decisions(r)
	m.pictures(r)
	m.properties(r)
	m.notes(r)
}

// otherReasons are those that no table of the comment shows.
func (r *Report) otherReasons() []string {
	return slices.DeleteFunc(slices.Clone(r.Reasons), func(s string) bool {
		return strings.HasSuffix(s, " differently") || strings.HasPrefix(s, "the property ") && strings.HasSuffix(s, " fails")
	})
}

var verdictWords = map[Verdict]string{
	Breaking: "**Breaking.**", Harmless: "Every command is answered as before.", Unknown: "**It can't be told** what this means.",
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

func (m *comments) first(list []string) []string { return list[:min(len(list), m.most)] }

// rest says how many of n were left out.
func (m *comments) rest(n int, format string) {
	if n > m.most {
		m.printf(format, n-m.most)
	}
}

func (m *comments) failed(r *Report) {
	for _, f := range r.Failed {
		m.printf("%s can't be read:\n\n", code(f.Table))
		var lines []string
		for _, d := range m.first(f.Diagnostics) {
			lines = append(lines, strings.Split(shorten(d, 2000), "\n")...)
		}
		fence := "```"
		for strings.Contains(strings.Join(lines, "\n"), fence) {
			fence += "`"
		}
		m.printf("%stext\n%s\n%s\n", fence, strings.Join(lines, "\n"), fence)
		m.rest(len(f.Diagnostics), "\n… and %d more.\n")
		m.printf("\n")
	}
}

func (m *comments) decisions(r *Report) {
	if len(r.Decisions) == 0 {
		return
	}
	m.printf("%s|---|---|---|---|---|\n", markdown.Cells("event", "in", "when", "before", "after"))
	for i := range r.Decisions[:min(len(r.Decisions), m.most)] {
		d := &r.Decisions[i]
		m.printf("%s", markdown.Cells(code(d.Event), prose(d.place()), prose(strings.TrimPrefix(strings.TrimPrefix(when(d.When), ", "), "when ")), d.Before.cell(false), d.After.cell(true)))
	}
	m.rest(len(r.Decisions), "\n… and %d more.\n")
	m.printf("\n")
}

// cell is an answer in a table; what is new stands out.
func (a *Answer) cell(bold bool) string {
	s := prose(a.Outcome)
	switch {
	case a.Code != "":
		s += " " + prose(a.Code)
	case a.Claim != "":
		s += ": " + prose(a.Claim)
	case a.To != "":
		s = "→ " + prose(a.To)
	}
	if bold {
		s = "**" + s + "**"
	}
	for _, d := range a.Does {
		s += ", " + code(d)
	}
	return s + " " + code(a.Row)
}

func (m *comments) pictures(r *Report) {
	for i := range r.Orders[:min(len(r.Orders), m.most)] {
		m.printf("Checks of %s changed places:\n\n```mermaid\n%s```\n\n", code(r.Orders[i].Event), r.Orders[i].picture())
	}
	if f := r.picture(); f != nil {
		m.printf("```mermaid\n%s```\n\n", f)
	}
}

func (m *comments) properties(r *Report) {
	var rows []string
	for i := range r.Properties {
		p := &r.Properties[i]
		if p.unasked() {
			continue
		}
		name := prose(p.Name)
		if p.Doc != "" {
			name += ": " + prose(p.Doc)
		}
		after := prose(p.After)
		if p.After == fails {
			after = "**fails**"
		}
		way := m.way(p.Way)
		switch {
		case p.Endless && len(p.Loop) > 0:
			way += "; from there again and again " + m.way(p.Loop)
		case p.Endless:
			way += "; from there nothing changes any more"
		}
		if p.After == fails && way == "" {
			way = prose(p.Why)
		}
		rows = append(rows, markdown.Cells(name, prose(p.Before), after, way))
	}
	if len(rows) == 0 {
		return
	}
	m.printf("%s|---|---|---|---|\n%s", markdown.Cells("property", "before", "after", "shortest way there"), strings.Join(m.first(rows), ""))
	m.rest(len(rows), "\n… and %d more.\n")
	m.printf("\n")
}

// way is a sequence of commands by their rows.
func (m *comments) way(steps []Step) string {
	var out []string
	for _, s := range steps {
		text := code(s.Row)
		if s.Values != "" {
			text += " (" + prose(s.Values) + ")"
		}
		out = append(out, text)
	}
	text := strings.Join(m.first(out), ", ")
	if len(out) > m.most {
		text += fmt.Sprintf(", and %d more", len(out)-m.most)
	}
	return text
}

// notes are the bullets below the tables.
func (m *comments) notes(r *Report) {
	note := func(format string, args ...any) { m.printf("- "+format+"\n", args...) }
	for i := range r.Decisions[:min(len(r.Decisions), m.most)] {
		d := &r.Decisions[i]
		last := d.Way[len(d.Way)-1]
		then := code(last.Event)
		if len(d.Way) > 1 {
			then = m.way(d.Way[:len(d.Way)-1]) + ", then " + then
		}
		note("%s in %s is shown by: %s (model %s%s).", code(d.Event), prose(d.place()), then, prose(d.In), prose(strings.TrimSuffix(d.Follows.way(), ",")))
	}
	for i := range r.Properties {
		for _, s := range r.Properties[i].Said {
			note("%s says something else: %s", prose(r.Properties[i].Name), code(s))
		}
	}
	for i := range r.Unseen[:min(len(r.Unseen), m.most)] {
		u := &r.Unseen[i]
		note("%s in %s is written otherwise: %s.", code(u.Event), prose(atPlace(u.State, u.Part)), prose(u.say()))
		for _, l := range u.paper() {
			m.printf("  - %s\n", prose(l))
		}
	}
	m.rest(len(r.Unseen), "- … and %d more cells that are written otherwise.\n")
	var open []string
	for _, p := range r.Properties {
		if p.unasked() {
			open = append(open, p.Name)
		}
	}
	if open != nil {
		note("No model's job any more: %s.", strings.Join(prosed(m.first(open)), ", "))
		m.rest(len(open), "  … and %d more.\n")
	}
	for _, s := range r.sections() {
		m.section(s)
	}
	if r.askPerson() {
		note("All properties hold before and after, so **a person must decide**.")
	}
	if s := r.counts(); s != "" {
		note("%s.", prose(upperFirst(s)))
	}
	m.printf("\n")
}

// askPerson reports whether a decision changed that no property speaks of.
func (r *Report) askPerson() bool {
	return len(r.Decisions) > 0 && r.Holding > 0 && !slices.ContainsFunc(r.Properties, func(p Property) bool { return p.After == fails })
}

func prosed(list []string) []string {
	var out []string
	for _, s := range list {
		out = append(out, prose(s))
	}
	return out
}

func (m *comments) section(s listing) {
	if len(s.items) == 1 {
		m.printf("- %s: %s\n", upperFirst(s.heading), prose(s.items[0]))
		return
	}
	m.printf("- %s:\n", upperFirst(s.heading))
	for _, it := range m.first(s.items) {
		m.printf("  - %s\n", prose(it))
	}
	m.rest(len(s.items), "  - … and %d more\n")
}
