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
	by   string
}

type argument struct {
	name, typ string
	fresh     bool
	pos       diag.Pos
}

var signatureForm = regexp.MustCompile(`^\s*([A-Za-z][A-Za-z0-9_]*)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*(?:by\s+(\w+)\s*)?$`)

var actors = []string{"caller", "timer", "operator", "environment"}

// signature reads name(arg Type, arg fresh Type) by actor.
func (b *builder) signature(n *node) *signature {
	m := signatureForm.FindStringSubmatchIndex(n.text)
	if m == nil {
		b.diags.Add(diag.BadSignature, n.pos, "%q is no signature", n.text).
			WithHint("write it like claim(lease fresh Lease, outcome Outcome) by operator").Width = len(n.text)
		return nil
	}
	sig := &signature{name: n.text[m[2]:m[3]], by: "caller"}
	if m[6] >= 0 {
		sig.by = n.text[m[6]:m[7]]
		if !slices.Contains(actors, sig.by) {
			b.diags.Add(diag.BadSignature, n.pos, "%s is none of %s", sig.by, strings.Join(actors, ", "))
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
			b.diags.Add(diag.BadSignature, at, "%q is no argument", strings.TrimSpace(part)).WithHint("an argument is a name and a type, or a name, fresh and a type")
			continue
		}
		checkName(&node{text: words[0], pos: at}, "argument", b.diags)
		if slices.ContainsFunc(args, func(a argument) bool { return a.name == words[0] }) {
			b.diags.Add(diag.DuplicateName, at, "the argument %s stands here twice", words[0])
		}
		args = append(args, argument{name: words[0], typ: words[len(words)-1], fresh: fresh, pos: at})
	}
	return args
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
		t := b.typeOf(a.typ, a.pos)
		if t == nil {
			continue
		}
		if a.fresh && t.Kind != expr.Serial && t.Kind != expr.Identity {
			b.diags.Add(diag.BadSignature, a.pos, "only an identity or a serial can be fresh; %s is of type %s", a.name, t)
		}
		if t.Kind == expr.Set {
			b.diags.Add(diag.BadType, a.pos, "an argument is a plain or an optional value so far; %s is of type %s", a.name, t)
		}
		sym := &expr.Symbol{Kind: expr.SymArg, Name: a.name, Type: t, Index: len(e.Args), Pos: a.pos}
		e.Args = append(e.Args, &Arg{Sym: sym, Fresh: a.fresh, Origin: !a.fresh && unanswered(t)})
	}
	b.shadowing(e)
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

