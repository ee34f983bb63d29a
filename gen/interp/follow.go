package interp

import (
	"slices"

	"github.com/interlock-go/interlock/spec"
)

// follows are the updates of the world that go with decisions.
type follows struct {
	row    [][]update // by Row.Index
	event  map[*spec.Event][]update
	effect map[*spec.Effect][]update
}

func (m *Machine) compileFollows() error {
	m.follows = follows{
		row:    make([][]update, len(m.rows)),
		event:  map[*spec.Event][]update{},
		effect: map[*spec.Effect][]update{},
	}
	for _, f := range m.table.Follows {
		var c *compiler
		switch {
		case f.Row != nil:
			c = m.full.with(nil, nil, nil)
			if f.Row.Event != nil {
				c = m.full.with(argSyms(f.Row.Event), nil, nil)
			}
		case f.Event != nil:
			c = m.full.with(argSyms(f.Event), nil, nil)
		case f.Effect != nil:
			c = m.full.with(nil, f.Effect.Args, nil)
		default:
			return errorAt(f.Pos, "it follows nothing")
		}
		ups, err := c.updates(f.Set)
		if err != nil {
			return err
		}
		switch {
		case f.Row != nil:
			m.follows.row[f.Row.Index] = append(m.follows.row[f.Row.Index], ups...)
		case f.Event != nil:
			m.follows.event[f.Event] = append(m.follows.event[f.Event], ups...)
		default:
			m.follows.effect[f.Effect] = append(m.follows.effect[f.Effect], ups...)
		}
	}
	return nil
}

// follow writes what the world does with a decision into sc.next.
func (m *Machine) follow(sc *scratch, l *Label) *Fault {
	row := l.Row
	if l.Then != nil {
		if fault := m.write(sc, l.Then, m.follows.row[l.Then.Index]); fault != nil {
			return fault
		}
	}
	if fault := m.write(sc, row, m.follows.row[row.Index]); fault != nil {
		return fault
	}
	if row.Followed() {
		if fault := m.write(sc, row, m.follows.event[row.Event]); fault != nil {
			return fault
		}
	}
	for _, f := range l.Effects {
		sc.env.effect = f.Args
		if fault := m.write(sc, row, m.follows.effect[f.Effect]); fault != nil {
			return fault
		}
	}
	return nil
}

// write does updates. All of a step read its old state, so two of one variable
// would lose one.
func (m *Machine) write(sc *scratch, row *spec.Row, ups []update) *Fault {
	for i := range ups {
		u := &ups[i]
		v, fault := u.code(&m.domains, &sc.env, row.Name())
		if fault != nil {
			return fault
		}
		at := u.to.in(sc.env.base)
		if slices.Contains(sc.written, at) {
			return &Fault{Reason: ErrConflict, Where: row.Name(), Src: u.src}
		}
		sc.written = append(sc.written, at)
		sc.next[at] = v
	}
	return nil
}

// followed reports whether anything may follow row, which is no move.
func (m *Machine) followed(row *spec.Row) bool {
	return len(m.follows.row[row.Index]) > 0 || row.Followed() && len(m.follows.event[row.Event]) > 0
}
