package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/gen/trace"
	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/tla"
)

// traceFlags are the flags of trace.
type traceFlags struct{ model, property, by, format string }

func newTrace() *cobra.Command {
	var f traceFlags
	cmd := &cobra.Command{
		Use:   "trace TABLE",
		Short: "Print the counterexamples of what doesn't hold, in a form of your choice",
		Long: `trace explores the table's models, or with --by tlc runs TLC on them, and prints
a counterexample to each property that fails, and nothing else:

  text     events, rows, what changed, and the part of the property that is false
  json     the same for programs
  mermaid  a sequence diagram
  go       a test of one property that fails while the generated code goes that way
  script   the machine's events, for interlock replay

A property that fails is a finding, but for the one that a rejected design
(fails:) is to break.`,
		Example: `  interlock trace spec/rejected/stop_frees.yaml
  interlock trace --format mermaid --property StopKeepsOccupancy spec/rejected/stop_frees.yaml
  interlock trace --format go door.yaml >fsm/door/found_test.go`,
		Args: takes(1, 1, "one table, such as spec/lane.yaml"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	cmd.Flags().StringVar(&f.model, "model", "", "only this model")
	cmd.Flags().StringVar(&f.property, "property", "", "only this property, or this never row")
	cmd.Flags().StringVar(&f.by, "by", "explorer", "explorer or tlc")
	cmd.Flags().StringVar(&f.format, "format", "text", "text, json, mermaid, go or script")
	return cmd
}

func (f *traceFlags) run(cmd *cobra.Command, table string) error {
	if err := trace.Form(f.format).Known(); err != nil {
		return err
	}
	t, err := oneTable(table)
	if err != nil {
		return err
	}
	m, err := modelNamed(t, f.model)
	if err != nil {
		return err
	}
	if err := propertyNamed(t, f.property); err != nil {
		return err
	}
	p := &tracer{t: t, cmd: cmd, only: m, property: f.property, form: trace.Form(f.format), out: cmd.OutOrStdout()}
	if p.form == trace.Go {
		root, err := moduleRoot(filepath.Dir(t.Path))
		if err != nil {
			return err
		}
		if p.module, err = modulePath(root); err != nil {
			return err
		}
	}
	switch f.by {
	case "explorer":
		err = p.explore()
	case "tlc":
		err = p.prove()
	default:
		err = fmt.Errorf("there is no authority %q; there are explorer, tlc", f.by)
	}
	if err == nil && p.findings > 0 {
		err = errFindings
	}
	return err
}

func propertyNamed(t *spec.Table, name string) error {
	var known []string
	for _, p := range t.Properties {
		if p.Name == name {
			return nil
		}
		known = append(known, p.Name)
	}
	for _, r := range t.Rows() {
		if r.Outcome == spec.Never && r.Name() == name {
			return nil
		}
	}
	if name == "" {
		return nil
	}
	return fmt.Errorf("%s has no property %s; it has %s", t.Path, name, strings.Join(known, ", "))
}

// tracer prints the counterexamples of one table.
type tracer struct {
	t        *spec.Table
	cmd      *cobra.Command
	only     *spec.Model // nil: all
	property string
	form     trace.Form
	module   string
	out      io.Writer
	findings int
	printed  string // the property whose counterexample was printed last
}

// models returns those to look at, each with its properties.
func (p *tracer) models() []*spec.Model {
	if p.only != nil {
		return []*spec.Model{p.only}
	}
	return p.t.Models
}

func (p *tracer) explore() error {
	for _, m := range p.models() {
		props := m.Checks
		if p.t.Fails != "" {
			props = p.t.Properties
		}
		s, err := exploring(p.cmd)(p.cmd.Context(), p.t, m, props)
		if err != nil {
			return err
		}
		for _, c := range s.Counterexamples() {
			if err := p.print(c); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *tracer) prove() error {
	ctx := p.cmd.Context()
	if _, err := tla.Available(ctx); err != nil {
		return err
	}
	for _, m := range p.models() {
		props := m.Checks
		if p.t.Fails != "" {
			props = p.t.Properties
		}
		var runs []tlaplus.Run
		for _, prop := range props {
			if prop.Kind == spec.Sometimes || p.property != "" && prop.Name != p.property {
				continue // a goal that isn't reached has no counterexample
			}
			rs, err := tlaplus.Alone(p.t, m, prop)
			if err != nil {
				return err
			}
			runs = append(runs, rs...)
		}
		shown := map[*spec.Property]bool{}
		for _, proof := range proved(p.cmd, p.t, runs) {
			if proof.Err != nil {
				return fmt.Errorf("%s: %w", proof.Name, proof.Err)
			}
			if len(proof.Result.Trace.States) == 0 || shown[proof.Run.Property] {
				continue
			}
			shown[proof.Run.Property] = true // both forms of a step property may fail
			c, err := verify.Counterexample(p.t, proof)
			if err != nil {
				return fmt.Errorf("%s: %w", proof.Name, err)
			}
			if err := p.print(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// print writes c, if it is of the property that is asked for.
func (p *tracer) print(c *trace.Counterexample) error {
	if p.property != "" && c.Property != p.property {
		return nil
	}
	if c.Property != p.t.Fails {
		p.findings++
	}
	if p.form == trace.Go && p.printed != "" { // a file has one package clause
		if c.Property == p.printed {
			return nil // in another model
		}
		return fmt.Errorf("%s and %s fail; name one of them by --property", p.printed, c.Property)
	}
	p.printed = c.Property
	text, err := c.Print(p.form, p.module)
	if err != nil {
		return err
	}
	_, err = io.WriteString(p.out, text)
	return err
}
