package diag_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/spec/diag"
)

func rendered(t *testing.T, src string, d *diag.Diagnostic) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, diag.Write(&out, diag.List{d}, func(file string) ([]byte, bool) { return []byte(src), file == "x.yaml" }))
	return out.String()
}

// TestCaret: the caret stands below its column, whatever stands before it and
// however lines end; nothing that a terminal obeys comes through.
func TestCaret(t *testing.T) {
	at := func(line, col, width int) *diag.Diagnostic {
		return &diag.Diagnostic{Code: diag.DuplicateKey, Pos: diag.Pos{File: "x.yaml", Line: line, Col: col}, Width: width, Message: "m\x1b[2J"}
	}
	const head, hint = "m\ufffd[2J\n", "  hint: keep one of them\n"
	for name, c := range map[string]struct {
		src  string
		d    *diag.Diagnostic
		want string
	}{
		"a tab":            {"\ta: b", at(1, 2, 1), "x.yaml:1:2: S003: " + head + "  1 |  a: b\n    |  ^\n" + hint},
		"wide letters":     {"ü🚂: b", at(1, 5, 1), "x.yaml:1:5: S003: " + head + "  1 | ü🚂: b\n    |     ^\n" + hint},
		"Windows":          {"a\r\nb\r\n", at(2, 1, 1), "x.yaml:2:1: S003: " + head + "  2 | b\n    | ^\n" + hint},
		"old Macs":         {"a\rb\r", at(2, 1, 1), "x.yaml:2:1: S003: " + head + "  2 | b\n    | ^\n" + hint},
		"a terminal":       {"a\x1b[31m\u202eb", at(1, 1, 1), "x.yaml:1:1: S003: " + head + "  1 | a\ufffd[31m\ufffdb\n    | ^\n" + hint},
		"beyond the line":  {"ab", at(1, 9, 9), "x.yaml:1:9: S003: " + head + "  1 | ab\n    |   ^\n" + hint},
		"beyond the file":  {"ab", at(7, 1, 1), "x.yaml:7:1: S003: " + head + hint},
		"no line":          {"ab", at(0, 0, 0), "x.yaml: S003: " + head + hint},
		"as wide as it is": {"ab: c", at(1, 1, 2), "x.yaml:1:1: S003: " + head + "  1 | ab: c\n    | ^^\n" + hint},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, rendered(t, c.src, c.d)) })
	}
}

// TestLongLine: of a line without end the part around the caret is shown.
func TestLongLine(t *testing.T) {
	src := strings.Repeat("a", 500) + "!" + strings.Repeat("b", 500)
	d := &diag.Diagnostic{Code: diag.Syntax, Pos: diag.Pos{File: "x.yaml", Line: 1, Col: 501}, Message: "m"}
	lines := strings.Split(rendered(t, src, d), "\n")
	require.Less(t, len(lines[1]), 200)
	require.Equal(t, strings.Index(string([]rune(strings.ReplaceAll(lines[1], "…", "."))), "!"), strings.Index(lines[2], "^"))
}

func TestNearest(t *testing.T) {
	for _, c := range []struct{ name, want string }{{"opne", "open"}, {"OPEN", "open"}, {"shutt", "shut"}, {"elsewhere", ""}, {"", ""}} {
		require.Equal(t, c.want, diag.Nearest(c.name, []string{"open", "shut"}), c.name)
	}
}
