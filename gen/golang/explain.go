package golang

import (
	"slices"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// explain prints the file that tells people why a step goes as it does.
func (p *printer) explain() {
	p.header()
	p.source(p.explainMethod)
}

func (p *printer) explainMethod() {
	then := ""
	if len(p.Tables) > 0 {
		then = " Rows of a sub-table that some of them go on with stand last, and are taken in the same way."
	}
	p.comment("Explain lists the conditions of each row of e's event, in the table's words and order, and whether they hold now: Step takes the first row, checks before rows, whose conditions all hold.%s It is for people, and allocates.", then)
	binding := ""
	if slices.ContainsFunc(p.decisions, p.readsArgs) {
		binding = "e := "
	}
	p.printf("func (m *Machine) Explain(e Event) []%s {\nswitch %se.(type) {\n", p.of("fsm", "Guard"), binding)
	for _, e := range p.Events {
		p.printf("case %s:\n", names.Exported(e.Name))
		p.subject(e, func() {
			p.printf("return []fsm.Guard{\n")
			for _, d := range p.decisions {
				if d.event == e || d.event == nil && goesOn(e, d.row.Table) {
					p.guardsOf(d)
				}
			}
			p.printf("}\n")
		})
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
	for i, cond := range p.conditions(d.row) {
		p.printf("{Row: %q, Cond: %q, Holds: %s},\n", d.name(), cond, p.operand(guards[i], 0))
	}
	if len(guards) == 0 {
		p.printf("{Row: %q, Cond: \"always\", Holds: true},\n", d.name())
	}
}

// goesOn reports whether a row of e goes on with a row of s.
func goesOn(e *spec.Event, s *spec.SubTable) bool {
	return slices.ContainsFunc(e.Rows, func(r *spec.Row) bool { return r.Then == s })
}

// readsArgs reports whether a condition of the decision reads an argument.
func (p *printer) readsArgs(d decision) bool {
	return d.row == nil || slices.ContainsFunc(p.guards(d.row), func(n *expr.Node) bool {
		return len(n.Reads(expr.SymArg)) > 0
	})
}
