package lanes_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/interlock-go/interlock/lanes"
)

// BenchmarkTurn is a submit and its end, over one session and over many, beside
// a bare channel of one, which says neither who has the place nor who waits.
//
//	go test -run '^$' -bench Turn -count 6 ./lanes
func BenchmarkTurn(b *testing.B) {
	for _, n := range []int{1, 10_000} {
		b.Run(fmt.Sprintf("lanes/sessions=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			c := coordinator(b, lanes.QueueConfig{Remember: 100})
			names := projects(n)
			i := 0
			for b.Loop() {
				turn(b, c, names[i%n])
				i++
			}
		})
		b.Run(fmt.Sprintf("channel of one/sessions=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			var mu sync.Mutex
			places := map[string]chan struct{}{}
			names := projects(n)
			for _, name := range names {
				places[name] = make(chan struct{}, 1)
			}
			i := 0
			for b.Loop() {
				mu.Lock()
				place := places[names[i%n]]
				mu.Unlock()
				place <- struct{}{}
				<-place
				i++
			}
		})
	}
}

// turn is a submit and its end.
func turn(b *testing.B, c *lanes.Coordinator, session string) {
	t, err := c.Submit(bg, asks(session, ""))
	if err == nil {
		_, err = c.Complete(bg, t)
	}
	if err != nil {
		b.Error(err)
	}
}

// BenchmarkHandOver is the end of one turn and the beginning of the next, on
// another goroutine that waits for it: "ns/hand-over". Its peer are as many
// goroutines, each of which waits on a bare channel of its own, and hands a
// token on to the next; and a semaphore, which has a lock and a queue too. How
// they came to wait isn't counted.
//
//	go test -run '^$' -bench HandOver -count 6 ./lanes
func BenchmarkHandOver(b *testing.B) {
	for _, depth := range []int{1, 64, 1000} {
		b.Run(fmt.Sprintf("lanes/depth=%d", depth), func(b *testing.B) {
			c := coordinator(b, lanes.QueueConfig{Cap: depth + 1, Remember: lanes.RememberNone})
			handOvers(b, depth, func() (first func(), wait func(i int)) {
				holder, err := c.Submit(bg, asks("s", ""))
				if err != nil {
					b.Fatal(err)
				}
				tickets := make([]lanes.Ticket, depth)
				for i := range tickets {
					if tickets[i], err = c.Submit(bg, asks("s", "")); err != nil {
						b.Fatal(err)
					}
				}
				return func() { c.Complete(bg, holder) }, func(i int) {
					if err := c.Wait(bg, tickets[i]); err != nil {
						b.Error(err)
					}
					c.Complete(bg, tickets[i])
				}
			})
		})
		b.Run(fmt.Sprintf("semaphore/depth=%d", depth), func(b *testing.B) {
			sem := semaphore.NewWeighted(1)
			handOvers(b, depth, func() (first func(), wait func(i int)) {
				if err := sem.Acquire(bg, 1); err != nil {
					b.Fatal(err)
				}
				return func() { sem.Release(1) }, func(int) {
					if err := sem.Acquire(bg, 1); err != nil {
						b.Error(err)
					}
					sem.Release(1)
				}
			})
		})
		b.Run(fmt.Sprintf("channel/depth=%d", depth), func(b *testing.B) {
			handOvers(b, depth, func() (first func(), wait func(i int)) {
				places := make([]chan struct{}, depth+1)
				for i := range places {
					places[i] = make(chan struct{}, 1)
				}
				return func() { places[0] <- struct{}{} }, func(i int) {
					<-places[i]
					places[i+1] <- struct{}{}
				}
			})
		})
	}
}

// handOvers makes b.N hand-overs at least, in rounds of depth, and reports how
// long one took.
func handOvers(b *testing.B, depth int, prepare func() (first func(), wait func(i int))) {
	var took time.Duration
	var ended sync.WaitGroup
	begin := make([]chan func(int), depth) // goroutines are kept, since new ones must grow their stacks
	for i := range begin {
		begin[i] = make(chan func(int))
		go func() {
			for wait := range begin[i] {
				wait(i)
				ended.Done()
			}
		}()
	}
	done := 0
	for ; done < b.N; done += depth {
		first, wait := prepare()
		ended.Add(depth)
		for i := range begin {
			begin[i] <- wait
		}
		for range 2 * depth { // by now they wait
			runtime.Gosched()
		}
		begun := time.Now()
		first()
		ended.Wait()
		took += time.Since(begun)
	}
	for i := range begin {
		close(begin[i])
	}
	b.ReportMetric(float64(took.Nanoseconds())/float64(done), "ns/hand-over")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkLine is a turn behind a line of tickets that nobody waits for, which
// stays as long: what their number costs.
//
//	go test -run '^$' -bench Line -count 6 ./lanes
func BenchmarkLine(b *testing.B) {
	for _, depth := range []int{1, 100, 10_000} {
		b.Run(fmt.Sprint(depth), func(b *testing.B) {
			b.ReportAllocs()
			c := coordinator(b, lanes.QueueConfig{Cap: depth + 1, Remember: lanes.RememberNone})
			line := make(chan lanes.Ticket, depth+2)
			for range depth + 1 {
				line <- mustSubmit(b, c, "s", "")
			}
			for b.Loop() {
				line <- mustSubmit(b, c, "s", "")
				mustComplete(b, c, <-line)
			}
		})
	}
}

// BenchmarkSubscribers is a submit and its end, 7 events, while some listen. Its
// peer sends a number 7 times to each reader, on a bare channel.
//
//	go test -run '^$' -bench Subscribers -count 6 ./lanes
func BenchmarkSubscribers(b *testing.B) {
	for _, n := range []int{0, 1, 16} {
		b.Run(fmt.Sprintf("lanes/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			c := coordinator(b, lanes.QueueConfig{Remember: 100})
			var wg sync.WaitGroup
			var all []*lanes.Subscription
			for range n {
				s, err := c.Subscribe(bg, lanes.SubscribeOptions{})
				if err != nil {
					b.Fatal(err)
				}
				all = append(all, s)
				wg.Go(func() {
					for range s.Events() {
					}
				})
			}
			for b.Loop() {
				turn(b, c, "s")
			}
			for _, s := range all {
				s.Close()
			}
			wg.Wait()
		})
		b.Run(fmt.Sprintf("channels/%d", n), func(b *testing.B) { channels(b, n) })
	}
}

// channels sends 7 numbers a turn to n readers.
func channels(b *testing.B, n int) {
	var wg sync.WaitGroup
	all := make([]chan int, n)
	for i := range all {
		all[i] = make(chan int, 1024)
		wg.Go(func() {
			for range all[i] {
			}
		})
	}
	for b.Loop() {
		for seq := range 7 {
			for _, c := range all {
				c <- seq
			}
		}
	}
	for _, c := range all {
		close(c)
	}
	wg.Wait()
}

// BenchmarkEntry is a queued ticket, for the bytes that it takes.
//
//	go test -run '^$' -bench Entry ./lanes
func BenchmarkEntry(b *testing.B) {
	c := coordinator(b, lanes.QueueConfig{Cap: 1_000_000})
	const n = 100_000
	mustSubmit(b, c, "s", "")
	before := heap()
	for range n {
		mustSubmit(b, c, "s", "")
	}
	each := float64(heap()-before) / n
	for b.Loop() {
		snapshot(b, c, "unknown")
	}
	b.ReportMetric(each, "B/queued")
}
