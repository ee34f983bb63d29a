package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/interlock-go/interlock/gen/check"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/report"
	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

func newCheck() *cobra.Command {
	format, up := report.Formats[0], true
	cmd := &cobra.Command{
		Use:   "check [--format FORMAT] [TABLE...]",
		Short: "Decide every cell, explore every model, judge every property",
		Long: `check reads the tables and explores each of their models, without a JVM. A
property that doesn't hold is shown with a shortest counterexample in the
table's words, and what is of no use in a table is told: names, conditions, rows,
states, variables that never change, properties that nothing could break. A
rejected design (fails:) is fine if the property that it names fails.

Each model is explored one size up, too, unless that has more than 200,000 edges:
what holds must hold there. A row that decides something only there is told with
those that decide nothing. What isn't compared is printed.

Every complaint has a code, which "interlock explain CODE" shows an example of.
With --format json, sarif or github, standard output has the complaints alone: a
JSON document, a SARIF 2.1.0 log, or GitHub's workflow commands.`,
		Example: "  interlock check\n  interlock check spec/lane.yaml spec/rejected/stop_frees.yaml\n  interlock check --format sarif > interlock.sarif",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := report.Known(format); err != nil {
				return err
			}
			if format == report.Formats[0] {
				return checkForPeople(cmd, args, up)
			}
			found, err := checkAll(cmd.Context(), args, up)
			if err != nil && !errors.Is(err, errFindings) && !errors.Is(err, errBad) {
				return err // a document would say that there is nothing to say
			}
			return errors.Join(err, report.Write(cmd.OutOrStdout(), format, found, readSource))
		},
	}
	cmd.Flags().BoolVar(&up, "up", up, "explore each model one size up, too: what holds must hold there")
	cmd.Flags().StringVar(&format, "format", format, "how complaints are printed: "+strings.Join(report.Formats, ", "))
	return cmd
}

// checkAll checks the tables and returns all complaints. The error is
// errFindings or errBad if there are any, and else what kept the command from
// telling.
func checkAll(ctx context.Context, args []string, up bool) (diag.List, error) {
	var all diag.List
	ts, err := tables(args, spec.Until(ctx))
	for _, t := range ts {
		if err != nil {
			break
		}
		var found diag.List
		watch := check.Watch{}
		if up {
			watch.OneUp = func(*verify.Search, []*verify.OneUp) {}
		}
		found, err = check.Run(ctx, t, watch)
		all = append(all, found...)
	}
	var list diag.List
	switch {
	case errors.As(err, &list):
		return append(all, list...), errBad
	case err == nil && len(all) > 0:
		err = errFindings
	}
	return all, err
}

func checkForPeople(cmd *cobra.Command, args []string, up bool) error {
	ts, err := tables(args, spec.Until(cmd.Context()))
	if err != nil {
		return err
	}
	fine := true
	for _, t := range ts {
		c := &checker{t: t, out: cmd.OutOrStdout()}
		c.counts()
		watch := check.Watch{Explore: exploring(cmd), Search: c.search, Weighed: c.weighed, Untold: c.untold, Control: c.control, Rejected: c.rejected, Others: c.others}
		if up {
			watch.OneUp, watch.OneUps = c.oneUp, oneUps(cmd)
		}
		found, err := check.Run(cmd.Context(), t, watch)
		if len(found) > 0 {
			fine = false
			c.printf("")
			if err := diag.Write(c.out, found, readSource); err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
	}
	if !fine {
		return errFindings
	}
	return nil
}

// checker prints what is found of one table, as it is found.
type checker struct {
	t   *spec.Table
	out io.Writer
}

func (c *checker) printf(format string, args ...any) { fmt.Fprintf(c.out, format+"\n", args...) }

func (c *checker) counts() {
	t := c.t
	checks, rows := 0, 0
	for _, e := range t.Events {
		checks, rows = checks+len(e.Checks), rows+len(e.Rows)
	}
	also := ""
	for _, p := range t.Parts {
		also += fmt.Sprintf(", %d states of %s", len(p.States), p.Name)
	}
	for _, s := range t.Tables {
		also += fmt.Sprintf(", %d rows of %s", len(s.Rows), s.Name)
	}
	c.printf("%s: %d states, %d events, %d checks, %d rows%s; %d cells, each decided once",
		t.Path, len(t.States), len(t.Events), checks, rows, also, len(t.Cells))
	if len(t.Models) == 0 {
		c.printf("  no models: nothing was explored")
	}
}

func (c *checker) search(s *verify.Search) {
	c.size(s)
}

// size prints how large a model is and how fast it was explored.
func (c *checker) size(s *verify.Search) {
	good := 0
	for _, r := range s.Report.Properties {
		if r.Verdict.OK() {
			good++
		}
	}
	rate := float64(s.Report.Edges) / max(s.Elapsed.Seconds(), 1e-6)
	c.printf("  %s: %s states, %s edges in %.2f s (%s edges/s); %d of %d properties and goals hold", s.Model.Name,
		thousands(s.Report.States), thousands(s.Report.Edges), s.Elapsed.Seconds(), thousands(int(rate/1000)*1000), good, len(s.Report.Properties))
}

// weighed says which claims hold only until something runs out.
func (c *checker) weighed(s *verify.Search) {
	for _, text := range s.RanOut() {
		c.printf("  %s: %s", s.Model.Name, text)
	}
}

func (c *checker) oneUp(s *verify.Search, ups []*verify.OneUp) {
	if len(ups) > 0 {
		c.printf("  %s, one size up: %s", s.Model.Name, verify.Told(c.t, ups))
	}
}

func (c *checker) untold(parts []interp.Part) {
	for _, p := range parts {
		c.printf("  %s: too many values to try whether any could break it (%d:%d)", p.Property.Name, p.Pos.Line, p.Pos.Col)
	}
}

func (c *checker) control(ctl verify.Control) {
	c.printf("  %s without %s: %s fails, as it must", ctl.Model.Name, ctl.Without.Name, ctl.Property.Name)
}

func (c *checker) rejected(s *verify.Search, r interp.Result) {
	c.printf("    rejected: %s fails, as it must", r.Name)
	for line := range strings.Lines(s.Machine.Explain(r)) {
		fmt.Fprint(c.out, "      ", line)
	}
}

func (c *checker) others(_ *verify.Search, names []string) {
	c.printf("    others that fail: %s", strings.Join(names, ", "))
}

// thousands writes n with commas.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
