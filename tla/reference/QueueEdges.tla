----------------------------- MODULE QueueEdges -----------------------------
(***************************************************************************)
(* Prints every edge of Queue, whatever the answer, one line each:         *)
(*   <<event, session, args, answer, effects, vars, vars', Seen'>>         *)
(* The steps are Queue's own; each is followed by its line.  `handed` is   *)
(* left out of the line, as it decides no answer.  So states that differ   *)
(* in it alone are one, and their common edges are printed once for each.  *)
(***************************************************************************)
EXTENDS Queue, TLC

\* What a state shows, in the order that the comparison asks for: phase, the
\* ticket that has the place, those that wait, those that are remembered, all
\* tickets, the coordinator's flag, the newest ticket, the two counters.
Seen == <<
  [s \in Session |-> session[s].phase],
  [s \in Session |-> session[s].active],
  [s \in Session |-> session[s].waiting],
  [s \in Session |-> session[s].past],
  [s \in Session |-> session[s].ticket],
  shut, issued, issued, issuedFence>>

Edge(event, s, args, answer) ==
  PrintT(ToString(
    <<event, s, args, answer.answer, answer.effects, vars, vars', Seen'>>))

Plain(event, s, args, answer) ==
  Take(s, answer) /\ Edge(event, s, args, answer)

SubmitEdge == \E s \in Session, t \in FreshTicket :
  \E id \in Id, owner \in Owner, room \in BOOLEAN :
    LET answer == Submit(session[s], t, id, owner, room) IN
    /\ TakeTicket(s, t, answer)
    /\ Edge("submit", s, <<t, id, owner, room>>, answer)

\* Only who was handed a ticket ends it, or waits for it.
EndEdge == \E s \in Session : \E t \in handed[s] :
  \E report \in {"completed", "failed"}, fencing \in Named :
    Plain("end", s, <<t, report, fencing>>,
          End(session[s], t, report, fencing))

LeaveEdge == \E s \in Session : \E t \in handed[s] :
  Plain("leave", s, <<t>>, Leave(session[s], t))

CancelQueuedEdge == \E s \in Session, t \in Ticket, owner \in Owner :
  Plain("cancelQueued", s, <<t, owner>>, CancelQueued(session[s], t, owner))

InterruptEdge == \E s \in Session, t \in Ticket, owner \in Owner :
  Plain("interrupt", s, <<t, owner>>, Interrupt(session[s], t, owner))

ForceEndEdge == \E s \in Session, t \in Ticket :
  Plain("forceEnd", s, <<t>>, ForceEnd(session[s], t))

CloseEdge == \E s \in Session : Plain("close", s, << >>, Close(session[s]))

CleanUpEdge == \E s \in Session :
  Plain("cleanUp", s, << >>, CleanUp(session[s]))

ShutEdge == \E s \in Session :
  /\ TakeShut(s, Shut(session[s]))
  /\ Edge("shut", s, << >>, Shut(session[s]))

\* Without a store a crash leaves nothing that could be asked.
CrashEdge == \E s \in Session :
  Durable /\ Plain("crash", s, << >>, Crash(session[s]))

AdoptEdge == \E s \in Session, t \in Ticket, seen \in Named :
  \E fence \in FreshFence :
    LET answer == Adopt(session[s], t, seen, fence) IN
    /\ TakeFence(s, fence, answer)
    /\ Edge("adopt", s, <<t, seen, fence>>, answer)

NextEdge ==
  \/ SubmitEdge
  \/ EndEdge
  \/ LeaveEdge
  \/ CancelQueuedEdge
  \/ InterruptEdge
  \/ ForceEndEdge
  \/ CloseEdge
  \/ CleanUpEdge
  \/ ShutEdge
  \/ CrashEdge
  \/ AdoptEdge
=============================================================================
