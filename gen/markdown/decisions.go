package markdown

import (
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// decisions writes a table an event: types first, checks in order, then rows;
// a column a state, the answer last.
func (p *page) decisions() {
	p.section("Decisions")
	p.printf("Read a state's column downwards. A Go value outside its type is answered first, then the checks in this order, " +
		"the first that applies decides; below them exactly one row applies. A blank: this line doesn't concern that state.")
	if p.sets() {
		p.printf(" set: the state stays, what stands under answer happens.")
	}
	if len(p.t.Parts) > 0 {
		p.printf(" The columns are the states of the event's subject: of the part that it names first, unless that is a fresh one, else of the %s.", p.itself())
	}
	p.printf("\n")
	shown := map[*spec.SubTable]bool{}
	for _, e := range p.t.Events {
		p.event(e)
		for _, r := range e.Rows {
			if r.Then != nil && !shown[r.Then] {
				shown[r.Then] = true
				p.subTable(r.Then)
			}
		}
	}
}

// itself returns what the machine is one of.
func (p *page) itself() string {
	if p.t.Per == "" {
		return "machine"
	}
	return prose(lowerFirst(p.t.Per))
}

func (p *page) event(e *spec.Event) {
	p.printf("\n### %s by %s%s\n\n", code(signature(e)), actor(e.By), p.onlyWith(e))
	if e.Doc != "" {
		p.printf("%s\n\n", prose(e.Doc))
	}
	columns := p.columns(e, e.Decisions())
	p.heads(columns)
	for _, a := range typed(e) {
		line := []string{"type " + code(e.Name+"."+a.Sym.Name) + ": not a value of " + prose(a.Sym.Type.String())}
		for range columns {
			line = append(line, spec.Refuse.String())
		}
		p.row(append(line, prose(outside(a)))...)
	}
	p.lines(columns, e.Decisions())
}

func (p *page) heads(columns []column) {
	head := []string{"decision"}
	for _, c := range columns {
		head = append(head, prose(c.name))
	}
	p.header(append(head, "answer")...)
}

// lines writes a line a row, then the reasons.
func (p *page) lines(columns []column, rows []*spec.Row) {
	for _, r := range rows {
		p.decision(r, columns)
	}
	first := true
	for _, r := range rows {
		text := strings.TrimSpace(sentence(r.Claim) + " " + prose(r.Why))
		if text == "" {
			continue
		}
		if first {
			p.printf("\n")
			first = false
		}
		p.printf("- %s: %s\n", code(r.Name()), text)
	}
}

func (p *page) decision(r *spec.Row, columns []column) {
	kind := "row "
	if r.Check {
		kind = "check "
	}
	first := kind + code(r.Name())
	var when []string
	if len(columns) > 0 && columns[0].of != nil && r.From != nil {
		when = append(when, "the "+p.itself()+" is "+list(escaped(r.FromSrc), "or"))
	}
	if g := guard(r); g != "" {
		when = append(when, g)
	}
	if len(when) > 0 {
		first += ": " + strings.Join(when, ", ")
	}
	line := []string{first}
	for _, c := range columns {
		line = append(line, p.cell(r, c.of, c.states[0]))
	}
	p.row(append(line, p.answer(r, columns))...)
}

func escaped(words []string) []string {
	var out []string
	for _, w := range words {
		out = append(out, prose(w))
	}
	return out
}

// cell returns what r does in a state of the machine, or of its subject, in one
// word; empty: nothing.
func (p *page) cell(r *spec.Row, of *spec.Part, s int) string {
	switch {
	case of == nil && !slices.Contains(p.reach.cells[r], s), of != nil && !p.reach.concerns(r, s):
		return ""
	case r.Outcome != spec.Move:
		return r.Outcome.String()
	case of == nil && !slices.ContainsFunc(targets(r, s), func(to int) bool { return to != s }), of != nil && subjectTo(r) == nil:
		return "set"
	}
	return "**move**"
}

// sets reports whether a cell says "set".
func (p *page) sets() bool {
	found := false
	p.reach.moves(func(r *spec.Row, from, to int) {
		found = found || from == to && (subject(r.Event) == nil || subjectTo(r) == nil)
	})
	return found
}

// onlyWith returns ", only with P" if no row of e moves without the parameter.
func (p *page) onlyWith(e *spec.Event) string {
	for _, param := range p.t.Params {
		moves, free := 0, 0
		p.reach.moves(func(r *spec.Row, from, _ int) {
			if r.Event != e {
				return
			}
			moves++
			if !p.reach.needs(r, from, param) {
				free++
			}
		})
		if moves > 0 && free == 0 {
			return ", only with " + code(param.Name)
		}
	}
	return ""
}

// typed returns the arguments whose type answers a Go value outside it.
func typed(e *spec.Event) []*spec.Arg {
	var args []*spec.Arg
	for _, a := range e.Args {
		if outside(a) != "" {
			args = append(args, a)
		}
	}
	return args
}

// outside returns the code that answers a Go value outside the type of a;
// empty: there is none.
func outside(a *spec.Arg) string {
	t := a.Sym.Type
	if t.Kind == expr.Optional {
		t = t.Elem
	}
	return t.Else
}

// signature returns the event with its arguments, without their types.
func signature(e *spec.Event) string {
	var args []string
	for _, a := range e.Args {
		s := a.Sym.Name
		if a.Fresh {
			s += " fresh"
		}
		args = append(args, s)
	}
	return e.Name + "(" + strings.Join(args, ", ") + ")"
}

func actor(by string) string {
	if by == "environment" {
		return "the environment"
	}
	return article(prose(by))
}

// guard returns a row's conditions, its states aside: "a and b, unless c or d".
func guard(r *spec.Row) string {
	g := list(conds(r.When), "and")
	if u := list(conds(r.Unless), "or"); u != "" {
		if g != "" {
			g += ", "
		}
		g += "unless " + u
	}
	return g
}

func conds(cs []*spec.Cond) []string {
	var items []string
	for _, c := range cs {
		if c.Says != "" {
			items = append(items, prose(c.Says))
			continue
		}
		items = append(items, code(c.Src))
	}
	return items
}

// answer returns the code, or where a move leads and what it does.
func (p *page) answer(r *spec.Row, columns []column) string {
	if r.Outcome != spec.Move {
		return prose(r.Code)
	}
	var parts []string
	if r.To != nil {
		parts = append(parts, "**→ "+prose(r.To.Name)+"**")
	}
	parts = append(parts, fired(r, len(columns) > 0 && columns[0].of != nil)...)
	for _, o := range r.Forget {
		parts = append(parts, "all "+prose(o.Name)+" forgotten")
	}
	parts = append(parts, updates(r.Set, r.Event)...)
	if len(p.t.Parts) == 0 { // else they have a table of their own
		for _, e := range r.Emit {
			parts = append(parts, "emits "+code(e.Src))
		}
	}
	if r.Then != nil {
		parts = append(parts, "then "+linked(r.Then))
	}
	return strings.Join(parts, ", ")
}

// updates are those of a row of e, of a move or of the world, which have none.
func updates(set []*spec.Assign, e *spec.Event) []string {
	var parts []string
	for _, a := range set {
		parts = append(parts, code(assigned(a, e)+" = "+a.Src))
	}
	return parts
}
