// Package spec reads transition tables and checks them: the front end of
// interlock.
//
// A table is one YAML file. It says in which states a machine can be, which
// events it knows, and for every event in every state what is decided. This is
// a whole one:
//
//	machine: door
//	doc: Says whether one may walk through.
//	types:
//	  Key: {is: serial, else: INVALID_KEY}
//	states:
//	  open:   {initial: true}
//	  locked: {}
//	vars:
//	  owner: {type: optional(Key), doc: Who may unlock it.}
//	answers:
//	  LOCKED:      The door is locked already.
//	  NOT_YOURS:   Another's key.
//	  INVALID_KEY: There is no key.
//	events:
//	  lock(key fresh Key):
//	    checks: [{id: again, from: locked, refuse: LOCKED}]
//	    rows:
//	      done: {from: open, to: locked, set: {owner: some(key)}}
//	  unlock(key Key):
//	    checks: [{id: stale, unless: owner.is(key), refuse: NOT_YOURS}]
//	    rows:
//	      done:    {from: locked, to: open, set: {owner: none()}}
//	      unowned: {from: open, never: an open door has no owner}
//	after:
//	  unlock: {OnlyItsOwner: owner.is(key) && new.state == open}
//	models:
//	  small: {sizes: {Key: 3}}
//
// # Decisions
//
// An event has checks, which are tried in order and can only refuse, stay or
// ignore, and rows, which have no order: where no check applies, exactly one row
// must, for every value of what the event reads. A gap, or two rows at once, is a
// diagnostic with a witness. A row has from (states or groups; any if left
// out), when (all of them hold), unless (none does) and one outcome:
//
//	to, set, emit   a move: the next state, updates that read the old state,
//	                effects in order
//	stay: CODE      accepted, nothing changes
//	refuse: CODE    refused, nothing changes
//	ignore: CODE    of no concern here, nothing changes
//	never: SENTENCE the author claims that this can't occur; each model
//	                checks it
//
// A condition may carry its words for people: {holds: x == y, says: ...}.
// Codes stand once under answers, with their sentence.
//
// # Types and expressions
//
// Types are bool, lo..hi, enumerations (one_of: [a, b]), identity (only == and
// in), serial (an identity issued in order: a.after(b), and origin(), which is
// older than all), optional(T), set(T) and list(T) max N, N a number or a
// constant of a range. A variable starts with false, the lowest number, the
// first value, none, nothing or the origin, or with what initial: says: an
// expression, which may read the variables above it, or any, for every value of a
// bool, a range, an enumeration or an optional one. else: CODE
// answers a Go value outside its type, before any check; an argument that is a
// serial without it may be the origin, which is Go's zero value. Expressions are
// CEL's syntax over these operations:
//
//	some(x) none() o.is(x) o.hasValue() o.value()
//	a.after(b) origin()
//	s.with(x) s.without(x) s.union(t) s.minus(t) s.subset(t) s.size() s.isEmpty() x in s empty()
//	l.append(x) l.remove(x) l.head() l.tail() l.size() l.isEmpty() x in l empty()
//	s.all(x, p) s.exists(x, p), also over a list or a type: T.all(x, p)
//	p.implies(q) ! && || ?: == != < <= > >= + - *
//
// value() must be protected by a condition to its left or before it, and so
// must head(), tail(), and append() beyond the bound.
//
// # Parts
//
// parts are what one machine has many of: a record for each value of key, of a
// state (the first one is the start) and variables, which may be unique: no two
// parts hold the same.
//
//	parts:
//	  tickets:
//	    key: Ticket
//	    states: {made: {}, queued: {}, running: {}, done: {}}
//	    groups: {ended: [done]}
//	    vars:   {id: {type: optional(Id), unique: true}, asked: bool}
//	    moves:
//	      enter: {from: made, to: queued}
//	      admit: {from: queued, to: running}
//	      end:   {from: running, to: done, set: {it.asked: "false"}}
//	    remember: {in: past, states: ended, most: Keep}
//
// Expressions read tickets(t).asked, tickets(t).state of the enumeration
// TicketState, and tickets.id, the set of all parts' ids. A row changes a part's
// state along a move only: fire: {admit: waiting.head()}, of one part, an
// optional or each of a list, one move after another; end: {on: t, to: done} where a
// move has several targets. It sets variables by tickets(t).asked: p.
//
// An event of tickets has its first argument for a subject: it.asked is the
// subject's, from: {ticket: queued, session: open} says both states, the
// machine's by the name of per, and to: {ticket: running} fires the one move that
// leads there. Each state of the subject is decided. A fresh subject is as at
// the start.
//
// remember keeps parts that came to an end: the list past has them in the order
// in which they ended, and beyond Keep the first one is forgotten: it is as at
// the start. forget: tickets in a row forgets all of them.
//
// # Sub-tables
//
// tables are rows that the rows of several events go on with in the same step:
// then: handOver. Of its rows exactly one applies in every state. It reads the
// state before the step, and nothing that a row before it sets; its moves and
// effects follow the row's. An effect may be sent for each element of a list:
// emit: [{each: t in waiting, emit: told(t)}].
//
// # Instances and the world
//
// per: Project means one machine a project; they share only the fresh values
// of shared types, and shared variables. A fresh argument is a value that was
// never used; a move uses it up. An event comes from a caller unless it says by
// timer, by operator or by environment, as in expire() by timer. Under world stand
// the things that only the model knows: ghost variables, follows (what the world
// does with a row, an event's moves, stays and ignores, or an effect, charge, that
// has its arguments as charge.visit), can (when the world lets an event happen),
// events of its own, and assume: {on: events, only: p}, or {all:
// [A, B]}, which is short for those. Rows can't read ghosts.
//
// # Properties and models
//
// invariants hold in every state; after says what holds after the moves and
// stays of an event (new.x is the state after it), refused when it is refused,
// always of the moves and stays of every event but those in except; after and
// refused may name one row, as in submit.full. answered says what an event is
// answered: there answer is the code, or moved, refused says whether it was
// refused, and told.x how often the effect x is sent; it is a clause for each
// check and row. One name may have several such
// clauses. isolated: no step of one instance changes what another answers.
// sometimes: each goal is reached. ends: where no step changes anything any more,
// and no fresh value is missing for one, this holds. eventually: from leads to to, for each value
// of each, fair naming the events that go on happening. given: [A] says that a
// property holds only under the assumption A, and must fail without it: one
// that is short for others is dropped as a whole, those of them that given
// names too also by themselves.
//
// models are the sizes at which all of that is explored, each with the
// properties that are its job. One with world: false has no events of the
// world, and any argument is possible: all that the machine answers. Each is
// explored one size up too, where nothing may be otherwise: that is one more of
// each thing, or what up says. record
// gives sizes, {small: {Key: 3}}, at which every step of one instance, without a
// world, is kept as data beside the generated code. A rejected
// design has base: and fails:, and adds or replaces by name what it changes;
// drop: [event.row] leaves a decision out.
//
// # Complaints
//
// What is wrong with a table is told all at once, with codes that are stable
// between releases: interlock explain lists them, and shows of each an example
// and its repair. What is of no use in a table that is otherwise fine, such as a
// name that nothing reads, is in Table.Warnings.
package spec
