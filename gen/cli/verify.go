package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
)

func newVerify() *cobra.Command {
	var full bool
	cmd := &cobra.Command{
		Use:   "verify [TABLE...]",
		Short: "Everything: explorer, TLC, and the graphs of all engines compared",
		Long: `verify explores the tables' models, runs TLC on the generated TLA+, and compares
the graphs of the interpreted table, of the generated Go and of TLC edge by
edge, refusals included, and with a hand-written reference model where there is
one in tla/reference. It ends with a summary.

A graph of more than 500,000 edges is not printed by TLC unless --full is given:
its states and how often each row moved are counted instead, and the summary
says so; properties of steps are then judged in one of their two forms.

Without Java and Maven TLC does not run, and the summary says so; with CI=true
in the environment that is a finding.`,
		Example: "  interlock verify\n  interlock verify spec/lane.yaml",
		RunE: func(cmd *cobra.Command, args []string) error {
			ts, err := tables(args, spec.Until(cmd.Context()))
			if err != nil {
				return err
			}
			fine := true
			var results []*verify.Result
			for _, t := range ts {
				if t.Fails != "" {
					return fmt.Errorf("%s is a rejected design; use interlock check or interlock tlc", t.Path)
				}
				root, err := moduleRoot(filepath.Dir(t.Path))
				if err != nil {
					return err
				}
				r, err := verify.Run(cmd.Context(), t, verify.Options{Root: root, Full: full, Notice: func(s string) {
					fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", t.Name, s)
				}})
				if err != nil {
					return err
				}
				if err := r.Summary(cmd.OutOrStdout()); err != nil {
					return err
				}
				results = append(results, r)
				fine = fine && len(r.Findings()) == 0 && (r.NoTLC == nil || os.Getenv("CI") != "true")
			}
			if len(results) > 1 {
				fmt.Fprintln(cmd.OutOrStdout())
				if err := verify.SideBySide(cmd.OutOrStdout(), results); err != nil {
					return err
				}
			}
			if !fine {
				return errFindings
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&full, "full", false, "have TLC print every graph, however large")
	return cmd
}
