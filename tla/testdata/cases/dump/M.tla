---- MODULE M ----
EXTENDS Integers
VARIABLES n, on
vars == <<n, on>>
Init == n = 0 /\ on = FALSE
Up(k) == n + k <= 4 /\ n' = n + k /\ UNCHANGED on
Toggle == on' = ~on /\ UNCHANGED n
Dead == n > 9 /\ n' = 0 /\ UNCHANGED on
Next == Toggle \/ Dead \/ \E k \in 1..2 : Up(k)
Spec == Init /\ [][Next]_vars
====
