package lanes_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/interlock-go/interlock/lanes"
)

// label is the rule for labels as a regular expression; \z, unlike $ in other
// languages, matches at the very end only.
var label = regexp.MustCompile(`\A[A-Za-z0-9][A-Za-z0-9._-]{0,79}\z`)

// FuzzLabel compares what is taken for a label with the rule, and claims with
// it.
//
//	go test -run '^$' -fuzz FuzzLabel -fuzztime 30s ./lanes
func FuzzLabel(f *testing.F) {
	for _, s := range []string{"a", "", "a\n", "-a", "a-._9", "é", "а", strings.Repeat("x", 80), strings.Repeat("x", 81), "a\x00", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := label.MatchString(s)
		if got := lanes.ValidLabel(s); got != want {
			t.Fatalf("%q: a label: %v; want %v", s, got, want)
		}
		r := mustOpen(t)
		for _, names := range [][2]string{{s, "run"}, {"p", s}} {
			lease, err := r.Claim(bg, names[0], names[1])
			if want != (err == nil) || !want && !errors.Is(err, lanes.ErrInvalidLabel) {
				t.Fatalf("Claim(%q, %q): %v", names[0], names[1], err)
			}
			if want && (lease.Project() != names[0] || lease.Run() != names[1]) {
				t.Fatalf("Claim(%q, %q): lease %v", names[0], names[1], lease)
			}
			if want {
				mustRelease(t, r, lease, lanes.OutcomeSucceeded)
			}
		}
	})
}

// A label that isn't one costs nothing, however long it is.
func TestLongLabelsAreCheap(t *testing.T) {
	r := mustOpen(t)
	long := strings.Repeat("x", 1<<20)
	allocated := testing.AllocsPerRun(100, func() {
		if _, err := r.Claim(bg, long, "run"); err == nil {
			t.Error("a megabyte is a label")
		}
	})
	if allocated > 5 {
		t.Errorf("%v allocations", allocated)
	}
	result := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			r.View(bg, long)
		}
	})
	if ns := result.NsPerOp(); ns > 20_000 { // to look at each byte takes 300 µs and more
		t.Errorf("%d ns a call", ns)
	}
}
