package lanes_test

import (
	"context"
	"errors"
	"iter"
	"reflect"
	"testing"

	"github.com/interlock-go/interlock/lanes"
)

// Each refusal that a call ends with is told once, with the call's context, and
// what is told may use the manager.
func TestRefusalsAreTold(t *testing.T) {
	onStores(t, func(t *testing.T, hide func(lanes.Store) lanes.Store) {
		type key struct{}
		ctx := context.WithValue(bg, key{}, "this call")
		var told []*lanes.Refusal
		var m *lanes.Manager
		m, err := lanes.Open(lanes.Config{Store: hide(lanes.NewMemory(epoch)), Refused: func(by context.Context, r *lanes.Refusal) {
			told = append(told, r)
			if by.Value(key{}) != "this call" {
				t.Errorf("%v has another context", r)
			}
			soon(t, "a call from what is told", func() {
				m.Projects().View(bg, "p")
				m.Coordinator().Snapshot(bg, "s")
				m.Sessions().View(bg, inDir("a"))
			})
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		ps, c, s := m.Projects(), m.Coordinator(), m.Sessions()
		held := mustClaim(t, ps, "p", "run")
		mustSubmit(t, c, "s", "a")
		b := mustSubmit(t, c, "s", "b")
		lease := mustBegin(t, s, "a")
		mustBegin(t, s, "other")
		p := startPoll(t, s)
		late := lanes.ForgeSession(s, inDir("a"), "turn", 9)
		nothing := func(context.Context, lanes.Ticket) error { return nil }
		calls := map[string]func() error{
			"claim":        func() error { _, err := ps.Claim(ctx, "p", "run"); return err },
			"label":        func() error { _, err := ps.Claim(ctx, "p q", "run"); return err },
			"stop":         func() error { _, err := ps.RequestStop(ctx, lanes.Lease{}); return err },
			"release":      func() error { _, err := ps.Release(ctx, held, "lost"); return err },
			"view":         func() error { _, err := ps.View(ctx, ""); return err },
			"submit":       func() error { _, err := c.Submit(ctx, asks("s", "a")); return err },
			"run":          func() error { return c.Run(ctx, asks("s", "a"), nothing) },
			"run nothing":  func() error { return c.Run(ctx, asks("s", "x"), nil) },
			"complete":     func() error { _, err := c.Complete(ctx, b); return err },
			"fail":         func() error { _, err := c.Fail(ctx, lanes.Ticket{}, nil); return err },
			"cancel":       func() error { return c.CancelQueued(ctx, aimed("s", "a")) },
			"interrupt":    func() error { _, err := c.Interrupt(ctx, aimed("s", "b")); return err },
			"force":        func() error { return c.ForceEnd(ctx, aimed("s", "a")) },
			"snapshot":     func() error { _, err := c.Snapshot(ctx, " "); return err },
			"wait":         func() error { return c.Wait(ctx, lanes.Ticket{}) },
			"wait for":     func() error { return c.WaitFor(ctx, b, -1) },
			"wait end":     func() error { _, err := c.WaitEnd(ctx, lanes.Ticket{}); return err },
			"wait end for": func() error { _, err := c.WaitEndFor(ctx, b, -1); return err },
			"close":        func() error { _, err := c.CloseSession(ctx, "none", ""); return err },
			"clean up":     func() error { _, err := c.CleanupSession(ctx, "none", ""); return err },
			"subscribe":    func() error { _, err := c.Subscribe(ctx, lanes.SubscribeOptions{Buffer: -1}); return err },
			"sink":         func() error { _, err := c.SubscribeFunc(ctx, lanes.SubscribeOptions{}, nil); return err },
			"sink's": func() error {
				_, err := c.SubscribeFunc(ctx, lanes.SubscribeOptions{Buffer: -1}, func(lanes.Event) {})
				return err
			},
			"begin":     func() error { _, err := s.Begin(ctx, inDir("a"), "turn", true); return err },
			"sent":      func() error { _, err := s.Sent(ctx, late); return err },
			"prompt":    func() error { _, err := s.PromptFailed(ctx, late); return err },
			"abort":     func() error { _, err := s.Abort(ctx, lease, nil); return err },
			"abort any": func() error { _, err := s.AbortSession(ctx, inDir("none"), works); return err },
			"delete":    func() error { return s.Delete(ctx, inDir("")) },
			"session":   func() error { _, err := s.View(ctx, inDir("")); return err },
			"poll":      func() error { _, err := s.StartPoll(ctx, ""); return err },
			"observe":   func() error { _, err := p.Observe(ctx, list{"a": "idle"}); return err },
		}
		for name, call := range calls {
			told = nil
			err := call()
			var no *lanes.Refusal
			if !errors.As(err, &no) || len(told) != 1 || told[0] != no {
				t.Errorf("%s: %v; told %v", name, err, told)
			}
		}
		told = nil
		if _, err := ps.Claim(ended(t), "p", "run"); err == nil || len(told) > 0 {
			t.Errorf("%v; told %v", err, told)
		}
		mustRelease(t, ps, held, lanes.OutcomeSucceeded)
		if len(told) > 0 {
			t.Errorf("told %v", told)
		}
	})
}

// What Open didn't return answers ErrNotOpen, whatever its method, and zero
// handles refuse or show nothing: there is no panic.
func TestZeroValues(t *testing.T) {
	var store *lanes.Memory
	if _, err := lanes.Open(lanes.Config{Store: store}); !errors.Is(err, lanes.ErrInvalidArgument) {
		t.Errorf("a nil Memory: %v", err)
	}
	zeroes := []any{
		(*lanes.Manager)(nil), &lanes.Manager{}, (*lanes.Projects)(nil), &lanes.Projects{}, (*lanes.Coordinator)(nil), &lanes.Coordinator{},
		(*lanes.Sessions)(nil), &lanes.Sessions{},
	}
	methods := 0
	for _, zero := range zeroes {
		each(t, zero, func(name string, err error, has bool) {
			if methods++; has && !errors.Is(err, lanes.ErrNotOpen) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	if methods < 70 {
		t.Errorf("only %d methods", methods)
	}
	handles := []any{
		lanes.Lease{}, lanes.Ticket{}, lanes.SessionLease{}, lanes.Poll{}, (*lanes.Subscription)(nil), &lanes.Subscription{}, lanes.SessionKey{},
		lanes.Fencing{}, lanes.Version{}, lanes.Owner{}, lanes.TicketView{}, lanes.Snapshot{}, lanes.Event{}, &lanes.Refusal{}, &lanes.WaitError{},
		&lanes.Memory{}, lanes.Code(""),
	}
	for _, zero := range handles {
		each(t, zero, func(string, error, bool) {})
	}
	parts := (&lanes.Manager{}).Projects()
	if _, err := parts.Claim(bg, "p", "run"); !errors.Is(err, lanes.ErrNotOpen) {
		t.Error(err)
	}
}

// each calls every exported method of zero with zero arguments, but for contexts,
// and then with names and functions too; for an iterator, what it yields first.
func each(t *testing.T, zero any, seen func(name string, err error, has bool)) {
	t.Helper()
	v := reflect.ValueOf(zero)
	for i := range v.NumMethod() {
		name := reflect.TypeOf(zero).String() + "." + reflect.TypeOf(zero).Method(i).Name
		m := v.Method(i)
		for _, full := range []bool{false, true} {
			var in []reflect.Value
			for j := range m.Type().NumIn() {
				in = append(in, argument(m.Type().In(j), full))
			}
			switch reflect.TypeOf(zero).Method(i).Name {
			case "Format": // fmt's to call
				continue
			case "Record", "Kept", "InProcess", "Number", "Names", "Shards": // these tests' own
				continue
			}
			func() {
				defer func() {
					if p := recover(); p != nil {
						t.Errorf("%s panics: %v", name, p)
					}
				}()
				out := m.Call(in)
				if len(out) == 0 {
					return
				}
				last := out[len(out)-1].Interface()
				err, has := last.(error)
				switch seq := last.(type) {
				case iter.Seq2[lanes.View, error]:
					for _, err = range seq {
						has = true
					}
				case iter.Seq2[lanes.Snapshot, error]:
					for _, err = range seq {
						has = true
					}
				case iter.Seq2[lanes.SessionView, error]:
					for _, err = range seq {
						has = true
					}
				case nil:
					has = m.Type().Out(len(out)-1) == reflect.TypeFor[error]()
				}
				seen(name, err, has)
			}()
		}
	}
}

func argument(t reflect.Type, full bool) reflect.Value {
	switch {
	case t == reflect.TypeFor[context.Context]():
		return reflect.ValueOf(bg)
	case !full:
	case t == reflect.TypeFor[lanes.SessionKey]():
		return reflect.ValueOf(inDir("a"))
	case t == reflect.TypeFor[lanes.Request]():
		return reflect.ValueOf(asks("s", "a"))
	case t == reflect.TypeFor[lanes.Target]():
		return reflect.ValueOf(aimed("s", "a"))
	case t.Kind() == reflect.String:
		return reflect.ValueOf("a").Convert(t)
	case t.Kind() == reflect.Func:
		return reflect.MakeFunc(t, func([]reflect.Value) (out []reflect.Value) {
			for i := range t.NumOut() {
				out = append(out, reflect.Zero(t.Out(i)))
			}
			return out
		})
	}
	return reflect.Zero(t)
}
