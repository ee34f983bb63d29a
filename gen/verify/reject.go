package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/tla"
)

// Rejection is what is wrong with a rejected design: each property is judged
// alone, and the one that the design names must fail.
type Rejection struct {
	Table    *spec.Table
	Failures []Failure
	WithTLC  bool
}

// Failure is a property that fails in a model.
type Failure struct {
	Model    *spec.Model
	Property *spec.Property
	Steps    int    // of the explorer's shortest counterexample; 0 with an empty Trace: it holds there
	Trace    string // in the table's words
	TLCSteps int    // of TLC's, the bad step included
	TLCTrace string // in the table's words; empty: TLC says that it holds, or was not asked
	TLC      *Proof // of the failure; nil: TLC says that it holds, or was not asked
}

// Reject judges a rejected design by the explorer, and by TLC if withTLC. An
// error means that nothing could be told.
func Reject(ctx context.Context, t *spec.Table, withTLC bool) (*Rejection, error) {
	r := &Rejection{Table: t, WithTLC: withTLC}
	for _, m := range t.Models {
		s, err := Explore(ctx, t, m, t.Properties)
		if err != nil {
			return nil, err
		}
		byTLC := map[*spec.Property]*Proof{}
		if withTLC {
			if byTLC, err = s.tlc(ctx, t); err != nil {
				return nil, err
			}
		}
		for _, p := range t.Properties {
			f := Failure{Model: m, Property: p}
			if err := f.explorer(s); err != nil {
				return nil, err
			}
			if err := f.tlc(t, byTLC[p]); err != nil {
				return nil, err
			}
			if f.Trace != "" || f.TLCTrace != "" {
				r.Failures = append(r.Failures, f)
			}
		}
	}
	return r, nil
}

// explorer takes the first result of the property that isn't as it claims.
func (f *Failure) explorer(s *Search) error {
	for _, res := range s.Report.Properties {
		if !IsOf(res.Name, f.Property) || res.Verdict.OK() {
			continue
		}
		if res.Verdict == explore.Error || res.Verdict == explore.Undecided {
			return fmt.Errorf("%s: %s: %w", s.Model.Name, res.Name, cmp.Or(res.Err, errors.New("undecided")))
		}
		if f.Trace == "" {
			f.Trace = s.Machine.Explain(res)
			if res.Path != nil {
				f.Steps = len(res.Path.Steps)
			}
		}
	}
	return nil
}

// tlc returns the properties that fail for TLC. It judges each by itself, but
// for those that hold for the explorer, if they hold for TLC together too: TLC
// ends at the first that fails, and a search for each takes long. A goal that the
// explorer reaches isn't asked for again: the way there is its proof.
func (s *Search) tlc(ctx context.Context, t *spec.Table) (map[*spec.Property]*Proof, error) {
	var holding, single []*spec.Property
	for _, p := range t.Properties {
		fails := slices.ContainsFunc(s.Failing(), func(r interp.Result) bool { return IsOf(r.Name, p) })
		switch {
		case fails:
			single = append(single, p)
		case p.Kind != spec.Sometimes:
			holding = append(holding, p)
		}
	}
	runs, err := tlaplus.Together(t, s.Model, holding)
	if err != nil {
		return nil, err
	}
	for _, p := range Prove(ctx, runs, nil) {
		if !p.OK() {
			single = append(single, p.Judges...)
		}
	}
	return alone(ctx, t, s.Model, single)
}

// alone runs TLC on each of these properties by itself and returns those that
// fail.
func alone(ctx context.Context, t *spec.Table, m *spec.Model, props []*spec.Property) (map[*spec.Property]*Proof, error) {
	var runs []tlaplus.Run
	for _, p := range props {
		rs, err := tlaplus.Alone(t, m, p)
		if err != nil {
			return nil, err
		}
		runs = append(runs, rs...)
	}
	failing := map[*spec.Property]*Proof{}
	for _, p := range Prove(ctx, runs, nil) {
		if p.Err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, p.Err)
		}
		// A goal that isn't reached is a failure; anything else fails if TLC
		// reports it.
		violated := p.Result.Verdict.Kind != tla.OK
		if violated == (p.Run.Property.Kind != spec.Sometimes) && failing[p.Run.Property] == nil {
			failing[p.Run.Property] = p
		}
	}
	return failing, nil
}

