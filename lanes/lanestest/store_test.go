package lanestest

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/interlock-go/interlock/lanes"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var epoch = time.Unix(1_700_000_000, 0)

func TestMemory(t *testing.T) {
	TestStore(t, func(*testing.T) lanes.Store { return lanes.NewMemory(epoch) })
}

func TestPlain(t *testing.T) {
	TestStore(t, func(*testing.T) lanes.Store { return newPlain() })
}

// plain is a store in a few lines, and each broken store is plain with one
// fault.
type plain struct {
	mu      sync.Mutex
	last    uint64
	records map[lanes.Key]lanes.Record
	fault   string
}

func newPlain(fault ...string) *plain {
	return &plain{records: map[lanes.Key]lanes.Record{}, fault: strings.Join(fault, "")}
}

func (p *plain) place(k lanes.Key) lanes.Key {
	switch p.fault {
	case "machines share their names":
		return lanes.Key{Name: k.Name}
	case "machine and name run together":
		return lanes.Key{Name: k.Machine + k.Name}
	case "names are folded":
		return lanes.Key{Machine: k.Machine, Name: strings.ToLower(k.Name)}
	case "names are cut":
		return lanes.Key{Machine: k.Machine, Name: k.Name[:min(len(k.Name), 64)]}
	case "names end at a zero byte":
		name, _, _ := strings.Cut(k.Name, "\x00")
		return lanes.Key{Machine: k.Machine, Name: name}
	}
	return k
}

