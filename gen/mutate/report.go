package mutate

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Report is all that was found of one table's mutants.
type Report struct {
	Table    *Table
	Verdicts []*Verdict
	Reasons  *Reasons
}

// Findings say which survivors have no reason, and which reasons aren't true or
// needed.
func (r *Report) Findings() []string { return r.Reasons.Findings(r.Table.Mutants, r.Verdicts) }

// Line is a mutant and what notices it, in a line that is the same on every run.
func (v *Verdict) Line() string {
	k := v.Kills
	if len(k.Vacuity) > 0 {
		k.Vacuity = []string{""} // what has become of no use is a long list
	}
	line := v.ID + ": " + strings.ReplaceAll(k.String(), "vacuity ", "vacuity")
	if v.Equal {
		line += "; its graph is equal"
	}
	return line
}

// Lines prints a line for each mutant.
func (r *Report) Lines(w io.Writer) error {
	for _, v := range r.Verdicts {
		if _, err := fmt.Fprintln(w, v.Line()); err != nil {
			return err
		}
	}
	return nil
}

// count is one line of the table of kills.
type count struct {
	name                                                       string
	mutants, properties, never, steps, vacuity, checker, tests int
	onlyChecker, onlyTests, onlyBoth, same, survivors          int
}

func (c *count) add(v *Verdict) {
	one := func(n *int, is bool) {
		if is {
			*n++
		}
	}
	one(&c.mutants, true)
	one(&c.properties, len(v.Properties) > 0)
	one(&c.never, len(v.Never) > 0)
	one(&c.steps, len(v.Steps) > 0)
	one(&c.vacuity, len(v.Vacuity) > 0)
	one(&c.checker, len(v.Checker) > 0)
	one(&c.tests, v.Tests != "")
	if v.Claims() {
		return
	}
	switch {
	case v.Any() && v.Equal:
		c.same++
	case len(v.Checker) > 0 && v.Tests != "":
		c.onlyBoth++
	case len(v.Checker) > 0:
		c.onlyChecker++
	case v.Tests != "":
		c.onlyTests++
	default:
		c.survivors++
	}
}

// Text prints the table of kills, what each property kills, and the mutants that
// need a look, each with the lines that it changes.
func (r *Report) Text(w io.Writer) error {
	fmt.Fprintf(w, "%s: %d mutants", r.Table.Path, len(r.Verdicts))
	if n := len(r.Table.Mutants); n > len(r.Verdicts) {
		fmt.Fprintf(w, " of %d", n)
	}
	fmt.Fprint(w, "\n\n")
	if err := r.counts(w); err != nil {
		return err
	}
	fmt.Fprint(w, "\nThe six groups are counted apart: one mutant may be noticed by several. The last five columns are mutants that no\n"+
		"property, never row, step or vacuity notices; \"same graph\" are those of them that the checker refuses, or whose rows have\n"+
		"other names, and that do what the table does: no property could notice.\n\n")
	if err := r.properties(w); err != nil {
		return err
	}
	for _, part := range []struct {
		title string
		is    func(*Verdict) bool
	}{
		{"Only the checker or the tests notice", func(v *Verdict) bool { return v.Any() && !v.Claims() && !v.Equal }},
		{"Only the checker or the tests notice, and the graph is that of the table", func(v *Verdict) bool { return v.Any() && !v.Claims() && v.Equal }},
		{"Nothing notices", func(v *Verdict) bool { return !v.Any() }},
	} {
		r.list(w, part.title, part.is)
	}
	for _, f := range r.Findings() {
		fmt.Fprintf(w, "FINDING: %s\n", f)
	}
	return nil
}

