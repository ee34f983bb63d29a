package fsm

import "maps"

// Set is a set of values. The zero Set is empty and ready for use; len is its
// number of elements. As with every map, a copy made by assignment shares its
// elements: maps.Clone is for keeping both.
type Set[T comparable] map[T]struct{}

// NewSet returns a Set of these elements.
func NewSet[T comparable](elems ...T) Set[T] {
	s := make(Set[T], len(elems))
	for _, e := range elems {
		s.Add(e)
	}
	return s
}

// Has reports whether e is an element.
func (s Set[T]) Has(e T) bool { return Has(s, e) }

// Add puts e into the set.
func (s *Set[T]) Add(e T) {
	if *s == nil {
		*s = make(Set[T])
	}
	(*s)[e] = struct{}{}
}

// Remove takes e out of the set, if it is in it.
func (s Set[T]) Remove(e T) { delete(s, e) }

// AddAll puts all elements of t into the set.
func (s *Set[T]) AddAll(t Set[T]) {
	if *s == nil && len(t) > 0 {
		*s = make(Set[T], len(t))
	}
	maps.Copy(*s, t)
}

// RemoveAll takes all elements of t out of the set.
func (s Set[T]) RemoveAll(t Set[T]) {
	for e := range t {
		delete(s, e)
	}
}

// Subset reports whether all elements of s are in t.
func (s Set[T]) Subset(t Set[T]) bool {
	for e := range s {
		if !t.Has(e) {
			return false
		}
	}
	return true
}

// Has reports whether m has an entry for k.
func Has[M ~map[K]V, K comparable, V any](m M, k K) bool {
	_, ok := m[k]
	return ok
}
