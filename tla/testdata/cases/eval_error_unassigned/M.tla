---- MODULE M ----
EXTENDS Integers
VARIABLES n, m
Init == n = 0 /\ m = 0
Step == n' = n + 1
Spec == Init /\ [][Step]_<<n, m>>
====
