package lanestest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/interlock-go/interlock/lanes"
)

// TestStore tests whether a lanes.Store does what lanes.Store says. Each of its
// subtests asks open for an empty store, which open may have closed by
// t.Cleanup. It can't make a store fail: that a write with an unknown result is
// told as lanes.ErrStoreUncertain is for the store's own tests.
func TestStore(t *testing.T, open func(t *testing.T) lanes.Store) {
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			if err := c.run(ctx, open(t)); err != nil {
				t.Error(err)
			}
		})
	}
}

// check is one promise of a Store.
type check struct {
	name string
	run  func(ctx context.Context, s lanes.Store) error
}

var checks = []check{
	{"Absent", absent},
	{"CreateChangeRemove", createChangeRemove},
	{"OldVersionsConflict", oldVersionsConflict},
	{"VersionsGrow", versionsGrow},
	{"NoVersionComesBack", noVersionComesBack},
	{"KeysAreApart", keysAreApart},
	{"AnyName", anyName},
	{"AnyData", anyData},
	{"DataIsCopied", dataIsCopied},
	{"OneCreates", oneCreates},
	{"NoUpdateIsLost", noUpdateIsLost},
	{"EndedContext", endedContext},
	{"ListIsSorted", listIsSorted},
	{"ListStops", listStops},
	{"ListIsFree", listIsFree},
	{"ListMissesNothing", listMissesNothing},
}

func key(name string) lanes.Key { return lanes.Key{Machine: "lane", Name: name} }

// swap is a Swap that must succeed.
func swap(ctx context.Context, s lanes.Store, k lanes.Key, old lanes.Version, data string) (lanes.Version, error) {
	v, err := s.Swap(ctx, lanes.Write{Key: k, Old: old, Data: []byte(data)})
	if err != nil {
		return v, fmt.Errorf("Swap of %v, version %v, to %.40q: %w", k, old, data, err)
	}
	if v == (lanes.Version{}) {
		return v, fmt.Errorf("Swap of %v gave the zero version", k)
	}
	return v, nil
}

// conflict is a Swap that must be answered with ErrConflict.
func conflict(ctx context.Context, s lanes.Store, k lanes.Key, old lanes.Version, data string) error {
	v, err := s.Swap(ctx, lanes.Write{Key: k, Old: old, Data: []byte(data)})
	if !errors.Is(err, lanes.ErrConflict) {
		return fmt.Errorf("Swap of %v, version %v, to %.40q: got %v, %v; want ErrConflict", k, old, data, v, err)
	}
	return nil
}

// has says whether k's record is that one; no record if data is empty.
func has(ctx context.Context, s lanes.Store, k lanes.Key, version lanes.Version, data string) error {
	r, err := s.Load(ctx, k)
	if err != nil {
		return fmt.Errorf("Load of %v: %w", k, err)
	}
	if data == "" {
		version = lanes.Version{}
	}
	if string(r.Data) != data || r.Version != version {
		return fmt.Errorf("Load of %v: got %.40q, version %v; want %.40q, version %v", k, r.Data, r.Version, data, version)
	}
	if data != "" && r.Key != k {
		return fmt.Errorf("Load of %v: the record says that its key is %v", k, r.Key)
	}
	return nil
}

// list returns the names that List yields of machine.
func list(ctx context.Context, s lanes.Store, machine string) ([]string, error) {
	var names []string
	for r, err := range s.List(ctx, machine) {
		if err != nil {
			return nil, fmt.Errorf("List of %s: %w", machine, err)
		}
		if r.Key.Machine != machine {
			return nil, fmt.Errorf("List of %s yields %v", machine, r.Key)
		}
		names = append(names, r.Key.Name)
	}
	return names, nil
}
