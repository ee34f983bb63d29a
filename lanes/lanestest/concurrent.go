package lanestest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/interlock-go/interlock/lanes"
)

// atOnce runs f(0) to f(n-1) on goroutines of their own from one moment on, and
// returns their errors.
func atOnce(n int, f func(i int) error) error {
	errs := make([]error, n)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-start
			errs[i] = f(i)
		})
	}
	close(start)
	wg.Wait()
	return errors.Join(errs...)
}

func oneCreates(ctx context.Context, s lanes.Store) error {
	const writers = 8
	for round := range 10 {
		k := key(fmt.Sprint("p", round))
		var won [writers]lanes.Version
		err := atOnce(writers, func(i int) (err error) {
			won[i], err = s.Swap(ctx, lanes.Write{Key: k, Data: fmt.Append(nil, "by ", i)})
			if errors.Is(err, lanes.ErrConflict) {
				won[i] = lanes.Version{}
				return nil
			}
			return err
		})
		if err != nil {
			return err
		}
		winner := -1
		for i, v := range won {
			if v == (lanes.Version{}) {
				continue
			}
			if winner >= 0 {
				return fmt.Errorf("writers %d and %d both made the record of %v", winner, i, k)
			}
			winner = i
		}
		if winner < 0 {
			return fmt.Errorf("of %d writers none made the record of %v", writers, k)
		}
		if err := has(ctx, s, k, won[winner], fmt.Sprint("by ", winner)); err != nil {
			return err
		}
	}
	return nil
}

// increment adds one to the number under k, which is written limit times in all:
// each conflict means that another's write was done.
func increment(ctx context.Context, s lanes.Store, k lanes.Key, limit int) (n int, err error) {
	for range limit {
		r, err := s.Load(ctx, k)
		if err != nil {
			return 0, err
		}
		n = 0
		if len(r.Data) > 0 {
			if _, err := fmt.Sscan(string(r.Data), &n); err != nil {
				return 0, err
			}
		}
		n++
		_, err = s.Swap(ctx, lanes.Write{Key: k, Old: r.Version, Data: fmt.Append(nil, n)})
		if err == nil {
			return n, nil
		}
		if !errors.Is(err, lanes.ErrConflict) {
			return 0, err
		}
	}
	return 0, fmt.Errorf("%d conflicts of %d writes", limit, limit)
}