func (p *plain) Load(ctx context.Context, k lanes.Key) (lanes.Record, error) {
	if err := ctx.Err(); err != nil && p.fault != "a load doesn't look at its context" {
		return lanes.Record{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	r, ok := p.records[p.place(k)]
	if !ok {
		switch p.fault {
		case "a load leaves a record":
			p.records[k] = lanes.Record{Key: k}
		case "no record is an error":
			return r, errors.New("no record")
		case "no record has a version":
			r.Version = lanes.Version{Epoch: 1}
		}
	}
	r.Key = k
	if p.fault != "what was loaded is shared" {
		r.Data = bytes.Clone(r.Data)
	}
	return r, nil
}

func (p *plain) Swap(ctx context.Context, w lanes.Write) (lanes.Version, error) {
	if err := ctx.Err(); err != nil {
		switch p.fault {
		case "a swap doesn't look at its context":
		case "a swap writes before it looks at its context":
			p.mu.Lock()
			defer p.mu.Unlock()
			p.swap(w)
			return lanes.Version{}, err
		case "an ended context is an unknown result":
			return lanes.Version{}, errors.Join(err, lanes.ErrStoreUncertain)
		default:
			return lanes.Version{}, err
		}
	}
	for !p.mu.TryLock() { // so that who is stuck is so no longer than its context
		if err := ctx.Err(); err != nil {
			return lanes.Version{}, err
		}
		time.Sleep(time.Microsecond)
	}
	defer p.mu.Unlock()
	return p.swap(w)
}

func (p *plain) swap(w lanes.Write) (lanes.Version, error) {
	k := p.place(w.Key)
	old := p.records[k].Version
	if p.fault == "look and write are two steps" {
		p.mu.Unlock()
		for range 20 {
			runtime.Gosched()
		}
		p.mu.Lock()
	}
	unequal := old != w.Old
	switch p.fault {
	case "versions aren't compared":
		unequal = false
	case "a new record replaces an old one":
		unequal = unequal && w.Old != lanes.Version{}
	case "a removal compares nothing":
		unequal = unequal && len(w.Data) > 0
	case "older versions will do":
		unequal = unequal && (w.Old == lanes.Version{} || w.Old.Compare(old) < 0)
	case "epochs aren't compared":
		unequal = old.Number != w.Old.Number
	case "versions of no record aren't compared":
		unequal = unequal && old != lanes.Version{}
	}
	if unequal {
		switch p.fault {
		case "a conflict is another error":
			return lanes.Version{}, errors.New("conflict")
		case "a conflict is silent":
			return old, nil
		case "a conflict writes":
			p.records[k] = lanes.Record{Key: w.Key, Data: bytes.Clone(w.Data), Version: old}
		}
		return lanes.Version{}, lanes.ErrConflict
	}
	p.last++
	v := lanes.Version{Epoch: 1, Number: p.last}
	switch p.fault {
	case "each key has versions of its own":
		v.Number = old.Number + 1
	case "numbers begin anew in an empty store":
		if len(p.records) == 0 {
			p.last, v.Number = 1, 1
		}
	case "the version is told one too low":
		defer func() {
			p.records[k] = lanes.Record{Key: w.Key, Data: bytes.Clone(w.Data), Version: lanes.Version{Epoch: 1, Number: p.last + 1}}
		}()
	case "a version is zero":
		v = lanes.Version{}
	}
	switch {
	case len(w.Data) == 0 && p.fault == "a removed record stays, empty":
		p.records[k] = lanes.Record{Key: w.Key, Version: v}
	case len(w.Data) == 0:
		delete(p.records, k)
	case p.fault == "what was written is shared":
		p.records[k] = lanes.Record{Key: w.Key, Data: w.Data, Version: v}
	case p.fault == "data is cut":
		p.records[k] = lanes.Record{Key: w.Key, Data: bytes.Clone(w.Data[:min(len(w.Data), 1<<16)]), Version: v}
	case p.fault == "data is text":
		p.records[k] = lanes.Record{Key: w.Key, Data: bytes.ToValidUTF8(w.Data, []byte("?")), Version: v}
	default:
		p.records[k] = lanes.Record{Key: w.Key, Data: bytes.Clone(w.Data), Version: v}
	}
	return v, nil
}

func (p *plain) List(ctx context.Context, machine string) iter.Seq2[lanes.Record, error] {
	return func(yield func(lanes.Record, error) bool) {
		if err := ctx.Err(); err != nil {
			switch p.fault {
			case "a list doesn't look at its context":
			case "a list ends in silence":
				return
			default:
				yield(lanes.Record{}, err)
				return
			}
		}
		p.mu.Lock()
		records := p.list(machine)
		if p.fault == "a list holds the lock" {
			defer p.mu.Unlock()
		} else {
			p.mu.Unlock()
		}
		for i := 0; i < len(records); i++ {
			if !yield(records[i], nil) && p.fault != "a list doesn't stop" {
				return
			}
			if p.fault == "a list goes on by place" {
				p.mu.Lock()
				records = p.list(machine)
				p.mu.Unlock()
			}
		}
	}
}

func (p *plain) list(machine string) []lanes.Record {
	var records []lanes.Record
	for k, r := range p.records {
		if k.Machine == machine || p.fault == "a list has every machine" || k.Machine == "" {
			if p.fault != "what was listed is shared" {
				r.Data = bytes.Clone(r.Data)
			}
			records = append(records, r)
		}
	}
	order := func(a, b lanes.Record) int { return strings.Compare(a.Key.Name, b.Key.Name) }
	switch p.fault {
	case "a list is unsorted":
	case "a list goes down":
		slices.SortFunc(records, func(a, b lanes.Record) int { return order(b, a) })
	default:
		slices.SortFunc(records, order)
	}
	if p.fault == "a list is cut" {
		records = records[:min(len(records), 256)]
	}
	return records
}

// Each broken store is caught, by the checks that are named: the suite means
// what it says.
func TestBrokenStores(t *testing.T) {
	defer func(d time.Duration) { stuck = d }(stuck)
	stuck = 200 * time.Millisecond
	for fault, want := range map[string]string{
		"machines share their names":                   "KeysAreApart",
		"machine and name run together":                "KeysAreApart",
		"names are folded":                             "KeysAreApart",
		"names are cut":                                "AnyName",
		"names end at a zero byte":                     "AnyName",
		"a load doesn't look at its context":           "EndedContext",
		"a load leaves a record":                       "Absent",
		"no record is an error":                        "Absent",
		"no record has a version":                      "Absent",
		"what was loaded is shared":                    "DataIsCopied",
		"a swap doesn't look at its context":           "EndedContext",
		"a swap writes before it looks at its context": "EndedContext",
		"an ended context is an unknown result":        "EndedContext",
		"look and write are two steps":                 "OneCreates NoUpdateIsLost",
		"versions aren't compared":                     "OldVersionsConflict",
		"a new record replaces an old one":             "OldVersionsConflict",
		"a removal compares nothing":                   "OldVersionsConflict",
		"older versions will do":                       "OldVersionsConflict",
		"epochs aren't compared":                       "OldVersionsConflict",
		"versions of no record aren't compared":        "OldVersionsConflict",
		"a conflict is another error":                  "OldVersionsConflict",
		"a conflict is silent":                         "OldVersionsConflict",
		"a conflict writes":                            "OldVersionsConflict",
		"each key has versions of its own":             "VersionsGrow",
		"numbers begin anew in an empty store":         "NoVersionComesBack",
		"the version is told one too low":              "CreateChangeRemove",
		"a version is zero":                            "CreateChangeRemove",
		"a removed record stays, empty":                "CreateChangeRemove",
		"what was written is shared":                   "DataIsCopied",
		"data is cut":                                  "AnyData",
		"data is text":                                 "AnyData",
		"a list doesn't look at its context":           "EndedContext",
		"a list ends in silence":                       "EndedContext",
		"a list has every machine":                     "KeysAreApart",
		"what was listed is shared":                    "DataIsCopied",
		"a list is unsorted":                           "ListIsSorted",
		"a list goes down":                             "ListIsSorted",
		"a list is cut":                                "ListIsSorted",
		"a list holds the lock":                        "ListIsFree",
		"a list goes on by place":                      "ListIsFree",
		"a list doesn't stop":                          "ListStops",
	} {
		t.Run(fault, func(t *testing.T) {
			var caught []string
			for _, c := range checks {
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				err := c.run(ctx, newPlain(fault))
				if ctx.Err() != nil {
					t.Errorf("%s took too long", c.name)
				}
				cancel()
				if err != nil {
					caught = append(caught, c.name)
				}
			}
			for _, name := range strings.Fields(want) {
				if !slices.Contains(caught, name) {
					t.Errorf("not caught by %s, but by %v", name, caught)
				}
			}
		})
	}
}
