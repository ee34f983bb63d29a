package fsm

import (
	"fmt"
	"slices"
)

// Source says which table a machine was generated from.
type Source struct {
	Machine string // its name
	Table   string // "sha256:" and the hash of its source
}

// UnknownError is a stored state or value that a machine's table doesn't have:
// it has changed since, or the state is another machine's.
type UnknownError struct {
	What   string // "state", or the type's name
	Name   string // as it was stored
	Source        // of the machine that is to take it
}

// Error names the state, the machine and the table.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("unknown %s %s of machine %s, table %s", e.What, e.Name, e.Machine, e.Table)
}

// MarshalName returns the name of a generated enumeration's value, for
// MarshalText. A zero that is none of the values has the empty name. The error
// is an *UnknownError.
func MarshalName(from Source, what string, names []string, value int) ([]byte, error) {
	if value < 0 || value >= len(names) {
		return nil, &UnknownError{what, fmt.Sprint(value), from}
	}
	return []byte(names[value]), nil
}

// UnmarshalName is the reverse.
func UnmarshalName(from Source, what string, names []string, text []byte) (int, error) {
	i := slices.Index(names, string(text))
	if i < 0 {
		return 0, &UnknownError{what, string(text), from}
	}
	return i, nil
}
