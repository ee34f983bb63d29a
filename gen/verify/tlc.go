package verify

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/tla"
)

// TLCTimeout bounds one run of TLC.
const TLCTimeout = 10 * time.Minute

// Proof is one run of TLC with what came of it.
type Proof struct {
	tlaplus.Run
	Result *tla.Result
	Err    error  // no verdict
	Wrong  string // how the verdict isn't the expected one; empty: it is
}

// OK reports whether TLC's verdict is the expected one.
func (p *Proof) OK() bool { return p.Err == nil && p.Wrong == "" }

var kinds = map[tlaplus.Kind]tla.Kind{
	tlaplus.NoError: tla.OK, tlaplus.Invariant: tla.Invariant,
	tlaplus.ActionProperty: tla.ActionProperty, tlaplus.Liveness: tla.TemporalProperty,
}

// Prove runs TLC on each of the runs, side by side, and holds its verdicts
// against the expected ones, by kind and name. done is called with each as it
// ends, one at a time.
func Prove(ctx context.Context, runs []tlaplus.Run, done func(*Proof)) []*Proof {
	var configs []tla.Config
	for _, r := range runs {
		configs = append(configs, config(r))
	}
	var proofs []*Proof
	for i, o := range tla.RunAll(ctx, runtime.GOMAXPROCS(0), configs) {
		p := judge(runs[i], o)
		if done != nil {
			done(p)
		}
		proofs = append(proofs, p)
	}
	return proofs
}

// config returns what package tla needs for a run. One worker: with more, the
// pinned TLC misses violations of liveness, and lines come out of order.
func config(r tlaplus.Run) tla.Config {
	files := map[string][]byte{r.CfgName: r.Cfg}
	for _, f := range r.Files {
		files[f.Path] = f.Data
	}
	return tla.Config{
		Files: files, Module: r.Module, Cfg: r.CfgName, Workers: 1, HeapMB: 3072, Timeout: TLCTimeout,
		Coverage: r.Coverage,
		Short:    r.Short,
	}
}

func judge(r tlaplus.Run, o tla.Outcome) *Proof {
	p := &Proof{Run: r, Result: o.Result, Err: o.Err}
	if o.Err != nil {
		return p
	}
	v := o.Result.Verdict
	switch {
	case v.Kind.Failed():
		p.Err = fmt.Errorf("TLC: %s", v)
	case v.Kind != kinds[r.Expect.Kind] || v.Name != r.Expect.Name:
		p.Wrong = fmt.Sprintf("%s; expected: %s", v, r.Expect)
	}
	return p
}

// Property returns the property of t that the run's verdict speaks of, or nil.
func (p *Proof) Property(t *spec.Table) *spec.Property {
	if p.Result == nil {
		return nil
	}
	return tlaplus.PropertyOf(t, p.Result.Verdict.Name)
}
