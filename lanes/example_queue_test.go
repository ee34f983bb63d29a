package lanes_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/interlock-go/interlock/lanes"
	"github.com/interlock-go/interlock/lanes/lanesslog"
)

// A program held a lock around each turn of a chat:
//
//	mu.Lock()
//	defer mu.Unlock()
//	return turn(ctx)
//
// With Run in its place, turns still go one by one, in the order in which they
// were asked for; one can see who is at work and who waits, and stop one of
// them.
func ExampleCoordinator_Run() {
	m, err := lanes.Open(lanes.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	c := m.Coordinator()

	turn := func(ctx context.Context, t lanes.Ticket) error {
		fmt.Println("turn", t.Execution())
		return nil
	}
	for _, id := range []string{"1", "2"} {
		err := c.Run(context.Background(), lanes.Request{
			Session:   "chat-7",
			Execution: id, // left out, one is made
			Owner:     lanes.Owner{Kind: lanes.OwnerAgent, ID: "a1"},
			Timeout:   time.Minute, // for the wait
		}, turn)
		if err != nil {
			log.Fatal(err)
		}
	}

	// Output:
	// turn 1
	// turn 2
}

// A stop button interrupts exactly the turn that it was shown for. The turn's
// context ends, with the reason as its cause; the place is free once the turn
// has returned.
func ExampleCoordinator_Interrupt() {
	ctx := context.Background()
	m, err := lanes.Open(lanes.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	c := m.Coordinator()
	owner := lanes.Owner{Kind: lanes.OwnerAgent, ID: "a1"}

	var button sync.WaitGroup
	err = c.Run(ctx, lanes.Request{Session: "chat-7", Owner: owner}, func(ctx context.Context, t lanes.Ticket) error {
		button.Go(func() {
			c.Interrupt(context.Background(), lanes.Target{
				Session: "chat-7", Execution: t.Execution(), Serial: t.Serial(), Owner: owner, Reason: "the user pressed stop",
			})
		})
		<-ctx.Done() // whatever the turn waits for, it also waits for this
		return nil
	})
	button.Wait()
	var cancelled *lanes.WaitError
	if errors.As(err, &cancelled) {
		fmt.Println(cancelled.State, "-", cancelled.Reason)
	}

	// Output:
	// cancelled - the user pressed stop
}

// Submit, Wait and Complete one by one: who has the ticket ends it.
func ExampleCoordinator_Submit() {
	ctx := context.Background()
	m, err := lanes.Open(lanes.Config{Queue: lanes.QueueConfig{Cap: 1}})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	c := m.Coordinator()
	owner := lanes.Owner{Kind: lanes.OwnerUserREPL}

	cell, err := c.Submit(ctx, lanes.Request{Session: "notebook", Execution: "cell-1", Owner: owner})
	if err != nil {
		log.Fatal(err)
	}
	next, err := c.Submit(ctx, lanes.Request{Session: "notebook", Execution: "cell-2", Owner: owner})
	if err != nil {
		log.Fatal(err)
	}
	_, err = c.Submit(ctx, lanes.Request{Session: "notebook", Execution: "cell-3", Owner: owner})
	fmt.Println(errors.Is(err, lanes.ErrQueueFull), next.View().State, next.View().Position)

	ended, err := c.Fail(ctx, cell, errors.New("NameError"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ended.State, cell.View().Error)
	if err := c.Wait(ctx, next); err != nil {
		log.Fatal(err)
	}
	ended, _ = c.Complete(ctx, next)
	again, _ := c.Complete(ctx, next) // no error: it had ended
	fmt.Println(ended.State, ended.Already, again.Already)

	// Output:
	// true queued 1
	// failed NameError
	// completed false true
}

// Who doesn't get its turn in time is out of the line in the same step: no turn
// is kept for it.
func ExampleCoordinator_WaitFor() {
	ctx := context.Background()
	m, err := lanes.Open(lanes.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	c := m.Coordinator()
	owner := lanes.Owner{Kind: lanes.OwnerSystem}
	c.Submit(ctx, lanes.Request{Session: "s", Execution: "long", Owner: owner})
	late, err := c.Submit(ctx, lanes.Request{Session: "s", Execution: "late", Owner: owner})
	if err != nil {
		log.Fatal(err)
	}
	err = c.WaitFor(ctx, late, time.Millisecond)
	fmt.Println(err)
	fmt.Println(errors.Is(err, lanes.ErrAdmissionTimedOut), errors.Is(err, context.DeadlineExceeded), late.View().State)

	// Output:
	// lanes: wait for s/late: ADMISSION_TIMED_OUT: it wasn't admitted in time, and is cancelled (cancelled: admission timed out)
	// true true cancelled
}

// A screen draws what happens from the events alone, in their order.
func ExampleCoordinator_Subscribe() {
	ctx := context.Background()
	m, err := lanes.Open(lanes.Config{})
	if err != nil {
		log.Fatal(err)
	}
	c := m.Coordinator()
	events, err := c.Subscribe(ctx, lanes.SubscribeOptions{})
	if err != nil {
		log.Fatal(err)
	}
	t, err := c.Submit(ctx, lanes.Request{Session: "s", Execution: "x", Owner: lanes.Owner{Kind: lanes.OwnerAgent}})
	if err != nil {
		log.Fatal(err)
	}
	c.Complete(ctx, t)
	m.Close() // ends the loop, once it has seen everything

	for e := range events.Events() {
		switch e.Type {
		case lanes.EventTicketState:
			fmt.Println(e.Seq, e.Ticket.Execution, e.Ticket.State)
		case lanes.EventQueueChanged:
			fmt.Println(e.Seq, "waiting:", len(e.Snapshot.Queue), "closed:", e.Snapshot.Closed)
		case lanes.EventEventsDropped:
			fmt.Println(e.Dropped, "missed") // take Snapshots, and go on
		}
	}

	// Output:
	// 1 x queued
	// 2 x running
	// 4 waiting: 0 closed: false
	// 5 x completed
	// 7 waiting: 0 closed: false
	// 9 waiting: 0 closed: true
}

// A program that goes down asks its turns to end, waits until they have, and
// closes the manager last: so the events tell of every end.
func ExampleManager_Close() {
	ctx := context.Background()
	m, err := lanes.Open(lanes.Config{})
	if err != nil {
		log.Fatal(err)
	}
	c := m.Coordinator()
	events, err := c.Subscribe(ctx, lanes.SubscribeOptions{})
	if err != nil {
		log.Fatal(err)
	}
	var turns sync.WaitGroup
	atWork := make(chan struct{})
	turns.Go(func() {
		err := c.Run(ctx, lanes.Request{Session: "s", Execution: "x", Owner: lanes.Owner{Kind: lanes.OwnerAgent}},
			func(ctx context.Context, _ lanes.Ticket) error {
				close(atWork)
				<-ctx.Done()
				return nil
			})
		fmt.Println(errors.Is(err, lanes.ErrAdmissionCancelled))
	})
	<-atWork

	if _, err := c.Close(ctx, "the server goes down"); err != nil {
		log.Fatal(err)
	}
	turns.Wait()
	m.Close()
	for e := range events.Events() {
		if e.Type == lanes.EventTicketState {
			fmt.Printf("%s %s %q\n", e.Ticket.Execution, e.Ticket.State, e.Reason)
		}
	}

	// Output:
	// true
	// x queued ""
	// x running ""
	// x cancelled "the server goes down"
}

// Events go to a log.
func ExampleCoordinator_SubscribeFunc() {
	ctx := context.Background()
	m, err := lanes.Open(lanes.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	if _, err := m.Coordinator().SubscribeFunc(ctx, lanes.SubscribeOptions{}, lanesslog.Sink(slog.Default())); err != nil {
		log.Fatal(err)
	}
}

// An operator sees since when a ticket runs, and ends exactly it if its owner
// has vanished. No time-out does that by itself.
func ExampleCoordinator_ForceEnd() {
	ctx := context.Background()
	m, err := lanes.Open(lanes.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	c := m.Coordinator()
	c.Submit(ctx, lanes.Request{Session: "s", Execution: "lost", Owner: lanes.Owner{Kind: lanes.OwnerRecovery}})

	for s, err := range c.Snapshots(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		if s.Owner == nil || s.Owner.StartedAt.After(time.Now()) { // say, an hour ago
			continue
		}
		err := c.ForceEnd(ctx, lanes.Target{
			Session: s.Session, Execution: s.Owner.Execution, Serial: s.Owner.Serial, Reason: "its machine is gone",
		})
		fmt.Println(s.Session, s.Owner.Execution, err)
	}

	// Output:
	// s lost <nil>
}

// What a web page gets.
func ExampleSnapshot() {
	ctx := context.Background()
	m, err := lanes.Open(lanes.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	s, err := m.Coordinator().Snapshot(ctx, "s")
	if err != nil {
		log.Fatal(err)
	}
	json.NewEncoder(os.Stdout).Encode(s)

	// Output:
	// {"session_id":"s","root_frame_id":"s","closed":false,"close_reason":null,"owner":null,"queue":[],"queued_count":0,"active_count":0}
}
