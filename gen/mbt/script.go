package mbt

import (
	"fmt"
	"strings"

	"github.com/interlock-go/interlock/gen/mbt/literal"
)

// script is a run as Go code that can be pasted into a test.
type script struct {
	lines []scriptLine
}

type scriptLine struct{ code, comment string }

func newScript(p literal.Printer, params []int, start []uint64) *script {
	return &script{lines: []scriptLine{{code: "m := " + p.Machine(params, start)}}}
}

func (s *script) add(event, row string) {
	s.lines = append(s.lines, scriptLine{"m.Step(" + event + ", nil)", row})
}

// String returns a line for each command, with the row that decides it as a
// comment.
func (s *script) String() string {
	width := 0
	for _, l := range s.lines[1:] {
		width = max(width, len(l.code))
	}
	var b strings.Builder
	for _, l := range s.lines {
		if l.comment == "" {
			fmt.Fprintf(&b, "\t%s\n", l.code)
			continue
		}
		fmt.Fprintf(&b, "\t%-*s // %s\n", width, l.code, l.comment)
	}
	return b.String()
}
