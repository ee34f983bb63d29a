package golang

import (
	"slices"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// partFields prints the fields by which a machine holds its parts.
func (p *printer) partFields() {
	var block []line
	for _, x := range p.Parts {
		key, one := x.Key.Name, names.Local(x.Key.Name)
		block = append(block, line{names.Exported(x.Name) + " map[" + key + "]" + names.Record(x), "Those that aren't as they start."})
		for _, f := range unique(x) {
			block = append(block, line{
				names.Index(x, f) + " map[" + p.goType(f.Type.Elem) + "]" + key,
				"Which " + one + " has this " + f.Name + "; follows from " + names.Exported(x.Name) + ".",
			})
		}
	}
	p.lines(block)
}

// partDecls prints the types of parts.
func (p *printer) partDecls() {
	for _, x := range p.Parts {
		t, one := x.State.Type, names.Local(x.Key.Name)
		p.comment("%s is where a %s is.", t.Name, one)
		p.printf("type %s %s\n\nconst (\n", t.Name, small(len(x.States)))
		var block []line
		for i, s := range x.States {
			code := names.PartValue(x, i)
			if i == 0 {
				code += " " + t.Name + " = iota"
			}
			block = append(block, line{code, s.Doc})
		}
		p.lines(block)
		p.printf(")\n\n")
		p.stringer(t)
		p.groupDecls(x.Groups, t)

		start := "The zero " + names.Record(x) + " is its start."
		if !zeroRecord(x) {
			start = ""
		}
		p.comment("%s is what a Machine holds of one %s. %s", names.Record(x), one, start)
		p.printf("type %s struct {\n", names.Record(x))
		p.printf("State %s\n", t.Name)
		p.symbolFields(symbolsOf(x.Vars))
		p.printf("}\n\n")
	}
}

// clone prints Clone.
func (p *printer) clone() {
	p.comment("Clone returns a copy that shares nothing with m.")
	p.printf("func (m *Machine) Clone() Machine {\nc := *m\n")
	for _, v := range p.owned() {
		name := names.Exported(v.Sym.Name)
		switch v.Sym.Type.Kind {
		case expr.List:
			p.printf("c.%s = m.%s.Clone()\n", name, name)
		case expr.Set:
			p.printf("c.%s = %s(m.%s)\n", name, p.of("maps", "Clone"), name)
		}
	}
	for _, x := range p.Parts {
		held := []string{names.Exported(x.Name)}
		for _, f := range unique(x) {
			held = append(held, names.Index(x, f))
		}
		for _, name := range held {
			p.printf("c.%s = %s(m.%s)\n", name, p.of("maps", "Clone"), name)
		}
	}
	p.printf("return c\n}\n\n")
}

// partMethods prints the methods that work on parts, those that are called.
func (p *printer) partMethods() {
	for _, x := range p.Parts {
		if !zeroRecord(x) {
			p.partStart(x)
		}
		for _, v := range p.byKey(x) {
			p.moveMethod(v)
		}
		if set, mayBeStart := p.sets(x); set {
			p.setMethod(x, mayBeStart)
		}
		if x.Memory != nil && slices.ContainsFunc(p.rows(), func(r *spec.Row) bool { return slices.Contains(p.ending(r), x) }) {
			p.trimMethod(x)
		}
		if slices.ContainsFunc(p.rows(), func(r *spec.Row) bool { return slices.Contains(r.Forget, x) }) {
			p.forgetMethod(x)
		}
	}
}

// partStart prints the method that returns a record where those that aren't
// held aren't zero.
func (p *printer) partStart(x *spec.Part) {
	p.comment("%s returns what is true of a %s, held or not.", helper(x, ""), names.Local(x.Key.Name))
	p.printf("func (m *Machine) %s(k %s) %s {\nif it, ok := m.%s[k]; ok {\nreturn it\n}\n", helper(x, ""), x.Key.Name, names.Record(x), names.Exported(x.Name))
	p.printf("var it %s\n", names.Record(x))
	for _, v := range x.Vars {
		switch t := v.Sym.Type; {
		case !startsElsewhere(v):
		case v.Init != nil:
			p.choose(normal(v.Init), p.into(inIt(v.Sym), func(*expr.Node) bool { return false }))
		case t.Kind == expr.Enum:
			p.printf("%s = %s\n", inIt(v.Sym), p.value(t, 0))
		default:
			p.printf("%s = %s\n", inIt(v.Sym), start(t))
		}
	}
	p.printf("return it\n}\n\n")
}

// moveMethod prints a move as a method of the part's key.
func (p *printer) moveMethod(v *spec.PartMove) {
	x := v.Part
	b := body{printer: p}
	way := " to " + list(v.ToSrc, "or")
	if v.To == nil {
		way = ", where it stays"
	}
	p.comment("%s is the move %s of a %s, from %s%s. %s", helper(x, v.Name), v.Name, names.Local(x.Key.Name), list(v.FromSrc, "or"), way, v.Doc)
	params, to := "k "+x.Key.Name, (*spec.State)(nil)
	switch len(v.To) {
	case 0:
	case 1:
		to = x.States[v.To[0]]
	default:
		params += ", to " + x.State.Type.Name
	}
	p.printf("func (m *Machine) %s(%s) {\nit := %s\n", helper(x, v.Name), params, p.held(x, "k"))
	p.records[v.It], p.bound[v.It] = "it", "k"
	var fields []setting
	for _, a := range v.Set {
		fields = append(fields, setting{a.Var, normal(a.Expr)})
	}
	if v.To != nil {
		b.remember(x, v.From, v.To, "k", "it", "to")
	}
	if len(v.To) > 1 {
		p.printf("it.State = to\n")
	}
	b.fill(x, to, fields)
	b.keep(x, "k", v.From, leads(v), fields)
	p.printf("}\n\n")
}

// sets reports whether records are put back by a method, and whether one may be
// as at the start then.
func (p *printer) sets(x *spec.Part) (set, mayBeStart bool) {
	note := func(before, after []int, fields []setting) {
		set = set || needsSet(x, before, after, fields)
		mayBeStart = mayBeStart || slices.Contains(after, 0)
	}
	for _, r := range p.rows() {
		b := body{printer: p}
		fires := slices.ContainsFunc(r.Fire, func(f *spec.Fire) bool { return f.Move.Part == x })
		sets := slices.ContainsFunc(r.Set, func(a *spec.Assign) bool { return a.Key != nil && a.Var.Part == x.Sym })
		switch {
		case inPlace(r, x) && (fires || sets):
			before := b.before(r, x)
			after := before
			for _, f := range r.Fire {
				if f.Move.Part == x && f.To != nil {
					after = []int{f.To.Index}
				}
			}
			note(before, after, b.fieldsOf(r, x))
		case sets:
			note(everyState(x), everyState(x), nil)
		}
	}
	for _, v := range p.byKey(x) {
		var fields []setting
		for _, a := range v.Set {
			fields = append(fields, setting{field: a.Var})
		}
		note(v.From, leads(v), fields)
	}
	return set, mayBeStart
}

// setMethod prints how a record is put into the map, and where it is found by
// what is unique of it.
func (p *printer) setMethod(x *spec.Part, mayBeStart bool) {
	held := "m." + names.Exported(x.Name)
	p.comment("%s keeps what is true of a %s now.", helper(x, "set"), names.Local(x.Key.Name))
	p.printf("func (m *Machine) %s(k %s, it %s) {\n", helper(x, "set"), x.Key.Name, names.Record(x))
	for _, f := range unique(x) {
		index, field := "m."+names.Index(x, f), names.Exported(f.Name)
		if p.setAgain(x, f) {
			p.printf("if old := %s[k].%s; old.HasValue() && old != it.%s {\ndelete(%s, old.Value())\n}\n", held, field, field, index)
		}
		p.printf("if it.%s.HasValue() {\nif %s == nil {\n%s = make(map[%s]%s)\n}\n", field, index, index, p.goType(f.Type.Elem), x.Key.Name)
		p.printf("%s[it.%s.Value()] = k\n}\n", index, field)
	}
	if mayBeStart {
		if zeroRecord(x) {
			p.printf("if it == (%s{}) {\n", names.Record(x))
		} else {
			p.printf("delete(%s, k)\nif it == m.%s(k) {\n", held, helper(x, ""))
		}
		if zeroRecord(x) {
			p.printf("delete(%s, k)\n", held)
		}
		p.printf("return\n}\n")
	}
	p.printf("if %s == nil {\n%s = make(map[%s]%s)\n}\n%s[k] = it\n}\n\n", held, held, x.Key.Name, names.Record(x), held)
}

// setAgain reports whether a unique field may be set where it has a value.
func (p *printer) setAgain(x *spec.Part, f *expr.Symbol) bool {
	return slices.ContainsFunc(p.rows(), func(r *spec.Row) bool {
		return slices.ContainsFunc(r.Set, func(a *spec.Assign) bool {
			return a.Var == f && !(isSubject(r, a.Key) && r.Event.Args[0].Fresh)
		})
	}) || slices.ContainsFunc(x.Moves, func(v *spec.PartMove) bool {
		return slices.ContainsFunc(v.Set, func(a *spec.Assign) bool { return a.Var == f })
	})
}

func (p *printer) trimMethod(x *spec.Part) {
	list := "m." + names.Exported(x.Memory.List.Sym.Name)
	p.comment("%s forgets those that ended first while more than %s are remembered.", helper(x, "trim"), x.Memory.MostSrc)
	p.printf("func (m *Machine) %s() {\nfor %s.Len() > %s {\nk := %s.Pop()\n", helper(x, "trim"), list, p.cond(x.Memory.Most, precCompare+1), list)
	for _, f := range unique(x) {
		p.printf("if v := m.%s[k].%s; v.HasValue() {\ndelete(m.%s, v.Value())\n}\n", names.Exported(x.Name), names.Exported(f.Name), names.Index(x, f))
	}
	p.printf("delete(m.%s, k)\n}\n}\n\n", names.Exported(x.Name))
}

func (p *printer) forgetMethod(x *spec.Part) {
	p.comment("%s forgets all %s.", helper(x, "forgetAll"), x.Name)
	p.printf("func (m *Machine) %s() {\nclear(m.%s)\n", helper(x, "forgetAll"), names.Exported(x.Name))
	for _, f := range unique(x) {
		p.printf("clear(m.%s)\n", names.Index(x, f))
	}
	if x.Memory != nil {
		p.printf("m.%s.Clear()\n", names.Exported(x.Memory.List.Sym.Name))
	}
	p.printf("}\n\n")
}
