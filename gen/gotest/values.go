package gotest

import (
	"github.com/interlock-go/interlock/gen/mbt/literal"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// inside returns the code of a value within an argument's type.
func inside(a *spec.Arg) uint64 {
	if k := a.Sym.Type.Kind; k == expr.Identity || k == expr.Serial {
		return 1
	}
	return 0
}

// beyond returns the code of a value outside an argument's type: the zero
// value in Go if that is one.
func beyond(a *spec.Arg) uint64 {
	t := literal.Outside(a)
	code := uint64(0)
	switch {
	case t.Kind == expr.Int:
		code = uint64(t.Hi-t.Lo) + 1
	case t.Kind == expr.Enum && a.Sym.Type.Kind == expr.Optional:
		code = uint64(len(t.Values)) // a zero in an optional has no code
	case t.Kind == expr.Enum:
		code = ^uint64(0)
	}
	if a.Sym.Type.Kind == expr.Optional {
		code++
	}
	return code
}
