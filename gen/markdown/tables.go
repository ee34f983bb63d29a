package markdown

import (
	"fmt"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// variables lists what is kept beside the state, the conditions with a name,
// and the types.
func (p *page) variables() {
	t := p.t
	if len(t.Vars)+len(t.Shared)+len(t.Params)+len(t.Defs)+len(t.Types) == 0 {
		return
	}
	p.section("Variables and types")
	p.header("name", "type", "meaning")
	for _, v := range t.Vars {
		p.row(code(v.Sym.Name), code(typeName(v.Sym.Type))+anyStart(v), prose(v.Sym.Doc))
	}
	for _, v := range t.Shared {
		p.row(code(v.Sym.Name), code(typeName(v.Sym.Type))+", shared by all"+anyStart(v), prose(v.Sym.Doc))
	}
	for _, s := range t.Params {
		p.row(code(s.Name), code(s.Type.String())+", constant", prose(s.Doc))
	}
	for _, s := range t.Defs {
		p.row(code(s.Name), "short for "+code(s.Src), prose(s.Doc))
	}
	for _, typ := range t.Types {
		p.row(code(typ.Name), form(typ), prose(typ.Doc))
	}
	p.parts()
}

// anyStart says that a variable has no one value to start with.
func anyStart(v *spec.Var) string {
	if v.Any {
		return ", any at the start"
	}
	return ""
}

// form says what the values of a declared type are.
func form(t *expr.Type) string {
	s := ""
	switch t.Kind {
	case expr.Enum:
		var values []string
		for _, v := range t.Values {
			values = append(values, code(v))
		}
		s = "one of " + list(values, "and")
	case expr.Identity:
		s = "identity"
	case expr.Serial:
		s = "serial: an identity, issued in order"
	default:
		plain := *t
		plain.Name = ""
		s = code(plain.String())
	}
	if t.Shared {
		s += ", one counter for all"
	}
	return s
}

// effects lists what the shell does after a move was stored.
func (p *page) effects() {
	if len(p.t.Effects) == 0 {
		return
	}
	p.section("Effects")
	order := "in the order under answer"
	if len(p.t.Parts) > 0 {
		order = "in the order below"
	}
	p.printf("What happens after a move was stored, %s.\n\n", order)
	p.header("effect", "meaning", "emitted by")
	for _, e := range p.t.Effects {
		var args, rows []string
		for _, a := range e.Args {
			args = append(args, a.Name+" "+a.Type.String())
		}
		for _, r := range p.t.Rows() {
			if slices.ContainsFunc(r.Emit, func(x *spec.Emit) bool { return x.Effect == e }) {
				rows = append(rows, code(r.Name()))
			}
		}
		p.row(code(e.Name+"("+strings.Join(args, ", ")+")"), prose(e.Doc), strings.Join(rows, " "))
	}
	if len(p.t.Parts) > 0 {
		p.inOrder()
	}
}

// actors says for each state what it means, whose events change something in
// it, and which of them leave it.
func (p *page) actors() {
	p.section("Who may act, and what ends it")
	what := "state"
	if len(p.t.Parts) > 0 {
		what = p.itself()
	}
	p.header(what, "meaning", "who may act", "what ends it")
	for _, s := range p.t.States {
		p.row(prose(s.Name), prose(s.Doc), acting(s, p.reach.ownMoves), p.ending(s, p.t.States, p.reach.moves))
	}
	for _, o := range p.t.Parts {
		p.printf("\n")
		p.header(prose(lowerFirst(o.Key.Name)), "meaning", "who may act on it", "what ends it")
		acts := func(f func(*spec.Row, int, int)) {
			for _, e := range p.t.Events {
				for _, r := range e.Rows {
					for s := range o.States {
						if e.Of == o && subject(e) != nil && r.Outcome == spec.Move && p.reach.concerns(r, s) {
							f(r, s, s)
						}
					}
				}
			}
		}
		ends := func(f func(*spec.Row, int, int)) { p.reach.partMoves(o, f) }
		for _, s := range o.States {
			p.row(prose(s.Name), prose(s.Doc), acting(s, acts), p.ending(s, o.States, ends))
		}
	}
}

// ways calls f for rows that move something from a state to another, or the
// same.
type ways func(f func(r *spec.Row, from, to int))

// acting returns who moves the machine in state s, and by which events.
func acting(s *spec.State, all ways) string {
	var who []string
	by := map[string][]string{}
	all(func(r *spec.Row, from, _ int) {
		e := r.Event
		if from != s.Index || slices.Contains(by[e.By], code(e.Name)) {
			return
		}
		if by[e.By] == nil {
			who = append(who, e.By)
		}
		by[e.By] = append(by[e.By], code(e.Name))
	})
	for i, w := range who {
		who[i] = actor(w) + " by " + list(by[w], "or")
	}
	return strings.Join(who, "; ")
}

// ending returns the events and sub-tables that leave state s, with where they
// lead.
func (p *page) ending(s *spec.State, of []*spec.State, all ways) string {
	var events []string
	to := map[string][]int{}
	free := map[string]bool{} // leaves s without the parameter too
	all(func(r *spec.Row, from, target int) {
		if from != s.Index || from == target {
			return
		}
		e := by(r)
		if to[e] == nil {
			events = append(events, e)
		}
		if !slices.Contains(to[e], target) {
			to[e] = append(to[e], target)
		}
		if p.reach.param == nil || r.Event == nil || !p.reach.needs(r, from, p.reach.param) {
			free[e] = true
		}
	})
	var out []string
	for _, e := range events {
		way := fmt.Sprintf("%s → %s", code(e), list(names(of, to[e]), "or"))
		if !free[e] {
			way += ", only with " + code(p.reach.param.Name)
		}
		out = append(out, way)
	}
	return strings.Join(out, "; ")
}

// codes lists the answers with their sentence and the rows that give them.
func (p *page) codes() {
	if len(p.t.Answers) == 0 {
		return
	}
	p.section("Codes")
	p.header("code", "sentence", "where")
	for _, a := range p.t.Answers {
		var where []string
		for _, e := range p.t.Events {
			for _, arg := range typed(e) {
				if outside(arg) == a.Code {
					where = append(where, code(e.Name+"."+arg.Sym.Name))
				}
			}
			for _, r := range e.Decisions() {
				if r.Code == a.Code {
					where = append(where, code(r.Name()))
				}
			}
		}
		p.row(prose(a.Code), prose(a.Says), strings.Join(where, " "))
	}
}
