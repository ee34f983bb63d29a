package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/tla"
)

func newTLC() *cobra.Command {
	return &cobra.Command{
		Use:   "tlc [TABLE...]",
		Short: "Run TLC on the tables' models",
		Long: `tlc runs the model checker on the TLA+ of each table: its properties at each
size; and, each to be violated, the controls in which an assumption is dropped
and the opposite of each goal. Of a rejected design (fails:) each property is run
alone. TLC is fetched by Maven once and checked by its hash; INTERLOCK_TLC_JAR
names a jar of your own.`,
		Example: "  interlock tlc spec/lane.yaml\n  interlock tlc spec/rejected/stop_frees.yaml",
		RunE: func(cmd *cobra.Command, args []string) error {
			ts, err := tables(args, spec.Until(cmd.Context()))
			if err != nil {
				return err
			}
			if err := warn(cmd, ts); err != nil {
				return err
			}
			if _, err := tla.Available(cmd.Context()); err != nil {
				return err
			}
			fine := true
			for _, t := range ts {
				ok, err := prove(cmd, t)
				if err != nil {
					return err
				}
				fine = fine && ok
			}
			if !fine {
				return errFindings
			}
			return nil
		},
	}
}

// prove runs TLC on one table and prints a line a run, and what fails.
func prove(cmd *cobra.Command, t *spec.Table) (fine bool, err error) {
	out := cmd.OutOrStdout()
	if t.Fails != "" {
		rejection, err := verify.Reject(cmd.Context(), t, true)
		if err != nil {
			return false, err
		}
		_, err = io.WriteString(out, rejection.String())
		return rejection.OK(), err
	}
	runs, err := tlaplus.Runs(t)
	if err != nil {
		return false, err
	}
	fmt.Fprintf(out, "%s: %d runs of TLC\n", t.Path, len(runs))
	fine = true
	for _, p := range proved(cmd, t, runs) {
		if p.Err != nil {
			fine = false
			fmt.Fprintf(out, "  %s: %v\n", p.Name, p.Err)
			continue
		}
		verdict := p.Result.Verdict.String()
		if p.Wrong == "" && p.Expect.Kind != tlaplus.NoError {
			verdict += ", as it must be" // a goal that is reached, a control
		}
		fmt.Fprintf(out, "  %s: %s; %s states, %s generated, %.1f s\n", p.Name, verdict,
			thousands(int(p.Result.Distinct)), thousands(int(p.Result.Generated)), p.Result.Elapsed.Seconds())
		if p.Wrong == "" {
			continue
		}
		fine = false
		fmt.Fprintf(out, "    FINDING: %s\n", p.Wrong)
		if text, err := verify.Trace(t, p); err == nil {
			fmt.Fprint(out, text)
		} else {
			fmt.Fprint(out, p.Result.Trace.String())
		}
	}
	return fine, nil
}
