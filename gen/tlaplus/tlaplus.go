// Package tlaplus prints a checked table as TLA+: modules that read like a
// careful person's, and a cfg for each run of TLC that the table asks for.
//
//	X.tla          the machine, without bounds
//	MCX.tla        bounds, and properties in the form that TLC needs
//	XEdges.tla     prints each edge of the graph, for comparison
//	XTrace.tla     reads a log and accepts it if it is a behaviour of X
//
// Files returns them all, and Runs what TLC must say about them.
//
// Parts are a function from their keys to records, lists are sequences. A
// sub-table is an operator in which the rows that go on with it end: they prime
// what only they change, and hand over what both change.
//
// An assumption about the world is a guard in the rows that accept the events
// it is about, switched on by its name in the constant Assume. TLC's
// ACTION_CONSTRAINTS wouldn't do: it still checks invariants and properties in
// the states that excluded steps lead to.
package tlaplus

import (
	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/spec"
)

// Files returns every module and cfg of t, below tla/. The error says which
// names clash or what TLA+ can't say.
func Files(t *spec.Table) ([]file.File, error) {
	m, err := newModule(t)
	if err != nil {
		return nil, err
	}
	out := []file.File{
		{Path: m.name + ".tla", Data: m.base()},
		{Path: "MC" + m.name + ".tla", Data: m.mc()},
	}
	runs, err := Runs(t)
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		out = append(out, file.File{Path: r.CfgName, Data: r.Cfg})
	}
	out = append(out, file.File{Path: m.name + "Edges.tla", Data: m.edges()})
	for _, model := range t.Models {
		r := m.edgesRun(model)
		out = append(out, file.File{Path: r.CfgName, Data: r.Cfg})
	}
	out = append(out,
		file.File{Path: m.name + "Trace.tla", Data: m.trace()},
		file.File{Path: m.name + "Trace.cfg", Data: m.traceCfg()})
	for i := range out {
		out[i].Path = "tla/" + out[i].Path
	}
	return out, m.err()
}
