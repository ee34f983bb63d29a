package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/graph"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
)

func newExplore() *cobra.Command {
	var model, form string
	var moves bool
	var most int
	cmd := &cobra.Command{
		Use:   "explore TABLE",
		Short: "Print how large the models are, or export a model's graph",
		Long: `explore searches everything that a model can do and prints its size: states,
steps, those of them that change something, and how far the farthest state is.
With --format json or dot it prints the graph of one model, refusals included; the
output is the same on every run.`,
		Example: `  interlock explore spec/lane.yaml
  interlock explore --model lost --format json spec/lane.yaml >lost.json
  interlock explore --model small --moves --format dot door.yaml | dot -Tsvg >door.svg`,
		Args: takes(1, 1, "one table, such as spec/lane.yaml"),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := oneTable(args[0])
			if err != nil {
				return err
			}
			only, err := modelNamed(t, model)
			if err != nil {
				return err
			}
			models := t.Models
			if only != nil {
				models = []*spec.Model{only}
			}
			switch form {
			case "text":
				for _, m := range models {
					if err := size(cmd, t, m); err != nil {
						return err
					}
				}
				return nil
			case "json", "dot":
				if len(models) != 1 {
					return fmt.Errorf("%s has %d models; name one by --model", t.Path, len(models))
				}
				return export(cmd, t, models[0], form, moves, most)
			}
			return fmt.Errorf("there is no format %q; there are text, json, dot", form)
		},
	}
	cmd.Flags().StringVar(&model, "model", "", "only this model")
	cmd.Flags().StringVar(&form, "format", "text", "text, json or dot")
	cmd.Flags().BoolVar(&moves, "moves", false, "leave out of the graph what changes nothing")
	cmd.Flags().IntVar(&most, "max-states", 100000, "refuse to export a larger graph; 0: no limit")
	return cmd
}

func size(cmd *cobra.Command, t *spec.Table, model *spec.Model) error {
	m, err := interp.New(t, model)
	if err != nil {
		return err
	}
	p := begin(cmd, model.Name)
	r, err := explore.Run(cmd.Context(), m, explore.Options[interp.State, interp.Label]{Progress: p.explored})
	p.finish()
	if err != nil {
		return err
	}
	if r.Steps.Err != nil {
		return r.Steps.Err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s states, %s steps, %s of them change something, the farthest state is %d steps away\n",
		model.Name, thousands(r.States), thousands(r.Edges), thousands(r.Moves), r.Depth)
	return err
}

func export(cmd *cobra.Command, t *spec.Table, model *spec.Model, form string, moves bool, most int) error {
	m, err := interp.New(t, model)
	if err != nil {
		return err
	}
	g, err := explore.GraphOf(cmd.Context(), m, most)
	if errors.Is(err, explore.ErrBudget) {
		return fmt.Errorf("model %s has more than %s states; --max-states allows more", model.Name, thousands(most))
	}
	if err != nil {
		return err
	}
	if moves {
		g = graph.Moves(g)
	}
	write := map[string]func(io.Writer, *interp.Machine, *graph.Graph) error{"json": graph.JSON, "dot": graph.DOT}[form]
	return write(cmd.OutOrStdout(), m, g)
}
