package mbt

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/interlock-go/interlock/gen/equal"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/mbt/edges"
)

// Graph demands, for each model of the table, that everything the machine can
// do is what the interpreted table can: the same states, and the same steps with
// their rows, arguments and effects, those that change nothing included. Where
// it isn't, it prints a shortest path to the difference.
func Graph[M, F any](t *testing.T, tab Table, s Subject[M, F]) {
	table := tab.load(t)
	for _, model := range table.Models {
		if t.Failed() {
			return // one model's nearest difference says more than each one's
		}
		t.Run(model.Name, func(t *testing.T) {
			want, err := interp.New(table, model)
			if err != nil {
				t.Fatal(err)
			}
			got, err := interp.New(table, model, interp.WithStepper(Stepper(want, s)))
			if err != nil {
				t.Fatal(err)
			}
			counts, err := equal.Compare(context.Background(), "the table", want, equal.Machine("the machine in Go", got))
			var diff *equal.Difference
			if errors.As(err, &diff) {
				t.Fatalf("%s, model %s: %v", table.Name, model.Name, diff)
			}
			if err != nil {
				t.Fatalf("%s, model %s: %v", table.Name, model.Name, err)
			}
			t.Logf("%d states, %d edges, %d of them moves", counts.States, counts.Edges, counts.Moves)
			if dir := os.Getenv(edges.Env); dir != "" {
				sum, err := edges.Summarize(context.Background(), got)
				if err != nil {
					t.Fatal(err)
				}
				if err := sum.Write(dir); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
