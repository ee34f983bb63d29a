package expr

import (
	"slices"

	"github.com/interlock-go/interlock/spec/diag"
)

// Op says what a Node does with its Args.
type Op uint8

const (
	OpBool   Op = iota + 1 // literal: Int is 0 or 1
	OpInt                  // literal: Int
	OpValue                // a value of an enumeration: Int is its index in Type.Values
	OpNone                 // none()
	OpOrigin               // origin(): the serial that is older than all
	OpEmpty                // empty(): the set or list without elements
	OpRef                  // Sym; of the state after the step if New

	OpNot     // !a
	OpAnd     // a && b, read left to right
	OpOr      // a || b, read left to right
	OpImplies // a.implies(b), read left to right
	OpEq
	OpNe
	OpLt
	OpLe
	OpGt
	OpGe
	OpAdd
	OpSub
	OpMul
	OpCond // a ? b : c

	OpSome     // some(a)
	OpIs       // a.is(b): a holds b
	OpHasValue // a.hasValue()
	OpGet      // a.value(), undefined for none

	OpAfter // a.after(b): serial a was issued after b

	OpIn      // a in b: b is a set, a group of states or a list
	OpSize    // a.size(), of a set or list
	OpNoElem  // a.isEmpty(), of a set or list
	OpWith    // a.with(b)
	OpWithout // a.without(b)
	OpUnion   // a.union(b)
	OpMinus   // a.minus(b)
	OpSubset  // a.subset(b): a is a subset of b

	OpHead   // a.head(): the first of a list, undefined for an empty one
	OpTail   // a.tail(): all but the first of a list, undefined for an empty one
	OpAppend // a.append(b): b behind the last; undefined beyond the bound of what it is assigned to
	OpRemove // a.remove(b): a list without the first b in it; the list itself if there is none

	OpField       // tickets(Args[0]).x: Sym is the field, of the state after the step if New; it.x is one whose key is the subject
	OpFieldValues // tickets.x: the set of the values that field Sym has in any part, none left out

	OpAll    // Args[0].all(Sym, Args[1]); Args[0] is a set, a list or an OpType
	OpExists // Args[0].exists(Sym, Args[1]); Args[0] is a set, a list or an OpType
	OpType   // all values of a type: Type is set(T)

	OpDef // a definition by its name: Sym, whose Body is its meaning
)

// SymKind says what a name stands for.
type SymKind uint8

const (
	SymState  SymKind = iota + 1 // the control state, "state"
	SymVar                       // a variable of the machine
	SymShared                    // a variable that all instances share
	SymGhost                     // a variable of the world
	SymParam                     // a constant
	SymArg                       // an argument of the event
	SymEffect                    // an argument of an effect, in what follows it
	SymGroup                     // a group of states: Type is set(State)
	SymBound                     // bound by all or exists, by a property's or effect's each, or "it" of a part's move
	SymDef                       // a definition
	SymPart                      // a kind of parts, "tickets": Type is its key's
	SymField                     // a part's state or variable
)

// Symbol is a declared name. Nodes refer to it by identity.
type Symbol struct {
	Kind    SymKind
	Name    string
	Type    *Type
	Index   int     // among the symbols of its kind: of variables, arguments, ...
	Part    *Symbol // of a field: the part that it is of
	Unique  bool    // of a field: no two parts have the same value in it, none aside; so a program can look parts up by it
	Members []int   // of a group: indices of its states, ascending
	Body    *Node   // of a definition
	Src     string  // of a definition, as written
	Doc     string
	Pos     diag.Pos
}

// Node is one operation of a typed tree. Trees are read-only once built; a
// Node may stand in several.
type Node struct {
	Op   Op
	Type *Type
	Args []*Node
	Sym  *Symbol
	New  bool // of OpRef and OpDef: the state after the step
	Int  int
	Pos  diag.Pos
}

// Walk calls f for n and everything below it, parents first, until f returns
// false for a node: then what is below that node is left out. Bodies of
// definitions are visited at each use.
func (n *Node) Walk(f func(*Node) bool) {
	if n == nil || !f(n) {
		return
	}
	for _, a := range n.Args {
		a.Walk(f)
	}
	if n.Op == OpDef {
		n.Sym.Body.Walk(f)
	}
}

// Reads returns the symbols of the given kinds that n reads, each once, in the
// order of first use. A field is read with whatever its key reads.
func (n *Node) Reads(kinds ...SymKind) []*Symbol {
	var out []*Symbol
	n.Walk(func(m *Node) bool {
		if m.reads() && slices.Contains(kinds, m.Sym.Kind) && !slices.Contains(out, m.Sym) {
			out = append(out, m.Sym)
		}
		return true
	})
	return out
}

// reads reports whether n itself reads its symbol.
func (n *Node) reads() bool { return n.Op == OpRef || n.Op == OpField || n.Op == OpFieldValues }
