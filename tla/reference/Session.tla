------------------------------ MODULE Session ------------------------------
(***************************************************************************)
(* The ownership of one session, run by run, as a machine that decides.    *)
(*                                                                         *)
(* This module was written by hand, from the English text of the sessions' *)
(* behaviour alone.  Its author saw neither the table, nor the generator,  *)
(* nor anything generated.  That is its whole use: it is an independent    *)
(* check on the generator.  A module generated from the table is compared  *)
(* with this one, edge by edge; where the two differ, the text has been    *)
(* misread by one of them, or it does not say enough.  So do not repair    *)
(* this module by looking at generated output: go back to the text.        *)
(*                                                                         *)
(* Left out: clocks (a timer is an event that names a run), directories    *)
(* (which keep what was asked for last and what is settled), the agent     *)
(* server, the view.  Serials are 1, 2, ... as issued; 0 is older than     *)
(* all.  Each event has a section, which quotes the rows that it models.   *)
(***************************************************************************)
EXTENDS Naturals

CONSTANTS
  Runs,    \* the serials of runs are 1..Runs
  Leases,  \* the lease tokens are 1..Leases
  Calls,   \* the serials of aborts are 1..Calls
  Polls,   \* the serials of status lists are 1..Polls
  None     \* a model value: no lease, no end, an abort that names no lease

VARIABLES
  state,         \* which of the text's five states
  run,           \* its run: live or completed; 0 in unknown
  lease,         \* the live lease; None at rest
  sent,          \* was this run's prompt sent?  FALSE at rest
  asked,         \* the list asked for last when it was sent; 0 at rest
  end,           \* completed: "which of the two is kept"; else None
  out,           \* the abort that is out; 0: none
  issuedRuns,    \* how many runs, leases and aborts have been issued; "tokens
  issuedLeases,  \* are never used twice, across restarts too" (rule 4), and
  issuedCalls    \* neither are the serials

vars == <<state, run, lease, sent, asked, end, out,
          issuedRuns, issuedLeases, issuedCalls>>

Run   == 0..Runs
Lease == 1..Leases
Call  == 1..Calls
Poll  == 0..Polls

Live == state \in {"starting", "running", "retrying"}
Seen == state \in {"running", "retrying"}

TypeOK ==
  /\ state \in {"unknown", "starting", "running", "retrying", "completed"}
  /\ run \in Run
  /\ lease \in Lease \cup {None}
  /\ sent \in BOOLEAN
  /\ asked \in Poll
  /\ end \in {None, "ended", "stopped"}
  /\ out \in 0..Calls
  /\ issuedRuns \in 0..Runs
  /\ issuedLeases \in 0..Leases
  /\ issuedCalls \in 0..Calls

\* What is kept in which state; the last two follow from the rows.
Kept ==
  /\ (run = 0) = (state = "unknown")
  /\ (lease # None) = Live
  /\ (end # None) = (state = "completed")
  /\ sent => Live
  /\ asked # 0 => sent
  /\ Seen => sent     \* "an unsent run has only stale ones"
  /\ Live => out = 0  \* begin is refused while an abort is out

Init ==
  /\ state = "unknown" /\ run = 0 /\ lease = None
  /\ sent = FALSE /\ asked = 0 /\ end = None /\ out = 0
  /\ issuedRuns = 0 /\ issuedLeases = 0 /\ issuedCalls = 0

(***************************************************************************)
(* Answers.  A move goes to a state that the text names, be it the same;   *)
(* whatever is ignored, refused or stays is a No and changes nothing.      *)
(***************************************************************************)
Now == [state |-> state, run |-> run, lease |-> lease, sent |-> sent,
        asked |-> asked, end |-> end, out |-> out, issuedRuns |-> issuedRuns,
        issuedLeases |-> issuedLeases, issuedCalls |-> issuedCalls]

Move(to) == [answer |-> "move", to |-> to, effects |-> << >>]
No(code) == [answer |-> code, to |-> Now, effects |-> << >>]

\* "unknown: the resting state".  An abort that is out stays out.
Unknown == [Now EXCEPT !.state = "unknown", !.run = 0, !.lease = None,
                       !.sent = FALSE, !.asked = 0, !.end = None]

\* "It keeps the run, not its lease."
Completed(how) == [Now EXCEPT !.state = "completed", !.lease = None,
                              !.sent = FALSE, !.asked = 0, !.end = how]

OurLease(l) == IF Live THEN l = lease ELSE FALSE
OurRun(r)   == IF state = "unknown" THEN FALSE ELSE r = run

(***************************************************************************)
(* begin: "checks in this order: SESSION_ALREADY_RUNNING (starting,        *)
(* running, retrying) ... an abort is out: refuse ABORT_PENDING            *)
(* ... not confirmed: refuse CONFIRM_REQUIRED ... else starting"           *)
(***************************************************************************)
Begin(r, l, confirmed) ==
  IF Live THEN No("SESSION_ALREADY_RUNNING")
  ELSE IF out # 0 THEN No("ABORT_PENDING")
  ELSE IF ~confirmed THEN No("CONFIRM_REQUIRED")
  ELSE Move([Unknown EXCEPT !.state = "starting", !.run = r, !.lease = l,
                            !.issuedRuns = r, !.issuedLeases = l])

(***************************************************************************)
(* sent: "not our lease: refuse LEASE_NOT_CURRENT in all five"; "our       *)
(* lease: accepted: stays, sent := true (again: stay ALREADY_SENT)",       *)
(* running and retrying: "stay ALREADY_SENT"                               *)
(***************************************************************************)
Sent(l, last) ==
  IF ~OurLease(l) THEN No("LEASE_NOT_CURRENT")
  ELSE IF sent THEN No("ALREADY_SENT")
  ELSE Move([Now EXCEPT !.sent = TRUE, !.asked = last])

(***************************************************************************)
(* status: "stale (looked at first): ignored in all five (STALE_REPORT)";  *)
(* 5. "at rest, not after settled; in a live run, not sent, or not after   *)
(* the sending or settled".  "absent: completed (ended)" in running and    *)
(* retrying, else "ignored (ABSENCE_IS_NO_EVIDENCE)"; "busy: running" and  *)
(* "retry: retrying" in a live run, at rest "ignored (NOT_OUR_RUN)"        *)
(***************************************************************************)
Fresh(poll, settled) ==
  /\ poll > settled
  /\ Live => sent /\ poll > asked

Status(report, poll, settled) ==
  IF ~Fresh(poll, settled) THEN No("STALE_REPORT")
  ELSE IF report = "absent" THEN
    IF Seen THEN Move(Completed("ended")) ELSE No("ABSENCE_IS_NO_EVIDENCE")
  ELSE IF ~Live THEN No("NOT_OUR_RUN")
  ELSE IF report = "busy" THEN Move([Now EXCEPT !.state = "running"])
  ELSE Move([Now EXCEPT !.state = "retrying"])

(***************************************************************************)
(* prompt failed: "not our lease: refuse LEASE_NOT_CURRENT in all five";   *)
(* "our lease: unknown", running and retrying: "ignored (RUN_WAS_SEEN)"    *)
(***************************************************************************)
PromptFailed(l) ==
  IF ~OurLease(l) THEN No("LEASE_NOT_CURRENT")
  ELSE IF Seen THEN No("RUN_WAS_SEEN")
  ELSE Move(Unknown)

(***************************************************************************)
(* "a timer of another run: ignored in all five (OLDER_RUN)"; of this run: *)
(* "send bound expired: unknown if not sent, else ignored (NOT_DUE)",      *)
(* "grace expired: unknown if sent, else ignored (NOT_DUE)", both NOT_DUE  *)
(* but in starting; "TTL expired: ignored (NOT_DUE)", completed: "unknown" *)
(***************************************************************************)
Timer(r, due) ==
  IF ~OurRun(r) THEN No("OLDER_RUN")
  ELSE IF ~due THEN No("NOT_DUE")
  ELSE Move(Unknown)

SendExpired(r)  == Timer(r, state = "starting" /\ ~sent)
GraceExpired(r) == Timer(r, state = "starting" /\ sent)
TtlExpired(r)   == Timer(r, state = "completed")

(***************************************************************************)
(* abort: at rest "refuse NOT_ABORTABLE"; "another lease: refuse           *)
(* LEASE_NOT_CURRENT"; "unnamed or our lease: completed (stopped), an      *)
(* abort is out if it was sent", running and retrying: "abort out"         *)
(***************************************************************************)
Abort(named, call) ==
  IF ~Live THEN No("NOT_ABORTABLE")
  ELSE IF ~(named \in {None, lease}) THEN No("LEASE_NOT_CURRENT")
  ELSE Move([Completed("stopped") EXCEPT !.out = IF sent THEN call ELSE @,
                                         !.issuedCalls = call])

(***************************************************************************)
(* abort answered: "of the abort that is out: accepted in all five: no     *)
(* abort is out any more"; "of another or none: ignored in all five        *)
(* (OLDER_ABORT)"                                                          *)
(***************************************************************************)
AbortAnswered(call) ==
  IF call # out THEN No("OLDER_ABORT") ELSE Move([Now EXCEPT !.out = 0])

(***************************************************************************)
(* "delete: unknown", "restart: unknown"; "An abort that is out survives   *)
(* delete (not restart)."                                                  *)
(***************************************************************************)
Delete  == Move(Unknown)
Restart == Move([Unknown EXCEPT !.out = 0])

(***************************************************************************)
(* Steps.  Only a move uses fresh arguments up; when one has run out, its  *)
(* event is no longer possible.                                            *)
(***************************************************************************)
FreshRun   == {issuedRuns + 1} \cap Run
FreshLease == {issuedLeases + 1} \cap Lease
FreshCall  == {issuedCalls + 1} \cap Call
Named      == {None} \cup Lease
Reports    == {"busy", "retry", "absent"}

Take(answer) ==
  LET to == answer.to IN
  /\ state' = to.state /\ run' = to.run /\ lease' = to.lease
  /\ sent' = to.sent /\ asked' = to.asked /\ end' = to.end /\ out' = to.out
  /\ issuedRuns' = to.issuedRuns /\ issuedLeases' = to.issuedLeases
  /\ issuedCalls' = to.issuedCalls

Next ==
  \/ \E r \in FreshRun, l \in FreshLease, c \in BOOLEAN : Take(Begin(r, l, c))
  \/ \E l \in Lease, last \in Poll : Take(Sent(l, last))
  \/ \E report \in Reports, poll \in Poll, settled \in Poll :
        Take(Status(report, poll, settled))
  \/ \E l \in Lease : Take(PromptFailed(l))
  \/ \E r \in Run :
        Take(SendExpired(r)) \/ Take(GraceExpired(r)) \/ Take(TtlExpired(r))
  \/ \E named \in Named, call \in FreshCall : Take(Abort(named, call))
  \/ \E call \in Call : Take(AbortAnswered(call))
  \/ Take(Delete) \/ Take(Restart)
=============================================================================
