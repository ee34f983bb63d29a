package interp

import "github.com/interlock-go/interlock/spec"

// Nobody is the id of the row that decides where a loose machine has none.
const Nobody = "nobody"

// IsNobody reports whether r is the row that decides where there is none: a table's
// own may have its id, but what they refuse has a code.
func IsNobody(r *spec.Row) bool { return r.ID == Nobody && r.Outcome == spec.Refuse && r.Code == "" }

// Loose lets a table run that its front end refuses: of several rows that apply
// the first in the table decides, as in code that nobody has checked, and what
// none decides is refused without a code, by the row [Nobody]. The table must be
// one that spec.Undecided let through.
func Loose() Option {
	return func(m *Machine) error {
		seen := map[*rules]bool{}
		for _, rs := range m.native.events {
			m.loosen(rs, seen)
		}
		return nil
	}
}

func (m *Machine) loosen(rs *rules, seen map[*rules]bool) {
	if rs == nil || seen[rs] {
		return
	}
	seen[rs] = true
	_, pos := rs.name()
	row := &spec.Row{ID: Nobody, Event: rs.event, Table: rs.table, Index: len(m.rows), Outcome: spec.Refuse, Pos: pos}
	m.rows = append(m.rows, row)
	m.follows.row = append(m.follows.row, nil)
	rs.nobody = &rule{row: row}
	for _, r := range rs.rows {
		m.loosen(r.then, seen)
	}
}
