// Package diff says what a change of a table means: which decisions changed,
// which properties no longer hold, and what was only renamed, reworded or
// moved.
//
// # How it knows
//
// Things are matched by name first. What has no namesake is matched by all that
// is said of it and all that names it, names aside, and what is still left by
// likeness: a rename isn't reported as one thing gone and another one new.
// Expressions are compared as trees, definitions and groups put in, the order
// of && and || aside.
//
// Two tables that say the same, names apart, are the same machine, and nothing
// is searched. Else both machines are walked side by side, in each model of
// both tables: the same event with the same arguments is put to both for as
// long as both answer alike. So the first difference on a way is met on a
// shortest one. Where both tables have the same world, it is walked too; where
// they don't, or a changed cell stays out of reach, callers may say anything.
// Where rows that are written otherwise are still unseen then, the walk goes on
// past the differences: on the way of either machine, with the other one put
// into the same state, as far as it can be there. So a difference doesn't hide
// another. What is found there is told with whose way it is. A cell that no
// model reaches is told from the tables alone.
//
// Seen is what production code sees: accepted or not, the code, the effects, and
// afterwards the state and the variables that both tables have. Ghosts, the
// names of rows and which of them decided aren't.
//
// # Breaking
//
// A change breaks if, in some cell, a command that was accepted is refused, or
// the reverse; or if it is answered with another code, leads to another state,
// leaves other values or sends other effects. It also breaks if
//
//   - an event, an effect, a state, a part, or a value of an enumeration is gone;
//   - an argument of an event or effect is new, gone or of another type, or the
//     type of a variable or constant or what answers a Go value outside a type
//     changed, or what holds at the start;
//   - an event is new that no caller asks for: by timer or environment;
//   - a property that held fails.
//
// It is harmless if nothing of that is so: names (Go's compiler finds them; a
// code's new name is told, since callers may look for the old one), words for
// people, order, new events of callers, states, rows and checks that decide as
// before, models and the world.
//
// It can't be told where a table can't be read, where a model can't be run or a
// walk was cut short, where a cell is written otherwise and no model comes there (unless a row
// claims that nothing does), and where a new property fails.
package diff
