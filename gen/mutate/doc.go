// Package mutate changes a table in one place at a time, and says what notices.
//
// A change, a mutant, is made on the table's text, so that it can be shown as a
// line and read as a table. Each mutant is put before every group of killers,
// also after one has noticed:
//
//   - the checker: what the front end refuses or warns of that it doesn't in the
//     table itself
//   - the properties, each by its name, in every size that checks them
//   - never rows that are reached, and steps that have no meaning
//   - vacuity: rows that never fire, states that are never entered, premises that
//     are never met, assumptions and fairness that nothing needs
//   - the tests: the steps of the table itself, taken one by one on the mutant, as
//     the generated tests take them on the generated Go
//
// A mutant that the front end refuses is run all the same (spec.Undecided,
// interp.Loose): what nobody decides is refused, and of several rows the first
// decides. So it is told apart what the checker alone sees. A mutant that isn't
// even that is an error, and no kill.
//
// What only the checker or the tests notice proves nothing about the properties:
// a dropped row is always a gap, and any change differs from a recorded graph.
// A survivor needs a reason that a person wrote, and its graph must be that of
// the table in every size.
package mutate
