package markdown

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/interlock-go/interlock/spec"
)

// special are the characters that Markdown, or GitHub's dialect of it, gives a
// meaning inside a paragraph. A pipe is left to page.row.
const special = "\\`*[]<>&~$"

// prose returns s on one line, to be shown as it is written: nothing in it is
// markup or a formula, though GitHub makes a link of a bare web address. An
// underscore inside a word stays bare, since it means nothing there.
func prose(s string) string {
	runes := []rune(strings.Join(strings.Fields(s), " "))
	at := func(i int) rune {
		if i < 0 || i >= len(runes) {
			return ' '
		}
		return runes[i]
	}
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	var b strings.Builder
	for i, r := range runes {
		switch {
		case strings.ContainsRune(special, r),
			r == '_' && !(word(at(i-1)) && word(at(i+1))),
			r == ':' && (word(at(i+1)) || at(i+1) == '+' || at(i+1) == '-'), // :smile:, http://
			startsBlock(runes, i):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// startsBlock reports whether the character at i makes a heading, a list, a
// quote or a rule of a paragraph that begins with runes.
func startsBlock(runes []rune, i int) bool {
	if i == 0 {
		return strings.ContainsRune("#+-=", runes[0])
	}
	if runes[i] != '.' && runes[i] != ')' {
		return false
	}
	for _, r := range runes[:i] {
		if !unicode.IsDigit(r) {
			return false
		}
	}
	return true
}

// code returns s on one line as code.
func code(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if s == "" {
		return ""
	}
	if strings.Contains(s, "|") && strings.Contains(s, `\`) {
		// In a cell the two can't stand side by side within backticks.
		return "<code>" + numbered(s) + "</code>"
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// numbered writes every character but letters, digits and spaces by its number.
func numbered(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == ' ' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, "&#%d;", r)
	}
	return b.String()
}

// sentence returns prose that begins with a capital and ends with a stop.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	r, n := utf8.DecodeRuneInString(s)
	s = string(unicode.ToUpper(r)) + s[n:]
	if !strings.ContainsAny(s[len(s)-1:], `.!?"`) {
		s += "."
	}
	return prose(s)
}

func lowerFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[n:]
}

func article(s string) string {
	if s != "" && strings.ContainsRune("aeiou", unicode.ToLower(rune(s[0]))) {
		return "an " + s
	}
	return "a " + s
}

func number(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// list returns "a", "a and b" or "a, b and c".
func list(items []string, and string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return strings.Join(items[:last], ", ") + " " + and + " " + items[last]
}

// names returns the states' names.
func names(of []*spec.State, which []int) []string {
	var ns []string
	for _, s := range which {
		ns = append(ns, prose(of[s].Name))
	}
	return ns
}

// Prose returns s on one line of Markdown that shows it as it is written. A
// pipe is left alone: see [Cells].
func Prose(s string) string { return prose(s) }

// Code returns s on one line as code, for a cell of a table too.
func Code(s string) string { return code(s) }

// Cells returns a line of a table. What is in a cell is Markdown; a pipe in it
// is escaped, in code too.
func Cells(cells ...string) string {
	p := &page{}
	p.row(cells...)
	return p.buf.String()
}
