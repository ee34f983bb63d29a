package interp

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplit(t *testing.T) {
	for src, want := range map[string][]string{
		"a":                        {"a"},
		"a && b":                   {"a", "b"},
		"(a && b) && c.is(d && e)": {"a", "b", "c.is(d && e)"},
		"(a) && (b)":               {"a", "b"},
		"(a || b) && c":            {"a || b", "c"},
	} {
		if diff := cmp.Diff(want, split(src)); diff != "" {
			t.Errorf("%s: %s", src, diff)
		}
	}
}

func TestArgument(t *testing.T) {
	for src, want := range map[string]string{
		"a.implies(b && c)":         "b && c",
		"(x || y).implies(z)":       "z",
		"s.all(i, a).implies(b)":    "b",
		"a.implies(b) && c":         "",
		"s.all(i, a.implies(b))":    "",
		"a.implies(b.implies(c))":   "b.implies(c)",
		"(a.implies(b)).implies(c)": "c",
	} {
		if got, _ := argument(src, ".implies("); got != want {
			t.Errorf("%s: %q, want %q", src, got, want)
		}
	}
}
