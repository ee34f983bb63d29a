// Package lanes says which run owns a project's one place, its lane.
//
// A product runs work for many projects, and at most one run a project at a
// time. A run claims its project's lane, and gets a lease; whoever holds the
// lease may ask for a stop, and frees the lane when the work has ended:
//
//	m, err := lanes.Open(lanes.Config{})
//	...
//	projects := m.Projects()
//	lease, err := projects.Claim(ctx, "website", "nightly")
//	var no *lanes.Refusal
//	if errors.As(err, &no) && no.Code == lanes.ErrProjectBusy {
//		return fmt.Errorf("%s has it", no.Occupant.Run)
//	}
//	...
//	receipt, err := projects.Release(context.WithoutCancel(ctx), lease, lanes.OutcomeSucceeded)
//
// Projects are independent of each other in everything. A lane doesn't run
// work, stop it or certify it, and there is no queue: who finds it occupied
// decides what to do.
//
// # What holds
//
// Every decision is made by the machine in fsm/lane, which is generated from
// the table spec/lane.yaml, as is the TLA+ model that its properties are checked
// on. This package loads a record, steps, and stores it if nobody else did in
// between.
//
//   - Of any number of simultaneous claims of a project exactly one wins.
//   - A stop frees nothing. The lane is occupied until its owner releases it.
//   - Only the current lease acts, through the manager that issued it. A copy
//     of it is the same lease; a label recovers none.
//   - A lease never shows its token, and can't be made by hand or decoded.
//   - A free lane leaves nothing in memory.
//
// In memory, which is the default, lanes live as long as the process. A holder
// that loses its lease occupies its lane until then: no time-out could tell
// whether its work has ended. OutcomeNeedsReview is for an owner that doesn't
// know whether the outside effect of its run happened; a free lane is no
// permission to repeat that work, and the receipt is the only record of it.
//
// # Refusals
//
// A refused call changes nothing. Its error is a *Refusal, and errors.Is finds
// its code.
//
//	code               row                 when
//	INVALID_LABEL      shell.label         Claim, View: before anything else
//	PROJECT_BUSY       claim.busy          Claim: the lane is occupied
//	INVALID_OUTCOME    release.outcome     Release: none of the four
//	INVALID_LEASE      requestStop.lease   RequestStop: the zero Lease
//	INVALID_LEASE      release.lease       Release: the zero Lease
//	LEASE_NOT_CURRENT  requestStop.stale   RequestStop: any lease but the current one
//	LEASE_NOT_CURRENT  release.stale       Release: any lease but the current one
package lanes
