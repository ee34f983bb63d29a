package spec

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/interlock-go/interlock/spec/diag"
)

// Example is a table with a fault, as a test keeps it.
type Example struct {
	Code      diag.Code
	Says      string // what the example is, in a sentence
	Table     []byte // its source; nil: there is no file of that name
	Complaint []byte // what is said of it, for people; its file is table.yaml
	Repaired  []byte // the source without the fault
}

//go:embed testdata/bad/*.txtar
var badCases embed.FS

// ExampleOf returns the example of a code: of the cases named after it the one
// that has a repair. An error is one of this package's own files, and a test
// sees that there is none.
func ExampleOf(code diag.Code) (Example, error) {
	paths, err := fs.Glob(badCases, "testdata/bad/"+string(code)+"_*.txtar")
	if err != nil {
		return Example{}, err
	}
	for _, path := range paths {
		data, err := fs.ReadFile(badCases, path)
		if err != nil {
			return Example{}, err
		}
		ex := parseExample(code, txtar.Parse(data))
		if ex.Repaired != nil {
			return ex, nil
		}
	}
	return Example{}, fmt.Errorf("the code %s has no example", code)
}

func parseExample(code diag.Code, ar *txtar.Archive) Example {
	ex := Example{Code: code, Says: strings.TrimSpace(string(ar.Comment))}
	for _, f := range ar.Files {
		switch f.Name {
		case "table.yaml":
			ex.Table = f.Data
		case "want":
			ex.Complaint = f.Data
		case "repaired.yaml":
			ex.Repaired = f.Data
		}
	}
	return ex
}
