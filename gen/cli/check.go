package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen"
	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
)

func newCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check [TABLE...]",
		Short: "Decide every cell, explore every model, judge every property",
		Long: `check reads the tables and explores each of their models, without a JVM. A
property that doesn't hold is shown with a shortest counterexample in the
table's words. A rejected design (fails:) is fine if the property that it names
fails.

What an explorer can't tell yet, properties of the form eventually, is left to
"interlock tlc".`,
		Example: "  interlock check\n  interlock check spec/lane.yaml spec/rejected/stop_frees.yaml",
		RunE: func(cmd *cobra.Command, args []string) error {
			ts, err := tables(args)
			if err != nil {
				return err
			}
			fine := true
			for _, t := range ts {
				c := &checker{t: t, out: cmd.OutOrStdout()}
				if err := c.run(cmd.Context()); err != nil {
					return err
				}
				fine = fine && c.findings == 0
			}
			if !fine {
				return errFindings
			}
			return nil
		},
	}
}

// checker checks one table and prints as it goes.
type checker struct {
	t        *spec.Table
	out      io.Writer
	findings int
}

func (c *checker) printf(format string, args ...any) { fmt.Fprintf(c.out, format+"\n", args...) }

func (c *checker) finding(format string, args ...any) {
	c.findings++
	c.printf(format, args...)
}

func (c *checker) run(ctx context.Context) error {
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
	if t.Fails != "" {
		return c.rejected(ctx)
	}
	if err := gen.Printable(t); err != nil {
		return fmt.Errorf("%s: %w", t.Path, err)
	}
	var searches []*verify.Search
	for _, m := range t.Models {
		s, err := verify.Explore(ctx, t, m, m.Checks)
		if err != nil {
			return err
		}
		searches = append(searches, s)
		c.search(s)
	}
	for _, ctl := range verify.Controls(t) {
		if err := c.control(ctx, ctl); err != nil {
			return err
		}
	}
	if len(searches) > 0 {
		for _, r := range verify.Unfired(t, searches) {
			c.finding("  %s: %s decides nothing in any model", r.Pos, r.Name())
		}
	}
	return nil
}

func (c *checker) search(s *verify.Search) {
	c.size(s)
	for _, p := range s.Unchecked {
		c.printf("    %s: left to TLC", p.Name)
	}
	for _, r := range s.Failing() {
		c.finding("    %s: %s", r.Name, r.Verdict)
		c.indent(s.Machine.Explain(r))
	}
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

// control explores a model without an assumption: the property must fail.
func (c *checker) control(ctx context.Context, ctl verify.Control) error {
	s, err := verify.Explore(ctx, c.t, ctl.Weakened(), []*spec.Property{ctl.Property})
	if err != nil || len(s.Report.Properties) == 0 {
		return err
	}
	r := s.Report.Properties[0]
	if r.Verdict == explore.Violated {
		c.printf("  %s without %s: %s fails, as it must", ctl.Model.Name, ctl.Without.Name, ctl.Property.Name)
		return nil
	}
	c.finding("  %s without %s: %s %s; the assumption says nothing", ctl.Model.Name, ctl.Without.Name, ctl.Property.Name, r.Verdict)
	return nil
}

// rejected explores a design that must fail.
func (c *checker) rejected(ctx context.Context) error {
	broken := false
	for _, m := range c.t.Models {
		s, err := verify.Explore(ctx, c.t, m, c.t.Properties)
		if err != nil {
			return err
		}
		c.size(s)
		var others []string
		for _, r := range s.Failing() {
			if r.Name != c.t.Fails {
				others = append(others, r.Name)
				continue
			}
			broken = true
			c.printf("    rejected: %s fails, as it must", r.Name)
			c.indent(s.Machine.Explain(r))
		}
		if len(others) > 0 {
			c.printf("    others that fail: %s", strings.Join(others, ", "))
		}
	}
	if !broken {
		c.finding("  %s holds, though this design is rejected for breaking it", c.t.Fails)
	}
	return nil
}

func (c *checker) indent(text string) {
	for line := range strings.Lines(text) {
		fmt.Fprint(c.out, "      ", line)
	}
}

// thousands writes n with commas.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
