package lanes_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/interlock-go/interlock/lanes"
)

// A run claims its project's lane, works, and releases it. Whoever comes in
// between is told who owns the lane.
func Example() {
	ctx := context.Background()
	m, err := lanes.Open(lanes.Config{})
	if err != nil {
		log.Fatal(err)
	}
	projects := m.Projects()

	lease, err := projects.Claim(ctx, "website", "nightly-41")
	if err != nil {
		log.Fatal(err)
	}

	_, err = projects.Claim(ctx, "website", "nightly-42")
	var no *lanes.Refusal
	if errors.As(err, &no) && no.Code == lanes.ErrProjectBusy {
		fmt.Printf("%s is occupied by %s, which is %s\n", no.Occupant.Project, no.Occupant.Run, no.Occupant.State)
	}

	receipt, err := projects.Release(ctx, lease, lanes.OutcomeSucceeded)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s of %s %s\n", receipt.Run, receipt.Project, receipt.Outcome)

	// Output:
	// website is occupied by nightly-41, which is running
	// nightly-41 of website succeeded
}

// A stop frees nothing and calls nobody: who asks for one, by a copy of the lease,
// ends the context of the work too. The lane is occupied until the run has seen
// its work end, and says how.
func ExampleProjects_RequestStop() {
	ctx := context.Background()
	m, err := lanes.Open(lanes.Config{})
	if err != nil {
		log.Fatal(err)
	}
	projects := m.Projects()
	lease, err := projects.Claim(ctx, "website", "nightly")
	if err != nil {
		log.Fatal(err)
	}

	working, stop := context.WithCancel(ctx)
	go func() {
		defer stop()
		v, err := projects.RequestStop(ctx, lease)
		if err != nil {
			log.Print(err)
		}
		fmt.Println(v.Busy, v.State)
		_, err = projects.Claim(ctx, "website", "next")
		fmt.Println(errors.Is(err, lanes.ErrProjectBusy))
	}()

	<-working.Done() // the work, which heeds it
	receipt, err := projects.Release(ctx, lease, lanes.OutcomeCancelled)
	if err != nil {
		log.Fatal(err)
	}
	json.NewEncoder(os.Stdout).Encode(receipt)

	// Output:
	// true stop_requested
	// true
	// {"project":"website","run":"nightly","outcome":"cancelled","stop_requested":true,"work_executed_here":false}
}

// A run's context may end before the run has. Its lane is released all the same,
// with an outcome that says what is known.
func ExampleProjects_Release() {
	m, err := lanes.Open(lanes.Config{})
	if err != nil {
		log.Fatal(err)
	}
	projects := m.Projects()

	work := func(ctx context.Context) (err error) {
		lease, err := projects.Claim(ctx, "website", "nightly")
		if err != nil {
			return err
		}
		outcome := lanes.OutcomeNeedsReview // unless the work says better
		defer func() {
			_, e := projects.Release(context.WithoutCancel(ctx), lease, outcome)
			err = errors.Join(err, e)
		}()

		<-ctx.Done() // the work, interrupted at some unknown point
		return ctx.Err()
	}

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	fmt.Println(work(ctx)) // refused: nothing was claimed

	ctx, cancel = context.WithCancel(context.Background())
	go cancel()
	err = work(ctx)
	v, _ := projects.View(context.Background(), "website")
	fmt.Println(errors.Is(err, context.Canceled), v.Busy)

	// Output:
	// lanes: claim of website: context canceled
	// true false
}

// An old lease never acts on a newer run, even under the same label.
func ExampleProjects_Release_twice() {
	ctx := context.Background()
	m, err := lanes.Open(lanes.Config{})
	if err != nil {
		log.Fatal(err)
	}
	projects := m.Projects()
	first, _ := projects.Claim(ctx, "website", "nightly")
	projects.Release(ctx, first, lanes.OutcomeSucceeded)
	second, _ := projects.Claim(ctx, "website", "nightly")

	_, err = projects.Release(ctx, first, lanes.OutcomeFailed)
	fmt.Println(err)
	v, _ := projects.View(ctx, "website")
	fmt.Println(v.Busy, second.Fencing().Compare(first.Fencing()) > 0)

	// Output:
	// lanes: release refused: LEASE_NOT_CURRENT: this lease doesn't own the lane, or no longer
	// true true
}

func ExampleProjects_All() {
	ctx := context.Background()
	m, err := lanes.Open(lanes.Config{})
	if err != nil {
		log.Fatal(err)
	}
	projects := m.Projects()
	for _, project := range []string{"website", "billing", "search"} {
		if _, err := projects.Claim(ctx, project, "nightly"); err != nil {
			log.Fatal(err)
		}
	}
	for v, err := range projects.All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(v.Project, v.State)
	}

	// Output:
	// billing running
	// search running
	// website running
}

// Logs show whose a lease is, and never what it acts by.
func ExampleLease() {
	ctx := context.Background()
	m, err := lanes.Open(lanes.Config{})
	if err != nil {
		log.Fatal(err)
	}
	projects := m.Projects()
	lease, err := projects.Claim(ctx, "website", "nightly")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lease)
	fmt.Printf("%+v\n", struct{ lease lanes.Lease }{lease})
	json.NewEncoder(os.Stdout).Encode(lease)

	// Output:
	// lease(website/nightly)
	// {lease:{token:[]}}
	// {"project":"website","run":"nightly"}
}
