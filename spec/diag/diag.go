// Package diag holds what the front end says about a table: complaints with a
// stable code, a position, and a hint how to mend them.
package diag

import (
	"cmp"
	"fmt"
	"slices"
)

// Pos is a place in a source file. Lines and columns count from 1, columns in
// Unicode code points; the zero Pos is no place.
type Pos struct {
	File string
	Line int
	Col  int
}

// IsValid reports whether p names a place.
func (p Pos) IsValid() bool { return p.Line > 0 }

// String returns p as file:line:col.
func (p Pos) String() string {
	if !p.IsValid() {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Related points at a second place, such as the other row of a clash.
type Related struct {
	Pos     Pos
	Message string
}

// Diagnostic is one complaint. Code is stable between releases: scripts and
// documentation may name it.
type Diagnostic struct {
	Code    Code
	Pos     Pos
	Width   int // code points under the caret; 0 is taken as 1
	Message string
	Hint    string // how to mend it; empty: what the code says
	Related []Related
	Detail  string // further lines, such as the steps of a counterexample
	Cause   error  // of Unreadable: the file system's; may be nil
}

// Error returns the complaint on one line.
func (d *Diagnostic) Error() string {
	return fmt.Sprintf("%s: %s: %s", d.Pos, d.label(), d.Message)
}

// Unwrap returns the cause.
func (d *Diagnostic) Unwrap() error { return d.Cause }

// Severity returns how much the complaint weighs.
func (d *Diagnostic) Severity() Severity { return d.Code.Info().Severity }

// Repair returns the hint, or the general one of the code.
func (d *Diagnostic) Repair() string { return cmp.Or(d.Hint, d.Code.Info().Repair) }

// label is the code, with a word where it isn't an error.
func (d *Diagnostic) label() string {
	if s := d.Severity(); s == Warning {
		return fmt.Sprintf("%s (%s)", d.Code, s)
	}
	return string(d.Code)
}

// List collects complaints; it is an error when it isn't empty.
type List []*Diagnostic

// Add appends a complaint and returns it, so that a hint or a second place can
// be added.
func (l *List) Add(code Code, pos Pos, format string, args ...any) *Diagnostic {
	d := &Diagnostic{Code: code, Pos: pos, Message: fmt.Sprintf(format, args...)}
	*l = append(*l, d)
	return d
}

// Sort orders the list by position, then code.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b *Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Pos.File, b.Pos.File),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col),
			cmp.Compare(a.Code, b.Code))
	})
}

// Unwrap returns the complaints.
func (l List) Unwrap() []error {
	out := make([]error, len(l))
	for i, d := range l {
		out[i] = d
	}
	return out
}

// Err returns l as an error, and nil for an empty list.
func (l List) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l
}

// Error returns all complaints, a line each.
func (l List) Error() string {
	s := ""
	for i, d := range l {
		if i > 0 {
			s += "\n"
		}
		s += d.Error()
	}
	return s
}

// WithHint sets the hint and returns d.
func (d *Diagnostic) WithHint(format string, args ...any) *Diagnostic {
	d.Hint = fmt.Sprintf(format, args...)
	return d
}

// Also adds a second place, if it is one, and returns d.
func (d *Diagnostic) Also(pos Pos, format string, args ...any) *Diagnostic {
	if !pos.IsValid() {
		return d
	}
	d.Related = append(d.Related, Related{Pos: pos, Message: fmt.Sprintf(format, args...)})
	return d
}
