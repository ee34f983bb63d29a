---- MODULE M ----
EXTENDS Integers
VARIABLE n
Init == n = Zero
Spec == Init /\ [][FALSE]_n
====
