package spec

import (
	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// Construct is something in a table that a back end may not know yet.
type Construct string

const (
	Parts     Construct = "parts"      // Table.Parts, and all that speaks of them
	SubTables Construct = "sub-tables" // Table.Tables, Row.Then
	Lists     Construct = "lists"      // values of type list(T), Emit.Each
	Sets      Construct = "sets of the machine"
	RowSteps  Construct = "properties of one row's steps" // Clause.Row
	EachOf    Construct = "eventually for each value"     // Property.Each of Eventually
)

// Lacks is for a back end that doesn't know these constructs: it returns a
// diag.List of where t uses one of them, the first place for each, or nil. who
// names the back end, as in "the Go package".
func (t *Table) Lacks(who string, unknown ...Construct) error {
	var ds diag.List
	for _, c := range unknown {
		if pos, ok := t.first(c); ok {
			ds.Add(diag.Unsupported, pos, "%s doesn't have %s yet", who, c)
		}
	}
	ds.Sort()
	return ds.Err()
}

// first returns the first place that uses c.
func (t *Table) first(c Construct) (diag.Pos, bool) {
	switch c {
	case Parts:
		for _, p := range t.Parts {
			return p.Pos, true
		}
	case SubTables:
		for _, s := range t.Tables {
			return s.Pos, true
		}
	case Lists, Sets:
		return t.firstOfKind(c)
	case RowSteps, EachOf:
		for _, p := range t.Properties {
			if c == EachOf && p.Kind == Eventually && len(p.Each) > 0 {
				return p.Pos, true
			}
			for _, cl := range p.Clauses {
				if c == RowSteps && cl.Row != nil {
					return cl.Pos, true
				}
			}
		}
	}
	return diag.Pos{}, false
}

func (t *Table) firstOfKind(c Construct) (diag.Pos, bool) {
	kind, lists := expr.Set, [][]*Var{t.Vars, t.Shared}
	for _, p := range t.Parts {
		lists = append(lists, p.Vars)
	}
	if c == Lists {
		kind, lists = expr.List, append(lists, t.Ghosts)
	}
	for _, l := range lists {
		for _, v := range l {
			if v.Sym.Type.Kind == kind {
				return v.Sym.Pos, true
			}
		}
	}
	return diag.Pos{}, false
}
