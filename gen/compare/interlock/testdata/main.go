// This program puts those cases of the comparison to generated machines that
// interlock doesn't refuse as tables. It is run in a module of its own, in which
// the machines are generated.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"example.org/compare/fsm/door"
	"example.org/compare/fsm/gate"
	"example.org/compare/fsm/turnstile"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/gen/compare/record"
)

var ctx = context.Background()

func main() {
	a := record.Answers{Cases: []record.Case{*toItself(), *twoCallers(), *may(), *stored()}}
	if err := json.NewEncoder(os.Stdout).Encode(a); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// refusal is a decision that doesn't accept, as an error.
func refusal(d fsm.Decided) error {
	if info := d.Info(); !info.Kind.Accepted() {
		return fmt.Errorf("%s: %s", info.Name, info.Code)
	}
	return nil
}

// step gives an event to a holder.
func step[M, E any, D fsm.Decided, F any](h *fsm.Holder[M, E, D, F], e E) error {
	d, _, err := h.Step(ctx, e)
	return errors.Join(err, refusal(d))
}

func toItself() *record.Case {
	c, h := record.New(9), fsm.NewHolder(turnstile.Machine{}, (*turnstile.Machine).Step)
	state := func() string { return h.Machine().State.String() }
	c.Try("define", state, func() error { return nil })
	c.Try("first coin", state, func() error { return step(h, turnstile.Event(turnstile.Coin{})) })
	c.Try("second coin", state, func() error { return step(h, turnstile.Event(turnstile.Coin{})) })
	return c
}

func twoCallers() *record.Case {
	c, h := record.New(12), fsm.NewHolder(door.Machine{}, (*door.Machine).Step)
	state := func() string { return h.Machine().State.String() }
	var other *record.Caller
	h.OnStep(func(a fsm.Audit[door.Machine, door.Event, door.Decision, door.Effect]) {
		if a.Event == (door.Push{}) {
			other = record.Another(func() error { return step(h, door.Event(door.Lock{})) })
		}
	})
	c.Try("define", state, func() error { return nil })
	c.Try("push", state, func() error { return step(h, door.Event(door.Push{})) })
	c.Try("lock by another", state, other.Answer)
	return c
}

func may() *record.Case {
	c, h := record.New(16), fsm.NewHolder(gate.Machine{}, (*gate.Machine).Step)
	state := func() string { return h.Machine().State.String() }
	c.Try("define", state, func() error { return nil })
	for _, n := range []int{2, 1} {
		e := gate.Event(gate.Walk{N: n})
		c.Try(fmt.Sprintf("may walk(%d)?", n), state, func() error { return refusal(h.Can(e)) })
		c.Try(fmt.Sprintf("walk(%d)", n), state, func() error { return step(h, e) })
	}
	return c
}

func stored() *record.Case {
	c, h := record.New(22), fsm.NewHolder(door.Machine{}, (*door.Machine).Step)
	state := func() string { return h.Machine().State.String() }
	c.Try("define", state, func() error { return nil })
	snapshot, err := h.Snapshot()
	old := strings.Replace(string(snapshot), `"shut"`, `"ajar"`, 1)
	if c.Try("restore ajar", state, func() error { return errors.Join(err, h.Restore([]byte(old))) }) {
		c.Try("push", state, func() error { return step(h, door.Event(door.Push{})) })
	}
	return c
}
