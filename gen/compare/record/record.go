// Package record is what the programs of the comparison tell: for each case
// what a library said at each step.
package record

import "fmt"

// Step is what came of one step of a case.
type Step struct {
	Step    string `json:"step"`
	Refused bool   `json:"refused"`
	Said    string `json:"said"`  // the library's own words, of a refusal or of what it accepted
	State   string `json:"state"` // of the machine after it, its data included; "" if there is none
}

// Case is what came of one case.
type Case struct {
	Case   int    `json:"case"`
	Cannot string `json:"cannot"` // why the library can't say it; then there are no steps
	Steps  []Step `json:"steps"`
}

// Answers are all that one program tells.
type Answers struct {
	Version string `json:"version"` // of the library, if the program knows it
	Cases   []Case `json:"cases"`
}

// New begins the record of a case.
func New(number int) *Case { return &Case{Case: number} }

// Try takes a step: an error or a panic is a refusal. state is asked after it,
// unless it is nil; where a definition panicked it isn't asked.
func (c *Case) Try(step string, state func() string, f func() error) (ok bool) {
	s := Step{Step: step}
	if err := caught(f); err != nil {
		s.Refused, s.Said = true, err.Error()
	}
	if state != nil {
		s.State = state()
	}
	c.Steps = append(c.Steps, s)
	return !s.Refused
}

// Says adds to what came of the last step what the machine said by itself.
func (c *Case) Says(text string) { c.Steps[len(c.Steps)-1].Said = text }

func caught(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return f()
}
