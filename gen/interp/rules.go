package interp

import (
	"fmt"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// rules are the decisions of one event, compiled over one layout.
type rules struct {
	event  *spec.Event
	checks []*rule
	rows   []*rule
}

// rule is a check or row.
type rule struct {
	row   *spec.Row
	from  []bool // by state; nil: any
	state slot
	conds []cond
	sets  []update
	emits []emit
}

// cond must not evaluate to not.
type cond struct {
	eval eval
	not  uint64
	src  string
}

// update is an assignment; sym is nil for the control state.
type update struct {
	to     slot
	typ    *expr.Type
	codes  uint64
	eval   eval
	src    string
	encode bool
}

type emit struct {
	effect *spec.Effect
	args   []update
}

func (c *compiler) rules(e *spec.Event) (*rules, error) {
	var args []*expr.Symbol
	for _, a := range e.Args {
		args = append(args, a.Sym)
	}
	ec := c.with(args, nil, nil)
	out := &rules{event: e}
	for _, list := range []struct {
		rows []*spec.Row
		to   *[]*rule
	}{{e.Checks, &out.checks}, {e.Rows, &out.rows}} {
		for _, row := range list.rows {
			r, err := ec.rule(row)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", row.Name(), err)
			}
			*list.to = append(*list.to, r)
		}
	}
	return out, nil
}

func (c *compiler) rule(row *spec.Row) (*rule, error) {
	r := &rule{row: row, state: c.slots[c.table.State]}
	if row.From != nil {
		r.from = make([]bool, len(c.table.States))
		for _, i := range row.From {
			r.from[i] = true
		}
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
	for _, em := range row.Emit {
		out := emit{effect: em.Effect}
		for i, a := range em.Args {
			u, err := c.update(em.Effect.Args[i].Type, a, em.Src)
			if err != nil {
				return nil, err
			}
			out.args = append(out.args, u)
		}
		r.emits = append(r.emits, out)
	}
	return r, nil
}

func (c *compiler) updates(sets []*spec.Assign) ([]update, error) {
	var out []update
	for _, a := range sets {
		to, ok := c.slots[a.Var]
		if !ok {
			return nil, fmt.Errorf("%s: %s can't be set here", a.Pos, a.Var.Name)
		}
		u, err := c.update(a.Var.Type, a.Expr, a.Var.Name+": "+a.Src)
		if err != nil {
			return nil, err
		}
		u.to = to
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
	return update{typ: t, codes: codes, eval: f, src: src, encode: numeric(t)}, err
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
			return 0, &Fault{Reason: ErrRange, Where: where, Src: u.src, Detail: "outside " + u.typ.String()}
		}
		return c, nil
	}
	return v, nil
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
		if ok && found != nil {
			return nil, rs.overlap(e, found, rs.rows[i:])
		}
		if ok {
			found = r
		}
	}
	if found == nil {
		return nil, &Fault{Reason: ErrGap, Where: rs.event.Name, Pos: rs.event.Pos}
	}
	return found, nil
}

func (rs *rules) overlap(e *env, first *rule, rest []*rule) *Fault {
	f := &Fault{Reason: ErrOverlap, Where: rs.event.Name, Pos: first.row.Pos, Rows: []*spec.Row{first.row}}
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
