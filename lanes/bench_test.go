package lanes_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/semaphore"

	"github.com/interlock-go/interlock/lanes"
)

// BenchmarkCycle is a claim and its release, beside what a program would use in
// its place: none of the peers says who owns the place, or refuses who doesn't.
//
//	go test -run '^$' -bench Cycle -count 6 ./lanes
func BenchmarkCycle(b *testing.B) {
	peers := []struct {
		name string
		make func(keys []string) func(key int)
	}{
		{"lanes", func(keys []string) func(int) {
			m, err := lanes.Open(lanes.Config{})
			if err != nil {
				b.Fatal(err)
			}
			r := m.Projects()
			ctx := context.Background()
			return func(key int) {
				lease, err := r.Claim(ctx, keys[key], "run")
				if err != nil {
					return // another has it
				}
				if _, err := r.Release(ctx, lease, lanes.OutcomeSucceeded); err != nil {
					b.Error(err)
				}
			}
		}},
		{"mutex and map", func(keys []string) func(int) {
			var mu sync.Mutex
			busy := map[string]bool{}
			return func(key int) {
				mu.Lock()
				was := busy[keys[key]]
				busy[keys[key]] = true
				mu.Unlock()
				if !was {
					mu.Lock()
					delete(busy, keys[key])
					mu.Unlock()
				}
			}
		}},
		{"semaphore", func(keys []string) func(int) {
			places := make([]*semaphore.Weighted, len(keys))
			for i := range places {
				places[i] = semaphore.NewWeighted(1)
			}
			return func(key int) {
				if places[key].TryAcquire(1) {
					places[key].Release(1)
				}
			}
		}},
		// A program whose keys are strings has to look its semaphore up. Nothing
		// is ever taken out here: with that, it would need a lock of its own.
		{"semaphores by key", func(keys []string) func(int) {
			var places sync.Map
			return func(key int) {
				place, ok := places.Load(keys[key])
				if !ok {
					place, _ = places.LoadOrStore(keys[key], semaphore.NewWeighted(1))
				}
				if s := place.(*semaphore.Weighted); s.TryAcquire(1) {
					s.Release(1)
				}
			}
		}},
		{"channel of one", func(keys []string) func(int) {
			places := make([]chan struct{}, len(keys))
			for i := range places {
				places[i] = make(chan struct{}, 1)
			}
			return func(key int) {
				select {
				case places[key] <- struct{}{}:
					<-places[key]
				default:
				}
			}
		}},
	}
	for _, peer := range peers {
		b.Run(peer.name+"/uncontended", func(b *testing.B) {
			b.ReportAllocs()
			cycle := peer.make(projects(1))
			for b.Loop() {
				cycle(0)
			}
		})
		for _, n := range []int{1, 64} {
			b.Run(fmt.Sprintf("%s/8 goroutines, keys=%d", peer.name, n), func(b *testing.B) {
				b.ReportAllocs()
				cycle := peer.make(projects(n))
				var wg sync.WaitGroup
				var next atomic.Int64
				b.ResetTimer()
				for range 8 {
					wg.Go(func() {
						const batch = 256
						for from := next.Add(batch) - batch; from < int64(b.N); from = next.Add(batch) - batch {
							for i := from; i < min(from+batch, int64(b.N)); i++ {
								cycle(int(i) % n)
							}
						}
					})
				}
				wg.Wait()
			})
		}
	}
}

// BenchmarkKeys is a claim and its release while many other projects are held:
// their number should cost nothing but cache misses.
//
//	go test -run '^$' -bench Keys -count 6 ./lanes
func BenchmarkKeys(b *testing.B) {
	for _, n := range []int{10, 1_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			m, err := lanes.Open(lanes.Config{})
			if err != nil {
				b.Fatal(err)
			}
			r := m.Projects()
			ctx := context.Background()
			for _, p := range projects(n) {
				if _, err := r.Claim(ctx, p, "run"); err != nil {
					b.Fatal(err)
				}
			}
			for b.Loop() {
				lease, err := r.Claim(ctx, "another", "run")
				if err != nil {
					b.Fatal(err)
				}
				if _, err := r.Release(ctx, lease, lanes.OutcomeSucceeded); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func projects(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("project-%d", i)
	}
	return names
}
