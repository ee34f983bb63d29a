package main

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/goccy/go-yaml"

	"github.com/interlock-go/interlock/gen/compare/record"
)

//go:embed cases.yaml
var casesYAML []byte

// library is one of those that are compared.
type library struct {
	Key     string // for this program
	Name    string
	Version string // how it is known: "go MODULE", "reported" by its program, or as it stands
	As      string // how it is used
	Says    string // what its documentation says of it
}

// rightAnswer is what should come of a step.
type rightAnswer string

const (
	accept rightAnswer = "accept"
	refuse rightAnswer = "refuse"
)

// step is one of a case's.
type step struct {
	Step  string
	Right rightAnswer
	State string // in which an accepted step must end; "" if it doesn't matter
}

// described is a case as cases.yaml has it.
type described struct {
	Case  int
	Title string
	Input string
	Steps []step // the first is "define"
}

type comparison struct {
	Libraries []library
	Cases     []described
}

// read returns what cases.yaml says.
func read() (c comparison, err error) {
	if err := yaml.UnmarshalWithOptions(casesYAML, &c, yaml.Strict()); err != nil {
		return c, fmt.Errorf("cases.yaml: %w", err)
	}
	for _, d := range c.Cases {
		if len(d.Steps) == 0 || d.Steps[0].Step != "define" {
			return c, fmt.Errorf("cases.yaml: case %d doesn't begin with define", d.Case)
		}
		for _, s := range d.Steps {
			if s.Right != accept && s.Right != refuse {
				return c, fmt.Errorf("cases.yaml: case %d, %s: right is %q", d.Case, s.Step, s.Right)
			}
		}
	}
	return c, nil
}

// answerTo finds what a library's program told of a case, and holds it against
// the case's steps: each in its place, and none left out unless the one before
// was refused.
func answerTo(d described, a record.Answers) (record.Case, error) {
	i := slices.IndexFunc(a.Cases, func(c record.Case) bool { return c.Case == d.Case })
	if i < 0 {
		return record.Case{}, fmt.Errorf("case %d: nothing is told", d.Case)
	}
	c := a.Cases[i]
	if c.Cannot != "" {
		if len(c.Steps) > 0 {
			return c, fmt.Errorf("case %d: it can't be said, and has steps", d.Case)
		}
		return c, nil
	}
	for i, s := range c.Steps {
		if i >= len(d.Steps) || s.Step != d.Steps[i].Step {
			return c, fmt.Errorf("case %d: step %d is %q", d.Case, i+1, s.Step)
		}
		if s.Refused && s.Said == "" {
			return c, fmt.Errorf("case %d: %s was refused without a word", d.Case, s.Step)
		}
	}
	if n := len(c.Steps); n == 0 || n < len(d.Steps) && !c.Steps[n-1].Refused {
		return c, fmt.Errorf("case %d: %d of %d steps are told", d.Case, n, len(d.Steps))
	}
	return c, nil
}
