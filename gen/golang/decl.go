package golang

import (
	"fmt"
	"strings"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// line is a line of a block with what the table says about it.
type line struct{ code, doc string }

// lines prints a block, its comments at the ends of lines if all of them are
// short, and over the lines if not.
func (p *printer) lines(block []line) {
	long := false
	for _, l := range block {
		long = long || len(l.doc) > width
	}
	for i, l := range block {
		switch {
		case l.doc == "":
			p.printf("%s\n", l.code)
		case !long:
			p.printf("%s // %s\n", l.code, strings.Join(strings.Fields(l.doc), " "))
		default:
			if i > 0 {
				p.printf("\n")
			}
			p.comment("%s", l.doc)
			p.printf("%s\n", l.code)
		}
	}
}

func (p *printer) typeDecls() {
	for _, t := range p.types {
		switch t.Kind {
		case expr.Identity:
			p.typeComment(t, "an identity", "")
			p.printf("type %s %s\n\n", t.Name, identity(t))
		case expr.Serial:
			p.typeComment(t, "a serial", "The zero "+t.Name+" is the origin: older than all, never issued.")
			p.printf("type %s uint64\n\n", t.Name)
		case expr.Int:
			p.typeComment(t, fmt.Sprintf("a number from %d to %d", t.Lo, t.Hi), "")
			p.printf("type %s = int\n\n", t.Name)
		case expr.Bool:
			p.typeComment(t, "true or false", "")
			p.printf("type %s = bool\n\n", t.Name)
		case expr.Enum:
			p.enum(t)
		}
	}
}

// identity returns what an identity is in Go.
func identity(t *expr.Type) string {
	if t.Text {
		return "string"
	}
	return "uint64"
}

// typeComment says what a type is, in the table's words and then in Go's.
func (p *printer) typeComment(t *expr.Type, kind, more string) {
	if t.Doc != "" {
		kind += ": " + lowerFirst(t.Doc)
	} else {
		kind += "."
	}
	p.comment("%s is %s %s", t.Name, kind, more)
}

func (p *printer) enum(t *expr.Type) {
	start, zero := "iota", ""
	if firstValue(t) == 1 {
		start, zero = "iota + 1", "The zero "+t.Name+" is none of its values."
	}
	p.typeComment(t, "an enumeration", zero)
	p.printf("type %s %s\n\nconst (\n", t.Name, small(len(t.Values)))
	for i := range t.Values {
		p.printf("%s", p.value(t, i))
		if i == 0 {
			p.printf(" %s = %s", t.Name, start)
		}
		p.printf("\n")
	}
	p.printf(")\n\n")
	p.stringer(t)
}

// stringer prints the String method of an enumeration or of State.
func (p *printer) stringer(t *expr.Type) {
	table, recv := tableOf(t), names.Local(t.Name)[:1]
	if p.partsWith(t) != nil {
		recv = "s" // as of State
	}
	p.printf("var %s = [...]string{\n", table)
	for i, v := range t.Values {
		p.printf("%s: %q,\n", p.value(t, i), v)
	}
	p.printf("}\n\n")
	known := fmt.Sprintf("int(%s) < len(%s)", recv, table)
	if t != p.State.Type && firstValue(t) == 1 {
		known += fmt.Sprintf(" && %s > 0", recv)
	}
	p.comment("String returns %s as the table writes it.", recv)
	p.printf("func (%s %s) String() string {\nif %s {\nreturn %s[%s]\n}\n", recv, t.Name, known, table, recv)
	p.printf("return \"%s(\" + %s(int(%s)) + \")\"\n}\n\n", t.Name, p.of("strconv", "Itoa"), recv)
}

// tableOf is the name of an enumeration's table of names.
func tableOf(t *expr.Type) string { return names.Local(t.Name) + "Names" }

// small returns the smallest unsigned type that counts to n.
func small(n int) string {
	if n < 1<<8 {
		return "uint8"
	}
	return "uint16"
}

func (p *printer) stateDecls() {
	p.comment("State is where a %s is.", p.Name)
	p.printf("type State %s\n\nconst (\n", small(len(p.States)))
	var block []line
	for i, s := range p.States {
		code := names.Exported(s.Name)
		if i == 0 {
			code += " State = iota"
		}
		block = append(block, line{code, s.Doc})
	}
	p.lines(block)
	p.printf(")\n\n")
	p.stringer(p.State.Type)
	p.groupDecls(p.Groups, p.State.Type)
}

func (p *printer) groupDecls(groups []*expr.Symbol, t *expr.Type) {
	for _, g := range groups {
		var members, is []string
		for _, i := range g.Members {
			members = append(members, t.Values[i])
			is = append(is, "s == "+p.value(t, i))
		}
		p.comment("%s is the group of %s. %s", names.Exported(g.Name), list(members, "and"), g.Doc)
		p.printf("func (s %s) %s() bool { return %s }\n\n", t.Name, names.Exported(g.Name), broken(is, " ||"))
	}
}

// broken joins operands on one line, or on a line each if that were too long.
func broken(operands []string, op string) string {
	if s := strings.Join(operands, op+" "); len(s) <= 100 {
		return s
	}
	return strings.Join(operands, op+"\n")
}

func (p *printer) machineDecl() {
	if len(p.Params) > 0 {
		p.comment("Params are the constants of a Machine.")
		p.printf("type Params struct {\n")
		p.symbolFields(p.Params)
		p.printf("}\n\n")
	}
	if len(p.Shared) > 0 {
		p.comment("Shared is what all Machines have in common. Whoever runs several gives it to one before a step, and takes it back after a move.")
		p.printf("type Shared struct {\n")
		p.symbolFields(symbolsOf(p.Shared))
		p.printf("}\n\n")
	}
	p.comment("Machine is %s. %s", p.one(), p.startSentence())
	p.printf("type Machine struct {\n")
	if len(p.Params) > 0 {
		p.printf("Params\n")
	}
	if len(p.Shared) > 0 {
		p.printf("Shared\n")
	}
	p.printf("State State\n")
	p.symbolFields(symbolsOf(p.Vars))
	p.partFields()
	p.printf("}\n\n")
	if !p.startsAtZero() {
		p.newMachine()
	}
	p.startMachine()
	if p.growing() {
		p.clone()
	}
}

func symbolsOf(vars []*spec.Var) []*expr.Symbol {
	var out []*expr.Symbol
	for _, v := range vars {
		out = append(out, v.Sym)
	}
	return out
}

// one says what one machine is.
func (p *printer) one() string {
	if p.Per == "" {
		return "the whole " + p.Name
	}
	return "the " + p.Name + " of one " + lowerFirst(p.Per)
}

func (p *printer) symbolFields(syms []*expr.Symbol) {
	var block []line
	for _, s := range syms {
		block = append(block, line{names.Exported(s.Name) + " " + p.goType(s.Type), s.Doc})
	}
	p.lines(block)
}

func (p *printer) startSentence() string {
	if len(p.startsAnywhere()) > 0 {
		return p.startZero() + " Start returns one that starts with other values."
	}
	return p.startZero()
}

func (p *printer) startZero() string {
	switch {
	case !p.startsAtZero():
		return "Its zero value isn't its start: New returns that."
	case len(p.Params) > 0:
		return "Its zero value, with Params, is its start."
	}
	return "Its zero value is its start."
}

var actors = map[string]string{
	"caller": "a caller", "timer": "a timer", "operator": "an operator", "environment": "the environment",
}

func (p *printer) eventDecls() {
	var structs []string
	fresh := ""
	for _, e := range p.Events {
		structs = append(structs, names.Exported(e.Name))
		for _, a := range e.Args {
			if a.Fresh {
				fresh = " A fresh argument is a value that was never used before."
			}
		}
	}
	p.comment("Event is one of %s.%s", strings.Join(structs, ", "), fresh)
	p.printf("type Event interface{ event() }\n\ntype (\n")
	for i, e := range p.Events {
		if i > 0 {
			p.printf("\n")
		}
		p.eventStruct(e)
	}
	p.printf(")\n\n")
	for _, name := range structs {
		p.printf("func (%s) event() {}\n", name)
	}
	p.printf("\n")
}

func (p *printer) eventStruct(e *spec.Event) {
	by := actors[e.By]
	if by == "" {
		by = e.By
	}
	p.comment("%s is %s, by %s. %s", names.Exported(e.Name), e.Signature(), by, e.Doc)
	switch len(e.Args) {
	case 0:
		p.printf("%s struct{}\n", names.Exported(e.Name))
		return
	case 1:
		a := e.Args[0].Sym
		p.printf("%s struct{ %s %s }\n", names.Exported(e.Name), names.Exported(a.Name), p.goType(a.Type))
		return
	}
	p.printf("%s struct {\n", names.Exported(e.Name))
	for _, a := range e.Args {
		p.printf("%s %s\n", names.Exported(a.Sym.Name), p.goType(a.Sym.Type))
	}
	p.printf("}\n")
}
