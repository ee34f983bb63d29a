package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/tla"
)

// Result is all that was found out about a table.
type Result struct {
	Table    *spec.Table
	Searches []*Search // a model each
	Ups      []*OneUp  // the models one size up
	Controls []ControlResult
	TLC      string // which one ran; empty: none
	NoTLC    error  // why none ran
	Proofs   []*Proof
	Legs     []Leg
	Go       GeneratedGo // what was compared
	Elapsed  time.Duration

	call string // how this program is called
}

// ControlResult is what the explorer says of a control.
type ControlResult struct {
	Control
	Verdict explore.Verdict
}

// Options say where things are.
type Options struct {
	Root   string       // of the module that the table's outputs are in
	Notice func(string) // is told what begins and ends; may be nil
	Call   string       // how this program is called, for what is told to people; empty: interlock
	Full   bool         // compare TLC's graphs edge by edge however large they are
}

// Run puts a table before every authority. What they find is in the result; an
// error means that nothing could be told, or that ctx ended.
func Run(ctx context.Context, t *spec.Table, o Options) (*Result, error) {
	start := time.Now()
	notice := o.Notice
	if notice == nil {
		notice = func(string) {}
	}
	r := &Result{Table: t, call: cmp.Or(o.Call, "interlock")}
	// The generated Go's graphs take one processor. What else there is leaves one idle
	// now and then.
	var inGo []Leg
	g, within := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		inGo, r.Go, err = CompareGo(within, t, o.Root)
		return err
	})
	g.Go(func() error {
		if err := r.explore(within, notice); err != nil {
			return err
		}
		if _, r.NoTLC = tla.Available(within); r.NoTLC != nil {
			return nil
		}
		return r.tlc(within, o, notice)
	})
	if err := g.Wait(); err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return nil, cause
		}
		return nil, err
	}
	r.Legs = append(inGo, r.Legs...)
	r.Elapsed = time.Since(start)
	return r, context.Cause(ctx)
}

func (r *Result) explore(ctx context.Context, notice func(string)) error {
	for _, m := range r.Table.Models {
		notice("exploring " + m.Name)
		s, err := Explore(ctx, r.Table, m, m.Checks)
		if err != nil {
			return err
		}
		r.Searches = append(r.Searches, s)
		if err := s.Weigh(ctx); err != nil {
			return err
		}
	}
	notice("one size up")
	var err error
	if r.Ups, err = OneUps(ctx, r.Table, r.Searches); err != nil {
		return err
	}
	for _, c := range Controls(r.Table) {
		s, err := Explore(ctx, r.Table, c.Weakened(), []*spec.Property{c.Property})
		if err != nil {
			return err
		}
		if len(s.Report.Properties) > 0 {
			r.Controls = append(r.Controls, ControlResult{c, s.Report.Properties[0].Verdict})
		}
	}
	return nil
}

func (r *Result) tlc(ctx context.Context, o Options, notice func(string)) error {
	runs, err := tlaplus.Runs(r.Table)
	if err != nil {
		return err
	}
	large := map[*spec.Model]*Search{}
	for _, s := range r.Searches {
		if s.Report.Edges > EdgesInFull && !o.Full {
			large[s.Model] = s
		}
	}
	runs = slices.DeleteFunc(runs, func(run tlaplus.Run) bool { return run.Again && large[run.Model] != nil })
	for i := range runs {
		runs[i].Coverage = runs[i].Safety
	}
	notice(fmt.Sprintf("%d runs of TLC", len(runs)))
	r.Proofs = Prove(ctx, runs, nil)
	for _, p := range r.Proofs {
		if p.Result != nil {
			r.TLC = p.Result.Version
		}
	}
	for _, p := range r.Proofs {
		if p.Safety && large[p.Model] != nil {
			r.Legs = append(r.Legs, large[p.Model].Count(p))
		}
	}
	notice("TLC's edges, and those of the references")
	r.Legs = append(r.Legs, r.compared(ctx, o, func(m *spec.Model) bool { return large[m] == nil })...)
	return context.Cause(ctx)
}

