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
		}
		found[info.Name] = append(found[info.Name], c)
	}
	if len(rows) == 0 {
		rt.Skip("no command")
	}
	row := rapid.SampledFrom(rows).Draw(rt, "row")
	for i, c := range found[row] {
		found[row][i].text = r.print.Event(e, c.args)
	}
	return rapid.SampledFrom(found[row]).Draw(rt, "command")
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
	return r.infos[d.Row], effects, nil
}

// candidates returns lists of arguments for an event: all combinations of each
// argument's interesting values, simple ones first, cut to maxCommands.
func (r *run[M, F]) candidates(e *spec.Event) [][]uint64 {
	values := make([][]uint64, len(e.Args))
	for i, a := range e.Args {
		values[i] = r.interesting(a.Sym.Type)
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

// held returns the codes of type t that the machine's variables hold, origins
// and the like left out.
func (r *run[M, F]) held(t *expr.Type) []uint64 {
	var out []uint64
	for i, v := range r.table.Vars {
		typ, code := v.Sym.Type, r.vars[i+1]
		for typ.Kind == expr.Optional && code != 0 {
			typ, code = typ.Elem, code-1
		}
		if typ == t && code != 0 {
			out = append(out, code)
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