func (r *Report) counts(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "operator\tmutants\tproperties\tnever\tsteps\tvacuity\tchecker\ttests\tonly checker\tonly tests\tonly these two\tsame graph\tsurvivors")
	all := &count{name: "all"}
	var counts []*count
	for _, o := range Operators {
		c := &count{name: o.Name}
		for _, v := range r.Verdicts {
			if v.Operator == o.Name {
				c.add(v)
				all.add(v)
			}
		}
		if c.mutants > 0 {
			counts = append(counts, c)
		}
	}
	for _, c := range append(counts, all) {
		fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", c.name, c.mutants, c.properties, c.never, c.steps, c.vacuity,
			c.checker, c.tests, c.onlyChecker, c.onlyTests, c.onlyBoth, c.same, c.survivors)
	}
	return tw.Flush()
}

// Property is how many mutants a property kills, and how many of them no other
// property does.
type Property struct {
	Name  string `json:"name"`
	Kills int    `json:"kills"`
	Alone int    `json:"alone"`
}

// Properties counts the kills of each property, in the order of the table.
func (r *Report) Properties() []Property {
	var out []Property
	for _, p := range r.Table.Properties {
		n := Property{Name: p.Name}
		for _, v := range r.Verdicts {
			if slices.Contains(v.Properties, p.Name) {
				n.Kills++
				if len(v.Properties) == 1 {
					n.Alone++
				}
			}
		}
		out = append(out, n)
	}
	return out
}

func (r *Report) properties(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "property\tkills\talone")
	var idle []string
	for _, p := range r.Properties() {
		if p.Kills == 0 {
			idle = append(idle, p.Name)
			continue
		}
		fmt.Fprintf(tw, "%s\t%d\t%d\n", p.Name, p.Kills, p.Alone)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	if len(idle) > 0 {
		fmt.Fprintf(w, "kills nothing: %s\n", strings.Join(idle, ", "))
	}
	_, err := fmt.Fprintln(w)
	return err
}

func (r *Report) list(w io.Writer, title string, is func(*Verdict) bool) {
	first := true
	for _, v := range r.Verdicts {
		if !is(v) {
			continue
		}
		if first {
			fmt.Fprintf(w, "%s:\n", title)
			first = false
		}
		fmt.Fprintf(w, "  %s: %s\n", v.ID, v.Kills.String())
		if why := r.Reasons.For(v.ID); why != "" {
			equal := "its graph is NOT equal"
			if v.Equal {
				equal = "its graph is equal"
			}
			fmt.Fprintf(w, "    %s: %s\n", equal, why)
		}
		for _, l := range v.Was {
			fmt.Fprintf(w, "    %s:%d - %s\n", r.Table.Path, v.Mutant.Line, strings.TrimSpace(l))
		}
		for _, l := range v.Is {
			fmt.Fprintf(w, "    %s:%d + %s\n", r.Table.Path, v.Mutant.Line, strings.TrimSpace(l))
		}
	}
	if !first {
		fmt.Fprintln(w)
	}
}

// JSON prints one document for some tables.
func JSON(w io.Writer, reports []*Report) error {
	type mutant struct {
		ID       string   `json:"id"`
		Operator string   `json:"operator"`
		Line     int      `json:"line"`
		Was      []string `json:"was"`
		Is       []string `json:"is"`
		Killed   *Kills   `json:"killed"`
		Equal    bool     `json:"equal,omitempty"`
		Reason   string   `json:"reason,omitempty"`
	}
	type table struct {
		Path       string     `json:"table"`
		Hash       string     `json:"hash"`
		Mutants    []mutant   `json:"mutants"`
		Properties []Property `json:"properties"`
		Findings   []string   `json:"findings"`
	}
	out := []table{}
	for _, r := range reports {
		t := table{Path: r.Table.Path, Hash: r.Table.Hash, Mutants: []mutant{}, Properties: r.Properties(), Findings: append([]string{}, r.Findings()...)}
		for _, v := range r.Verdicts {
			t.Mutants = append(t.Mutants, mutant{v.ID, v.Operator, v.Mutant.Line, v.Was, v.Is, &v.Kills, v.Equal, r.Reasons.For(v.ID)})
		}
		out = append(out, t)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(map[string]any{"tables": out})
}