// compared returns the comparisons with what TLC prints, as many at a time as
// there are processors, in the order of the models.
func (r *Result) compared(ctx context.Context, o Options, whole func(*spec.Model) bool) []Leg {
	legs := make([][]Leg, len(r.Table.Models))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, m := range r.Table.Models {
		g.Go(func() error {
			if whole(m) {
				legs[i] = append(legs[i], CompareTLC(ctx, r.Table, m))
			}
			// However large: a reference has no world, and so fewer edges.
			if l, ok := CompareReference(ctx, r.Table, m, filepath.Join(o.Root, "tla", "reference")); ok {
				legs[i] = append(legs[i], l)
			}
			return nil // what went wrong is in the legs
		})
	}
	_ = g.Wait()
	return slices.Concat(legs...)
}

// Verdict is what one authority says of a property in one model.
type Verdict uint8

const (
	NotTold Verdict = iota // it wasn't asked, or can't tell
	Holds
	Fails
)

// Explorer returns the explorer's verdict on p in the model of s: that of its
// worst goal, for a property with several.
func (s *Search) Explorer(p *spec.Property) Verdict {
	v := NotTold
	if !slices.Contains(s.Model.Checks, p) {
		return v
	}
	for _, res := range s.Report.Properties {
		if !IsOf(res.Name, p) {
			continue
		}
		if !res.Verdict.OK() {
			return Fails
		}
		v = Holds
	}
	return v
}

// IsOf reports whether a result's name is that of p or of one of its goals,
// which are named "EveryOutcome{o=failed, stop=true}".
func IsOf(name string, p *spec.Property) bool {
	return name == p.Name || p.Kind == spec.Sometimes && len(name) > len(p.Name) && name[:len(p.Name)+1] == p.Name+"{"
}

// Model returns TLC's verdict on p in a model: all runs of the size must end as
// expected, and each goal must be reached.
func (r *Result) Model(m *spec.Model, p *spec.Property) Verdict {
	v := NotTold
	if !slices.Contains(m.Checks, p) {
		return v
	}
	for _, proof := range r.Proofs {
		if proof.Run.Model != m || proof.Without != nil || proof.Unfair {
			continue
		}
		mine := proof.Run.Property == nil && p.Kind != spec.Sometimes || proof.Run.Property == p && p.Kind == spec.Sometimes
		switch {
		case !mine:
		case proof.OK():
			v = Holds
		case proof.Run.Property == p || proof.Property(r.Table) == p:
			return Fails
		default:
			return NotTold
		}
	}
	return v
}

// Findings says everything that isn't as the table claims, a text each.
func (r *Result) Findings() []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for _, w := range r.Table.Warnings {
		say("%s", w.Error())
	}
	for _, s := range r.Searches {
		for _, res := range s.Failing() {
			say("%s: %s: %s\n%s", s.Model.Name, res.Name, res.Verdict, s.Machine.Explain(res))
		}
	}
	for _, c := range r.Controls {
		if c.Verdict != explore.Violated {
			say("%s without %s: %s %s, so that the assumption says nothing", c.Control.Model.Name, c.Without.Name, c.Control.Property.Name, c.Verdict)
		}
	}
	for _, d := range Gate(r.Table, r.Searches, r.Ups) {
		say("%s", d.Error())
	}
	if r.Go.Missing != "" {
		say("no Go was generated from this table, so none was compared; run %s gen (and in memory there is none either: %s)", r.call, r.Go.Missing)
	}
	for _, p := range r.Proofs {
		switch {
		case p.Err != nil:
			say("TLC, %s: %v", p.Name, p.Err)
		case p.Wrong != "":
			say("TLC, %s: %s\n%s", p.Name, p.Wrong, r.told(p))
		}
	}
	for _, s := range r.Unnamed() {
		say("%s", s)
	}
	for _, l := range r.Legs {
		if l.Err != nil {
			say("%s: the graph isn't %s's: %v", l.Model.Name, l.With, l.Err)
		}
	}
	return out
}

// told is a counterexample in the table's words, or as TLC prints it where it
// isn't one of the table's behaviours.
func (r *Result) told(p *Proof) string {
	if len(p.Result.Trace.States) == 0 {
		return ""
	}
	text, err := Trace(r.Table, p)
	if err != nil {
		return errors.Join(err, errors.New(p.Result.Trace.String())).Error()
	}
	return text
}
