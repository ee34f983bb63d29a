package tla

import (
	"cmp"
	"iter"
	"slices"
)

// Type says which sort of TLA+ value a [Value] is.
type Type uint8

// The types. The zero Type belongs to the zero [Value], which is no TLA+ value.
const (
	NoType     Type = iota
	IntType         // 1
	BoolType        // TRUE
	StringType      // "a"
	ModelType       // p1: equal to nothing but itself
	SetType         // {1, 2}
	TupleType       // <<1, 2>>: a function whose domain is 1..n; n may be 0
	RecordType      // [a |-> 1]: a function whose domain is a set of strings
	FuncType        // (p1 :> 1 @@ p2 :> 2): any other function
)

// Value is a TLA+ value. It is immutable and always in canonical form: a set's
// elements and a function's domain are sorted, without duplicates, by
// [Value.Compare]; an interval is the set of its elements. So two Values are
// equal exactly if their texts are, however TLC spelt them.
//
// TLA+ has one empty function: << >> is the empty sequence, the empty record
// and every other function on {}. TLC prints << >> for all of them and so does
// Value; who needs to tell them apart knows it from the variable's type.
// For the same reason a function on 1..n is a tuple and one on strings is a
// record, as in TLC.
type Value struct {
	typ   Type
	n     int64   // IntType; BoolType: 0 or 1
	s     string  // StringType, ModelType
	elems []Value // SetType, TupleType; RecordType, FuncType: argument, result, argument, ...
}

// Int returns the integer n. TLC's own integers have 32 bits.
func Int(n int64) Value { return Value{typ: IntType, n: n} }

// Bool returns TRUE or FALSE.
func Bool(b bool) Value {
	if b {
		return Value{typ: BoolType, n: 1}
	}
	return Value{typ: BoolType}
}

// Str returns the string s.
func Str(s string) Value { return Value{typ: StringType, s: s} }

// Model returns the model value called name.
func Model(name string) Value { return Value{typ: ModelType, s: name} }

// Tuple returns <<elems[0], elems[1], ...>>.
func Tuple(elems ...Value) Value {
	return Value{typ: TupleType, elems: slices.Clone(elems)}
}

// Set returns {elems[0], elems[1], ...}, in any order, duplicates allowed.
func Set(elems ...Value) Value { return makeSet(slices.Clone(elems)) }

// Pair is one argument of a function and its result.
type Pair struct{ Arg, Result Value }

// Func returns the function of the pairs, in any order; of two pairs with the
// same argument the first holds, as with @@.
func Func(pairs ...Pair) Value {
	flat := make([]Value, 0, 2*len(pairs))
	for _, p := range pairs {
		flat = append(flat, p.Arg, p.Result)
	}
	return makeFunc(flat)
}

// Field is one field of a record.
type Field struct {
	Name  string
	Value Value
}

// Record returns [f1 |-> v1, f2 |-> v2, ...], in any order.
func Record(fields ...Field) Value {
	flat := make([]Value, 0, 2*len(fields))
	for _, f := range fields {
		flat = append(flat, Str(f.Name), f.Value)
	}
	return makeFunc(flat)
}

// makeSet sorts elems in place and keeps them.
func makeSet(elems []Value) Value {
	for i := 1; i < len(elems); i++ {
		if elems[i-1].Compare(elems[i]) >= 0 {
			slices.SortFunc(elems, Value.Compare)
			elems = slices.CompactFunc(elems, Value.Equal)
			break
		}
	}
	return Value{typ: SetType, elems: elems}
}

// makeFunc sorts flat (argument, result, ...) in place, keeps it, and chooses
// the type by the domain.
func makeFunc(flat []Value) Value {
	for i := 2; i < len(flat); i += 2 {
		if flat[i-2].Compare(flat[i]) >= 0 {
			flat = sortPairs(flat)
			break
		}
	}
	sequence, strings := true, true
	for i := 0; i < len(flat); i += 2 {
		arg := flat[i]
		sequence = sequence && arg.typ == IntType && arg.n == int64(i/2+1)
		strings = strings && arg.typ == StringType
	}
	switch {
	case sequence:
		n := len(flat) / 2
		for i := range n {
			flat[i] = flat[2*i+1]
		}
		return Value{typ: TupleType, elems: flat[:n:n]}
	case strings:
		return Value{typ: RecordType, elems: flat}
	}
	return Value{typ: FuncType, elems: flat}
}

