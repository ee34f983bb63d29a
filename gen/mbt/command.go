package mbt

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/mbt/literal"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// command is an event with the codes of its arguments.
type command struct {
	event *spec.Event
	args  []uint64
	text  string
}

// GoString returns the event as a Go literal: it is what rapid logs.
func (c command) GoString() string { return c.text }

const (
	// maxCommands bounds the commands that are tried to find one for a row.
	maxCommands = 2000
	// foreign is an identity that nobody gave out.
	foreign = 1 << 40
)

// draw draws a command of an event: first the row that is to decide it, of
// those that some command leads to now, then one of these commands.
func (r *run[M, F]) draw(rt *rapid.T, e *spec.Event) command {
	var rows []string
	found := map[string][]command{}
	for _, args := range r.candidates(e) {
		c := command{event: e, args: args}
		vars := slices.Clone(r.vars)
		info, _, err := r.reference(vars, c)
		if err != nil {
			continue // the table says nothing about this value, and has no answer to it
		}
		if found[info.Name] == nil {
			rows = append(rows, info.Name)
			if info.Kind == fsm.Move { // to get further
				rows = append(rows, info.Name, info.Name)
			}
		}
		found[info.Name] = append(found[info.Name], c)
	}
	if len(rows) == 0 {
		rt.Skip("no command")
	}
	row := pick(rt, rows, "row")
	for i, c := range found[row] {
		found[row][i].text = r.print.Event(e, c.args)
	}
	return pick(rt, found[row], "command")
}

// reference does c to the codes of a machine as the table says: a value outside
// its type is answered first, in the order of arguments.
func (r *run[M, F]) reference(vars []uint64, c command) (fsm.Info, []interp.Effect, error) {
	if name, code, ok := literal.OutsideRow(c.event, c.args); ok {
		return fsm.Info{Name: name, Kind: fsm.Refuse, Code: code}, nil, nil
	}
	d, effects, err := r.stepper.Step(vars, c.event.Index, c.args)
	if err != nil {
		return fsm.Info{}, nil, err
	}
	return r.known[decided(r.table.Rows(), d)].info, effects, nil
}

// candidates returns lists of arguments for an event: all combinations of each
// argument's interesting values, simple ones first, cut to maxCommands.
func (r *run[M, F]) candidates(e *spec.Event) [][]uint64 {
	values := make([][]uint64, len(e.Args))
	for i, a := range e.Args {
		values[i] = r.interesting(a.Sym.Type)
		if _, limited := r.most[a.Sym.Type]; a.Fresh && limited {
			next := r.fresh[a.Sym.Type.Name] + 1 // one beyond it would use up those between
			values[i] = slices.DeleteFunc(values[i], func(c uint64) bool { return c > next })
		}
	}
	for product(values) > maxCommands {
		longest := 0
		for i := range values {
			if len(values[i]) > len(values[longest]) {
				longest = i
			}
		}
		values[longest] = values[longest][:len(values[longest])-1]
	}
	out := [][]uint64{nil}
	for _, vs := range values {
		var next [][]uint64
		for _, args := range out {
			for _, v := range vs {
				next = append(next, append(slices.Clip(args), v))
			}
		}
		out = next
	}
	return out
}

func product(values [][]uint64) int {
	n := 1
	for _, vs := range values {
		n *= len(vs)
	}
	return n
}

// interesting returns codes of a type: those that the machine holds, the next
// fresh one, then others, those outside the type last.
func (r *run[M, F]) interesting(t *expr.Type) []uint64 {
	held := r.held(t)
	var out []uint64
	switch t.Kind {
	case expr.Bool:
		return []uint64{0, 1}
	case expr.Identity, expr.Serial:
		next := r.fresh[t.Name] + 1
		out = append(held, next)
		if next > 1 {
			out = append(out, next-1, 1)
		}
		out = append(out, 0, foreign)
		if most, ok := r.most[t]; ok {
			other := uint64(1)
			for slices.Contains(held, other) {
				other++
			}
			out = within(append(out, other, most), t, most)
		}
	case expr.Enum:
		for c := range t.Values {
			out = append(out, uint64(c))
		}
		if n := uint64(len(t.Values)); t.Else != "" {
			out = append(out, ^uint64(0), n, max(n, 254)) // Go's zero, the next value, the last byte
		}
	case expr.Int:
		n := uint64(t.Hi - t.Lo)
		out = append(held, 0, n)
		for c := range min(n, 8) {
			out = append(out, c)
		}
		if t.Else != "" {
			out = append(out, ^uint64(0), n+1)
		}
	case expr.Optional:
		out = append(out, 0)
		for _, c := range r.interesting(t.Elem) {
			if c+1 != 0 { // that one has no code of its own
				out = append(out, c+1)
			}
		}
	}
	return unique(out)
}

// within returns those codes that a limited machine can hold: it has no place
// for zero, unless an answer says that it is outside its type.
func within(codes []uint64, t *expr.Type, most uint64) []uint64 {
	return slices.DeleteFunc(codes, func(c uint64) bool {
		return c > most || c == 0 && t.Kind == expr.Identity && t.Else == ""
	})
}

// held returns the codes of type t that the machine holds, origins and the like
// left out.
func (r *run[M, F]) held(t *expr.Type) []uint64 {
	var out []uint64
	for i, f := range r.fields {
		typ, code := f.Type, r.vars[i]
		if f.Kind == interp.OfPart && f.Part.Key == t && code != r.start[i] {
			out = append(out, f.Key)
		}
		for typ.Kind == expr.Optional && code != 0 {
			typ, code = typ.Elem, code-1
		}
		codes := []uint64{code}
		switch {
		case typ.Kind == expr.List && typ.Elem == t:
			typ, codes = t, r.interp.ListBase(typ).Elements(code)
		case typ.Kind == expr.Set && typ.Elem == t:
			typ, codes = t, elements(code)
		}
		for _, c := range codes {
			if typ == t && c != 0 {
				out = append(out, c)
			}
		}
	}
	return unique(out)
}

// elements returns the codes of a set's elements.
func elements(set uint64) []uint64 {
	var out []uint64
	for c := range uint64(64) {
		if set>>c&1 != 0 {
			out = append(out, c)
		}
	}
	return out
}

func unique(codes []uint64) []uint64 {
	var out []uint64
	for _, c := range codes {
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}
