// Package mbt is the library of generated tests: it holds a generated machine
// against its table, run by gen/interp, and against looplab/fsm.
//
// A generated test (gen/gotest) ties its machine to this package by a
// [Subject], plain code between Go values and the codes of gen/interp, and has
// these tests:
//
//   - [Rows]: a literal case for each row of the table
//   - [Graph]: everything that the machine can do in each model of the table,
//     edge by edge
//   - [Recorded]: the steps that are committed as data, replayed one by one,
//     where the table asks for that
//   - [Random]: random commands, hostile ones included, whose failures shrink to
//     a script in Go
//
// Each of them names the row at which table and machine differ.
package mbt

import (
	"path"
	"strings"
	"testing"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/gen/mbt/literal"
	"github.com/interlock-go/interlock/spec"
)

// Subject is a generated machine M with effects F, driven by the codes of
// gen/interp. Codes of arguments may be outside their types: Go values that
// stand for them are reached by the same arithmetic.
type Subject[M, F any] interface {
	// Machine returns the machine with these parameters, as in
	// spec.Model.Params, and the codes of its state, variables, parts and
	// shared variables, as interp.Stepper takes them.
	Machine(params []int, vars []uint64) M
	// Vars is the reverse: it fills vars.
	Vars(m *M, vars []uint64)
	// Step calls the machine's Step with the event of that spec.Event.Index. It
	// returns what the table says about the decision.
	Step(m *M, event int, args []uint64, buf []F) (fsm.Info, []F)
	// Effect returns an effect's index among those of the table and the codes
	// of its arguments; a negative index for one that isn't the table's.
	Effect(f F) (effect int, args []uint64)
}

// Table says which table a test was generated from.
type Table struct {
	Path string // from the test's folder
	Hash string // spec.Table.Hash
}

// load reads the table and demands that it is still the one that the test was
// generated from.
func (tab Table) load(t testing.TB) *spec.Table {
	t.Helper()
	table, err := spec.Load(tab.Path)
	if err != nil {
		t.Fatalf("the table of this test:\n%v", err)
	}
	if table.Hash != tab.Hash {
		t.Fatalf("%s has changed since this test was generated from it: generate again", path.Base(tab.Path))
	}
	return table
}

// decision is what decides a step of a machine in Go: a check or row of the
// table, with the row that it goes on with if it does, or the answer to a value
// outside its type.
type decision struct {
	event *spec.Event
	row   *spec.Row // nil for the answer to a value outside its type
	then  *spec.Row // nil: there is none
	info  fsm.Info
}

var kinds = map[spec.Outcome]fsm.Kind{
	spec.Move: fsm.Move, spec.Stay: fsm.Stay, spec.Refuse: fsm.Refuse, spec.Ignore: fsm.Ignore, spec.Never: fsm.Internal,
}

// decisions returns those of a table in the order of the generated constants.
func decisions(t *spec.Table) []decision {
	var out []decision
	for _, e := range t.Events {
		for _, a := range e.Args {
			if typ := literal.Outside(a); typ != nil {
				out = append(out, decision{event: e, info: fsm.Info{Name: e.Name + "." + a.Sym.Name, Kind: fsm.Refuse, Code: typ.Else}})
			}
		}
		for _, r := range e.Decisions() {
			info := fsm.Info{Name: r.Name(), Kind: kinds[r.Outcome], Code: r.Code}
			if r.Then == nil {
				out = append(out, decision{event: e, row: r, info: info})
				continue
			}
			for _, then := range r.Then.Rows {
				info.Name, info.Kind = r.Name()+"+"+then.Name(), kinds[then.Outcome]
				out = append(out, decision{e, r, then, info})
			}
		}
	}
	return out
}

// rows returns the names of the rows that decide together.
func (d decision) rows() []string { return strings.Split(d.info.Name, "+") }

// missing returns the rows that some step may take, and none of those taken
// did. Never rows are those that no step takes; of two that decide together
// each is looked for on its own, since not all pairs need be possible.
func missing(t *spec.Table, taken func(decision) bool) []string {
	var out []string
	done := map[string]bool{}
	all := decisions(t)
	for _, d := range all {
		for _, name := range d.rows() {
			done[name] = done[name] || taken(d)
		}
	}
	for _, d := range all {
		for i, name := range d.rows() {
			never := d.info.Kind == fsm.Internal && i == len(d.rows())-1
			if !done[name] && !never {
				done[name] = true
				out = append(out, name)
			}
		}
	}
	return out
}
