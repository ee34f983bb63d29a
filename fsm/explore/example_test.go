package explore_test

import (
	"context"
	"fmt"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/explore"
)

// lock is a lock that two clients ask for. Whoever has it keeps it until it
// gives it back, or until the server takes it for lost.
type lock struct {
	holder int     // 0: nobody's
	works  [3]bool // client i uses what the lock protects
}

// server explores the lock with or without the rule that a lock may expire.
type server struct{ expires bool }

func (server) Init() []lock { return []lock{{}} }

func (v server) Steps(s lock, yield func(explore.Step[lock, string]) bool) error {
	for client := 1; client <= 2; client++ {
		ask := explore.Step[lock, string]{Label: fmt.Sprintf("client %d asks", client), Row: 0, Kind: fsm.Refuse, To: s}
		if s.holder == 0 {
			ask.Row, ask.Kind = 1, fsm.Move
			ask.To.holder, ask.To.works[client] = client, true
		}
		if !yield(ask) {
			return nil
		}
		if s.works[client] {
			ends := explore.Step[lock, string]{Label: fmt.Sprintf("client %d ends", client), Row: 2, Kind: fsm.Move, To: s}
			ends.To.works[client] = false
			if s.holder == client {
				ends.To.holder = 0
			}
			if !yield(ends) {
				return nil
			}
		}
	}
	if v.expires && s.holder != 0 {
		expires := explore.Step[lock, string]{Label: "the lock expires", Row: 3, Kind: fsm.Move, To: s}
		expires.To.holder = 0
		yield(expires)
	}
	return nil
}

// A Go programmer's own machine: its states are a comparable type, its steps a
// function of the state, and its claims are functions of either.
func Example() {
	opts := explore.Options[lock, string]{
		Properties: []explore.Property[lock, string]{
			{Name: "one works", State: func(s lock) (bool, error) { return !(s.works[1] && s.works[2]), nil }},
			{Name: "a free lock is given", Step: func(from lock, st explore.Step[lock, string]) (bool, error) {
				return from.holder != 0 || st.Kind != fsm.Refuse, nil
			}},
			{Name: "client 2 works", Kind: explore.Sometimes, State: func(s lock) (bool, error) { return s.works[2], nil }},
		},
		Deadlock: true,
	}
	for _, sys := range []server{{expires: false}, {expires: true}} {
		report, err := explore.Run(context.Background(), sys, opts)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print("expires: ", sys.expires, ", as claimed: ", report.OK(), "\n", report, "\n")
	}
	// Output:
	// expires: false, as claimed: true
	// 3 states (1 initial), 8 steps, 4 of them moves, depth 1
	// one works: holds
	// a free lock is given: holds
	// client 2 works: reached
	//   {0 [false false false]}
	//   1. client 2 asks -> {2 [false false true]}
	// no internal step: holds
	// no deadlock: holds
	// steps defined: holds
	//
	// expires: true, as claimed: false
	// 8 states (1 initial), 30 steps, 22 of them moves, depth 4
	// one works: violated
	//   {0 [false false false]}
	//   1. client 1 asks -> {1 [false true false]}
	//   2. the lock expires -> {0 [false true false]}
	//   3. client 2 asks -> {2 [false true true]}
	// a free lock is given: holds
	// client 2 works: reached
	//   {0 [false false false]}
	//   1. client 2 asks -> {2 [false false true]}
	// no internal step: holds
	// no deadlock: holds
	// steps defined: holds
}
