// Package tla runs TLC, the model checker for TLA+, and reads what it says:
// verdicts, counterexamples, values, coverage and state graphs, all typed.
package tla
