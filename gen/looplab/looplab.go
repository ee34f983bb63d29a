// Package looplab prints a checked table as a definition for the library
// github.com/looplab/fsm: control states and the events accepted in them.
//
// That library knows neither variables nor guards, and one target an event and
// state, so the definition is the table's shadow on its control states. What is
// lost is said in the generated package: which cells the control state decides
// and which rows the program's guards must choose from in the others.
package looplab

import (
	"bytes"
	"fmt"
	"go/format"
	"path"

	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/spec"
)

// Files returns the package fsm/NAME/looplab: Initial, Events and New make a
// machine; Event, Decides and Guards tie it to the table; Fire tells a stay
// from a refusal; Diagram draws it.
//
// Parts are as unknown to that library as variables: a cell is an event in a
// control state, whatever its subject's state is, and the guards look at that.
// A row that goes on with one of a sub-table is a choice for each such row.
//
// An event keeps its name unless one of its cells has accepted rows with
// different targets. Then each of its accepted rows is an event of its own, by
// the row's name, such as "adopt.running".
//
// The error is that of Check.
func Files(t *spec.Table) ([]file.File, error) {
	if err := Check(t); err != nil {
		return nil, err
	}
	p := &printer{Table: t, def: define(t)}
	p.header()
	p.definition()
	p.fire()
	p.rows()
	p.guards()
	p.diagram()
	name := path.Join("fsm", t.Name, "looplab", t.Name+"_gen.go")
	data, err := format.Source(p.buf.Bytes())
	if err != nil {
		return nil, fmt.Errorf("format %s: %w", name, err)
	}
	return []file.File{{Path: name, Data: data}}, nil
}

type printer struct {
	*spec.Table
	def *definition
	buf bytes.Buffer
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(&p.buf, format, args...) }
