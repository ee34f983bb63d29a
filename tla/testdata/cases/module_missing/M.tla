---- MODULE M ----
EXTENDS Integers, Elsewhere
VARIABLE n
Init == n = 0
Spec == Init /\ [][FALSE]_n
====
