package tlaplus

import (
	"slices"
	"strconv"

	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// partVariable is the variable that holds all parts of a kind: a function from
// their keys to records.
func (m *module) partVariable(p *spec.Part, indexed bool) *variable {
	var fields []doc
	for _, f := range p.Fields() {
		fields = append(fields, text(f.Name+" : "+m.values(f.Type)))
	}
	note := p.Doc + " " + p.Name + "[" + m.local(names.Local(p.Key.Name)) + "]: its state"
	for _, v := range p.Vars {
		note += ", " + v.Sym.Name
	}
	return &variable{
		name: p.Name, sym: p.Sym, part: p, indexed: indexed, start: text(atStart(p)),
		set:  wrapped("["+names.Exported(p.Key.Name)+" -> ", filled("[", fields, "]"), "]"),
		note: note + ".",
	}
}

// atStart names the operator for what all parts of a kind are at the start.
func atStart(p *spec.Part) string { return names.Exported(p.Name) + "AtStart" }

// remembered names the operator for what is kept of a list of parts that
// ended, forgetting the one for the parts without those that aren't.
func remembered(p *spec.Part) string { return names.Exported(p.Name) + "Remembered" }
func forgetting(p *spec.Part) string { return names.Exported(p.Name) + "Forgetting" }

// local returns a name that nothing in the modules has, to be bound around an
// expression in which the taken ones are bound too.
func (m *module) local(name string, taken ...string) string {
	free := func(s string) bool {
		_, defined := m.global[s]
		return !defined && s != m.p && s != m.q && !slices.Contains(taken, s)
	}
	for n, s := 2, name; ; n++ {
		if free(s) {
			return s
		}
		s = name + strconv.Itoa(n)
	}
}

// partStarts prints what parts are at the start.
func (w *printer) partStarts() {
	m := w.m
	for _, p := range m.t.Parts {
		key := m.local(names.Local(p.Key.Name))
		fields := []doc{text("state |-> " + strconv.Quote(p.States[0].Name))}
		for _, v := range p.Vars {
			fields = append(fields, wrapped(v.Sym.Name+" |-> ", m.start(v), ""))
		}
		w.define(atStart(p), wrapped("["+key+` \in `+names.Exported(p.Key.Name)+" |-> ", filled("[", fields, "]"), "]"))
		w.line("")
	}
}

// memory says how a fire changes which parts are remembered.
type memory uint8

const (
	noChange memory = iota
	appends
	removes
)

// remembers returns what f does to the list of parts that ended.
func (m *module) remembers(f *spec.Fire) memory {
	mem := f.Move.Part.Memory
	if mem == nil || f.To == nil {
		return noChange
	}
	from := 0
	for _, i := range f.Move.From {
		if slices.Contains(mem.States, i) {
			from++
		}
	}
	to := slices.Contains(mem.States, f.To.Index)
	switch {
	case from > 0 && from < len(f.Move.From):
		m.fail(diag.Unsupported, f.Pos, "in TLA+, %s moves parts that are remembered and others", f.Move.Name)
	case to && from == 0:
		return appends
	case !to && from > 0 && f.On.Type.Kind == expr.List:
		m.fail(diag.Unsupported, f.Pos, "in TLA+, %s moves a list of parts that are remembered", f.Move.Name)
	case !to && from > 0:
		return removes
	}
	return noChange
}

// partUpdates adds what r does to the parts of one kind: its moves in order,
// then what it sets, then what is forgotten. The last is left to the sub-table
// that r goes on with, if that concerns the parts too.
func (m *module) partUpdates(next map[*variable]doc, r *spec.Row, p *spec.Part, c change) {
	v := m.variable(p.Sym)
	var list *variable
	if p.Memory != nil {
		list = m.variable(p.Memory.List.Sym)
	}
	if slices.Contains(r.Forget, p) {
		next[v] = m.next(v, text(atStart(p)), c)
		if list != nil {
			next[list] = m.next(list, text("<<>>"), c)
		}
		return
	}
	u := &partUpdate{m: m, p: p, row: r, base: m.before(v, c), direct: c.left[v] == "" && !c.passed}
	u.run()
	if list == nil {
		u.into(next, v, c)
		return
	}
	ended, changed := m.ended(r, p, text(list.at(m.p, false)), c.left[list])
	switch {
	case !changed:
		u.into(next, v, c)
	case c.passed:
		next[list] = ended
		u.into(next, v, c)
	default:
		next[list] = m.whole(list, call(remembered(p), ended))
		next[v] = m.whole(v, call(forgetting(p), u.value(), ended))
	}
}

// before is what an update of v for the instance starts from.
func (m *module) before(v *variable, c change) doc {
	switch {
	case c.left[v] != "":
		return text(c.left[v])
	case v.indexed && !c.passed:
		return text("@")
	}
	return text(v.at(m.p, false))
}

// ended returns the list of parts that ended with those that r adds, and
// whether it is another one.
func (m *module) ended(r *spec.Row, p *spec.Part, list doc, left string) (doc, bool) {
	changed := left != ""
	if changed {
		list = text(left)
	}
	for _, f := range r.Fire {
		if f.Move.Part != p {
			continue
		}
		on := m.emitted(r, f.On)
		switch m.remembers(f) {
		case noChange:
			continue
		case removes:
			list = call(withoutFirst, list, on)
		case appends:
			list = appended(list, on, f.On.Type.Kind)
		}
		changed = true
	}
	return list, changed
}

func appended(list, on doc, kind expr.Kind) doc {
	switch kind {
	case expr.List:
		return binary(setOp, `\o`, list, on)
	case expr.Optional:
		one := doc{form: choice, prec: openEnded, kids: []doc{binary(relation, "=", on, text("None")), text("<<>>"), tuple([]doc{on})}}
		return binary(setOp, `\o`, list, one)
	}
	return call("Append", list, on)
}

// partUpdate writes what a row does to parts of a kind: fields of single ones
// in one EXCEPT, moves of several by operators around it.
type partUpdate struct {
	m      *module
	p      *spec.Part
	row    *spec.Row
	base   doc
	direct bool // base is the variable

	fields []partField // since the last operator
	around bool        // there was one
}

type partField struct {
	at    string // "![ticket].state"
	value doc
}

func (u *partUpdate) run() {
	m := u.m
	for _, f := range u.row.Fire {
		if f.Move.Part != u.p {
			continue
		}
		on := m.emitted(u.row, f.On)
		if f.On.Type.Kind == expr.List || f.On.Type.Kind == expr.Optional {
			u.base = call(each(f.Move, f.To), append(m.instance(), u.value(), keysOf(on, f.On.Type.Kind))...)
			u.fields, u.around = nil, true
			continue
		}
		for _, fl := range m.movedFields(f.Move, f.To, on) {
			u.set("!["+on.flat()+"]."+fl.at, fl.value)
		}
	}
	for _, a := range u.row.Set {
		if a.Key != nil && a.Var.Part == u.p.Sym {
			u.set("!["+m.emitted(u.row, a.Key).flat()+"]."+a.Var.Name, m.emitted(u.row, a.Expr))
		}
	}
}

// set replaces what the same key and field got before: of two, the last holds.
func (u *partUpdate) set(at string, value doc) {
	u.fields = slices.DeleteFunc(u.fields, func(f partField) bool { return f.at == at })
	u.fields = append(u.fields, partField{at, value})
}

// value returns the parts after the row.
func (u *partUpdate) value() doc {
	if len(u.fields) == 0 {
		return u.base
	}
	return except(u.base, u.fields)
}

func except(base doc, fields []partField) doc {
	var kids []doc
	for _, f := range fields {
		kids = append(kids, wrapped(f.at+" = ", operand(f.value, relation), ""))
	}
	d := filled("["+base.flat()+" EXCEPT ", kids, "]")
	d.hang = true
	return d
}

// into adds the parts' next value, if it is another one.
func (u *partUpdate) into(next map[*variable]doc, v *variable, c change) {
	switch {
	case len(u.fields) == 0 && !u.around:
		return // what a row left stands in next
	case c.passed:
		next[v] = u.value()
	case u.direct && !u.around && v.indexed:
		fields := slices.Clone(u.fields)
		for i := range fields {
			fields[i].at = "![" + u.m.p + "]" + fields[i].at[1:]
		}
		next[v] = except(text(v.name), fields)
	default:
		next[v] = u.m.whole(v, u.value())
	}
}

// movedFields returns the fields that a move of the part named key changes.
func (m *module) movedFields(mv *spec.PartMove, to *spec.State, key doc) []partField {
	var out []partField
	if to != nil {
		out = append(out, partField{"state", text(strconv.Quote(to.Name))})
	}
	s := m.here()
	s.args = map[*expr.Symbol]doc{mv.It: key}
	for _, a := range mv.Set {
		out = append(out, partField{a.Var.Name, s.expr(a.Expr)})
	}
	return out
}

// each names the operator for a move of several parts at once.
func each(mv *spec.PartMove, to *spec.State) string {
	name := names.Exported(mv.Name) + "Each"
	if len(mv.To) > 1 {
		name += names.Exported(to.Name)
	}
	return name
}

// keysOf is the set of the parts in a list or an optional.
func keysOf(on doc, kind expr.Kind) doc {
	if kind == expr.Optional {
		return binary(setOp, `\`, filled("{", []doc{on}, "}"), text("{None}"))
	}
	return call(elements, on)
}

// several returns the fires that move several parts at once, one for each
// operator.
func (m *module) several() []*spec.Fire {
	var out []*spec.Fire
	for _, r := range m.t.Rows() {
		for _, f := range r.Fire {
			k := f.On.Type.Kind
			same := func(o *spec.Fire) bool { return each(o.Move, o.To) == each(f.Move, f.To) }
			if (k == expr.List || k == expr.Optional) && !slices.ContainsFunc(out, same) {
				out = append(out, f)
			}
		}
	}
	return out
}

// partOperators prints moves of several parts at once, and what is remembered
// of parts.
func (w *printer) partOperators() {
	m := w.m
	fires := m.several()
	hasMemory := slices.ContainsFunc(m.t.Parts, func(p *spec.Part) bool { return p.Memory != nil })
	if len(fires) == 0 && !hasMemory {
		return
	}
	w.section()
	if len(fires) > 0 {
		w.comment("Moves of several parts at once: of those in keys, among parts that earlier moves of the step may have changed.")
	}
	parts := m.local("parts")
	for _, f := range fires {
		p := f.Move.Part
		key, keys := m.local(names.Local(p.Key.Name)), m.local("keys")
		var fields []partField
		for _, fl := range m.movedFields(f.Move, f.To, text(key)) {
			fields = append(fields, partField{"!." + fl.at, fl.value})
		}
		one := text(parts + "[" + key + "]")
		w.line("")
		w.comment(f.Move.Doc)
		w.define(call(each(f.Move, f.To), append(m.instance(), text(parts), text(keys))...).flat(),
			w.over(p, key, text(key+` \in `+keys), except(one, fields), one))
	}
	for _, p := range m.t.Parts {
		if p.Memory != nil {
			w.memory(p, parts)
		}
	}
}

// over is a function of all parts that depends on a condition.
func (w *printer) over(p *spec.Part, key string, cond, then, otherwise doc) doc {
	body := doc{form: choice, prec: openEnded, kids: []doc{cond, then, otherwise}}
	d := wrapped("["+key+` \in `+names.Exported(p.Key.Name)+" |-> ", body, "]")
	d.hang = true
	return d
}

func (w *printer) memory(p *spec.Part, parts string) {
	m := w.m
	list, key := m.local("list"), m.local(names.Local(p.Key.Name))
	most := m.here().expr(p.Memory.Most).flat()
	size := "Len(" + list + ")"
	w.line("")
	w.comment("Of "+p.Name+" that ended the last "+most+" are remembered.", p.Memory.List.Sym.Doc)
	w.define(remembered(p)+"("+list+")", doc{form: choice, prec: openEnded, kids: []doc{
		text(size + " > " + most),
		text("SubSeq(" + list + ", " + size + " - " + most + " + 1, " + size + ")"), text(list)}})
	w.line("")
	w.comment("The others are as at the start.")
	w.define(forgetting(p)+"("+parts+", "+list+")", w.over(p, key,
		text(key+` \in `+elements+"("+list+`) \ `+elements+"("+remembered(p)+"("+list+"))"),
		text(atStart(p)+"["+key+"]"), text(parts+"["+key+"]")))
}