func noUpdateIsLost(ctx context.Context, s lanes.Store) error {
	const writers, times = 4, 25
	var mu sync.Mutex
	seen := map[int]bool{}
	err := atOnce(writers, func(int) error {
		for range times {
			n, err := increment(ctx, s, key("count"), writers*times)
			if err != nil {
				return err
			}
			mu.Lock()
			twice := seen[n]
			seen[n] = true
			mu.Unlock()
			if twice {
				return fmt.Errorf("two writers both made it %d", n)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	r, err := s.Load(ctx, key("count"))
	if err != nil {
		return err
	}
	if string(r.Data) != fmt.Sprint(writers*times) {
		return fmt.Errorf("%d increments made it %s", writers*times, r.Data)
	}
	return nil
}

// An ended context is answered with its error, and nothing is done.
func endedContext(ctx context.Context, s lanes.Store) error {
	v, err := swap(ctx, s, key("p"), lanes.Version{}, "before")
	if err != nil {
		return err
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.Load(ended, key("p")); !errors.Is(err, context.Canceled) {
		return fmt.Errorf("Load under an ended context: %v", err)
	}
	for _, w := range []lanes.Write{
		{Key: key("p"), Old: v, Data: []byte("after")}, {Key: key("p"), Old: v}, {Key: key("p"), Data: []byte("stale")},
		{Key: key("q"), Data: []byte("new")},
	} {
		if _, err := s.Swap(ended, w); !errors.Is(err, context.Canceled) || errors.Is(err, lanes.ErrStoreUncertain) {
			return fmt.Errorf("Swap under an ended context: %v", err)
		}
	}
	n := 0
	for _, err := range s.List(ended, "lane") {
		if n++; !errors.Is(err, context.Canceled) || n > 1 {
			return fmt.Errorf("List under an ended context: %v", err)
		}
	}
	if n == 0 {
		return errors.New("List under an ended context tells of no error")
	}
	if err := has(ctx, s, key("q"), lanes.Version{}, ""); err != nil {
		return err
	}
	return has(ctx, s, key("p"), v, "before")
}

// fill makes n records, not in the order of their names.
func fill(ctx context.Context, s lanes.Store, n int) ([]string, error) {
	var names []string
	for i := range n {
		name := fmt.Sprintf("p%03d", i*37%n)
		if _, err := swap(ctx, s, key(name), lanes.Version{}, "at "+name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil
}

func listIsSorted(ctx context.Context, s lanes.Store) error {
	want, err := fill(ctx, s, 300)
	if err != nil {
		return err
	}
	for range 2 {
		got, err := list(ctx, s, "lane")
		if err != nil {
			return err
		}
		if !slices.Equal(got, want) {
			return fmt.Errorf("List: got %d names, from %.5q; want %d, from %.5q", len(got), got, len(want), want)
		}
	}
	return nil
}

func listStops(ctx context.Context, s lanes.Store) error {
	if _, err := fill(ctx, s, 10); err != nil {
		return err
	}
	for _, stop := range []int{1, 5} {
		n, more := 0, 0
		s.List(ctx, "lane")(func(lanes.Record, error) bool {
			if n == stop {
				more++ // called after it was told to stop
				return false
			}
			n++
			return n < stop
		})
		if n != stop || more > 0 {
			return fmt.Errorf("List that was stopped after %d yields %d and %d more", stop, n, more)
		}
	}
	return nil
}

// Whoever ranges over a List may use the store, and change what it lists.
func listIsFree(ctx context.Context, s lanes.Store) error {
	names, err := fill(ctx, s, 10)
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() {
		n := 0
		for r, err := range s.List(ctx, "lane") {
			if err == nil {
				n++
				_, err = swap(ctx, s, r.Key, r.Version, "")
			}
			if err == nil {
				_, err = swap(ctx, s, lanes.Key{Machine: "queue", Name: r.Key.Name}, lanes.Version{}, "x")
			}
			if err != nil {
				done <- fmt.Errorf("within a List: %w", err)
				return
			}
		}
		if n != len(names) {
			done <- fmt.Errorf("List that removes what it yields: %d of %d", n, len(names))
			return
		}
		done <- nil
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(stuck):
		return errors.New("the store is stuck when it is used within a List")
	}
}

// stuck is how long a store may take for what should take no time.
var stuck = 20 * time.Second

// What is there all the time is listed once, whatever happens to other records.
func listMissesNothing(ctx context.Context, s lanes.Store) error {
	want, err := fill(ctx, s, 40)
	if err != nil {
		return err
	}
	stop, ready := make(chan struct{}), make(chan struct{})
	var churn error
	var wg sync.WaitGroup
	wg.Go(func() {
		var once sync.Once
		defer once.Do(func() { close(ready) })
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			k := key(fmt.Sprintf("p%03d-passing", i%40))
			v, err := swap(ctx, s, k, lanes.Version{}, "x")
			if err == nil {
				_, err = swap(ctx, s, k, v, "")
			}
			if err != nil {
				churn = err
				return
			}
			once.Do(func() { close(ready) })
		}
	})
	<-ready
	var wrong error
	for range 10 {
		names, err := list(ctx, s, "lane")
		if err != nil {
			wrong = err
			break
		}
		names = slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, "-passing") })
		if !slices.Equal(names, want) {
			wrong = fmt.Errorf("List beside other writers: got %q; want %q", names, want)
			break
		}
	}
	close(stop)
	wg.Wait()
	return errors.Join(wrong, churn)
}
