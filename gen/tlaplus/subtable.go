package tlaplus

import (
	"slices"
	"strconv"
	"strings"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

// subTable is a sub-table with the rows that go on with it. Those prime what
// only they change and end in the sub-table, which primes all else. What both
// change is handed over as the row leaves it.
type subTable struct {
	*spec.SubTable
	before, after []*variable
	handed        []*variable
	params        map[*variable]string // names of those handed over
}

func (m *module) subTable(t *spec.SubTable) *subTable {
	rows, subs := map[*variable]bool{}, map[*variable]bool{}
	for _, r := range m.t.Rows() {
		set := rows
		if r.Table == t {
			set = subs
		} else if r.Then != t {
			continue
		}
		for _, v := range m.sets(r) {
			set[v] = true
		}
		m.composes(r)
	}
	for _, p := range m.t.Parts { // parts and what is remembered of them go together
		if v := m.variable(p.Sym); p.Memory != nil && rows[v] && subs[v] {
			list := m.variable(p.Memory.List.Sym)
			both := rows[list] || subs[list]
			rows[list], subs[list] = both, both
		}
	}
	s := &subTable{SubTable: t, params: map[*variable]string{}}
	for _, v := range m.vars {
		switch {
		case rows[v] && !subs[v]:
			s.before = append(s.before, v)
			continue
		case rows[v]:
			s.handed = append(s.handed, v)
			s.params[v] = m.local("new" + names.Exported(v.name))
		}
		s.after = append(s.after, v)
	}
	return s
}

// composes complains about what a row and the row of a sub-table can't do one
// after the other, as they do here: in the table all moves come first.
func (m *module) composes(r *spec.Row) {
	if r.Then == nil {
		return
	}
	for _, sub := range r.Then.Rows {
		for _, f := range sub.Fire {
			if slices.Contains(r.Forget, f.Move.Part) {
				m.fail(diag.BadMove, f.Pos, "%s moves parts that %s forgets", sub.Name(), r.Name())
			}
			for _, a := range f.Move.Set {
				if slices.ContainsFunc(r.Set, func(o *spec.Assign) bool { return o.Var == a.Var }) {
					m.fail(diag.TwoUpdates, f.Pos, "%s sets %s, and so may %s before it", sub.Name(), a.Var.Name, r.Name())
				}
			}
		}
	}
}

// left returns the parameters of the sub-table's operators.
func (s *subTable) left() []doc {
	var out []doc
	for _, v := range s.handed {
		out = append(out, text(s.params[v]))
	}
	return out
}

// entered is the sub-table as r goes on with it.
func (s *subTable) entered(m *module, r *spec.Row) doc {
	next := m.updates(r, change{passed: true})
	args := m.instance()
	for _, v := range s.handed {
		if d, ok := next[v]; ok {
			args = append(args, d)
		} else {
			args = append(args, text(v.at(m.p, false)))
		}
	}
	return call(names.Exported(s.Name), args...)
}

// subTable prints a sub-table: its rows, then the choice between them.
func (w *printer) subTable(s *subTable) {
	m := w.m
	var handed []string
	for _, v := range s.handed {
		handed = append(handed, s.params[v])
	}
	how := ""
	if len(handed) > 0 {
		how = "Handed over, as the row that came here leaves them: " + strings.Join(handed, ", ") + "."
	}
	w.section()
	w.comment("The sub-table "+s.Name+": rows go on with it in the same step. "+s.Doc, how)
	var moves []doc
	for _, r := range s.Rows {
		w.row(r)
		if r.Outcome == spec.Move {
			moves = append(moves, m.row(r))
		}
	}
	w.line("")
	w.define(call(names.Exported(s.Name), append(m.instance(), s.left()...)...).flat(), choose(moves))
}

// impossible returns, for each row of a sub-table that can't occur, where it
// would.
func (m *module) impossible(t *spec.SubTable) []doc {
	var out []doc
	for _, sub := range t.Rows {
		if sub.Outcome != spec.Never {
			continue
		}
		for _, e := range m.t.Events {
			for _, r := range e.Rows {
				if r.Then == t {
					d := not(conj(append(m.guards(r), m.guards(sub)...)...))
					out = append(out, quantified(`\A`, m.bounds(e), d))
				}
			}
		}
	}
	return out
}

// thenRow and thenEffects name what tells which row of a sub-table a step goes
// on with, and what that sends.
func thenRow(t *spec.SubTable) string     { return names.Exported(t.Name) + "Row" }
func thenEffects(t *spec.SubTable) string { return names.Exported(t.Name) + "Effects" }

// thens prints both for every sub-table.
func (w *printer) thens() {
	m := w.m
	for _, t := range m.t.Tables {
		w.line("")
		w.comment("The row of " + t.Name + " that decides, and what it sends.")
		w.cases(call(thenRow(t), m.instance()...), t, func(r *spec.Row) doc { return text(strconv.Quote(r.Name())) })
		w.line("")
		w.cases(call(thenEffects(t), m.instance()...), t, m.effectsOf)
	}
}

func (w *printer) cases(head doc, t *spec.SubTable, value func(*spec.Row) doc) {
	w.line("%s ==", head.flat())
	arm := "  CASE "
	for _, r := range t.Rows {
		when := conj(w.m.guards(r)...)
		if len(w.m.guards(r)) == 0 {
			when = text("TRUE")
		}
		lines := prefixed(arm, when.lines(len(arm), 3))
		lines[len(lines)-1] += " ->"
		if d := value(r); len(lines[len(lines)-1])+1+len(d.flat()) <= width {
			lines[len(lines)-1] += " " + d.flat()
		} else {
			lines = append(lines, indent(9, d.lines(9, 0))...)
		}
		for _, l := range lines {
			w.line("%s", l)
		}
		arm = "    [] "
	}
}
