// Package stateless puts the cases of the comparison to qmuntal/stateless.
package stateless

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/qmuntal/stateless"

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

// machine is one of the library's, and what its steps come to.
type machine struct {
	*record.Case
	*stateless.StateMachine
	state func() string
}

// define makes a machine and configures it.
func define(number int, initial string, configure func(m *stateless.StateMachine)) machine {
	m := machine{Case: record.New(number), StateMachine: stateless.NewStateMachine(initial)}
	m.state = func() string { return fmt.Sprint(m.MustState()) }
	m.Try("define", m.state, func() error { configure(m.StateMachine); return nil })
	return m
}

func (m machine) fire(step, trigger string, args ...any) {
	m.Try(step, m.state, func() error { return m.Fire(trigger, args...) })
}

// Conditions are functions with names, since the library says these.
func isTwo(_ context.Context, args ...any) bool   { return args[0].(int) == 2 }
func isOne(_ context.Context, args ...any) bool   { return args[0].(int) == 1 }
func isSmall(_ context.Context, args ...any) bool { return args[0].(int) <= 1 }
func isLight(_ context.Context, args ...any) bool { return args[0].(int) < 6 }
func isHeavy(_ context.Context, args ...any) bool { return args[0].(int) > 4 }

func twoTargets() *record.Case {
	m := define(1, "quoted", func(m *stateless.StateMachine) {
		m.Configure("quoted").Permit("purchase", "ordered").Permit("purchase", "onhold")
	})
	m.fire("purchase", "purchase")
	return m.Case
}

func rowTwice() *record.Case {
	m := define(2, "quoted", func(m *stateless.StateMachine) {
		m.Configure("quoted").Permit("purchase", "ordered").Permit("purchase", "ordered")
	})
	m.fire("purchase", "purchase")
	return m.Case
}

func gap() *record.Case {
	m := define(3, "idle", func(m *stateless.StateMachine) {
		m.Configure("idle").Permit("pick", "two", isTwo).Permit("pick", "one", isOne)
	})
	m.fire("pick(0)", "pick", 0)
	return m.Case
}

func twoGuards() *record.Case {
	m := define(4, "empty", func(m *stateless.StateMachine) {
		m.Configure("empty").Permit("weigh", "low", isLight).Permit("weigh", "high", isHeavy)
	})
	m.fire("weigh(5)", "weigh", 5)
	return m.Case
}

func undeclared() *record.Case {
	m := define(5, "shut", func(m *stateless.StateMachine) {
		m.Configure("shut").Permit("push", "opne")
		m.Configure("open")
	})
	m.fire("push", "push")
	return m.Case
}

func toItself() *record.Case {
	m := define(9, "locked", func(m *stateless.StateMachine) {
		m.Configure("locked").Permit("coin", "unlocked")
		m.Configure("unlocked").PermitReentry("coin")
	})
	m.fire("first coin", "coin")
	m.fire("second coin", "coin")
	return m.Case
}

func halfDone() *record.Case {
	coins := 0
	m := define(10, "shut", func(m *stateless.StateMachine) {
		m.Configure("shut").Permit("pay", "open")
		m.Configure("open").OnEntryFrom("pay", func(context.Context, ...any) error {
			coins++
			return printTicket()
		})
	})
	state := m.state
	m.state = func() string { return fmt.Sprintf("%s, coins %d", state(), coins) }
	m.Steps[0].State = m.state()
	m.fire("pay", "pay")
	return m.Case
}

func printTicket() error { return errors.New("no paper") }

func twoCallers() *record.Case {
	var other *record.Caller
	m := define(12, "shut", func(m *stateless.StateMachine) {
		m.Configure("shut").Permit("push", "open")
		m.Configure("open").Permit("pull", "shut").OnEntry(func(context.Context, ...any) error {
			other = record.Another(func() error { return m.Fire("lock") })
			return nil
		})
	})
	m.fire("push", "push")
	m.Try("lock by another", m.state, other.Answer)
	return m.Case
}

func failingGuard() *record.Case {
	var owner *struct{ name string }
	m := define(14, "shut", func(m *stateless.StateMachine) {
		own := func(context.Context, ...any) bool { return owner.name == "ann" }
		m.Configure("shut").Permit("walk", "open", own).Permit("kick", "open")
	})
	m.fire("walk", "walk")
	m.fire("kick", "kick")
	return m.Case
}

func order() *record.Case {
	var told []string
	m := define(15, "shut", func(m *stateless.StateMachine) {
		tell := func(what string) stateless.ActionFunc {
			return func(ctx context.Context, _ ...any) error {
				state, err := m.State(ctx)
				told = append(told, fmt.Sprintf("%s in %v", what, state))
				return err
			}
		}
		m.Configure("shut").Permit("push", "open").OnExit(tell("exit"))
		m.Configure("open").OnEntryFrom("push", tell("action")).OnEntry(tell("entry"))
	})
	m.fire("push", "push")
	m.Says(strings.Join(told, ", "))
	return m.Case
}

func may() *record.Case {
	m := define(16, "open", func(m *stateless.StateMachine) {
		nothing := func(context.Context, ...any) error { return nil }
		m.Configure("open").InternalTransition("walk", nothing, isSmall)
	})
	for _, n := range []int{2, 1} {
		m.Try(fmt.Sprintf("may walk(%d)?", n), m.state, func() error {
			can, err := m.CanFire("walk", n)
			if err == nil && !can {
				return errors.New("false")
			}
			return err
		})
		m.fire(fmt.Sprintf("walk(%d)", n), "walk", n)
	}
	return m.Case
}

// The state is stored outside, as the library has it for what outlives a
// process.
func stored() *record.Case {
	c, kept := record.New(22), "shut"
	m := stateless.NewStateMachineWithExternalStorage(
		func(context.Context) (stateless.State, error) { return kept, nil },
		func(_ context.Context, s stateless.State) error { kept = s.(string); return nil },
		stateless.FiringQueued)
	state := func() string { return kept }
	c.Try("define", state, func() error {
		m.Configure("shut").Permit("push", "open")
		m.Configure("open").Permit("pull", "shut")
		return nil
	})
	c.Try("restore ajar", state, func() error {
		kept = "ajar"
		return m.Activate()
	})
	c.Try("push", state, func() error { return m.Fire("push") })
	return c
}
