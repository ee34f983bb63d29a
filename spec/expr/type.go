// Package expr is the typed expression language of tables: guards, updates,
// effects' arguments and properties.
//
// The syntax is CEL's; the meaning is this package's tree, [Node]. CEL is
// parser and first type checker only: no other package sees it.
package expr

import (
	"fmt"

	"github.com/interlock-go/interlock/spec/diag"
)

// Kind is the form of a Type.
type Kind uint8

const (
	Bool     Kind = iota + 1
	Int           // a whole number from Lo to Hi; bounds of a literal or a size are not tracked
	Enum          // one of Values; the control state is one
	Identity      // only == and in
	Serial        // an identity that is issued in order; its origin is older than all
	Optional      // a value of Elem, or none
	Set           // a finite set of Elem
	List          // a sequence of Elem, of at most Bound
)

// Type is the type of a value. Named types are compared by identity, optional,
// set and list types by their element.
type Type struct {
	Kind   Kind
	Name   string   // of a declared type, "State" for control states; empty for bool, ranges, optional(T), set(T)
	Elem   *Type    // of Optional, Set and List
	Bound  *Node    // of List: a number, as a literal or a constant
	Values []string // of Enum, in declared order
	Lo, Hi int      // of Int
	Text   bool     // of Identity: in Go its values are strings, and the empty one is none
	Else   string   // the code that answers a Go value outside the type; empty if there is none
	Shared bool     // one pool of fresh values for all instances
	Doc    string
	Pos    diag.Pos
}

// BoolType and IntType are the types of conditions and of numbers without
// declared bounds.
var (
	BoolType = &Type{Kind: Bool}
	IntType  = &Type{Kind: Int}
)

// OptionalOf returns optional(elem).
func OptionalOf(elem *Type) *Type { return &Type{Kind: Optional, Elem: elem} }

// SetOf returns set(elem).
func SetOf(elem *Type) *Type { return &Type{Kind: Set, Elem: elem} }

// Same reports whether a and b are one type. All whole numbers are one type;
// so are lists of one element's type, whatever their bounds.
func Same(a, b *Type) bool {
	switch {
	case a == b:
		return true
	case a == nil || b == nil || a.Kind != b.Kind:
		return false
	case a.Kind == Bool || a.Kind == Int:
		return true
	case a.Kind == Optional || a.Kind == Set || a.Kind == List:
		return Same(a.Elem, b.Elem)
	}
	return false
}

// String returns t as the table writes it.
func (t *Type) String() string {
	switch {
	case t == nil:
		return "unknown"
	case t.Name != "":
		return t.Name
	}
	switch t.Kind {
	case Bool:
		return "bool"
	case Int:
		if t.Lo == t.Hi {
			return "int"
		}
		return fmt.Sprintf("%d..%d", t.Lo, t.Hi)
	case Optional:
		return "optional(" + t.Elem.String() + ")"
	case Set:
		return "set(" + t.Elem.String() + ")"
	case List:
		return "list(" + t.Elem.String() + ")"
	}
	return fmt.Sprintf("kind %d", t.Kind)
}
