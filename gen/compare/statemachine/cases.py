"""Puts the cases of the comparison to python-statemachine, and prints what came of them."""

import json
import threading
from importlib.metadata import version

from statemachine import State, StateMachine


class Case:
    """What came of one case; see gen/compare/record."""

    def __init__(self, number):
        self.number = number
        self.steps = []
        self.machine = None

    def attempt(self, step, f):
        """Takes a step: an exception is a refusal."""
        refused, said = False, ""
        try:
            f()
        except Exception as err:
            refused, said = True, f"{type(err).__name__}: {err}"
        self.steps.append({"step": step, "refused": refused, "said": said, "state": self.state()})
        return not refused

    def define(self, f):
        """Has f make a class, and makes a machine of it."""

        def make():
            self.machine = f()()

        self.attempt("define", make)
        return self

    def send(self, step, event, **values):
        if self.machine is not None:
            self.attempt(step, lambda: self.machine.send(event, **values))
        return self

    def may(self, step, event, **values):
        """Asks whether the event is enabled, its conditions included."""

        answers = []
        self.attempt(step, lambda: answers.append(event in self.machine.enabled_events(**values)))
        if answers == [False]:
            self.steps[-1].update(refused=True, said="False")

    def state(self):
        if self.machine is None:
            return ""
        state = ", ".join(self.machine.configuration_values)
        coins = getattr(self.machine, "coins", None)
        return state if coins is None else f"{state}, coins {coins}"

    def says(self, text):
        self.steps[-1]["said"] = text
        return self


def two_targets():
    def order():
        class Order(StateMachine):
            quoted = State(initial=True)
            ordered = State(final=True)
            onhold = State(final=True)
            purchase = quoted.to(ordered) | quoted.to(onhold)

        return Order

    return Case(1).define(order).send("purchase", "purchase")


def row_twice():
    def order():
        class Order(StateMachine):
            quoted = State(initial=True)
            ordered = State(final=True)
            purchase = quoted.to(ordered) | quoted.to(ordered)

        return Order

    return Case(2).define(order).send("purchase", "purchase")


def gap():
    def shelf():
        class Shelf(StateMachine):
            idle = State(initial=True)
            one = State(final=True)
            two = State(final=True)
            pick = idle.to(two, cond="is_two") | idle.to(one, cond="is_one")

            def is_two(self, i):
                return i == 2

            def is_one(self, i):
                return i == 1

        return Shelf

    return Case(3).define(shelf).send("pick(0)", "pick", i=0)


def two_guards():
    def scale():
        class Scale(StateMachine):
            empty = State(initial=True)
            low = State(final=True)
            high = State(final=True)
            weigh = empty.to(low, cond="is_light") | empty.to(high, cond="is_heavy")

            def is_light(self, grams):
                return grams < 6

            def is_heavy(self, grams):
                return grams > 4

        return Scale

    return Case(4).define(scale).send("weigh(5)", "weigh", grams=5)


def undeclared():
    def door():
        class Door(StateMachine):
            shut = State(initial=True)
            open = State(final=True)
            push = shut.to(opne)  # noqa: F821

        return Door

    return Case(5).define(door).send("push", "push")


def to_itself():
    def turnstile():
        class Turnstile(StateMachine):
            locked = State(initial=True)
            unlocked = State()
            coin = locked.to(unlocked) | unlocked.to.itself()

        return Turnstile

    return Case(9).define(turnstile).send("first coin", "coin").send("second coin", "coin")


def half_done():
    def gate():
        class Gate(StateMachine):
            shut = State(initial=True)
            open = State(final=True)
            pay = shut.to(open)
            coins = 0

            def on_pay(self):
                self.coins += 1
                raise RuntimeError("no paper")

        return Gate

    return Case(10).define(gate).send("pay", "pay")


# Long, or what a busy processor does would be taken for a wait. In seconds.
PATIENCE = 5


class Caller(threading.Thread):
    """A call by somebody else, made while another is being handled."""

    def __init__(self, call):
        super().__init__(daemon=True)
        self.call = call
        self.error = None
        self.start()
        self.join(PATIENCE)  # or it waits until the other is over

    def run(self):
        try:
            self.call()
        except Exception as err:
            self.error = err

    def answer(self):
        self.join(PATIENCE)
        if self.is_alive():
            raise TimeoutError("no answer in time")
        if self.error is not None:
            raise self.error


def two_callers():
    others = []

    def door():
        class Door(StateMachine):
            shut = State(initial=True)
            open = State()
            push = shut.to(open)
            pull = open.to(shut)

            def on_enter_open(self):
                others.append(Caller(lambda: self.send("lock")))

        return Door

    case = Case(12).define(door).send("push", "push")
    case.attempt("lock by another", lambda: others[0].answer())
    return case


def failing_guard():
    def gate():
        class Gate(StateMachine):
            shut = State(initial=True)
            open = State(final=True)
            walk = shut.to(open, cond="is_anns")
            kick = shut.to(open)
            owner = None

            def is_anns(self):
                return self.owner.name == "ann"

        return Gate

    return Case(14).define(gate).send("walk", "walk").send("kick", "kick")


def order():
    told = []

    def door():
        class Door(StateMachine):
            shut = State(initial=True)
            open = State(final=True)
            push = shut.to(open)

            def tell(self, what):
                told.append(f"{what} in {', '.join(self.configuration_values)}")

            def on_exit_shut(self):
                self.tell("exit")

            def on_push(self):
                self.tell("action")

            def on_enter_open(self):
                self.tell("entry")

        return Door

    return Case(15).define(door).send("push", "push").says(", ".join(told))


def may():
    def gate():
        class Gate(StateMachine):
            open = State(initial=True)
            walk = open.to.itself(internal=True, cond="is_small")

            def is_small(self, n):
                return n <= 1

        return Gate

    case = Case(16).define(gate)
    for n in (2, 1):
        case.may(f"may walk({n})?", "walk", n=n)
        case.send(f"walk({n})", "walk", n=n)
    return case


def stored():
    class Door(StateMachine):
        shut = State(initial=True)
        open = State()
        push = shut.to(open)
        pull = open.to(shut)

    class Stored:
        state = "ajar"

    case = Case(22).define(lambda: Door)
    case.machine = None

    def restore():
        case.machine = Door(Stored())

    if case.attempt("restore ajar", restore):
        case.send("push", "push")
    return case


CASES = [
    two_targets, row_twice, gap, two_guards, undeclared, to_itself,
    half_done, two_callers, failing_guard, order, may, stored,
]

if __name__ == "__main__":
    cases = [f() for f in CASES]
    print(json.dumps({
        "version": version("python-statemachine"),
        "cases": [{"case": c.number, "steps": c.steps} for c in cases],
    }))
