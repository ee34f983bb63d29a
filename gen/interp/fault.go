package interp

import (
	"errors"
	"fmt"
	"strings"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// What a Fault's Reason is.
var (
	ErrGap       = errors.New("no row applies")
	ErrOverlap   = errors.New("several rows apply")
	ErrUndefined = errors.New("the expression has no value")
	ErrRange     = errors.New("the value is outside its type")
	ErrConflict  = errors.New("two updates of one variable in one step")
	ErrMove      = errors.New("the part isn't where the move starts")
	ErrUnique    = errors.New("two parts have one value in a unique variable")
	ErrStepper   = errors.New("the stepper broke its contract")
)

// Fault is a step, or a property, that can't be told. The table's checker
// finds most of these before; mutants and rejected tables have them.
type Fault struct {
	Reason error       // one of the errors above; errors.Is finds it
	Where  string      // name of the row, event, assumption or property
	Rows   []*spec.Row // of an overlap: those that apply
	Src    string      // of the expression, as the table writes it
	Detail string
	Pos    diag.Pos
	Event  string // with its arguments and instance; empty for a property of states
	State  string
}

// Unwrap returns the reason.
func (f *Fault) Unwrap() error { return f.Reason }

// Error says everything on one line.
func (f *Fault) Error() string {
	var b strings.Builder
	if f.Pos.IsValid() {
		fmt.Fprintf(&b, "%s: ", f.Pos)
	}
	switch f.Reason {
	case ErrGap:
		b.WriteString("gap at " + f.Event)
	case ErrOverlap:
		var names []string
		for _, r := range f.Rows {
			names = append(names, r.Name())
		}
		fmt.Fprintf(&b, "overlap at %s: %s apply", f.Event, strings.Join(names, ", "))
	default:
		fmt.Fprintf(&b, "%s: %v", f.Where, f.Reason)
		if f.Src != "" {
			fmt.Fprintf(&b, ": %s", f.Src)
		}
		if f.Detail != "" {
			fmt.Fprintf(&b, " (%s)", f.Detail)
		}
		if f.Event != "" {
			b.WriteString(", at " + f.Event)
		}
	}
	if f.State != "" {
		b.WriteString(", in " + strings.ReplaceAll(f.State, "\n", "; "))
	}
	return b.String()
}

// Short says what is wrong, without whose fault it is and where that stands.
func (f *Fault) Short() string {
	s := f.Reason.Error()
	switch {
	case f.Reason == ErrOverlap:
		var names []string
		for _, r := range f.Rows {
			names = append(names, r.Name())
		}
		return s + ": " + strings.Join(names, ", ")
	case f.Reason == ErrUndefined:
		s = f.Src + " has no value"
	case f.Src != "":
		s = f.Src + ": " + s
	}
	if f.Detail != "" {
		s += " (" + f.Detail + ")"
	}
	return s
}

// Met says at which call and in which state it was met, each where it is known.
func (f *Fault) Met() string {
	var parts []string
	if f.Event != "" {
		parts = append(parts, "at "+f.Event)
	}
	if f.State != "" {
		parts = append(parts, "in "+strings.ReplaceAll(f.State, "\n", "; "))
	}
	return strings.Join(parts, ", ")
}

// undefined takes the reason out of e, where src was evaluated.
func undefined(e *env, where, src string) *Fault {
	n := e.undefined
	e.undefined = nil
	detail := ""
	switch n.Op {
	case expr.OpGet:
		detail = "value() of none"
	case expr.OpWith:
		detail = "with() of a number outside " + n.Type.Elem.String()
	case expr.OpHead:
		detail = "head() of an empty list"
	case expr.OpTail:
		detail = "tail() of an empty list"
	case expr.OpAppend:
		detail = "append() to a full list"
	case expr.OpField:
		detail = "no part has the origin for its key"
	}
	return &Fault{Reason: ErrUndefined, Where: where, Src: src, Detail: detail, Pos: n.Pos}
}
