// Package markdown prints the page that reviewers read: a machine's picture,
// its decisions and its properties, in the words of the table.
//
// A page changes where its table changes: no column is padded, no line is
// numbered, and counts stand in one line at the top. What the table has no
// words for is shown as it is written there, as code.
package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/spec"
)

// ErrName says that a machine's name can't name its page.
var ErrName = errors.New("the machine's name is no file name")

// Files returns the page of t, docs/NAME.md. It fails with ErrName only.
func Files(t *spec.Table) ([]file.File, error) {
	if t.Name == "" || strings.HasPrefix(t.Name, ".") || strings.ContainsAny(t.Name, `/\:`) {
		return nil, fmt.Errorf("%w: %q", ErrName, t.Name)
	}
	p := &page{t: t, reach: newReach(t)}
	p.picture()
	if err := p.together(); err != nil {
		return nil, err
	}
	p.glance()
	p.decisions()
	p.variables()
	p.effects()
	p.actors()
	p.codes()
	p.properties()
	p.world()
	body := p.buf
	p.buf = bytes.Buffer{}
	p.top()
	p.buf.Write(body.Bytes())
	return []file.File{{Path: "docs/" + t.Name + ".md", Data: p.buf.Bytes()}}, nil
}

// page is a page being written.
type page struct {
	t        *spec.Table
	reach    *reach
	buf      bytes.Buffer
	sections []string // headings so far
}

func (p *page) printf(format string, args ...any) { fmt.Fprintf(&p.buf, format, args...) }

// section begins a section; contents lists it.
func (p *page) section(heading string) {
	p.sections = append(p.sections, heading)
	p.printf("\n## %s\n\n", heading)
}

// row writes a line of a table. A pipe is escaped in every cell, in code too.
func (p *page) row(cells ...string) {
	for _, c := range cells {
		if c == "" {
			p.printf("| ")
			continue
		}
		p.printf("| %s ", strings.ReplaceAll(c, "|", `\|`))
	}
	p.printf("|\n")
}

// header writes a table's first two lines.
func (p *page) header(cells ...string) {
	p.row(cells...)
	p.printf("%s|\n", strings.Repeat("|---", len(cells)))
}

// top writes what stands above the first section, contents included.
func (p *page) top() {
	t := p.t
	source := strings.NewReplacer("\n", " ", "\r", " ", ">", "", "<", "").Replace(path.Base(t.Path))
	p.printf("<!-- %s Table: sha256:%s -->\n", file.Marker(source), t.Hash)
	p.printf("# %s\n", prose(t.Name))
	if t.Doc != "" {
		p.printf("\n%s\n", prose(t.Doc))
	}
	if t.Base != "" {
		p.printf("\nA change of **%s**", prose(t.Base))
		if t.Fails != "" {
			p.printf(", rejected: %s must fail", prose(t.Fails))
		}
		p.printf(".\n")
	}
	p.printf("\n%s\n\n**Contents:** ", p.counts())
	for i, s := range p.sections {
		if i > 0 {
			p.printf(" · ")
		}
		p.printf("[%s](#%s)", s, anchor(s))
	}
	p.printf("\n")
}

// anchor returns what a heading of ours is linked by.
func anchor(heading string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(heading), ",", ""), " ", "-")
}

// counts returns the one line that holds every count.
func (p *page) counts() string {
	t := p.t
	states := number(len(t.States), "state")
	if len(t.Parts) > 0 {
		states = number(len(t.States), p.itself()+" state")
	}
	if len(p.reach.only) > 0 {
		states += fmt.Sprintf(" (%s only with %s)", list(names(t.States, p.reach.only), "and"), prose(p.reach.param.Name))
	}
	for _, o := range t.Parts {
		states += ", " + number(len(o.States), prose(lowerFirst(o.Key.Name))+" state")
		if only := p.reach.partOnly(o, p.reach.param); len(only) > 0 {
			states += fmt.Sprintf(" (%s only with %s)", list(names(o.States, only), "and"), prose(p.reach.param.Name))
		}
	}
	checks, rows := 0, 0
	by := map[spec.Outcome]int{}
	for _, e := range t.Events {
		checks += len(e.Checks)
		rows += len(e.Rows)
		for _, r := range e.Rows {
			by[r.Outcome]++
		}
	}
	s := states + ", " + number(len(t.Events), "event") + ", " + number(checks, "check") + ", " + number(rows, "row")
	var kinds []string
	for _, o := range []spec.Outcome{spec.Move, spec.Stay, spec.Refuse, spec.Ignore} {
		if by[o] > 0 {
			kinds = append(kinds, fmt.Sprintf("%d %s", by[o], o))
		}
	}
	if by[spec.Never] > 0 {
		verb := "are"
		if by[spec.Never] == 1 {
			verb = "is"
		}
		kinds = append(kinds, fmt.Sprintf("%d %s shown never to occur", by[spec.Never], verb))
	}
	if len(kinds) > 0 {
		s += ": " + strings.Join(kinds, ", ")
	}
	for _, sub := range t.Tables {
		s += "; sub-table " + linked(sub) + " of " + number(len(sub.Rows), "row")
	}
	s += "."
	if groups := p.groups(); groups != "" {
		s += " Groups: " + groups + "."
	}
	if t.Per != "" {
		s += fmt.Sprintf(" One machine %s.", article(prose(lowerFirst(t.Per))))
	}
	return s
}

func (p *page) groups() string {
	var gs []string
	for _, g := range p.t.Groups {
		gs = append(gs, fmt.Sprintf("**%s** = %s", prose(g.Name), strings.Join(names(p.t.States, g.Members), ", ")))
	}
	for _, o := range p.t.Parts {
		for _, g := range o.Groups {
			gs = append(gs, fmt.Sprintf("**%s** = %s", prose(g.Name), strings.Join(names(o.States, g.Members), ", ")))
		}
	}
	return strings.Join(gs, "; ")
}
