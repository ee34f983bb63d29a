---- MODULE M ----
EXTENDS Integers
VARIABLE n
Init == n = 0
Up == n < 2 /\ n' = n + 1
Spec == Init /\ [][Up]_n
====
