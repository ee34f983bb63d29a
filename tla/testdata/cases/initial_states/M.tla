---- MODULE M ----
EXTENDS Integers
VARIABLE n
Init == n \in {1, 2} \/ n \in {2, 3}
Next == n < 3 /\ \E m \in 3..4 : n' = m - 1
Spec == Init /\ [][Next]_n
====
