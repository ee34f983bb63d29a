package mbt

import "github.com/interlock-go/interlock/fsm"

// Bit returns the code of a bool.
func Bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Some returns the code of an optional, given that of what it may hold.
func Some[T comparable](o fsm.Optional[T], code func(T) uint64) uint64 {
	if !o.HasValue() {
		return 0
	}
	return 1 + code(o.Value())
}

// Optional returns the optional with that code, given the value for the code
// of what it may hold.
func Optional[T comparable](code uint64, value func(uint64) T) fsm.Optional[T] {
	if code == 0 {
		return fsm.None[T]()
	}
	return fsm.Some(value(code - 1))
}
