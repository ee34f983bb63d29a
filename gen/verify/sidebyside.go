package verify

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/interlock-go/interlock/spec"
)

// abreast is how many tables are printed side by side; more have a line each.
const abreast = 4

// SideBySide prints what is to be said of several tables in one place: one line a
// fact and one column a table, or the other way round where there are many.
func SideBySide(w io.Writer, results []*Result) error {
	facts := []struct {
		name string
		of   func(*Result) string
	}{
		{"", func(r *Result) string { return r.Table.Name }},
		{"control states", func(r *Result) string { return fmt.Sprint(len(r.Table.States)) }},
		{"events", func(r *Result) string { return fmt.Sprint(len(r.Table.Events)) }},
		{"checks and rows", func(r *Result) string {
			return fmt.Sprintf("%d, %d unfired", len(r.Table.Rows()), len(Unfired(r.Table, r.Searches)))
		}},
		{"sizes", func(r *Result) string { return fmt.Sprint(len(r.Searches)) }},
		{"largest graph", (*Result).largest},
		{"hold", (*Result).held},
		{"controls fail", (*Result).controlled},
		{"TLC as expected", (*Result).proved},
		{"same as Go", func(r *Result) string { return r.same("Go") }},
		{"as TLC", func(r *Result) string { return r.same("TLC") }},
		{"as reference", func(r *Result) string { return r.same("reference") }},
		{"findings", func(r *Result) string { return fmt.Sprint(len(r.Findings())) }},
		{"time", func(r *Result) string { return r.Elapsed.Round(100 * time.Millisecond).String() }},
	}
	var rows [][]string
	for _, f := range facts {
		row := []string{f.name}
		for _, r := range results {
			row = append(row, f.of(r))
		}
		rows = append(rows, row)
	}
	if len(results) > abreast {
		rows = transposed(rows)
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(tw, strings.Join(row, "\t"))
	}
	return tw.Flush()
}

func transposed(rows [][]string) [][]string {
	out := make([][]string, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			out[i] = append(out[i], cell)
		}
	}
	return out
}

func (r *Result) largest() string {
	if len(r.Searches) == 0 {
		return "-"
	}
	s := slices.MaxFunc(r.Searches, func(a, b *Search) int { return a.Report.Edges - b.Report.Edges })
	return fmt.Sprintf("%d states, %d edges", s.Report.States, s.Report.Edges)
}

// held counts the properties that hold in the eyes of whoever can tell, in each
// size whose job they are.
func (r *Result) held() string {
	n := 0
	for _, p := range r.Table.Properties {
		told, fails := false, false
		for _, s := range r.Searches {
			for _, v := range []Verdict{s.Explorer(p), r.Model(s.Model, p)} {
				told, fails = told || v != NotTold, fails || v == Fails
			}
		}
		if told && !fails {
			n++
		}
	}
	return fmt.Sprintf("%d of %d", n, len(r.Table.Properties))
}

func (r *Result) controlled() string {
	n, all := 0, 0
	for _, p := range r.Proofs {
		if p.Without == nil && !p.Unfair {
			continue
		}
		all++
		if p.OK() {
			n++
		}
	}
	if r.TLC == "" {
		return "TLC did not run"
	}
	return fmt.Sprintf("%d of %d", n, all)
}

func (r *Result) proved() string {
	if r.TLC == "" {
		return "did not run"
	}
	n := 0
	for _, p := range r.Proofs {
		if p.OK() {
			n++
		}
	}
	return fmt.Sprintf("%d of %d", n, len(r.Proofs))
}

// same counts the graphs that are the same as another engine's.
func (r *Result) same(with string) string {
	all, counted, models := 0, 0, map[*spec.Model]bool{}
	for _, l := range r.Legs {
		if l.With != with {
			continue
		}
		models[l.Model] = true
		switch {
		case l.Err != nil:
		case l.ByCount:
			counted++
		default:
			all++
		}
	}
	switch {
	case len(models) == 0:
		return "-"
	case counted > 0:
		return fmt.Sprintf("%d of %d, %d by counts", all, len(models), counted)
	}
	return fmt.Sprintf("%d of %d", all, len(models))
}
