// Package gen lists the back ends: pure functions from a checked table to
// files.
package gen

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/golang"
	"github.com/interlock-go/interlock/gen/gotest"
	"github.com/interlock-go/interlock/gen/looplab"
	"github.com/interlock-go/interlock/gen/markdown"
	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/gen/recording"
	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

// Backend is one kind of output.
type Backend struct {
	Name  string
	Files func(module string, t *spec.Table) ([]file.File, error)
}

// Backends are all of them, in the order in which they run.
var Backends = []Backend{
	{"go", anywhere(golang.Files)},
	{"tests", gotest.In},
	{"looplab", anywhere(looplab.Files)},
	{"edges", anywhere(recording.Files)},
	{"tla", anywhere(tlaplus.Files)},
	{"docs", anywhere(markdown.Files)},
}

// anywhere is a back end whose output is the same in every module.
func anywhere(files func(*spec.Table) ([]file.File, error)) func(string, *spec.Table) ([]file.File, error) {
	return func(_ string, t *spec.Table) ([]file.File, error) { return files(t) }
}

// Files returns every output of a table. Paths are relative to the root of the
// module with that path, which the table is in.
func Files(module string, t *spec.Table) ([]file.File, error) {
	var all []file.File
	for _, b := range Backends {
		files, err := b.Files(module, t)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b.Name, err)
		}
		all = append(all, files...)
	}
	return all, nil
}

// Printable reports why the back ends can't print a table, for want of a
// construct or for a name that an output keeps for itself; nil if they can. It
// leaves out the generated tests and the edges, which take a search.
//
// The error is a diag.List with what all of them say, unless one has a fault
// of its own.
func Printable(t *spec.Table) error {
	var all diag.List
	for _, b := range Backends {
		if b.Name == "tests" || b.Name == "edges" {
			continue
		}
		_, err := b.Files("", t)
		var list diag.List
		switch {
		case errors.As(err, &list):
			all = append(all, list...)
		case err != nil:
			return fmt.Errorf("%s: %w", b.Name, err)
		}
	}
	all.Sort()
	return all.Err()
}

// Owns reports whether a path, relative to the module's root, is one that some
// version of a machine's table may have been the source of.
func Owns(machine, name string) bool {
	dir, base := path.Split(name)
	switch dir {
	case path.Join("fsm", machine) + "/", path.Join("fsm", machine, "looplab") + "/":
		return strings.HasPrefix(base, machine+"_") && ours.MatchString(base)
	case "tla/":
		return model.MatchString(base) && model.FindStringSubmatch(base)[1] == names.Exported(machine)
	}
	return false
}

var ours = regexp.MustCompile(`_gen(?:_test)?\.go$|_edges_gen\.txt$`)

var model = regexp.MustCompile(`^(?:MC)?([A-Za-z0-9]+?)(?:Edges|Trace)?(?:_\w+)?\.(?:tla|cfg)$`)
