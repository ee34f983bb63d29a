package markdown

import (
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec"
)

// world says what stands in the model only: what properties speak of beside
// the machine, how it changes, and what is assumed.
func (p *page) world() {
	t := p.t
	var restricted []*spec.Event // of the machine's, those that the world lets happen at times only
	for _, e := range t.Events {
		if e.Can != nil {
			restricted = append(restricted, e)
		}
	}
	if len(t.Ghosts)+len(t.World)+len(t.Follows)+len(t.Assumptions)+len(restricted) == 0 {
		return
	}
	p.section("The world")
	p.printf("In the model only: what properties speak of, and what happens outside. Callers may do anything at any time, except what an assumption says.\n")
	if len(t.Ghosts) > 0 {
		p.printf("\n")
		p.header("name", "type", "meaning")
		for _, v := range t.Ghosts {
			p.row(code(v.Sym.Name), code(v.Sym.Type.String()), prose(v.Sym.Doc))
		}
	}
	if len(t.World)+len(t.Follows)+len(restricted) > 0 {
		p.printf("\n")
		p.header("what happens", "what changes", "meaning")
		for _, e := range restricted {
			p.row(code(e.Name)+" only while "+code(e.CanSrc), "", "")
		}
		for _, fs := range alike(t.Follows) {
			var with []string
			for _, f := range fs {
				with = append(with, code(followed(f)))
			}
			p.row("with "+list(with, "or"), strings.Join(updates(fs[0].Set, nil), ", "), "")
		}
		for _, e := range t.World {
			for _, r := range e.Decisions() {
				p.worldRow(r)
			}
		}
	}
	if len(t.Assumptions) > 0 {
		p.printf("\n")
		p.header("assumption", "restricts", "to where", "meaning")
		for _, a := range t.Assumptions {
			if len(a.All) > 0 {
				var parts []string
				for _, b := range a.All {
					parts = append(parts, prose(b.Name))
				}
				p.row(prose(a.Name), "", "short for "+list(parts, "and"), prose(a.Doc))
				continue
			}
			p.row(prose(a.Name), strings.Join(eventNames(a.On), ", "), code(a.Src), prose(a.Doc))
		}
	}
}

func (p *page) worldRow(r *spec.Row) {
	what := "by itself " + code(r.Name())
	var parts []string
	if r.From != nil {
		parts = append(parts, "in "+list(names(p.t.States, r.From), "or"))
	}
	if r.Event.Can != nil {
		parts = append(parts, "while "+code(r.Event.CanSrc))
	}
	if g := guard(r); g != "" {
		parts = append(parts, g)
	}
	if len(parts) > 0 {
		what += ": " + strings.Join(parts, ", ")
	}
	p.row(what, p.answer(r, nil), prose(strings.TrimSpace(r.Event.Doc+" "+r.Why)))
}

// alike groups neighbours that change the same in the same way.
func alike(follows []*spec.Follow) [][]*spec.Follow {
	var out [][]*spec.Follow
	for i, f := range follows {
		if i > 0 && slices.Equal(updates(f.Set, nil), updates(follows[i-1].Set, nil)) {
			out[len(out)-1] = append(out[len(out)-1], f)
			continue
		}
		out = append(out, []*spec.Follow{f})
	}
	return out
}

func followed(f *spec.Follow) string {
	switch {
	case f.Row != nil:
		return f.Row.Name()
	case f.Event != nil:
		return f.Event.Name
	}
	return f.Effect.Name
}
