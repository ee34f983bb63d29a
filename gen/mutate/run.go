package mutate

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Verdict is what notices a mutant.
type Verdict struct {
	*Mutant
	Kills
	// Equal says of one that no claim notices that its graph is that of the table
	// in every size, but for the names of rows that give one answer.
	Equal bool
}

// Judge puts mutants of a table before every killer, as many at a time as there
// are processors, and returns what notices each, in their order. done is told how
// many of them it knows of, and may be nil. The error is ErrFindings, ctx's, or
// that of a mutant that is no table.
func Judge(ctx context.Context, t *Table, mutants []*Mutant, done func(int)) ([]*Verdict, error) {
	sizes, err := sizesOf(ctx, t.Table)
	if err != nil {
		return nil, err
	}
	steps, err := takenBy(ctx, t.Table)
	if err != nil {
		return nil, err
	}
	graphs := sumsOf(ctx, t.Table)
	out := make([]*Verdict, len(mutants))
	var mu sync.Mutex
	told := 0
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, m := range mutants {
		g.Go(func() error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			v, err := verdict(ctx, t, m, known{sizes, steps, graphs})
			if err != nil {
				return fmt.Errorf("%s: %w", m.ID, err)
			}
			out[i] = v
			mu.Lock()
			defer mu.Unlock()
			if told++; done != nil {
				done(told)
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return out, nil
}

// known is what the table itself does.
type known struct {
	sizes  map[string]size
	steps  []taken
	graphs *sums
}

func verdict(ctx context.Context, t *Table, m *Mutant, own known) (*Verdict, error) {
	table, found, err := m.load(ctx, t.Path)
	if err != nil {
		return nil, err
	}
	j := &judge{ctx: ctx, table: table, loose: true, own: own.sizes}
	j.checker(found)
	if err := j.models(); err != nil {
		return nil, err
	}
	v := &Verdict{Mutant: m, Kills: j.kills}
	var visibly bool
	if v.Tests, visibly, err = differs(ctx, own.steps, table); err != nil {
		return nil, err
	}
	if !v.Claims() && !visibly {
		v.Equal, err = own.graphs.equal(ctx, table)
	}
	return v, err
}

// Sample returns every k-th mutant of each operator, the first one included, so
// that each operator is in it.
func Sample(mutants []*Mutant, k int) []*Mutant {
	n := map[string]int{}
	var out []*Mutant
	for _, m := range mutants {
		if n[m.Operator]%k == 0 {
			out = append(out, m)
		}
		n[m.Operator]++
	}
	return out
}
