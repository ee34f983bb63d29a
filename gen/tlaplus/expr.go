package tlaplus

import (
	"strconv"
	"strings"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// scope says how names are written at a place.
type scope struct {
	m *module
	p string // the instance that the place speaks of; empty if there is just one

	args  map[*expr.Symbol]doc    // of effects, and of goals: what stands for them
	bound map[*expr.Symbol]string // names of quantifiers around the place, where they had to change
	taken []string                // names that are bound around the place

	self  *expr.Symbol // inside [x EXCEPT ![p] = ..]: x, written @
	guard bool         // of a row: TLC would take \/ and \E for a choice of steps
}

func (s scope) cond(n *expr.Node) doc {
	return doc{form: choice, prec: openEnded, kids: []doc{s.expr(n.Args[0]), s.expr(n.Args[1]), s.expr(n.Args[2])}}
}

var operators = map[expr.Op]struct {
	prec int
	text string
	not  string // the operator of the opposite
}{
	expr.OpEq:      {relation, "=", "#"},
	expr.OpNe:      {relation, "#", "="},
	expr.OpIs:      {relation, "=", "#"},
	expr.OpLt:      {relation, "<", ">="},
	expr.OpLe:      {relation, "<=", ">"},
	expr.OpGt:      {relation, ">", "<="},
	expr.OpGe:      {relation, ">=", "<"},
	expr.OpAfter:   {relation, ">", "<="},
	expr.OpIn:      {relation, `\in`, `\notin`},
	expr.OpSubset:  {relation, `\subseteq`, ""},
	expr.OpUnion:   {setOp, `\cup`, ""},
	expr.OpMinus:   {setOp, `\`, ""},
	expr.OpAdd:     {sum, "+", ""},
	expr.OpSub:     {sum, "-", ""},
	expr.OpMul:     {product, "*", ""},
	expr.OpImplies: {implies, "=>", ""},
}

// expr prints n.
func (s scope) expr(n *expr.Node) doc {
	if d, ok := s.list(n); ok {
		return d
	}
	if op, ok := operators[n.Op]; ok {
		return binary(op.prec, op.text, s.expr(n.Args[0]), s.expr(n.Args[1]))
	}
	switch n.Op {
	case expr.OpBool:
		return text(strings.ToUpper(strconv.FormatBool(n.Int != 0)))
	case expr.OpInt:
		return text(strconv.Itoa(n.Int))
	case expr.OpValue:
		return text(strconv.Quote(n.Type.Values[n.Int]))
	case expr.OpNone:
		return text("None")
	case expr.OpOrigin:
		return text("0")
	case expr.OpEmpty:
		return text("{}")
	case expr.OpRef:
		return s.ref(n.Sym, n.New)
	case expr.OpDef:
		return s.def(n)
	case expr.OpNot:
		return s.not(n.Args[0])
	case expr.OpAnd:
		return conj(s.expr(n.Args[0]), s.expr(n.Args[1]))
	case expr.OpOr:
		return s.or(n)
	case expr.OpCond:
		return s.cond(n)
	case expr.OpSome, expr.OpGet:
		return s.expr(n.Args[0])
	case expr.OpHasValue:
		return binary(relation, "#", s.expr(n.Args[0]), text("None"))
	case expr.OpSize:
		return call("Cardinality", s.expr(n.Args[0]))
	case expr.OpNoElem:
		return binary(relation, "=", s.expr(n.Args[0]), text("{}"))
	case expr.OpWith:
		return s.element(`\cup`, n)
	case expr.OpWithout:
		return s.element(`\`, n)
	case expr.OpType:
		return text(s.m.set(n.Type.Elem))
	case expr.OpAll, expr.OpExists:
		return s.quantifier(n, false)
	case expr.OpField:
		return s.field(n)
	case expr.OpFieldValues:
		return s.fieldValues(n)
	}
	s.m.fail(diag.Unsupported, n.Pos, "in TLA+, no TLA+ for operation %d", n.Op)
	return text("?")
}

// element prints a set with or without one element.
func (s scope) element(op string, n *expr.Node) doc {
	return binary(setOp, op, s.expr(n.Args[0]), filled("{", []doc{s.expr(n.Args[1])}, "}"))
}

// not prints the opposite of n.
func (s scope) not(n *expr.Node) doc {
	if d, ok := s.list(n); ok && d.form == infix {
		d.op = map[string]string{"=": "#", `\in`: `\notin`}[d.op]
		return d
	}
	if op := operators[n.Op]; op.not != "" {
		return binary(op.prec, op.not, s.expr(n.Args[0]), s.expr(n.Args[1]))
	}
	switch n.Op {
	case expr.OpBool:
		return text(strings.ToUpper(strconv.FormatBool(n.Int == 0)))
	case expr.OpNot:
		return s.expr(n.Args[0])
	case expr.OpHasValue:
		return binary(relation, "=", s.expr(n.Args[0]), text("None"))
	case expr.OpNoElem:
		return binary(relation, "#", s.expr(n.Args[0]), text("{}"))
	case expr.OpOr:
		return conj(s.not(n.Args[0]), s.not(n.Args[1]))
	case expr.OpImplies:
		return conj(s.expr(n.Args[0]), s.not(n.Args[1]))
	case expr.OpAll, expr.OpExists:
		return s.quantifier(n, true)
	}
	return not(s.expr(n))
}

// or avoids \/ in guards, where each true side would be a step of its own.
func (s scope) or(n *expr.Node) doc {
	if set, ok := s.oneOf(n); ok {
		return set
	}
	if s.guard {
		return not(conj(s.not(n.Args[0]), s.not(n.Args[1])))
	}
	return disj(s.expr(n.Args[0]), s.expr(n.Args[1]))
}

// oneOf prints x == a || x == b as x \in {a, b}.
func (s scope) oneOf(n *expr.Node) (doc, bool) {
	var of *expr.Node
	var values []doc
	var collect func(n *expr.Node) bool
	collect = func(n *expr.Node) bool {
		if n.Op == expr.OpOr {
			return collect(n.Args[0]) && collect(n.Args[1])
		}
		if n.Op != expr.OpEq || n.Args[0].Op != expr.OpRef || n.Args[1].Op != expr.OpValue {
			return false
		}
		if of == nil {
			of = n.Args[0]
		}
		values = append(values, s.expr(n.Args[1]))
		return of.Sym == n.Args[0].Sym && of.New == n.Args[0].New
	}
	if !collect(n) {
		return doc{}, false
	}
	return binary(relation, `\in`, s.expr(of), filled("{", values, "}")), true
}

// quantifier prints all and exists, or the opposite. In guards \E, and \A with
// its opposite inside, become sets that are empty or aren't.
func (s scope) quantifier(n *expr.Node, opposite bool) doc {
	over := s.set(n.Args[0])
	name := n.Sym.Name
	for i := 2; s.m.global[name].what != "" || s.isTaken(name); i++ {
		name = n.Sym.Name + strconv.Itoa(i)
	}
	in := s
	in.bound = map[*expr.Symbol]string{n.Sym: name}
	for k, v := range s.bound {
		in.bound[k] = v
	}
	in.taken = append(s.taken[:len(s.taken):len(s.taken)], name)
	head := name + ` \in ` + operand(over, relation).flat()

	universal := n.Op == expr.OpAll
	body := in.expr(n.Args[1])
	if opposite {
		body = in.not(n.Args[1])
		universal = !universal
	}
	if universal {
		return quantified(`\A`, []string{head}, body)
	}
	if !s.guard {
		return quantified(`\E`, []string{head}, body)
	}
	set := wrapped("{"+head+" : ", body, "}")
	return binary(relation, "#", set, text("{}"))
}

func (s scope) isTaken(name string) bool {
	for _, t := range s.taken {
		if t == name {
			return true
		}
	}
	return name == s.p
}

// ref prints a name, primed for the state after the step.
func (s scope) ref(sym *expr.Symbol, after bool) doc {
	if d, ok := s.args[sym]; ok {
		return d
	}
	switch sym.Kind {
	case expr.SymState, expr.SymVar, expr.SymShared, expr.SymGhost:
		if sym == s.self && !after {
			return text("@")
		}
		return text(s.m.variable(sym).at(s.p, after))
	case expr.SymParam, expr.SymGroup:
		return text(names.Exported(sym.Name))
	case expr.SymBound:
		if name, ok := s.bound[sym]; ok {
			return text(name)
		}
	}
	return text(sym.Name)
}

func (s scope) def(n *expr.Node) doc {
	name := names.Exported(n.Sym.Name)
	d := text(name)
	if s.p != "" {
		d = call(name, text(s.p))
	}
	if n.New {
		d.closing += "'"
		if d.form == atom {
			d.op += "'"
		}
	}
	return d
}
