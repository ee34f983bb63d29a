package expr

// ListBase is the base in which the code of a list is written: a digit an
// element, the head lowest, each 1 + the element's code, so that 0 is the empty
// list. It is one more than the number of codes of an element, 0 of a serial or
// identity counted.
type ListBase uint64

// BaseOf returns the base of lists of elem. size is the number of values of
// elem if it is an identity or serial, the origin not counted.
func BaseOf(elem *Type, size int) ListBase {
	switch elem.Kind {
	case Identity, Serial:
		return ListBase(size) + 2
	case Enum:
		return ListBase(len(elem.Values)) + 1
	}
	return 3
}

// Lists returns how many codes lists of at most bound elements have, and false
// if they don't fit in 62 bits.
func (b ListBase) Lists(bound int) (uint64, bool) {
	n := uint64(1)
	for range bound {
		if n > 1<<62/uint64(b) {
			return 0, false
		}
		n *= uint64(b)
	}
	return n, true
}

// Size returns the number of elements.
func (b ListBase) Size(list uint64) int {
	n := 0
	for ; list != 0; list /= uint64(b) {
		n++
	}
	return n
}

// Head returns the code of the first element of a list that has one.
func (b ListBase) Head(list uint64) uint64 { return list%uint64(b) - 1 }

// Tail returns the list without its first element.
func (b ListBase) Tail(list uint64) uint64 { return list / uint64(b) }

// Append returns the list with one more element at its end.
func (b ListBase) Append(list, elem uint64) uint64 {
	place := uint64(1)
	for rest := list; rest != 0; rest /= uint64(b) {
		place *= uint64(b)
	}
	return list + place*(elem+1)
}

// Has reports whether elem is in the list.
func (b ListBase) Has(list, elem uint64) bool {
	for ; list != 0; list /= uint64(b) {
		if list%uint64(b) == elem+1 {
			return true
		}
	}
	return false
}

// Remove returns the list without the first elem in it.
func (b ListBase) Remove(list, elem uint64) uint64 {
	front, place := uint64(0), uint64(1)
	for rest := list; rest != 0; rest /= uint64(b) {
		digit := rest % uint64(b)
		if digit == elem+1 {
			return front + place*(rest/uint64(b))
		}
		front += place * digit
		place *= uint64(b)
	}
	return list
}

// Elements returns the codes of the elements, in order.
func (b ListBase) Elements(list uint64) []uint64 { return b.AppendElements(nil, list) }

// AppendElements appends the codes of the elements to out, in order.
func (b ListBase) AppendElements(out []uint64, list uint64) []uint64 {
	for ; list != 0; list /= uint64(b) {
		out = append(out, list%uint64(b)-1)
	}
	return out
}

// Well reports whether list is the code of a list: no digit but the last ones
// is 0.
func (b ListBase) Well(list uint64) bool {
	for ; list != 0; list /= uint64(b) {
		if list%uint64(b) == 0 {
			return false
		}
	}
	return true
}
