// Package equal compares the graphs of one model that different engines reach,
// edge by edge: refusals and other answers that change nothing included, with
// arguments and effects.
//
// There are three legs. [Compare] holds the interpreted table against
// generated code (a [Machine] with a stepper of its own) and against TLC (the
// lines that a comparison module has it print, [Printed]): both speak of the
// table's own variables, so the two multisets of edges must be the same.
// [Lockstep] holds it against a model that was written by hand and has
// variables of its own: both are walked from their first states, every answer
// must be the same, and states must correspond one to one.
//
// A difference is an error that says it in the table's words, with a shortest
// path to it.
package equal
