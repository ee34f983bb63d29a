package tla_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/interlock-go/interlock/tla"
)

func ExampleRun() {
	res, err := tla.Run(context.Background(), tla.Config{
		Dir:      "tla",
		Module:   "MCLane",
		Cfg:      "MCLane_small.cfg",
		Coverage: true,
	})
	if err != nil {
		log.Fatal(err) // no java, no jar: nothing was checked
	}
	fmt.Println(res.Verdict)
	fmt.Print(res.Trace)
	for _, action := range res.Coverage {
		if action.Generated == 0 {
			fmt.Println("never fired:", action.Name)
		}
	}
}

// A million edges are compared as they are printed, without holding them.
func ExampleRun_edges() {
	var p tla.Parser
	_, err := tla.Run(context.Background(), tla.Config{
		Dir:    "tla",
		Module: "LaneEdges",
		Print: func(line []byte) {
			edge, err := p.ParsePrinted(line)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(edge.Elem(0).Text(), edge)
		},
	})
	if err != nil {
		log.Fatal(err)
	}
}

func ExampleReadLog() {
	file, err := os.Open("testdata/cases/lasso_back/tlc.log")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	res, err := tla.ReadLog(file, 13, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Verdict)
	fmt.Print(res.Trace)
	// Output:
	// temporal property is violated
	// 1: Initial predicate
	//    /\ n = 0
	//    /\ on = FALSE
	// 2: Toggle
	//    /\ n = 0
	//    /\ on = TRUE
	// 3: Up
	//    /\ n = 1
	//    /\ on = TRUE
	// 4: Up
	//    /\ n = 3
	//    /\ on = TRUE
	// 5: Toggle
	//    /\ n = 3
	//    /\ on = FALSE
	// back to 4: Toggle
}

func ExampleParseValue() {
	v, err := tla.ParseValue(`(p2 :> {2, 1} @@ p1 :> 1..2)`)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v)
	leases, _ := v.Apply(tla.Model("p1"))
	fmt.Println(leases.Len(), leases.Has(tla.Int(2)))
	// Output:
	// (p1 :> {1, 2} @@ p2 :> {1, 2})
	// 2 true
}
