package fsm

import (
	"testing"

	"pgregory.net/rapid"
)

func TestKindString(t *testing.T) {
	for k, want := range map[Kind]string{
		Internal: "internal", Move: "move", Stay: "stay", Refuse: "refuse", Ignore: "ignore",
		Ignore + 1: "Kind(5)", 255: "Kind(255)",
	} {
		if got := k.String(); got != want {
			t.Errorf("Kind(%d).String() = %q, want %q", uint8(k), got, want)
		}
	}
}

func TestZeroKindIsNotAccepted(t *testing.T) {
	var zero Kind
	for k := range Ignore + 2 {
		if got, want := k.Accepted(), k == Move || k == Stay; got != want {
			t.Errorf("%v.Accepted() = %v, want %v", k, got, want)
		}
	}
	if zero != Internal {
		t.Errorf("the zero Kind is %v", zero)
	}
}

func TestOptionalLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		small := rapid.IntRange(-2, 2) // small, so that equal pairs and the zero value come up
		v, w := small.Draw(t, "v"), small.Draw(t, "w")
		some, none := Some(v), None[int]()
		checks := []struct {
			law   string
			holds bool
		}{
			{"Some has a value", some.HasValue()},
			{"Some gives its value back", some.Value() == v},
			{"Some(v).Is(w) only for v == w", some.Is(w) == (v == w)},
			{"Some(v) == Some(w) only for v == w", (some == Some(w)) == (v == w)},
			{"None has no value", !none.HasValue()},
			{"None gives the zero value", none.Value() == 0},
			{"None is no value, not even the zero one", !none.Is(v) && !none.Is(0)},
			{"None is no Some, not even of the zero value", none != some && none != Some(0)},
			{"the zero Optional is None", Optional[int]{} == none},
		}
		for _, c := range checks {
			if !c.holds {
				t.Errorf("%s (v = %d, w = %d)", c.law, v, w)
			}
		}
	})
}

func TestOptionalString(t *testing.T) {
	for _, c := range []struct {
		got, want string
	}{
		{None[int]().String(), "none"},
		{Some(0).String(), "some(0)"},
		{Some("a").String(), "some(a)"},
		{Some(Some(Move)).String(), "some(some(move))"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestOptionalDoesNotAllocate(t *testing.T) {
	var sink bool
	if n := testing.AllocsPerRun(100, func() {
		o := Some(uint64(7))
		sink = o.Is(7) && o.HasValue() && o != None[uint64]() && o.Value() == 7
	}); n != 0 || !sink {
		t.Errorf("%v allocations, %v", n, sink)
	}
}
