package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/interlock-go/interlock/gen/compare/record"
)

const intro = `<!-- Made by go run ./gen/compare; DO NOT EDIT. -->

# Comparison

%d small inputs, each a report of somebody's about some state machine library, are put to four of them and to interlock: the real ones, in
the versions below, used as their documentation says. A script runs them and makes this page of what they answer (%[2]smake compare%[2]s;
%[2]smake compare CHECK=1%[2]s and a test say when it is stale). The programs are in [gen/compare](../gen/compare).

`

const legend = `## What they say

An input comes in steps: the machine is defined, then events happen. Of each step it is fixed beforehand whether it is right or wrong
([cases.yaml](../gen/compare/cases.yaml)), and of each answer whether it was an error or not. Nothing else makes these words:

- **refuses at definition**: the machine isn't made, so no event meets the fault.
- **refuses at run**: it is made, and says no to each wrong event, when it happens.
- **accepts in silence**: it says no to nothing that is wrong.
- **accepts**: nothing was wrong, and it did what was asked.
- **can't say**: the input has no form there; the reason stands with the case.

What is right is interlock's view, that a fault is best told before anything runs, and others take another for good reasons. Where a
library's documentation says which of two transitions is taken, "accepts in silence" is what it promises. Where conditions are functions of
the program, nobody can compare them before they run; only conditions in a small language, as here, can be, and that is what they cost:
what the language can't say has no form.

`

const outro = `## What these inputs don't ask

They are about flat machines and what goes wrong with them, since that is what interlock is for. XState and python-statemachine have
hierarchy, parallel regions, history, delays and invoked work; stateless has substates; looplab/fsm is small and quick to learn; all of them
run code of yours in a transition. interlock has none of that: a table decides, and the program around it acts.
`

// page prints docs/comparison.md.
func page(root string, c comparison, answers map[string]record.Answers) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, intro, len(c.Cases), "`")
	b.WriteString("| library | version | used as | and its documentation says |\n|---|---|---|---|\n")
	for _, l := range c.Libraries {
		v, err := version(root, l, answers[l.Key])
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", l.Name, v, l.As, l.Says)
	}
	b.WriteString("\n" + legend + "| case | right |")
	for _, l := range c.Libraries {
		b.WriteString(" " + l.Name + " |")
	}
	b.WriteString("\n|" + strings.Repeat("---|", len(c.Libraries)+2) + "\n")
	var details bytes.Buffer
	for _, d := range c.Cases {
		fmt.Fprintf(&b, "| [%d. %s](#%s) | %s |", d.Case, d.Title, anchor(d), ideal(d))
		fmt.Fprintf(&details, "## %s\n\n```text\n%s```\n\n", heading(d), d.Input)
		for _, l := range c.Libraries {
			a, err := answerTo(d, answers[l.Key])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", l.Name, err)
			}
			fmt.Fprintf(&b, " %s |", verdict(d, a))
			fmt.Fprintf(&details, "- **%s** %s\n", l.Name, told(a))
		}
		b.WriteString("\n")
		details.WriteString("\n")
	}
	b.WriteString("\n")
	b.Write(details.Bytes())
	b.WriteString(outro)
	return b.Bytes(), nil
}

func heading(d described) string { return fmt.Sprintf("Case %d: %s", d.Case, d.Title) }

// anchor is what GitHub makes of a heading.
func anchor(d described) string {
	keep := func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r >= '0' && r <= '9', r >= 'a' && r <= 'z':
			return r
		}
		return -1
	}
	return strings.Map(keep, strings.ToLower(heading(d)))
}

// told is what a library said to a case, step by step.
func told(c record.Case) string {
	if c.Cannot != "" {
		return "can't say it: " + c.Cannot
	}
	var steps []string
	for _, s := range c.Steps {
		text := "refuses"
		if !s.Refused {
			text = "takes"
		}
		text += " " + code(s.Step)
		if s.Said != "" {
			text += ": " + code(short(s.Said))
		}
		if s.State != "" {
			text += " → " + s.State
		}
		steps = append(steps, text)
	}
	return strings.Join(steps, "; ")
}

// most is the length of what is quoted of an answer, in runes.
const most = 160

// short puts an answer on one line and cuts it.
func short(said string) string {
	runes := []rune(strings.Join(strings.Fields(said), " "))
	if len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return string(runes)
}

func code(s string) string {
	if strings.Contains(s, "`") {
		return "`` " + s + " ``"
	}
	return "`" + s + "`"
}

// version says which one of a library it was: go.mod's, or what its program
// found installed.
func version(root string, l library, a record.Answers) (string, error) {
	if l.Version == "reported" {
		if a.Version == "" {
			return "", fmt.Errorf("%s: its program tells no version", l.Name)
		}
		return a.Version, nil
	}
	module, ok := strings.CutPrefix(l.Version, "go ")
	if !ok {
		return l.Version, nil
	}
	name := filepath.Join(root, "go.mod")
	data, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	f, err := modfile.ParseLax(name, data, nil)
	if err != nil {
		return "", err
	}
	for _, r := range f.Require {
		if r.Mod.Path == module {
			return strings.TrimPrefix(r.Mod.Version, "v"), nil
		}
	}
	return "", fmt.Errorf("%s: go.mod doesn't require %s", l.Name, module)
}
