// Package golang prints a checked table as a Go package: the machine's step as
// a person would write it by hand, and what explains it to people.
//
// The world of a table (ghosts, what follows, assumptions, most properties)
// stays in its model; what is left is printed in the order of the table, each
// row once.
package golang

import (
	"bytes"
	"fmt"
	"go/format"
	"path"
	"strconv"
	"strings"

	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
)

// Files returns the Go package of t: fsm/NAME/NAME_gen.go, which runs the
// machine, and fsm/NAME/NAME_explain_gen.go, which tells people why a step
// goes as it does. The types of a machine with parts are in a file of their
// own, fsm/NAME/NAME_types_gen.go; fsm/NAME/NAME_text_gen.go names what is
// stored. All depend on nothing but the table.
//
// What a machine has many of is a map of those that aren't as they start; lists
// and sets are changed in place. The step takes constant time, but where a row
// speaks of all elements of a list, or takes one from its middle.
//
// The error is a diag.List that names what Go can't be generated for:
// quantifiers in rows, computed lists and sets, searches in a field that isn't
// unique, and names that are one name in Go.
func Files(t *spec.Table) ([]file.File, error) {
	m := newMachine(t)
	if err := check(m); err != nil {
		return nil, err
	}
	var out []file.File
	for _, f := range m.files() {
		p := &printer{machine: m}
		f.print(p)
		name := path.Join("fsm", t.Name, t.Name+f.suffix)
		data, err := format.Source(p.buf.Bytes())
		if err != nil {
			return nil, fmt.Errorf("format %s: %w", name, err)
		}
		out = append(out, file.File{Path: name, Data: data})
	}
	return out, nil
}

// output is one file of the package.
type output struct {
	suffix string
	print  func(*printer)
}

// files returns the files of the package. A machine that has many of something
// is too long for one: what its events do stands apart from what there is.
func (m *machine) files() []output {
	explain, text := output{"_explain_gen.go", (*printer).explain}, output{"_text_gen.go", (*printer).text}
	if len(m.Parts) == 0 {
		return []output{{"_gen.go", (*printer).production}, explain, text}
	}
	return []output{{"_gen.go", (*printer).whatHappens}, {"_types_gen.go", (*printer).whatIs}, explain, text}
}

// printer prints one file.
type printer struct {
	*machine
	buf bytes.Buffer
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(&p.buf, format, args...) }

// production prints the file that programs need.
func (p *printer) production() {
	p.header()
	p.packageDoc()
	p.source(func() {
		p.declarations()
		p.eventDecls()
		p.step()
		p.eventMethods()
		p.definitionDecls()
		p.predicateDecls()
		p.effectDecls()
		p.decisionDecls()
	})
}

// whatHappens prints the half that says what happens.
func (p *printer) whatHappens() {
	p.header()
	p.packageDoc()
	p.source(func() {
		p.step()
		p.eventMethods()
		p.definitionDecls()
		p.predicateDecls()
	})
}

// whatIs prints the half that says what there is.
func (p *printer) whatIs() {
	p.header()
	p.source(func() {
		p.declarations()
		p.partDecls()
		p.partMethods()
		p.eventDecls()
		p.effectDecls()
		p.decisionDecls()
	})
}

func (p *printer) declarations() {
	p.typeDecls()
	p.stateDecls()
	p.machineDecl()
}

func (p *printer) header() {
	p.printf("// %s\n", file.Marker(path.Base(p.Path)))
	p.printf("// Table: sha256:%s\n\n", p.Hash)
}

func (p *printer) packageDoc() {
	p.comment("Package %s %s", p.pkg(), predicate(p.Doc, "is the machine "+p.Name))
	p.printf("//\n")
	has := []string{count(len(p.States), "state"), count(len(p.Events), "event"), count(len(p.decisions), "row")}
	for _, x := range p.Parts {
		has = append(has, fmt.Sprintf("%s of %s", x.Name, count(len(x.States), "state")))
	}
	p.comment("One Machine is %s: %s. Its model is tla/%s.tla, its picture docs/%s.md.", p.one(),
		strings.Join(has, ", "), names.Exported(p.Name), p.Name)
}

// eventMethods prints the events' methods, and after the first one that goes on
// with a sub-table the sub-table's: so a reader has them at hand.
func (p *printer) eventMethods() {
	printed := map[*spec.SubTable]bool{}
	for _, e := range p.Events {
		p.event(e)
		for _, r := range e.Rows {
			if r.Then != nil && !printed[r.Then] {
				printed[r.Then] = true
				p.subTable(r.Then)
			}
		}
	}
}

// source prints the package's clause, the imports that the body uses, and the
// body.
func (p *printer) source(body func()) {
	p.uses = map[string]bool{}
	before := p.buf
	p.buf = bytes.Buffer{}
	body()
	text := p.buf.Bytes()
	p.buf = before
	p.printf("package %s\n\n", p.pkg())
	var std []string
	for _, name := range []string{"maps", "strconv"} {
		if p.uses[name] {
			std = append(std, strconv.Quote(name)+"\n")
		}
	}
	switch {
	case len(std) > 0 && p.uses["fsm"]:
		p.printf("import (\n%s\n%q\n)\n\n", strings.Join(std, ""), runtime)
	case len(std) > 0:
		p.printf("import (\n%s)\n\n", strings.Join(std, ""))
	case p.uses["fsm"]:
		p.printf("import %q\n\n", runtime)
	}
	p.buf.Write(text)
}

// of returns a name of an imported package, which is imported for it.
func (m *machine) of(pkg, name string) string {
	m.uses[pkg] = true
	return pkg + "." + name
}

const runtime = "github.com/interlock-go/interlock/fsm"

// pkg is the package's name; Go's are of small letters.
func (m *machine) pkg() string { return strings.ToLower(strings.ReplaceAll(m.Name, "_", "")) }
