package interp

import (
	"math/rand/v2"
	"slices"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// Part is a condition of a property, or one of those that it joins by &&.
type Part struct {
	Property *spec.Property
	Pos      diag.Pos
	Whole    bool // the property has no other part
}

// Breaks says whether anything could break a part of a property.
type Breaks uint8

const (
	// Untold: there are too many values to try them all, and none of those that
	// were tried breaks it.
	Untold    Breaks = iota
	Breakable        // some values of the types that are declared break it
	Trivial          // no values do: it says no more than the types
)

// Trials bound how many values are tried for a part of a property.
const (
	trialsInFull = 1 << 17 // all of them, if there are no more
	trials       = 1 << 14 // else so many
)

// Breakables looks at the invariants, the ends, the goals that are states, and the
// properties of steps among those given: does some choice of values for what they
// read break them, whether the machine gets there or not? Of a step that is the
// state before, the state after and the arguments. Values where a part is undefined break it too.
func Breakables(m *Machine, of ...*spec.Property) ([]Part, []Breaks, error) {
	var parts []Part
	var told []Breaks
	look := func(p *spec.Property, n *expr.Node, on *spec.Event) error {
		conds := joined(n)
		for _, c := range conds {
			b, err := m.breaks(m.full, c, on)
			if err != nil {
				return err
			}
			if b == Trivial {
				if b, err = m.otherwise(c, on); err != nil {
					return err
				}
			}
			if p.Kind == spec.Sometimes && b == Untold {
				continue // it is hardly true of all
			}
			whole := len(conds) == 1 && len(p.Clauses) <= 1
			parts, told = append(parts, Part{p, c.Pos, whole}), append(told, b)
		}
		return nil
	}
	for _, p := range of {
		switch p.Kind {
		case spec.Invariant, spec.Ends:
			if err := look(p, p.Holds, nil); err != nil {
				return nil, nil, err
			}
		case spec.Sometimes:
			if p.On != nil || len(p.Each) > 0 {
				continue // that there is such a step, or each of such values, may fail
			}
			if err := look(p, p.Holds, nil); err != nil {
				return nil, nil, err
			}
		case spec.StepAlways:
			for _, c := range p.Clauses {
				if c.Answered && (c.Then || c.Holds.IsTrue()) {
					continue // the table decides it, not a type
				}
				if err := look(p, c.Holds, c.Event); err != nil {
					return nil, nil, err
				}
			}
		}
	}
	return parts, told, nil
}

// joined returns the conditions that n joins by &&.
func joined(n *expr.Node) []*expr.Node {
	if n.Op != expr.OpAnd {
		return []*expr.Node{n}
	}
	var out []*expr.Node
	for _, a := range n.Args {
		out = append(out, joined(a)...)
	}
	return out
}

// hole is the place of a value that a condition reads.
type hole struct {
	in    []uint64
	at    int
	codes uint64
	valid func(uint64) bool
}

// otherwise looks at a condition that nothing breaks with other constants than
// the model's: what they make true, the types don't.
func (m *Machine) otherwise(n *expr.Node, on *spec.Event) (Breaks, error) {
	for _, p := range n.Reads(expr.SymParam) {
		at := slices.Index(m.table.Params, p)
		lo, hi := p.Type.Lo, p.Type.Hi
		if p.Type.Kind == expr.Bool {
			lo, hi = 0, 1
		}
		for _, v := range []int{lo, m.model.Params[at] - 1, m.model.Params[at] + 1, hi} {
			if v < lo || v > hi {
				continue
			}
			other := *m.model
			other.Params = slices.Clone(m.model.Params)
			other.Params[at] = v
			c := *m.full
			c.model = &other
			if b, err := m.breaks(&c, n, on); b != Trivial || err != nil {
				return b, err
			}
		}
	}
	return Trivial, nil
}

// breaks tries values for what n reads, at random and then, if there are few
// enough, one after the other.
func (m *Machine) breaks(c *compiler, n *expr.Node, on *spec.Event) (Breaks, error) {
	var args []*expr.Symbol
	if on != nil {
		args = argSyms(on)
	}
	holds, err := c.with(args, nil, nil).compile(n, false)
	if err != nil {
		return Untold, err
	}
	start := make([]uint64, m.length())
	m.unpack(start, m.inits[0])
	e := &env{old: append([]uint64(nil), start...), new: append([]uint64(nil), start...), args: make([]uint64, len(args))}
	holes, err := m.holes(e, n, on)
	if err != nil {
		return Untold, err
	}
	broken := func() bool {
		e.undefined = nil
		return holds(e) == 0 || e.undefined != nil
	}
	random := rand.New(rand.NewPCG(1, 2)) // the same in every run
	for i := range trials {
		for _, h := range holes {
			if i%2 == 0 || random.IntN(3) == 0 { // all of them, or some
				h.set(random)
			}
		}
		if broken() {
			return Breakable, nil
		}
	}
	return exhaust(holes, broken), nil
}

// exhaust tries all values if there are few enough.
func exhaust(holes []hole, broken func() bool) Breaks {
	total := 1
	lists := make([][]uint64, len(holes))
	for i, h := range holes {
		if h.codes > trialsInFull {
			return Untold
		}
		for c := range h.codes {
			if h.valid(c) {
				lists[i] = append(lists[i], c)
			}
		}
		if total *= len(lists[i]); total > trialsInFull {
			return Untold
		}
	}
	found := Trivial
	each(lists, func(choice []uint64) {
		if found == Breakable {
			return
		}
		for i, h := range holes {
			h.in[h.at] = choice[i]
		}
		if broken() {
			found = Breakable
		}
	})
	return found
}

// set gives h a value at random; a type with few values among its codes may
// keep the one it has.
func (h hole) set(random *rand.Rand) {
	for range 20 {
		if c := random.Uint64N(h.codes); h.valid(c) {
			h.in[h.at] = c
			return
		}
	}
}

// holes returns the places of what n reads of the first instance, each once.
func (m *Machine) holes(e *env, n *expr.Node, on *spec.Event) ([]hole, error) {
	var out []hole
	type key struct {
		at    int
		after bool
	}
	known := map[key]bool{}
	state := func(at int, after bool) {
		if k := (key{at, after}); !known[k] {
			known[k] = true
			f, in := m.field(at), e.old
			if after {
				in = e.new
			}
			out = append(out, hole{in, at, f.Codes, func(c uint64) bool { return m.holdsCode(f.Type, c) }})
		}
	}
	var walk func(n *expr.Node, after bool)
	walk = func(n *expr.Node, after bool) {
		for _, a := range n.Args {
			walk(a, after) // a key is read before the step, as it is compiled
		}
		after = after || n.New
		switch n.Op {
		case expr.OpDef:
			walk(n.Sym.Body, after)
		case expr.OpField, expr.OpFieldValues:
			if p, ok := m.full.place(n.Sym); ok {
				for k := range p.keys {
					state(p.at+k*p.stride, after)
				}
			}
		case expr.OpRef:
			if at, ok := m.slots[n.Sym]; ok {
				state(at.at, after)
			}
		}
	}
	walk(n, false)
	if on == nil {
		return out, nil
	}
	for i, a := range on.Args {
		values, err := m.arguments(a)
		if err != nil {
			return nil, err
		}
		may := map[uint64]bool{}
		most := uint64(0)
		for _, v := range values {
			may[v], most = true, max(most, v+1)
		}
		e.args[i] = values[0]
		out = append(out, hole{e.args, i, most, func(c uint64) bool { return may[c] }})
	}
	return out, nil
}

// holdsCode reports whether a variable of type t may have that code: an identity
// has no origin, and what names parts neither.
func (d *domains) holdsCode(t *expr.Type, code uint64) bool {
	switch t.Kind {
	case expr.Identity:
		return code != 0
	case expr.Optional:
		return code == 0 || d.element(t, code-1)
	case expr.Set:
		for c := range uint64(64) {
			if code>>c&1 != 0 && !d.element(t, c) {
				return false
			}
		}
	case expr.List:
		base := d.lists(t)
		if !base.Well(code) {
			return false
		}
		for ; code != 0; code = base.Tail(code) {
			if !d.element(t, base.Head(code)) {
				return false
			}
		}
	}
	return true
}

// element reports whether t, which holds others, may hold the one with that
// code.
func (d *domains) element(t *expr.Type, code uint64) bool {
	return (code != 0 || !d.table.IsKey(t.Elem)) && d.holdsCode(t.Elem, code)
}
