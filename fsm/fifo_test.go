package fsm

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestFIFO does random things to a FIFO and to a slice, the plain meaning of
// each operation.
func TestFIFO(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var f FIFO[int]
		var s []int
		elem := rapid.IntRange(0, 5)
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				e := elem.Draw(t, "elem")
				f.Push(e)
				s = append(s, e)
			},
			"pop": func(t *rapid.T) {
				want := 0
				if len(s) > 0 {
					want, s = s[0], s[1:]
				}
				if got := f.Pop(); got != want {
					t.Fatalf("pop: %d, want %d", got, want)
				}
			},
			"remove": func(t *rapid.T) {
				e := elem.Draw(t, "elem")
				f.Remove(e)
				if i := slices.Index(s, e); i >= 0 {
					s = slices.Delete(slices.Clone(s), i, i+1)
				}
			},
			"clear": func(t *rapid.T) {
				if rapid.IntRange(0, 9).Draw(t, "clears") == 0 {
					f.Clear()
					s = nil
				}
			},
			"clone": func(t *rapid.T) {
				old := f
				f = f.Clone()
				old.Push(7)
				old.Pop()
				old.Clear()
			},
			"": func(t *rapid.T) {
				if got := slices.Collect(f.All()); !slices.Equal(got, s) || f.Len() != len(s) {
					t.Fatalf("%v of length %d, want %v", got, f.Len(), s)
				}
				if !f.Equal(NewFIFO(s...)) || f.Equal(NewFIFO(append(slices.Clone(s), 9)...)) {
					t.Fatalf("%v isn't equal to itself, or to more", f)
				}
				for e := range 6 {
					if f.Contains(e) != slices.Contains(s, e) {
						t.Fatalf("%v contains %d", f, e)
					}
				}
				if len(s) > 0 && f.Head() != s[0] || len(s) == 0 && f.Head() != 0 {
					t.Fatalf("the head of %v is %d", f, f.Head())
				}
			},
		})
	})
}

func TestFIFOIsShown(t *testing.T) {
	f := NewFIFO("a", "b")
	if f.String() != "[a b]" || (FIFO[int]{}).String() != "[]" {
		t.Errorf("%v", f)
	}
	g := NewFIFO("x", "a", "b")
	g.Pop()
	if diff := cmp.Diff(struct{ Waiting FIFO[string] }{f}, struct{ Waiting FIFO[string] }{g}); diff != "" {
		t.Error(diff)
	}
	for e := range f.All() {
		if e != "a" {
			t.Error("the loop didn't end")
		}
		break
	}
}

// TestFIFOAllocates only where it grows.
func TestFIFOAllocates(t *testing.T) {
	f := NewFIFO(1, 2, 3)
	if n := testing.AllocsPerRun(100, func() {
		f.Push(4)
		f.Pop()
		f.Remove(3)
		f.Push(3)
		for range f.All() {
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkFIFO takes the head and adds one more, with few and with many
// elements: the time is the same.
func BenchmarkFIFO(b *testing.B) {
	for _, n := range []int{8, 8192} {
		b.Run(map[int]string{8: "few", 8192: "many"}[n], func(b *testing.B) {
			var f FIFO[uint64]
			for i := range n {
				f.Push(uint64(i))
			}
			for b.Loop() {
				f.Push(f.Pop())
			}
		})
	}
}
