package record

import (
	"errors"
	"time"
)

// patience is long, or what a busy processor does would be taken for a wait.
const patience = 5 * time.Second

// Caller is a call by somebody else, made while another is being handled.
type Caller struct {
	done chan struct{}
	err  error
}

// errNoAnswer is what a Caller got that was never answered.
var errNoAnswer = errors.New("no answer in time")

// Another makes the call f, and returns when it is done; or after patience, if f
// has to wait until the call that is being handled is over.
func Another(f func() error) *Caller {
	c := &Caller{done: make(chan struct{})}
	go func() {
		defer close(c.done)
		c.err = caught(f)
	}()
	select {
	case <-c.done:
	case <-time.After(patience):
	}
	return c
}

// Answer is what the call returned. A nil Caller never called.
func (c *Caller) Answer() error {
	if c == nil {
		return errNoAnswer
	}
	select {
	case <-c.done:
		return c.err
	case <-time.After(patience):
		return errNoAnswer
	}
}
