package spec_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

var update = flag.Bool("update", false, "rewrite the expected complaints")

// file returns the data of a file of ar.
func file(t *testing.T, ar *txtar.Archive, name string) []byte {
	t.Helper()
	for _, f := range ar.Files {
		if f.Name == name {
			return f.Data
		}
	}
	t.Fatalf("no file %s", name)
	return nil
}

// TestBad holds each case's complaints against what stands in it.
func TestBad(t *testing.T) {
	paths, err := filepath.Glob("testdata/bad/*.txtar")
	require.NoError(t, err)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			require.NoError(t, err)
			src := file(t, ar, "table.yaml")
			_, err = spec.Read("table.yaml", src)
			var list diag.List
			require.True(t, errors.As(err, &list), "the table is accepted, or fails otherwise: %v", err)
			var got strings.Builder
			require.NoError(t, diag.Write(&got, list, func(name string) ([]byte, bool) { return src, name == "table.yaml" }))
			if *update {
				for i := range ar.Files {
					if ar.Files[i].Name == "want" {
						ar.Files[i].Data = []byte(got.String())
					}
				}
				require.NoError(t, os.WriteFile(path, txtar.Format(ar), 0o644))
				return
			}
			if diff := cmp.Diff(string(file(t, ar, "want")), got.String()); diff != "" {
				t.Errorf("complaints (-want +got):\n%s", diff)
			}
		})
	}
}

// TestEveryCodeHasACase reads the codes from their declaration.
func TestEveryCodeHasACase(t *testing.T) {
	src, err := os.ReadFile("diag/code.go")
	require.NoError(t, err)
	cases := ""
	paths, err := filepath.Glob("testdata/bad/*.txtar")
	require.NoError(t, err)
	for _, p := range paths {
		ar, err := txtar.ParseFile(p)
		require.NoError(t, err)
		cases += string(file(t, ar, "want"))
	}
	for _, m := range regexp.MustCompile(`(\w+)\s+Code = "(\w+)"`).FindAllStringSubmatch(string(src), -1) {
		if !strings.Contains(cases, ": "+m[2]+": ") {
			t.Errorf("no case in testdata/bad has code %s (%s)", m[2], m[1])
		}
	}
}
