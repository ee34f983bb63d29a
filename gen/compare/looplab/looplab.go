// Package looplab puts the cases of the comparison to looplab/fsm.
package looplab

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/looplab/fsm"

	"github.com/interlock-go/interlock/gen/compare/record"
)

// Answers runs all cases.
func Answers() record.Answers {
	var a record.Answers
	for _, f := range []func() *record.Case{
		twoTargets, rowTwice, gap, twoGuards, undeclared, toItself, halfDone, twoCallers, failingGuard, order, may, stored,
	} {
		a.Cases = append(a.Cases, *f())
	}
	return a
}

var ctx = context.Background()

// try defines a machine and has each event happen, by its own name.
func try(c *record.Case, initial string, events fsm.Events, callbacks fsm.Callbacks, happen ...string) *record.Case {
	var m *fsm.FSM
	if !c.Try("define", nil, func() error { m = fsm.NewFSM(initial, events, callbacks); return nil }) {
		return c
	}
	for _, event := range happen {
		c.Try(event, m.Current, func() error { return m.Event(ctx, event) })
	}
	return c
}

func twoTargets() *record.Case {
	return try(record.New(1), "quoted", fsm.Events{
		{Name: "purchase", Src: []string{"quoted"}, Dst: "ordered"},
		{Name: "purchase", Src: []string{"quoted"}, Dst: "onhold"},
	}, nil, "purchase")
}

func rowTwice() *record.Case {
	return try(record.New(2), "quoted", fsm.Events{
		{Name: "purchase", Src: []string{"quoted"}, Dst: "ordered"},
		{Name: "purchase", Src: []string{"quoted"}, Dst: "ordered"},
	}, nil, "purchase")
}

// oneTarget is why a choice by a value can't be said.
const oneTarget = "An event has one target from each state, and a condition only cancels: each target takes an event of its own."

func gap() *record.Case { return &record.Case{Case: 3, Cannot: oneTarget} }

func twoGuards() *record.Case { return &record.Case{Case: 4, Cannot: oneTarget} }

func undeclared() *record.Case {
	return try(record.New(5), "shut", fsm.Events{{Name: "push", Src: []string{"shut"}, Dst: "opne"}}, nil, "push")
}

func toItself() *record.Case {
	c := record.New(9)
	m := fsm.NewFSM("locked", fsm.Events{
		{Name: "coin", Src: []string{"locked"}, Dst: "unlocked"},
		{Name: "coin", Src: []string{"unlocked"}, Dst: "unlocked"},
	}, nil)
	c.Try("define", m.Current, func() error { return nil })
	c.Try("first coin", m.Current, func() error { return m.Event(ctx, "coin") })
	c.Try("second coin", m.Current, func() error { return m.Event(ctx, "coin") })
	return c
}

func halfDone() *record.Case {
	c, coins := record.New(10), 0
	m := fsm.NewFSM("shut", fsm.Events{{Name: "pay", Src: []string{"shut"}, Dst: "open"}}, fsm.Callbacks{
		"before_pay": func(_ context.Context, e *fsm.Event) {
			coins++
			if err := printTicket(); err != nil {
				e.Cancel(err)
			}
		},
	})
	state := func() string { return fmt.Sprintf("%s, coins %d", m.Current(), coins) }
	c.Try("define", state, func() error { return nil })
	c.Try("pay", state, func() error { return m.Event(ctx, "pay") })
	return c
}

func printTicket() error { return errors.New("no paper") }

func twoCallers() *record.Case {
	c := record.New(12)
	var other *record.Caller
	m := fsm.NewFSM("shut", fsm.Events{
		{Name: "push", Src: []string{"shut"}, Dst: "open"},
		{Name: "pull", Src: []string{"open"}, Dst: "shut"},
	}, fsm.Callbacks{
		"enter_open": func(_ context.Context, e *fsm.Event) {
			other = record.Another(func() error { return e.FSM.Event(ctx, "lock") })
		},
	})
	c.Try("define", m.Current, func() error { return nil })
	c.Try("push", m.Current, func() error { return m.Event(ctx, "push") })
	c.Try("lock by another", m.Current, other.Answer)
	return c
}

func failingGuard() *record.Case {
	c := record.New(14)
	var owner *struct{ name string }
	m := fsm.NewFSM("shut", fsm.Events{
		{Name: "walk", Src: []string{"shut"}, Dst: "open"},
		{Name: "kick", Src: []string{"shut"}, Dst: "open"},
	}, fsm.Callbacks{
		"before_walk": func(_ context.Context, e *fsm.Event) {
			if owner.name != "ann" {
				e.Cancel(errors.New("not yours"))
			}
		},
	})
	c.Try("define", m.Current, func() error { return nil })
	c.Try("walk", m.Current, func() error { return m.Event(ctx, "walk") })
	c.Try("kick", m.Current, func() error { return m.Event(ctx, "kick") })
	return c
}

func order() *record.Case {
	c := record.New(15)
	var told []string
	tell := func(what string) fsm.Callback {
		return func(_ context.Context, e *fsm.Event) { told = append(told, what+" in "+e.FSM.Current()) }
	}
	m := fsm.NewFSM("shut", fsm.Events{{Name: "push", Src: []string{"shut"}, Dst: "open"}}, fsm.Callbacks{
		"leave_shut": tell("exit"), "after_push": tell("action"), "enter_open": tell("entry"),
	})
	c.Try("define", m.Current, func() error { return nil })
	c.Try("push", m.Current, func() error { return m.Event(ctx, "push") })
	c.Says(strings.Join(told, ", "))
	return c
}

// A row without an update from a state to itself is a self-transition here.
func may() *record.Case {
	c := record.New(16)
	m := fsm.NewFSM("open", fsm.Events{{Name: "walk", Src: []string{"open"}, Dst: "open"}}, fsm.Callbacks{
		"before_walk": func(_ context.Context, e *fsm.Event) {
			if e.Args[0].(int) > 1 {
				e.Cancel(errors.New("not that number"))
			}
		},
	})
	c.Try("define", m.Current, func() error { return nil })
	for _, n := range []int{2, 1} {
		c.Try(fmt.Sprintf("may walk(%d)?", n), m.Current, func() error {
			if !m.Can("walk") {
				return errors.New("false")
			}
			return nil
		})
		c.Try(fmt.Sprintf("walk(%d)", n), m.Current, func() error { return m.Event(ctx, "walk", n) })
	}
	return c
}

func stored() *record.Case {
	c := record.New(22)
	m := fsm.NewFSM("shut", fsm.Events{
		{Name: "push", Src: []string{"shut"}, Dst: "open"},
		{Name: "pull", Src: []string{"open"}, Dst: "shut"},
	}, nil)
	c.Try("define", m.Current, func() error { return nil })
	c.Try("restore ajar", m.Current, func() error { m.SetState("ajar"); return nil })
	c.Try("push", m.Current, func() error { return m.Event(ctx, "push") })
	return c
}
