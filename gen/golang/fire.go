package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// fire prints the moves of one part, of an optional one or of each of a list.
func (b *body) fire(f *spec.Fire) {
	call := func(key string) string {
		if len(f.Move.To) > 1 {
			key += ", " + names.PartValue(f.Move.Part, f.To.Index)
		}
		return fmt.Sprintf("m.%s(%s)", helper(f.Move.Part, f.Move.Name), key)
	}
	b.choose(normal(f.On), func(n *expr.Node) string {
		switch {
		case n.Op == expr.OpNone || n.Op == expr.OpEmpty:
			return ""
		case n.Op == expr.OpSome:
			return call(b.operand(n.Args[0], 0))
		case n.Type.Kind == expr.Optional:
			x := b.operand(n, precUnary)
			return fmt.Sprintf("if %s.HasValue() {\n%s\n}", x, call(x+".Value()"))
		case n.Type.Kind == expr.List:
			list := b.operand(n, precUnary)
			if remembers(f.Move) && slices.Contains(reads(n), f.Move.Part.Memory.List.Sym) {
				list += ".Clone()" // the moves change it
			}
			return fmt.Sprintf("for k := range %s.All() {\n%s\n}", list, call("k"))
		}
		return call(b.operand(n, 0))
	})
}

// change prints all that a row does to its event's subject, whose record is
// the local it, and keeps it.
func (b *body) change(r *spec.Row, p *spec.Part) {
	key, fields := ref(r.Event.Args[0].Sym), b.fieldsOf(r, p)
	was, before := b.before(r, p), b.before(r, p)
	var to *spec.State
	remember := func(record string) {
		for _, f := range r.Fire {
			if f.Move.Part == p && f.To != nil {
				b.remember(p, was, []int{f.To.Index}, key, record, "")
				to, was = f.To, []int{f.To.Index}
			}
		}
	}
	if r.Event.Args[0].Fresh && zeroRecord(p) && !b.asks(r.Event) {
		remember("")
		b.newRecord(p, key, to, fields)
		return
	}
	b.asked = true
	remember("it")
	b.fill(p, to, fields)
	b.keep(p, key, before, was, fields)
}

// before returns in which states a row finds its event's subject.
func (m *machine) before(r *spec.Row, p *spec.Part) []int {
	switch {
	case r.Event.Args[0].Fresh:
		return []int{0}
	case r.PartFrom != nil:
		return r.PartFrom
	}
	for _, f := range r.Fire {
		if f.Move.Part == p {
			return f.Move.From
		}
	}
	return everyState(p)
}

func everyState(p *spec.Part) []int {
	out := make([]int, len(p.States))
	for i := range out {
		out[i] = i
	}
	return out
}

// setting is a field of a record with its new value, normal.
type setting struct {
	field *expr.Symbol
	value *expr.Node
}

// fieldsOf returns what a row, with its moves, sets in its event's subject.
func (b *body) fieldsOf(r *spec.Row, p *spec.Part) []setting {
	var out []setting
	set := func(a *spec.Assign) {
		out = slices.DeleteFunc(out, func(s setting) bool { return s.field == a.Var }) // the last move wins
		out = append(out, setting{a.Var, normal(a.Expr)})
	}
	for _, f := range r.Fire {
		if f.Move.Part == p {
			b.records[f.Move.It], b.bound[f.Move.It] = "it", ref(r.Event.Args[0].Sym)
			for _, a := range f.Move.Set {
				set(a)
			}
		}
	}
	for _, a := range r.Set {
		if a.Key != nil && a.Var.Part == p.Sym {
			set(a)
		}
	}
	return out
}

// newRecord prints the record of a part that nobody has used before.
func (b *body) newRecord(p *spec.Part, key string, to *spec.State, fields []setting) {
	var values []string
	if to != nil {
		values = append(values, "State: "+names.PartValue(p, to.Index))
	}
	for _, f := range fields {
		name := names.Exported(f.field.Name)
		if f.value.Op == expr.OpCond {
			local := helper(p, f.field.Name)
			b.printf("var %s %s\n", local, b.goType(f.field.Type))
			b.choose(f.value, b.assigningTo(local))
			values = append(values, name+": "+local)
			continue
		}
		values = append(values, name+": "+b.operand(f.value, 0))
	}
	text := strings.Join(values, ", ")
	if len(text) > width {
		text = "\n" + strings.Join(values, ",\n") + ",\n"
	}
	b.printf("m.%s(%s, %s{%s})\n", helper(p, "set"), key, names.Record(p), text)
}

