package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/interlock-go/interlock/gen/manifest"
	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/tla"
)

func newVerify() *cobra.Command {
	v := &verifier{}
	cmd := &cobra.Command{
		Use:   "verify [TABLE...]",
		Short: "Everything: explorer, TLC, and the graphs of all engines compared",
		Long: `verify explores the tables' models, runs TLC on the generated TLA+, and compares
the graphs of the interpreted table, of the generated Go and of TLC edge by
edge, refusals included, and with a hand-written reference model where there is
one in tla/reference. Where no Go was generated, what would be is compared, and
nothing written. It ends with a summary. A rejected design must fail by the
property that it names, for explorer and TLC.

A graph of more than 500,000 edges is not printed by TLC unless --full is given:
its states and how often each row moved are counted instead, and the summary
says so; properties of steps are then judged in one of their two forms.

A manifest pins what was found: states and edges of each size, how often each
row decides, each property's verdict, each run of TLC with its exit code. What
differs from it is a finding, also where it is no fault: then --update pins the
new state of affairs, for a reviewer to see.

Without Java and Maven TLC does not run, and the summary says so; with CI=true
in the environment that is a finding.`,
		Example: `  interlock verify
  interlock verify spec/lane.yaml
  interlock verify --manifest spec/manifest.txtar --update`,
		RunE: func(cmd *cobra.Command, args []string) error { return v.run(cmd, args) },
	}
	cmd.Flags().BoolVar(&v.full, "full", false, "have TLC print every graph, however large")
	cmd.Flags().StringVar(&v.manifest, "manifest", "", "compare what is found with what this file pins")
	cmd.Flags().BoolVar(&v.update, "update", false, "pin what is found in the manifest")
	return cmd
}

// verifier is one call of the command.
type verifier struct {
	full, update bool
	manifest     string

	cmd     *cobra.Command
	pins    *manifest.Manifest // nil: none was named
	results []*verify.Result
	finding bool
}

func (v *verifier) run(cmd *cobra.Command, args []string) error {
	v.cmd = cmd
	if v.update && v.manifest == "" {
		return fmt.Errorf("--update needs --manifest FILE")
	}
	ts, err := tables(args, spec.Until(cmd.Context()))
	if err != nil {
		return err
	}
	if v.manifest != "" {
		if v.pins, err = manifest.Read(v.manifest); err != nil {
			return err
		}
	}
	var designs []*spec.Table
	for _, t := range ts {
		if t.Fails != "" {
			designs = append(designs, t)
			continue
		}
		if err := v.machine(t); err != nil {
			return err
		}
	}
	if err := v.rejected(designs); err != nil {
		return err
	}
	if len(v.results) > 1 {
		fmt.Fprintln(cmd.OutOrStdout())
		if err := verify.SideBySide(cmd.OutOrStdout(), v.results); err != nil {
			return err
		}
	}
	if err := v.pinned(); err != nil {
		return err
	}
	if v.finding {
		return errFindings
	}
	return nil
}

func (v *verifier) machine(t *spec.Table) error {
	root, err := moduleRoot(filepath.Dir(t.Path))
	if err != nil {
		return err
	}
	r, err := verify.Run(v.cmd.Context(), t, verify.Options{Root: root, Full: v.full, Call: invocation(), Notice: func(s string) {
		fmt.Fprintf(v.cmd.ErrOrStderr(), "%s: %s\n", t.Name, s)
	}})
	if err != nil {
		return err
	}
	if err := r.Summary(v.cmd.OutOrStdout()); err != nil {
		return err
	}
	v.results = append(v.results, r)
	if len(r.Findings()) > 0 || r.NoTLC != nil && os.Getenv("CI") == "true" {
		v.finding = true
	}
	text, ok := r.Pinned()
	return v.pin(t, text, ok)
}

// rejected judges the designs, as many at a time as there are processors.
func (v *verifier) rejected(designs []*spec.Table) error {
	if len(designs) == 0 {
		return nil
	}
	_, noTLC := tla.Available(v.cmd.Context())
	fmt.Fprintf(v.cmd.ErrOrStderr(), "%d rejected designs\n", len(designs))
	found := make([]*verify.Rejection, len(designs))
	g, ctx := errgroup.WithContext(v.cmd.Context())
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, t := range designs {
		g.Go(func() (err error) {
			found[i], err = verify.Reject(ctx, t, noTLC == nil)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		if cause := context.Cause(v.cmd.Context()); cause != nil {
			return cause
		}
		return err
	}
	out := v.cmd.OutOrStdout()
	fmt.Fprintln(out)
	if err := verify.Rejections(out, found); err != nil {
		return err
	}
	if noTLC != nil {
		fmt.Fprintf(out, "TLC did NOT run: %v\n", noTLC)
		v.finding = v.finding || os.Getenv("CI") == "true"
	}
	for i, r := range found {
		v.finding = v.finding || !r.OK()
		text, ok := r.Pinned()
		if err := v.pin(designs[i], text, ok); err != nil {
			return err
		}
	}
	return nil
}

// pin compares what was found of t with what is pinned, or pins it.
func (v *verifier) pin(t *spec.Table, text []byte, ok bool) error {
	switch {
	case v.pins == nil:
		return nil
	case !ok:
		fmt.Fprintf(v.cmd.OutOrStdout(), "\n%s: not compared with the manifest, since TLC did not run\n", t.Path)
		return nil
	case v.update:
		return v.pins.Set(t.Path, text)
	}
	diff, err := v.pins.Compare(t.Path, text)
	if err != nil || diff == "" {
		return err
	}
	v.finding = true
	fmt.Fprintf(v.cmd.OutOrStdout(), "\nFINDING %s isn't as %s says:\n%s\n", t.Path, v.manifest, diff)
	return nil
}

// pinned ends the work on the manifest.
func (v *verifier) pinned() error {
	if v.pins == nil {
		return nil
	}
	if v.update {
		return v.pins.Write()
	}
	for _, name := range v.pins.Gone() {
		v.finding = true
		fmt.Fprintf(v.cmd.OutOrStdout(), "\nFINDING %s pins %s, which is gone; --update takes it out\n", v.manifest, name)
	}
	out := v.cmd.OutOrStdout()
	left := v.pins.Unasked()
	switch {
	case len(left) > 0:
		fmt.Fprintf(out, "\n%s pins tables that weren't compared: %s\n", v.manifest, strings.Join(left, ", "))
	case !v.finding:
		fmt.Fprintf(out, "\nall is as %s says\n", v.manifest)
	}
	return nil
}
