---- MODULE M ----
EXTENDS Integers, TLC
VARIABLE n
Init == n = 0
Up == n' = n + 1 /\ PrintT(ToString(<<"up", n, n'>>))
Spec == Init /\ [][Up]_n
Small == n < 2
====
