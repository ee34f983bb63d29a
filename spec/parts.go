package spec

import (
	"strings"

	"slices"

	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// partSection reads what a machine has many of, but for the expressions.
func (b *builder) partSection(n *node) {
	for _, e := range b.mapping(n) {
		b.names.declare(e.key, "part", inExpressions|onTop)
		b.mapping(e.value, "key", "doc", "states", "groups", "vars", "moves", "remember")
		p := &Part{Name: e.key.text, Doc: b.sentence(e.value.get("doc")), Index: len(b.t.Parts), Pos: e.key.pos}
		key := b.need(e.value, "key", "a part")
		if key == nil {
			continue
		}
		p.Key = b.types[b.text(key)]
		b.named[p.Key] = true
		if p.Key == nil || p.Key.Kind != expr.Serial && p.Key.Kind != expr.Identity {
			b.diags.Add(diag.BadType, key.pos, "%s is no identity or serial of this table: only those can be a part's key", key.text).Width = len(key.text)
			continue
		}
		if old := b.partOf(p.Key); old != nil {
			b.diags.Add(diag.DuplicateName, key.pos, "%s is the key of %s already", key.text, old.Name).Also(old.Pos, "%s", old.Name)
			continue
		}
		p.Sym = &expr.Symbol{Kind: expr.SymPart, Name: p.Name, Type: p.Key, Index: p.Index, Doc: p.Doc, Pos: p.Pos}
		b.partStates(p, e.key, e.value)
		b.t.Parts = append(b.t.Parts, p)
	}
}

// partOf returns the parts with that key, or nil.
func (b *builder) partOf(key *expr.Type) *Part {
	for _, p := range b.t.Parts {
		if p.Key == key {
			return p
		}
	}
	return nil
}

// partStates reads the states, whose enumeration is named after the key:
// TicketState.
func (b *builder) partStates(p *Part, key, n *node) {
	t := &expr.Type{Kind: expr.Enum, Name: p.Key.Name + "State", Doc: "Where a part of " + p.Name + " is.", Pos: p.Pos}
	b.names.declare(&node{kind: scalarNode, text: t.Name, pos: key.pos}, typeOfStates, onTop)
	b.types[t.Name] = t
	p.State = &expr.Symbol{Kind: expr.SymField, Name: "state", Type: t, Part: p.Sym, Pos: p.Pos}
	for _, e := range b.mapping(b.need(n, "states", "a part")) {
		checkName(e.key, "state", b.diags)
		b.mapping(e.value, "doc")
		s := &State{Name: e.key.text, Index: len(p.States), Initial: len(p.States) == 0, Doc: b.sentence(e.value.get("doc")), Pos: e.key.pos}
		p.States = append(p.States, s)
		t.Values = append(t.Values, s.Name)
	}
	if len(p.States) == 0 {
		b.diags.Add(diag.NoInitial, p.Pos, "%s have no states", p.Name).Width = len(p.Name)
	}
	p.Groups = b.groupSection(n.get("groups"), t, p.States)
}

// groupSection reads names of sets of states.
func (b *builder) groupSection(n *node, t *expr.Type, states []*State) []*expr.Symbol {
	var out []*expr.Symbol
	entries := b.mapping(n)
	for i, e := range entries {
		b.names.declare(e.key, "group", inExpressions|onTop)
		g := &expr.Symbol{Kind: expr.SymGroup, Name: e.key.text, Type: expr.SetOf(t), Index: len(out), Pos: e.key.pos}
		for _, w := range b.words(e.value) {
			if !b.circular(w, states, entries[i:]) {
				g.Members = append(g.Members, b.statesNamed(w, states, out)...)
			}
		}
		g.Members = sortedUnique(g.Members)
		out = append(out, g)
	}
	return out
}

// circular refuses a group that names itself or one below it.
func (b *builder) circular(w *node, states []*State, below []entry) bool {
	i := slices.IndexFunc(below, func(e entry) bool { return e.key.text == w.text })
	if i < 0 || slices.ContainsFunc(states, func(s *State) bool { return s.Name == w.text }) {
		return false
	}
	d := b.diags.Add(diag.UnknownName, w.pos, "the group %s names itself", w.text)
	if i > 0 {
		d.Message = "the group " + below[0].key.text + " names " + w.text + ", which stands below it"
	}
	d.WithHint("a group names states, and groups that stand before it: so none can contain itself").Also(below[i].key.pos, "the group %s", w.text)
	d.Width = len(w.text)
	return true
}

// statesNamed returns the states of a state's or group's name. Groups may name
// groups that stand before them.
func (b *builder) statesNamed(w *node, states []*State, groups []*expr.Symbol) []int {
	var known []string
	for _, s := range states {
		if s.Name == w.text {
			return []int{s.Index}
		}
		known = append(known, s.Name)
	}
	for _, g := range groups {
		if g.Name == w.text {
			b.named[g] = true
			return g.Members
		}
		known = append(known, g.Name)
	}
	d := b.unknown(diag.UnknownName, w, known, "there is no state or group %s", w.text)
	if w.text == "any" || w.text == "*" || w.text == "all" {
		d.WithHint("leave from out: then it is any state")
	}
	return nil
}

// unknown complains about a name, and offers the nearest known one.
func (b *builder) unknown(code diag.Code, w *node, known []string, format string, args ...any) *diag.Diagnostic {
	d := b.diags.Add(code, w.pos, format, args...)
	d.Width = len(w.text)
	const most = 12
	if near := diag.Nearest(w.text, known); near != "" {
		d.Hint = "did you mean " + near + "?"
	} else if len(known) > 0 && len(known) <= most {
		d.Hint = "declare it, or use one that is declared: " + strings.Join(known, ", ")
	}
	return d
}

// partVariables reads what a part holds and what is remembered of parts; it
// needs the constants.
func (b *builder) partVariables(root *node) {
	for _, p := range b.t.Parts {
		n := root.get("parts").get(p.Name)
		vars := n.get("vars")
		for _, e := range b.mapping(vars) {
			if v := b.partVariable(p, e); v != nil {
				p.Vars = append(p.Vars, v)
			}
		}
		b.memory(p, n.get("remember"))
	}
}

func (b *builder) partVariable(p *Part, e entry) *Var {
	checkName(e.key, "variable", b.diags)
	long := b.long(e.value, "type", "doc", "initial", "unique")
	src := b.need(long, "type", "a part's variable")
	if src == nil {
		return nil
	}
	t := b.typeOf(b.text(src), src.pos)
	if t == nil {
		return nil
	}
	if t.Kind == expr.Set || t.Kind == expr.List {
		b.diags.Add(diag.BadType, src.pos, "%s: a part's variable is a plain value or an optional so far", e.key.text)
		return nil
	}
	s := &expr.Symbol{Kind: expr.SymField, Name: e.key.text, Type: t, Index: 1 + len(p.Vars), Part: p.Sym, Doc: b.sentence(long.get("doc")), Pos: e.key.pos}
	if u := long.get("unique"); u != nil {
		s.Unique = b.boolean(u)
		if t.Kind != expr.Optional {
			b.diags.Add(diag.BadType, u.pos, "only an optional can be unique: all parts hold the same %s at the start", s.Name)
		}
	}
	return &Var{Sym: s}
}

// memory reads which parts are kept after their end; their list is a variable
// of the machine.
func (b *builder) memory(p *Part, n *node) {
	if n == nil {
		return
	}
	b.mapping(n, "in", "states", "most", "doc")
	in, most := b.need(n, "in", "what is remembered"), b.need(n, "most", "what is remembered")
	states := b.need(n, "states", "what is remembered")
	if in == nil || most == nil || states == nil {
		return
	}
	m := &Memory{MostSrc: b.text(most), Most: b.bound(b.text(most), most.pos), Pos: n.pos}
	for _, w := range b.words(states) {
		m.StatesSrc = append(m.StatesSrc, w.text)
		m.States = append(m.States, b.statesNamed(w, p.States, p.Groups)...)
	}
	m.States = sortedUnique(m.States)
	if slices.Contains(m.States, 0) {
		b.diags.Add(diag.WrongShape, states.pos, "%s is where parts start: it can't be remembered as an end", p.States[0].Name)
	}
	b.names.declare(in, "variable", inExpressions)
	m.List = &Var{Sym: &expr.Symbol{
		Kind: expr.SymVar, Name: in.text, Type: &expr.Type{Kind: expr.List, Elem: p.Key, Bound: m.Most},
		Doc: b.sentence(n.get("doc")), Pos: in.pos,
	}}
	p.Memory = m
}

// partMoves reads the moves of all parts: their right sides need the scopes.
func (b *builder) partMoves(root *node) {
	for _, p := range b.t.Parts {
		for _, e := range b.mapping(root.get("parts").get(p.Name).get("moves")) {
			b.partMove(p, e)
		}
		for _, s := range p.States[min(1, len(p.States)):] {
			if !slices.ContainsFunc(p.Moves, func(m *PartMove) bool { return slices.Contains(m.To, s.Index) }) {
				b.diags.Add(diag.DeadRow, s.Pos, "no move of %s leads to %s", p.Name, s.Name).Width = len(s.Name)
			}
		}
	}
}

func (b *builder) partMove(p *Part, e entry) {
	checkName(e.key, "move", b.diags)
	b.mapping(e.value, "from", "to", "set", "doc")
	m := &PartMove{Part: p, Name: e.key.text, Doc: b.sentence(e.value.get("doc")), Index: len(p.Moves), Pos: e.key.pos}
	from := b.need(e.value, "from", "a move")
	for _, w := range b.words(from) {
		m.FromSrc = append(m.FromSrc, w.text)
		m.From = append(m.From, b.statesNamed(w, p.States, p.Groups)...)
	}
	m.From = append([]int{}, sortedUnique(m.From)...)
	to, set := e.value.get("to"), e.value.get("set")
	if to == nil && set == nil {
		b.diags.Add(diag.BadOutcome, m.Pos, "the move %s changes nothing", m.Name).WithHint("to, set or both").Width = len(m.Name)
	}
	for _, w := range b.words(to) {
		m.ToSrc = append(m.ToSrc, w.text)
		m.To = append(m.To, b.statesNamed(w, p.States, p.Groups)...)
	}
	m.To = sortedUnique(m.To)
	m.It = &expr.Symbol{Kind: expr.SymBound, Name: "it", Type: p.Key, Pos: m.Pos}
	scope := b.guards.With(expr.Subject(m.It, false, p.Fields()...))
	for _, u := range b.mapping(set) {
		if a := b.fieldUpdate(u, p, m.It, scope); a != nil {
			m.Set = append(m.Set, a)
		}
	}
	p.Moves = append(p.Moves, m)
}
