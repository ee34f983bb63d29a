package golang

import (
	"fmt"
	"strings"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// definitionDecls prints the table's definitions as methods.
func (p *printer) definitionDecls() {
	for _, d := range p.defs {
		name := names.Local(d.Name)
		if d.Doc != "" {
			p.comment("%s: %s", name, lowerFirst(d.Doc))
		} else {
			p.comment("%s is a definition of the table.", name)
		}
		p.function(name, d.Body)
	}
}

// predicateDecls prints the invariants that Go can tell.
func (p *printer) predicateDecls() {
	for _, i := range p.predicates {
		p.comment("%s is an invariant of every reachable Machine. %s", names.Exported(i.Name), i.Doc)
		p.function(names.Exported(i.Name), i.Holds)
	}
}

func (p *printer) function(name string, body *expr.Node) {
	n := normal(body)
	if n.Op != expr.OpCond {
		p.printf("func (m *Machine) %s() %s { return %s }\n\n", name, p.goType(body.Type), p.operand(n, 0))
		return
	}
	p.printf("func (m *Machine) %s() %s {\n", name, p.goType(body.Type))
	p.giveBack(n)
	p.printf("}\n\n")
}

// giveBack prints the return of a value, one for each of its cases.
func (p *printer) giveBack(n *expr.Node) {
	for ; n.Op == expr.OpCond; n = n.Args[2] {
		p.printf("if %s {\n", p.operand(n.Args[0], 0))
		p.giveBack(n.Args[1])
		p.printf("}\n")
	}
	p.printf("return %s\n", p.operand(n, 0))
}

func (p *printer) effectDecls() {
	if len(p.Effects) == 0 {
		p.comment("Effect is something for the caller to do; this table has none.")
		p.printf("type Effect struct{}\n\n")
		return
	}
	p.comment("Effect is something for the caller to do, after the step is kept.")
	p.printf("type Effect struct {\n")
	block := []line{{code: "Kind EffectKind"}}
	for _, f := range p.fields {
		doc := ""
		if len(p.Effects) > 1 {
			doc = "of " + list(effectNames(f.of), "and")
		}
		block = append(block, line{f.name + " " + p.goType(f.typ), doc})
	}
	p.lines(block)
	p.printf("}\n\n")

	p.comment("EffectKind says which fields of an Effect are set.")
	p.printf("type EffectKind %s\n\nconst (\n", small(len(p.Effects)))
	for i, e := range p.Effects {
		if i > 0 {
			p.printf("\n")
		}
		p.comment("%s is %s. %s", kindOf(e), signature(e), e.Doc)
		p.printf("%s", kindOf(e))
		if i == 0 {
			p.printf(" EffectKind = iota + 1")
		}
		p.printf("\n")
	}
	p.printf(")\n\n")
	for _, e := range p.Effects {
		p.constructor(e)
	}
}

func kindOf(e *spec.Effect) string { return "Effect" + names.Exported(e.Name) }

func effectNames(es []*spec.Effect) []string {
	var out []string
	for _, e := range es {
		out = append(out, e.Name)
	}
	return out
}

func signature(e *spec.Effect) string {
	var args []string
	for _, a := range e.Args {
		args = append(args, a.Name+" "+a.Type.String())
	}
	return e.Name + "(" + strings.Join(args, ", ") + ")"
}

func (p *printer) constructor(e *spec.Effect) {
	params, fields := make([]string, len(e.Args)), []string{"Kind: " + kindOf(e)}
	for i, a := range e.Args {
		params[i] = names.Local(a.Name)
		fields = append(fields, p.fieldOf(a).name+": "+params[i])
		if i == len(e.Args)-1 || p.goType(e.Args[i+1].Type) != p.goType(a.Type) {
			params[i] += " " + p.goType(a.Type)
		}
	}
	p.printf("func %s(%s) Effect {\n", names.Local(e.Name), strings.Join(params, ", "))
	if s := strings.Join(fields, ", "); len(s) < width {
		p.printf("return Effect{%s}\n}\n\n", s)
		return
	}
	p.printf("return Effect{\n%s,\n}\n}\n\n", strings.Join(fields, ",\n"))
}

func (p *printer) decisionDecls() {
	example := p.decisions[0].name()
	p.uses["fsm"] = true
	if len(p.Tables) > 0 {
		p.twofold()
	} else {
		p.comment("Decision names the row that decided a step.")
		p.printf("type Decision struct{ Row Row }\n\n")
		p.comment("String returns d's name in the table, as in %q.", example)
		p.printf("func (d Decision) String() string { return d.Row.String() }\n\n")
		p.printf("// Info returns what the table says about the row.\n")
		p.printf("func (d Decision) Info() fsm.Info { return d.Row.Info() }\n\n")
	}

	if len(p.Tables) > 0 {
		p.comment("Row names a row by its event or sub-table and itself.")
	} else {
		p.comment("Row names a row by its event and itself.")
	}
	p.printf("type Row %s\n\nconst (\n", small(len(p.decisions)))
	p.printf("NoRow Row = iota // no row applies; the checker excludes it for every Machine that Step made\n")
	for _, d := range p.decisions {
		o, code := d.outcome()
		if d.row != nil && d.row.Then != nil {
			code = "and " + d.row.Then.Name
		}
		p.printf("%s // %s\n", d.constant(), strings.TrimSpace(fmt.Sprintf("%s: %s %s", d.name(), o, code)))
	}
	p.printf("\nRows = iota - 1 // how many there are\n)\n\n")

	p.printf("var rows = [...]fsm.Info{\nNoRow: {Name: \"none\", Kind: fsm.Internal},\n")
	for _, d := range p.decisions {
		o, code := d.outcome()
		if code != "" {
			code = fmt.Sprintf(", Code: %q", code)
		}
		p.printf("%s: {Name: %q, Kind: fsm.%s%s},\n", d.constant(), d.name(), kinds[o], code)
	}
	p.printf("}\n\n")
	p.comment("Info returns what the table says about r.")
	p.printf("func (r Row) Info() fsm.Info {\nif int(r) < len(rows) {\nreturn rows[r]\n}\nreturn rows[NoRow]\n}\n\n")
	p.comment("String returns r's name in the table, as in %q.", example)
	p.printf("func (r Row) String() string { return r.Info().Name }\n")
}

var kinds = map[spec.Outcome]string{
	spec.Move: "Move", spec.Stay: "Stay", spec.Refuse: "Refuse", spec.Ignore: "Ignore", spec.Never: "Internal",
}
