----------------------------- MODULE LaneEdges -----------------------------
(***************************************************************************)
(* Prints every edge of Lane, refusals and stays included, one line each:  *)
(*   <<event, project, args, answer, effects, vars, vars'>>                *)
(* for each (state, project, event, args) once.  The steps are Lane's own; *)
(* each is followed by its line.  No field of Work shares its name with    *)
(* anything declared earlier: TLC then prints the fields in Work's order   *)
(* on both sides, and equal states are equal texts.                        *)
(***************************************************************************)
EXTENDS Lane, TLC

Edge(event, p, args, answer) ==
  PrintT(ToString(
    <<event, p, args, answer.answer, answer.effects, vars, vars'>>))

ClaimEdge == \E p \in Project :
  \E lease \in FreshLease(p), fence \in FreshFence :
    /\ TakeFresh(p, Claim(p, lease, fence))
    /\ Edge("claim", p, <<lease, fence>>, Claim(p, lease, fence))

RequestStopEdge == \E p \in Project, lease \in Lease :
  /\ Take(p, RequestStop(p, lease))
  /\ Edge("requestStop", p, <<lease>>, RequestStop(p, lease))

ReleaseEdge == \E p \in Project, outcome \in Outcomes, lease \in Lease :
  /\ Take(p, Release(p, outcome, lease))
  /\ Edge("release", p, <<outcome, lease>>, Release(p, outcome, lease))

\* A caller may name 0, the number that no occupant carries.
Named == Fence \cup {0}

OrphanEdge == \E p \in Project, fence \in Named :
  /\ Take(p, Orphan(p, fence))
  /\ Edge("orphan", p, <<fence>>, Orphan(p, fence))

AdoptEdge == \E p \in Project, seen \in Named :
  \E lease \in FreshLease(p), fence \in FreshFence :
    /\ TakeFresh(p, Adopt(p, seen, lease, fence))
    /\ Edge("adopt", p, <<seen, lease, fence>>,
            Adopt(p, seen, lease, fence))

NextEdge ==
  \/ ClaimEdge
  \/ RequestStopEdge
  \/ ReleaseEdge
  \/ OrphanEdge
  \/ AdoptEdge
=============================================================================
