package layout_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/interlock-go/interlock/gen/layout"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

var update = flag.Bool("update", false, "rewrite the expected layouts")

// TestCases lays out the cases of testdata: each has a source and its layout.
func TestCases(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			require.NoError(t, err)
			got, err := layout.Format(ar.Files[0].Data)
			require.NoError(t, err)
			if *update {
				ar.Files = append(ar.Files[:1], txtar.File{Name: "want", Data: got})
				require.NoError(t, os.WriteFile(path, txtar.Format(ar), 0o644))
			}
			if diff := cmp.Diff(string(ar.Files[1].Data), string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			again, err := layout.Format(got)
			require.NoError(t, err)
			require.Equal(t, string(got), string(again), "it isn't idempotent")
		})
	}
}

// distort spoils a layout without changing what it says.
func distort(src string) string {
	var b strings.Builder
	for line := range strings.Lines(src) {
		text := strings.TrimLeft(line, " ")
		b.WriteString(strings.Repeat(" ", 2*(len(line)-len(text))))
		text = strings.TrimSuffix(text, "\n")
		if item, ok := strings.CutPrefix(text, "- "); ok {
			text = "-   " + item // its second line is moved too
		}
		if !strings.HasPrefix(text, "#") && !strings.ContainsAny(text, `"'`) {
			text = strings.ReplaceAll(text, "{", "{  ")
			text = strings.ReplaceAll(text, "}", " }")
		}
		if strings.HasSuffix(text, "}") {
			text += "  " // elsewhere it may be a text's
		}
		b.WriteString(text + "\n")
		if text == "" {
			b.WriteString("\n\n")
		}
	}
	return b.String() + "\n\n"
}

// TestBundled holds the tables here against their layout, and finds it again
// where it was spoiled.
func TestBundled(t *testing.T) {
	var paths []string
	for _, pattern := range []string{"../../spec/*.yaml", "../../spec/rejected/*.yaml", "../starter/*.yaml"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
		paths = append(paths, found...)
	}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		got, err := layout.Format(src)
		require.NoError(t, err, path)
		if diff := cmp.Diff(string(src), string(got)); diff != "" {
			t.Errorf("%s: run interlock fmt:\n%s", path, diff)
		}
		spoiled := distort(string(src))
		require.NotEqual(t, string(src), spoiled)
		got, err = layout.Format([]byte(spoiled))
		require.NoError(t, err, path)
		if diff := cmp.Diff(string(src), string(got)); diff != "" {
			t.Errorf("%s, spoiled:\n%s", path, diff)
		}
	}
}

// complaints are what the front end says of a source, without places.
func complaints(src []byte) []string {
	_, err := spec.Read("../../spec/table.yaml", src)
	var list diag.List
	if !errors.As(err, &list) {
		return nil
	}
	var out []string
	for _, d := range list {
		out = append(out, string(d.Code)+" "+d.Message)
	}
	return out
}

// FuzzFormat lays out anything: it says the same afterwards, to the front end
// too, and a second time changes nothing.
func FuzzFormat(f *testing.F) {
	for _, pattern := range []string{"../../spec/testdata/bad/*.txtar", "testdata/*.txtar"} {
		paths, err := filepath.Glob(pattern)
		require.NoError(f, err)
		for _, path := range paths {
			ar, err := txtar.ParseFile(path)
			require.NoError(f, err)
			for _, file := range ar.Files {
				if file.Name == "table.yaml" {
					f.Add(file.Data)
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 1<<14 {
			return
		}
		before := complaints(src)
		for _, c := range before {
			if strings.HasPrefix(c, string(diag.Syntax)) {
				return // the front end doesn't read it, so the command doesn't lay it out
			}
		}
		got, err := layout.Format(src)
		if err != nil {
			return
		}
		if diff := cmp.Diff(before, complaints(got)); diff != "" {
			t.Fatalf("the front end reads something else:\n%s\n%s", diff, got)
		}
		again, err := layout.Format(got)
		if err != nil || string(again) != string(got) {
			t.Fatalf("it isn't idempotent: %v\n%s", err, cmp.Diff(string(got), string(again)))
		}
	})
}
