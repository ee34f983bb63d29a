package interp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
	"github.com/interlock-go/interlock/spec/expr/celtest"
)

// look gives CEL the values that e holds.
func (s *second) look(e *env) celtest.Lookup {
	production := &e.old[0] == &s.vars[0]
	return func(name string) (*expr.Type, uint64, bool) {
		if s.event != nil {
			if i := slices.IndexFunc(s.event.Args, func(a *spec.Arg) bool { return a.Sym.Name == name }); i >= 0 {
				return s.event.Args[i].Sym.Type, e.args[i], true
			}
		}
		if s.effect != nil {
			for i, a := range s.effect.Args {
				if s.effect.Name+"."+a.Name == name {
					return a.Type, e.effect[i], true
				}
			}
		}
		for i, sym := range s.each {
			if sym.Name == name {
				code, ok := s.m.code(sym.Type, 1<<63, e.bound[i])
				return sym.Type, code, ok
			}
		}
		slots, plain := e.old, name
		if after, ok := strings.CutPrefix(name, "new."); ok {
			if !s.step {
				panic(fmt.Sprintf("%s is read where there is no step", name))
			}
			slots, plain = e.new, after
		}
		table := s.m.slots
		if production {
			table = s.m.layout.production
		}
		if t, at, ok := s.part(table, plain, e); ok {
			return t, slots[at.in(e.base)], true
		}
		for sym, at := range table {
			if sym.Name == plain && sym.Part == nil {
				return sym.Type, slots[at.in(e.base)], true
			}
		}
		return nil, 0, false
	}
}

// part finds the field of a part: of the one that is moved or is the event's
// subject, "it.asked", or of one by its key, "tickets(2).asked".
func (s *second) part(table map[*expr.Symbol]slot, name string, e *env) (*expr.Type, slot, bool) {
	of, field, _ := strings.Cut(name, ".")
	for _, p := range s.m.table.Parts {
		var key uint64
		switch {
		case of == "it" && s.it != nil:
			key = e.bound[0]
		case of == "it" && s.event != nil && s.event.Of == p:
			key = e.args[0]
		default:
			if n, _ := fmt.Sscanf(of, p.Name+"(%d)", &key); n != 1 {
				continue
			}
		}
		for i, f := range p.Fields() {
			if f.Name == field && key > 0 {
				at := table[p.State]
				at.at += (int(key)-1)*len(p.Fields()) + i
				return f.Type, at, true
			}
		}
	}
	return nil, slot{}, false
}

// sources returns all expressions of a table that have a source.
func sources(t *spec.Table) []string {
	var out []string
	sets := func(list []*spec.Assign) {
		for _, a := range list {
			out = append(out, a.Src)
		}
	}
	for _, r := range t.Rows() {
		for _, c := range slices.Concat(r.When, r.Unless) {
			out = append(out, c.Src)
		}
		for _, f := range r.Fire {
			out = append(out, f.Src)
			sets(f.Move.Set)
		}
		sets(r.Set)
		for _, em := range r.Emit {
			out = append(out, em.Src)
			if em.Each != nil {
				out = append(out, em.InSrc)
			}
		}
	}
	for _, e := range slices.Concat(t.Events, t.World) {
		if e.Can != nil {
			out = append(out, e.CanSrc)
		}
	}
	for _, f := range t.Follows {
		sets(f.Set)
	}
	for _, m := range t.Models {
		for _, a := range m.Assume {
			out = append(out, a.Src)
		}
	}
	for _, p := range t.Properties {
		for _, c := range p.Clauses {
			if !c.Answered { // see after
				out = append(out, c.Src)
			}
		}
		switch p.Kind {
		case spec.Invariant, spec.Sometimes, spec.Ends:
			out = append(out, p.Src)
		case spec.Eventually:
			out = append(out, p.FromSrc, p.ToSrc)
		}
	}
	return out
}
