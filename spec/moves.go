package spec

import (
	"regexp"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// keyName is how a row speaks of the part or instance of a type: Ticket is
// ticket.
func keyName(typ string) string {
	if typ == "" {
		return ""
	}
	return strings.ToLower(typ[:1]) + typ[1:]
}

// sides parts {ticket: .., session: ..} into what is said of the machine's
// state and of the subject's. A value alone is about the machine.
func (b *builder) sides(r *Row, n *node) (machine, part *node) {
	if n == nil || n.kind != mappingNode {
		return n, nil
	}
	of, per := "", keyName(b.t.Per)
	known := []string{}
	if per != "" {
		known = append(known, per)
	}
	if r.Event != nil && r.Event.Of != nil {
		of = keyName(r.Event.Of.Key.Name)
		known = append(known, of)
	}
	for _, e := range n.entries {
		switch e.key.text {
		case per:
			machine = e.value
		case of:
			part = e.value
		default:
			b.unknown(diag.UnknownKey, e.key, known, "no state of %s is known here", e.key.text)
		}
	}
	return machine, part
}

// from reads the states in which a row applies.
func (b *builder) from(r *Row, n *node) {
	machine, part := b.sides(r, n)
	for _, w := range b.words(machine) {
		r.FromSrc = append(r.FromSrc, w.text)
		r.From = append(r.From, b.statesNamed(w, b.t.States, b.t.Groups)...)
	}
	if machine != nil {
		r.From = append([]int{}, sortedUnique(r.From)...)
	}
	if part == nil {
		return
	}
	p := r.Event.Of
	for _, w := range b.words(part) {
		r.PartFromSrc = append(r.PartFromSrc, w.text)
		r.PartFrom = append(r.PartFrom, b.statesNamed(w, p.States, p.Groups)...)
	}
	r.PartFrom = append([]int{}, sortedUnique(r.PartFrom)...)
}

func (b *builder) move(r *Row, n *node, scope *expr.Scope) {
	machine, part := b.sides(r, n.get("to"))
	if machine != nil {
		r.To = b.target(machine, b.t.States)
	}
	if part != nil {
		b.subjectMove(r, part)
	}
	for _, e := range b.mapping(n.get("fire")) {
		b.fire(r, e, scope)
	}
	for _, w := range b.words(n.get("forget")) {
		i := slices.IndexFunc(b.t.Parts, func(p *Part) bool { return p.Name == w.text })
		if i < 0 {
			b.diags.Add(diag.UnknownName, w.pos, "there are no parts %s", w.text).Width = len(w.text)
			continue
		}
		r.Forget = append(r.Forget, b.t.Parts[i])
	}
	own := append(slices.Clone(b.t.Vars), b.t.Shared...)
	r.Set = b.updates(n.get("set"), own, r, scope, "variable of the machine")
	for _, item := range b.list(n.get("emit")) {
		if em := b.emission(item, scope); em != nil {
			r.Emit = append(r.Emit, em)
		}
	}
	if then := n.get("then"); then != nil {
		r.Then = b.subTable(then)
	}
	b.twice(r)
}

// target reads the one state that to names.
func (b *builder) target(to *node, states []*State) *State {
	name := b.text(to)
	if to.kind != scalarNode {
		return nil
	}
	var known []string
	for _, s := range states {
		if s.Name == name {
			return s
		}
		known = append(known, s.Name)
	}
	b.unknown(diag.UnknownName, to, known, "there is no state %s", to.text)
	return nil
}

// subjectMove finds the one move by which the subject comes to a state.
func (b *builder) subjectMove(r *Row, to *node) {
	p := r.Event.Of
	s := b.target(to, p.States)
	if s == nil {
		return
	}
	var found []*PartMove
	for _, m := range p.Moves {
		if slices.Contains(m.To, s.Index) && r.PartFrom != nil && !slices.ContainsFunc(r.PartFrom, func(i int) bool { return !slices.Contains(m.From, i) }) {
			found = append(found, m)
		}
	}
	if len(found) != 1 {
		d := b.diags.Add(diag.BadMove, to.pos, "no move of %s goes from where %s applies to %s", p.Name, r.Name(), s.Name)
		d.Width = len(to.text)
		if len(found) > 1 {
			d.Message = found[0].Name + " and " + found[1].Name + " both lead to " + s.Name
			d.WithHint("say which: fire: {%s: %s}", found[0].Name, r.Event.Args[0].Sym.Name)
		}
		return
	}
	key := r.Event.Args[0].Sym
	r.Fire = append(r.Fire, &Fire{Move: found[0], To: s, On: expr.Ref(key), Src: key.Name, Subject: true, Pos: to.pos})
}

// fire reads move: parts, or move: {on: parts, to: state} where the move leads
// to several states.
func (b *builder) fire(r *Row, e entry, scope *expr.Scope) {
	var known []string
	var m *PartMove
	for _, p := range b.t.Parts {
		for _, o := range p.Moves {
			known = append(known, o.Name)
			if o.Name == e.key.text {
				m = o
			}
		}
	}
	if m == nil {
		b.unknown(diag.UnknownName, e.key, known, "there is no move %s", e.key.text)
		return
	}
	long := b.long(e.value, "on", "to")
	on := b.need(long, "on", "a move")
	if on == nil {
		return
	}
	f := &Fire{Move: m, Src: b.sentence(on), Pos: e.key.pos}
	f.On = expr.Parse(b.text(on), on.pos, scope, nil, b.diags)
	if f.On == nil {
		return
	}
	if t := f.On.Type; t != m.Part.Key && !((t.Kind == expr.Optional || t.Kind == expr.List) && t.Elem == m.Part.Key) {
		b.diags.Add(diag.TypeMismatch, on.pos, "%s moves a %s, an optional or a list of it; this is of type %s", m.Name, m.Part.Key, t)
		return
	}
	f.To = b.fireTarget(m, e, long.get("to"))
	r.Fire = append(r.Fire, f)
}

func (b *builder) fireTarget(m *PartMove, e entry, to *node) *State {
	if to == nil {
		if len(m.To) > 1 {
			b.diags.Add(diag.BadMove, e.key.pos, "%s leads to several states", m.Name).WithHint("say which: %s: {on: .., to: ..}", m.Name).Width = len(m.Name)
		}
		if len(m.To) != 1 {
			return nil
		}
		return m.Part.States[m.To[0]]
	}
	s := b.target(to, m.Part.States)
	if s != nil && !slices.Contains(m.To, s.Index) {
		b.diags.Add(diag.BadMove, to.pos, "%s doesn't lead to %s", m.Name, s.Name).Also(m.Pos, "the move").Width = len(to.text)
	}
	return s
}

// twice finds places that one row may set in two ways: which comes first would
// decide.
func (b *builder) twice(r *Row) {
	for i, a := range r.Set {
		for _, p := range b.t.Parts {
			if p.Memory != nil && p.Memory.List.Sym == a.Var {
				b.diags.Add(diag.TwoUpdates, a.Pos, "%s follows from the parts' moves: no row sets it", a.Var.Name).Also(p.Memory.Pos, "what is remembered").Width = len(a.Var.Name)
			}
		}
		for _, o := range r.Set[:i] {
			if a.Key != nil && o.Var == a.Var {
				b.diags.Add(diag.TwoUpdates, a.Pos, "%s may be set here for a second time: both keys may name one part", a.Var.Name).Also(o.Pos, "the first time")
			}
		}
		for _, f := range r.Fire {
			for _, o := range f.Move.Set {
				if o.Var == a.Var {
					b.diags.Add(diag.TwoUpdates, a.Pos, "the move %s sets %s too", f.Move.Name, a.Var.Name).Also(o.Pos, "there")
				}
			}
		}
	}
}

var (
	ofSubject = regexp.MustCompile(`^it\.(\w+)$`)
	ofPart    = regexp.MustCompile(`^(\w+)\((.*)\)\.(\w+)$`)
)

// updates reads {x: expression}; of a row, it.x and tickets(t).x too.
func (b *builder) updates(n *node, vars []*Var, r *Row, scope *expr.Scope, what string) []*Assign {
	var out []*Assign
	for _, e := range b.mapping(n) {
		if r != nil {
			if a, ok := b.rowField(e, r, scope); ok {
				if a != nil {
					out = append(out, a)
				}
				continue
			}
		}
		i := slices.IndexFunc(vars, func(v *Var) bool { return v.Sym.Name == e.key.text })
		if i < 0 {
			var known []string
			for _, v := range vars {
				known = append(known, v.Sym.Name)
			}
			b.unknown(diag.UnknownName, e.key, known, "%s is no %s", e.key.text, what)
			continue
		}
		if x := expr.Parse(b.text(e.value), e.value.pos, scope, vars[i].Sym.Type, b.diags); x != nil {
			out = append(out, &Assign{Var: vars[i].Sym, Expr: x, Src: b.sentence(e.value), Pos: e.key.pos})
		}
	}
	return out
}

// rowField reads an update of a part's variable, and whether it is one.
func (b *builder) rowField(e entry, r *Row, scope *expr.Scope) (*Assign, bool) {
	if m := ofSubject.FindStringSubmatch(e.key.text); m != nil && r.Event != nil && r.Event.Of != nil {
		return b.fieldUpdate(e, r.Event.Of, r.Event.Args[0].Sym, scope), true
	}
	m := ofPart.FindStringSubmatch(e.key.text)
	if m == nil {
		return nil, false
	}
	i := slices.IndexFunc(b.t.Parts, func(p *Part) bool { return p.Name == m[1] })
	if i < 0 {
		return nil, false
	}
	p, pos := b.t.Parts[i], e.key.pos
	pos.Col += len(m[1]) + 1
	key := expr.Parse(m[2], pos, scope, p.Key, b.diags)
	if key == nil {
		return nil, true
	}
	a := b.field(e, m[3], p, scope)
	if a != nil {
		a.Key = key
	}
	return a, true
}

// fieldUpdate reads it.x: expression; key names the part.
func (b *builder) fieldUpdate(e entry, p *Part, key *expr.Symbol, scope *expr.Scope) *Assign {
	m := ofSubject.FindStringSubmatch(e.key.text)
	if m == nil {
		b.diags.Add(diag.UnknownName, e.key.pos, "%s is no variable of %s", e.key.text, p.Name).WithHint("write it like it.%s", p.exampleVar()).Width = len(e.key.text)
		return nil
	}
	a := b.field(e, m[1], p, scope)
	if a != nil {
		a.Key = expr.Ref(key)
	}
	return a
}

// exampleVar returns a variable of p, for hints.
func (p *Part) exampleVar() string {
	if len(p.Vars) == 0 {
		return "x"
	}
	return p.Vars[0].Sym.Name
}

func (b *builder) field(e entry, name string, p *Part, scope *expr.Scope) *Assign {
	var known []string
	for _, v := range p.Vars {
		known = append(known, v.Sym.Name)
		if v.Sym.Name != name {
			continue
		}
		x := expr.Parse(b.text(e.value), e.value.pos, scope, v.Sym.Type, b.diags)
		if x == nil {
			return nil
		}
		return &Assign{Var: v.Sym, Expr: x, Src: b.sentence(e.value), Pos: e.key.pos}
	}
	if name == "state" {
		b.diags.Add(diag.BadMove, e.key.pos, "a part changes its state along a move only").WithHint("fire: {move: part}").Width = len(e.key.text)
		return nil
	}
	b.unknown(diag.UnknownName, &node{text: name, pos: e.key.pos}, known, "%s have no variable %s", p.Name, name)
	return nil
}
