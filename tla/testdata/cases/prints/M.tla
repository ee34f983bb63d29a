---- MODULE M ----
EXTENDS Integers, TLC
VARIABLES n, last
vars == <<n, last>>
ASSUME PrintT("hello")
Init == n = 0 /\ last = "a \"q\" \\ b"
Step(k) == n + k < 4 /\ n' = n + k /\ UNCHANGED last
Edge(k) == PrintT(ToString(<<"step", k, vars, vars', [set |-> {1, 2}, long |-> "a text that makes the line longer than TLC's eighty columns"]>>))
Next == \E k \in 1..2 : Step(k) /\ Edge(k)
Spec == Init /\ [][Next]_vars
====
