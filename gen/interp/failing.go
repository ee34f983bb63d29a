package interp

import (
	"strings"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// Failing says what a path shows of a property that it breaks.
type Failing struct {
	Property  string
	Instance  int       // for which it fails, from 0; -1: it isn't about one, or there is just one
	Src       string    // its condition, as the table writes it; empty: it has none
	Part      string    // the part of Src that is false; the same as Src where that has no parts
	Of        string    // for which instance and which values a behaviour without end breaks it, in words
	Disturbed int       // of isolation: the instance that can tell, from 0; else -1
	Stuck     bool      // it is where nothing changes any more that Src isn't so
	Never     *spec.Row // that decides at the end, though the table says that it never does; else nil
}

// String says it on one line.
func (f *Failing) String() string {
	if f.Never != nil {
		return f.Never.Name() + " occurs"
	}
	s := f.Property + " fails"
	switch {
	case f.Of != "":
		s += " for " + f.Of
	case f.Instance >= 0:
		s += " for " + InstanceName(f.Instance)
	}
	switch {
	case f.Disturbed >= 0:
		s += ": " + InstanceName(f.Disturbed) + " can tell"
	case f.Stuck:
		s += ": stuck outside of " + f.Src
	case f.Part != f.Src:
		s += ": " + f.Part + "\n  in " + f.Src
	case f.Src != "":
		s += ": " + f.Src
	}
	return s
}

// Failing says where the property of that name fails at the end of path: a
// state, or the last step.
func (m *Machine) Failing(property string, path *Path) (*Failing, error) {
	f := &Failing{Property: property, Instance: -1, Disturbed: -1}
	of := func(i int) {
		if m.table.Per != "" {
			f.Instance = i
		}
	}
	for _, p := range m.table.Properties {
		if p.Name != property {
			continue
		}
		switch p.Kind {
		case spec.Invariant, spec.Ends:
			f.Stuck = p.Kind == spec.Ends
			return f, m.failingState(f, of, p, path)
		case spec.Eventually:
			f.Src = p.FromSrc + " is never followed by " + p.ToSrc
			f.Part = f.Src
			return f, nil
		}
		if n := len(path.Steps) - 1; n >= 0 {
			from := path.Init
			if n > 0 {
				from = path.Steps[n-1].To
			}
			return f, m.failingStep(f, of, p, from, &path.Steps[n])
		}
	}
	if n := len(path.Steps) - 1; n >= 0 {
		l := &path.Steps[n].Label
		for _, r := range []*spec.Row{l.Row, l.Then} {
			if r != nil && r.Outcome == spec.Never {
				f.Never = r
			}
		}
	}
	return f, nil
}

func (m *Machine) failingState(f *Failing, of func(int), p *spec.Property, path *Path) error {
	holds, err := m.full.with(nil, nil, nil).compile(p.Holds, false)
	if err != nil {
		return err
	}
	sc := m.scratch()
	defer m.done(sc)
	m.load(sc, path.Last())
	c := claim{p.Name, p.Src, holds}
	for i := range m.instances {
		sc.env.base = i * len(m.layout.own)
		if ok, fault := c.judge(sc); fault == nil && !ok {
			of(i)
			return m.narrow(f, sc, nil, p.Holds, p.Src)
		}
	}
	return nil
}

func (m *Machine) failingStep(f *Failing, of func(int), p *spec.Property, from State, st *Step) error {
	switch p.Kind {
	case spec.StepAlways:
		clauses, err := m.clauses(p)
		if err != nil {
			return err
		}
		c, err := m.broken(clauses, from, st)
		if c == nil || err != nil {
			return err
		}
		of(st.Label.Instance)
		var args []*expr.Symbol
		if c.spec.Event != nil {
			args = argSyms(c.spec.Event)
		}
		sc := m.scratch()
		defer m.done(sc)
		m.loadStep(sc, from, st)
		return m.narrow(f, sc, args, c.spec.Holds, c.src)
	case spec.Isolated:
		q, err := m.disturbed(p.Name, from, st)
		if q < 0 || err != nil {
			return err
		}
		of(st.Label.Instance)
		f.Disturbed = q
	}
	return nil
}

// narrow looks for the part of a false condition that makes it so.
func (m *Machine) narrow(f *Failing, sc *scratch, args []*expr.Symbol, holds *expr.Node, src string) error {
	f.Src, f.Part = src, src
	for _, c := range conjuncts(holds, src) {
		eval, err := m.full.with(args, nil, nil).compile(c.node, false)
		if err != nil {
			return err
		}
		part := claim{f.Property, c.src, eval}
		if ok, fault := part.judge(sc); fault == nil && !ok {
			f.Part = c.src
			return nil
		}
	}
	return nil
}

// conjunct is one of several conditions joined by &&, or by it behind an
// implies, as in a.implies(b && c).
type conjunct struct {
	node *expr.Node
	src  string
}

// conjuncts returns the parts of a condition, or nil where source and tree
// aren't seen to have the same ones. With what is before an implies true, it is
// false exactly where one of the parts is.
func conjuncts(n *expr.Node, src string) []conjunct {
	src = strings.TrimSpace(src)
	for n.Op == expr.OpImplies {
		behind, ok := argument(src, ".implies(")
		if !ok {
			return nil
		}
		n, src = n.Args[1], behind
	}
	var nodes []*expr.Node
	var flatten func(n *expr.Node)
	flatten = func(n *expr.Node) {
		if n.Op != expr.OpAnd {
			nodes = append(nodes, n)
			return
		}
		for _, a := range n.Args {
			flatten(a)
		}
	}
	flatten(n)
	texts := split(src)
	if len(nodes) != len(texts) {
		return nil
	}
	var out []conjunct
	for i, n := range nodes {
		out = append(out, conjunct{n, texts[i]})
	}
	return out
}

// split returns what && joins in src, that in parentheses too.
func split(src string) []string {
	src = strings.TrimSpace(src)
	if inner, ok := argument(src, "("); ok && strings.HasPrefix(src, "(") {
		return split(inner)
	}
	depth, from := 0, 0
	var out []string
	for i := range len(src) {
		switch src[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '&':
			if depth == 0 && strings.HasPrefix(src[i:], "&&") {
				out = append(out, split(src[from:i])...)
				from = i + len("&&")
			}
		}
	}
	if from == 0 {
		return []string{src}
	}
	return append(out, split(src[from:])...)
}

// argument returns what stands between the parenthesis that ends the first
// opening outside of all parentheses and its partner, if that is src's last
// character.
func argument(src, opening string) (string, bool) {
	depth, from := 0, -1
	for i := range len(src) {
		if depth == 0 && from < 0 && strings.HasPrefix(src[i:], opening) {
			from = i + len(opening)
		}
		switch src[i] {
		case '(':
			depth++
		case ')':
			depth--
			if depth == 0 && from >= 0 && i >= from && i < len(src)-1 {
				return "", false
			}
		}
	}
	if from < 0 || depth != 0 || !strings.HasSuffix(src, ")") {
		return "", false
	}
	return src[from : len(src)-1], true
}
