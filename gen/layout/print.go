package layout

import (
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// print lays out the lines one by one: those with a start as the tree says,
// those that go on with a value as that one moved.
func (l *layout) print() string {
	columns := l.columns()
	var out []string
	shift, under := 0, 0
	for i, line := range l.lines {
		text := strings.Trim(line, space)
		switch s := l.starts[i]; {
		case text == "" && !l.literal[i]:
			if len(out) > 0 && out[len(out)-1] != "" {
				out = append(out, "")
			}
		case text == "":
			out = append(out, "")
		case s != nil:
			shift, under = s.indent-s.column, s.indent+2
			if s.dash && s.entry != nil {
				under += 2
			}
			out = append(out, l.startLine(i, s, columns[i]))
		case !l.literal[i] && strings.HasPrefix(text, "#") && !l.inside(i):
			out = append(out, strings.Repeat(" ", l.commentIndent(i, line))+text)
		default:
			old := len(line) - len(strings.TrimLeft(line, " "))
			text, comment := l.uncommented(i, line[old:])
			if l.literal[i] {
				text, comment = line[old:], "" // all of it is the text
				if i > 0 && !l.literal[i-1] {
					shift = under - old
				}
			}
			out = append(out, strings.Repeat(" ", max(0, old+shift))+text+comment)
		}
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n") + "\n"
}

// startLine prints a line on which something begins. column is where its value
// is to stand behind the key; 0: behind one space.
func (l *layout) startLine(i int, s *start, column int) string {
	line := l.lines[i]
	text := strings.Repeat(" ", s.indent)
	rest := line[s.column:]
	if s.dash {
		text += "- "
		rest = strings.TrimLeft(rest[1:], " ")
	}
	if s.entry == nil {
		return text + l.behind(i, rest, s.value)
	}
	key, rest := l.key(i, s)
	text += key
	if s.value == nil {
		_, comment := l.uncommented(i, rest)
		return text + comment
	}
	pad := max(1, column-width(key))
	return text + strings.Repeat(" ", pad) + l.behind(i, strings.TrimLeft(rest, " "), s.value)
}

// key returns an entry's key with its colon, and what stands behind it.
func (l *layout) key(i int, s *start) (key, rest string) {
	runes := []rune(l.lines[i])
	from, colon := s.entry.Key.GetToken().Position.Column-1, s.entry.Start.Position.Column-1
	return strings.TrimRight(string(runes[from:colon]), " ") + ":", string(runes[colon+1:])
}

// behind lays out a value, and the comment behind it.
func (l *layout) behind(i int, rest string, value ast.Node) string {
	text, comment := l.uncommented(i, rest)
	if value != nil {
		if end := last(value); end != nil && end.Position.Line == i+1 {
			text = flow(value)
		}
	}
	return text + comment
}

// uncommented returns the end of line i, without the comment behind it, and
// that, one space apart.
func (l *layout) uncommented(i int, rest string) (text, comment string) {
	if column := l.comment[i]; column > 0 {
		runes := []rune(l.lines[i])
		comment = string(runes[column-1:])
		rest = strings.TrimSuffix(rest, comment)
		comment = " " + strings.TrimRight(comment, " \t")
	}
	return strings.TrimRight(rest, " \t"), comment
}

// columns returns for each line in which column of its entry the value stands:
// entries of a mapping one under another have one if any is set apart.
func (l *layout) columns() []int {
	out := make([]int, len(l.lines))
	var run []int
	apart := false
	end := func() {
		if apart {
			widest := 0
			for _, i := range run {
				key, _ := l.key(i, l.starts[i])
				widest = max(widest, width(key)+1)
			}
			for _, i := range run {
				out[i] = widest
			}
		}
		run, apart = nil, false
	}
	for i, line := range l.lines {
		s := l.starts[i]
		if s == nil && strings.HasPrefix(strings.Trim(line, space), "#") {
			continue
		}
		if s == nil || s.entry == nil || s.value == nil || s.dash {
			end()
			continue
		}
		if len(run) > 0 && l.starts[run[0]].of != s.of {
			end()
		}
		run = append(run, i)
		_, rest := l.key(i, s)
		apart = apart || strings.HasPrefix(rest, "  ")
	}
	end()
	return out
}

// inside reports whether line i goes on with a value in flow style.
func (l *layout) inside(i int) bool {
	for j := i - 1; j >= 0; j-- {
		s := l.starts[j]
		if s == nil {
			continue
		}
		if s.value == nil {
			return false
		}
		end := last(s.value)
		return end != nil && end.Position.Line > i+1
	}
	return false
}

// commentIndent returns where a comment on a line of its own goes: with what
// follows it, or if it stood in the column of something before it that is not
// that of what follows, with that.
func (l *layout) commentIndent(i int, line string) int {
	old := len(line) - len(strings.TrimLeft(line, " \t"))
	next := -1
	for j := i + 1; j < len(l.lines) && next < 0; j++ {
		if s := l.starts[j]; s != nil {
			if s.column == old {
				return s.indent
			}
			next = s.indent
		}
	}
	for j := i - 1; j >= 0; j-- {
		if s := l.starts[j]; s != nil && s.column <= old {
			if s.column == old {
				return s.indent
			}
			break
		}
	}
	return max(next, 0)
}
