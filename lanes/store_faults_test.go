package lanes_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/interlock-go/interlock/lanes"
)

// unreliable is a store that answers writes at random as a store may: done,
// another was first, not done, or nobody knows, in which case it may be done, then
// or later. It fails loads too.
type unreliable struct {
	lanes.Store
	mu     sync.Mutex
	random *rand.Rand
	calm   bool // it fails no more
	late   bool // a write of which nobody knows may be done later
}

var errDown = errors.New("the disk is full")

func newUnreliable(seed uint64) *unreliable {
	return &unreliable{Store: lanes.NewMemory(epoch), random: rand.New(rand.NewPCG(seed, 47))}
}

func (u *unreliable) draw() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.calm {
		return 100
	}
	return u.random.IntN(100)
}

func (u *unreliable) soothe(calm bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.calm = calm
}

func (u *unreliable) Load(ctx context.Context, k lanes.Key) (lanes.Record, error) {
	if u.draw() < 5 {
		return lanes.Record{}, errDown
	}
	return u.Store.Load(ctx, k)
}

func (u *unreliable) Swap(ctx context.Context, w lanes.Write) (lanes.Version, error) {
	switch n := u.draw(); {
	case n < 15:
		return lanes.Version{}, fmt.Errorf("too late: %w", lanes.ErrConflict)
	case n < 25:
		return lanes.Version{}, errDown
	case n < 33:
		return lanes.Version{}, fmt.Errorf("no answer: %w", lanes.ErrStoreUncertain)
	case n < 41:
		if _, err := u.Store.Swap(ctx, w); err != nil {
			return lanes.Version{}, err
		}
		return lanes.Version{}, fmt.Errorf("no answer: %w", lanes.ErrStoreUncertain)
	case n < 45 && u.late: // it is done later, unless another comes first
		time.AfterFunc(time.Duration(n)*100*time.Millisecond, func() { u.Store.Swap(context.WithoutCancel(ctx), w) })
		return lanes.Version{}, fmt.Errorf("no answer yet: %w", lanes.ErrStoreUncertain)
	}
	return u.Store.Swap(ctx, w)
}

// seedsOr returns how many seeds LANES_SEEDS asks for; n if it isn't set.
func seedsOr(t *testing.T, n uint64) uint64 {
	if s := os.Getenv("LANES_SEEDS"); s != "" {
		if _, err := fmt.Sscan(s, &n); err != nil {
			t.Fatal(err)
		}
	}
	return n
}
