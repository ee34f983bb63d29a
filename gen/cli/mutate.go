package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/interlock-go/interlock/gen/mutate"
)

// mutateFormats are how the verdicts on mutants are printed.
var mutateFormats = []string{"text", "json", "lines"}

type mutating struct {
	format, show string
	sample       int
}

func newMutate() *cobra.Command {
	m := &mutating{format: mutateFormats[0], sample: 1}
	var operators strings.Builder
	for _, o := range mutate.Operators {
		fmt.Fprintf(&operators, "  %-16s %s\n", o.Name, o.Does)
	}
	cmd := &cobra.Command{
		Use:   "mutate [--format FORMAT] [--sample N] [--show MUTANT] [TABLE...]",
		Short: "Change a table in one place at a time, and say what notices",
		Long: `mutate changes a table in one place at a time, and puts each mutant before the
checker, every property, the never rows, the search for what is of no use, and the
steps of the table itself, which its generated tests take. Each of them is asked,
also after another has noticed, so that the report can say what nobody else sees:

  - a mutant that only the checker or only the tests notice shows that no property
    says what was changed
  - a property that kills nothing may say nothing
  - a mutant that nothing notices is a finding, unless mutants/TABLE.yaml beside
    the table has a reason for it; its graph must then be that of the table:
      - mutants: [claim.won drop-condition from]
        because: the check before it has all other states

The changes:
` + operators.String() + `
A table of fifty rows takes some minutes on two processors. No JVM is needed, and
nothing is written.`,
		Example: "  interlock mutate spec/door.yaml\n  interlock mutate --sample 10 spec/queue.yaml\n" +
			"  interlock mutate --show \"release.freed drop-update fencing\" spec/lane.yaml > mutant.yaml\n  interlock mutate --format json > mutants.json",
		RunE: m.run,
	}
	cmd.Flags().StringVar(&m.format, "format", m.format, "how the verdicts are printed: "+strings.Join(mutateFormats, ", "))
	cmd.Flags().IntVar(&m.sample, "sample", m.sample, "try every N-th mutant of each kind alone")
	cmd.Flags().StringVar(&m.show, "show", "", "print the table of that mutant, and judge nothing")
	return cmd
}

func (m *mutating) run(cmd *cobra.Command, args []string) error {
	if !slices.Contains(mutateFormats, m.format) {
		return fmt.Errorf("there is no format %s; known are %s", m.format, strings.Join(mutateFormats, ", "))
	}
	if m.sample < 1 {
		return errors.New("--sample is at least 1")
	}
	paths, err := named(args)
	if err != nil {
		return err
	}
	if m.show != "" {
		return showMutant(cmd, paths, m.show)
	}
	fine := true
	var all []*mutate.Report
	for _, path := range paths {
		r, err := m.judged(cmd, path)
		if err != nil {
			return err
		}
		all = append(all, r)
		fine = fine && len(r.Findings()) == 0
		switch m.format {
		case "text":
			err = r.Text(cmd.OutOrStdout())
		case "lines":
			err = r.Lines(cmd.OutOrStdout())
		}
		if err != nil {
			return err
		}
	}
	if m.format == "json" {
		if err := mutate.JSON(cmd.OutOrStdout(), all); err != nil {
			return err
		}
	}
	if !fine {
		return errFindings
	}
	return nil
}

func (m *mutating) judged(cmd *cobra.Command, path string) (*mutate.Report, error) {
	t, err := mutate.Load(cmd.Context(), path)
	if err != nil {
		return nil, err
	}
	reasons, err := mutate.ReadReasons(path)
	if err != nil {
		return nil, err
	}
	tried := mutate.Sample(t.Mutants, m.sample)
	p := begin(cmd, "mutants of "+t.Name)
	defer p.finish()
	verdicts, err := mutate.Judge(cmd.Context(), t, tried, func(n int) { p.say(fmt.Sprintf("%d of %d", n, len(tried))) })
	if err != nil {
		return nil, err
	}
	return &mutate.Report{Table: t, Verdicts: verdicts, Reasons: reasons}, nil
}

// showMutant prints the table of one mutant.
func showMutant(cmd *cobra.Command, paths []string, id string) error {
	for _, path := range paths {
		t, err := mutate.Load(cmd.Context(), path)
		if err != nil {
			return err
		}
		for _, m := range t.Mutants {
			if m.ID == id {
				_, err := cmd.OutOrStdout().Write(m.Text)
				return err
			}
		}
	}
	return fmt.Errorf("there is no mutant %q; %s mutate --format lines names all", id, invocation())
}
