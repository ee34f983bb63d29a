package spec

import (
	"slices"

	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// world reads what only the model knows: events of the world, what follows in
// it, and what is assumed of it.
func (b *builder) world(n *node) {
	index := 0
	for _, r := range b.t.Rows() {
		index = max(index, r.Index+1)
	}
	for _, ent := range b.mapping(n.get("events")) {
		e := b.declared(ent.key)
		if e == nil {
			continue
		}
		e.By, e.Index = "world", len(b.t.World)
		for _, a := range e.Args {
			a.Origin = false // no Go value comes from there
		}
		b.t.World = append(b.t.World, e)
		b.mapping(ent.value, "doc", "can", "rows")
		e.Doc = b.sentence(ent.value.get("doc"))
		scope := e.scope(b.ghosts, false)
		if can := ent.value.get("can"); can != nil {
			e.CanSrc = b.sentence(can)
			e.Can = expr.Parse(b.text(can), can.pos, scope, expr.BoolType, b.diags)
		}
		for _, row := range b.mapping(ent.value.get("rows")) {
			b.worldRow(e, row, scope, &index)
		}
		if len(e.Rows) != 1 {
			b.diags.Add(diag.WrongShape, e.Pos, "an event of the world has exactly one row so far; %s has %d", e.Name, len(e.Rows))
		}
	}
	for _, c := range b.mapping(n.get("can")) {
		if e := b.event(c.key); e != nil {
			e.CanSrc = b.sentence(c.value)
			e.Can = expr.Parse(b.text(c.value), c.value.pos, e.scope(b.ghosts, false), expr.BoolType, b.diags)
		}
	}
	for _, f := range b.mapping(n.get("follows")) {
		b.follow(f)
	}
	for _, a := range b.mapping(n.get("assume")) {
		b.assumption(a)
	}
}

func (b *builder) worldRow(e *Event, row entry, scope *expr.Scope, index *int) {
	checkName(row.key, "row", b.diags)
	b.mapping(row.value, "set", "why")
	r := &Row{ID: row.key.text, Event: e, Index: *index, Outcome: Move, Why: b.sentence(row.value.get("why")), Pos: row.key.pos}
	*index++
	r.Set = b.updates(b.need(row.value, "set", "a row of the world"), b.t.Ghosts, nil, scope, "ghost variable")
	e.Rows = append(e.Rows, r)
}

// follow reads what the world does with a row, an event or an effect.
func (b *builder) follow(e entry) {
	f := &Follow{Pos: e.key.pos}
	var known []string
	for _, r := range b.t.Rows() {
		known = append(known, r.Name())
		if r.Name() == e.key.text {
			f.Row = r
		}
	}
	for _, ev := range b.t.Events {
		known = append(known, ev.Name)
		if ev.Name == e.key.text {
			f.Event = ev
		}
	}
	for _, eff := range b.t.Effects {
		known = append(known, eff.Name)
		if eff.Name == e.key.text {
			f.Effect = eff
		}
	}
	scope := b.ghosts
	switch {
	case f.Row != nil:
		if !f.Row.Followed() {
			b.diags.Add(diag.BadOutcome, e.key.pos, "nothing follows %s, which is a %s", f.Row.Name(), f.Row.Outcome).Also(f.Row.Pos, "the row")
		}
		if f.Row.Event != nil {
			scope = f.Row.Event.scope(scope, false)
		}
	case f.Event != nil:
		scope = f.Event.scope(scope, false)
	case f.Effect != nil:
		scope = scope.With(expr.Qualified(f.Effect.Name, f.Effect.Args...))
	default:
		b.unknown(diag.UnknownName, e.key, known, "%s is no row, event or effect", e.key.text)
		return
	}
	f.Set = b.updates(e.value, b.t.Ghosts, nil, scope, "ghost variable")
	b.t.Follows = append(b.t.Follows, f)
}

func (b *builder) assumption(e entry) {
	b.names.declare(e.key, "assumption", onTop)
	b.mapping(e.value, "on", "only", "all", "doc")
	a := &Assumption{Name: e.key.text, Doc: b.sentence(e.value.get("doc")), Pos: e.key.pos}
	if all := e.value.get("all"); all != nil {
		b.conjunction(a, e.value, all)
		return
	}
	a.On = b.eventList(b.need(e.value, "on", "an assumption"))
	only := b.need(e.value, "only", "an assumption")
	if len(a.On) == 0 || only == nil {
		return
	}
	a.Src = b.sentence(only)
	a.Only = expr.Parse(b.text(only), only.pos, b.ghosts.With(expr.Names(common(a.On)...)), expr.BoolType, b.diags)
	b.t.Assumptions = append(b.t.Assumptions, a)
}

// conjunction reads an assumption that is short for others, which stand before
// it.
func (b *builder) conjunction(a *Assumption, n, all *node) {
	for _, key := range []string{"on", "only"} {
		if own := n.entry(key); own != nil {
			b.diags.Add(diag.WrongShape, own.key.pos, "%s is short for others: it has no %s of its own", a.Name, key).Width = len(key)
		}
	}
	a.All = b.given(all)
	if len(all.items) == 0 && all.kind != scalarNode {
		b.diags.Add(diag.WrongShape, all.pos, "%s is short for no assumption", a.Name).WithHint("name those that stand before it, such as all: [A, B]")
	}
	if len(a.All) > 0 {
		b.t.Assumptions = append(b.t.Assumptions, a)
	}
}

// common returns the arguments that all events have, by name and type.
func common(events []*Event) []*expr.Symbol {
	out := events[0].symbols()
	for _, e := range events[1:] {
		out = slices.DeleteFunc(out, func(s *expr.Symbol) bool {
			return !slices.ContainsFunc(e.symbols(), func(o *expr.Symbol) bool { return o.Name == s.Name && expr.Same(o.Type, s.Type) })
		})
	}
	return out
}

// eventList reads names of events, the world's included.
func (b *builder) eventList(n *node) []*Event {
	var out []*Event
	for _, w := range b.words(n) {
		if e := b.event(w); e != nil {
			out = append(out, e)
		}
	}
	return out
}

func (b *builder) event(w *node) *Event {
	if e := b.t.EventNamed(w.text); e != nil {
		return e
	}
	if b.broken[w.text] {
		return nil // told already
	}
	var known []string
	for _, e := range slices.Concat(b.t.Events, b.t.World) {
		known = append(known, e.Name)
	}
	b.unknown(diag.UnknownName, w, known, "there is no event %s", w.text)
	return nil
}