// shadowing refuses arguments that hide a name of the table.
func (b *builder) shadowing(e *Event) {
	for _, a := range e.Args {
		if what, ok := b.ghosts.Lookup(a.Sym.Name); ok {
			b.diags.Add(diag.DuplicateName, a.Sym.Pos, "the argument %s has the name of %s", a.Sym.Name, what).Width = len(a.Sym.Name)
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
		scope := b.guards.With(expr.Names(e.symbols()...))
		for _, item := range b.list(ent.value.get("checks")) {
			if item.kind != mappingNode {
				b.wrong(item, "a check {id: .., ...}")
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

// decision reads a check or a row.
func (b *builder) decision(e *Event, id, n *node, scope *expr.Scope, check bool, index *int) {
	checkName(id, "row", b.diags)
	r := &Row{ID: id.text, Event: e, Check: check, Index: *index, Pos: id.pos}
	*index++
	keys := []string{"from", "when", "unless", "why", "stay", "refuse", "ignore"}
	if check {
		keys = append(keys, "id")
	} else {
		keys = append(keys, "never", "to", "set", "emit")
	}
	b.mapping(n, keys...)
	for _, w := range b.words(n.get("from")) {
		r.FromSrc = append(r.FromSrc, w.text)
		r.From = append(r.From, b.statesNamed(w)...)
	}
	if n.get("from") != nil {
		r.From = append([]int{}, sortedUnique(r.From)...)
	}
	r.When = b.conditions(n.get("when"), scope)
	r.Unless = b.conditions(n.get("unless"), scope)
	r.Why = b.sentence(n.get("why"))
	b.outcome(r, n, scope)
	if check {
		e.Checks = append(e.Checks, r)
	} else {
		e.Rows = append(e.Rows, r)
	}
}

func (b *builder) conditions(n *node, scope *expr.Scope) []*Cond {
	var out []*Cond
	if n != nil && n.kind == sequenceNode && len(n.items) == 0 {
		b.diags.Add(diag.WrongShape, n.pos, "a list without a condition").WithHint("leave the key out")
	}
	for _, item := range b.list(n) {
		long := b.long(item, "holds", "says")
		src := b.need(long, "holds", "a condition")
		if src == nil {
			continue
		}
		if c := expr.Parse(b.text(src), src.pos, scope, expr.BoolType, b.diags); c != nil {
			out = append(out, &Cond{Expr: c, Src: b.sentence(src), Says: b.sentence(long.get("says")), Pos: src.pos})
		}
	}
	return out
}

var outcomeKeys = []struct {
	key string
	is  Outcome
}{{"stay", Stay}, {"refuse", Refuse}, {"ignore", Ignore}, {"never", Never}}

// outcome reads which of the five outcomes a row has.
func (b *builder) outcome(r *Row, n *node, scope *expr.Scope) {
	var found []string
	for _, o := range outcomeKeys {
		v := n.get(o.key)
		if v == nil {
			continue
		}
		found = append(found, o.key)
		r.Outcome = o.is
		if o.is == Never {
			r.Claim = b.sentence(v)
		} else {
			r.Code = b.answer(v)
		}
	}
	if n.get("to") != nil || n.get("set") != nil || n.get("emit") != nil {
		found = append(found, "a move")
		r.Outcome = Move
		b.move(r, n, scope)
	}
	switch len(found) {
	case 1:
	case 0:
		b.diags.Add(diag.BadOutcome, r.Pos, "%s says nothing of what it does", r.Name()).
			WithHint("one of to, set or emit (a move), stay, refuse, ignore or never").Width = len(r.ID)
	default:
		b.diags.Add(diag.BadOutcome, r.Pos, "%s has several outcomes: %s", r.Name(), strings.Join(found, ", ")).Width = len(r.ID)
	}
}

func (b *builder) move(r *Row, n *node, scope *expr.Scope) {
	if to := n.get("to"); to != nil {
		name := b.text(to)
		i := slices.IndexFunc(b.t.States, func(s *State) bool { return s.Name == name })
		if i < 0 {
			b.noTarget(to)
		} else {
			r.To = b.t.States[i]
		}
	}
	own := append(slices.Clone(b.t.Vars), b.t.Shared...)
	r.Set = b.updates(n.get("set"), own, scope, "variable of the machine")
	for _, item := range b.words(n.get("emit")) {
		if em := b.emit(item, scope); em != nil {
			r.Emit = append(r.Emit, em)
		}
	}
}

func (b *builder) noTarget(to *node) {
	var known []string
	for _, s := range b.t.States {
		known = append(known, s.Name)
	}
	d := b.diags.Add(diag.UnknownName, to.pos, "there is no state %s", to.text)
	d.Width = len(to.text)
	if near := diag.Nearest(to.text, known); near != "" {
		d.Hint = "did you mean " + near + "?"
	}
}

// updates reads {x: expression}.
func (b *builder) updates(n *node, vars []*Var, scope *expr.Scope, what string) []*Assign {
	var out []*Assign
	for _, e := range b.mapping(n) {
		i := slices.IndexFunc(vars, func(v *Var) bool { return v.Sym.Name == e.key.text })
		if i < 0 {
			var known []string
			for _, v := range vars {
				known = append(known, v.Sym.Name)
			}
			d := b.diags.Add(diag.UnknownName, e.key.pos, "%s is no %s", e.key.text, what)
			d.Width = len(e.key.text)
			if near := diag.Nearest(e.key.text, known); near != "" {
				d.Hint = "did you mean " + near + "?"
			}
			continue
		}
		if x := expr.Parse(b.text(e.value), e.value.pos, scope, vars[i].Sym.Type, b.diags); x != nil {
			out = append(out, &Assign{Var: vars[i].Sym, Expr: x, Src: b.sentence(e.value), Pos: e.key.pos})
		}
	}
	return out
}
