------------------------------- MODULE Queue -------------------------------
(***************************************************************************)
(* First come, first served admission to sessions, as a machine that       *)
(* decides.                                                                *)
(*                                                                         *)
(* This module was written by hand, from the English text of the queue's   *)
(* behaviour alone.  Its author saw neither the table, nor the generator,  *)
(* nor anything generated.  That is its whole use: it is an independent    *)
(* check on the generator.  A module generated from the table is compared  *)
(* with this one, edge by edge; where the two differ, the text has been    *)
(* misread by one of them, or it does not say enough.  So do not repair    *)
(* this module by looking at generated output: go back to the text.        *)
(*                                                                         *)
(* One idea carries it: a session is one record.  A few operators say what *)
(* happens to a record (a ticket enters, is admitted, is ended); an event  *)
(* picks among them, and says which effects are seen, in the order of      *)
(* rule 15.  Numbers in comments are the text's rules.                     *)
(*                                                                         *)
(* Left out: reasons, clocks, texts, the views, the order of sessions.     *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANTS
  Session,  \* the sessions, model values
  Tickets,  \* all sessions share the serials 1..Tickets
  Ids,      \* execution ids are 1..Ids
  Owners,   \* owners are 1..Owners
  Fences,   \* all sessions share the fencing numbers 1..Fences
  Cap,      \* 2. how many may wait
  Keep,     \* 18. how many ended tickets are remembered
  Durable,  \* is there a store?
  None      \* a model value: nobody, no id, no place

VARIABLES
  session,      \* each session's record
  shut,         \* 13. has the coordinator been closed?
  issued,       \* how many serials have been given out: the newest ticket
  issuedFence,  \* how many fencing numbers have been given out
  handed        \* which tickets each session has handed to a caller, ever:
                \* it restricts who calls, and decides nothing

vars == <<session, shut, issued, issuedFence>>

Ticket  == 1..Tickets
Id      == 1..Ids
Owner   == 1..Owners
Fence   == 1..Fences
Named   == 0..Fences  \* 0: not adopted yet
Ended   == {"completed", "failed", "cancelled"}
Held    == {"running", "orphaned"}

(***************************************************************************)
(* Records                                                                 *)
(***************************************************************************)
Made == [state |-> "made", id |-> None, owner |-> None,
         asked |-> FALSE, fencing |-> 0]

Absent == [phase |-> "absent", active |-> None, waiting |-> << >>,
           past |-> << >>, ticket |-> [t \in Ticket |-> Made]]

TypeOK ==
  /\ shut \in BOOLEAN
  /\ issued \in 0..Tickets
  /\ issuedFence \in Named
  /\ handed \in [Session -> SUBSET Ticket]
  /\ \A s \in Session : LET S == session[s] IN
       /\ S.phase \in {"absent", "open", "closed", "leaving"}
       /\ S.active \in Ticket \cup {None}
       /\ S.waiting \in Seq(Ticket) /\ Len(S.waiting) <= Cap
       /\ S.past \in Seq(Ticket) /\ Len(S.past) <= Keep
       /\ S.ticket \in [Ticket -> [
            state   : {"made", "queued"} \cup Held \cup Ended,
            id      : Id \cup {None},
            owner   : Owner \cup {None},
            asked   : BOOLEAN,
            fencing : Named]]

Range(seq) == {seq[i] : i \in DOMAIN seq}

\* What must hold of every record, for a reader and for TLC.
Sound(S) ==
  LET In(states) == {t \in Ticket : S.ticket[t].state \in states} IN
  /\ S.phase = "absent" => S = Absent
  /\ In(Held) = {S.active} \ {None}                 \* 3. at most one runs
  /\ In({"queued"}) = Range(S.waiting)
  /\ In(Ended) = Range(S.past)
  /\ \A t \in In({"queued"}) : ~S.ticket[t].asked
  /\ S.active = None => S.waiting = << >>           \* 3. none is lost
  /\ ~(S.phase \in {"absent", "open"}) =>           \* 11.
       /\ S.waiting = << >>
       /\ S.active # None => S.ticket[S.active].asked
  /\ S.phase = "leaving" => S.active # None         \* 12.

Kept == \A s \in Session : Sound(session[s])

Init ==
  /\ session = [s \in Session |-> Absent]
  /\ shut = FALSE
  /\ issued = 0
  /\ issuedFence = 0
  /\ handed = [s \in Session |-> {}]

(***************************************************************************)
(* What happens to a record                                                *)
(***************************************************************************)
\* 1. "Then the ticket is queued"
Enter(S, t, id, owner) ==
  [S EXCEPT !.phase = "open",
            !.waiting = Append(@, t),
            !.ticket[t] = [Made EXCEPT !.state = "queued", !.id = id,
                                       !.owner = owner]]

\* 3. "the head of the FIFO is admitted [...] A closed session admits nobody."
Admits(S) == S.phase = "open" /\ S.active = None /\ S.waiting # << >>

Admit(S) ==
  IF ~Admits(S) THEN S
  ELSE [S EXCEPT !.active = Head(S.waiting),
                 !.waiting = Tail(@),
                 !.ticket[Head(S.waiting)].state = "running"]

\* 18. "a setting bounds how many are [...] the oldest ended forgotten first,
\*      in the step that ends another"
Remember(S, t, how) ==
  LET ended == [S EXCEPT !.ticket[t].state = how, !.past = Append(@, t)] IN
  IF Len(ended.past) <= Keep THEN ended
  ELSE [ended EXCEPT !.ticket[Head(ended.past)] = Made, !.past = Tail(@)]

\* 6. "a ticket cancelled while it waited, by cancel, time-out or close alike,
\*     also shows cancel requested"
Cancel(S, t) ==
  LET Others(u) == u # t IN
  Remember([S EXCEPT !.waiting = SelectSeq(@, Others),
                     !.ticket[t].asked = TRUE], t, "cancelled")

\* 11. "all waiting ones cancelled [...], in FIFO order"
RECURSIVE CancelAll(_)
CancelAll(S) ==
  IF S.waiting = << >> THEN S ELSE CancelAll(Cancel(S, Head(S.waiting)))

\* 8. "It only sets the cancellation signal"
Signal(S) ==
  IF S.active = None THEN S ELSE [S EXCEPT !.ticket[S.active].asked = TRUE]

\* The active ticket gives its place up.
Vacate(S, how) == Remember([S EXCEPT !.active = None], S.active, how)

(***************************************************************************)
(* Effects                                                                 *)
(***************************************************************************)
TicketState(t, where, place) == <<"ticketState", t, where, place>>
OwnerLeft(t, how)            == <<"ownerLeft", t, how>>
OwnerCame(t)                 == <<"ownerCame", t>>
InterruptRequested(t)        == <<"interruptRequested", t>>
ForceEnded(t)                == <<"forceEnded", t>>
SessionClosed                == <<"sessionClosed">>
SessionForgotten             == <<"sessionForgotten">>
QueueChanged                 == <<"queueChanged">>

\* 15. "if admitted: ticket state (running, position 0), owner changed"
Admitted(S) ==
  IF ~Admits(S) THEN << >>
  ELSE LET t == Head(S.waiting) IN
       <<TicketState(t, "running", 0), OwnerCame(t)>>

\* "a ticket state for each one cancelled"
Cancelled(S) == [i \in DOMAIN S.waiting |->
                   TicketState(S.waiting[i], "cancelled", None)]

\* "interrupt requested if that is new"
Signalled(S) ==
  IF Signal(S) = S THEN << >> ELSE <<InterruptRequested(S.active)>>

(***************************************************************************)
(* Answers.  All but a move leave everything as it is.                     *)
(***************************************************************************)
Move(to, effects) == [answer |-> "move", to |-> to, effects |-> effects]
No(S, code)       == [answer |-> code, to |-> S, effects |-> << >>]

(***************************************************************************)
(* Submit.  1. "in this order of checks: coordinator closed; too many      *)
(* sessions (a new one only); session closed; execution id already used in *)
(* the session; as many waiting as the cap allows."                        *)
(***************************************************************************)
Used(S, id) == \E t \in Ticket : S.ticket[t].id = id

Submit(S, t, id, owner, room) ==
  IF shut THEN No(S, "COORDINATOR_CLOSED")
  ELSE IF S.phase = "absent" /\ ~room THEN No(S, "TOO_MANY_SESSIONS")
  ELSE IF S.phase \in {"closed", "leaving"} THEN No(S, "SESSION_CLOSED")
  ELSE IF Used(S, id) THEN No(S, "DUPLICATE_EXECUTION")
  ELSE IF Len(S.waiting) >= Cap THEN No(S, "QUEUE_FULL")
  \* "Then the ticket is queued, and admitted at once if nothing runs."
  ELSE LET in == Enter(S, t, id, owner) IN
       Move(Admit(in), <<TicketState(t, "queued", Len(in.waiting))>>
                       \o Admitted(in) \o <<QueueChanged>>)

(***************************************************************************)
(* The end of the active ticket.  12. "once nothing runs or waits, the     *)
(* session is forgotten"; 3. "the head of the FIFO is admitted in the same *)
(* atomic step"                                                            *)
(***************************************************************************)
EndActive(S, how, first) ==
  LET vacant == Vacate(S, how)
      seen   == first \o <<TicketState(S.active, how, None),
                           OwnerLeft(S.active, how)>> IN
  IF S.phase = "leaving"
  THEN Move(Absent, seen \o <<QueueChanged, SessionForgotten>>)
  ELSE Move(Admit(vacant), seen \o Admitted(vacant) \o <<QueueChanged>>)

\* 5. "Complete and fail act on the exact active ticket only."
End(S, t, report, fencing) ==
  LET it == S.ticket[t] IN
  \* "A ticket already terminal: no change, and the answer says so"
  IF it.state \in Ended \cup {"made"} THEN No(S, "ALREADY_ENDED")
  \* "A ticket still queued: a typed error."
  ELSE IF it.state = "queued" THEN No(S, "STILL_QUEUED")
  \* 21. "the lost handle's complete or fail is TICKET_ORPHANED"
  ELSE IF it.state = "orphaned" \/ it.fencing # fencing
       THEN No(S, "TICKET_ORPHANED")
  \* 6. "If cancellation was requested, the end state is cancelled whichever
  \*     of complete or fail is called"
  ELSE EndActive(S, IF it.asked THEN "cancelled" ELSE report, << >>)

\* 19. "an operator may end exactly that ticket [...] It ends cancelled with
\*      that reason"; a ticket's reason goes with its cancel-requested flag.
\*      "Answers, in this order: no such session, not running."
ForceEnd(S, t) ==
  IF S.phase = "absent" THEN No(S, "NO_SUCH_SESSION")
  ELSE IF S.active # t THEN No(S, "NOT_RUNNING")
  ELSE EndActive(Signal(S), "cancelled", <<ForceEnded(t)>>)

(***************************************************************************)
(* Leaving the queue.  4. "On time-out or context end a ticket that still  *)
(* waits is cancelled"; 7. "It never touches the active one."              *)
(***************************************************************************)
CancelWaiting(S, t) ==
  Move(Cancel(S, t), <<TicketState(t, "cancelled", None), QueueChanged>>)

Leave(S, t) ==
  LET it == S.ticket[t] IN
  IF it.state = "queued" THEN CancelWaiting(S, t)
  \* "If it was admitted at that very moment, the wait succeeds"
  ELSE IF it.state \in Held THEN No(S, "ADMITTED")
  \* "A ticket that was cancelled, before or after it ran: the cancelled
  \*  error; completed or failed: the state error."
  ELSE IF it.state = "cancelled" THEN No(S, "ADMISSION_CANCELLED")
  ELSE No(S, "ENDED_BEFORE_WAIT")

\* 7. "the answer tells apart: no such session, no such ticket waiting,
\*     another's ticket."
CancelQueued(S, t, owner) ==
  IF S.phase = "absent" THEN No(S, "NO_SUCH_SESSION")
  ELSE IF ~(t \in Range(S.waiting)) THEN No(S, "NOT_WAITING")
  ELSE IF S.ticket[t].owner # owner THEN No(S, "NOT_OWNER")
  ELSE CancelWaiting(S, t)

(***************************************************************************)
(* Interrupt.  8. "the answer is the first of: no such session, not        *)
(* running, another's, already requested."                                 *)
(***************************************************************************)
Interrupt(S, t, owner) ==
  IF S.phase = "absent" THEN No(S, "NO_SUCH_SESSION")
  ELSE IF S.active # t THEN No(S, "NOT_RUNNING")
  ELSE IF S.ticket[t].owner # owner THEN No(S, "NOT_OWNER")
  ELSE IF S.ticket[t].asked THEN No(S, "ALREADY_REQUESTED")
  ELSE Move(Signal(S), <<InterruptRequested(t), QueueChanged>>)

(***************************************************************************)
(* Close and clean-up.  11. "new submits refused; all waiting ones         *)
(* cancelled [...]; the active one gets the signal"                        *)
(***************************************************************************)
Shutting(S, to) ==
  Move(to, Cancelled(S) \o Signalled(S) \o <<SessionClosed, QueueChanged>>)

Close(S) ==
  IF S.phase = "absent" THEN No(S, "NO_SUCH_SESSION")
  ELSE IF S.phase # "open" THEN No(S, "ALREADY_CLOSED")
  ELSE Shutting(S, [Signal(CancelAll(S)) EXCEPT !.phase = "closed"])

\* 12. "as close, and once nothing runs or waits, the session is forgotten";
\*     "a session that is already closed [...] emits no second close"
CleanUp(S) ==
  LET idle   == S.active = None
      to     == IF idle THEN Absent
                ELSE [Signal(CancelAll(S)) EXCEPT !.phase = "leaving"]
      forgot == IF idle THEN <<SessionForgotten>> ELSE << >> IN
  IF S.phase = "absent" THEN No(S, "NO_SUCH_SESSION")
  ELSE IF S.phase = "leaving" THEN No(S, "ALREADY_LEAVING")
  ELSE IF S.phase = "closed" THEN Move(to, forgot)
  ELSE Move(to, Shutting(S, to).effects \o forgot)

\* 13. "later submits are refused [...]; a second close changes nothing."
Shut(S) == IF shut THEN No(S, "ALREADY_CLOSED") ELSE Move(S, << >>)

(***************************************************************************)
(* Crash and adoption.  21. "all waiting tickets are cancelled [...] and   *)
(* the running one is orphaned"                                            *)
(***************************************************************************)
Crash(S) ==
  LET runs == IF S.active = None THEN FALSE
              ELSE S.ticket[S.active].state = "running" IN
  IF S.phase = "absent" THEN No(S, "NO_SUCH_SESSION")
  ELSE IF ~runs /\ S.waiting = << >> THEN No(S, "NOT_RUNNING")
  ELSE IF ~runs THEN Move(CancelAll(S), Cancelled(S) \o <<QueueChanged>>)
  ELSE Move([CancelAll(S) EXCEPT !.ticket[S.active].state = "orphaned"],
            Cancelled(S) \o <<TicketState(S.active, "orphaned", 0),
                              QueueChanged>>)

\* "a new handle and a higher fencing number; it is running again, interrupt
\*  flag kept"
Adopt(S, t, seen, fence) ==
  IF S.ticket[t].state # "orphaned" THEN No(S, "NOT_ORPHANED")
  ELSE IF S.ticket[t].fencing # seen THEN No(S, "FENCING_MOVED")
  ELSE Move([S EXCEPT !.ticket[t].state = "running",
                      !.ticket[t].fencing = fence],
            <<TicketState(t, "running", 0), QueueChanged>>)

(***************************************************************************)
(* Steps.  Different sessions never wait for each other: a step touches    *)
(* one record.  Only a move uses a fresh serial or fencing number up; when *)
(* they have run out, the event is no longer possible.                     *)
(***************************************************************************)
FreshTicket == {issued + 1} \cap Ticket
FreshFence  == {issuedFence + 1} \cap Fence

Put(s, answer) == session' = [session EXCEPT ![s] = answer.to]

Take(s, answer) ==
  /\ Put(s, answer)
  /\ UNCHANGED <<shut, issued, issuedFence, handed>>

TakeTicket(s, t, answer) ==
  /\ Put(s, answer)
  /\ IF answer.answer = "move"
     THEN issued' = t /\ handed' = [handed EXCEPT ![s] = @ \cup {t}]
     ELSE UNCHANGED <<issued, handed>>
  /\ UNCHANGED <<shut, issuedFence>>

TakeFence(s, fence, answer) ==
  /\ Put(s, answer)
  /\ issuedFence' = IF answer.answer = "move" THEN fence ELSE issuedFence
  /\ UNCHANGED <<shut, issued, handed>>

TakeShut(s, answer) ==
  /\ Put(s, answer)
  /\ shut' = TRUE
  /\ UNCHANGED <<issued, issuedFence, handed>>
=============================================================================
