package equal_test

import (
	"testing"

	"github.com/interlock-go/interlock/gen/equal"
)

// BenchmarkPrinted reports printed lines a second, read and compared.
func BenchmarkPrinted(b *testing.B) {
	m := lane(b, loadLane(b), "memory")
	lines := printed(b, m)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := equal.Compare(b.Context(), "table", m, equal.Printed("TLC", m, given(lines))); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(lines)*b.N)/b.Elapsed().Seconds(), "lines/s")
}
