---- MODULE M ----
EXTENDS Integers
VARIABLE n
Init == n = 1
Double == n' = n * 2
Spec == Init /\ [][Double]_n
====
