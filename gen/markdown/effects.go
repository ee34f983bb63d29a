package markdown

import (
	"strings"

	"github.com/interlock-go/interlock/spec"
)

// inOrder lists what each row emits, in order; rows that emit the same share a
// line.
func (p *page) inOrder() {
	var order []string
	rows := map[string][]string{}
	for _, r := range p.t.Rows() {
		if r.Outcome != spec.Move || r.Event != nil && r.Event.By == "world" {
			continue
		}
		text := emitted(r)
		if rows[text] == nil {
			order = append(order, text)
		}
		rows[text] = append(rows[text], code(r.Name()))
	}
	p.printf("\n")
	p.header("row", "effects in order")
	for _, text := range order {
		p.row(strings.Join(rows[text], " "), text)
	}
}

func emitted(r *spec.Row) string {
	var parts []string
	for _, e := range r.Emit {
		text := code(e.Src)
		if e.Each != nil {
			text += " for each " + code(e.Each.Name) + " in " + code(e.InSrc)
		}
		parts = append(parts, text)
	}
	if r.Then != nil {
		parts = append(parts, "then those of "+linked(r.Then))
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}