func sortPairs(flat []Value) []Value {
	pairs := make([]Pair, 0, len(flat)/2)
	for i := 0; i < len(flat); i += 2 {
		pairs = append(pairs, Pair{flat[i], flat[i+1]})
	}
	slices.SortStableFunc(pairs, func(a, b Pair) int { return a.Arg.Compare(b.Arg) })
	pairs = slices.CompactFunc(pairs, func(a, b Pair) bool { return a.Arg.Equal(b.Arg) })
	flat = flat[:0]
	for _, p := range pairs {
		flat = append(flat, p.Arg, p.Result)
	}
	return flat
}

// Type returns v's type; [NoType] for the zero Value.
func (v Value) Type() Type { return v.typ }

// Int returns an integer's value, and 0 for every other type.
func (v Value) Int() int64 {
	if v.typ != IntType {
		return 0
	}
	return v.n
}

// Bool says whether v is TRUE.
func (v Value) Bool() bool { return v.typ == BoolType && v.n == 1 }

// Text returns a string's characters or a model value's name, and "" for
// every other type.
func (v Value) Text() string { return v.s }

// Len returns the number of elements of a set or tuple, and the size of the
// domain of a record or function; 0 for every other type.
func (v Value) Len() int {
	if v.typ == RecordType || v.typ == FuncType {
		return len(v.elems) / 2
	}
	return len(v.elems)
}

// Elems yields the elements of a set, in canonical order, or of a tuple.
// It yields nothing for every other type.
func (v Value) Elems() iter.Seq[Value] {
	if v.typ != SetType && v.typ != TupleType {
		return func(func(Value) bool) {}
	}
	return slices.Values(v.elems)
}

// Elem returns element i, from 0, of a set in canonical order or of a tuple.
// It panics if there is none.
func (v Value) Elem(i int) Value {
	if v.typ != SetType && v.typ != TupleType {
		panic("tla: Elem of a value that is neither set nor tuple")
	}
	return v.elems[i]
}

// Has says whether elem is in the set v.
func (v Value) Has(elem Value) bool {
	if v.typ != SetType {
		return false
	}
	_, found := slices.BinarySearchFunc(v.elems, elem, Value.Compare)
	return found
}

// Pairs yields the arguments and results of a function, record or tuple, in
// canonical order. It yields nothing for every other type.
func (v Value) Pairs() iter.Seq2[Value, Value] {
	return func(yield func(Value, Value) bool) {
		switch v.typ {
		case TupleType:
			for i, e := range v.elems {
				if !yield(Int(int64(i+1)), e) {
					return
				}
			}
		case RecordType, FuncType:
			for i := 0; i < len(v.elems); i += 2 {
				if !yield(v.elems[i], v.elems[i+1]) {
					return
				}
			}
		}
	}
}

// Apply returns v[arg] of a function, record or tuple, and whether arg is in
// v's domain.
func (v Value) Apply(arg Value) (Value, bool) {
	switch v.typ {
	case TupleType:
		if arg.typ == IntType && arg.n >= 1 && arg.n <= int64(len(v.elems)) {
			return v.elems[arg.n-1], true
		}
	case RecordType, FuncType:
		// Domains are small and their first comparison mostly decides.
		for i := 0; i < len(v.elems); i += 2 {
			if v.elems[i].Equal(arg) {
				return v.elems[i+1], true
			}
		}
	}
	return Value{}, false
}

// Field returns v.name of a record, and whether there is one.
func (v Value) Field(name string) (Value, bool) {
	if v.typ != RecordType {
		return Value{}, false
	}
	return v.Apply(Str(name))
}

// Equal says whether v and w are the same TLA+ value.
func (v Value) Equal(w Value) bool {
	if v.typ != w.typ || v.n != w.n || v.s != w.s || len(v.elems) != len(w.elems) {
		return false
	}
	for i := range v.elems {
		if !v.elems[i].Equal(w.elems[i]) {
			return false
		}
	}
	return true
}

// Compare orders all values: by type, in the order of the constants, then
// integers by size, strings and model values by their bytes, FALSE before
// TRUE, and composite values by length and then element by element. The order
// is this package's own: TLC has none between types.
func (v Value) Compare(w Value) int {
	if c := cmp.Compare(v.typ, w.typ); c != 0 {
		return c
	}
	switch v.typ {
	case IntType, BoolType:
		return cmp.Compare(v.n, w.n)
	case StringType, ModelType:
		return cmp.Compare(v.s, w.s)
	}
	if c := cmp.Compare(len(v.elems), len(w.elems)); c != 0 {
		return c
	}
	for i := range v.elems {
		if c := v.elems[i].Compare(w.elems[i]); c != 0 {
			return c
		}
	}
	return 0
}
