package spec

import (
	"regexp"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

type signature struct {
	name string
	args []argument
	of   string // the part that it is of, where there is one
	by   string
}

type argument struct {
	name, typ string
	fresh     bool
	pos       diag.Pos
}

var signatureForm = regexp.MustCompile(`^\s*([A-Za-z][A-Za-z0-9_]*)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*(?:of\s+(\w+)\s*)?(?:by\s+(\w+)\s*)?$`)

var actors = []string{"caller", "timer", "operator", "environment"}

// signature reads name(arg Type, arg fresh Type) of parts by actor.
func (b *builder) signature(n *node) *signature {
	m := signatureForm.FindStringSubmatchIndex(n.text)
	if m == nil {
		b.diags.Add(diag.BadSignature, n.pos, "%q is no signature", n.text).
			WithHint("%s", signatureHint(n.text)).Width = len(n.text)
		b.broken[name(n.text)] = true
		return nil
	}
	sig := &signature{name: n.text[m[2]:m[3]], by: "caller"}
	if m[6] >= 0 {
		sig.of = n.text[m[6]:m[7]]
	}
	if m[8] >= 0 {
		sig.by = n.text[m[8]:m[9]]
		if !slices.Contains(actors, sig.by) {
			b.diags.Add(diag.BadSignature, n.pos, "%s is nobody who sends events", sig.by).
				WithHint("by caller, timer, operator or environment; without it, caller").Width = len(sig.name)
		}
	}
	sig.args = b.arguments(n.text[m[4]:m[5]], n.pos, m[4])
	return sig
}

// arguments reads "a T, b fresh T", which begins at the offset of a key.
func (b *builder) arguments(src string, pos diag.Pos, offset int) []argument {
	var args []argument
	if strings.TrimSpace(src) == "" {
		return nil
	}
	for part := range strings.SplitSeq(src, ",") {
		at := pos
		at.Col += offset + len(part) - len(strings.TrimLeft(part, " "))
		offset += len(part) + 1
		words := strings.Fields(part)
		fresh := len(words) == 3 && words[1] == "fresh"
		if len(words) != 2 && !fresh {
			b.diags.Add(diag.BadSignature, at, "%q is no argument", strings.TrimSpace(part)).WithHint("%s", argumentHint(words)).
				Width = len(strings.TrimSpace(part))
			args = append(args, argument{})
			continue
		}
		checkName(&node{text: words[0], pos: at}, "argument", b.diags)
		if i := slices.IndexFunc(args, func(a argument) bool { return a.name == words[0] }); i >= 0 {
			b.diags.Add(diag.DuplicateName, at, "the argument %s stands here twice", words[0]).Also(args[i].pos, "the first one").Width = len(words[0])
		}
		args = append(args, argument{name: words[0], typ: words[len(words)-1], fresh: fresh, pos: at})
	}
	return args
}

// name is what stands before the parenthesis of a signature.
func name(src string) string {
	src, _, _ = strings.Cut(src, "(")
	return strings.TrimSpace(src)
}

// signatureHint says how what was meant for a signature is written.
func signatureHint(src string) string {
	if isName(src) {
		return "an event has parentheses: " + src + "(), or with arguments " + src + "(ticket Ticket)"
	}
	return "write it like claim(lease fresh Lease, outcome Outcome) by operator"
}

// argumentHint says how what was meant for an argument is written.
func argumentHint(words []string) string {
	switch {
	case len(words) == 1:
		return "it has no type: write " + words[0] + " Ticket, with a type that is declared under types"
	case len(words) == 3 && words[0] == "fresh":
		return "fresh stands between name and type: " + words[1] + " fresh " + words[2]
	}
	return "an argument is a name and a type, or a name, fresh and a type"
}

// argumentType reads the type of an argument.
func (b *builder) argumentType(a argument) *expr.Type {
	before := len(*b.diags)
	t := b.typeOf(a.typ, a.pos)
	for _, d := range (*b.diags)[before:] {
		if d.Pos == a.pos && b.types[a.name] != nil {
			d.WithHint("the name comes first, then the type: %s %s", a.typ, a.name)
		}
	}
	return t
}

// declared reads an event's signature and declares it.
func (b *builder) declared(key *node) *Event {
	sig := b.signature(key)
	if sig == nil {
		return nil
	}
	b.names.declare(&node{kind: scalarNode, text: sig.name, pos: key.pos}, "event", onTop)
	e := &Event{Name: sig.name, By: sig.by, Pos: key.pos}
	for _, a := range sig.args {
		if a.name == "" {
			e.partly = true // told already
			continue
		}
		t := b.argumentType(a)
		if t == nil {
			e.partly = true
			continue
		}
		if a.fresh && t.Kind != expr.Serial && t.Kind != expr.Identity {
			b.diags.Add(diag.BadSignature, a.pos, "only an identity or a serial can be fresh; %s is of type %s", a.name, t)
		}
		if t.Kind == expr.Set || t.Kind == expr.List {
			b.diags.Add(diag.BadType, a.pos, "an argument is a plain or an optional value so far; %s is of type %s", a.name, t)
		}
		sym := &expr.Symbol{Kind: expr.SymArg, Name: a.name, Type: t, Index: len(e.Args), Pos: a.pos}
		e.Args = append(e.Args, &Arg{Sym: sym, Fresh: a.fresh, Origin: !a.fresh && unanswered(t)})
	}
	b.shadowing(e)
	if sig.of != "" {
		b.subject(e, sig.of, key.pos)
	}
	return e
}

// unanswered reports whether t is a serial, or an optional one, whose zero
// value in Go nothing answers.
func unanswered(t *expr.Type) bool {
	if t.Kind == expr.Optional {
		t = t.Elem
	}
	return t.Kind == expr.Serial && t.Else == ""
}

// subject reads whose part an event is of: its first argument names it.
func (b *builder) subject(e *Event, of string, pos diag.Pos) {
	i := slices.IndexFunc(b.t.Parts, func(p *Part) bool { return p.Name == of })
	if i < 0 {
		var known []string
		for _, p := range b.t.Parts {
			known = append(known, p.Name)
		}
		b.unknown(diag.UnknownName, &node{text: of, pos: pos}, known, "there are no parts %s", of)
		return
	}
	p := b.t.Parts[i]
	if len(e.Args) == 0 || e.Args[0].Sym.Type != p.Key {
		b.diags.Add(diag.BadSignature, pos, "an event of %s names one of them by its first argument, of type %s", of, p.Key).Width = len(e.Name)
		return
	}
	if e.Args[0].Origin {
		b.diags.Add(diag.BadType, e.Args[0].Sym.Pos, "%s may be the origin, which names no part", e.Args[0].Sym.Name).
			WithHint("give the type %s an else:, which answers it", p.Key.Name).Width = len(e.Args[0].Sym.Name)
	}
	e.Of = p
}

// scope returns base with what expressions of e may read too; after says that
// the state after the step is in base.
func (e *Event) scope(base *expr.Scope, after bool) *expr.Scope {
	s := base.With(expr.Names(e.symbols()...))
	if e.partly {
		s = s.With(expr.Partly())
	}
	if e.Of != nil {
		s = s.With(expr.Subject(e.Args[0].Sym, after, e.Of.Fields()...))
	}
	return s
}

// shadowing refuses arguments that hide a name of the table.
func (b *builder) shadowing(e *Event) {
	for _, a := range e.Args {
		if what, there, ok := b.ghosts.Lookup(a.Sym.Name); ok {
			b.diags.Add(diag.DuplicateName, a.Sym.Pos, "the argument %s has the name of %s", a.Sym.Name, what).Also(there, "%s", what).Width = len(a.Sym.Name)
		}
	}
}

func (e *Event) symbols() []*expr.Symbol {
	var out []*expr.Symbol
	for _, a := range e.Args {
		out = append(out, a.Sym)
	}
	return out
}

func (b *builder) events(n *node) {
	index := 0
	for _, ent := range b.mapping(n) {
		e := b.declared(ent.key)
		if e == nil {
			continue
		}
		e.Index = len(b.t.Events)
		b.t.Events = append(b.t.Events, e)
		b.mapping(ent.value, "doc", "checks", "rows")
		e.Doc = b.sentence(ent.value.get("doc"))
		scope := e.scope(b.guards, false)
		for _, item := range b.checkList(ent.value.get("checks")) {
			if item.kind != mappingNode {
				b.wrong(item, "a check {id: .., ...}")
				if item.kind == sequenceNode {
					(*b.diags)[len(*b.diags)-1].WithHint("one dash, or one pair of brackets, is enough")
				}
				continue
			}
			if id := b.need(item, "id", "a check"); id != nil {
				b.decision(e, id, item, scope, true, &index)
			}
		}
		for _, row := range b.mapping(ent.value.get("rows")) {
			b.decision(e, row.key, row.value, scope, false, &index)
		}
		b.duplicates(e)
	}
}

// checkList returns the items of a list of checks.
func (b *builder) checkList(n *node) []*node {
	if n != nil && n.kind == mappingNode && n.get("id") == nil {
		d := b.diags.Add(diag.WrongShape, n.pos, "checks are a list, since they are tried in order; this is a mapping")
		if len(n.entries) > 0 {
			d.WithHint("each is an item with its name as id: [{id: %s, ...}]", n.entries[0].key.text)
		}
		return nil
	}
	return b.list(n)
}
