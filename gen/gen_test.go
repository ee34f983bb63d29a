package gen_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen"
	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/spec"
)

const module = "github.com/interlock-go/interlock"

// TestSame generates everything many times: the bytes must not differ.
func TestSame(t *testing.T) {
	paths, err := filepath.Glob("../spec/*.yaml")
	require.NoError(t, err)
	for _, path := range paths {
		for _, b := range gen.Backends {
			runs := 20
			if b.Name == "edges" {
				runs = 2 // each searches all models, and has thousands of lines to get out of order
			}
			var first []file.File
			for i := range runs {
				table, err := spec.Load(path)
				require.NoError(t, err)
				files, err := b.Files(module, table)
				require.NoError(t, err)
				if i == 0 {
					first = files
					continue
				}
				require.Len(t, files, len(first))
				for j, f := range files {
					require.Equal(t, first[j].Path, f.Path)
					require.True(t, bytes.Equal(first[j].Data, f.Data), "%s differs in run %d", f.Path, i)
				}
			}
		}
	}
}

// mayImport says which packages of this module each one may reach, test files
// aside: docs/architecture.md draws it. A package that isn't listed fails.
var mayImport = []struct {
	pkg string // or a folder with everything below it, "gen/..."
	may string // of this module, space-separated; the same forms
}{
	{"spec/diag", ""},
	{"spec/expr", "spec/diag"},
	{"spec/expr/celtest", "spec spec/..."},
	{"spec/schema", ""},
	{"spec", "spec/diag spec/expr"},
	{"fsm", ""},
	{"fsm/explore", "fsm"},
	{"fsm/*/looplab", "fsm"},
	{"fsm/*", "fsm"},
	{"tla", ""},
	{"lanes/...", "fsm fsm/* lanes lanes/..."},
	{"lanes", "fsm fsm/*"},
	{"gen/file", ""},
	{"gen/names", "spec spec/..."},
	{"gen/pinned", ""},
	{"gen/interlock", "gen/cli spec spec/... fsm fsm/explore tla gen gen/..."},
	{"gen/compare/record", ""},
	{"gen/compare/...", "spec spec/... fsm fsm/explore tla gen gen/..."},
	{"gen/compare", "spec spec/... fsm fsm/explore tla gen gen/..."},
	{"gen/cli", "spec spec/... fsm fsm/explore tla gen gen/..."},
	{"gen/check", "spec spec/... fsm fsm/explore tla gen gen/..."},
	{"gen/...", "spec spec/... fsm fsm/explore tla gen/..."},
	{"gen", "spec spec/... fsm fsm/explore gen/..."},
}

// TestImports holds the packages' imports against mayImport. Only lanes and
// fsm matter to people who import them: these reach no generator, no YAML, no
// CEL, and nothing outside the standard library.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Deps \" \"}}", module+"/...").Output()
	require.NoError(t, err)
	require.NotEmpty(t, out)
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		pkg := strings.TrimPrefix(words[0], module+"/")
		may, known := allowed(pkg)
		if !known {
			t.Errorf("no rule says what %s may import", pkg)
			continue
		}
		for _, dep := range words[1:] {
			own, ours := strings.CutPrefix(dep, module+"/")
			switch {
			case ours && !matches(own, may):
				t.Errorf("%s reaches %s", pkg, own)
			case !ours && lean(pkg) && strings.Contains(strings.Split(dep, "/")[0], "."):
				t.Errorf("%s reaches %s, which is outside the standard library", pkg, dep)
			}
		}
	}
}

// lean reports whether a package is for people who import no generator.
func lean(pkg string) bool {
	if strings.HasSuffix(pkg, "/looplab") || strings.HasPrefix(pkg, "lanes/lanestest") {
		return false
	}
	return strings.HasPrefix(pkg, "fsm") || strings.HasPrefix(pkg, "lanes") || pkg == "tla"
}

func allowed(pkg string) (may string, known bool) {
	for _, r := range mayImport {
		if matches(pkg, r.pkg) {
			return r.may, true
		}
	}
	return "", false
}

// matches reports whether a package is one of a list of packages and folders.
func matches(pkg, list string) bool {
	for _, p := range strings.Fields(list) {
		if below, ok := strings.CutSuffix(p, "/..."); ok && strings.HasPrefix(pkg, below+"/") {
			return true
		}
		if ok, err := filepath.Match(p, pkg); err == nil && ok {
			return true
		}
	}
	return false
}

// TestOnlyExprImportsCEL looks at direct imports: CEL is parser and first
// checker of expressions, and nothing else sees it.
func TestOnlyExprImportsCEL(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", module+"/...").Output()
	require.NoError(t, err)
	require.NotEmpty(t, out)
	for line := range strings.Lines(string(out)) {
		pkg, imports, _ := strings.Cut(strings.TrimPrefix(line, module+"/"), " ")
		if strings.Contains(imports, "cel.dev/") && pkg != "spec/expr" && pkg != "spec/expr/celtest" {
			t.Errorf("%s imports CEL", pkg)
		}
	}
}

// TestMakeNeedsNoGit: make test must do in an unpacked archive, where git knows
// nothing. (The tests themselves are run so that they find no repository: see
// unit.)
func TestMakeNeedsNoGit(t *testing.T) {
	text, err := os.ReadFile("../Makefile")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if recipe, ok := strings.CutPrefix(line, "\t"); ok {
			require.NotRegexp(t, `\bgit\b`, recipe)
		}
	}
	require.Contains(t, string(text), "unit: export GIT_CEILING_DIRECTORIES = $(CURDIR)")
}
