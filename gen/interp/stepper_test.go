package interp_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
)

// stepper changes what another one does.
type stepper struct {
	interp.Stepper
	spoil func(vars []uint64, row *int, effects *[]interp.Effect) error
}

func (s stepper) Step(vars []uint64, event int, args []uint64) (interp.Decision, []interp.Effect, error) {
	d, effects, err := s.Stepper.Step(vars, event, args)
	if err == nil {
		err = s.spoil(vars, &d.Row, &effects)
	}
	return d, effects, err
}

// TestForeignStepper drives the table's own stepper as a foreign one: the same
// graph comes out.
func TestForeignStepper(t *testing.T) {
	table := loadLane(t)
	for _, md := range table.Models {
		m := machine(t, table, md)
		foreign := machine(t, table, md, interp.WithStepper(m.TableStepper()))
		a, b := run(t, m), run(t, foreign)
		if a.String() != b.String() {
			t.Errorf("model %s:\n%s\n%s", md.Name, a, b)
		}
	}
}

func TestStepperBreaksContract(t *testing.T) {
	table := loadLane(t)
	refuses := func(row int) bool { return table.Rows()[row].Outcome == spec.Refuse }
	effect := interp.Effect{Effect: table.Effects[0], Args: []uint64{0, 0, 0, 0, 0}}
	for _, c := range []struct {
		name  string
		spoil func(vars []uint64, row *int, effects *[]interp.Effect) error
		want  string
	}{
		{"a refusal that writes", func(vars []uint64, row *int, _ *[]interp.Effect) error {
			if refuses(*row) {
				vars[4] ^= 1
			}
			return nil
		}, "requestStop.stale: a refuse changed the machine"},
		{"a refusal with an effect", func(_ []uint64, row *int, effects *[]interp.Effect) error {
			if refuses(*row) {
				*effects = append(*effects, effect)
			}
			return nil
		}, "requestStop.stale: a refuse has effects"},
		{"a value outside its type", func(vars []uint64, _ *int, _ *[]interp.Effect) error {
			vars[1] = 7
			return nil
		}, "claim.won: holder has no value with code 7"},
		{"an unknown row", func(_ []uint64, row *int, _ *[]interp.Effect) error {
			*row = 99
			return nil
		}, "row 99 isn't one of the event's"},
		{"another event's row", func(_ []uint64, row *int, _ *[]interp.Effect) error {
			*row = 3
			return nil
		}, "row 3 isn't one of the event's"},
		{"a half effect", func(_ []uint64, _ *int, effects *[]interp.Effect) error {
			*effects = []interp.Effect{{Effect: table.Effects[0]}}
			return nil
		}, "an effect that the table doesn't have"},
		{"an error", func([]uint64, *int, *[]interp.Effect) error { return errors.New("out of order") }, "out of order"},
	} {
		own := machine(t, table, table.Models[0]).TableStepper()
		err, text := steps(t, table, "memory", interp.WithStepper(stepper{own, c.spoil}))
		t.Run(c.name, func(t *testing.T) { wants(t, err, interp.ErrStepper, text, c.want) })
	}
	if _, err := interp.New(table, table.Models[0], interp.WithStepper(nil)); err == nil {
		t.Error("a nil stepper was taken")
	}
}

// TestStepperIsFollowed shows that a stepper's own answers are the graph's.
func TestStepperIsFollowed(t *testing.T) {
	table := loadLane(t)
	md := model(t, table, "memory")
	won := row(t, table, "claim.won").Index
	frozen := stepper{machine(t, table, md).TableStepper(), func(vars []uint64, row *int, _ *[]interp.Effect) error {
		if *row == won {
			*row = won - 1
			copy(vars, []uint64{0, 0, 0, 0, 0})
		}
		return nil
	}}
	m := machine(t, table, md, interp.WithStepper(frozen))
	r := run(t, m)
	if r.States != 1 || r.Fired[won] != 0 {
		t.Errorf("%d states", r.States)
	}
	i := slices.IndexFunc(r.Properties, func(p interp.Result) bool { return p.Name == "FreeIsClaimable" })
	if text := m.Explain(r.Properties[i]); text != "1. claim(lease 1, fence 1) of p1: claim.busy, refuse PROJECT_BUSY\nFreeIsClaimable fails for p1: state != free\n" {
		t.Error(text)
	}
}
