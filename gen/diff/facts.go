package diff

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// aspect says what a change of a piece concerns.
type aspect uint8

const (
	shape    aspect = iota // what a thing is: its type, its place
	decision               // what the machine decides
	world                  // what only the model knows
	claims                 // what properties say
	sizes                  // how large the models are
	order                  // of checks
)

// piece is one thing that a table says of an entity.
type piece struct {
	aspect aspect
	label  string // for people: "from", "when", "set holder"
	term
	src string // as written
}

// entity is something in a table that has a name.
type entity struct {
	kind   string
	name   string
	doc    string
	obj    any     // its identity in the table
	of     *entity // what it belongs to; nil: the table
	at     int     // among those of its kind and parent
	pieces []piece
	words  []string // that ride along: reasons, sentences, words of conditions
}

// path returns the entity's name with that of what it belongs to.
func (e *entity) path() string {
	if e.of == nil {
		return e.name
	}
	return e.of.path() + "." + e.name
}

func (e *entity) say(a aspect, label string, t term, src string) {
	e.pieces = append(e.pieces, piece{a, label, t, src})
}

// facts are all entities of a table, in its order.
type facts struct {
	*reader
	all   []*entity
	by    map[any]*entity
	count map[string]int
}

func newFacts(t *spec.Table) *facts {
	f := &facts{reader: newReader(t), by: map[any]*entity{}, count: map[string]int{}}
	m := f.add("machine", t.Name, t.Doc, t, nil)
	if t.Per != "" {
		f.add("instance", t.Per, "", &t.Per, nil)
	}
	f.types()
	f.states("state", t.States, nil)
	f.variables()
	f.groups(t.Groups, t.States, nil)
	for _, d := range t.Defs {
		e := f.add("definition", d.Name, d.Doc, d, nil)
		e.say(shape, "is", f.expr(d.Body, nil, false), d.Src)
	}
	for _, a := range t.Answers {
		f.add("code", a.Code, a.Says, a, nil)
	}
	for _, x := range t.Effects {
		e := f.add("effect", x.Name, x.Doc, x, nil)
		f.arguments(x.Args, nil, e)
	}
	f.partsAndTables()
	for _, e := range t.Events {
		f.event("event", e)
	}
	for _, e := range t.World {
		f.event("world event", e)
	}
	for _, x := range t.Follows {
		f.follow(x)
	}
	f.claims()
	f.models()
	_ = m
	return f
}

func (f *facts) add(kind, name, doc string, obj any, of *entity) *entity {
	key := kind
	if of != nil {
		key += " " + of.kind + " " + of.path()
	}
	e := &entity{kind: kind, name: name, doc: doc, obj: obj, of: of, at: f.count[key]}
	f.count[key]++
	f.all = append(f.all, e)
	f.by[obj] = e
	return e
}

func (f *facts) types() {
	for _, t := range f.t.Types {
		e := f.add("type", t.Name, t.Doc, t, nil)
		switch t.Kind {
		case expr.Enum:
			e.say(shape, "is", word("enumeration"), "an enumeration")
			for i, v := range t.Values {
				f.add("value", v, "", value{t, i}, e)
			}
		case expr.Identity:
			e.say(shape, "is", word("identity"), "identity")
		case expr.Serial:
			e.say(shape, "is", word("serial"), "serial")
		case expr.Int:
			src := fmt.Sprintf("%d..%d", t.Lo, t.Hi)
			e.say(shape, "is", word(src), src)
		default:
			e.say(shape, "is", word(t.String()), t.String())
		}
		if t.Else != "" {
			e.say(decision, "else", f.code(t.Else), t.Else)
		}
		if t.Shared {
			e.say(shape, "shared", word("shared"), "shared")
		}
	}
}

// code names an answer.
func (f *facts) code(code string) term {
	for _, a := range f.t.Answers {
		if a.Code == code {
			return named(a)
		}
	}
	return word(code)
}

func (f *facts) states(kind string, states []*spec.State, of *entity) {
	for _, s := range states {
		e := f.add(kind, s.Name, s.Doc, s, of)
		if s.Initial {
			e.say(decision, "initial", word("initial"), "initial")
		}
	}
}

