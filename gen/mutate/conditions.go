package mutate

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec"
)

// condition is an item of when or unless, in the table's text.
type condition struct {
	row  *spec.Row
	key  string
	of   *node // the list, or the one item
	at   int   // its place in the list
	src  *node // the expression
	join string
}

// conditions returns those of a row.
func (t *Table) conditions(r *spec.Row) []condition {
	var out []condition
	// Of unless none holds, so that its alternatives are what a when has for
	// conjuncts.
	for _, k := range []struct{ key, join string }{{"when", "&&"}, {"unless", "||"}} {
		n := t.nodes[r.Name()].get(k.key)
		for i, item := range n.list() {
			src := item
			if h := item.get("holds"); h != nil {
				src = h
			}
			out = append(out, condition{r, k.key, n, i, src, k.join})
		}
	}
	return out
}

func (t *Table) negations() error {
	for _, r := range t.rows() {
		for _, c := range t.conditions(r) {
			parts := split(c.src.scalar, c.join)
			for i, p := range parts {
				other := slices.Clone(parts)
				if other[i] = "!(" + p + ")"; len(parts) == 1 && strings.HasPrefix(p, "!") && atom.MatchString(p[1:]) {
					other[i] = p[1:]
				}
				if err := t.add("negate", r.Name(), p, t.src.replace(c.src, strings.Join(other, " "+c.join+" "))); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// atom is an expression that may stand without parentheses.
var atom = regexp.MustCompile(`^[\w.]+$`)

func (t *Table) fewerConditions() error {
	for _, r := range t.rows() {
		n := t.nodes[r.Name()]
		if n.get("from") != nil {
			if err := t.add("drop-condition", r.Name(), "from", t.src.change(n, []string{"from"})...); err != nil {
				return err
			}
			if err := t.unlessSame(); err != nil {
				return err
			}
		}
		for _, c := range t.conditions(r) {
			parts := split(c.src.scalar, c.join)
			for i, p := range parts {
				var edits []edit
				switch {
				case len(parts) > 1:
					rest := slices.Delete(slices.Clone(parts), i, i+1)
					edits = []edit{t.src.replace(c.src, strings.Join(rest, " "+c.join+" "))}
				case len(c.of.list()) > 1:
					edits = []edit{t.src.dropItem(c.of, c.at)}
				default:
					edits = t.src.change(n, []string{c.key})
				}
				if err := t.add("drop-condition", r.Name(), p, edits...); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// unlessSame takes back the last mutant, whose row lost its from, if the front
// end shows that it is the same machine: in every cell the same decisions are
// left. Then the checks before have all other states, whatever the values, and in
// those of from nothing has changed.
func (t *Table) unlessSame() error {
	m := t.Mutants[len(t.Mutants)-1]
	other, found, err := m.load(context.Background(), t.Path)
	if err != nil {
		return err
	}
	if len(found) == 0 && slices.EqualFunc(t.Cells, other.Cells, sameCell) {
		t.Mutants = t.Mutants[:len(t.Mutants)-1]
	}
	return nil
}

func sameCell(a, b *spec.Cell) bool {
	return slices.EqualFunc(a.Rows, b.Rows, func(r, s *spec.Row) bool { return r.Name() == s.Name() })
}

// split returns the operands of an expression's outermost operator, if that is
// op, and else the expression.
func split(src, op string) []string {
	src = strings.Join(strings.Fields(src), " ")
	other := map[string]string{"&&": "||", "||": "&&"}[op]
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if depth > 0 || i == 0 {
			continue
		}
		// Of && and || without parentheses && binds more; ? binds less than both.
		if src[i] == '?' || op == "&&" && strings.HasPrefix(src[i:], other) {
			return []string{src}
		}
		if strings.HasPrefix(src[i:], op) {
			out = append(out, strings.TrimSpace(src[from:i]))
			from, i = i+len(op), i+len(op)-1
		}
	}
	return append(out, strings.TrimSpace(src[from:]))
}

// comparison finds the comparisons that have a bound.
var comparison = regexp.MustCompile(`<=|>=|<|>`)

var offByOne = map[string]string{"<": "<=", "<=": "<", ">": ">=", ">=": ">"}

// later finds a comparison of serials, a.after(b), of two simple operands.
var later = regexp.MustCompile(`([\w.]+(?:\([\w.]*\)[\w.]*)?)\.after\(([\w.]+)\)`)

// bounds has comparisons be off by one.
func (t *Table) bounds() error {
	for _, r := range t.rows() {
		for _, c := range t.conditions(r) {
			src := c.src.scalar
			for _, at := range comparison.FindAllStringIndex(src, -1) {
				op := offByOne[src[at[0]:at[1]]]
				is := src[:at[0]] + op + src[at[1]:]
				if err := t.add("bound", r.Name(), is, t.src.replace(c.src, is)); err != nil {
					return err
				}
			}
			for _, at := range later.FindAllStringSubmatchIndex(src, -1) {
				a, b := src[at[2]:at[3]], src[at[4]:at[5]]
				is := src[:at[0]] + "!" + b + ".after(" + a + ")" + src[at[1]:]
				if err := t.add("bound", r.Name(), "!"+b+".after("+a+")", t.src.replace(c.src, is)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
