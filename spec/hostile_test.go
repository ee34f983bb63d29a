package spec_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

// TestHostile reads sources that are made to exhaust a parser. Each must be a
// complaint; before they were looked for, some took all memory of a machine.
func TestHostile(t *testing.T) {
	many := func(s string) string { return strings.Repeat(s, 100_000) }
	for name, src := range map[string]string{
		"list in list":          many("- ") + "x",
		"key in key":            many("? ") + "x",
		"brackets":              "a: " + many("["),
		"braces":                "a: " + many("{b: "),
		"closed within quotes":  "a: " + many(`[ "]" , `),
		"indented":              strings.Repeat(" ", 900_000) + "a: b",
		"2 MB":                  "a: " + strings.Repeat("x", 2<<20),
		"not UTF-8":             "a: \xff\xfe",
		"byte order mark":       "\xef\xbb\xbfmachine: door\n",
		"tab":                   "machine:\n\tdoor\n",
		"two documents":         "machine: door\n---\nmachine: door\n",
		"a scalar":              "door",
		"nothing":               "",
		"an unclosed quote":     `machine: "door`,
		"an expression, nested": "machine: door\nstates: {a: {initial: true}}\nevents:\n  e():\n    rows:\n      r: {when: '" + strings.Repeat("(", 5000) + "', to: a}\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := spec.Read("hostile.yaml", []byte(src))
			var list diag.List
			require.True(t, errors.As(err, &list), "%v", err)
			for _, d := range list {
				require.True(t, d.Pos.IsValid(), "no position: %v", d)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, src := range []string{"machine: door\nstates: {a: {initial: true}}\n", "- - -", "a: [\"]\", [", "? x", "a: !x y", "a: &b c", "e(x T):"} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		_, err := spec.Read("fuzz.yaml", src)
		var list diag.List
		if err != nil && !errors.As(err, &list) {
			t.Fatalf("neither a table nor complaints: %v", err)
		}
	})
}
