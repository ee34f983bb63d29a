package golang

import (
	"fmt"
	"path"
	"strings"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

func (p *printer) step() {
	if len(p.Effects) == 0 {
		p.comment("Step applies e to m and names the row that decided it. Only a row of kind Move changes m, in place. This table has no effects: buf comes back as it is.")
	} else {
		p.comment("Step applies e to m, appends what is to be done to buf, in order, and names the row that decided it. Only a row of kind Move changes m, in place, and appends. Called on the concrete Machine it allocates only what buf grows by.")
	}
	binding := ""
	for _, e := range p.Events {
		if len(e.Args) > 0 {
			binding = "e := "
		}
	}
	p.printf("func (m *Machine) Step(e Event, buf []Effect) (Decision, []Effect) {\nswitch %se.(type) {\n", binding)
	for _, e := range p.Events {
		var args []string
		if len(e.Args) > 0 {
			args = append(args, "e")
		}
		rest := ", buf"
		if emits(e) {
			args, rest = append(args, "buf"), ""
		}
		p.printf("case %s:\nreturn m.%s(%s)%s\n", names.Exported(e.Name), names.Local(e.Name), strings.Join(args, ", "), rest)
	}
	p.printf("}\nreturn Decision{}, buf\n}\n\n")
}

// event prints an event's method: its answers to values outside their types
// and its checks, in order, then its rows.
func (p *printer) event(e *spec.Event) {
	signature := e.Signature()
	if e.Doc != "" {
		signature += ": " + lowerFirst(e.Doc)
	}
	p.comment("%s", signature)
	var params []string
	if len(e.Args) > 0 {
		params = append(params, "e "+names.Exported(e.Name))
	}
	b, result := body{printer: p}, "Decision"
	if emits(e) {
		params = append(params, "buf []Effect")
		b.rest, result = ", buf", "(Decision, []Effect)"
	}
	p.printf("func (m *Machine) %s(%s) %s {\n", names.Local(e.Name), strings.Join(params, ", "), result)
	b.checks(e)
	b.rows(e)
	p.printf("}\n\n")
}

// body prints the body of an event's method.
type body struct {
	*printer
	rest string // what is returned after the Decision
}

func (b *body) checks(e *spec.Event) {
	open := false
	begin := func() {
		if !open {
			b.printf("switch {\n")
		}
		open = true
	}
	for _, a := range e.Args {
		if outsider(a) {
			begin()
			d := decision{event: e, arg: a}
			_, code := d.outcome()
			b.comment("%s: outside its type", d.name())
			b.printf("case %s:\n", b.outside(a))
			b.returns(d.constant(), "refuse "+code)
		}
	}
	for _, r := range e.Checks {
		begin()
		b.row(r)
	}
	if open {
		b.printf("}\n\n")
	}
}

// outside prints the condition that an argument is outside its type.
func (p *printer) outside(a *spec.Arg) string {
	x, t := ref(a.Sym), a.Sym.Type
	if t.Kind == expr.Optional {
		has := x + ".HasValue()"
		if x, t = x+".Value()", t.Elem; t.Kind == expr.Enum || t.Kind == expr.Int {
			return has + " && (" + p.beyond(x, t) + ")"
		}
		return has + " && " + p.beyond(x, t)
	}
	return p.beyond(x, t)
}

// beyond prints the condition that x is no value of t.
func (p *printer) beyond(x string, t *expr.Type) string {
	switch t.Kind {
	case expr.Enum:
		return fmt.Sprintf("%s < %s || %s > %s", x, p.value(t, 0), x, p.value(t, len(t.Values)-1))
	case expr.Int:
		return fmt.Sprintf("%s < %d || %s > %d", x, t.Lo, x, t.Hi)
	}
	return x + " == 0"
}

func (b *body) rows(e *spec.Event) {
	if len(e.Rows) == 1 && len(b.guards(e.Rows[0])) == 0 {
		b.describe(e.Rows[0])
		b.outcome(e.Rows[0])
		return
	}
	if len(e.Rows) == 0 {
		b.undecided()
		return
	}
	b.printf("switch {\n")
	for i, r := range e.Rows {
		if i > 0 {
			b.printf("\n")
		}
		b.row(r)
	}
	b.printf("}\n")
	b.undecided()
}

// row prints a check or a row as one case.
func (b *body) row(r *spec.Row) {
	b.describe(r)
	b.printf("case %s:\n", b.conjunction(b.guards(r)))
	b.outcome(r)
}

// describe prints the comment over a row.
func (p *printer) describe(r *spec.Row) {
	at := fmt.Sprintf("%s (%s:%d)", r.Name(), path.Base(r.Pos.File), r.Pos.Line)
	if conds := conditions(r); len(conds) > 0 {
		at += ": " + strings.Join(conds, ", ")
	}
	p.comment("%s", at)
	if r.Claim != "" {
		p.comment("%s", sentence(r.Claim))
	}
	if r.Why != "" {
		p.comment("%s", r.Why)
	}
}

// outcome prints what a row does. Effects come first, since they read the old
// state.
func (b *body) outcome(r *spec.Row) {
	if len(r.Emit) > 0 {
		b.emit(r)
	}
	b.updates(r)
	answer := ""
	if r.Outcome != spec.Move {
		answer = strings.TrimSpace(r.Outcome.String() + " " + r.Code)
	}
	b.returns(names.Row(r), answer)
}

// returns prints the return of a row's decision; answer is what it does, for
// those that change nothing.
func (b *body) returns(row, answer string) {
	if answer != "" {
		answer = " // " + answer
	}
	b.printf("return Decision{Row: %s}%s%s\n", row, b.rest, answer)
}

// undecided prints the return for when no row applies.
func (b *body) undecided() { b.printf("return Decision{}%s\n", b.rest) }

// emit prints the append of a row's effects.
func (b *body) emit(r *spec.Row) {
	var calls []string
	for i, e := range r.Emit {
		var args []string
		for j, a := range e.Args {
			n := normal(a)
			if n.Op != expr.OpCond {
				args = append(args, b.operand(n, 0))
				continue
			}
			local := names.Local(e.Effect.Name) + names.Exported(e.Effect.Args[j].Name)
			if i > 0 {
				local += fmt.Sprint(i + 1)
			}
			b.printf("var %s %s\n", local, b.goType(n.Type))
			b.choose(n, b.assigningTo(local))
			args = append(args, local)
		}
		calls = append(calls, names.Local(e.Effect.Name)+"("+strings.Join(args, ", ")+")")
	}
	if s := strings.Join(calls, ", "); len(calls) == 1 || len(s) < width {
		b.printf("buf = append(buf, %s)\n", s)
		return
	}
	b.printf("buf = append(buf,\n%s)\n", strings.Join(calls, ",\n"))
}
