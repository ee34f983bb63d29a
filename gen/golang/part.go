package golang

import (
	"slices"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// partOf returns the parts that a field, or the type of their states, is of.
func (m *machine) partOf(field *expr.Symbol) *spec.Part {
	return m.Parts[slices.IndexFunc(m.Parts, func(p *spec.Part) bool { return p.Sym == field.Part })]
}

// partsWith returns the parts whose states are values of t, or nil.
func (m *machine) partsWith(t *expr.Type) *spec.Part {
	for _, p := range m.Parts {
		if p.State.Type == t {
			return p
		}
	}
	return nil
}

// helper returns the name of a method that works on one part: all begin with
// the part's name, so that only an event called like it can have the same.
func helper(p *spec.Part, what string) string {
	if what == "" {
		return names.Local(p.Key.Name)
	}
	return names.Local(p.Key.Name) + names.Exported(what)
}

// zeroRecord reports whether the zero record is a part at its start.
func zeroRecord(p *spec.Part) bool { return !slices.ContainsFunc(p.Vars, startsElsewhere) }

// unique returns the fields by which parts are looked up.
func unique(p *spec.Part) []*expr.Symbol {
	var out []*expr.Symbol
	for _, v := range p.Vars {
		if v.Sym.Unique {
			out = append(out, v.Sym)
		}
	}
	return out
}

// record prints the record of the part that key names.
func (m *machine) record(p *spec.Part, key *expr.Node) string {
	if key.Op == expr.OpRef && m.records[key.Sym] != "" {
		m.asked = true
		return m.records[key.Sym]
	}
	return m.held(p, m.operand(key, 0))
}

// held prints what the machine holds of a part.
func (m *machine) held(p *spec.Part, key string) string {
	if zeroRecord(p) {
		return "m." + names.Exported(p.Name) + "[" + key + "]"
	}
	return "m." + helper(p, "") + "(" + key + ")"
}

// isSubject reports whether n names the subject of the row's event.
func isSubject(r *spec.Row, n *expr.Node) bool {
	return r.Event != nil && r.Event.Of != nil && n.Op == expr.OpRef && n.Sym == r.Event.Args[0].Sym
}

// ends says whether a part in one of these states is among those that its
// memory lists.
type ends uint8

const (
	never ends = iota
	maybe
	always
)

func endsIn(p *spec.Part, states []int) ends {
	if p.Memory == nil {
		return never
	}
	in := 0
	for _, s := range states {
		if slices.Contains(p.Memory.States, s) {
			in++
		}
	}
	switch in {
	case 0:
		return never
	case len(states):
		return always
	}
	return maybe
}

// leads returns the states in which the move may leave a part.
func leads(v *spec.PartMove) []int {
	if v.To == nil {
		return v.From
	}
	return v.To
}

// remembers reports whether a fire may put parts into the memory, or take them
// out of it.
func remembers(v *spec.PartMove) bool {
	p := v.Part
	return p.Memory != nil && v.To != nil && (endsIn(p, v.From) != always || endsIn(p, v.To) != always) &&
		(endsIn(p, v.From) != never || endsIn(p, v.To) != never)
}

// ending returns the parts that a row, or one that it goes on with, may put
// into their memory.
func (m *machine) ending(r *spec.Row) []*spec.Part {
	fires := slices.Clone(r.Fire)
	if r.Then != nil {
		for _, s := range r.Then.Rows {
			fires = append(fires, s.Fire...)
		}
	}
	var out []*spec.Part
	for _, p := range m.Parts {
		if slices.ContainsFunc(fires, func(f *spec.Fire) bool { return f.Move.Part == p && remembers(f.Move) && endsIn(p, f.Move.To) != never }) {
			out = append(out, p)
		}
	}
	return out
}

// byKey returns the moves that some row makes of a part other than its event's
// subject, or beside others: they have a method.
func (m *machine) byKey(p *spec.Part) []*spec.PartMove {
	var out []*spec.PartMove
	for _, v := range p.Moves {
		if slices.ContainsFunc(m.rows(), func(r *spec.Row) bool {
			return !inPlace(r, p) && slices.ContainsFunc(r.Fire, func(f *spec.Fire) bool { return f.Move == v })
		}) {
			out = append(out, v)
		}
	}
	return out
}

// inPlace reports whether all that a row does to parts it does to its event's
// subject, so that one record is changed and kept.
func inPlace(r *spec.Row, p *spec.Part) bool {
	for _, f := range r.Fire {
		if f.Move.Part == p && !isSubject(r, f.On) {
			return false
		}
	}
	for _, a := range r.Set {
		if a.Key != nil && a.Var.Part == p.Sym && !isSubject(r, a.Key) {
			return false
		}
	}
	return true
}
