package expr

import (
	"cel.dev/cel-go/common/ast"
)

// fieldCalls turns tickets(t).asked into a call of the function tickets.asked
// wherever a part is named, and new.tickets(t).asked into one of
// new.tickets.asked: CEL selects fields of messages only. What names no part is
// left to CEL's complaints.
func fieldCalls(e ast.Expr, scope *Scope) {
	fac := ast.NewExprFactory()
	ast.PostOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.SelectKind || e.AsSelect().IsTestOnly() {
			return
		}
		operand := e.AsSelect().Operand()
		if operand.Kind() != ast.CallKind || len(operand.AsCall().Args()) != 1 {
			return
		}
		call := operand.AsCall()
		prefix := ""
		if call.IsMemberFunction() {
			if t := call.Target(); t.Kind() != ast.IdentKind || t.AsIdent() != "new" {
				return
			}
			prefix = "new."
		}
		if !scope.hasPart(prefix + call.FunctionName()) {
			return
		}
		e.SetKindCase(fac.NewCall(e.ID(), prefix+call.FunctionName()+"."+e.AsSelect().FieldName(), call.Args()[0]))
	}))
}

// hasPart reports whether the fields of a part of that name, with new. in
// front of it or not, can be read.
func (s *Scope) hasPart(name string) bool { return s.fields[name+".state"] != nil }

// Ref returns a node that reads s.
func Ref(s *Symbol) *Node { return &Node{Op: OpRef, Type: s.Type, Sym: s, Pos: s.Pos} }
