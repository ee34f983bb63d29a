package gen_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen"
	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

var updateDocs = flag.Bool("update-docs", false, "rewrite what is made in docs/language.md and docs/properties.md")

// made is a part of a page that is made from a table above it:
//
//	<!-- made MACHINE WHAT.. -->
//	..
//	<!-- /made -->
//
// See page.make for what can be asked for.
var made = regexp.MustCompile(`(?s)<!-- made (\w+) ([^\n]*) -->\n(.*?)<!-- /made -->`)

var tableBlock = regexp.MustCompile("(?s)```yaml\n(machine: (\\w+)\n.*?)```")

// TestDocs makes every example on the pages anew from the tables on them.
func TestDocs(t *testing.T) {
	for _, name := range []string{"language", "properties"} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("..", "docs", name+".md")
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			p := &page{T: t, tables: map[string]string{}}
			for _, m := range tableBlock.FindAllStringSubmatch(string(src), -1) {
				require.NotContains(t, p.tables, m[2], "two tables of one name")
				p.tables[m[2]] = m[1]
			}
			count := 0
			got := made.ReplaceAllStringFunc(string(src), func(s string) string {
				m := made.FindStringSubmatch(s)
				count++
				return fmt.Sprintf("<!-- made %s %s -->\n%s<!-- /made -->", m[1], m[2], p.make(m[1], m[2]))
			})
			assert.Positive(t, count)
			assert.Equal(t, count, strings.Count(string(src), "<!-- made "), "one isn't closed")
			if *updateDocs {
				require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
				return
			}
			assert.Empty(t, cmp.Diff(got, string(src)), "go test ./gen -run TestDocs -update-docs, then read the diff")
		})
	}
}

// page is a page that is being made.
type page struct {
	*testing.T
	tables map[string]string
}

// make makes one example of a table:
//
//	go ROW              the row's case in the generated Go
//	go type NAME        a declaration there; func NAME too
//	tla NAME            an operator of the model
//	cfg MODEL           a size of it
//	picture [N]         the first, or the Nth, picture of its page
//	decisions EVENT     the decision table of its page
//	check [without ROW] what a search of all models finds
//	control ASSUMPTION  what a search without the assumption finds
//	diagnostics         what is wrong with it; also without ROW
func (p *page) make(machine, what string) string {
	src, ok := p.tables[machine]
	require.True(p, ok, "no table %s stands on this page", machine)
	kind, of, _ := strings.Cut(what, " ")
	var options []spec.Option
	if row, ok := strings.CutPrefix(of, "without "); ok {
		options = append(options, spec.Drop(row))
	}
	t, err := spec.Read(machine+".yaml", []byte(src), options...)
	if kind == "diagnostics" {
		return p.diagnostics(machine, src, err)
	}
	require.NoError(p, err)
	title := names.Exported(machine)
	switch kind {
	case "go":
		code := p.file(t, "fsm/"+machine+"/"+machine+"_gen.go")
		if decl := regexp.MustCompile(`(?ms)^((?://[^\n]*\n)*` + regexp.QuoteMeta(of) + `\b(?:[^\n]*\}$|.*?^\}))`).FindString(code); strings.Contains(of, " ") {
			require.NotEmpty(p, decl, of)
			return fence("go", decl)
		}
		return fence("go", p.row(code, of))
	case "tla":
		op := regexp.MustCompile(`(?ms)^((?:\(\*[^\n]*\*\)\n)?` + of + `(?:\([^)]*\))? ==.*?)\n\n`).FindStringSubmatch(p.file(t, "tla/"+title+".tla") + "\n")
		require.NotNil(p, op, of)
		return fence("tla", op[1])
	case "cfg":
		return fence("tla", strings.TrimSpace(p.file(t, "tla/MC"+title+"_"+of+".cfg")))
	case "picture":
		n := 1
		if of != "" {
			_, err := fmt.Sscan(of, &n)
			require.NoError(p, err)
		}
		parts := strings.Split(p.file(t, "docs/"+machine+".md"), "```mermaid\n")
		require.Greater(p, len(parts), n)
		text, _, _ := strings.Cut(parts[n], "```")
		return fence("mermaid", strings.TrimSpace(text))
	case "decisions":
		m := regexp.MustCompile("(?ms)^### `" + of + `\(.*?^(\|.*?)\n(?:\n|\z)`).FindStringSubmatch(p.file(t, "docs/"+machine+".md"))
		require.NotNil(p, m, of)
		return m[1] + "\n"
	case "check":
		return fence("text", p.check(t))
	case "control":
		return fence("text", p.control(t, of))
	}
	require.Fail(p, "nothing is made by "+what)
	return ""
}

func fence(language, text string) string {
	return "```" + language + "\n" + strings.TrimRight(text, "\n") + "\n```\n"
}

func (p *page) file(t *spec.Table, name string) string {
	files, err := gen.Files("example.org/demo", t)
	require.NoError(p, err)
	for _, f := range files {
		if f.Path == name {
			return string(f.Data)
		}
	}
	require.Fail(p, "no file "+name)
	return ""
}

// row returns the case of one row, without its indent.
func (p *page) row(code, row string) string {
	lines := strings.Split(code, "\n")
	for i, l := range lines {
		text := strings.TrimLeft(l, "\t")
		if !strings.HasPrefix(text, "// "+row+" (") {
			continue
		}
		indent := l[:len(l)-len(text)]
		out := []string{text}
		inside := false // its case
		for _, l := range lines[i+1:] {
			next, ok := strings.CutPrefix(l, indent)
			if l == "" || !ok || inside && !strings.HasPrefix(next, "\t") {
				break
			}
			inside = inside || !strings.HasPrefix(next, "//")
			out = append(out, next)
		}
		return strings.Join(out, "\n")
	}
	require.Fail(p, "no row "+row)
	return ""
}

// check says what a search finds, without the time it took.
func (p *page) check(t *spec.Table) string {
	var b strings.Builder
	for _, m := range t.Models {
		s, err := verify.Explore(context.Background(), t, m, m.Checks)
		require.NoError(p, err)
		p.search(&b, s)
	}
	return b.String()
}

func (p *page) search(b *strings.Builder, s *verify.Search) {
	fmt.Fprintf(b, "%s: %d states, %d edges", s.Model.Name, s.Report.States, s.Report.Edges)
	failing := s.Failing()
	if len(failing) == 0 {
		b.WriteString(": all hold\n")
		return
	}
	b.WriteString("\n")
	for _, r := range failing {
		for line := range strings.Lines(s.Machine.Explain(r)) {
			b.WriteString("  " + line)
		}
	}
}

func (p *page) control(t *spec.Table, assumption string) string {
	var b strings.Builder
	for _, c := range verify.Controls(t) {
		if c.Without.Name == assumption {
			s, err := verify.Explore(context.Background(), t, c.Weakened(), []*spec.Property{c.Property})
			require.NoError(p, err)
			p.search(&b, s)
		}
	}
	require.NotEmpty(p, b.String(), assumption)
	return b.String()
}

func (p *page) diagnostics(machine, src string, err error) string {
	var list diag.List
	require.True(p, errors.As(err, &list), "nothing is wrong with %s", machine)
	var b strings.Builder
	require.NoError(p, diag.Write(&b, list, func(string) ([]byte, bool) { return []byte(src), true }))
	return fence("text", b.String())
}