func (f *facts) groups(groups []*expr.Symbol, states []*spec.State, of *entity) {
	for _, g := range groups {
		e := f.add("group", g.Name, g.Doc, g, of)
		e.say(shape, "is", unordered("", f.reader.states(states, g.Members)...), "")
	}
}

func (f *facts) variables() {
	for _, p := range f.t.Params {
		e := f.add("constant", p.Name, p.Doc, p, nil)
		e.say(shape, "type", f.typ(p.Type), p.Type.String())
	}
	for _, l := range []struct {
		kind string
		vars []*spec.Var
	}{{"variable", f.t.Vars}, {"shared variable", f.t.Shared}, {"ghost", f.t.Ghosts}} {
		for _, v := range l.vars {
			f.variable(l.kind, v, nil)
		}
	}
}

func (f *facts) variable(kind string, v *spec.Var, of *entity) *entity {
	e := f.add(kind, v.Sym.Name, v.Sym.Doc, v.Sym, of)
	about := decision
	if kind == "ghost" {
		about = world
	}
	e.say(about, "type", f.typ(v.Sym.Type), v.Sym.Type.String())
	if v.Sym.Unique {
		e.say(about, "unique", word("unique"), "unique")
	}
	if v.Init != nil {
		e.say(about, "initial", f.expr(v.Init, nil, false), "initial")
	}
	return e
}

func (f *facts) arguments(args []*expr.Symbol, spec []*spec.Arg, of *entity) {
	for i, a := range args {
		e := f.add("argument", a.Name, a.Doc, a, of)
		t := f.typ(a.Type)
		src := a.Type.String()
		if spec != nil && spec[i].Fresh {
			t, src = word("fresh", t), "fresh "+src
		}
		if spec != nil && spec[i].Origin {
			t = word("origin", t)
		}
		e.say(decision, "type", t, src)
		e.say(order, "place", word(strconv.Itoa(i)), "place "+strconv.Itoa(i+1))
	}
}

func (f *facts) partsAndTables() {
	for _, p := range f.t.Parts {
		e := f.add("part", p.Name, p.Doc, p, nil)
		e.say(decision, "key", f.typ(p.Key), p.Key.Name)
		f.states("part state", p.States, e)
		for _, v := range p.Vars {
			f.variable("part variable", v, e)
		}
		f.groups(p.Groups, p.States, e)
		if m := p.Memory; m != nil {
			e.say(decision, "remember", word("remember", named(m.List.Sym), f.expr(m.Most, nil, false), unordered("", f.reader.states(p.States, m.States)...)),
				fmt.Sprintf("%s, at most %s", m.List.Sym.Name, m.MostSrc))
		}
	}
	for _, p := range f.t.Parts {
		for _, m := range p.Moves {
			e := f.add("move", m.Name, m.Doc, m, f.by[p])
			f.from(e, "from", p.States, m.From)
			for _, i := range m.To {
				e.say(decision, "to", named(p.States[i]), p.States[i].Name)
			}
			f.sets(e, decision, m.Set, []*expr.Symbol{m.It})
		}
	}
	for _, s := range f.t.Tables {
		e := f.add("table", s.Name, s.Doc, s, nil)
		for _, r := range s.Rows {
			f.row(r, e, false)
		}
	}
}

func (f *facts) from(e *entity, label string, states []*spec.State, which []int) {
	if which == nil {
		e.say(decision, label, word("any"), "any")
	}
	for _, i := range which {
		e.say(decision, label, named(states[i]), states[i].Name)
	}
}

func (f *facts) sets(e *entity, a aspect, sets []*spec.Assign, bound []*expr.Symbol) {
	for _, s := range sets {
		name := s.Var.Name
		to := named(s.Var)
		if s.Key != nil {
			to = word("of", f.field(s.Var), f.expr(s.Key, bound, false))
			name = s.Var.Part.Name + "." + name
		}
		e.say(a, "set "+name, word("set", to, f.expr(s.Expr, bound, false)), s.Src)
	}
}

