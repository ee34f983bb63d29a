package interp

import (
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// rules are the decisions of one event, compiled over one layout.
type rules struct {
	event  *spec.Event    // nil: of table
	table  *spec.SubTable // nil: of event
	checks []*rule
	rows   []*rule
	nobody *rule // decides what none of them does, and then the first row of several; nil: that is a fault
}

// rule is a check or row.
type rule struct {
	row     *spec.Row
	from    []bool // by state; nil: any
	state   slot
	part    []bool // by state of the subject; nil: any
	subject place  // of its state
	conds   []cond
	fires   []fire
	sets    []update
	emits   []emit
	then    *rules // what it goes on with; nil: nothing
}

// cond must not evaluate to not.
type cond struct {
	eval eval
	not  uint64
	src  string
}

// update is an assignment; of a part's field to is that of the first key.
type update struct {
	to     slot
	key    eval // of a part's field; nil: to is the place
	stride int
	typ    *expr.Type
	codes  uint64
	eval   eval
	src    string
	pos    diag.Pos
	encode bool
}

type emit struct {
	effect *spec.Effect
	args   []update
	each   eval // a list, of which each element is bound first; nil: it is sent once
	base   uint64
}

// fire is a move of parts.
type fire struct {
	*spec.Fire
	on    eval   // a key, an optional or a list of keys
	base  uint64 // of a list's code
	state place
	from  []bool
	sets  []update // their keys are bound name 0
}

func (c *compiler) rules(e *spec.Event) (*rules, error) {
	var args []*expr.Symbol
	for _, a := range e.Args {
		args = append(args, a.Sym)
	}
	ec := c.with(args, nil, nil)
	out := &rules{event: e}
	var err error
	if out.checks, err = ec.ruleList(e.Checks); err != nil {
		return nil, err
	}
	out.rows, err = ec.ruleList(e.Rows)
	return out, err
}

// subRules compiles a sub-table.
func (c *compiler) subRules(t *spec.SubTable) (*rules, error) {
	rows, err := c.with(nil, nil, nil).ruleList(t.Rows)
	return &rules{table: t, rows: rows}, err
}

func (c *compiler) ruleList(rows []*spec.Row) ([]*rule, error) {
	var out []*rule
	for _, row := range rows {
		r, err := c.rule(row)
		if err != nil {
			return nil, errorAt(row.Pos, "%s: %w", row.Name(), err)
		}
		out = append(out, r)
	}
	return out, nil
}

func (c *compiler) rule(row *spec.Row) (*rule, error) {
	r := &rule{row: row, state: c.slots[c.table.State]}
	r.from = oneOf(row.From, len(c.table.States))
	if row.PartFrom != nil {
		p := row.Event.Of
		r.part = oneOf(row.PartFrom, len(p.States))
		r.subject, _ = c.place(p.State)
	}
	for _, list := range []struct {
		conds []*spec.Cond
		not   uint64
	}{{row.When, 0}, {row.Unless, 1}} {
		for _, w := range list.conds {
			f, err := c.compile(w.Expr, false)
			if err != nil {
				return nil, err
			}
			r.conds = append(r.conds, cond{eval: f, not: list.not, src: w.Src})
		}
	}
	if row.To != nil {
		r.sets = append(r.sets, update{to: r.state, eval: constant(uint64(row.To.Index)), typ: c.table.State.Type, codes: uint64(len(c.table.States))})
	}
	sets, err := c.updates(row.Set)
	if err != nil {
		return nil, err
	}
	r.sets = append(r.sets, sets...)
	for _, f := range row.Fire {
		fi, err := c.fire(f)
		if err != nil {
			return nil, err
		}
		r.fires = append(r.fires, fi)
	}
	for _, em := range row.Emit {
		out, err := c.emit(em)
		if err != nil {
			return nil, err
		}
		r.emits = append(r.emits, out)
	}
	return r, nil
}

// oneOf returns which of n are in list; nil: any.
func oneOf(list []int, n int) []bool {
	if list == nil {
		return nil
	}
	out := make([]bool, n)
	for _, i := range list {
		out[i] = true
	}
	return out
}

func (c *compiler) emit(em *spec.Emit) (emit, error) {
	out := emit{effect: em.Effect}
	if em.Each != nil {
		list, err := c.compile(em.In, false)
		if err != nil {
			return out, err
		}
		out.each, out.base = list, uint64(c.lists(em.In.Type))
		c = c.with(c.args, c.effect, []*expr.Symbol{em.Each})
	}
	for i, a := range em.Args {
		u, err := c.update(em.Effect.Args[i].Type, a, em.Src)
		if err != nil {
			return out, err
		}
		out.args = append(out.args, u)
	}
	return out, nil
}

func (c *compiler) fire(f *spec.Fire) (fire, error) {
	p := f.Move.Part
	out := fire{Fire: f, from: oneOf(f.Move.From, len(p.States))}
	var err error
	if out.on, err = c.compile(f.On, false); err != nil {
		return out, err
	}
	if f.On.Type.Kind == expr.List {
		out.base = uint64(c.lists(f.On.Type))
	}
	out.state, _ = c.place(p.State)
	out.sets, err = c.with(c.args, c.effect, []*expr.Symbol{f.Move.It}).updates(f.Move.Set)
	return out, err
}

func (c *compiler) updates(sets []*spec.Assign) ([]update, error) {
	var out []update
	for _, a := range sets {
		to, ok := c.slots[a.Var]
		if !ok {
			return nil, errorAt(a.Pos, "%s can't be set here", a.Var.Name)
		}
		u, err := c.update(a.Var.Type, a.Expr, a.Var.Name+": "+a.Src)
		if err != nil {
			return nil, err
		}
		u.to = to
		if a.Key != nil {
			p, _ := c.place(a.Var)
			u.stride = p.stride
			if u.key, err = c.compile(a.Key, false); err != nil {
				return nil, err
			}
		}
		out = append(out, u)
	}
	return out, nil
}

// update compiles n as the new value of something of type t.
func (c *compiler) update(t *expr.Type, n *expr.Node, src string) (update, error) {
	f, err := c.compile(n, false)
	if err != nil {
		return update{}, err
	}
	codes, err := c.codes(t)
	return update{typ: t, codes: codes, eval: f, src: src, pos: n.Pos, encode: numeric(t) || t.Kind == expr.List || c.holdsKeys(t)}, err
}

// code evaluates u as a code of its type.
func (u *update) code(d *domains, e *env, where string) (uint64, *Fault) {
	v := u.eval(e)
	if e.undefined != nil {
		return 0, undefined(e, where, u.src)
	}
	if u.encode {
		c, ok := d.code(u.typ, u.codes, v)
		if !ok {
			return 0, &Fault{Reason: ErrRange, Where: where, Src: u.src, Pos: u.pos, Detail: "outside " + u.typ.String()}
		}
		return c, nil
	}
	return v, nil
}

// place returns where u is assigned to; its key has a value.
func (u *update) place(e *env) int {
	if u.key != nil {
		return u.to.in(e.base) + (int(u.key(e))-1)*u.stride
	}
	return u.to.in(e.base)
}

// applies reports whether the row's own conditions hold.
func (r *rule) applies(e *env) (bool, *Fault) {
	if r.from != nil {
		at := r.state.at
		if r.state.own {
			at += e.base
		}
		if !r.from[e.old[at]] {
			return false, nil
		}
	}
	if r.part != nil && !r.part[e.old[r.subject.of(e.args[0]).in(e.base)]] {
		return false, nil
	}
	for i := range r.conds {
		c := &r.conds[i]
		v := c.eval(e)
		if e.undefined != nil {
			return false, undefined(e, r.row.Name(), c.src)
		}
		if v == c.not {
			return false, nil
		}
	}
	return true, nil
}

// decide returns the first check that applies, else the one row that does.
func (rs *rules) decide(e *env) (*rule, *Fault) {
	for _, r := range rs.checks {
		if ok, fault := r.applies(e); ok || fault != nil {
			return r, fault
		}
	}
	var found *rule
	for i, r := range rs.rows {
		ok, fault := r.applies(e)
		if fault != nil {
			return nil, fault
		}
		if ok && rs.nobody != nil {
			return r, nil
		}
		if ok && found != nil {
			return nil, rs.overlap(e, found, rs.rows[i:])
		}
		if ok {
			found = r
		}
	}
	if found == nil && rs.nobody != nil {
		return rs.nobody, nil
	}
	if found == nil {
		f := &Fault{Reason: ErrGap}
		f.Where, f.Pos = rs.name()
		return nil, f
	}
	return found, nil
}

// name returns what the rules are of.
func (rs *rules) name() (string, diag.Pos) {
	if rs.table != nil {
		return rs.table.Name, rs.table.Pos
	}
	return rs.event.Name, rs.event.Pos
}

func (rs *rules) overlap(e *env, first *rule, rest []*rule) *Fault {
	f := &Fault{Reason: ErrOverlap, Pos: first.row.Pos, Rows: []*spec.Row{first.row}}
	f.Where, _ = rs.name()
	for _, r := range rest {
		ok, fault := r.applies(e)
		if fault != nil {
			return fault
		}
		if ok {
			f.Rows = append(f.Rows, r.row)
		}
	}
	return f
}
