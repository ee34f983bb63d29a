package diag

import (
	"fmt"
	"io"
	"strings"
)

// Write prints the list for people: each complaint with its source line, a
// caret below the place, the hint, and the second place where there is one.
// source returns a file's text; a file it doesn't know is printed without its
// line.
func Write(w io.Writer, l List, source func(file string) ([]byte, bool)) error {
	p := &printer{source: source, files: map[string][]string{}}
	for i, d := range l {
		if i > 0 {
			p.line("")
		}
		p.line("%s: %s: %s", d.Pos, d.Code, d.Message)
		p.excerpt(d.Pos, d.Width)
		for _, r := range d.Related {
			p.line("  %s: %s", r.Pos, r.Message)
			p.excerpt(r.Pos, 0)
		}
		if d.Hint != "" {
			p.line("  hint: %s", d.Hint)
		}
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

type printer struct {
	source func(string) ([]byte, bool)
	files  map[string][]string
	out    strings.Builder
}

func (p *printer) line(format string, args ...any) {
	fmt.Fprintf(&p.out, format+"\n", args...)
}

func (p *printer) excerpt(pos Pos, width int) {
	lines, ok := p.files[pos.File]
	if !ok {
		if src, found := p.source(pos.File); found {
			lines = strings.Split(string(src), "\n")
		}
		p.files[pos.File] = lines
	}
	if pos.Line < 1 || pos.Line > len(lines) {
		return
	}
	src := []rune(strings.TrimRight(lines[pos.Line-1], "\r"))
	col := min(max(pos.Col, 1), len(src)+1)
	width = max(1, min(width, len(src)-col+1))
	from, dots := 0, ""
	if col > maxLine/2 && len(src) > maxLine {
		from, dots = col-maxLine/2, "…"
	}
	shown := src[from:]
	tail := ""
	if len(shown) > maxLine {
		shown, tail = shown[:maxLine], "…"
	}
	number := fmt.Sprint(pos.Line)
	p.line("  %s | %s%s%s", number, dots, detab(shown), tail)
	pad := strings.Repeat(" ", len(number))
	p.line("  %s | %s%s%s", pad, strings.Repeat(" ", len([]rune(dots))), strings.Repeat(" ", col-1-from), strings.Repeat("^", width))
}

// maxLine is how many code points of a long source line are shown.
const maxLine = 140

// detab keeps columns true: one place a character.
func detab(rs []rune) string {
	return strings.ReplaceAll(string(rs), "\t", " ")
}
