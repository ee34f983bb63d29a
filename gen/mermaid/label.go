package mermaid

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLine is how many characters of a label stand on one line, unless a single
// name is longer.
const maxLine = 22

// lines returns the edge's labels as "a, b or c", not yet escaped.
func (e *Edge) lines() []string {
	var lines []string
	for i, l := range e.Labels {
		word := l
		switch {
		case i > 0 && i == len(e.Labels)-1:
			word = "or " + l
		case i < len(e.Labels)-2:
			word += ","
		}
		if n := len(lines); n > 0 && utf8.RuneCountInString(lines[n-1]+" "+word) <= maxLine {
			lines[n-1] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}

// plain are the characters that Mermaid 10.9 to 11.17 shows as they are in a
// label, beside letters, digits, spaces and an underscore inside a word.
const plain = ".,()/'+=-!?"

// Escape returns s for use inside a label, quoted or not: every character that
// could mean something to Mermaid, or to the Markdown in its labels, is
// written by its number. White space becomes single spaces. An empty text is a
// space of no width, since Mermaid refuses an empty label.
func Escape(s string) string {
	runes := []rune(strings.Join(strings.Fields(s), " "))
	if len(runes) == 0 {
		return "#8203;"
	}
	word := func(i int) bool {
		return i >= 0 && i < len(runes) && (unicode.IsLetter(runes[i]) || unicode.IsDigit(runes[i]))
	}
	var b strings.Builder
	for i, r := range runes {
		switch {
		case r == ' ' && strings.HasSuffix(string(runes[:i]), "direction"):
			b.WriteString("#32;") // "direction LR" is a statement wherever it stands
		case r == '_' && word(i-1) && word(i+1), word(i), r == ' ':
			b.WriteRune(r)
		case strings.ContainsRune(plain, r) && !startsList(runes, i):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}

// startsList reports whether the character at i makes a list of the label, as
// in "- a" and "1. a", which Mermaid replaces by a complaint.
func startsList(runes []rune, i int) bool {
	for _, r := range runes[:i] {
		if !unicode.IsDigit(r) {
			return false
		}
	}
	return i == 0 || runes[i] == '.' || runes[i] == ')'
}
