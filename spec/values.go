package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec/expr"
)

// values tries all values of what a set of rows reads, one assignment after
// another. A value is chosen when it is first read, so that what doesn't matter
// on the way to a decision is never enumerated.
type values struct {
	t       *Table
	env     expr.Env
	reads   []*expr.Node // the expressions
	looked  bool         // some expression looks at elements of lists
	ordered bool         // numbers are only compared
	numbers []int        // that they are compared with, and the least of each range
	terms   int          // how many numbers are compared
	slack   int          // the sum of the numbers that are added to them
	subject *expr.Symbol // names the part whose state is fixed
	fresh   []*expr.Symbol
	origins map[*expr.Symbol]bool   // arguments that may be the origin
	fixed   map[*expr.Symbol]uint64 // the states of the cell
	cut     bool                    // some lists are too long to be tried
	trail   []choice
	at      map[atom]int // in trail
}

// atom is something with a value of its own: a name, or a part's field.
type atom struct {
	sym *expr.Symbol
	key uint64 // of a field
}

type choice struct {
	atom
	codes []uint64
	i     int
}

func newValues(t *Table, rows []*Row) *values {
	v := &values{t: t, ordered: true, at: map[atom]int{}, origins: map[*expr.Symbol]bool{}}
	for _, r := range rows {
		for _, c := range slices.Concat(r.When, r.Unless) {
			v.reads = append(v.reads, c.Expr)
			v.looked = v.looked || looks(c.Expr)
		}
		for _, x := range r.results() {
			if x.partial() {
				v.reads = append(v.reads, x.Node)
				v.looked = v.looked || looks(x.Node) && has(x.Node, expr.OpGet)
			}
		}
	}
	v.countNumbers()
	v.env.Value = func(s *expr.Symbol, _ bool) uint64 { return v.read(atom{sym: s}) }
	v.env.Field = func(s *expr.Symbol, key uint64, _ bool) uint64 { return v.field(s, key) }
	v.env.Size = v.mentions
	return v
}

// begin starts anew with these states.
func (v *values) begin(s, part *State) {
	v.trail = v.trail[:0]
	clear(v.at)
	v.fixed = map[*expr.Symbol]uint64{v.t.State: uint64(s.Index)}
	if part != nil {
		v.fixed[v.subject] = uint64(part.Index)
	}
}

// next makes the next assignment, and reports whether there is one.
func (v *values) next() bool {
	for n := len(v.trail) - 1; n >= 0; n-- {
		c := &v.trail[n]
		if c.i++; c.i < len(c.codes) {
			return true
		}
		delete(v.at, c.atom)
		v.trail = v.trail[:n]
	}
	return false
}

// read returns the value of a, which is chosen if it hasn't been yet.
func (v *values) read(a atom) uint64 {
	if a.sym == v.t.State {
		return v.fixed[a.sym]
	}
	n, ok := v.at[a]
	if !ok {
		codes := v.codes(a.sym, a.sym.Type) // may choose what bounds a list first
		n = len(v.trail)
		v.at[a] = n
		v.trail = append(v.trail, choice{atom: a, codes: codes})
	}
	return v.trail[n].codes[v.trail[n].i]
}

// added takes in a sum or difference: one of the numbers must be known.
func (v *values) added(n *expr.Node) {
	for _, a := range n.Args {
		if a.Op == expr.OpInt {
			v.slack += max(a.Int, -a.Int)
			return
		}
	}
	v.ordered = false
}

// field returns a field of a part: that of the subject's state is fixed, and a
// part with a fresh key is as at the start.
func (v *values) field(s *expr.Symbol, key uint64) uint64 {
	for _, f := range v.fresh {
		if f.Type == s.Part.Type && v.read(atom{sym: f}) == key {
			return v.start(s)
		}
	}
	if v.subject != nil && s.Part.Type == v.subject.Type && s.Index == 0 && v.read(atom{sym: v.subject}) == key {
		return v.fixed[v.subject]
	}
	return v.read(atom{s, key})
}

