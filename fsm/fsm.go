// Package fsm is what every generated machine needs at run time: what a step
// did, what the table says about a row, an optional value that can be compared,
// lists and sets. And it is what a program may want that has a machine of its
// own: a [Holder], which goroutines share.
package fsm

import "fmt"

// Kind says what a step did. Its zero value is the one that nobody wants, so
// that a decision nobody filled in isn't taken for an accepted one.
type Kind uint8

const (
	Internal Kind = iota // no row applies, or one that must never: a fault of the table or of the state
	Move                 // accepted, the machine may have changed
	Stay                 // accepted, nothing changes
	Refuse               // refused, nothing changes
	Ignore               // of no concern here, nothing changes
)

var kinds = [...]string{Internal: "internal", Move: "move", Stay: "stay", Refuse: "refuse", Ignore: "ignore"}

// String returns the kind as tables write it, and "internal" for Internal.
func (k Kind) String() string {
	if int(k) >= len(kinds) {
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
	return kinds[k]
}

// Accepted reports whether the machine took the event: a move or a stay.
func (k Kind) Accepted() bool { return k == Move || k == Stay }

// Info is what a machine's table says about one of its rows.
type Info struct {
	Name string // event.row, the same in the table, the model and the pictures
	Kind Kind
	Code string // the answer of a stay, a refusal or an ignore; empty for the others
}

// Optional is a value or none. The zero Optional is none, and two of them are
// equal (==) when both are none or both hold the same value.
type Optional[T comparable] struct {
	value T // the zero T for none, or == would tell one none from another
	ok    bool
}

// Some returns an Optional that holds v.
func Some[T comparable](v T) Optional[T] { return Optional[T]{v, true} }

// None returns an Optional that holds nothing.
func None[T comparable]() Optional[T] { return Optional[T]{} }

// Is reports whether o holds v.
func (o Optional[T]) Is(v T) bool { return o.ok && o.value == v }

// HasValue reports whether o holds anything.
func (o Optional[T]) HasValue() bool { return o.ok }

// Value returns what o holds, and the zero T for none. A table's guard rules
// none out before its row reads the value; hand-written code asks HasValue.
func (o Optional[T]) Value() T { return o.value }

// String returns "none", or "some(v)" with v as fmt prints it.
func (o Optional[T]) String() string {
	if !o.ok {
		return "none"
	}
	return fmt.Sprintf("some(%v)", o.value)
}
