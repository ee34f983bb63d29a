package interp_test

import (
	"testing"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
)

// BenchmarkSteps reports steps a second, without the explorer's own work.
func BenchmarkSteps(b *testing.B) {
	table := loadLane(b)
	m := machine(b, table, model(b, table, "durable"))
	var states []interp.State
	seen := map[interp.State]bool{}
	add := func(s interp.State) {
		if !seen[s] {
			seen[s] = true
			states = append(states, s)
		}
	}
	add(m.Init()[0])
	for i := 0; i < len(states); i++ {
		if err := m.Steps(states[i], func(st interp.Step) bool { add(st.To); return true }); err != nil {
			b.Fatal(err)
		}
	}
	steps := 0
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range states {
			if err := m.Steps(s, func(interp.Step) bool { steps++; return true }); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
}

// BenchmarkRun is a whole search with every property.
func BenchmarkRun(b *testing.B) {
	table := loadLane(b)
	m := machine(b, table, model(b, table, "durable"))
	var report *explore.Report[interp.State, interp.Label]
	for b.Loop() {
		report = run(b, m)
	}
	b.ReportMetric(float64(report.Edges*b.N)/b.Elapsed().Seconds(), "steps/s")
}
