---- MODULE M ----
EXTENDS Integers
VARIABLE n
Init == n = = 0
Spec == Init /\ [][FALSE]_n
====
