// Package gen lists the back ends: pure functions from a checked table to
// files.
package gen

import (
	"fmt"

	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/golang"
	"github.com/interlock-go/interlock/gen/gotest"
	"github.com/interlock-go/interlock/gen/looplab"
	"github.com/interlock-go/interlock/gen/markdown"
	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/spec"
)

// Backend is one kind of output.
type Backend struct {
	Name  string
	Files func(*spec.Table) ([]file.File, error)
}

// Backends are all of them, in the order in which they run.
var Backends = []Backend{
	{"go", golang.Files},
	{"tests", gotest.Files},
	{"looplab", looplab.Files},
	{"tla", tlaplus.Files},
	{"docs", markdown.Files},
}

// Files returns every output of a table. Paths are relative to the module's
// root.
func Files(t *spec.Table) ([]file.File, error) {
	var all []file.File
	for _, b := range Backends {
		files, err := b.Files(t)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b.Name, err)
		}
		all = append(all, files...)
	}
	return all, nil
}
