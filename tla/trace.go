package tla

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// String prints the trace for a reader: each state's number and action, its
// variables one a line, and how an infinite trace goes on.
func (t Trace) String() string {
	var b strings.Builder
	for _, s := range t.States {
		fmt.Fprintf(&b, "%d: %s\n", s.Number, s.Action)
		for _, v := range s.Vars {
			fmt.Fprintf(&b, "   /\\ %s = %v\n", v.Name, v.Value)
		}
	}
	if t.BackTo > 0 {
		fmt.Fprintf(&b, "back to %d: %s\n", t.BackTo, t.BackAction)
	}
	if t.Stuttering {
		b.WriteString("stuttering\n")
	}
	return b.String()
}

var (
	// A state's first line, with the whole of its angle brackets.
	stateHead = regexp.MustCompile(`^(\d+): (?:Back to state: )?<(.*)>$`)
	stateLine = regexp.MustCompile(` line \d+, col \d+ to line \d+, col \d+ of module \w+$`)
)

// state takes one state of a trace, or what ends an infinite one.
func (lr *logReader) state(m message) {
	trace := &lr.res.Trace
	head, body, _ := strings.Cut(m.text, "\n")
	if m.code == codeStuttering {
		trace.Stuttering = true
		return
	}
	g := stateHead.FindStringSubmatch(strings.TrimSpace(head))
	if g == nil {
		lr.warn("unknown state of a trace: %s", head)
		return
	}
	n, err := strconv.Atoi(g[1])
	if err != nil {
		lr.warn("unknown state of a trace: %s", head)
		return
	}
	action := g[2]
	var at Position
	if i := stateLine.FindStringIndex(action); i != nil {
		at, _ = findPosition(action[i[0]:])
		action = action[:i[0]]
	}
	if m.code == codeBackTo {
		trace.BackTo, trace.BackAction = n, action
		return
	}
	trace.States = append(trace.States, State{Number: n, Action: action, At: at, Vars: lr.stateVars(n, body)})
}

// stateVars keeps what it can read, since a verdict is worth more than a trace.
func (lr *logReader) stateVars(n int, text string) []Var {
	vars, err := lr.values.vars(text)
	if err != nil {
		lr.warn("state %d of the trace: %v", n, err)
	}
	return vars
}

// ParseState parses a state as TLC prints one: "/\ x = 1" and so on, or
// "x = 1" if there is one variable; values may be wrapped over several lines.
// Any failure is a [*SyntaxError]; the variables before it are returned too.
func ParseState(text string) ([]Var, error) { return new(Parser).vars(text) }

// vars needs no notion of lines: a value ends where its brackets close.
func (p *Parser) vars(text string) ([]Var, error) {
	p.reset(text)
	var vars []Var
	for {
		p.space()
		if p.pos == len(p.src) {
			return vars, nil
		}
		if !p.accept(`/\`) && len(vars) > 0 {
			return vars, p.errorf(`expected /\ or the end of the state, found %s`, p.found())
		}
		p.space()
		start := p.pos
		for p.pos < len(p.src) && isWord(p.src[p.pos]) {
			p.pos++
		}
		name := p.src[start:p.pos]
		if !isName(name) {
			p.pos = start
			return vars, p.errorf("expected a variable, found %s", p.found())
		}
		if err := p.expect("="); err != nil {
			return vars, err
		}
		v, err := p.value()
		if err != nil {
			return vars, err
		}
		vars = append(vars, Var{name, v})
	}
}
