package interp

import (
	"slices"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// parts are the parts of one kind among a stepper's slots.
type parts struct {
	*spec.Part
	first  int // slot of the first key's state
	stride int
	keys   int
	start  []uint64 // the fields at the start
	ends   []bool   // states that are remembered; nil: none is
	list   int      // slot of those remembered
	base   expr.ListBase
	most   int
}

func (s *tableStepper) compileParts(c *compiler) error {
	for _, p := range s.table.Parts {
		at, _ := c.place(p.State)
		ps := &parts{Part: p, first: at.at, stride: at.stride, keys: at.keys}
		if m := p.Memory; m != nil {
			ps.ends = oneOf(m.States, len(p.States))
			ps.list, ps.base = c.slots[m.List.Sym].at, c.lists(m.List.Sym.Type)
			var err error
			if ps.most, err = c.number(m.Most); err != nil {
				return err
			}
		}
		for _, v := range p.Vars {
			if v.Sym.Unique {
				u, _ := c.place(v.Sym)
				s.unique = append(s.unique, u)
			}
		}
		s.parts = append(s.parts, ps)
	}
	return nil
}

// startFrom tells the stepper what parts are like at the start.
func (s *tableStepper) startFrom(m *Machine, slots []uint64) {
	for _, p := range s.parts {
		p.start = nil
		for _, f := range p.Fields() {
			p.start = append(p.start, slots[m.slots[f].at])
		}
	}
}

// first returns what a part's field is at the start.
func (s *tableStepper) first(f *Field) uint64 { return s.parts[f.Part.Index].start[f.Sym.Index] }

// record returns the slots of the part with that key.
func (p *parts) record(vars []uint64, key uint64) []uint64 {
	at := p.first + (int(key)-1)*p.stride
	return vars[at : at+p.stride]
}

// move is a fire of one part, with what it sets.
type move struct {
	*fire
	key  uint64
	sets []write
}

type write struct {
	at    int
	value uint64
}

// plan computes what a row writes, and writes nothing.
func (s *tableStepper) plan(sc *stepScratch, r *rule) *Fault {
	e := &sc.env
	for i := range r.fires {
		f := &r.fires[i]
		on := f.on(e)
		if e.undefined != nil {
			return undefined(e, r.row.Name(), f.Src)
		}
		for _, key := range f.keys(on) {
			m := move{fire: f, key: key}
			e.bound[0] = key
			for j := range f.sets {
				v, fault := f.sets[j].code(&s.domains, e, r.row.Name())
				if fault != nil {
					return fault
				}
				m.sets = append(m.sets, write{f.sets[j].place(e), v})
			}
			sc.moves = append(sc.moves, m)
		}
	}
	for i := range r.sets {
		u := &r.sets[i]
		v, fault := u.code(&s.domains, e, r.row.Name())
		if fault != nil {
			return fault
		}
		at := u.place(e)
		if e.undefined != nil {
			return undefined(e, r.row.Name(), u.src)
		}
		sc.sets = append(sc.sets, write{at, v})
	}
	return nil
}

// keys returns the parts that a move takes.
func (f *fire) keys(on uint64) []uint64 {
	switch f.On.Type.Kind {
	case expr.List:
		return expr.ListBase(f.base).Elements(on)
	case expr.Optional:
		if on == 0 {
			return nil
		}
		return []uint64{on - 1}
	}
	return []uint64{on}
}

// perform writes what was planned: the moves in order, what the rows set, then
// what is remembered of parts and what is forgotten.
func (s *tableStepper) perform(sc *stepScratch, rows []*rule, vars []uint64) *Fault {
	name := rows[0].row.Name()
	for i, p := range s.parts {
		if fault := p.perform(sc, i, vars, name); fault != nil {
			return fault
		}
	}
	for _, w := range sc.sets {
		vars[w.at] = w.value
	}
	for i, p := range s.parts {
		ended := sc.ended[i]
		for _, r := range rows {
			if !slices.Contains(r.row.Forget, p.Part) {
				continue
			}
			ended = nil
			if fault := p.forgetAll(vars, r.row.Name()); fault != nil {
				return fault
			}
		}
		p.remember(vars, ended)
	}
	return s.uniqueFields(vars, name)
}

// perform does the moves of p's parts and keeps in sc.ended those that are
// remembered, the one that ended first in front.
func (p *parts) perform(sc *stepScratch, i int, vars []uint64, row string) *Fault {
	ended := sc.ended[i][:0]
	if p.ends != nil {
		ended = p.base.AppendElements(ended, vars[p.list])
	}
	for i := range sc.moves {
		m := &sc.moves[i]
		if m.Move.Part != p.Part {
			continue
		}
		rec := p.record(vars, m.key)
		if !m.from[rec[0]] {
			return &Fault{Reason: ErrMove, Where: row, Src: m.Move.Name + ": " + m.Src, Pos: m.Pos,
				Detail: FormatValue(p.State.Type, rec[0]) + " of " + FormatValue(p.Key, m.key)}
		}
		for _, w := range m.sets {
			vars[w.at] = w.value
		}
		if m.To == nil {
			continue
		}
		was := rec[0]
		rec[0] = uint64(m.To.Index)
		if p.ends != nil && p.ends[was] != p.ends[rec[0]] {
			ended = slices.DeleteFunc(ended, func(k uint64) bool { return k == m.key })
			if p.ends[rec[0]] {
				ended = append(ended, m.key)
			}
		}
	}
	sc.ended[i] = ended
	return nil
}

// remember keeps as many of those that ended as the table says.
func (p *parts) remember(vars, ended []uint64) {
	if p.ends == nil {
		return
	}
	for len(ended) > p.most {
		copy(p.record(vars, ended[0]), p.start)
		ended = ended[1:]
	}
	list := uint64(0)
	for _, k := range ended {
		list = p.base.Append(list, k)
	}
	vars[p.list] = list
}

// forgetAll makes all parts as at the start. One that hasn't ended would be
// lost.
func (p *parts) forgetAll(vars []uint64, row string) *Fault {
	for key := 1; key <= p.keys; key++ {
		rec := p.record(vars, uint64(key))
		if rec[0] != 0 && p.ends != nil && !p.ends[rec[0]] {
			return &Fault{Reason: ErrMove, Where: row, Src: "forget: " + p.Name,
				Detail: FormatValue(p.State.Type, rec[0]) + " of " + FormatValue(p.Key, uint64(key))}
		}
		copy(rec, p.start)
	}
	return nil
}

func (s *tableStepper) uniqueFields(vars []uint64, row string) *Fault {
	for _, u := range s.unique {
		for a := range u.keys {
			v := vars[u.at+a*u.stride]
			for b := a + 1; v != 0 && b < u.keys; b++ {
				if vars[u.at+b*u.stride] == v {
					return &Fault{Reason: ErrUnique, Where: row}
				}
			}
		}
	}
	return nil
}
