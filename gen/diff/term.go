package diff

import (
	"slices"
	"strconv"
	"strings"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// term is something that a table says, as a tree: a word, a named thing, or
// either over others. It is what is left of an expression when its layout, its
// definitions and the order of what has none are taken away.
type term struct {
	text string
	ref  any    // what is named, as facts.of knows it; nil: nothing
	args []term // below it
	set  bool   // the order of args means nothing
}

func word(text string, args ...term) term { return term{text: text, args: args} }

func unordered(text string, args ...term) term { return term{text: text, args: args, set: true} }

func named(ref any) term { return term{ref: ref} }

// write appends t with the given words for what it names.
func (t *term) write(b *strings.Builder, token func(any) string) {
	b.WriteString(t.text)
	if t.ref != nil {
		b.WriteString("<" + token(t.ref) + ">")
	}
	if len(t.args) == 0 {
		return
	}
	parts := make([]string, len(t.args))
	for i := range t.args {
		var p strings.Builder
		t.args[i].write(&p, token)
		parts[i] = p.String()
	}
	if t.set {
		slices.Sort(parts)
	}
	b.WriteString("(" + strings.Join(parts, ",") + ")")
}

func (t *term) string(token func(any) string) string {
	var b strings.Builder
	t.write(&b, token)
	return b.String()
}

// names calls f for each thing that t names, with the way to it.
func (t *term) names(way string, f func(ref any, way string)) {
	if t.ref != nil {
		f(t.ref, way)
	}
	way += "/" + t.text
	for i := range t.args {
		at := way
		if !t.set {
			at += strconv.Itoa(i)
		}
		t.args[i].names(at, f)
	}
}

// value is one of an enumeration that a table declares; states are themselves.
type value struct {
	of *expr.Type
	at int
}

// reader turns what one table says into terms.
type reader struct {
	t     *spec.Table
	parts map[*expr.Symbol]*spec.Part
	enums map[*expr.Type][]*spec.State // of control states and of parts' states
}

func newReader(t *spec.Table) *reader {
	r := &reader{t: t, parts: map[*expr.Symbol]*spec.Part{}, enums: map[*expr.Type][]*spec.State{t.State.Type: t.States}}
	for _, p := range t.Parts {
		r.parts[p.Sym] = p
		r.enums[p.State.Type] = p.States
	}
	return r
}

// value returns what a code of an enumeration stands for.
func (r *reader) value(t *expr.Type, at int) any {
	if states, ok := r.enums[t]; ok {
		return states[at]
	}
	return value{t, at}
}

func (r *reader) typ(t *expr.Type) term {
	switch t.Kind {
	case expr.Bool:
		return word("bool")
	case expr.Int:
		if t.Name == "" {
			return word(t.String())
		}
	case expr.Optional:
		return word("optional", r.typ(t.Elem))
	case expr.Set:
		return word("set", r.typ(t.Elem))
	case expr.List:
		return word("list", r.typ(t.Elem), r.expr(t.Bound, nil, false))
	}
	for _, p := range r.t.Parts {
		if p.State.Type == t {
			return word("stateOf", named(p))
		}
	}
	if t == r.t.State.Type {
		return word("state")
	}
	return named(t)
}

// states returns a set of states.
func (r *reader) states(of []*spec.State, which []int) []term {
	var out []term
	for _, i := range which {
		out = append(out, named(of[i]))
	}
	return out
}

// expr returns what n says; bound are the names bound around it, and after says
// that names stand for the state after the step.
func (r *reader) expr(n *expr.Node, bound []*expr.Symbol, after bool) term {
	switch n.Op {
	case expr.OpBool, expr.OpInt:
		return word(strconv.Itoa(n.Int))
	case expr.OpValue:
		return named(r.value(n.Type, n.Int))
	case expr.OpRef:
		return r.name(n, bound, after)
	case expr.OpDef:
		return r.expr(n.Sym.Body, bound, after || n.New)
	case expr.OpType:
		return word("all", r.typ(n.Type.Elem))
	case expr.OpAll, expr.OpExists:
		in := r.expr(n.Args[0], bound, after)
		inner := append(slices.Clip(bound), n.Sym)
		return word(opName(n.Op), in, r.expr(n.Args[1], inner, after))
	case expr.OpAnd, expr.OpOr:
		return unordered(opName(n.Op), r.flat(n, n.Op, bound, after)...)
	}
	t := term{text: opName(n.Op), set: n.Op == expr.OpEq || n.Op == expr.OpNe || n.Op == expr.OpUnion || n.Op == expr.OpAdd}
	if n.Op == expr.OpField || n.Op == expr.OpFieldValues {
		t.text += newPrefix(after || n.New)
		t.args = append(t.args, r.field(n.Sym))
	}
	for _, a := range n.Args {
		t.args = append(t.args, r.expr(a, bound, after))
	}
	return t
}

// flat returns the operands of a chain of one operation.
func (r *reader) flat(n *expr.Node, op expr.Op, bound []*expr.Symbol, after bool) []term {
	if n.Op == expr.OpDef {
		body := n.Sym.Body
		if body.Op == op {
			return r.flat(body, op, bound, after || n.New)
		}
	}
	if n.Op != op {
		return []term{r.expr(n, bound, after)}
	}
	return append(r.flat(n.Args[0], op, bound, after), r.flat(n.Args[1], op, bound, after)...)
}

func newPrefix(after bool) string {
	if after {
		return "'"
	}
	return ""
}

func (r *reader) name(n *expr.Node, bound []*expr.Symbol, after bool) term {
	s := n.Sym
	switch s.Kind {
	case expr.SymState:
		return word("state" + newPrefix(after || n.New))
	case expr.SymGroup:
		return unordered("states", r.states(r.enums[s.Type.Elem], s.Members)...)
	case expr.SymBound:
		for i := len(bound) - 1; i >= 0; i-- {
			if bound[i] == s {
				return word("bound" + strconv.Itoa(i))
			}
		}
	case expr.SymPart:
		return named(r.parts[s])
	}
	t := named(s)
	t.text = newPrefix(after || n.New)
	return t
}

// field names a part's variable, or its state.
func (r *reader) field(s *expr.Symbol) term {
	if s.Index == 0 {
		return word("stateOf", named(r.parts[s.Part]))
	}
	return named(s)
}

// literals splits a condition into those that must all hold: negated, or not.
func (r *reader) literals(n *expr.Node, negated bool) []term {
	switch {
	case n.Op == expr.OpNot:
		return r.literals(n.Args[0], !negated)
	case n.Op == expr.OpDef && (n.Sym.Body.Op == expr.OpNot || n.Sym.Body.Op == expr.OpAnd || n.Sym.Body.Op == expr.OpOr):
		return r.literals(n.Sym.Body, negated)
	case n.Op == expr.OpAnd && !negated, n.Op == expr.OpOr && negated:
		return append(r.literals(n.Args[0], negated), r.literals(n.Args[1], negated)...)
	}
	t := r.expr(n, nil, false)
	if negated {
		t = word("not", t)
	}
	return []term{t}
}

// opNames are those of operations, for terms only.
var opNames = map[expr.Op]string{
	expr.OpNone: "none", expr.OpOrigin: "origin", expr.OpEmpty: "empty", expr.OpNot: "not", expr.OpAnd: "and", expr.OpOr: "or",
	expr.OpImplies: "implies", expr.OpEq: "eq", expr.OpNe: "ne", expr.OpLt: "lt", expr.OpLe: "le", expr.OpGt: "gt", expr.OpGe: "ge",
	expr.OpAdd: "add", expr.OpSub: "sub", expr.OpMul: "mul", expr.OpCond: "cond", expr.OpSome: "some", expr.OpIs: "is",
	expr.OpHasValue: "has", expr.OpGet: "get", expr.OpAfter: "after", expr.OpIn: "in", expr.OpSize: "size", expr.OpNoElem: "isEmpty",
	expr.OpWith: "with", expr.OpWithout: "without", expr.OpUnion: "union", expr.OpMinus: "minus", expr.OpSubset: "subset",
	expr.OpHead: "head", expr.OpTail: "tail", expr.OpAppend: "append", expr.OpRemove: "remove", expr.OpField: "field",
	expr.OpFieldValues: "fields", expr.OpAll: "forall", expr.OpExists: "exists",
}

func opName(op expr.Op) string {
	if s, ok := opNames[op]; ok {
		return s
	}
	return "op" + strconv.Itoa(int(op))
}
