package diag

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// Write prints the list for people: each complaint with its source line, a
// caret below the place, the second place where there is one, the detail and
// the hint. source returns a file's text; a file it doesn't know is printed
// without its line.
func Write(w io.Writer, l List, source func(file string) ([]byte, bool)) error {
	p := &printer{source: source, files: map[string][]string{}}
	for i, d := range l {
		if i > 0 {
			p.line("")
		}
		p.line("%s", plain(d.Error()))
		p.excerpt(d.Pos, d.Width)
		for _, r := range d.Related {
			p.line("  %s: %s", r.Pos, plain(r.Message))
			p.excerpt(r.Pos, 0)
		}
		for line := range strings.Lines(d.Detail) {
			p.line("    %s", strings.TrimRight(line, "\n"))
		}
		if hint := d.Repair(); hint != "" {
			p.line("  hint: %s", plain(hint))
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
			lines = splitLines(string(src))
		}
		p.files[pos.File] = lines
	}
	if pos.Line < 1 || pos.Line > len(lines) {
		return
	}
	src := []rune(lines[pos.Line-1])
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
	p.line("  %s | %s%s%s", number, dots, plain(string(shown)), tail)
	pad := strings.Repeat(" ", len(number))
	p.line("  %s | %s%s%s", pad, strings.Repeat(" ", len([]rune(dots))), strings.Repeat(" ", col-1-from), strings.Repeat("^", width))
}

// splitLines parts a text as YAML does: a line ends with a line feed, a
// carriage return or both.
func splitLines(src string) []string {
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(src), "\n")
}

// maxLine is how many code points of a long source line are shown.
const maxLine = 140

// plain keeps columns true and terminals safe: one place a character, a space
// for a tab, and nothing that a terminal would obey.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == '\ufeff':
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
