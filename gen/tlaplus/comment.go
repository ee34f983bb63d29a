package tlaplus

import (
	"strings"

	"github.com/interlock-go/interlock/gen/file"
)

// preface opens a module and says in a box what it is for.
func (w *printer) preface(name string, paragraphs ...string) {
	title := " MODULE " + name + " "
	left := (77 - len(title)) / 2
	w.line("%s%s%s", strings.Repeat("-", left), title, strings.Repeat("-", 77-len(title)-left))
	w.line("(%s)", strings.Repeat("*", 75))
	row := func(s string) { w.line("(* %-71s *)", s) }
	row(file.Marker(w.m.source()))
	for _, p := range paragraphs {
		row("")
		for _, l := range paragraph(p, 71) {
			row(l)
		}
	}
	w.line("(%s)", strings.Repeat("*", 75))
}

// source is the table's file without its folders: a preface says nothing about
// the machine that printed it.
func (m *module) source() string { return m.t.Path[strings.LastIndexByte(m.t.Path, '/')+1:] }

func (w *printer) end() { w.line("%s", strings.Repeat("=", 77)) }

func (w *printer) section() {
	w.line("")
	w.line("%s", strings.Repeat("-", 77))
}

// comment prints sentences, each paragraph on lines of its own.
func (w *printer) comment(paragraphs ...string) {
	var lines []string
	for _, p := range paragraphs {
		if p != "" {
			lines = append(lines, paragraph(p, 71)...)
		}
	}
	if len(lines) == 0 {
		return
	}
	if len(lines) == 1 {
		w.line("(* %s *)", lines[0])
		return
	}
	for _, l := range lines {
		w.line("(* %-71s *)", l)
	}
}

// paragraph breaks text into lines of at most n characters, and keeps it from
// ending a comment.
func paragraph(s string, n int) []string {
	s = strings.NewReplacer("(*", "( *", "*)", "* )").Replace(s)
	var out []string
	for _, word := range strings.Fields(s) {
		if last := len(out) - 1; last >= 0 && len(out[last])+1+len(word) <= n {
			out[last] += " " + word
		} else {
			out = append(out, word)
		}
	}
	return out
}

// noted prints a declared name with its note beside it.
func (w *printer) noted(name string, column int, note string) {
	lines := paragraph(note, width-column-6)
	if len(lines) == 0 {
		w.line("  %s", name)
		return
	}
	w.line("  %-*s \\* %s", column, name, lines[0])
	for _, l := range lines[1:] {
		w.line("  %-*s \\* %s", column, "", l)
	}
}
