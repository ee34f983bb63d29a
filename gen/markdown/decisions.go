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
	p.printf("\n")
	for _, e := range p.t.Events {
		p.event(e)
	}
}

func (p *page) event(e *spec.Event) {
	p.printf("\n### %s by %s%s\n\n", code(signature(e)), actor(e.By), p.onlyWith(e))
	if e.Doc != "" {
		p.printf("%s\n\n", prose(e.Doc))
	}
	head := []string{"decision"}
	for _, s := range p.t.States {
		head = append(head, prose(s.Name))
	}
	p.header(append(head, "answer")...)
	for _, a := range typed(e) {
		line := []string{"type " + code(e.Name+"."+a.Sym.Name) + ": not a value of " + prose(a.Sym.Type.String())}
		for range p.t.States {
			line = append(line, spec.Refuse.String())
		}
		p.row(append(line, prose(outside(a)))...)
	}
	for _, r := range e.Decisions() {
		p.decision(r)
	}
	first := true
	for _, r := range e.Decisions() {
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

func (p *page) decision(r *spec.Row) {
	kind := "row "
	if r.Check {
		kind = "check "
	}
	first := kind + code(r.Name())
	if g := guard(r); g != "" {
		first += ": " + g
	}
	line := []string{first}
	for s := range p.t.States {
		line = append(line, p.cell(r, s))
	}
	p.row(append(line, answer(r))...)
}

// cell returns what r does in state s, in one word; empty: nothing.
func (p *page) cell(r *spec.Row, s int) string {
	switch {
	case !slices.Contains(p.reach.cells[r], s):
		return ""
	case r.Outcome != spec.Move:
		return r.Outcome.String()
	case target(r, s) == s:
		return "set"
	}
	return "**move**"
}

// sets reports whether a cell says "set".
func (p *page) sets() bool {
	found := false
	p.reach.moves(func(_ *spec.Row, from, to int) { found = found || from == to })
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
func answer(r *spec.Row) string {
	if r.Outcome != spec.Move {
		return prose(r.Code)
	}
	var parts []string
	if r.To != nil {
		parts = append(parts, "**→ "+prose(r.To.Name)+"**")
	}
	parts = append(parts, updates(r.Set)...)
	for _, e := range r.Emit {
		parts = append(parts, "emits "+code(e.Src))
	}
	return strings.Join(parts, ", ")
}

func updates(set []*spec.Assign) []string {
	var parts []string
	for _, a := range set {
		parts = append(parts, code(a.Var.Name+" = "+a.Src))
	}
	return parts
}
