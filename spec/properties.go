package spec

import (
	"slices"

	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

func (b *builder) properties(root *node) {
	for _, e := range b.mapping(root.get("invariants")) {
		long := b.long(e.value, "holds", "doc", "given")
		if p := b.property(e.key, long, Invariant); p != nil {
			p.Holds, p.Src = b.holds(long, b.ghosts, "an invariant")
		}
	}
	for _, e := range b.mapping(root.get("after")) {
		b.onEvent(e, After)
	}
	for _, e := range b.mapping(root.get("always")) {
		long := b.long(e.value, "holds", "except", "doc", "given")
		if p := b.property(e.key, long, StepAlways); p != nil {
			c := &Clause{Kind: AlwaysApart, Except: b.eventList(long.get("except")), Pos: e.key.pos}
			c.Holds, c.Src = b.holds(long, b.after, "a step property")
			p.Clauses = append(p.Clauses, c)
		}
	}
	for _, e := range b.mapping(root.get("refused")) {
		b.onEvent(e, Refused)
	}
	for _, e := range b.mapping(root.get("answered")) {
		b.answered(e)
	}
	b.decided()
	for _, e := range b.mapping(root.get("isolated")) {
		if b.t.Per == "" {
			b.diags.Add(diag.WrongShape, e.key.pos, "isolated needs per: there is just one machine")
		}
		b.property(e.key, b.long(e.value, "doc"), Isolated)
	}
	for _, e := range b.mapping(root.get("sometimes")) {
		b.goal(e)
	}
	for _, e := range b.mapping(root.get("eventually")) {
		if v := e.value; v != nil && v.kind == scalarNode {
			b.diags.Add(diag.WrongShape, v.pos, "an eventually property needs from and to").
				WithHint("write %s: {from: CONDITION, to: %s}", e.key.text, v.text).Width = len(v.text)
			continue
		}
		b.mapping(e.value, "each", "from", "to", "fair", "doc", "given")
		p := b.property(e.key, e.value, Eventually)
		if p == nil {
			continue
		}
		p.Each = b.each(e.value.get("each"), b.ghosts)
		scope := b.ghosts.With(expr.Names(p.Each...))
		p.From = b.condition(e.value, "from", scope)
		p.To = b.condition(e.value, "to", scope)
		if p.From != nil && (p.From.Op != expr.OpBool || p.From.Int == 0) { // from true: again and again
			b.speaks(e.value.get("from"), p.From)
		}
		b.speaks(e.value.get("to"), p.To)
		p.Fair = b.fairness(e.value.get("fair"))
		p.FromSrc, p.ToSrc = b.sentence(e.value.get("from")), b.sentence(e.value.get("to"))
		p.Src = p.FromSrc + " leads to " + p.ToSrc
	}
	for _, e := range b.mapping(root.get("ends")) {
		long := b.long(e.value, "holds", "doc", "given")
		if p := b.property(e.key, long, Ends); p != nil {
			p.Holds, p.Src = b.holds(long, b.ghosts, "an ends property")
		}
	}
}

// speaks demands that a condition of a behaviour reads the state: one that is the
// same everywhere is no claim, and TLC 2.18 takes a false one for true.
func (b *builder) speaks(src *node, n *expr.Node) {
	if n == nil || len(n.Reads(expr.SymState, expr.SymVar, expr.SymShared, expr.SymGhost, expr.SymDef, expr.SymField)) > 0 {
		return
	}
	b.diags.Add(diag.NotAllowedHere, src.pos, "%s says nothing of the state: it is always true, or always false", src.text).
		WithHint("name a state or a variable").Width = len(src.text)
}

// onEvent reads the properties under after or refused of one event, or of one
// row of it.
func (b *builder) onEvent(section entry, kind ClauseKind) {
	ev, row := b.eventOrRow(section.key, kind)
	if ev == nil {
		return
	}
	if v := section.value; v != nil && v.kind == scalarNode {
		b.diags.Add(diag.WrongShape, v.pos, "a property needs a name").
			WithHint("write %s: {NAME: %s}", section.key.text, v.text).Width = len(v.text)
		return
	}
	scope := ev.scope(b.after, true)
	for _, e := range b.mapping(section.value) {
		long := b.long(e.value, "holds", "doc", "given")
		if p := b.property(e.key, long, StepAlways); p != nil {
			c := &Clause{Kind: kind, Event: ev, Row: row, Pos: e.key.pos}
			c.Holds, c.Src = b.holds(long, scope, "a step property")
			p.Clauses = append(p.Clauses, c)
		}
	}
}

// eventOrRow reads what a step property speaks of.
func (b *builder) eventOrRow(w *node, kind ClauseKind) (*Event, *Row) {
	for _, r := range b.t.Rows() {
		if r.Event == nil || r.Name() != w.text {
			continue
		}
		accepted := r.Outcome == Move || r.Outcome == Stay
		if kind == After && !accepted || kind == Refused && r.Outcome != Refuse {
			b.diags.Add(diag.BadOutcome, w.pos, "%s is a %s: no step of this kind", r.Name(), r.Outcome).Also(r.Pos, "the row").Width = len(w.text)
		}
		return r.Event, r
	}
	return b.event(w), nil
}

// property declares a name, or finds it where step properties have several
// clauses under one.
func (b *builder) property(key, long *node, kind PropertyKind) *Property {
	doc := b.sentence(long.get("doc"))
	if i := slices.IndexFunc(b.t.Properties, func(p *Property) bool { return p.Name == key.text }); i >= 0 {
		p := b.t.Properties[i]
		if p.Kind != kind || kind != StepAlways {
			b.diags.Add(diag.DuplicateName, key.pos, "the property %s stands here twice", key.text).
				WithHint("only properties of steps may have several clauses").Also(p.Pos, "the first one")
			return nil
		}
		if p.Doc == "" {
			p.Doc = doc
		}
		p.Given = append(p.Given, b.given(long.get("given"))...)
		return p
	}
	b.names.declare(key, "property", onTop)
	p := &Property{Name: key.text, Kind: kind, Doc: doc, Given: b.given(long.get("given")), Pos: key.pos}
	b.t.Properties = append(b.t.Properties, p)
	return p
}

func (b *builder) holds(n *node, scope *expr.Scope, of string) (*expr.Node, string) {
	src := b.need(n, "holds", of)
	if src == nil {
		return nil, ""
	}
	return expr.Parse(b.text(src), src.pos, scope, expr.BoolType, b.diags), b.sentence(src)
}

func (b *builder) condition(n *node, key string, scope *expr.Scope) *expr.Node {
	src := b.need(n, key, "an eventually property")
	if src == nil {
		return nil
	}
	return expr.Parse(b.text(src), src.pos, scope, expr.BoolType, b.diags)
}

func (b *builder) given(n *node) []*Assumption {
	var out []*Assumption
	for _, w := range b.words(n) {
		if a := b.assumptionNamed(w); a != nil {
			out = append(out, a)
		}
	}
	return out
}

func (b *builder) assumptionNamed(w *node) *Assumption {
	var known []string
	for _, a := range b.t.Assumptions {
		if a.Name == w.text {
			return a
		}
		known = append(known, a.Name)
	}
	d := b.diags.Add(diag.UnknownName, w.pos, "there is no assumption %s", w.text)
	d.Width = len(w.text)
	if near := diag.Nearest(w.text, known); near != "" {
		d.Hint = "did you mean " + near + "?"
	}
	return nil
}

// goal reads a sometimes property: each of its goals is to be reached.
func (b *builder) goal(e entry) {
	long := b.long(e.value, "holds", "each", "on", "doc")
	p := b.property(e.key, long, Sometimes)
	if p == nil {
		return
	}
	scope := b.ghosts
	if on := long.get("on"); on != nil {
		if p.On = b.event(on); p.On != nil {
			scope = p.On.scope(b.after, true)
		}
	}
	p.Each = b.each(long.get("each"), scope)
	for _, a := range p.Each {
		if a.Type.Kind != expr.Bool && a.Type.Kind != expr.Enum {
			b.diags.Add(diag.BadType, a.Pos, "each ranges over a bool or an enumeration; %s is of type %s", a.Name, a.Type)
		}
	}
	p.Holds, p.Src = b.holds(long, scope.With(expr.Names(p.Each...)), "a sometimes property")
}

// each reads the names that a property ranges over: "o Outcome, stop bool".
func (b *builder) each(n *node, scope *expr.Scope) []*expr.Symbol {
	var out []*expr.Symbol
	if n == nil {
		return nil
	}
	for _, a := range b.arguments(b.text(n), n.pos, 0) {
		if what, there, ok := scope.Lookup(a.name); ok {
			b.diags.Add(diag.DuplicateName, a.pos, "%s is the name of %s already", a.name, what).Also(there, "%s", what).Width = len(a.name)
			continue
		}
		t := b.typeOf(a.typ, a.pos)
		if t == nil {
			continue
		}
		if t.Kind == expr.Set || t.Kind == expr.List || t.Kind == expr.Optional {
			b.diags.Add(diag.BadType, a.pos, "each ranges over plain values; %s is of type %s", a.name, t)
		}
		out = append(out, &expr.Symbol{Kind: expr.SymBound, Name: a.name, Type: t, Index: len(out), Pos: a.pos})
	}
	return out
}

// fails reads the name of the property that a rejected design breaks.
func (b *builder) fails(n *node) {
	if n == nil {
		return
	}
	b.t.Fails, b.t.FailsPos = b.text(n), n.pos
	var known []string
	for _, p := range b.t.Properties {
		if p.Name == b.t.Fails {
			return
		}
		known = append(known, p.Name)
	}
	d := b.diags.Add(diag.UnknownName, n.pos, "there is no property %s", b.t.Fails)
	d.Width = len(b.t.Fails)
	if near := diag.Nearest(b.t.Fails, known); near != "" {
		d.Hint = "did you mean " + near + "?"
	}
}
