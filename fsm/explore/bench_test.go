package explore_test

import (
	"context"
	"testing"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/explore"
)

// grid is a trivial system, so that a run of it costs what the search costs:
// a counter in each of four dimensions of a given size, each moved by one or
// left where it is at the end.
type grid struct{ size uint8 }

func (grid) Init() [][4]uint8 { return [][4]uint8{{}} }

func (g grid) Steps(s [4]uint8, yield func(explore.Step[[4]uint8, int]) bool) error {
	for d := range s {
		t, kind := s, fsm.Refuse
		if t[d] < g.size-1 {
			t[d]++
			kind = fsm.Move
		}
		if !yield(explore.Step[[4]uint8, int]{Label: d, Row: d, Kind: kind, To: t}) {
			return nil
		}
	}
	return nil
}

// packed is a grid whose states are strings, as those of gen/interp are.
type packed struct{ grid }

func (packed) Init() []string { return []string{string(make([]byte, 4))} }

func (g packed) Steps(s string, yield func(explore.Step[string, int]) bool) error {
	return g.grid.Steps([4]uint8([]byte(s)), func(st explore.Step[[4]uint8, int]) bool {
		return yield(explore.Step[string, int]{Label: st.Label, Row: st.Row, Kind: st.Kind, To: string(st.To[:])})
	})
}

// BenchmarkRun reports steps a second and bytes a state for systems whose own
// steps cost next to nothing.
func BenchmarkRun(b *testing.B) {
	b.Run("array", func(b *testing.B) { benchmarkRun(b, grid{20}) })
	b.Run("string", func(b *testing.B) { benchmarkRun(b, packed{grid{20}}) })
}

func benchmarkRun[S comparable](b *testing.B, sys explore.System[S, int]) {
	b.ReportAllocs()
	always := func(S, explore.Step[S, int]) (bool, error) { return true, nil }
	edges := 0
	for b.Loop() {
		rep, err := explore.Run(context.Background(), sys, explore.Options[S, int]{
			Properties: []explore.Property[S, int]{{Name: "always", Step: always}},
			Deadlock:   true,
			MayEnd:     func(S) (bool, error) { return true, nil },
		})
		if err != nil || !rep.OK() {
			b.Fatal(err, rep)
		}
		edges += rep.Edges
	}
	b.ReportMetric(float64(edges)/b.Elapsed().Seconds(), "steps/s")
}
