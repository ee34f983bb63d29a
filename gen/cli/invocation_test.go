package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInvocation calls the program from where people do: it names itself as they
// have to type it.
func TestInvocation(t *testing.T) {
	for mod, want := range map[string]string{
		"":                          "interlock",
		"module example.org/door\n": "interlock",
		"module example.org/door\n\ntool " + self + "\n":              "go tool interlock",
		"module " + strings.TrimSuffix(self, "/gen/interlock") + "\n": "go run ./gen/interlock",
		"no go.mod at all\n": "interlock",
	} {
		t.Chdir(t.TempDir())
		if mod != "" {
			require.NoError(t, os.WriteFile("go.mod", []byte(mod), 0o644))
		}
		require.Equal(t, want, invocation(), mod)
		var help strings.Builder
		require.Zero(t, Main([]string{"help", "check"}, strings.NewReader(""), &help, &help))
		require.Contains(t, help.String(), "Usage:\n  "+want+" check [--format FORMAT] [TABLE...]")
		require.Contains(t, help.String(), "Examples:\n  "+want+" check")
		require.Contains(t, help.String(), `"`+want+` explain CODE"`)
		if mod != "" {
			require.NoError(t, os.Mkdir("below", 0o755))
			t.Chdir("below")
			require.Equal(t, strings.Replace(want, "./gen/interlock", self, 1), invocation(), "in a folder below")
		}
	}
}

// TestNoCommandIsNamedOtherwise looks for commands in what the program says: each
// is named by invocation, since to many readers "interlock gen" is no command.
// Examples and help are put right as a whole.
func TestNoCommandIsNamedOtherwise(t *testing.T) {
	var names []string
	for _, c := range newRoot().Commands() {
		names = append(names, c.Name())
	}
	command := regexp.MustCompile(`\binterlock (` + strings.Join(names, "|") + `)\b`)
	seen := 0
	look := func(path string, n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && (key.Name == "Example" || key.Name == "Long") {
				return false
			}
		case *ast.BasicLit:
			if seen++; n.Kind == token.STRING && command.MatchString(n.Value) && !strings.HasPrefix(n.Value, `"<!--`) {
				t.Errorf("%s says %s", path, n.Value)
			}
		}
		return true
	}
	for _, root := range []string{"..", "../../spec"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			slash := filepath.ToSlash(path)
			switch {
			case err != nil || d.IsDir() && (d.Name() == "testdata" || slash == "../compare"):
				if err == nil {
					err = fs.SkipDir
				}
				return err
			case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"), slash == "../manifest/manifest.go": // a file that is the same wherever it is written
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err == nil {
				ast.Inspect(file, func(n ast.Node) bool { return look(slash, n) })
			}
			return err
		})
		require.NoError(t, err)
	}
	require.Greater(t, seen, 1000)
}
