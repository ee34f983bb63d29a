package markdown

import (
	"strings"
	"testing"

	"github.com/interlock-go/interlock/spec"
)

func TestProse(t *testing.T) {
	for in, want := range map[string]string{
		"needs_review stays bare":   "needs_review stays bare",
		"_a_ __b__ c_":              `\_a\_ \_\_b\_\_ c\_`,
		"*a* `b` ~c~ $d$":           "\\*a\\* \\`b\\` \\~c\\~ \\$d\\$",
		"<b>x</b> &lt; <!-- y -->":  `\<b\>x\</b\> \&lt; \<!-- y --\>`,
		"[a](http://b)":             `\[a\](http://b)`,
		":smile: and: not":          `\:smile: and: not`,
		`a\b`:                       `a\\b`,
		"# a":                       `\# a`,
		"- a":                       `\- a`,
		"12. a":                     `12\. a`,
		"1.2":                       `1\.2`,
		"two\nlines\r\n\tof | text": "two lines of | text",
		"":                          "",
		"→ é 漢":                     "→ é 漢",
	} {
		if got := prose(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

func TestCode(t *testing.T) {
	for in, want := range map[string]string{
		"a.is(b)":       "`a.is(b)`",
		"a\n  && b":     "`a && b`",
		"a ` b":         "``a ` b``",
		"`a`":           "`` `a` ``",
		"a || b":        "`a || b`",
		`"\" == a || b`: `<code>&#34;&#92;&#34; &#61;&#61; a &#124;&#124; b</code>`,
		"":              "",
	} {
		if got := code(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

func TestSentence(t *testing.T) {
	for in, want := range map[string]string{
		"a lane has no holder": "A lane has no holder.",
		"It is so.":            "It is so.",
		`"As quoted."`:         `"As quoted."`,
		"é":                    "É.",
		" ":                    "",
	} {
		if got := sentence(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

const hostileText = "a | b \\| c\n\n# d `e | f` <b>g</b> <!-- h --> *i* _j_ [k](l) ```mermaid\n| m |\n|---|"

// hostileTable is the lane with texts and names that a checked table can't all
// have, but that would break the page if they were taken for markup.
func hostileTable(t *testing.T) *spec.Table {
	table := load(t, "lane")
	table.Doc = hostileText
	table.Path = "-->\n# x.yaml"
	table.Per = "P|"
	for _, s := range table.States {
		s.Name, s.Doc = "<"+s.Name+">|`\n", hostileText
	}
	for _, a := range table.Answers {
		a.Says = hostileText
	}
	for _, e := range append(table.Events, table.World...) {
		e.Name, e.By, e.Doc = e.Name+"|\n`", "x|\n<y>", hostileText
	}
	for _, r := range table.Rows() {
		r.Why, r.Claim = hostileText, hostileText
		for _, c := range append(r.When, r.Unless...) {
			c.Says, c.Src = "", hostileText
		}
		for _, a := range r.Set {
			a.Src = hostileText
		}
	}
	for _, q := range table.Properties {
		q.Name, q.Doc = q.Name+"|\n", hostileText
	}
	for _, a := range table.Assumptions {
		a.Src, a.Doc = hostileText, hostileText
	}
	return table
}

func TestHostileTextsDontBreakThePage(t *testing.T) {
	page := pageOf(t, hostileTable(t))
	headings, fences := 0, 0
	width := 0 // of the current table
	for line := range strings.Lines(page) {
		if !strings.HasPrefix(line, "|") {
			width = 0
		} else if n := cells(line); width == 0 {
			width = n
		} else if n != width {
			t.Errorf("%d cells under %d: %s", n, width, line)
		}
		if strings.HasPrefix(line, "#") {
			headings++
		}
		if strings.HasPrefix(line, "```") {
			fences++
		}
	}
	clean := pageOf(t, load(t, "lane"))
	if want := strings.Count(clean, "\n#"); headings != want {
		t.Errorf("%d headings, want %d", headings, want)
	}
	if fences != 2 {
		t.Errorf("%d fences, want 2", fences)
	}
	if n := strings.Count(page, "\n-->"); n > 0 {
		t.Error("the marker's comment ends early")
	}
}

// cells counts as GitHub does: a backslash takes the next character's meaning.
func cells(line string) int {
	n := -1
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '|':
			n++
		}
	}
	return n
}
