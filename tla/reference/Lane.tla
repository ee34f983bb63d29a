-------------------------------- MODULE Lane --------------------------------
(***************************************************************************)
(* The project lanes of one manager, as a machine that decides.            *)
(*                                                                         *)
(* This module was written by hand, from the English text of the lanes'    *)
(* behaviour alone.  Its author saw neither the table, nor the generator,  *)
(* nor anything generated.  That is its whole use: it is an independent    *)
(* check on the generator.  A module generated from the table is compared  *)
(* with this one, edge by edge; where the two differ, the text has been    *)
(* misread by one of them, or it does not say enough.  So do not repair    *)
(* this module by looking at generated output: go back to the text.        *)
(*                                                                         *)
(* Left out: labels, the journal, work done outside, other managers.       *)
(* Every event is answered in every state; each branch below stands under  *)
(* the sentence of the text that it models, with its rule's number.        *)
(***************************************************************************)
EXTENDS Naturals

CONSTANTS
  Project,   \* the projects, model values
  Leases,    \* each project has the lease tokens 1..Leases
  Fences,    \* all projects share the fencing numbers 1..Fences
  Durable,   \* is there a store?
  None       \* a model value: no work, no owner

VARIABLES
  lane,        \* what each project's lane knows: None when free, else a Work
  issued,      \* how many leases each project has given out
  issuedFence  \* how many fencing numbers have been given out: one counter

vars == <<lane, issued, issuedFence>>

Lease    == 1..Leases
Fence    == 1..Fences
Outcomes == {"succeeded", "failed", "cancelled", "needs_review"}

Work == [
  owner     : Lease \cup {None},  \* the current lease; None: orphaned
  stop      : BOOLEAN,            \* has a stop been requested?
  fencing   : Fence,              \* the fencing number that counts now
  claimed   : Fence,              \* the claim's, which adoption leaves alone
  recovered : BOOLEAN ]           \* has the lane been adopted?

TypeOK ==
  /\ lane \in [Project -> Work \cup {None}]
  /\ issued \in [Project -> 0..Leases]
  /\ issuedFence \in 0..Fences

Init ==
  /\ lane = [p \in Project |-> None]
  /\ issued = [p \in Project |-> 0]
  /\ issuedFence = 0

(***************************************************************************)
(* Lanes and leases                                                        *)
(***************************************************************************)
Free(p) == lane[p] = None

\* 16. "An orphaned lane is occupied and busy, and nobody's lease acts on it"
Orphaned(p) == IF Free(p) THEN FALSE ELSE lane[p].owner = None

\* 5. "Only the exact current lease acts on a lane."
Current(p, lease) == IF Free(p) THEN FALSE ELSE lane[p].owner = lease

(***************************************************************************)
(* Answers.  A move changes the lane and may have effects; a stay changes  *)
(* nothing, and neither does a refusal: "a refusal never changes any       *)
(* state."                                                                 *)
(***************************************************************************)
Answer(code, to, effects) ==
  [answer |-> code, to |-> to, effects |-> effects]

Move(to)        == Answer("move", to, << >>)
Stay(p, code)   == Answer(code, lane[p], << >>)
Refuse(p, code) == Answer(code, lane[p], << >>)

Receipt(outcome, w) ==
  <<"receipt", outcome, w.stop, w.fencing, w.claimed, w.recovered>>

(***************************************************************************)
(* The five events                                                         *)
(***************************************************************************)
Claim(p, lease, fence) ==
  \*  1. "Claim(project, run) on a free lane gives a lease."
  \* 19. "the number is an argument `fence fresh Fence` of claim and adopt"
  IF Free(p) THEN
    Move([owner     |-> lease,
          stop      |-> FALSE,
          fencing   |-> fence,
          claimed   |-> fence,
          recovered |-> FALSE])
  \*  1. "On an occupied lane: PROJECT_BUSY"
  ELSE Refuse(p, "PROJECT_BUSY")

RequestStop(p, lease) ==
  \*  5. "Same project with another token [...]: LEASE_NOT_CURRENT."
  \*  9. "A late release or stop from an older run [...]"
  IF ~Current(p, lease) THEN Refuse(p, "LEASE_NOT_CURRENT")
  \*  6. "Asking again succeeds and changes nothing (a stay row)."
  ELSE IF lane[p].stop THEN Stay(p, "ALREADY_REQUESTED")
  \*  6. "marks the lane stop-requested, keeps it occupied"
  ELSE Move([lane[p] EXCEPT !.stop = TRUE])

Release(p, outcome, lease) ==
  \*  7. "A refused release leaves the lane occupied. [...]
  \*      Releasing twice: LEASE_NOT_CURRENT."
  IF ~Current(p, lease) THEN Refuse(p, "LEASE_NOT_CURRENT")
  \*  8. "Release returns a receipt [...].  It frees the lane."
  \*  7. "All four outcomes are allowed whether or not a stop was requested"
  ELSE Answer("move", None, << Receipt(outcome, lane[p]) >>)

Orphan(p, fence) ==
  \* 16. "MarkOrphaned(project, fencing) [...] (checks in this order:
  \*      NOT_OCCUPIED, FENCING_MOVED;
  IF Free(p) THEN Refuse(p, "NOT_OCCUPIED")
  ELSE IF lane[p].fencing # fence THEN Refuse(p, "FENCING_MOVED")
  \*      orphaned already: stay ALREADY_ORPHANED)"
  ELSE IF Orphaned(p) THEN Stay(p, "ALREADY_ORPHANED")
  \* Decided by the project, not said by the text: last of all, a store.
  ELSE IF ~Durable THEN Refuse(p, "NO_STORE")
  \* 16. "nobody's lease acts on it, the lost one's neither"
  \* 21. "and still says whether a stop was requested"
  ELSE Move([lane[p] EXCEPT !.owner = None])

Adopt(p, seen, lease, fence) ==
  \* Decided by the project, not said by the text: no check for a store.
  \* Without one nothing is ever orphaned, and the first check answers.
  \* 17. "Checks in this order: NOT_ORPHANED,
  \*      FENCING_MOVED (the number has moved on)."
  IF ~Orphaned(p) THEN Refuse(p, "NOT_ORPHANED")
  ELSE IF lane[p].fencing # seen THEN Refuse(p, "FENCING_MOVED")
  \* 17. "gives a new lease with a higher fencing number and marks what
  \*      follows as recovered [...] or stop_requested if a stop had been
  \*      asked before: that flag survives."
  \* 20. "claimed_fencing (the claim's; differs after adoption)"
  ELSE Move([lane[p] EXCEPT !.owner     = lease,
                            !.fencing   = fence,
                            !.recovered = TRUE])

(***************************************************************************)
(* Steps.  11. "Projects are independent in everything": a step touches    *)
(* one lane.  Only a move of claim or adopt uses up a lease and a fencing  *)
(* number; when either has run out, the two events are no longer possible. *)
(***************************************************************************)
FreshLease(p) == {issued[p] + 1} \cap Lease
FreshFence    == {issuedFence + 1} \cap Fence

Take(p, answer) ==
  /\ lane' = [lane EXCEPT ![p] = answer.to]
  /\ UNCHANGED <<issued, issuedFence>>

TakeFresh(p, answer) ==
  /\ lane' = [lane EXCEPT ![p] = answer.to]
  /\ IF answer.answer = "move"
     THEN /\ issued' = [issued EXCEPT ![p] = @ + 1]
          /\ issuedFence' = issuedFence + 1
     ELSE UNCHANGED <<issued, issuedFence>>

Next == \E p \in Project :
  \/ \E lease \in FreshLease(p), fence \in FreshFence :
        TakeFresh(p, Claim(p, lease, fence))
  \/ \E lease \in Lease :
        Take(p, RequestStop(p, lease))
  \/ \E outcome \in Outcomes, lease \in Lease :
        Take(p, Release(p, outcome, lease))
  \/ \E fence \in Fence :
        Take(p, Orphan(p, fence))
  \/ \E seen \in Fence, lease \in FreshLease(p), fence \in FreshFence :
        TakeFresh(p, Adopt(p, seen, lease, fence))
=============================================================================
