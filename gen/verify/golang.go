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
	"time"

	"github.com/interlock-go/interlock/gen/equal"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/mbt/edges"
	"github.com/interlock-go/interlock/spec"
)

// CompareGo compares the graphs that the generated Go reaches with the
// table's, for every model: it runs the generated test of the package below
// root, which explores the real code, and holds the sums of its edges against
// those of the interpreted table. ok is false if nothing was generated there.
func CompareGo(ctx context.Context, t *spec.Table, root string) (legs []Leg, ok bool, err error) {
	pkg := filepath.Join(root, "fsm", t.Name)
	if _, err := os.Stat(filepath.Join(pkg, t.Name+"_gen_test.go")); errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	dir, err := os.MkdirTemp("", "interlock-edges-")
	if err != nil {
		return nil, true, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	start := time.Now()
	failed := goTest(ctx, pkg, dir)
	for _, m := range t.Models {
		l := Leg{Model: m, With: "Go"}
		l.Counts, l.Err = sums(ctx, t, m, dir)
		if l.Err != nil && failed != nil {
			l.Err = failed // it says where the graphs part
		}
		l.Elapsed = time.Since(start)
		legs = append(legs, l)
	}
	return legs, true, nil
}

func goTest(ctx context.Context, pkg, dir string) error {
	cmd := exec.CommandContext(ctx, "go", "test", "-count=1", "-run", "^TestGraph$", ".")
	cmd.Dir = pkg
	cmd.Env = append(os.Environ(), edges.Env+"="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("go test in %s: %w\n%s", pkg, err, bytes.TrimSpace(out))
	}
	return nil
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
