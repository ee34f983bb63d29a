package fsm

import (
	"maps"
	"testing"
)

func TestSet(t *testing.T) {
	var s Set[string]
	s.Remove("a")
	s.RemoveAll(NewSet("a"))
	s.AddAll(nil)
	if s.Has("a") || len(s) != 0 || s != nil || !s.Subset(nil) {
		t.Errorf("the zero Set isn't empty: %v", s)
	}
	s.Add("a")
	var u Set[string]
	u.AddAll(s)
	u.Add("b")
	if !s.Has("a") || s.Has("b") || !s.Subset(u) || u.Subset(s) || !maps.Equal(u, NewSet("b", "a")) {
		t.Errorf("%v, %v", s, u)
	}
	u.RemoveAll(s)
	if !maps.Equal(u, NewSet("b")) || !Has(u, "b") {
		t.Errorf("%v", u)
	}
	u.Remove("b")
	if len(u) != 0 {
		t.Errorf("%v", u)
	}
}
