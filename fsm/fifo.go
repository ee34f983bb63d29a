package fsm

import (
	"fmt"
	"iter"
)

// FIFO is a sequence that grows at its end: what tables call a list. The zero
// FIFO is empty and ready for use. The first element is read and taken, and one
// is added, in constant time; only Contains, Remove, Clear, Clone and Equal take
// time that grows with the number of elements. Memory is kept for as many
// elements as there ever were at a time.
//
// A copy made by assignment shares its elements: Clone is for keeping both.
type FIFO[T comparable] struct {
	ring []T // its length is a power of two, or 0
	head int // where the first element is
	size int
}

// NewFIFO returns a FIFO of these elements, the first one in front.
func NewFIFO[T comparable](elems ...T) FIFO[T] {
	var f FIFO[T]
	for _, e := range elems {
		f.Push(e)
	}
	return f
}

// Len returns the number of elements.
func (f FIFO[T]) Len() int { return f.size }

// Cap returns how many elements there is room for without allocating.
func (f FIFO[T]) Cap() int { return len(f.ring) }

// Head returns the first element, and the zero T for an empty FIFO. A table's
// guard rules that out before its row reads it; hand-written code asks Len.
func (f FIFO[T]) Head() T {
	var none T
	if f.size == 0 {
		return none
	}
	return f.ring[f.head]
}

// All yields the elements, the first one in front.
func (f FIFO[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for i := range f.size {
			if !yield(f.at(i)) {
				return
			}
		}
	}
}

// Contains reports whether e is an element.
func (f FIFO[T]) Contains(e T) bool { return f.index(e) >= 0 }

// Push adds e at the end. It allocates only where there are more elements than
// ever before.
func (f *FIFO[T]) Push(e T) {
	if f.size == len(f.ring) {
		f.grow()
	}
	f.ring[(f.head+f.size)&(len(f.ring)-1)] = e
	f.size++
}

// Pop takes the first element away and returns it; an empty FIFO stays empty,
// and the zero T is returned.
func (f *FIFO[T]) Pop() T {
	var none T
	if f.size == 0 {
		return none
	}
	e := f.ring[f.head]
	f.ring[f.head] = none // what it refers to may be freed
	f.head = (f.head + 1) & (len(f.ring) - 1)
	f.size--
	return e
}

// Remove takes the first e away; without one nothing changes.
func (f *FIFO[T]) Remove(e T) {
	i := f.index(e)
	switch {
	case i < 0:
	case i < f.size/2: // the shorter end closes up
		for ; i > 0; i-- {
			*f.place(i) = f.at(i - 1)
		}
		f.Pop()
	default:
		for ; i < f.size-1; i++ {
			*f.place(i) = f.at(i + 1)
		}
		var none T
		*f.place(i) = none
		f.size--
	}
}

// Clear takes all elements away.
func (f *FIFO[T]) Clear() {
	for f.size > 0 {
		f.Pop()
	}
}

// Clone returns a FIFO of the same elements that shares nothing with f.
func (f FIFO[T]) Clone() FIFO[T] {
	f.ring = append([]T(nil), f.ring...)
	return f
}

// Equal reports whether f and g have the same elements in the same order. It is
// what go-cmp compares FIFOs by.
func (f FIFO[T]) Equal(g FIFO[T]) bool {
	if f.size != g.size {
		return false
	}
	for i := range f.size {
		if f.at(i) != g.at(i) {
			return false
		}
	}
	return true
}

// String returns the elements as fmt prints a slice of them.
func (f FIFO[T]) String() string {
	elems := make([]T, f.size)
	for i := range elems {
		elems[i] = f.at(i)
	}
	return fmt.Sprint(elems)
}

func (f *FIFO[T]) place(i int) *T { return &f.ring[(f.head+i)&(len(f.ring)-1)] }

func (f FIFO[T]) at(i int) T { return f.ring[(f.head+i)&(len(f.ring)-1)] }

func (f FIFO[T]) index(e T) int {
	for i := range f.size {
		if f.at(i) == e {
			return i
		}
	}
	return -1
}

func (f *FIFO[T]) grow() {
	ring := make([]T, max(4, 2*len(f.ring)))
	for i := range f.size {
		ring[i] = f.at(i)
	}
	f.ring, f.head = ring, 0
}
