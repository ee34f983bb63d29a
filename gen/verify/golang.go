package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	in := filepath.Join(root, "fsm", t.Name)
	var flags []string
	switch text, err := os.ReadFile(filepath.Join(in, t.Name+"_gen_test.go")); {
	case err == nil && !bytes.Contains(text, []byte("// Table: sha256:"+t.Hash+"\n")):
		for _, m := range t.Models {
			legs = append(legs, Leg{Model: m, With: "Go", Err: fmt.Errorf("%s was generated from another table, or from this one before it changed", in)})
		}
		return legs, g, nil
	case errors.Is(err, fs.ErrNotExist):
		g.Unwritten = true
		if in, flags, g.Missing, err = layOut(t, root, dir); g.Missing != "" || err != nil {
			return nil, g, err
		}
	case err != nil:
		return nil, g, err
	}
	test, failed := build(ctx, t, root, dir, flags...)
	switch {
	case failed == nil:
		failed = run(ctx, test, in, dir)
	case g.Unwritten:
		g.Missing = failed.Error()
		return nil, g, context.Cause(ctx)
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
	if failed != nil && !slices.ContainsFunc(legs, func(l Leg) bool { return l.Err != nil }) {
		for i := range legs {
			legs[i].Err = failed // the sums don't see what the test saw
		}
	}
	return legs, g, nil
}

// build builds the test of t's machine. It is run by itself, since go test, if it
// is killed, leaves the test running.
func build(ctx context.Context, t *spec.Table, root, dir string, flags ...string) (test string, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return "", err
	}
	test = filepath.Join(dir, t.Name+".test")
	// No vet: it would look for a folder that may not be there.
	args := append([]string{"test", "-vet=off", "-c", "-o", test}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, "./fsm/"+t.Name)...)
	cmd.Dir = root
	cmd.Env = append(cmd.Environ(), "GOTMPDIR="+dir) // where what it leaves if it is interrupted goes too
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go test -c ./fsm/%s in %s: %w\n%s", t.Name, root, err, bytes.TrimSpace(out))
	}
	return test, nil
}

// run has a test write the sums of its graphs to dir.
func run(ctx context.Context, test, in, dir string) error {
	cmd := exec.CommandContext(ctx, test, "-test.run", "^TestGraph$")
	cmd.Dir = in
	cmd.Env = append(os.Environ(), edges.Env+"="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("TestGraph in %s: %w\n%s", in, err, bytes.TrimSpace(out))
	}
	return nil
}

// layOut writes what would be generated from t to dir, and makes the folder in, from
// which its test finds t as it would from the package. It returns go's flags that lay
// the files over the module, or says why there are none.
func layOut(t *spec.Table, root, dir string) (in string, flags []string, missing string, err error) {
	if root, err = filepath.Abs(root); err != nil {
		return "", nil, "", err
	}
	files, from, err := unwritten(t, root)
	if err != nil {
		return "", nil, err.Error(), nil
	}
	laid, err := overlay.Write(dir, root, files)
	if err != nil {
		return "", nil, "", err
	}
	// A base may be in any folder beside or above the table.
	beside, err := os.ReadDir(from)
	if err != nil {
		return "", nil, "", err
	}
	tree, err := os.MkdirTemp(dir, "tree-")
	if err != nil {
		return "", nil, "", err
	}
	for _, e := range beside {
		if err := os.Symlink(filepath.Join(from, e.Name()), filepath.Join(tree, e.Name())); err != nil {
			return "", nil, "", err
		}
	}
	if in, err = os.MkdirTemp(tree, "fsm-"); err != nil {
		return "", nil, "", err
	}
	in = filepath.Join(in, t.Name)
	return in, []string{"-overlay", laid}, "", os.Mkdir(in, 0o700)
}

// unwritten returns what would be generated from t in the module with that root, by
// path, and the folder from which the test's path of t leads there. Both are the same
// from wherever this is called.
func unwritten(t *spec.Table, root string) (files map[string]string, from string, err error) {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, "", err
	}
	full, err := filepath.Abs(t.Path)
	if err != nil {
		return nil, "", err
	}
	there := *t
	if there.Path, err = filepath.Rel(root, full); err != nil {
		return nil, "", err
	}
	source, err := gotest.Source(there.Path)
	if err != nil {
		return nil, "", err
	}
	files = map[string]string{}
	for _, of := range []func(*spec.Table) ([]file.File, error){
		golang.Files, looplabOf, func(t *spec.Table) ([]file.File, error) { return gotest.In(modfile.ModulePath(mod), t) },
	} {
		list, err := of(&there)
		if err != nil {
			return nil, "", err
		}
		for _, f := range list {
			files[f.Path] = string(f.Data)
		}
	}
	return files, strings.TrimSuffix(full, filepath.FromSlash(source)), nil
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
