// Package explore searches everything that a machine can do.
//
// A System says where it may start and which steps lead on from a state. Run
// visits every reachable state once, breadth first, and judges each property
// on the way: an invariant of states, a property of steps, or a goal that must
// be reached sometime. What it reports is exact for the system given, the
// path to a violation or to a goal is a shortest one, and the same system
// gives the same report on every run: states are numbered in the order in
// which they are found, and nothing depends on time, chance or a map's order.
//
// Steps that change nothing are steps too. A refusal is judged, counted and
// streamed like a move, so a property can tell a machine that refuses from one
// that doesn't answer.
//
// Verdicts are never better than the search behind them. Where a budget, a
// cancelled context or a fault of the system ended it early, a property that
// was not decided is Undecided; it holds only over all states and steps.
//
// The state is the identity of everything: it must hold all that later steps
// depend on, and be comparable with == without panicking. A state per visited
// node is kept, with 8 bytes for the way to it; labels are not kept, they come
// from asking the system once more. The system must therefore give the same
// steps in the same order whenever it is asked.
package explore
