package mutate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

// moveKeys are what a row does beside going to a state.
var moveKeys = []string{"set", "fire", "forget", "emit", "then"}

// drops takes out checks, and has rows that move refused.
func (t *Table) drops() error {
	for _, r := range t.rows() {
		switch {
		case r.Check:
			if err := t.dropCheck(r); err != nil {
				return err
			}
		case r.Outcome == spec.Move:
			outcome := "never: a mutant"
			if code := t.codeOf(spec.Refuse, r); code != "" && r.Event != nil { // a sub-table refuses nothing
				outcome = "refuse: " + code
			}
			edits := append(t.unnamed(r.Name()), t.src.change(t.nodes[r.Name()], append([]string{"to"}, moveKeys...), outcome)...)
			if err := t.add("drop", r.Name(), "", edits...); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropCheck takes out a check. Where nobody decides its case then, the first row
// that moves does.
func (t *Table) dropCheck(r *spec.Row) error {
	edits := t.unnamed(r.Name())
	checks := t.list(r)
	if len(checks.items) > 1 {
		i := slices.Index(checks.items, t.nodes[r.Name()])
		edits = append(edits, t.src.dropItem(checks, i))
	} else {
		edits = append(edits, t.src.change(t.eventNode(r.Event.Name), []string{"checks"})...)
	}
	if err := t.add("drop", r.Name(), "", edits...); err != nil {
		return err
	}
	m := t.Mutants[len(t.Mutants)-1]
	_, found, err := m.load(context.Background(), t.Path)
	if err != nil {
		return err
	}
	gap := func(d *diag.Diagnostic) bool { return d.Code == diag.Gap }
	if !slices.ContainsFunc(found, gap) || r.FromSrc == nil && r.PartFromSrc == nil {
		return nil
	}
	for _, to := range r.Event.Rows {
		wider := t.widened(to, r)
		if to.Outcome != spec.Move || wider == nil {
			continue
		}
		t.Mutants = t.Mutants[:len(t.Mutants)-1]
		return t.add("drop", r.Name(), "for "+to.Name(), append(edits, *wider)...)
	}
	return nil
}

// widened has row apply in the states of check too, or returns nil if its from
// says nothing of them.
func (t *Table) widened(row, check *spec.Row) *edit {
	from := t.nodes[row.Name()].get("from")
	if from == nil {
		return nil
	}
	if from.entries == nil {
		if check.FromSrc == nil || row.FromSrc == nil {
			return nil
		}
		return &edit{from.start, from.end, union(row.FromSrc, check.FromSrc)}
	}
	var parts []string
	changed := false
	for _, e := range from.entries {
		names := []string{}
		for _, n := range e.value.list() {
			names = append(names, n.scalar)
		}
		all := union(names)
		for _, other := range t.nodes[check.Name()].get("from").list() {
			for _, o := range other.entries {
				if o.key != e.key {
					continue
				}
				for _, n := range o.value.list() {
					names, changed = append(names, n.scalar), true
				}
				all = union(names)
			}
		}
		parts = append(parts, e.key+": "+all)
	}
	if !changed {
		return nil
	}
	return &edit{from.start, from.end, "{" + strings.Join(parts, ", ") + "}"}
}

// union writes names as a list, each once.
func union(lists ...[]string) string {
	var out []string
	for _, n := range slices.Concat(lists...) {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// answers changes the kind of answer of checks and rows that aren't moves.
func (t *Table) answers() error {
	for _, r := range t.rows() {
		was, is := r.Outcome.String(), "refuse"
		switch r.Outcome {
		case spec.Move:
			continue
		case spec.Refuse:
			is = "stay"
		}
		edits := append(t.unnamed(r.Name()), t.src.change(t.nodes[r.Name()], []string{was}, is+": "+r.Code)...)
		if err := t.add("answer", r.Name(), is, edits...); err != nil {
			return err
		}
	}
	return nil
}

// nothings has rows accept, and do nothing but go where they lead.
func (t *Table) nothings() error {
	for _, r := range t.rows() {
		n := t.nodes[r.Name()]
		if r.Outcome != spec.Move || !slices.ContainsFunc(moveKeys, func(k string) bool { return n.get(k) != nil }) {
			continue
		}
		if err := t.without("do-nothing", r, "", moveKeys...); err != nil {
			return err
		}
	}
	return nil
}

// without takes keys out of a row that moves. One that does nothing then stays.
func (t *Table) without(operator string, r *spec.Row, detail string, keys ...string) error {
	n := t.nodes[r.Name()]
	left := slices.ContainsFunc(append([]string{"to"}, moveKeys...), func(k string) bool { return n.get(k) != nil && !slices.Contains(keys, k) })
	var add []string
	if !left {
		code := t.codeOf(spec.Stay, r)
		if code == "" || r.Table != nil {
			return nil // there is no answer that it could give
		}
		add = append(add, "stay: "+code)
	}
	return t.add(operator, r.Name(), detail, t.src.change(n, keys, add...)...)
}

// codeOf returns a code for a row that is to have an outcome: one of its event,
// else of the table, else any.
func (t *Table) codeOf(o spec.Outcome, r *spec.Row) string {
	var far string
	for _, other := range t.Rows() {
		if other.Outcome != o || other.Code == "" {
			continue
		}
		if other.Event == r.Event && r.Event != nil {
			return other.Code
		}
		if far == "" {
			far = other.Code
		}
	}
	if far == "" && len(t.Answers) > 0 {
		far = t.Answers[0].Code
	}
	return far
}

// targets sends rows to other states.
func (t *Table) targets() error {
	for _, r := range t.rows() {
		if r.To == nil || t.nodes[r.Name()].get("to") == nil {
			continue
		}
		for _, s := range t.States {
			if s == r.To {
				continue
			}
			if err := t.add("target", r.Name(), s.Name, t.src.replace(t.nodes[r.Name()].get("to"), s.Name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// reorders swaps checks that follow one another.
func (t *Table) reorders() error {
	for _, e := range t.Events {
		for i := 1; i < len(e.Checks); i++ {
			a, b := e.Checks[i-1], e.Checks[i]
			if err := t.add("swap-checks", e.Name, a.ID+" "+b.ID, t.src.swap(t.nodes[a.Name()], t.nodes[b.Name()])...); err != nil {
				return err
			}
		}
	}
	return nil
}

// swappedCodes swaps the codes of decisions that follow one another.
func (t *Table) swappedCodes() error {
	for _, e := range t.Events {
		var last *spec.Row
		for _, r := range e.Decisions() {
			if r.Code == "" {
				continue
			}
			if last != nil && last.Code != r.Code {
				code := func(r *spec.Row) *node { return t.nodes[r.Name()].get(r.Outcome.String()) }
				if err := t.add("swap-codes", e.Name, last.ID+" "+r.ID, t.src.swap(code(last), code(r))...); err != nil {
					return err
				}
			}
			last = r
		}
	}
	return nil
}

// fewerAssumptions has assumptions exclude nothing.
func (t *Table) fewerAssumptions() error {
	for _, a := range t.Assumptions {
		only := t.src.root.get("world").get("assume").get(a.Name).get("only")
		if only == nil {
			continue // short for others
		}
		if err := t.add("drop-assumption", a.Name, "", t.src.replace(only, "true")); err != nil {
			return err
		}
	}
	return nil
}

// unnamed leaves out what the world and properties say of a row that isn't what
// they take it for any more.
func (t *Table) unnamed(row string) []edit {
	var out []edit
	for _, path := range [][]string{{"world", "follows", row}, {"after", row}, {"refused", row}} {
		out = append(out, t.src.dropKey(path)...)
	}
	return append(out, t.unfair(row)...)
}

// unfair has fairness of a row be fairness of its event.
func (t *Table) unfair(row string) []edit {
	var out []edit
	event, _, _ := strings.Cut(row, ".")
	name := func(n *node) {
		if n != nil && n.isScalar && n.scalar == row {
			out = append(out, t.src.replace(n, event))
		}
	}
	if all := t.src.root.get("eventually"); all != nil {
		for _, p := range all.entries {
			for _, f := range p.value.get("fair").list() {
				name(f)
				name(f.get("weak"))
				name(f.get("strong"))
			}
		}
	}
	return out
}

// eventNode returns where an event stands.
func (t *Table) eventNode(name string) *node {
	for _, e := range t.src.root.get("events").entries {
		if id, _, _ := strings.Cut(e.key, "("); strings.TrimSpace(id) == name {
			return e.value
		}
	}
	panic(fmt.Sprintf("the table has no event %s", name)) // it was read from there
}

// list returns the list that a check is in.
func (t *Table) list(r *spec.Row) *node { return t.eventNode(r.Event.Name).get("checks") }
