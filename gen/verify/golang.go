package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/modfile"

	"github.com/interlock-go/interlock/gen/equal"
	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/golang"
	"github.com/interlock-go/interlock/gen/gotest"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/looplab"
	"github.com/interlock-go/interlock/gen/mbt/edges"
	"github.com/interlock-go/interlock/gen/overlay"
	"github.com/interlock-go/interlock/spec"
)

// GeneratedGo says which generated Go was compared.
type GeneratedGo struct {
	Unwritten bool   // what would be written, since nothing was
	Missing   string // why there is none; empty: there is
}

// CompareGo compares the graphs that the generated Go reaches with the
// table's, for every model: it runs the generated test of the package below
// root, which explores the real code, and holds the sums of its edges against
// those of the interpreted table. Where nothing was generated, that is done with
// what would be, if it can be built there: the module must know this project's
// packages.
func CompareGo(ctx context.Context, t *spec.Table, root string) (legs []Leg, g GeneratedGo, err error) {
	dir, err := os.MkdirTemp("", "interlock-edges-")
	if err != nil {
		return nil, g, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	start := time.Now()
	var failed error
	if pkg := filepath.Join(root, "fsm", t.Name); exists(filepath.Join(pkg, t.Name+"_gen_test.go")) {
		failed = goTest(ctx, pkg, dir, "go", "test", "-count=1", "-run", "^TestGraph$", ".")
	} else {
		g.Unwritten = true
		var test string
		if test, g.Missing, err = build(ctx, t, root, dir); g.Missing != "" || err != nil {
			return nil, g, err
		}
		failed = goTest(ctx, filepath.Dir(test), dir, test, "-test.run", "^TestGraph$")
	}
	for _, m := range t.Models {
		l := Leg{Model: m, With: "Go"}
		l.Counts, l.Err = sums(ctx, t, m, dir)
		if l.Err != nil && failed != nil {
			l.Err = failed // it says where the graphs part
		}
		l.Elapsed = time.Since(start)
		legs = append(legs, l)
	}
	return legs, g, nil
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func goTest(ctx context.Context, pkg, dir string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = pkg
	cmd.Env = append(os.Environ(), edges.Env+"="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("go test in %s: %w\n%s", pkg, err, bytes.TrimSpace(out))
	}
	return nil
}

// build builds the test that would be generated from t, in a folder below dir from
// which it finds its table, or says why it can't.
func build(ctx context.Context, t *spec.Table, root, dir string) (test, missing string, err error) {
	if root, err = filepath.Abs(root); err != nil {
		return "", "", err
	}
	files, source, err := unwritten(t, root)
	if err != nil {
		return "", err.Error(), nil
	}
	laid, err := overlay.Write(dir, root, files)
	if err != nil {
		return "", "", err
	}
	from := filepath.Join(dir, "fsm", t.Name)
	if err := os.MkdirAll(from, 0o700); err != nil {
		return "", "", err
	}
	first, _, _ := strings.Cut(source, "/")
	if err := os.Symlink(filepath.Join(root, first), filepath.Join(dir, first)); err != nil {
		return "", "", err
	}
	test = filepath.Join(from, t.Name+".test")
	// No vet: it would look for the folder.
	cmd := exec.CommandContext(ctx, "go", "test", "-vet=off", "-c", "-o", test, "-overlay", laid, "./fsm/"+t.Name)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Sprintf("%v\n%s", err, bytes.TrimSpace(out)), context.Cause(ctx)
	}
	return test, "", nil
}

// unwritten returns what would be generated from t in the module with that root, by
// path, and the path from there by which it reads t.
func unwritten(t *spec.Table, root string) (files map[string]string, source string, err error) {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, "", err
	}
	if source, err = gotest.Source(t.Path); err != nil {
		return nil, "", err
	}
	files = map[string]string{}
	for _, of := range []func(*spec.Table) ([]file.File, error){
		golang.Files, looplabOf, func(t *spec.Table) ([]file.File, error) { return gotest.In(modfile.ModulePath(mod), t) },
	} {
		list, err := of(t)
		if err != nil {
			return nil, "", err
		}
		for _, f := range list {
			files[f.Path] = string(f.Data)
		}
	}
	return files, source, nil
}

// looplabOf is the machine for looplab/fsm, if that can be given the table.
func looplabOf(t *spec.Table) ([]file.File, error) {
	if looplab.Check(t) != nil {
		return nil, nil
	}
	return looplab.Files(t)
}

// sums compares what the generated test wrote for a model.
func sums(ctx context.Context, t *spec.Table, m *spec.Model, dir string) (equal.Counts, error) {
	got, err := edges.Read(dir, t, m)
	if err != nil {
		return equal.Counts{}, err
	}
	machine, err := interp.New(t, m)
	if err != nil {
		return equal.Counts{}, err
	}
	want, err := edges.Summarize(ctx, machine)
	if err != nil {
		return equal.Counts{}, err
	}
	if got.Sum != want.Sum || got.Edges != want.Edges {
		return equal.Counts{}, fmt.Errorf("the generated Go reaches %d states by %d edges, the table %d by %d", got.States, got.Edges, want.States, want.Edges)
	}
	return equal.Counts{States: got.States, Edges: got.Edges, Moves: got.Moves}, nil
}
