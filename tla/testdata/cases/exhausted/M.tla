---- MODULE M ----
EXTENDS Integers
VARIABLE n
Init == n = 0
Fill == n' = [i \in 1..900000 |-> <<i, i, i>>]
Spec == Init /\ [][Fill]_n
====
