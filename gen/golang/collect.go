package golang

import (
	"fmt"
	"slices"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec/expr"
)

// collection reports whether values of t are lists or sets: they are changed
// in place, never computed.
func collection(t *expr.Type) bool { return t.Kind == expr.List || t.Kind == expr.Set }

// changes are the operations that change a list or a set in place.
var changes = map[expr.Op]string{
	expr.OpTail: "Pop", expr.OpAppend: "Push", expr.OpRemove: "Remove",
	expr.OpWith: "Add", expr.OpWithout: "Remove", expr.OpUnion: "AddAll", expr.OpMinus: "RemoveAll",
}

// collect prints how a list or set comes to its new value, which is another
// one, or none, and operations on that.
func (b *body) collect(target *expr.Symbol, n *expr.Node) {
	if n.Op == expr.OpCond {
		b.printf("if %s {\n", b.operand(n.Args[0], 0))
		b.collect(target, n.Args[1])
		b.printf("} else {\n")
		b.collect(target, n.Args[2])
		b.printf("}\n")
		return
	}
	var chain []*expr.Node
	for ; changes[n.Op] != ""; n = n.Args[0] {
		chain = append(chain, n)
	}
	slices.Reverse(chain)
	place := ref(target)
	args := b.changed(target, n, chain)
	switch {
	case n.Op == expr.OpRef && n.Sym == target:
	case n.Op == expr.OpEmpty && target.Type.Kind == expr.List:
		b.printf("%s.Clear()\n", place)
	case n.Op == expr.OpEmpty:
		b.printf("clear(%s)\n", place)
	case target.Type.Kind == expr.List:
		b.printf("%s = %s.Clone()\n", place, b.operand(n, precUnary))
	default:
		b.printf("%s = %s(%s)\n", place, b.of("maps", "Clone"), b.operand(n, 0))
	}
	for i, c := range chain {
		b.printf("%s.%s(%s)\n", place, changes[c.Op], args[i])
	}
}

// changed returns the arguments of operations on a list or set. One that reads
// what has been changed by then is kept in a local before.
func (b *body) changed(target *expr.Symbol, from *expr.Node, chain []*expr.Node) []string {
	fresh := from.Op != expr.OpRef || from.Sym != target
	args := make([]string, len(chain))
	for i, c := range chain {
		if len(c.Args) == 1 {
			continue
		}
		args[i] = b.operand(c.Args[1], 0)
		if (i > 0 || fresh) && slices.Contains(reads(c.Args[1]), target) {
			local := fmt.Sprint("next", names.Exported(target.Name), i+1)
			b.printf("%s := %s\n", local, args[i])
			args[i] = local
		}
	}
	return args
}

// collected prints what is read of a list or set.
func (m *machine) collected(n *expr.Node) string {
	switch n.Op {
	case expr.OpHead:
		if local := m.heads[n.Args[0].Sym]; local != "" && n.Args[0].Op == expr.OpRef {
			return local
		}
		return m.operand(n.Args[0], precUnary) + ".Head()"
	case expr.OpSize:
		switch a := n.Args[0]; {
		case a.Type.Kind == expr.List:
			return m.operand(a, precUnary) + ".Len()"
		case a.Op == expr.OpFieldValues:
			return "len(m." + names.Index(m.partOf(a.Sym), a.Sym) + ")"
		}
		return "len(" + m.operand(n.Args[0], 0) + ")"
	case expr.OpSubset:
		return m.operand(n.Args[0], precUnary) + ".Subset(" + m.operand(n.Args[1], 0) + ")"
	}
	return "" // check lets nothing else through
}

// in prints that x is in a group of states, a list, a set or the values of a
// field by which parts are looked up.
func (m *machine) in(x, set *expr.Node) string {
	switch {
	case set.Op == expr.OpRef && set.Sym.Kind == expr.SymGroup:
		return m.operand(x, precUnary) + "." + names.Exported(set.Sym.Name) + "()"
	case set.Op == expr.OpFieldValues:
		return m.of("fsm", "Has") + "(m." + names.Index(m.partOf(set.Sym), set.Sym) + ", " + m.operand(x, 0) + ")"
	case set.Type.Kind == expr.List:
		return m.operand(set, precUnary) + ".Contains(" + m.operand(x, 0) + ")"
	}
	return m.operand(set, precUnary) + ".Has(" + m.operand(x, 0) + ")"
}

// equal prints the comparison of two lists or sets; empty for other values.
func (m *machine) equal(n *expr.Node) string {
	not := ""
	if n.Op == expr.OpNe {
		not = "!"
	}
	switch a, b := n.Args[0], n.Args[1]; a.Type.Kind {
	case expr.List:
		return not + m.operand(a, precUnary) + ".Equal(" + m.operand(b, 0) + ")"
	case expr.Set:
		return not + m.of("maps", "Equal") + "(" + m.operand(a, 0) + ", " + m.operand(b, 0) + ")"
	}
	return ""
}

// firsts names the first elements of lists that the nodes read several times.
func (b *body) firsts(ns []*expr.Node) {
	times := map[*expr.Symbol]int{}
	var lists []*expr.Symbol
	for _, n := range ns {
		n.Walk(func(n *expr.Node) bool {
			if n.Op == expr.OpHead && n.Args[0].Op == expr.OpRef {
				if times[n.Args[0].Sym]++; times[n.Args[0].Sym] == 2 {
					lists = append(lists, n.Args[0].Sym)
				}
			}
			return true
		})
	}
	for i, l := range lists {
		local := "head"
		if i > 0 {
			local += names.Exported(l.Name)
		}
		b.printf("%s := %s.Head()\n", local, ref(l))
		b.heads[l] = local
	}
}
