package golang

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// width is where comments wrap, in columns after the indentation.
const width = 80

// comment prints a comment of the given words, wrapped; go/format indents it.
func (p *printer) comment(format string, args ...any) {
	for _, line := range wrap(fmt.Sprintf(format, args...)) {
		p.printf("// %s\n", line)
	}
}

func wrap(text string) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width-len("// "):
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}

// predicate turns a sentence about a subject, "Says who owns it.", into what
// goes on after the subject's name: "says who owns it.". Other sentences
// follow the given one.
func predicate(doc, otherwise string) string {
	first, _, _ := strings.Cut(doc, " ")
	switch {
	case doc == "":
		return otherwise + "."
	case strings.HasSuffix(first, "s") && !strings.HasSuffix(first, "'s") && first != "This" && first != "Its":
		return lowerFirst(doc)
	}
	return otherwise + ". " + doc
}

// lowerFirst makes a sentence's first letter small, unless its first word is
// an abbreviation or a name such as LEASE or FIFO.
func lowerFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	next, _ := utf8.DecodeRuneInString(s[n:])
	if unicode.IsUpper(next) {
		return s
	}
	return string(unicode.ToLower(r)) + s[n:]
}

// sentence makes a clause a sentence: first letter large, a period at its end.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	r, n := utf8.DecodeRuneInString(s)
	s = string(unicode.ToUpper(r)) + s[n:]
	if !strings.ContainsRune(".!?", rune(s[len(s)-1])) {
		s += "."
	}
	return s
}

// count returns a number with its noun: "1 row", "2 rows".
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// list joins words: "a", "a and b", "a, b and c".
func list(words []string, and string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " " + and + " " + words[last]
}
