// Package lanes says who may work where, and when: one run a project, one
// writer a session.
//
// Open returns a Manager, whose parts know nothing of each other:
//
//   - Manager.Projects: which run owns a project's one place, its lane. Nobody
//     waits; who finds a lane occupied is told by whom.
//   - Manager.Coordinator: the writers of one session run one at a time, in the
//     order in which they asked.
//   - Manager.Sessions: whether a run of ours is in a session of an agent server,
//     so that no prompt is sent into a turn that runs elsewhere.
//
// Each is of use alone. A program that needs all three has one inside the other:
// a run claims its project's lane; each of its turns waits for its place in a
// session's queue; and within the turn the agent server's session is begun,
// prompted and seen to end. A session of the coordinator is whatever id turns
// queue under; one of an agent server is the server's, in a directory. Example
// (AllParts), in example_parts_test.go, is such a program.
//
// # Projects
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
// Names of projects and runs are labels: 1 to 80 ASCII characters, first a letter
// or digit, then letters, digits, dots, underscores and hyphens.
//
// A lane doesn't run work, stop it or certify it, and there is no queue: who finds
// it occupied decides what to do. A stop that is asked for is kept and shown, and
// nobody is called: the program that asks ends the run's context besides, or the
// run looks at View now and then. Example (Projects.RequestStop) is such a run.
// Projects are independent of each other in everything.
//
// # Sessions and their queues
//
// A coordinator takes the place of a lock around a turn: as safe, but one can
// see who has it and who waits, and can cancel exactly one of them. Run is all
// that most programs need:
//
//	c := m.Coordinator()
//	err := c.Run(ctx, lanes.Request{
//		Session: "chat-7",
//		Owner:   lanes.Owner{Kind: lanes.OwnerAgent, ID: "a1"},
//	}, func(ctx context.Context, t lanes.Ticket) error {
//		return turn(ctx) // ctx ends when the ticket is interrupted
//	})
//
// Run is Submit, Wait, the function, and Complete or Fail, which can be called
// one by one too. Cancel, interrupt and end by force name one exact ticket: by
// session, execution id and owner, and by its serial number where a namesake
// could be hit. So a turn of Run that may be cancelled while it waits is given an
// execution id in its Request. Subscribe yields what happens, in order, and SubscribeFunc hands
// it to a function, such as that of package lanesslog. Views, pictures and events
// are JSON that a front end can draw; package lanesweb shows all there is to who
// is on the machine. Modules lanesotel and lanesprom, which are required on their
// own, measure waits, turns and depths.
//
// To shut down, close the coordinator, which asks the turns that run to end; wait
// until they have; then close the manager, which ends the subscriptions. In this
// order they tell how the last turns ended, too. Example (Manager.Close) does it.
//
// # What holds
//
// Every decision is made by a machine, fsm/lane for projects, fsm/queue for
// queues and fsm/session for an agent server's sessions. It is generated from a
// table, as spec/lane.yaml, and so is the TLA+ model that its properties are
// checked on. This package loads a record, steps, and stores it if nobody else
// did in between.
//
//   - Of any number of simultaneous claims of a project exactly one wins.
//   - A stop frees nothing. The lane is occupied until its owner releases it.
//   - Only the current lease acts, through the manager that issued it. A copy
//     of it is the same lease; a label recovers none.
//   - A lease never shows its token, and can't be made by hand or decoded.
//   - A free lane leaves nothing in memory.
//
// Of the queues of sessions:
//
//   - At most one ticket of a session runs, and when it ends the next one is
//     admitted in the same step, in the order of submission.
//   - No turn is kept for a waiter that has left, and none is lost.
//   - Complete, Fail and waits go by the ticket, never by ids: only who has it
//     ends it. A ticket never shows its token either.
//   - A ticket whose cancellation was requested ends as cancelled.
//   - A ticket that runs is ended by its owner, or by an operator with ForceEnd,
//     and by no time-out.
//   - A session that was cleaned up leaves nothing in memory.
//
// In memory, which is the default, lanes live as long as the process. A holder
// that loses its lease occupies its lane until then: no time-out could tell
// whether its work has ended. OutcomeNeedsReview is for an owner that doesn't
// know whether the outside effect of its run happened; a free lane is no
// permission to repeat that work, and the receipt is the only record of it.
//
// # Sessions of an agent server
//
// A front end that prompts an agent server has to know that nothing runs in the
// session, and can't: the server's list of statuses leaves out idle sessions and
// what runs in another process alike. Sessions says what is known. A lease is
// taken for one run, before its prompt is sent, and given up at every end that
// can be witnessed; every begin is confirmed by a person who was told why.
//
//	sessions := m.Sessions()
//	key := lanes.SessionKey{Directory: "/src/web", Session: "ses_1"}
//	lease, err := sessions.Begin(ctx, key, "turn-7", confirmed)
//	...
//	note, err := sessions.Sent(ctx, lease)
//	switch {
//	case err != nil: // the lease is gone, or ctx has ended: nothing is sent
//		sessions.PromptFailed(context.WithoutCancel(ctx), lease)
//		return err
//	case note != "":
//		return fmt.Errorf("nothing is sent again: %s", note)
//	}
//	if err := prompt(ctx); err != nil {
//		sessions.PromptFailed(context.WithoutCancel(ctx), lease)
//		return err
//	}
//
// and, again and again, for each directory:
//
//	poll, err := sessions.StartPoll(ctx, "/src/web")
//	...
//	list, err := statuses(ctx, "/src/web")
//	if err != nil {
//		return err // a poll that failed is let go of
//	}
//	seen, err := poll.Observe(ctx, list)
//
// Abort and AbortSession stop a run, and tell the server until that is known to
// have worked. They wait for lists to show it, which another goroutine observes
// meanwhile. View says what is known of a session, and in words why a begin has to
// be confirmed. Example (FrontEnd), in example_frontend_test.go, is a whole front
// end.
//
// Absence is no idleness: only a run that a list has shown ends when a later one
// leaves it out. A list that was in flight while another one was accepted, or
// while the prompt was sent, is stale. What is due is let go of when the session
// is next looked at, by a list of its directory or by All, but it is over when it
// was due.
//
// With the real clock all of this runs in a bubble of testing/synctest too, where
// a grace of half a minute is over at once. Package lanestest has an agent server
// for such tests.
//
// # Stores
//
// All of it is in memory unless Config.Store says otherwise. A Store keeps records
// and changes one only for who names the version that it has; lanestest.TestStore
// says whether one will do. What a call has changed is confirmed by then, and only
// then are waiters woken and events told. After a restart project lanes are as they
// were; of the queues those that waited are cancelled and the one that ran is
// orphaned; sessions of an agent server are unknown. A record that can't be read is
// ErrRecord, and is never overwritten.
//
// # Refusals
//
// A refused call changes nothing. Its error is a *Refusal, and errors.Is finds
// its code. Config.Refused is told of each, to count them for one.
//
//	code                     row                      when
//	INVALID_LABEL            shell.label              Claim, View, Begin: before anything else
//	PROJECT_BUSY             claim.busy               Claim: the lane is occupied
//	INVALID_OUTCOME          release.outcome          Release: none of the four
//	INVALID_LEASE            requestStop.lease        RequestStop: the zero Lease
//	INVALID_LEASE            release.lease            Release: the zero Lease
//	LEASE_NOT_CURRENT        requestStop.stale        RequestStop: any lease but the current one
//	LEASE_NOT_CURRENT        release.stale            Release: any lease but the current one
//	INVALID_ARGUMENT         shell.argument           all calls of a Coordinator or of Sessions: before anything else
//	FOREIGN_TICKET           shell.ticket             Complete, Fail, waits: a ticket of another coordinator
//	NO_SUCH_TICKET           shell.serial             CancelQueued, Interrupt, ForceEnd: the serial number is another's
//	COORDINATOR_CLOSED       submit.shut              Submit, Run: the refusal says why
//	TOO_MANY_SESSIONS        submit.tooMany           Submit, Run: it would be one more than MaxSessions
//	SESSION_CLOSED           submit.closed            Submit, Run: the refusal says why
//	DUPLICATE_EXECUTION      submit.duplicate         Submit, Run: the session remembers the execution id
//	QUEUE_FULL               submit.full              Submit, Run: Cap tickets wait
//	STILL_QUEUED             end.queued               Complete, Fail: the ticket waits
//	TICKET_ORPHANED          end.orphaned             Complete, Fail: in a store, another coordinator has taken over
//	NO_SUCH_SESSION          cancelQueued.noSession   CancelQueued: never submitted to, or forgotten
//	NOT_WAITING              cancelQueued.notWaiting  CancelQueued: it runs, has ended, or never was
//	NOT_OWNER                cancelQueued.notOwner    CancelQueued: another submitted it
//	NO_SUCH_SESSION          interrupt.noSession      Interrupt: never submitted to, or forgotten
//	NOT_RUNNING              interrupt.notRunning     Interrupt: it waits, has ended, or never was
//	NOT_OWNER                interrupt.notOwner       Interrupt: another submitted it
//	NO_SUCH_SESSION          forceEnd.noSession       ForceEnd: never submitted to, or forgotten
//	NOT_RUNNING              forceEnd.notRunning      ForceEnd: it waits, has ended, or never was
//	NO_SUCH_SESSION          close.unknown            CloseSession: never submitted to, or forgotten
//	NO_SUCH_SESSION          cleanUp.unknown          CleanupSession: never submitted to, or forgotten
//	INVALID_LEASE            shell.lease              Sent, PromptFailed, Abort: the zero SessionLease
//	SESSION_ALREADY_RUNNING  begin.running            Begin: a run of ours owns the session
//	ABORT_PENDING            begin.pending            Begin: an abort isn't answered yet
//	CONFIRM_REQUIRED         begin.blind              Begin: not confirmed; the refusal's Session says why
//	LEASE_NOT_CURRENT        sent.stale               Sent: any lease but the current one
//	LEASE_NOT_CURRENT        promptFailed.stale       PromptFailed: any lease but the current one
//	NOT_ABORTABLE            abort.resting            Abort, AbortSession: nothing of ours runs
//	LEASE_NOT_CURRENT        abort.stale              Abort: any lease but the current one
//
// No refusals, since they are accepted and change nothing: to end a ticket that
// has ended, to interrupt one twice, to close what is closed. The answers say
// so. A wait that fails is a *WaitError.
package lanes
