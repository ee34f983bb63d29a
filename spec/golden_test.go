package spec_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/interlock-go/interlock/gen/check"
	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

var update = flag.Bool("update", false, "rewrite the expected complaints")

// badCase is a file of testdata/bad, which is named after a code of its
// complaints.
type badCase struct {
	path string
	code diag.Code
	ar   *txtar.Archive
}

func (c *badCase) get(name string) ([]byte, bool) {
	for _, f := range c.ar.Files {
		if f.Name == name {
			return f.Data, true
		}
	}
	return nil, false
}

func badCases(t *testing.T) []*badCase {
	t.Helper()
	paths, err := filepath.Glob("testdata/bad/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	var out []*badCase
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		require.NoError(t, err)
		code, _, _ := strings.Cut(filepath.Base(path), "_")
		out = append(out, &badCase{path, diag.Code(code), ar})
	}
	return out
}

// complaints says all that interlock check would of a table. One without a
// source isn't there.
func complaints(t *testing.T, src []byte, exists bool) diag.List {
	t.Helper()
	var table *spec.Table
	var err error
	if exists {
		table, err = spec.Read("table.yaml", src)
	} else {
		table, err = spec.Load("table.yaml")
	}
	var found, list diag.List
	if err == nil {
		found, err = check.Run(t.Context(), table, check.Watch{OneUp: func(*verify.Search, []*verify.OneUp) {}})
	}
	if err != nil {
		require.True(t, errors.As(err, &list), "it fails otherwise: %v", err)
	}
	return append(found, list...)
}

// TestBad holds each case's complaints against what stands in it: the code that
// it is named after is among them, with a place, a hint, and both places where
// two things clash. A case with a repair is the code's example: it has no other
// code, and its repair none at all.
func TestBad(t *testing.T) {
	for _, c := range badCases(t) {
		t.Run(strings.TrimSuffix(filepath.Base(c.path), ".txtar"), func(t *testing.T) {
			src, exists := c.get("table.yaml")
			list := complaints(t, src, exists)
			var got strings.Builder
			require.NoError(t, diag.Write(&got, list, func(name string) ([]byte, bool) { return src, name == "table.yaml" }))
			if *update {
				for i := range c.ar.Files {
					if c.ar.Files[i].Name == "want" {
						c.ar.Files[i].Data = []byte(got.String())
					}
				}
				require.NoError(t, os.WriteFile(c.path, txtar.Format(c.ar), 0o644))
			}
			want, _ := c.get("want")
			if diff := cmp.Diff(string(want), got.String()); diff != "" && !*update {
				t.Errorf("complaints (-want +got):\n%s", diff)
			}
			repaired, example := c.get("repaired.yaml")
			named := false
			for _, d := range list {
				named = named || d.Code == c.code
				quotable(t, d)
				if example {
					require.Equal(t, c.code, d.Code, "an example has one code: %v", d)
				}
			}
			require.True(t, named, "no complaint has the code %s", c.code)
			if example {
				require.Empty(t, complaints(t, repaired, true), "the repair has complaints")
			}
		})
	}
}

// clashes are the codes of which one place alone says nothing.
var clashes = []diag.Code{diag.DuplicateKey, diag.DuplicateName, diag.NameClash, diag.Overlap, diag.DuplicateRow, diag.TwoUpdates, diag.StaleRead}

// quotable demands of a complaint what a reader needs.
func quotable(t *testing.T, d *diag.Diagnostic) {
	t.Helper()
	require.NotEmpty(t, d.Message)
	require.NotEmpty(t, d.Repair(), "%v has no hint", d)
	require.NotZero(t, d.Severity(), "%v", d)
	require.Equal(t, d.Code != diag.Unreadable, d.Pos.IsValid(), "%v has no place", d)
	if slices.Contains(clashes, d.Code) {
		require.NotEmpty(t, d.Related, "%v says one place of a clash", d)
	}
}

// TestEveryCodeHasAnExample holds the codes, as they are declared and as they
// are listed, against the cases and their repairs.
func TestEveryCodeHasAnExample(t *testing.T) {
	src, err := os.ReadFile("diag/code.go")
	require.NoError(t, err)
	var declared, listed, shown []string
	for _, m := range regexp.MustCompile(`Code = "(\w+)"`).FindAllStringSubmatch(string(src), -1) {
		declared = append(declared, m[1])
	}
	for _, i := range diag.Codes {
		listed = append(listed, string(i.Code))
		require.NotEmpty(t, i.Means, i.Code)
		require.NotEmpty(t, i.Repair, i.Code)
		require.NotZero(t, i.Severity, i.Code)
		ex, err := spec.ExampleOf(i.Code)
		require.NoError(t, err)
		require.NotEmpty(t, ex.Says, i.Code)
		require.NotEmpty(t, ex.Complaint, i.Code)
	}
	require.Equal(t, declared, listed)
	for _, c := range badCases(t) {
		require.Contains(t, listed, string(c.code), c.path)
		if _, example := c.get("repaired.yaml"); example {
			shown = append(shown, string(c.code))
		}
	}
	slices.Sort(listed)
	require.Equal(t, listed, shown, "each code has one example, and each example its code")
}