func (v *values) start(s *expr.Symbol) uint64 {
	for _, p := range v.t.Parts {
		for _, x := range p.Vars {
			if x.Sym == s && x.Init != nil {
				code, _ := v.env.Eval(x.Init)
				return code
			}
		}
	}
	switch s.Type.Kind {
	case expr.Int:
		return uint64(s.Type.Lo)
	case expr.Identity:
		return 1
	}
	return 0
}

// has reports whether n has an operation.
func has(n *expr.Node, ops ...expr.Op) bool {
	found := false
	n.Walk(func(m *expr.Node) bool {
		found = found || slices.Contains(ops, m.Op)
		return !found
	})
	return found
}

// looks reports whether n looks at elements of a list.
func looks(n *expr.Node) bool {
	found := false
	n.Walk(func(m *expr.Node) bool {
		for _, a := range m.Args {
			found = found || a.Type.Kind == expr.List && m.Op != expr.OpSize && m.Op != expr.OpNoElem && m.Op != expr.OpTail && m.Op != expr.OpAppend
		}
		return !found
	})
	return found
}

// countNumbers looks at how numbers are used. Where they are only compared,
// their order is all that matters: then it is enough to try, above each number
// that they are compared with, as many as there are terms. Where numbers are
// added to them first, distances up to the sum of these matter too.
func (v *values) countNumbers() {
	seen := map[*expr.Symbol]bool{}
	number := func(s *expr.Symbol) {
		if s.Type.Kind == expr.Int && !seen[s] {
			seen[s] = true
			v.terms++
			v.numbers = append(v.numbers, s.Type.Lo)
		}
	}
	for _, x := range v.reads {
		x.Walk(func(n *expr.Node) bool {
			switch n.Op {
			case expr.OpInt:
				v.numbers = append(v.numbers, n.Int)
			case expr.OpSize:
				v.terms++
				v.numbers = append(v.numbers, 0)
			case expr.OpMul:
				v.ordered = false
			case expr.OpAdd, expr.OpSub:
				v.added(n)
			case expr.OpRef, expr.OpField:
				number(n.Sym)
				if t := n.Type; t.Kind == expr.List {
					if v.numbers = append(v.numbers, 0); t.Bound.Op == expr.OpRef {
						number(t.Bound.Sym)
					} else {
						v.numbers = append(v.numbers, t.Bound.Int)
					}
				}
				if n.Type.Elem != nil && n.Type.Elem.Kind == expr.Int {
					v.ordered = false
				}
			}
			return true
		})
	}
}

// say lists the values that were chosen.
func (v *values) say() []string {
	var out []string
	for _, c := range v.trail {
		name := c.sym.Name
		if c.sym.Kind == expr.SymField {
			name = fmt.Sprintf("%s(%d).%s", c.sym.Part.Name, c.key, name)
		}
		out = append(out, name+" = "+v.value(c.sym.Type, c.codes[c.i]))
	}
	return out
}

// value writes a code as a person would: identities are numbered values of
// their type.
func (v *values) value(t *expr.Type, code uint64) string {
	switch t.Kind {
	case expr.Bool:
		return fmt.Sprint(code == 1)
	case expr.Enum:
		return t.Values[code]
	case expr.Identity, expr.Serial:
		if code == 0 {
			return "origin"
		}
		return fmt.Sprintf("%s %d", t.Name, code)
	case expr.Optional:
		if code == 0 {
			return "none"
		}
		return v.value(t.Elem, code-1)
	case expr.Set, expr.List:
		var elems []string
		if t.Kind == expr.List {
			for _, e := range v.base(t).Elements(code) {
				elems = append(elems, v.value(t.Elem, e))
			}
			return "[" + strings.Join(elems, ", ") + "]"
		}
		for e := range uint64(64) {
			if code>>e&1 != 0 {
				elems = append(elems, v.value(t.Elem, e))
			}
		}
		return "{" + strings.Join(elems, ", ") + "}"
	}
	return fmt.Sprint(int64(code))
}
