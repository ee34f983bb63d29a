package golang

import (
	"slices"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec/expr"
)

// explain prints the file that tells people why a step goes as it does.
func (p *printer) explain() {
	p.header()
	p.printf("package %s\n\nimport %q\n\n", p.pkg(), runtime)
	p.comment("Explain lists the conditions of each row of e's event, in the table's words and order, and whether they hold now: Step takes the first row, checks before rows, whose conditions all hold. It is for people, and allocates.")
	binding := ""
	if slices.ContainsFunc(p.decisions, p.readsArgs) {
		binding = "e := "
	}
	p.printf("func (m *Machine) Explain(e Event) []fsm.Guard {\nswitch %se.(type) {\n", binding)
	for _, e := range p.Events {
		p.printf("case %s:\n", names.Exported(e.Name))
		p.printf("return []fsm.Guard{\n")
		for _, d := range p.decisions {
			if d.event == e {
				p.guardsOf(d)
			}
		}
		p.printf("}\n")
	}
	p.printf("}\nreturn nil\n}\n")
}

func (p *printer) guardsOf(d decision) {
	if d.row == nil {
		cond := d.arg.Sym.Name + " is outside " + d.arg.Sym.Type.String()
		p.printf("{Row: %q, Cond: %q, Holds: %s},\n", d.name(), cond, p.outside(d.arg))
		return
	}
	guards := p.guards(d.row)
	for i, cond := range conditions(d.row) {
		p.printf("{Row: %q, Cond: %q, Holds: %s},\n", d.name(), cond, p.operand(guards[i], 0))
	}
	if len(guards) == 0 {
		p.printf("{Row: %q, Cond: \"always\", Holds: true},\n", d.name())
	}
}

// readsArgs reports whether a condition of the decision reads an argument.
func (p *printer) readsArgs(d decision) bool {
	return d.row == nil || slices.ContainsFunc(p.guards(d.row), func(n *expr.Node) bool {
		return len(n.Reads(expr.SymArg)) > 0
	})
}
