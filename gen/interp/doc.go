// Package interp runs a checked table directly: its typed trees are compiled
// to closures over unsigned integers, and [Machine] is the resulting state
// space of one model of the table, for fsm/explore to search.
//
// It is the engine that needs nothing generated, so it also runs tables that
// must fail and mutants of tables, whose cells may have gaps; and it drives
// generated code through [Stepper] over the same states, so that two graphs
// can be compared edge by edge.
//
// # Codes
//
// Each value is one uint64, by its type:
//
//	bool         0, 1
//	lo..hi       the number - lo
//	enumeration  the value's index; so are control states
//	identity     1..n
//	serial       1..n, and 0 for the origin
//	optional     0 for none, else 1 + the element's code
//	set          bit i is set if the element with code i is in it
//	list         digits in base n + 1, for elements of n codes, the head's the
//	             lowest: 1 + the element's code, and 0 behind the last one
//	             (expr.ListBase); codes of identities and serials count from 0
//
// A [State] packs them, of each instance first the control state, the
// variables, the parts, the ghosts and the counters of fresh values, then the
// shared variables and counters. A kind of parts has a record for each value of
// its key, in order: the state, then its variables.
package interp
