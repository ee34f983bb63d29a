package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
)

// counts are TLC's two numbers: states, and how often one was generated, which
// is once for each initial state and once for each step.
type counts struct{ distinct, generated int64 }

func (c counts) String() string { return fmt.Sprintf("%d / %d", c.distinct, c.generated) }

// model is a published model: a table's model that stands for it, where it was
// published, and its numbers.
type model struct {
	table, name, source string
	counts              counts
	starts              int // how many of the states are initial
}

var line = regexp.MustCompile("^\\| \\[(\\w+)\\]\\(\\w+\\.yaml\\) \\| (\\w+) \\| `([^`]+)` \\| ([\\d,]+) \\| ([\\d,]+) \\| (\\d+) \\|$")

// published reads the models from the list in a Markdown file, a line each of
// table, model, source, distinct, generated and initial states.
func published(name string) ([]model, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var out []model
	for text := range strings.Lines(string(data)) {
		m := line.FindStringSubmatch(strings.TrimSpace(text))
		if m == nil {
			if strings.HasPrefix(text, "| [") {
				return nil, fmt.Errorf("%s: can't read %q", name, text)
			}
			continue
		}
		distinct, err1 := strconv.ParseInt(strings.ReplaceAll(m[4], ",", ""), 10, 64)
		generated, err2 := strconv.ParseInt(strings.ReplaceAll(m[5], ",", ""), 10, 64)
		starts, err3 := strconv.Atoi(m[6])
		if err := errors.Join(err1, err2, err3); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, model{m[1], m[2], m[3], counts{distinct, generated}, starts})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s lists no model", name)
	}
	return out, nil
}

// result is what explorer and TLC say of a model.
type result struct {
	model
	t        *spec.Table
	m        *spec.Model
	explored counts
	proved   counts   // zero: TLC wasn't asked
	wrong    []string // what isn't as the table claims, in words
	goals    []string // what was to be reached, with the length of the way
}

// explored explores a model and judges all its properties.
func explored(ctx context.Context, dir string, m model) (*result, error) {
	t, err := spec.Load(filepath.Join(dir, m.table+".yaml"))
	if err != nil {
		return nil, err
	}
	r := &result{model: m, t: t}
	for _, md := range t.Models {
		if md.Name == m.name {
			r.m = md
		}
	}
	if r.m == nil {
		return nil, fmt.Errorf("%s has no model %s", t.Path, m.name)
	}
	s, err := verify.Explore(ctx, t, r.m, r.m.Checks)
	if err != nil {
		return nil, err
	}
	r.explored = counts{int64(s.Report.States), int64(s.Report.Inits)}
	if s.Report.Inits != m.starts {
		r.wrong = append(r.wrong, fmt.Sprintf("explorer: it starts in %d states, not in %d", s.Report.Inits, m.starts))
	}
	for _, row := range t.Rows() {
		// TLC takes the steps of Next, of which those that change nothing by
		// their outcome aren't part.
		if row.Outcome == spec.Move && row.Event != nil {
			r.explored.generated += int64(s.Report.Fired[row.Index])
		}
	}
	for _, f := range s.Failing() {
		r.wrong = append(r.wrong, fmt.Sprintf("explorer: %s: %s\n%s", f.Name, f.Verdict, s.Machine.Explain(f)))
	}
	for _, p := range s.Report.Properties {
		if p.Verdict == explore.Reached {
			r.goals = append(r.goals, fmt.Sprintf("%s in %d states", p.Name, 1+len(p.Path.Steps)))
		}
	}
	return r, nil
}

// prove has TLC judge the model's properties on the generated modules.
func (r *result) prove(ctx context.Context) error {
	all, err := tlaplus.Runs(r.t)
	if err != nil {
		return err
	}
	var runs []tlaplus.Run
	for _, run := range all {
		if run.Model == r.m {
			runs = append(runs, run)
		}
	}
	for i, p := range verify.Prove(ctx, runs, nil) {
		switch {
		case p.Err != nil:
			return fmt.Errorf("%s: %s: %w", r.t.Path, p.Name, p.Err)
		case p.Wrong != "":
			r.wrong = append(r.wrong, fmt.Sprintf("TLC: %s: %s", p.Name, p.Wrong))
		case i == 0:
			r.proved = counts{p.Result.Distinct, p.Result.Generated}
		case p.Run.Property != nil && p.Run.Property.Kind == spec.Sometimes:
			r.goals = append(r.goals, fmt.Sprintf("TLC: %s in %d states", p.Run.Property.Name, len(p.Result.Trace.States)))
		}
	}
	return nil
}

// fine reports whether all numbers are the published ones, and all verdicts
// those that the table claims.
func (r *result) fine() bool {
	return len(r.wrong) == 0 && r.explored == r.counts && (r.proved == r.counts || r.proved == counts{})
}

// print prints a line for each result, then what isn't as it should be.
func print(w io.Writer, results []*result) (fine bool) {
	fine = true
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "table\tmodel\tpublished\tinitial\texplorer\tTLC\tsource")
	for _, r := range results {
		proved := "-"
		if r.proved != (counts{}) {
			proved = r.proved.String()
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%d\t%s\t%s\t%s\n", r.table, r.name, r.counts, r.starts, r.explored, proved, r.source)
	}
	tw.Flush()
	for _, r := range results {
		if len(r.goals) > 0 {
			fmt.Fprintf(w, "%s %s: %s\n", r.table, r.name, strings.Join(r.goals, "; "))
		}
		if r.fine() {
			continue
		}
		fine = false
		fmt.Fprintf(w, "FINDING: %s %s: explorer %s, TLC %s; wanted: %s\n", r.table, r.name, r.explored, r.proved, r.counts)
		for _, wrong := range r.wrong {
			fmt.Fprintln(w, "FINDING:", wrong)
		}
	}
	return fine
}