// fill prints the assignments to the record it: all right sides read it as it
// was.
func (b *body) fill(p *spec.Part, to *spec.State, fields []setting) {
	var steps []step
	if to != nil {
		steps = append(steps, step{writes: []*expr.Symbol{p.State}, print: func(b *body) {
			b.printf("it.State = %s\n", names.PartValue(p, to.Index))
		}})
	}
	for _, f := range fields {
		own := func(n *expr.Node) bool {
			return n.Op == expr.OpField && n.Sym == f.field && b.record(p, n.Args[0]) == "it"
		}
		steps = append(steps, step{
			reads: reads(f.value), writes: []*expr.Symbol{f.field}, target: f.field, value: f.value, place: inIt(f.field),
			print: func(b *body) { b.choose(f.value, b.into(inIt(f.field), own)) },
		})
	}
	order, left := arrange(steps)
	for _, s := range order {
		s.print(b)
	}
	b.together(left)
}

// inIt is where a field of the record at hand is.
func inIt(field *expr.Symbol) string { return "it." + names.Exported(field.Name) }

// keep prints how the record it is put back: plainly, if the machine holds one
// already, and it is none that is left out or looked up by what has changed.
func (b *body) keep(p *spec.Part, key string, before, after []int, fields []setting) {
	if needsSet(p, before, after, fields) {
		b.printf("m.%s(%s, it)\n", helper(p, "set"), key)
		return
	}
	b.printf("m.%s[%s] = it\n", names.Exported(p.Name), key)
}

func needsSet(p *spec.Part, before, after []int, fields []setting) bool {
	return slices.Contains(before, 0) || slices.Contains(after, 0) ||
		slices.ContainsFunc(fields, func(s setting) bool { return s.field.Unique })
}

// remember prints how a part comes into its memory, or leaves it, by a move.
// was and is are the states that it may have had and will have; record holds
// what it was, and to its state to come where there are several.
func (b *body) remember(p *spec.Part, was, is []int, key, record, to string) {
	if p.Memory == nil {
		return
	}
	list := "m." + names.Exported(p.Memory.List.Sym.Name)
	push, remove := list+".Push("+key+")", list+".Remove("+key+")"
	from, into := endsIn(p, was), endsIn(p, is)
	switch {
	case from == never && into == always:
		b.printf("%s\n", push)
		return
	case from == always && into == never:
		b.printf("%s\n", remove)
		return
	case from == into && from != maybe:
		return
	}
	ended := func(e ends, place string) (yes, no string) {
		if e != maybe {
			return "", ""
		}
		cond := b.isEnd(p, place)
		return cond, "!" + cond
	}
	fromYes, fromNo := ended(from, record+".State")
	intoYes, intoNo := ended(into, to)
	and := func(x, y string) string { return strings.Trim(x+" && "+y, " &") }
	var cases []string
	if from != always && into != never {
		cases = append(cases, fmt.Sprintf("if %s {\n%s\n}", and(fromNo, intoYes), push))
	}
	if from != never && into != always {
		cases = append(cases, fmt.Sprintf("if %s {\n%s\n}", and(fromYes, intoNo), remove))
	}
	b.printf("%s\n", strings.Join(cases, " else "))
}

// isEnd prints the condition that a part's state is one that is remembered.
func (m *machine) isEnd(p *spec.Part, place string) string {
	if len(p.Memory.StatesSrc) == 1 {
		for _, g := range p.Groups {
			if g.Name == p.Memory.StatesSrc[0] {
				return place + "." + names.Exported(g.Name) + "()"
			}
		}
	}
	var out []string
	for _, i := range p.Memory.States {
		out = append(out, place+" == "+names.PartValue(p, i))
	}
	return "(" + strings.Join(out, " || ") + ")"
}

// setField prints the step that sets a variable of the part with a key.
func (b *body) setField(a *spec.Assign) {
	p := b.partOf(a.Var)
	key, local := b.cond(a.Key, 0), helper(p, a.Var.Name)
	place := local + "." + names.Exported(a.Var.Name)
	b.printf("%s := %s\n", local, b.held(p, key))
	b.choose(normal(a.Expr), b.into(place, func(*expr.Node) bool { return false }))
	b.printf("m.%s(%s, %s)\n", helper(p, "set"), key, local)
}

// asks reports whether an event reads what its subject was.
func (m *machine) asks(e *spec.Event) bool {
	own := func(n *expr.Node) bool {
		found := false
		n.Walk(func(n *expr.Node) bool {
			found = found || n.Op == expr.OpField && (n.Args[0].Sym == e.Args[0].Sym || m.records[n.Args[0].Sym] != "")
			return !found
		})
		return found
	}
	return slices.ContainsFunc(e.Decisions(), func(r *spec.Row) bool {
		if r.PartFrom != nil {
			return true
		}
		var ns []*expr.Node
		for _, c := range slices.Concat(r.When, r.Unless) {
			ns = append(ns, c.Expr)
		}
		for _, em := range r.Emit {
			ns = append(ns, em.Args...)
		}
		for _, a := range r.Set {
			ns = append(ns, a.Expr)
		}
		for _, f := range r.Fire {
			ns = append(ns, f.On)
			for _, a := range f.Move.Set {
				ns = append(ns, a.Expr)
			}
		}
		return slices.ContainsFunc(ns, own)
	})
}
