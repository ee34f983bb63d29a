package lanes_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"sync"
	"time"

	"github.com/interlock-go/interlock/lanes"
)

// Before: a lock for each session around its turns.
type before struct {
	mu    sync.Mutex
	locks map[string]*sync.Mutex // grows with each session, for ever
}

func (b *before) Turn(ctx context.Context, session, id string, turn func(context.Context) error) error {
	b.mu.Lock()
	lock, found := b.locks[session]
	if !found {
		lock = new(sync.Mutex)
		b.locks[session] = lock
	}
	b.mu.Unlock()

	lock.Lock() // whoever has gone, it waits on: ctx isn't looked at
	defer lock.Unlock()
	return turn(ctx)
}

// After: Run in place of the lock.
type after struct {
	turns *lanes.Coordinator // opened with ForgetIdle, it forgets sessions that rest
}

func (a *after) Turn(ctx context.Context, session, id string, turn func(context.Context) error) error {
	return a.turns.Run(ctx, lanes.Request{
		Session:   session,
		Execution: id,
		Owner:     lanes.Owner{Kind: lanes.OwnerAgent},
	}, func(ctx context.Context, _ lanes.Ticket) error {
		return turn(ctx)
	})
}

// Run takes the place of a lock around a turn. Callers change nothing, and turns
// still go one by one. What a lock can't say is known: who is at work and who
// waits; and exactly one of them can be stopped.
func Example_lock() {
	ctx := context.Background()
	m, err := lanes.Open(lanes.Config{Queue: lanes.QueueConfig{ForgetIdle: time.Hour}})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()

	for _, chat := range []interface {
		Turn(ctx context.Context, session, id string, turn func(context.Context) error) error
	}{
		&before{locks: map[string]*sync.Mutex{}},
		&after{m.Coordinator()},
	} {
		writing := 0
		var turns sync.WaitGroup
		for i := range 10 {
			turns.Go(func() {
				chat.Turn(ctx, "chat-7", fmt.Sprint("turn-", i), func(context.Context) error {
					writing++ // two at once would be a data race
					return nil
				})
			})
		}
		turns.Wait()
		fmt.Printf("%T: %d turns\n", chat, writing)
	}

	// Only after: while a turn is at work, another one waits and is called off.
	chat := &after{m.Coordinator()}
	err = chat.Turn(ctx, "chat-7", "long", func(context.Context) error {
		second := make(chan error)
		go func() {
			second <- chat.Turn(ctx, "chat-7", "second", func(context.Context) error { return nil })
		}()
		for {
			s, err := m.Coordinator().Snapshot(ctx, "chat-7")
			if err != nil {
				return err
			}
			if len(s.Queue) == 1 {
				fmt.Println(s.Owner.Execution, "is at work,", s.Queue[0].Execution, "waits")
				break
			}
			time.Sleep(time.Millisecond)
		}
		err := m.Coordinator().CancelQueued(ctx, lanes.Target{
			Session: "chat-7", Execution: "second", Owner: lanes.Owner{Kind: lanes.OwnerAgent}, Reason: "not needed any more",
		})
		if err != nil {
			return err
		}
		var cancelled *lanes.WaitError
		if errors.As(<-second, &cancelled) {
			fmt.Println("second:", cancelled.Reason)
		}
		return nil
	})
	fmt.Println("long:", err)

	// Output:
	// *lanes_test.before: 10 turns
	// *lanes_test.after: 10 turns
	// long is at work, second waits
	// second: not needed any more
	// long: <nil>
}
