package lanes_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/interlock-go/interlock/lanes"
)

var epoch = time.Unix(1_700_000_000, 0)

// mustOpen opens a manager on store, or on memory of its own, and returns its
// project lanes.
func mustOpen(t testing.TB, store ...lanes.Store) *lanes.Projects {
	t.Helper()
	var c lanes.Config
	if len(store) > 0 {
		c.Store = store[0]
	}
	m, err := lanes.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	return m.Projects()
}

// ended returns a context that has ended.
func ended(t testing.TB) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// atOnce calls f(0) to f(n-1), each on a goroutine of its own, from one moment
// on, and waits for all of them.
func atOnce(n int, f func(i int)) {
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			f(i)
		})
	}
	close(start)
	wg.Wait()
}

func collectGarbage() {
	runtime.GC()
	runtime.GC()
}

// hanging is a store whose first write of one name hangs.
type hanging struct {
	lanes.Store
	at      string
	entered chan struct{}
	leave   chan struct{}
	once    sync.Once
}

func (h *hanging) Swap(ctx context.Context, w lanes.Write) (lanes.Version, error) {
	if w.Key.Name == h.at {
		h.once.Do(func() { close(h.entered) })
		<-h.leave
	}
	return h.Store.Swap(ctx, w)
}

// failing is a store whose writes end in err while it is set; they are done all
// the same if written is.
type failing struct {
	lanes.Store
	err     atomic.Pointer[error]
	written bool
}

func (f *failing) Swap(ctx context.Context, w lanes.Write) (lanes.Version, error) {
	err := f.err.Load()
	if err == nil {
		return f.Store.Swap(ctx, w)
	}
	if f.written {
		if _, err := f.Store.Swap(ctx, w); err != nil {
			return lanes.Version{}, err
		}
	}
	return lanes.Version{}, *err
}

// clock is a clock that stands still, at a Unix second.
type clock int64

func (c clock) Now() time.Time                              { return time.Unix(int64(c), 0) }
func (c clock) AfterFunc(time.Duration, func()) lanes.Timer { return (*time.Timer)(nil) }
