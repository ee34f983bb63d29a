---------------------------- MODULE SessionEdges ----------------------------
(***************************************************************************)
(* Prints every edge of Session, whatever the answer, one line each:       *)
(*   <<event, "-", args, answer, effects, vars, vars'>>                    *)
(* for each (state, event, args) once; "-" because there is but one        *)
(* session, and it never has effects.  The steps are Session's own; each   *)
(* is followed by its line.  No record is printed, so equal states are     *)
(* equal texts.                                                            *)
(***************************************************************************)
EXTENDS Session, TLC

Edge(event, args, answer) ==
  /\ Take(answer)
  /\ PrintT(ToString(
       <<event, "-", args, answer.answer, answer.effects, vars, vars'>>))

BeginEdge == \E r \in FreshRun, l \in FreshLease, confirmed \in BOOLEAN :
  Edge("begin", <<r, l, confirmed>>, Begin(r, l, confirmed))

SentEdge == \E l \in Lease, last \in Poll :
  Edge("sent", <<l, last>>, Sent(l, last))

StatusEdge == \E report \in Reports, poll \in Poll, settled \in Poll :
  Edge("status", <<report, poll, settled>>, Status(report, poll, settled))

PromptFailedEdge == \E l \in Lease :
  Edge("promptFailed", <<l>>, PromptFailed(l))

SendExpiredEdge == \E r \in Run : Edge("sendExpired", <<r>>, SendExpired(r))

GraceExpiredEdge == \E r \in Run : Edge("graceExpired", <<r>>, GraceExpired(r))

TtlExpiredEdge == \E r \in Run : Edge("ttlExpired", <<r>>, TtlExpired(r))

AbortEdge == \E named \in Named, call \in FreshCall :
  Edge("abort", <<named, call>>, Abort(named, call))

AbortAnsweredEdge == \E call \in Call :
  Edge("abortAnswered", <<call>>, AbortAnswered(call))

DeleteEdge == Edge("delete", << >>, Delete)

RestartEdge == Edge("restart", << >>, Restart)

NextEdge ==
  \/ BeginEdge
  \/ SentEdge
  \/ StatusEdge
  \/ PromptFailedEdge
  \/ SendExpiredEdge
  \/ GraceExpiredEdge
  \/ TtlExpiredEdge
  \/ AbortEdge
  \/ AbortAnsweredEdge
  \/ DeleteEdge
  \/ RestartEdge
=============================================================================
