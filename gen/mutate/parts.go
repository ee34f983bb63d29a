package mutate

import (
	"strings"

	"github.com/interlock-go/interlock/spec"
)

// fewerUpdates leaves out what rows, and the moves of parts, set.
func (t *Table) fewerUpdates() error {
	for _, r := range t.rows() {
		if err := t.fewerEntries("drop-update", r, "set"); err != nil {
			return err
		}
	}
	parts := t.src.root.get("parts")
	if parts == nil {
		return nil
	}
	for _, p := range parts.entries {
		moves := p.value.get("moves")
		if moves == nil {
			continue
		}
		for _, m := range moves.entries {
			set := m.value.get("set")
			if set == nil {
				continue
			}
			for _, e := range set.entries {
				edits := t.src.change(set, []string{e.key})
				if len(set.entries) == 1 {
					if m.value.get("to") == nil {
						continue // a move that changes nothing is none
					}
					edits = t.src.change(m.value, []string{"set"})
				}
				if err := t.add("drop-update", p.key+"."+m.key, e.key, edits...); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// fewerMoves leaves out what rows do to parts, and sub-tables.
func (t *Table) fewerMoves() error {
	for _, r := range t.rows() {
		if err := t.fewerEntries("drop-move", r, "fire"); err != nil {
			return err
		}
		for _, key := range []string{"forget", "then"} {
			if t.nodes[r.Name()].get(key) == nil {
				continue
			}
			if err := t.without("drop-move", r, key, key); err != nil {
				return err
			}
		}
	}
	return nil
}

// fewerEntries leaves out each entry of a mapping in a row.
func (t *Table) fewerEntries(operator string, r *spec.Row, key string) error {
	n := t.nodes[r.Name()].get(key)
	if n == nil {
		return nil
	}
	for _, e := range n.entries {
		var err error
		if len(n.entries) == 1 {
			err = t.without(operator, r, e.key, key)
		} else {
			err = t.add(operator, r.Name(), e.key, t.src.change(n, []string{e.key})...)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fewerEffects leaves out each effect of a row.
func (t *Table) fewerEffects() error {
	for _, r := range t.rows() {
		n := t.nodes[r.Name()].get("emit")
		items := n.list()
		for i, item := range items {
			src := item
			if e := item.get("emit"); e != nil {
				src = e
			}
			detail := strings.Join(strings.Fields(src.scalar), " ")
			var err error
			if len(items) == 1 {
				err = t.without("drop-effect", r, detail, "emit")
			} else {
				err = t.add("drop-effect", r.Name(), detail, t.src.dropItem(n, i))
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
