package fsm_test

import (
	"context"
	"fmt"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/lane"
)

// A machine for any number of goroutines, with a hook that is told of each
// step. Who knows looplab/fsm finds Event in Step, Can in Can, Current in
// Machine, and the callbacks in OnStep.
func ExampleHolder() {
	ctx := context.Background()
	h := fsm.NewHolder(lane.Machine{}, (*lane.Machine).Step)
	h.OnStep(func(a fsm.Audit[lane.Machine, lane.Event, lane.Decision, lane.Effect]) {
		if i := a.Decision.Info(); i.Kind == fsm.Move {
			fmt.Printf("%s: %v -> %v\n", i.Name, a.From.State, a.To.State)
		} else {
			fmt.Printf("%s: %v, %s\n", i.Name, i.Kind, i.Code)
		}
	})
	fmt.Println(h.Can(lane.Release{Lease: 1, Outcome: lane.OutcomeFailed}).Info().Code)
	for _, lease := range []lane.Lease{1, 2} {
		if _, _, err := h.Step(ctx, lane.Claim{Lease: lease, Fence: lane.Fence(lease)}); err != nil {
			fmt.Println(err) // ctx ended; a refusal is no error
		}
	}

	kept, err := h.Snapshot()
	if err != nil {
		fmt.Println(err)
	}
	later := fsm.NewHolder(lane.Machine{}, (*lane.Machine).Step)
	fmt.Println(later.Restore(kept), later.Machine().State)
	// Output:
	// LEASE_NOT_CURRENT
	// claim.won: free -> running
	// claim.busy: refuse, PROJECT_BUSY
	// <nil> running
}
