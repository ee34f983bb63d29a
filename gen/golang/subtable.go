package golang

import (
	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
)

// doing returns the name of the method that does what a row of s says.
func doing(s *spec.SubTable) string { return names.Local(s.Name) + "Do" }

// subTable prints a sub-table as two methods: one says which of its rows
// applies, the other does what the row says. So a row that must never apply is
// found before the row that goes on with it has changed anything.
func (p *printer) subTable(s *spec.SubTable) {
	name := names.Local(s.Name)
	if s.Doc != "" {
		p.comment("%s is the row with which another one goes on: %s", name, lowerFirst(s.Doc))
	} else {
		p.comment("%s is the row with which another one goes on.", name)
	}
	p.printf("func (m *Machine) %s(row Row) Decision {\nswitch {\n", name)
	b := body{printer: p}
	for _, r := range s.Rows {
		p.describe(r)
		p.printf("case %s:\nreturn Decision{row, %s}", b.conjunction(b.guards(r)), names.Row(r))
		if r.Outcome != spec.Move {
			p.printf(" // %s", r.Outcome)
		}
		p.printf("\n")
	}
	p.printf("}\nreturn Decision{}\n}\n\n")

	params, result := "row Row", ""
	if anyEmits(s) {
		params, result = "row Row, buf []Effect", " []Effect"
	}
	p.comment("%s does what that row says.", doing(s))
	p.printf("func (m *Machine) %s(%s)%s {\nswitch row {\n", doing(s), params, result)
	first := true
	for _, r := range s.Rows {
		if r.Outcome != spec.Move {
			continue
		}
		if !first {
			p.printf("\n")
		}
		first = false
		p.printf("case %s:\n", names.Row(r))
		b.does(r)
	}
	p.printf("}\n")
	if anyEmits(s) {
		p.printf("return buf\n")
	}
	p.printf("}\n\n")
}

// goOn prints how a row goes on with the row of a sub-table that was found.
func (b *body) goOn(s *spec.SubTable) {
	if anyEmits(s) {
		b.printf("buf = m.%s(d.Then, buf)\n", doing(s))
		return
	}
	b.printf("m.%s(d.Then)\n", doing(s))
}

// twofold prints Decision where steps may be decided by two rows.
func (p *printer) twofold() {
	p.comment("Decision names the row that decided a step, and the row of a sub-table that it went on with, if it did.")
	p.printf("type Decision struct{ Row, Then Row }\n\n")
	p.comment("Info returns what the table says about the step: what it says of Row, unless Then is one that must never apply. It allocates the name if there are two rows.")
	p.printf(`func (d Decision) Info() fsm.Info {
	info := d.Row.Info()
	if d.Then != NoRow {
		if then := d.Then.Info(); then.Kind != fsm.Move {
			info = then
		}
		info.Name = d.String()
	}
	return info
}

`)
	for _, e := range p.Events {
		for _, r := range e.Rows {
			if r.Then != nil {
				p.comment("String returns d's name in the table, as in %q.", r.Name()+"+"+r.Then.Rows[0].Name())
				p.printf(`func (d Decision) String() string {
	if d.Then == NoRow {
		return d.Row.String()
	}
	return d.Row.String() + "+" + d.Then.String()
}

`)
				return
			}
		}
	}
}