func (f *facts) event(kind string, ev *spec.Event) {
	e := f.add(kind, ev.Name, ev.Doc, ev, nil)
	about := decision
	if kind == "world event" {
		about = world
	}
	e.say(about, "by", word(ev.By), ev.By)
	if ev.Of != nil {
		e.say(about, "of", named(ev.Of), ev.Of.Name)
	}
	if ev.Can != nil {
		e.say(world, "can", f.expr(ev.Can, nil, false), ev.CanSrc)
	}
	var args []*expr.Symbol
	for _, a := range ev.Args {
		args = append(args, a.Sym)
	}
	f.arguments(args, ev.Args, e)
	var checks []term
	for _, r := range ev.Checks {
		checks = append(checks, named(r))
		f.row(r, e, about == world)
	}
	if len(checks) > 1 {
		e.say(order, "checks", word("checks", checks...), "")
	}
	for _, r := range ev.Rows {
		f.row(r, e, about == world)
	}
}

func (f *facts) row(r *spec.Row, of *entity, ofWorld bool) {
	kind := "row"
	if r.Check {
		kind = "check"
	}
	e := f.add(kind, r.ID, r.Why, r, of)
	first := len(e.pieces)
	f.from(e, "from", f.t.States, r.From)
	if r.Event != nil && r.Event.Of != nil {
		f.from(e, "from "+r.Event.Of.Name, r.Event.Of.States, r.PartFrom)
	}
	for _, c := range r.When {
		for _, l := range f.literals(c.Expr, false) {
			e.say(decision, "when", l, c.Src)
		}
		e.words = append(e.words, c.Says)
	}
	for _, c := range r.Unless {
		for _, l := range f.literals(c.Expr, true) {
			e.say(decision, "unless", l, c.Src)
		}
		e.words = append(e.words, c.Says)
	}
	if r.Claim != "" {
		e.words = append(e.words, r.Claim)
	}
	f.outcome(e, r)
	if ofWorld {
		for i := first; i < len(e.pieces); i++ {
			e.pieces[i].aspect = world
		}
	}
}

// outcome says what a row does. Fires and effects are ordered.
func (f *facts) outcome(e *entity, r *spec.Row) {
	does := word(r.Outcome.String())
	src := r.Outcome.String()
	if r.Code != "" {
		does.args = append(does.args, f.code(r.Code))
		src += " " + r.Code
	}
	e.say(decision, "outcome", does, src)
	if r.To != nil {
		e.say(decision, "to", named(r.To), r.To.Name)
	}
	f.sets(e, decision, r.Set, nil)
	for i, x := range r.Fire {
		t := word("fire"+strconv.Itoa(i), named(x.Move), f.expr(x.On, nil, false))
		if x.To != nil {
			t.args = append(t.args, named(x.To))
		}
		e.say(decision, "fire", t, x.Move.Name+": "+x.Src)
	}
	for _, p := range r.Forget {
		e.say(decision, "forget", named(p), p.Name)
	}
	for i, x := range r.Emit {
		e.say(decision, "emit", f.emit(i, x), x.Src)
	}
	if r.Then != nil {
		e.say(decision, "then", named(r.Then), r.Then.Name)
	}
}

func (f *facts) emit(i int, x *spec.Emit) term {
	var bound []*expr.Symbol
	t := word("emit"+strconv.Itoa(i), named(x.Effect))
	if x.Each != nil {
		t.args = append(t.args, word("each", f.expr(x.In, nil, false)))
		bound = []*expr.Symbol{x.Each}
	}
	for _, a := range x.Args {
		t.args = append(t.args, f.expr(a, bound, false))
	}
	return t
}

// follow is said of what is followed.
func (f *facts) follow(x *spec.Follow) {
	var e *entity
	switch {
	case x.Row != nil:
		e = f.by[x.Row]
	case x.Event != nil:
		e = f.by[x.Event]
	default:
		e = f.by[x.Effect]
	}
	before := len(e.pieces)
	f.sets(e, world, x.Set, nil)
	for i := before; i < len(e.pieces); i++ {
		e.pieces[i].label = "follows"
	}
}

