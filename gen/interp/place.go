package interp

import (
	"errors"
	"fmt"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

// placed is an error with its place in the table.
type placed struct {
	pos diag.Pos
	err error
}

func (p *placed) Error() string { return p.err.Error() }
func (p *placed) Unwrap() error { return p.err }

// errorAt gives err a place; one with a place of its own, further inside, keeps
// that.
func errorAt(pos diag.Pos, format string, args ...any) error {
	return &placed{pos, fmt.Errorf(format, args...)}
}

// cantExplore says why a model of t, or a property in it, can't be run: a
// diag.List with the innermost place that err has, or the model's.
func cantExplore(t *spec.Table, model *spec.Model, err error) error {
	pos := model.Pos
	if !pos.IsValid() { // a model made by a program
		pos = t.Pos
	}
	var l diag.List
	d := l.Add(diag.ModelTooLarge, pos, "the model %s of %s can't be explored: %v", model.Name, t.Name, err)
	d.Cause = err
	for e := err; e != nil; e = errors.Unwrap(e) {
		if p, ok := e.(*placed); ok && p.pos.IsValid() {
			d.Pos = p.pos
		}
	}
	if d.Pos != pos {
		d.Also(pos, "the model %s", model.Name)
	}
	if errors.Is(err, ErrRange) {
		d.WithHint("start with a value of its type, or widen that")
	}
	return l
}
