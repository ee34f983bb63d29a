package verify

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/spec"
)

// Summary prints what was found: the sizes with their graphs, then each
// property with its verdicts and who gave them, then what fails.
func (r *Result) Summary(w io.Writer) error {
	var b strings.Builder
	t := r.Table
	fmt.Fprintf(&b, "%s: %d states, %d events, %d decisions\n\n", t.Name, len(t.States), len(t.Events), len(t.Rows()))
	if err := r.sizes(&b); err != nil {
		return err
	}
	b.WriteString(r.rows() + "\n")
	r.bounds(&b)
	if err := r.properties(&b); err != nil {
		return err
	}
	b.WriteString(r.authorities() + "\n")
	for _, f := range r.Findings() {
		b.WriteString("\nFINDING " + f)
		if !strings.HasSuffix(f, "\n") {
			b.WriteString("\n")
		}
	}
	fmt.Fprintf(&b, "\n%s: %s in %s\n", t.Name, r.conclusion(), r.Elapsed.Round(100*time.Millisecond))
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Result) conclusion() string {
	n := len(r.Findings())
	switch {
	case n == 1:
		return "1 finding"
	case n > 1:
		return fmt.Sprintf("%d findings", n)
	case r.NoTLC != nil:
		return "no findings, but TLC did not run"
	}
	return "no findings"
}

// sizes prints a line a model, with the legs of its graph.
func (r *Result) sizes(b *strings.Builder) error {
	tw := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "model\tstates\tedges\tmoves\trows fired\texplorer\tsame graph as")
	for _, s := range r.Searches {
		fired := 0
		for _, n := range s.Report.Fired {
			if n > 0 {
				fired++
			}
		}
		fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%d of %d\t%s\t%s\n", s.Model.Name, s.Report.States, s.Report.Edges, s.Report.Moves,
			fired, len(r.Table.Rows()), short(s.Elapsed), r.legs(s.Model))
	}
	return tw.Flush()
}

func short(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

// legs names the engines whose graph of a model is the same.
func (r *Result) legs(m *spec.Model) string {
	var out []string
	for _, l := range r.Legs {
		if l.Model != m {
			continue
		}
		word := l.With
		if l.ByCount {
			word += " (counted)"
		}
		if l.Err != nil {
			word = "NOT " + l.With
		}
		out = append(out, word)
	}
	if len(out) == 0 {
		return "-"
	}
	return strings.Join(out, ", ")
}

func (r *Result) rows() string {
	var never []string
	for _, row := range r.Table.Rows() {
		if row.Outcome == spec.Never {
			never = append(never, row.Name())
		}
	}
	line := "Every check and row decides something in some model"
	if n := len(Unfired(r.Table, r.Searches)); n > 0 {
		line = fmt.Sprintf("%d checks or rows decide nothing in any model", n)
	}
	if len(never) > 0 {
		line += "; never rows: " + strings.Join(never, ", ")
	}
	return line + "."
}

// bounds says what the models' sizes hide: claims that hold until something runs
// out, and what is otherwise one size up.
func (r *Result) bounds(b *strings.Builder) {
	for _, s := range r.Searches {
		for _, text := range s.RanOut() {
			fmt.Fprintf(b, "%s: %s.\n", s.Model.Name, text)
		}
		if ups := Of(r.Ups, s); len(ups) > 0 {
			fmt.Fprintf(b, "%s, one size up: %s.\n", s.Model.Name, Told(r.Table, ups))
		}
	}
	for _, p := range Untold(r.Searches) {
		fmt.Fprintf(b, "%s at %d:%d: too many values to try whether any could break it.\n", p.Property.Name, p.Pos.Line, p.Pos.Col)
	}
	b.WriteString("\n")
}

// properties prints a line a property.
func (r *Result) properties(b *strings.Builder) error {
	tw := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "property\texplorer\tTLC\tand without its assumption")
	for _, p := range r.Table.Properties {
		explorer := r.verdicts(func(s *Search) Verdict { return s.Explorer(p) })
		byTLC := r.verdicts(func(s *Search) Verdict { return r.Model(s.Model, p) })
		if r.TLC == "" {
			byTLC = "did not run"
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\n", p.Name, explorer, byTLC, r.controls(p))
	}
	return tw.Flush()
}

// verdicts joins the models in which one authority says the same.
func (r *Result) verdicts(of func(*Search) Verdict) string {
	var holds, fails []string
	for _, s := range r.Searches {
		switch of(s) {
		case Holds:
			holds = append(holds, s.Model.Name)
		case Fails:
			fails = append(fails, s.Model.Name)
		}
	}
	var parts []string
	if len(holds) > 0 {
		parts = append(parts, "holds ("+strings.Join(holds, ", ")+")")
	}
	if len(fails) > 0 {
		parts = append(parts, "FAILS ("+strings.Join(fails, ", ")+")")
	}
	if len(parts) == 0 {
		return "-"
	}
	return strings.Join(parts, ", ")
}

// controls says in whose eyes p fails where an assumption, or its fairness, is
// dropped.
func (r *Result) controls(p *spec.Property) string {
	var out []string
	for _, a := range p.Given {
		var who []string
		for _, c := range r.Controls {
			if c.Property == p && c.Without == a && c.Verdict == explore.Violated {
				who = append(who, "explorer")
			}
		}
		for _, proof := range r.Proofs {
			if proof.Run.Property == p && proof.Without == a && proof.OK() {
				who = append(who, "TLC")
			}
		}
		if len(who) > 0 {
			out = append(out, "fails without "+a.Name+" ("+strings.Join(slices.Compact(who), ", ")+")")
		}
	}
	if len(p.Fair) > 0 {
		who := "explorer"
		if slices.ContainsFunc(r.Proofs, func(proof *Proof) bool { return proof.Run.Property == p && proof.Unfair && proof.OK() }) {
			who += ", TLC"
		}
		out = append(out, "fails without its fairness ("+who+")")
	}
	return strings.Join(out, ", ")
}

func (r *Result) authorities() string {
	parts := []string{"\nexplorer: " + fmt.Sprintf("%d models, %d controls", len(r.Searches), len(r.Controls))}
	if r.TLC != "" {
		parts = append(parts, fmt.Sprintf("TLC %s: %d runs", r.TLC, len(r.Proofs)))
	} else {
		parts = append(parts, fmt.Sprintf("TLC did NOT run: %v", r.NoTLC))
	}
	if r.Go.Unwritten && r.Go.Missing == "" {
		parts = append(parts, "no Go was written for this table: what gen would write was compared")
	}
	if r.TLC != "" && !slices.ContainsFunc(r.Legs, func(l Leg) bool { return l.With == "reference" }) {
		parts = append(parts, "no reference model was written by hand for this table")
	}
	return strings.Join(parts, "\n")
}
