package verify

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/spec"
)

// Pinned prints all that was found and must stay so: the numbers of each size,
// how often each row decides, each property's verdicts, and every run of TLC
// with its verdict and exit code. It is the same on every run, times and search
// depths left out. Without TLC ok is false: that isn't all.
func (r *Result) Pinned() (text []byte, ok bool) {
	if r.TLC == "" {
		return nil, false
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s: %d states, %d events, %d checks and rows, %d properties\n",
		r.Table.Name, len(r.Table.States), len(r.Table.Events), len(r.Table.Rows()), len(r.Table.Properties))
	aligned(&b, r.pinSizes)
	aligned(&b, r.pinUps)
	aligned(&b, r.pinRunOuts)
	aligned(&b, r.pinRows)
	aligned(&b, r.pinVerdicts)
	aligned(&b, r.pinControls)
	aligned(&b, r.pinRuns)
	return b.Bytes(), true
}

// aligned prints a table of columns after an empty line, without blanks at the
// ends of lines.
func aligned(b *bytes.Buffer, print func(func(...any))) {
	var table strings.Builder
	tw := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	lines := 0
	print(func(cells ...any) {
		lines++
		for i, c := range cells {
			if i > 0 {
				fmt.Fprint(tw, "\t")
			}
			fmt.Fprint(tw, c)
		}
		fmt.Fprintln(tw)
	})
	_ = tw.Flush() // to memory
	if lines < 2 {
		return
	}
	b.WriteByte('\n')
	for line := range strings.Lines(table.String()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
}

func (r *Result) pinSizes(line func(...any)) {
	line("model", "initial", "states", "edges", "moves", "same graph as")
	for _, s := range r.Searches {
		line(s.Model.Name, s.Report.Inits, s.Report.States, s.Report.Edges, s.Report.Moves, r.pinnedLegs(s))
	}
}

// pinnedLegs names the engines with the same graph. Of a graph beyond EdgesInFull it
// doesn't tell whether TLC printed it or counted: that hangs on an option.
func (r *Result) pinnedLegs(s *Search) string {
	text := r.legs(s.Model)
	if s.Report.Edges > EdgesInFull {
		text = strings.ReplaceAll(text, " (counted)", "")
		text = strings.ReplaceAll(text, "TLC", "TLC (counted at least)")
	}
	return text
}

func (r *Result) pinUps(line func(...any)) {
	line("one size up from", "with", "found")
	for _, u := range r.Ups {
		line(u.Of.Model.Name, u.Grown, u.told(r.Table))
	}
}

func (r *Result) pinRunOuts(line func(...any)) {
	line("counts on what runs out", "model", "what")
	for _, s := range r.Searches {
		for _, w := range s.Weighed {
			if len(w.RunOut.Of) > 0 {
				line(w.Property.Name, s.Model.Name, typeNames(w.RunOut.Of))
			}
		}
	}
}

func (r *Result) pinRows(line func(...any)) {
	head := []any{"decides, times"}
	for _, s := range r.Searches {
		head = append(head, s.Model.Name)
	}
	line(head...)
	for _, row := range r.Table.Rows() {
		cells := []any{row.Name()}
		for _, s := range r.Searches {
			cells = append(cells, s.Report.Fired[row.Index])
		}
		line(cells...)
	}
}

var propertyKinds = map[spec.PropertyKind]string{
	spec.Invariant: "invariant", spec.StepAlways: "of steps", spec.Isolated: "isolated",
	spec.Sometimes: "goals", spec.Eventually: "eventually", spec.Ends: "may end",
}

var verdicts = map[Verdict]string{NotTold: "not told", Holds: "holds", Fails: "FAILS"}

func (r *Result) pinVerdicts(line func(...any)) {
	line("property", "kind", "model", "explorer", "TLC", "named by")
	for _, p := range r.Table.Properties {
		for _, s := range r.Searches {
			if s.Explorer(p) == NotTold && r.Model(s.Model, p) == NotTold {
				continue
			}
			named := "NOTHING"
			for i, proof := range r.naming(s.Model, p) {
				if i == 0 {
					named = proof.CfgName
				}
			}
			if n := len(r.naming(s.Model, p)); n > 1 {
				named += fmt.Sprintf(" and %d more", n-1)
			}
			line(p.Name, propertyKinds[p.Kind], s.Model.Name, verdicts[s.Explorer(p)], verdicts[r.Model(s.Model, p)], named)
		}
	}
}

func (r *Result) pinControls(line func(...any)) {
	line("must fail for the explorer", "model", "without", "verdict")
	for _, c := range r.Controls {
		line(c.Property.Name, c.Model.Name, c.Without.Name, word(c.Verdict))
	}
	for _, s := range r.Searches {
		for _, p := range s.Model.Checks {
			if len(p.Fair) == 0 {
				continue
			}
			verdict := word(explore.Violated)
			if slices.ContainsFunc(s.Weighed, func(w Weighed) bool { return w.Property == p && w.Needless }) {
				verdict = "HOLDS"
			}
			line(p.Name, s.Model.Name, "its fairness", verdict)
		}
	}
}

func word(v explore.Verdict) string {
	if v == explore.Violated {
		return "fails"
	}
	return strings.ToUpper(v.String())
}

func (r *Result) pinRuns(line func(...any)) {
	line("run of TLC", "exit", "verdict", "expected")
	for _, p := range r.Proofs {
		line(p.CfgName, exit(p), said(p), cmp.Or(map[bool]string{true: "as expected"}[p.OK()], "NO: "+p.Expect.String()))
	}
}

func exit(p *Proof) any {
	if p.Result == nil {
		return "-"
	}
	return p.Result.ExitCode
}

func said(p *Proof) string {
	if p.Result == nil {
		return strings.Join(strings.Fields(p.Err.Error()), " ")
	}
	return p.Result.Verdict.String()
}

// Pinned prints by what a rejected design fails, and with which exit code of
// TLC. Without TLC ok is false: that isn't all.
func (r *Rejection) Pinned() (text []byte, ok bool) {
	if !r.WithTLC {
		return nil, false
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s must fail by %s\n", r.name(), r.Table.Fails)
	aligned(&b, func(line func(...any)) {
		line("property", "kind", "model", "explorer", "TLC", "exit", "verdict")
		for _, f := range slices.Concat(r.Named(), r.Others()) {
			verdict, code := "-", any("-")
			if f.TLC != nil {
				verdict, code = said(f.TLC), exit(f.TLC)
			}
			line(f.Property.Name, propertyKinds[f.Property.Kind], f.Model.Name, failed(f.Trace), failed(f.TLCTrace), code, verdict)
		}
	})
	return b.Bytes(), true
}

func failed(trace string) string {
	if trace == "" {
		return "holds"
	}
	return "fails"
}
