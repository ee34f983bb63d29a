---- MODULE M ----
EXTENDS Integers, TLC
VARIABLE n
Init == n = 0
Up == /\ Assert(n < 2, <<"too", "big", n>>)
      /\ n' = n + 1
Spec == Init /\ [][Up]_n
====
