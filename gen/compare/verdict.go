package main

import (
	"fmt"
	"strings"

	"github.com/interlock-go/interlock/gen/compare/record"
)

// verdict says in a few words what a library made of a case: whether, when and
// of how many wrong steps it said no, and what else came of it. It is made of
// the steps' answers alone.
func verdict(d described, c record.Case) string {
	if c.Cannot != "" {
		return "can't say"
	}
	if c.Steps[0].Refused {
		return "refuses at definition"
	}
	wrong, refused := 0, 0
	for i, s := range c.Steps {
		if i > 0 && d.Steps[i].Right == refuse {
			wrong++
			if s.Refused {
				refused++
			}
		}
	}
	var parts []string
	switch {
	case wrong == 0 && len(faults(d, c)) == 0:
		parts = append(parts, "accepts")
	case wrong == 0:
	case refused == 0:
		parts = append(parts, "accepts in silence")
	case refused < wrong:
		parts = append(parts, fmt.Sprintf("refuses %d of %d at run", refused, wrong))
	default:
		parts = append(parts, "refuses at run")
	}
	return strings.Join(append(parts, faults(d, c)...), "; ")
}

// faults are what came of a case besides: each kind once, with the first step.
func faults(d described, c record.Case) (list []string) {
	told := map[string]bool{}
	tell := func(kind, text string) {
		if !told[kind] {
			told[kind] = true
			list = append(list, text)
		}
	}
	for i, s := range c.Steps[1:] {
		want, before := d.Steps[i+1], c.Steps[i].State
		switch {
		case want.Right == accept && s.Refused:
			tell("refuses", fmt.Sprintf("refuses %s, which is right", s.Step))
		case want.Right == accept && want.State != "" && s.State != want.State:
			tell("drops", fmt.Sprintf("drops %s, which is right", s.Step))
		case want.Right == refuse && s.Refused && s.State != "" && s.State != before:
			tell("changed", fmt.Sprintf("the refused %s has changed it", s.Step))
		}
	}
	return list
}

// ideal is the verdict of who answers each step as it is right, as early as it
// can be told.
func ideal(d described) string {
	c := record.Case{}
	for _, s := range d.Steps {
		c.Steps = append(c.Steps, record.Step{Step: s.Step, Refused: s.Right == refuse, State: s.State})
	}
	// A refusal leaves the state as it was.
	for i := range c.Steps {
		if i > 0 && c.Steps[i].Refused {
			c.Steps[i].State = c.Steps[i-1].State
		}
	}
	return verdict(d, c)
}