func (f *facts) models() {
	for _, m := range f.t.Models {
		e := f.add("model", m.Name, m.Doc, m, nil)
		if f.t.Per != "" {
			e.say(sizes, f.t.Per, word("instances"+strconv.Itoa(m.Instances)), strconv.Itoa(m.Instances))
		}
		for _, t := range f.t.Types {
			if n, ok := m.Sizes[t]; ok {
				e.say(sizes, t.Name, word(strconv.Itoa(n), named(t)), strconv.Itoa(n))
			}
		}
		for i, p := range f.t.Params {
			e.say(sizes, p.Name, word(strconv.Itoa(m.Params[i]), named(p)), param(p, m.Params[i]))
		}
		if m.Alone {
			e.say(sizes, "world", word("alone"), "false")
		}
		for _, a := range m.Assume {
			e.say(sizes, "assume", named(a), a.Name)
		}
		for _, p := range m.Checks {
			e.say(sizes, "checks", named(p), p.Name)
		}
	}
}

func param(p *expr.Symbol, v int) string {
	if p.Type.Kind == expr.Bool {
		return strconv.FormatBool(v == 1)
	}
	return strconv.Itoa(v)
}

// claims are assumptions and properties.
func (f *facts) claims() {
	for _, a := range f.t.Assumptions {
		e := f.add("assumption", a.Name, a.Doc, a, nil)
		for _, on := range a.On {
			e.say(world, "on", named(on), on.Name)
		}
		if a.Only != nil {
			e.say(world, "only", f.expr(a.Only, nil, false), a.Src)
		}
		for _, b := range a.All {
			e.say(world, "all", named(b), b.Name)
		}
	}
	for _, p := range f.t.Properties {
		f.property(p)
	}
}

var propertyKinds = map[spec.PropertyKind]string{
	spec.Invariant: "invariant", spec.StepAlways: "step", spec.Isolated: "isolated", spec.Sometimes: "sometimes", spec.Eventually: "eventually",
}

func (f *facts) property(p *spec.Property) {
	e := f.add("property", p.Name, p.Doc, p, nil)
	e.say(claims, "form", word(propertyKinds[p.Kind]), propertyKinds[p.Kind])
	for _, a := range p.Given {
		e.say(claims, "given", named(a), a.Name)
	}
	for i, b := range p.Each {
		e.say(claims, "each", word("each"+strconv.Itoa(i), f.typ(b.Type)), b.Name+" "+b.Type.String())
	}
	if p.Holds != nil {
		e.say(claims, "holds", f.expr(p.Holds, p.Each, false), p.Src)
	}
	if p.On != nil {
		e.say(claims, "on", named(p.On), p.On.Name)
	}
	if p.From != nil {
		e.say(claims, "from", f.expr(p.From, p.Each, false), p.FromSrc)
		e.say(claims, "to", f.expr(p.To, p.Each, false), p.ToSrc)
	}
	for _, x := range p.Fair {
		e.say(claims, "fair", named(x), x.Name)
	}
	for _, c := range p.Clauses {
		e.say(claims, "holds", f.clause(c), c.Src)
	}
}

func (f *facts) clause(c *spec.Clause) term {
	t := word("clause"+strconv.Itoa(int(c.Kind)), f.expr(c.Holds, nil, false))
	if c.Event != nil {
		t.args = append(t.args, named(c.Event))
	}
	if c.Row != nil {
		t.args = append(t.args, named(c.Row))
	}
	var except []term
	for _, e := range c.Except {
		except = append(except, named(e))
	}
	if except != nil {
		t.args = append(t.args, unordered("except", except...))
	}
	return t
}

// ofKind returns the entities of a kind, in order.
func (f *facts) ofKind(kinds ...string) []*entity {
	var out []*entity
	for _, e := range f.all {
		if slices.Contains(kinds, e.kind) {
			out = append(out, e)
		}
	}
	return out
}
