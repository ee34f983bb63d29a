---- MODULE M ----
EXTENDS Integers, TLC
VARIABLE n
Init == n = 0
Up == n' = n + 1
Spec == Init /\ [][Up]_n
Below == Assert(n < 2, "too big")
====