func (f *Failure) tlc(t *spec.Table, p *Proof) error {
	if p == nil {
		return nil
	}
	f.TLC, f.TLCTrace = p, "not reached\n"
	if len(p.Result.Trace.States) == 0 {
		return nil
	}
	text, err := Trace(t, p)
	if err != nil {
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	f.TLCTrace = text
	f.TLCSteps = steps(text)
	return nil
}

// steps counts the numbered lines of a trace.
func steps(trace string) int {
	n := 0
	for line := range strings.Lines(trace) {
		if strings.HasPrefix(line, fmt.Sprintf("%d. ", n+1)) {
			n++
		}
	}
	return n
}

// Named returns the failures of the property that the design must break.
func (r *Rejection) Named() []Failure {
	return slices.DeleteFunc(slices.Clone(r.Failures), func(f Failure) bool { return f.Property.Name != r.Table.Fails })
}

// Others returns the other failures.
func (r *Rejection) Others() []Failure {
	return slices.DeleteFunc(slices.Clone(r.Failures), func(f Failure) bool { return f.Property.Name == r.Table.Fails })
}

// OK reports whether the named property fails in the eyes of every authority
// that was asked, and explorer and TLC agree on all others.
func (r *Rejection) OK() bool {
	if len(r.Named()) == 0 {
		return false
	}
	return len(r.Disagreements()) == 0
}

// Disagreements says where explorer and TLC don't say the same.
func (r *Rejection) Disagreements() []string {
	var out []string
	for _, f := range r.Failures {
		if !r.WithTLC {
			continue
		}
		switch {
		case f.Trace == "":
			out = append(out, f.Property.Name+" fails for TLC, and holds for the explorer")
		case f.TLCTrace == "":
			out = append(out, f.Property.Name+" fails for the explorer, and holds for TLC")
		case f.Steps != f.TLCSteps && f.Property.Kind != spec.Eventually: // TLC's loops aren't the shortest
			out = append(out, fmt.Sprintf("%s: the explorer needs %d steps, TLC %d", f.Property.Name, f.Steps, f.TLCSteps))
		}
	}
	return out
}

// String prints the design's story, the named property's counterexample and
// the others that fail. It is the same on every run, and with TLC or without
// unless they disagree.
func (r *Rejection) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.Table.Path, r.Table.Doc)
	for _, f := range r.Named() {
		fmt.Fprintf(&b, "\n%s fails in model %s, as it must:\n%s", r.Table.Fails, f.Model.Name, cmp.Or(f.Trace, f.TLCTrace))
	}
	if len(r.Named()) == 0 {
		fmt.Fprintf(&b, "\nFINDING: %s holds, though this design is rejected for breaking it\n", r.Table.Fails)
	}
	var others []string
	for _, f := range r.Others() {
		others = append(others, fmt.Sprintf("%s (%s)", f.Property.Name, length(f)))
	}
	if len(others) > 0 {
		fmt.Fprintf(&b, "\nAlone, these fail too: %s.\n", strings.Join(others, ", "))
	}
	for _, d := range r.Disagreements() {
		fmt.Fprintf(&b, "\nFINDING: %s\n", d)
	}
	return b.String()
}

func length(f Failure) string {
	n := max(f.Steps, f.TLCSteps)
	switch {
	case f.Property.Kind == spec.Sometimes:
		return "a goal isn't reached"
	case f.Property.Kind == spec.Eventually:
		return "a behaviour without end"
	case n == 1:
		return "1 step"
	}
	return fmt.Sprintf("%d steps", n)
}

// name is the design's, which has its machine's in the table: its file's.
func (r *Rejection) name() string {
	return strings.TrimSuffix(filepath.Base(r.Table.Path), filepath.Ext(r.Table.Path))
}

// Rejections prints a line a design: by what it fails, in how many steps, and
// how TLC says so. What isn't as it must be comes below.
func Rejections(w io.Writer, all []*Rejection) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "rejected design\tfails by\tmodel\texplorer\tTLC\texit code")
	for _, r := range all {
		for _, f := range r.Named() {
			byTLC, code := "did not run", any("-")
			if f.TLC != nil {
				byTLC, code = said(f.TLC), exit(f.TLC)
			}
			fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\t%v\n", r.name(), f.Property.Name, f.Model.Name, length(f), byTLC, code)
		}
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	var b strings.Builder
	for _, r := range all {
		if len(r.Named()) == 0 {
			fmt.Fprintf(&b, "\nFINDING %s: %s holds, though this design is rejected for breaking it\n", r.name(), r.Table.Fails)
		}
		for _, d := range r.Disagreements() {
			fmt.Fprintf(&b, "\nFINDING %s: %s\n", r.name(), d)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
