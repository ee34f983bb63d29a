---- MODULE M ----
EXTENDS Integers, Sequences
CONSTANTS p1, p2, None
VARIABLES f, s, r, e, str, seqs
vars == <<f, s, r, e, str, seqs>>
Long == [id |-> 1, name |-> "a name that is rather long", owner |-> None, states |-> {"free", "running", "stop_requested"}]
Init ==
  /\ f = [p \in {p1, p2} |-> Long]
  /\ s = 1..30
  /\ r = Long
  /\ e = <<>>
  /\ str = "line\nwith \"quotes\" and \\ backslash /\\ x = 1"
  /\ seqs = <<>>
Grow ==
  /\ Len(seqs) < 2
  /\ seqs' = Append(seqs, <<Long, [p \in {p1, p2} |-> <<Long, None>>]>>)
  /\ UNCHANGED <<f, s, r, e, str>>
Spec == Init /\ [][Grow]_vars
Short == Len(seqs) < 2
====
