package lanestest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/lanes"
)

func absent(ctx context.Context, s lanes.Store) error {
	for range 2 {
		if err := has(ctx, s, key("p"), lanes.Version{}, ""); err != nil {
			return err
		}
	}
	if names, err := list(ctx, s, "lane"); err != nil || len(names) > 0 {
		return fmt.Errorf("List of an empty store: %q, %v", names, err)
	}
	return nil
}

func createChangeRemove(ctx context.Context, s lanes.Store) error {
	var v lanes.Version
	for _, data := range []string{"first", "second", "second", "", "again", ""} {
		old := v
		if data == "" {
			if _, err := swap(ctx, s, key("p"), old, ""); err != nil {
				return err
			}
			v = lanes.Version{}
		} else {
			var err error
			if v, err = swap(ctx, s, key("p"), old, data); err != nil {
				return err
			}
		}
		if err := has(ctx, s, key("p"), v, data); err != nil {
			return err
		}
		names, err := list(ctx, s, "lane")
		if err != nil {
			return err
		}
		if (len(names) == 1) != (data != "") {
			return fmt.Errorf("List after the record became %q: %q", data, names)
		}
	}
	return nil
}

func oldVersionsConflict(ctx context.Context, s lanes.Store) error {
	first, err := swap(ctx, s, key("p"), lanes.Version{}, "first")
	if err != nil {
		return err
	}
	second, err := swap(ctx, s, key("p"), first, "second")
	if err != nil {
		return err
	}
	other, err := swap(ctx, s, key("q"), lanes.Version{}, "other")
	if err != nil {
		return err
	}
	next := lanes.Version{Epoch: second.Epoch + 1, Number: second.Number}
	for _, old := range []lanes.Version{{}, first, other, next} {
		for _, data := range []string{"stale", "second", ""} {
			if err := conflict(ctx, s, key("p"), old, data); err != nil {
				return err
			}
			if err := has(ctx, s, key("p"), second, "second"); err != nil {
				return fmt.Errorf("after a conflict: %w", err)
			}
		}
	}
	if err := conflict(ctx, s, key("nobody"), second, "stale"); err != nil {
		return err
	}
	return has(ctx, s, key("nobody"), lanes.Version{}, "")
}

func versionsGrow(ctx context.Context, s lanes.Store) error {
	var last lanes.Version
	held := map[string]lanes.Version{}
	for i := range 60 {
		name, data := fmt.Sprint("p", i*7%5), "x"
		if i%11 == 10 && held[name] != (lanes.Version{}) {
			data = ""
		}
		v, err := swap(ctx, s, key(name), held[name], data)
		if err != nil {
			return err
		}
		if v.Compare(last) <= 0 {
			return fmt.Errorf("Swap of %s gave version %v after %v", name, v, last)
		}
		if data == "" {
			v, last = lanes.Version{}, v
		} else {
			last = v
		}
		held[name] = v
	}
	return nil
}

// A record that was removed and made anew isn't the one that it was: else a
// release that comes late could free a newer claim.
func noVersionComesBack(ctx context.Context, s lanes.Store) error {
	var old []lanes.Version
	for range 5 {
		v, err := swap(ctx, s, key("p"), lanes.Version{}, "same")
		if err != nil {
			return err
		}
		for _, o := range old {
			if err := conflict(ctx, s, key("p"), o, ""); err != nil {
				return fmt.Errorf("a removed record came back: %w", err)
			}
		}
		if _, err := swap(ctx, s, key("p"), v, ""); err != nil {
			return err
		}
		old = append(old, v)
	}
	return nil
}

func keysAreApart(ctx context.Context, s lanes.Store) error {
	keys := []lanes.Key{
		{Machine: "lane", Name: "p"}, {Machine: "queue", Name: "p"}, {Machine: "lane", Name: "pp"}, {Machine: "lane", Name: "p.p"},
		{Machine: "lane", Name: "P"}, {Machine: "lane", Name: "queuep"}, {Machine: "lanes", Name: "p"}, {Machine: "lane", Name: "sp"},
		{Machine: "lane", Name: "p/q"}, {Machine: "l", Name: "anep"},
	}
	versions := map[lanes.Key]lanes.Version{}
	for _, k := range keys {
		v, err := swap(ctx, s, k, lanes.Version{}, fmt.Sprint(k))
		if err != nil {
			return err
		}
		versions[k] = v
	}
	for i, k := range keys {
		for _, other := range keys[i:] {
			if err := has(ctx, s, other, versions[other], fmt.Sprint(other)); err != nil {
				return err
			}
		}
		names, err := list(ctx, s, k.Machine)
		if err != nil {
			return err
		}
		var want []string
		for _, other := range keys[i:] {
			if other.Machine == k.Machine {
				want = append(want, other.Name)
			}
		}
		if slices.Sort(want); !slices.Equal(names, want) {
			return fmt.Errorf("List of %s: got %q; want %q", k.Machine, names, want)
		}
		if _, err := swap(ctx, s, k, versions[k], ""); err != nil {
			return err
		}
	}
	return nil
}

func anyName(ctx context.Context, s lanes.Store) error {
	long := strings.Repeat("x", 79)
	names := []string{"a", long, long + "x", long + "y", strings.Repeat("x", 200), "a b", "a\n", "/", "//", "../a", "a/", "a\x00b", "日本語", "%2F", "*", `"`, "\xff"}
	for _, name := range names {
		v, err := swap(ctx, s, key(name), lanes.Version{}, "at "+name)
		if err != nil {
			return err
		}
		if err := has(ctx, s, key(name), v, "at "+name); err != nil {
			return err
		}
	}
	got, err := list(ctx, s, "lane")
	if err != nil {
		return err
	}
	if slices.Sort(names); !slices.Equal(got, names) {
		return fmt.Errorf("List: got %q; want %q", got, names)
	}
	return nil
}

func anyData(ctx context.Context, s lanes.Store) error {
	var every [256]byte
	for i := range every {
		every[i] = byte(i)
	}
	for i, data := range []string{"x", "\x00", string(every[:]), strings.Repeat("0123456789abcdef", 16<<10), "null", " "} {
		k := key(fmt.Sprint("p", i))
		v, err := swap(ctx, s, k, lanes.Version{}, data)
		if err != nil {
			return err
		}
		if err := has(ctx, s, k, v, data); err != nil {
			return err
		}
	}
	return nil
}

// What a caller does to its bytes changes no record.
func dataIsCopied(ctx context.Context, s lanes.Store) error {
	data := []byte("record")
	v, err := s.Swap(ctx, lanes.Write{Key: key("p"), Data: data})
	if err != nil {
		return err
	}
	data[0] = 'X'
	if err := has(ctx, s, key("p"), v, "record"); err != nil {
		return fmt.Errorf("after a change of the bytes that were written: %w", err)
	}
	r, err := s.Load(ctx, key("p"))
	if err != nil {
		return err
	}
	r.Data[0] = 'X'
	for r, err := range s.List(ctx, "lane") {
		if err != nil {
			return err
		}
		if !bytes.Equal(r.Data, []byte("record")) || r.Version != v {
			return fmt.Errorf("List yields %q, version %v; want %q, version %v", r.Data, r.Version, "record", v)
		}
		r.Data[0] = 'X'
	}
	if err := has(ctx, s, key("p"), v, "record"); err != nil {
		return fmt.Errorf("after a change of the bytes that were loaded or listed: %w", err)
	}
	return nil
}
