package spec_test

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/interlock-go/interlock/gen"
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
		"a NUL":                 "machine: door\ndoc: a\x00b\n",
		"an escaped NUL":        "machine: door\ndoc: \"a\\0b\"\n",
		"in a block":            "machine: door\ndoc: |\n  a\x1bb\n",
		"right to left":         "machine: door\ndoc: a\u202eb\n",
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

// FuzzRead: a source is a table or complaints, each with a place in it and all
// that a reader is shown. What is a table can be printed, or is told why not.
func FuzzRead(f *testing.F) {
	for _, src := range []string{"machine: door\nstates: {a: {initial: true}}\n", "- - -", "a: [\"]\", [", "? x", "a: !x y", "a: &b c", "e(x T):"} {
		f.Add([]byte(src))
	}
	paths, err := filepath.Glob("testdata/bad/*.txtar")
	require.NoError(f, err)
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		require.NoError(f, err)
		for _, file := range ar.Files {
			if strings.HasSuffix(file.Name, ".yaml") {
				f.Add(file.Data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		table, err := spec.Read("fuzz.yaml", src, spec.Until(ctx))
		if err == nil {
			err = gen.Printable(table)
		}
		var list diag.List
		switch {
		case err == nil:
			list = table.Warnings
		case ctx.Err() != nil:
			return
		case !errors.As(err, &list):
			t.Fatalf("neither a table nor complaints: %v", err)
		}
		lines := 1 + strings.Count(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(src)), "\n")
		for _, d := range list {
			if d.Pos.File == "fuzz.yaml" && (d.Pos.Line < 1 || d.Pos.Line > lines || d.Pos.Col < 1) || d.Message == "" || d.Repair() == "" {
				t.Fatalf("%+v", d)
			}
		}
		require.NoError(t, diag.Write(io.Discard, list, func(string) ([]byte, bool) { return src, true }))
	})
}

// TestUntil: a table whose cells take long is left when the context ends.
func TestUntil(t *testing.T) {
	src := `machine: slow
states: {a: {initial: true}}
vars: {x: 0..900, y: 0..900}
events:
  e(): {rows: {r: {when: x * y >= 0, to: a}, s: {unless: x * y >= 0, to: a}}}
`
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stopped)
	_, err := spec.Read("slow.yaml", []byte(src), spec.Until(ctx))
	require.ErrorIs(t, err, stopped)
	var list diag.List
	require.False(t, errors.As(err, &list), "it isn't the table that is wrong")
}
