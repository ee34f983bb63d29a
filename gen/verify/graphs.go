package verify

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/interlock-go/interlock/gen/equal"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/tla"
)

// Leg is one comparison of a model's graph with that of the interpreted table.
type Leg struct {
	Model   *spec.Model
	With    string // "Go", "TLC" or "reference"
	Counts  equal.Counts
	Err     error // they differ (an *equal.Difference), or it can't be told
	Elapsed time.Duration
}

// CompareTLC compares the graph that TLC finds with the table's, edge by edge.
func CompareTLC(ctx context.Context, t *spec.Table, m *spec.Model) Leg {
	return leg(m, "TLC", func(machine *interp.Machine) (equal.Counts, error) {
		run, err := tlaplus.Edges(t, m)
		if err != nil {
			return equal.Counts{}, err
		}
		return equal.Compare(ctx, t.Name, machine, equal.Printed("TLC", machine, equal.TLC(config(run))))
	}, t)
}

// CompareReference walks the table's graph and that of the model that was
// written by hand in dir, in lockstep. Its cfg is NAMEEdges_MODEL.cfg; ok is
// false if there is none for this model.
func CompareReference(ctx context.Context, t *spec.Table, m *spec.Model, dir string) (l Leg, ok bool) {
	module := names.Exported(t.Name) + "Edges"
	cfg := module + "_" + m.Name + ".cfg"
	if _, err := os.Stat(filepath.Join(dir, cfg)); errors.Is(err, fs.ErrNotExist) {
		return Leg{}, false
	}
	return leg(m, "reference", func(machine *interp.Machine) (equal.Counts, error) {
		ref, err := equal.ReadReference(ctx, equal.TLC(tla.Config{Dir: dir, Module: module, Cfg: cfg, Timeout: TLCTimeout}))
		if err != nil {
			return equal.Counts{}, err
		}
		return equal.Lockstep(ctx, machine, ref)
	}, t), true
}

func leg(m *spec.Model, with string, compare func(*interp.Machine) (equal.Counts, error), t *spec.Table) Leg {
	start := time.Now()
	l := Leg{Model: m, With: with}
	machine, err := interp.New(t, m)
	if err == nil {
		l.Counts, err = compare(machine)
	}
	l.Err, l.Elapsed = err, time.Since(start)
	return l
}

// Trace tells a counterexample of TLC in the table's words: numbered steps,
// then what fails. For a property of steps the bad step is the last one.
func Trace(t *spec.Table, p *Proof) (string, error) {
	machine, err := interp.New(t, p.Model)
	if err != nil {
		return "", err
	}
	path, err := equal.Path(machine, p.Result.Trace)
	if err != nil {
		return "", err
	}
	prop := p.Property(t)
	if prop == nil {
		return machine.Trace(path), nil
	}
	if p.Result.Verdict.Kind == tla.Invariant && prop.Kind == spec.StepAlways {
		if path, err = withBadStep(machine, path, prop); err != nil {
			return "", err
		}
	}
	return machine.Trace(path) + prop.Name + " fails\n", nil
}

// withBadStep adds the step that TLC's counterexample of a step property's
// invariant twin ends just before.
func withBadStep(machine *interp.Machine, path *interp.Path, prop *spec.Property) (*interp.Path, error) {
	judged, err := interp.Properties(machine, prop)
	if err != nil {
		return nil, err
	}
	return equal.WithBadStep(machine, path, judged[0])
}
