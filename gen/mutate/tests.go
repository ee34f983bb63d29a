package mutate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/mbt/edges"
	"github.com/interlock-go/interlock/gen/mbt/literal"
	"github.com/interlock-go/interlock/spec"
)

// taken are the steps that a table's machine takes at one size, without its
// world, each once.
type taken struct {
	size  *spec.Model
	steps []step
}

// step is one of them, in the codes of gen/interp.
type step struct {
	from, args []uint64
	event      int
	answer     answer
}

// answer is all that a caller gets to see of a step.
type answer struct {
	row     string
	outcome spec.Outcome
	code    string
	effects string
	to      string
	never   bool
}

// worldless returns t without the world, which no test of the machine knows.
func worldless(t *spec.Table) *spec.Table {
	alone := *t
	alone.World, alone.Ghosts, alone.Follows, alone.Assumptions, alone.Properties = nil, nil, nil, nil, nil
	alone.Events = slices.Clone(t.Events)
	for i, e := range alone.Events {
		if e.Can != nil {
			free := *e
			free.Can = nil
			alone.Events[i] = &free
		}
	}
	return &alone
}

// takenBy records what t does, at the sizes that it records and at those of its
// models, each with one instance.
func takenBy(ctx context.Context, t *spec.Table) ([]taken, error) {
	var out []taken
	for _, size := range slices.Concat(t.Record, t.Models) {
		m, err := interp.New(worldless(t), alone(size))
		if err != nil {
			return nil, err
		}
		stepper := m.TableStepper()
		tk := taken{size: size}
		seen := map[string]bool{}
		fields := m.Table()
		_, err = explore.Run(ctx, m, explore.Options[interp.State, interp.Label]{
			Visit: func(from interp.State, st interp.Step) error {
				vars := literal.Vars(m, from, 0)
				e := st.Label.Event.Event.Index
				key := fmt.Sprint(vars, e, st.Label.Args)
				if seen[key] {
					return nil
				}
				seen[key] = true
				a, err := answerOf(stepper, fields, vars, e, st.Label.Args)
				tk.steps = append(tk.steps, step{vars, st.Label.Args, e, a})
				return err
			},
		})
		if err != nil {
			return nil, err
		}
		out = append(out, tk)
	}
	return out, nil
}

// alone returns a size without assumptions and with one instance.
func alone(size *spec.Model) *spec.Model {
	m := *size
	m.Instances, m.Assume, m.Checks, m.Alone = 1, nil, nil, true
	return &m
}

// answerOf asks a stepper.
func answerOf(s interp.Stepper, t *spec.Table, from []uint64, event int, args []uint64) (answer, error) {
	to := slices.Clone(from)
	d, effects, err := s.Step(to, event, args)
	if err != nil {
		return answer{}, err
	}
	a := answer{row: interp.Nobody}
	rows := t.Rows()
	if d.Row < len(rows) {
		r := rows[d.Row]
		a = answer{row: r.Name(), outcome: r.Outcome, code: r.Code, never: r.Outcome == spec.Never}
	}
	if d.Then >= 0 && d.Then < len(rows) {
		a.row += "+" + rows[d.Then].Name()
		a.never = a.never || rows[d.Then].Outcome == spec.Never
	}
	var b strings.Builder
	for _, f := range effects {
		fmt.Fprint(&b, f.Effect.Name, f.Args, " ")
	}
	a.effects, a.to = b.String(), fmt.Sprint(to)
	return a, nil
}

// same reports whether a and b are one to whoever asked: of what changes nothing
// it doesn't matter which row says so.
func (a answer) same(b answer) bool {
	if a.outcome != spec.Move {
		a.row = b.row
	}
	return a == b
}

// differs takes all steps on a mutant, and says in which it first goes another
// way; what the mutant doesn't take is a difference too. visibly says that it does
// so not only by the name of a row, and not only where the table claims that
// nothing is ever asked: the models show that claim to be true.
func differs(ctx context.Context, all []taken, mutant *spec.Table) (first string, visibly bool, err error) {
	sizes := slices.Concat(mutant.Record, mutant.Models)
	for i, tk := range all {
		m, err := interp.New(worldless(mutant), alone(sizes[i]), interp.Loose())
		if err != nil {
			return "", false, err
		}
		stepper := m.TableStepper()
		for n, st := range tk.steps {
			if n%1024 == 0 && ctx.Err() != nil {
				return "", false, context.Cause(ctx)
			}
			a, err := answerOf(stepper, m.Table(), st.from, st.event, st.args)
			if err == nil && a == st.answer {
				continue
			}
			if first == "" {
				first = st.answer.row
			}
			if !st.answer.never && (err != nil || !a.same(st.answer)) {
				return first, true, nil
			}
		}
	}
	return first, false, nil
}

// sums are those of a table's graphs, size by size. What is recorded isn't among
// them: its steps are taken one by one.
type sums struct {
	once []func() (string, error)
}

func sumsOf(ctx context.Context, t *spec.Table) *sums {
	s := &sums{}
	for _, m := range t.Models {
		s.once = append(s.once, sync.OnceValues(func() (string, error) { return sum(ctx, t, m) }))
	}
	return s
}

// equal reports whether a mutant's graph is that of the table, edge by edge, in
// every size: then nobody who looks at its steps could tell them apart.
func (s *sums) equal(ctx context.Context, mutant *spec.Table) (bool, error) {
	for i, m := range mutant.Models {
		a, err := s.once[i]()
		if err != nil {
			return false, err
		}
		b, err := sum(ctx, mutant, m)
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		if err != nil || a != b {
			return false, nil // a step of the mutant that has no meaning is a difference
		}
	}
	return true, nil
}

// sum adds up the edges of a size. Of two rows that give one answer, and change
// nothing, it doesn't matter which decides.
func sum(ctx context.Context, t *spec.Table, m *spec.Model) (string, error) {
	machine, err := interp.New(t, m, interp.Loose())
	if err != nil {
		return "", err
	}
	answers := map[string]*spec.Row{}
	answer := func(r *spec.Row) *spec.Row {
		if r.Outcome == spec.Move || r.Event == nil {
			return r
		}
		id := r.Outcome.String() + " " + r.Code
		if answers[r.Event.Name+id] == nil {
			answers[r.Event.Name+id] = &spec.Row{ID: id, Event: r.Event}
		}
		return answers[r.Event.Name+id]
	}
	var sum edges.Sum
	var buf []byte
	report, err := explore.Run(ctx, machine, explore.Options[interp.State, interp.Label]{
		Visit: func(from interp.State, st interp.Step) error {
			l := st.Label
			l.Row = answer(l.Row)
			buf = edges.AppendLine(buf[:0], machine, from, l, st.To)
			sum.Add(buf)
			return nil
		},
	})
	if err == nil {
		err = report.Steps.Err
	}
	return sum.String(), err
}
