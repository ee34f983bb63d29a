---- MODULE M ----
EXTENDS Integers
VARIABLE n
f == [i \in 0..2 |-> i + 1]
Init == n = 0
Step == n' = f[n]
Spec == Init /\ [][Step]_n
====
