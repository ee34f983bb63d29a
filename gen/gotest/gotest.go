// Package gotest prints tests of a table's generated Go: a literal case for
// each row, and the code that ties the machine to package gen/mbt, which holds
// it against the interpreted table.
package gotest

import (
	"bytes"
	"fmt"
	"go/format"
	"path"
	"path/filepath"
	"strings"

	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/looplab"
	"github.com/interlock-go/interlock/gen/mbt/literal"
	"github.com/interlock-go/interlock/gen/recording"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// Files returns fsm/NAME/NAME_gen_test.go, an external test of the package that
// gen/golang prints. Its cases come from a search of the table's models: a
// shortest way to each row.
//
// The error is a diag.List of rows that no model reaches, one of a model that
// can't be searched, or says that the table lies outside the module's root: the
// test reads it again, so t.Path must be local, or lie in a folder spec. Where
// looplab/fsm can't be given the table, the test goes without it.
func Files(t *spec.Table) ([]file.File, error) { return In(module, t) }

// In is Files for a table of another module, whose path the test's imports of
// the machine begin with.
func In(modulePath string, t *spec.Table) ([]file.File, error) {
	source, err := Source(t.Path)
	if err != nil {
		return nil, err
	}
	cases, err := findCases(t)
	if err != nil {
		return nil, err
	}
	p := &printer{Printer: literal.Of(t), module: modulePath, source: source, looplab: looplab.Check(t) == nil, sized: sized(t)}
	p.header()
	p.tests()
	p.subject()
	if err := p.starts(); err != nil {
		return nil, err
	}
	p.cases(cases)
	name := path.Join("fsm", t.Name, t.Name+"_gen_test.go")
	data, err := format.Source(p.buf.Bytes())
	if err != nil {
		return nil, fmt.Errorf("format %s: %w", name, err)
	}
	return []file.File{{Path: name, Data: data}}, nil
}

// Source returns the path from the module's root by which a generated test reads a
// table.
func Source(name string) (string, error) {
	name = path.Clean(filepath.ToSlash(name))
	if i := strings.LastIndex("/"+name, "/spec/"); i >= 0 {
		return name[i:], nil
	}
	if !filepath.IsLocal(name) {
		return "", fmt.Errorf("the table %s lies outside the module, where its generated test can't read it", name)
	}
	return name, nil
}

// sized reports whether the codes of a machine depend on a model.
func sized(t *spec.Table) bool {
	for _, list := range [][]*spec.Var{t.Vars, t.Shared} {
		for _, v := range list {
			if v.Sym.Type.Kind == expr.List {
				return true
			}
		}
	}
	return len(t.Parts) > 0
}

type printer struct {
	literal.Printer
	module  string // that the machine is in
	source  string // of the table, from the module's root
	looplab bool
	sized   bool // codes depend on a model
	buf     bytes.Buffer
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(&p.buf, format, args...) }

// module is the path of this module, which the runtime and the test library
// are in.
const module = "github.com/interlock-go/interlock"

// folder is the package's import path.
func (p *printer) folder() string { return path.Join(p.module, "fsm", p.Name) }

func (p *printer) header() {
	p.printf("// %s\n", file.Marker(path.Base(p.Path)))
	p.printf("// Table: sha256:%s\n\n", p.Hash)
	p.printf("package %s_test\n\nimport (\n\"testing\"\n\n%q\n%q\n", p.Pkg, path.Join(module, "fsm"), p.folder())
	if p.looplab {
		p.printf("%q\n", path.Join(p.folder(), "looplab"))
	}
	p.printf("%q\n)\n\n", path.Join(module, "gen/mbt"))
}

// decides is the type of what decides a step.
func (p *printer) decides() string {
	if len(p.Tables) > 0 {
		return "Decision"
	}
	return "Row"
}

func (p *printer) tests() {
	p.printf("// source is the table that the machine was generated from.\n")
	p.printf("var source = mbt.Table{\nPath: %q,\nHash: %q,\n}\n\n", path.Join("../..", p.source), p.Hash)
	step := "d, buf := m.Step(e, buf)\n\t\treturn d.Row, buf"
	if len(p.Tables) > 0 {
		step = "return m.Step(e, buf)"
	}
	p.printf(`// TestRows takes each row of the table once.
func TestRows(t *testing.T) {
	mbt.Rows(t, source, rowCases, func(m *%[1]s.Machine, e %[1]s.Event, buf []%[1]s.Effect) (%[1]s.%[2]s, []%[1]s.Effect) {
		%[3]s
	})
}

// TestGraph compares all that the machine can do in the table's models with the
// interpreted table, edge by edge.
func TestGraph(t *testing.T) { mbt.Graph(t, source, subject{}) }

`, p.Pkg, p.decides(), step)
	if len(p.Record) > 0 {
		p.printf("// TestRecorded replays the recorded edges on the machine.\n")
		p.printf("func TestRecorded(t *testing.T) { mbt.Recorded(t, source, subject{}, %q) }\n\n", recording.FileName(p.Name))
	}
	if !p.looplab {
		p.printf("// TestModelBased compares the machine with the interpreted table, command by\n// command.\n")
		p.printf("func TestModelBased(t *testing.T) { mbt.Random(t, source, subject{}, nil) }\n\n")
		return
	}
	p.printf(`// TestModelBased compares the machine with the interpreted table and, on its
// control states, with looplab/fsm, command by command.
func TestModelBased(t *testing.T) {
	mbt.Random(t, source, subject{}, &mbt.Looplab{
		New: looplab.New, Fire: looplab.Fire, Event: looplab.Event, Decides: looplab.Decides,
	})
}

`)
}
