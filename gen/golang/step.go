package golang

import (
	"bytes"
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
		grows := "buf grows"
		if p.growing() {
			grows = "m and buf grow"
		}
		p.comment("Step applies e to m, appends what is to be done to buf, in order, and names the row that decided it. Only a row of kind Move changes m, in place, and appends. Called on the concrete Machine it allocates only what %s by.", grows)
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
	p.subject(e, func() {
		b.checks(e)
		b.rows(e)
	})
	p.printf("}\n\n")
}

// subject prints a body, and before it, if the body asks for it, what the
// machine holds of the event's subject.
func (p *printer) subject(e *spec.Event, body func()) {
	if e.Of == nil {
		body()
		return
	}
	key := e.Args[0].Sym
	before := p.buf
	p.buf, p.asked = bytes.Buffer{}, false
	p.records[key] = "it"
	body()
	delete(p.records, key)
	after := p.buf
	p.buf = before
	if p.asked {
		p.printf("it := %s\n\n", p.held(e.Of, ref(key)))
	}
	p.buf.Write(after.Bytes())
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
			b.returns("Decision{Row: "+d.constant()+"}", "refuse "+code)
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
	if t.Text {
		return x + ` == ""`
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
	if conds := p.conditions(r); len(conds) > 0 {
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

// outcome prints what a row of an event does. Effects come first, since they
// read the old state; what comes after a sub-table's row comes last.
func (b *body) outcome(r *spec.Row) {
	decision := "Decision{Row: " + names.Row(r) + "}"
	if r.Outcome != spec.Move {
		b.returns(decision, strings.TrimSpace(r.Outcome.String()+" "+r.Code))
		return
	}
	if r.Then != nil {
		decision = "d"
		b.printf("d := m.%s(%s)\nif d.Then.Info().Kind != %s {\n", names.Local(r.Then.Name), names.Row(r), b.of("fsm", "Move"))
		b.returns(decision, "never")
		b.printf("}\n")
	}
	b.does(r)
	if r.Then != nil {
		b.goOn(r.Then)
	}
	for _, p := range b.ending(r) {
		b.printf("m.%s()\n", helper(p, "trim"))
	}
	b.returns(decision, "")
}

// does prints what a row sends and changes.
func (b *body) does(r *spec.Row) {
	b.firsts(results(r))
	if len(r.Emit) > 0 {
		b.emit(r.Emit)
	}
	b.updates(r)
	for _, p := range r.Forget {
		b.printf("m.%s()\n", helper(p, "forgetAll"))
	}
	clear(b.heads)
}

// results returns the expressions that a row computes.
func results(r *spec.Row) []*expr.Node {
	var out []*expr.Node
	for _, em := range r.Emit {
		out = append(out, em.Args...)
	}
	for _, f := range r.Fire {
		out = append(out, f.On)
	}
	for _, a := range r.Set {
		out = append(out, a.Expr)
	}
	return out
}

// returns prints the return of a row's decision; answer is what it does, for
// those that change nothing.
func (b *body) returns(decision, answer string) {
	if answer != "" {
		answer = " // " + answer
	}
	b.printf("return %s%s%s\n", decision, b.rest, answer)
}

// undecided prints the return for when no row applies.
func (b *body) undecided() { b.printf("return Decision{}%s\n", b.rest) }

// emit prints the appends of a row's effects.
func (b *body) emit(emits []*spec.Emit) {
	for len(emits) > 0 {
		n := 0
		for n < len(emits) && emits[n].Each == nil {
			n++
		}
		if n > 0 {
			b.send(emits[:n])
			emits = emits[n:]
			continue
		}
		each := names.Local(emits[0].Each.Name)
		b.bound[emits[0].Each] = each
		b.printf("for %s := range %s.All() {\n", each, b.cond(emits[0].In, precUnary))
		b.send(emits[:1])
		b.printf("}\n")
		emits = emits[1:]
	}
}

// send prints one append.
func (b *body) send(emits []*spec.Emit) {
	var calls []string
	for i, e := range emits {
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
