package mutate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/gen/layout"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

// Operators are the kinds of changes, in the order in which they are made and
// reported, with what each does.
var Operators = []struct{ Name, Does string }{
	{"drop", "a check is gone, its case another's; or a row that moves refuses"},
	{"answer", "a refusal is accepted and does nothing, or the reverse"},
	{"do-nothing", "a row loses its updates, moves of parts and effects"},
	{"negate", "one conjunct of a condition is negated"},
	{"drop-condition", "one conjunct of a condition, or all of from, is gone"},
	{"bound", "a comparison is off by one"},
	{"swap-checks", "two neighbouring checks are tried in the other order"},
	{"target", "a row leads to another state"},
	{"drop-update", "a variable isn't set"},
	{"drop-move", "a part isn't moved or forgotten, a sub-table isn't asked"},
	{"drop-effect", "an effect isn't sent"},
	{"swap-codes", "two neighbouring rows answer each other's code"},
	{"drop-assumption", "the world may do what an assumption excludes"},
}

// Mutant is a table with one change.
type Mutant struct {
	ID       string // "release.freed drop-update fencing": place, operator, detail
	Operator string
	Line     int      // of the table in its layout, where the change begins
	Was, Is  []string // the lines that differ
	Text     []byte   // the table with the change
}

// Table is a table in its layout, and its mutants.
type Table struct {
	*spec.Table
	Mutants []*Mutant
	src     *source
	used    map[string]int
	nodes   map[string]*node // of checks and rows, by name
}

// ErrBase is a table that only says how it differs from another.
var ErrBase = errors.New("a table with a base isn't mutated: mutate its base")

// Load reads the table at path and makes its mutants, the same ones in the same
// order each time. The error is a diag.List if the table is none.
func Load(ctx context.Context, path string) (*Table, error) {
	if _, err := spec.Load(path, spec.Until(ctx)); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if text, err = layout.Format(text); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	t := &Table{used: map[string]int{}, nodes: map[string]*node{}}
	if t.Table, err = spec.Read(path, text, spec.Until(ctx)); err != nil {
		return nil, err
	}
	if t.Base != "" {
		return nil, fmt.Errorf("%s: %w", path, ErrBase)
	}
	if t.src, err = read(text); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.ToSlash(path), err)
	}
	t.find()
	if err := t.make(); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.ToSlash(path), err)
	}
	return t, nil
}

// find notes where the checks and rows stand.
func (t *Table) find() {
	for _, section := range []string{"events", "tables"} {
		group := t.src.root.get(section)
		if group == nil {
			continue
		}
		for _, e := range group.entries {
			name, _, _ := strings.Cut(e.key, "(")
			name = strings.TrimSpace(name)
			for _, c := range e.value.get("checks").list() {
				t.nodes[name+"."+c.get("id").scalar] = c
			}
			if rows := e.value.get("rows"); rows != nil {
				for _, r := range rows.entries {
					t.nodes[name+"."+r.key] = r.value
				}
			}
		}
	}
}

// add makes a mutant of edits.
func (t *Table) add(operator, place, detail string, edits ...edit) error {
	id := strings.TrimSpace(place + " " + operator + " " + detail)
	if t.used[id]++; t.used[id] > 1 {
		id = fmt.Sprintf("%s #%d", id, t.used[id])
	}
	text, err := t.src.apply(edits)
	if err != nil {
		return fmt.Errorf("%s: %w", id, err)
	}
	m := &Mutant{ID: id, Operator: operator, Text: text}
	m.differ(t.src.text)
	if m.Line == 0 {
		return fmt.Errorf("%s changes nothing", id)
	}
	t.Mutants = append(t.Mutants, m)
	return nil
}

// differ finds the lines that differ from those of was: all from the first to
// the last.
func (m *Mutant) differ(was []byte) {
	a, b := strings.Split(string(was), "\n"), strings.Split(string(m.Text), "\n")
	first := 0
	for first < len(a) && first < len(b) && a[first] == b[first] {
		first++
	}
	if first == len(a) && first == len(b) {
		return
	}
	last := 0
	for last < len(a)-first && last < len(b)-first && a[len(a)-1-last] == b[len(b)-1-last] {
		last++
	}
	a, b = a[first:len(a)-last], b[first:len(b)-last]
	m.Line, m.Was, m.Is = first+1, fewer(a, b), fewer(b, a)
	if len(m.Was)+len(m.Is) == 0 { // their order differs
		m.Was, m.Is = a, b
	}
}

// fewer returns the lines of a that b hasn't.
func fewer(a, b []string) []string {
	b = slices.Clone(b)
	out := []string{}
	for _, l := range a {
		if i := slices.Index(b, l); i >= 0 {
			b = slices.Delete(b, i, i+1)
			continue
		}
		out = append(out, l)
	}
	return out
}

// load reads a mutant, and what the front end says of it: of decisions, and
// warnings. The error is that of a mutant that is no table, and no kill.
func (m *Mutant) load(ctx context.Context, path string) (*spec.Table, diag.List, error) {
	var found diag.List
	t, err := spec.Read(path, m.Text, spec.Until(ctx), spec.Undecided(&found))
	if err != nil {
		return nil, nil, fmt.Errorf("%s isn't a table: %w", m.ID, err)
	}
	return t, append(found, t.Warnings...), nil
}

// make makes all mutants, operator by operator.
func (t *Table) make() error {
	for _, f := range []func() error{
		t.drops, t.answers, t.nothings, t.negations, t.fewerConditions, t.bounds, t.reorders, t.targets,
		t.fewerUpdates, t.fewerMoves, t.fewerEffects, t.swappedCodes, t.fewerAssumptions,
	} {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// rows returns the checks and rows of the machine that may be changed: those of
// the world aren't the machine's, and what never occurs has nothing to change.
func (t *Table) rows() []*spec.Row {
	return slices.DeleteFunc(t.Rows(), func(r *spec.Row) bool {
		return r.Outcome == spec.Never || t.nodes[r.Name()] == nil || r.Event != nil && r.Event.By == "world"
	})
}
