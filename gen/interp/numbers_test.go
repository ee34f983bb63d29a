package interp_test

import (
	"strings"
	"testing"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
)

// TestNumbers runs ranges with bounds of their own, alone, in optionals and in
// sets that mix them.
func TestNumbers(t *testing.T) {
	table, err := spec.Load("testdata/numbers.yaml")
	if err != nil {
		t.Fatal(err)
	}
	m := machine(t, table, table.Models[0])
	r := run(t, m)
	wants(t, r.Steps.Err, interp.ErrRange, m.Explain(r.Steps), "inc.done can't be told: n: n + 1: the value is outside its type (outside -2..3)\n  at inc()")

	inc := row(t, table, "inc.done")
	inc.Set = nil
	m = machine(t, table, table.Models[0])
	r = run(t, m)
	if !r.Steps.Verdict.OK() || r.States != 169 {
		t.Errorf("%d states; %s", r.States, m.Explain(r.Steps))
	}
	var got strings.Builder
	for _, res := range r.Properties {
		got.WriteString(res.Name + ": " + res.Verdict.String() + "\n")
		if res.Verdict == explore.Violated {
			got.WriteString(m.Explain(res))
		}
	}
	want := `SeenIsLow: holds
LastIsSeen: holds
NotBoth: violated
1. put(x -2, id 1, turn 1, color red): put.done
     told(last none, double -4)
     state = busy, last = -2, who = 1, date = 1, seen = {-2}, low = {-3, -2}, issuedTurn = 1
2. put(x 3, id 1, turn 2, color red): put.done
     told(last -2, double 6)
     n = 3, last = 3, date = 2, seen = {-2, 3}, low = {-3, -2, 2, 3}, issuedTurn = 2
NotBoth fails: !(3 in seen && seen.size() == 2)
Colors{c=red}: reached
Colors{c=green}: reached
`
	if got.String() != want {
		t.Errorf("got:\n%s", got.String())
	}
}
