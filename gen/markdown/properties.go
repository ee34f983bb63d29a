package markdown

import (
	"fmt"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// properties writes the sizes, then which property is which size's job, then
// what each is given.
func (p *page) properties() {
	if len(p.t.Properties) == 0 {
		return
	}
	p.section("Properties")
	if len(p.t.Models) > 0 {
		p.sizes()
		p.printf("\n")
	}
	head := []string{"property", "says"}
	for _, m := range p.t.Models {
		head = append(head, prose(m.Name))
	}
	p.header(head...)
	for _, q := range p.t.Properties {
		line := []string{prose(q.Name), says(q)}
		for _, m := range p.t.Models {
			dot := ""
			if slices.Contains(m.Checks, q) {
				dot = "●"
			}
			line = append(line, dot)
		}
		p.row(line...)
	}
	first := true
	for _, q := range p.t.Properties {
		for _, a := range q.Given {
			if first {
				p.printf("\n")
				first = false
			}
			p.printf("- %s is given %s. Without it, it must fail.\n", code(q.Name), assumed(a))
		}
	}
}

// sizes writes a line a model: how many of each there are, and what is assumed.
func (p *page) sizes() {
	t := p.t
	head := []string{"size"}
	if t.Per != "" {
		head = append(head, prose(t.Per))
	}
	var types []*expr.Type
	for _, typ := range t.Types {
		if (typ.Kind == expr.Identity || typ.Kind == expr.Serial) && typ.Name != t.Per {
			types = append(types, typ)
			head = append(head, prose(typ.Name))
		}
	}
	for _, param := range t.Params {
		head = append(head, prose(param.Name))
	}
	p.header(append(head, "assumes", "what it is for")...)
	for _, m := range t.Models {
		line := []string{prose(m.Name)}
		if t.Per != "" {
			line = append(line, fmt.Sprint(m.Instances))
		}
		for _, typ := range types {
			n := ""
			if size, ok := m.Sizes[typ]; ok {
				n = fmt.Sprint(size)
			}
			line = append(line, n)
		}
		for i, param := range t.Params {
			line = append(line, setting(m, i, param))
		}
		p.row(append(line, strings.Join(p.assumes(m), ", "), prose(m.Doc))...)
	}
}

// assumes names what a size assumes, in the words that are short for it.
func (p *page) assumes(m *spec.Model) []string {
	if m.Alone {
		return []string{"no world"}
	}
	told := map[*spec.Assumption]bool{}
	var out []string
	for _, a := range slices.Backward(p.t.Assumptions) { // what is short for others stands after them
		if !m.Assumes(a) || told[a] {
			continue
		}
		for _, part := range a.Parts() {
			told[part] = true
		}
		for _, b := range a.All {
			told[b] = true
		}
		out = append(out, prose(a.Name))
	}
	slices.Reverse(out)
	return out
}

// setting returns the value of parameter i in m as the table writes it.
func setting(m *spec.Model, i int, param *expr.Symbol) string {
	switch {
	case i >= len(m.Params):
		return ""
	case param.Type.Kind == expr.Bool:
		return fmt.Sprint(m.Params[i] != 0)
	}
	return fmt.Sprint(m.Params[i])
}

// says returns a property's sentence, or its source where it has none.
func says(q *spec.Property) string {
	text := sentence(q.Doc)
	if text == "" {
		var parts []string
		switch {
		case q.Kind == spec.Eventually:
			each := ""
			for _, s := range q.Each {
				each += "for each " + code(s.Name+" "+s.Type.String()) + ": "
			}
			parts = append(parts, each+code(q.FromSrc)+" leads to "+code(q.ToSrc)+".")
		case q.Kind == spec.Ends:
			parts = append(parts, "Nothing changes any more only where "+code(q.Src)+".")
		case q.Src != "":
			parts = append(parts, code(q.Src))
		}
		for i, c := range q.Clauses {
			if before := i - 1; before >= 0 && c.Answered && q.Clauses[before].Answered && q.Clauses[before].Pos == c.Pos {
				continue // it is told for all rows of its event
			}
			parts = append(parts, clause(c))
		}
		text = strings.Join(parts, "; ")
	}
	if len(q.Fair) > 0 {
		text += " Fair: " + list(fairness(q.Fair), "and") + "."
	}
	return strings.TrimSpace(text)
}

func clause(c *spec.Clause) string {
	when, what := "", ""
	if c.Answered {
		return "whatever " + code(c.Event.Name) + " is answered: " + code(c.Src)
	}
	if c.Row != nil {
		what = code(c.Row.Name())
	} else if c.Event != nil {
		what = code(c.Event.Name)
	}
	switch c.Kind {
	case spec.After:
		when = "after " + what
	case spec.Refused:
		when = "where " + what + " is refused"
	case spec.AlwaysApart:
		when = "always"
		if len(c.Except) > 0 {
			when += " but after " + list(eventNames(c.Except), "or")
		}
	}
	return when + ": " + code(c.Src)
}

func fairness(fs []*spec.Fairness) []string {
	var out []string
	for _, f := range fs {
		text := code(f.String())
		if f.Why != "" {
			text += " (" + prose(f.Why) + ")"
		}
		out = append(out, text)
	}
	return out
}

func eventNames(es []*spec.Event) []string {
	var ns []string
	for _, e := range es {
		ns = append(ns, code(e.Name))
	}
	return ns
}

func assumed(a *spec.Assumption) string {
	if a.Doc == "" {
		return prose(a.Name)
	}
	return prose(a.Name) + ": " + strings.TrimSuffix(sentence(a.Doc), ".")
}
