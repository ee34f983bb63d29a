package verify

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/interlock-go/interlock/gen/equal"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/gen/trace"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/tla"
)

// Leg is one comparison of a model's graph with that of the interpreted table.
type Leg struct {
	Model   *spec.Model
	With    string // "Go", "TLC" or "reference"
	ByCount bool   // states, moves and rows that moved were counted; no edge was compared
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

// EdgesInFull is how many edges a graph may have for TLC to print them all
// unless it is told to: beyond, they are counted.
const EdgesInFull = 500_000

// Count compares what TLC counted in its search of a model, with coverage, with
// the explorer's counts: the states, and how often each row moved. What changes
// nothing is no step of that search.
func (s *Search) Count(p *Proof) Leg {
	l := Leg{Model: s.Model, With: "TLC", ByCount: true, Err: p.Err}
	if p.Err != nil {
		return l
	}
	if p.Result.Distinct != int64(s.Report.States) {
		l.Err = fmt.Errorf("TLC counts %d states, the explorer %d", p.Result.Distinct, s.Report.States)
		return l
	}
	for _, r := range s.Machine.Table().Rows() {
		if r.Outcome != spec.Move || r.Table != nil {
			continue
		}
		n, ok := p.Result.Coverage.Generated(names.Row(r))
		if !ok || n != int64(s.Report.Fired[r.Index]) {
			l.Err = fmt.Errorf("%s moves %d times for TLC, %d times for the explorer", r.Name(), n, s.Report.Fired[r.Index])
			return l
		}
	}
	l.Counts = equal.Counts{States: s.Report.States, Moves: s.Report.Moves}
	return l
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
// then what fails.
func Trace(t *spec.Table, p *Proof) (string, error) {
	c, err := Counterexample(t, p)
	if err != nil {
		return "", err
	}
	if c.Property == "" {
		return c.Machine.Trace(c.Path), nil
	}
	return c.Print(trace.Text, "")
}

// Counterexample returns TLC's as a path of the table. For a property of steps
// the bad step is the last one. Property is empty if the verdict speaks of none
// of the table's.
func Counterexample(t *spec.Table, p *Proof) (*trace.Counterexample, error) {
	machine, err := interp.New(t, p.Model)
	if err != nil {
		return nil, err
	}
	found := p.Result.Trace
	if len(found.States) == 0 {
		return nil, errors.New("TLC shows no behaviour") // as of a goal that it doesn't reach
	}
	path, err := equal.Path(machine, found)
	if err != nil {
		return nil, err
	}
	c := &trace.Counterexample{Machine: machine, Path: path, By: "TLC"}
	if found.Stuttering || found.BackTo > 0 {
		if err := endless(c, found); err != nil {
			return nil, err
		}
	}
	prop := p.Property(t)
	if prop == nil {
		return c, nil
	}
	c.Property = prop.Name
	if c.Endless != nil && prop.Kind == spec.Eventually {
		if c.Endless.Name, err = machine.Breaks(prop, c.Endless); err != nil {
			return nil, err
		}
	}
	if p.Result.Verdict.Kind == tla.Invariant && (prop.Kind == spec.StepAlways || prop.Kind == spec.Isolated) {
		c.Path, err = withBadStep(machine, path, prop)
	}
	return c, err
}

// endless takes the path of c apart into what leads to a loop, and the loop.
func endless(c *trace.Counterexample, found tla.Trace) error {
	c.Endless = &interp.Lasso{Path: c.Path}
	if found.Stuttering {
		return nil
	}
	at := found.BackTo - 1 // so many steps lead to the state that it goes back to
	if at < 0 || at > len(c.Path.Steps) {
		return fmt.Errorf("the counterexample goes back to state %d, and has %d", found.BackTo, len(found.States))
	}
	whole := c.Path
	c.Path = &interp.Path{Init: whole.Init, Steps: whole.Steps[:at:at]}
	step, err := equal.StepTo(c.Machine, whole.Last(), c.Path.Last(), found.BackAction)
	if err != nil {
		return err
	}
	if step == nil {
		return fmt.Errorf("the last step of the counterexample, %s, is none of the table's", found.BackAction)
	}
	c.Endless = &interp.Lasso{Path: c.Path, Loop: append(whole.Steps[at:len(whole.Steps):len(whole.Steps)], *step)}
	return nil
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
