package spec

import (
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// emission reads effect(argument, ...), or {each: t in list, emit: effect(t)},
// which is sent once for each element, in order.
func (b *builder) emission(n *node, scope *expr.Scope) *Emit {
	if n.kind == scalarNode {
		return b.emit(n, scope)
	}
	b.mapping(n, "each", "emit")
	each, what := b.need(n, "each", "an effect for each"), b.need(n, "emit", "an effect for each")
	if each == nil || what == nil {
		return nil
	}
	name, list, ok := strings.Cut(b.text(each), " in ")
	if name = strings.TrimSpace(name); !ok || !isName(name) {
		b.diags.Add(diag.BadSignature, each.pos, "%q says of nothing what each is", each.text).WithHint("write it like each: t in waiting")
		return nil
	}
	pos := each.pos
	pos.Col += strings.Index(each.text, " in ") + 4
	in := expr.Parse(strings.TrimSpace(list), pos, scope, nil, b.diags)
	if in == nil {
		return nil
	}
	if in.Type.Kind != expr.List {
		b.diags.Add(diag.TypeMismatch, pos, "each needs a list, whose order is the order of sending; this is of type %s", in.Type)
		return nil
	}
	if known, there, taken := scope.Lookup(name); taken {
		b.diags.Add(diag.DuplicateName, each.pos, "%s is the name of %s already", name, known).Also(there, "%s", known).Width = len(name)
		return nil
	}
	sym := &expr.Symbol{Kind: expr.SymBound, Name: name, Type: in.Type.Elem, Pos: each.pos}
	em := b.emit(what, scope.With(expr.Names(sym)))
	if em != nil {
		em.Each, em.In, em.InSrc = sym, in, strings.TrimSpace(list)
	}
	return em
}

// emit reads effect(argument, ...). The arguments are expressions, so commas
// inside brackets don't part them.
func (b *builder) emit(n *node, scope *expr.Scope) *Emit {
	name, rest, ok := strings.Cut(b.text(n), "(")
	if !ok || !strings.HasSuffix(strings.TrimSpace(rest), ")") {
		b.diags.Add(diag.BadSignature, n.pos, "%q is no effect with its arguments", n.text).WithHint("write it like receipt(outcome, lease), quoted")
		return nil
	}
	name = strings.TrimSpace(name)
	i := slices.IndexFunc(b.t.Effects, func(e *Effect) bool { return e.Name == name })
	if i < 0 {
		var known []string
		for _, e := range b.t.Effects {
			known = append(known, e.Name)
		}
		b.unknown(diag.UnknownName, &node{text: name, pos: n.pos}, known, "there is no effect %s", name)
		return nil
	}
	eff := b.t.Effects[i]
	body := strings.TrimRight(rest, " ")
	parts := splitArguments(body[:len(body)-1])
	if len(parts) != len(eff.Args) {
		b.diags.Add(diag.BadSignature, n.pos, "%s has %d arguments; %d stand here", name, len(eff.Args), len(parts)).Also(eff.Pos, "the effect")
		return nil
	}
	em := &Emit{Effect: eff, Src: b.sentence(n), Pos: n.pos}
	offset := strings.Index(n.text, "(") + 1
	for j, p := range parts {
		pos := n.pos
		pos.Col += offset + len(p) - len(strings.TrimLeft(p, " "))
		offset += len(p) + 1
		x := expr.Parse(strings.TrimSpace(p), pos, scope, eff.Args[j].Type, b.diags)
		if x == nil {
			return nil
		}
		em.Args = append(em.Args, x)
	}
	return em
}

// splitArguments parts src at commas outside of brackets.
func splitArguments(src string) []string {
	if strings.TrimSpace(src) == "" {
		return nil
	}
	var parts []string
	depth, from := 0, 0
	for i, r := range src {
		switch r {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, src[from:i])
				from = i + 1
			}
		}
	}
	return append(parts, src[from:])
}

// duplicates finds rows of one event that say the same, and ids that repeat.
func (b *builder) duplicates(e *Event) {
	b.sameRows(e.Decisions())
}

func (b *builder) sameRows(rows []*Row) {
	ids := map[string]*Row{}
	said := map[string]*Row{}
	for _, r := range rows {
		if old := ids[r.ID]; old != nil {
			b.diags.Add(diag.DuplicateName, r.Pos, "%s stands here twice", r.Name()).Also(old.Pos, "the first one").Width = len(r.ID)
		}
		ids[r.ID] = r
		key := r.guardText() + r.resultText()
		if old := said[key]; old != nil && old.Check == r.Check {
			b.diags.Add(diag.DuplicateRow, r.Pos, "%s says the same as %s", r.Name(), old.Name()).Also(old.Pos, "%s", old.Name()).Width = len(r.ID)
		}
		said[key] = r
	}
}

// resultText is what r does, as written. Rows under the same conditions that do
// something else are an overlap, which is told with values.
func (r *Row) resultText() string {
	var s strings.Builder
	s.WriteString("\x00" + r.Outcome.String() + " " + r.Code)
	if r.To != nil {
		s.WriteString("\x00to " + r.To.Name)
	}
	for _, f := range r.Fire {
		s.WriteString("\x00fire " + f.Move.Name + " " + f.Src)
		if f.To != nil {
			s.WriteString(" to " + f.To.Name)
		}
	}
	for _, p := range r.Forget {
		s.WriteString("\x00forget " + p.Name)
	}
	for _, a := range r.Set {
		s.WriteString("\x00set " + a.Var.Name + " " + a.Src)
	}
	for _, e := range r.Emit {
		s.WriteString("\x00emit " + e.InSrc + " " + e.Src)
	}
	if r.Then != nil {
		s.WriteString("\x00then " + r.Then.Name)
	}
	return s.String()
}

func (r *Row) guardText() string {
	var s strings.Builder
	for _, f := range r.From {
		s.WriteRune(rune('0' + f))
	}
	for _, f := range r.PartFrom {
		s.WriteRune(rune('A' + f))
	}
	for _, c := range r.When {
		s.WriteString("\x00when " + c.Src)
	}
	for _, c := range r.Unless {
		s.WriteString("\x00unless " + c.Src)
	}
	return s.String()
}
