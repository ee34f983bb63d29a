package spec

import (
	"slices"

	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

func sortedUnique(xs []int) []int {
	xs = slices.Clone(xs)
	slices.Sort(xs)
	return slices.Compact(xs)
}

func (b *builder) variables(root *node) {
	for _, s := range b.symbols(root.get("params"), expr.SymParam, "constant", "type", "doc") {
		switch s.Type.Kind {
		case expr.Bool, expr.Int:
			b.t.Params = append(b.t.Params, s)
		default:
			b.diags.Add(diag.BadType, s.Pos, "a constant is a bool or a number; %s is of type %s", s.Name, s.Type)
		}
	}
	b.partVariables(root)
	b.t.Vars = b.section(root.get("vars"), expr.SymVar, "variable")
	b.t.Shared = b.section(root.get("shared").get("vars"), expr.SymShared, "shared variable")
	world := root.get("world")
	b.mapping(world, "ghost", "follows", "can", "events", "assume")
	b.t.Ghosts = b.section(world.get("ghost"), expr.SymGhost, "ghost variable")
	for _, p := range b.t.Parts {
		if p.Memory != nil {
			p.Memory.List.Sym.Index = len(b.t.Vars)
			b.t.Vars = append(b.t.Vars, p.Memory.List)
		}
	}
}

func (b *builder) section(n *node, kind expr.SymKind, what string) []*Var {
	var out []*Var
	for _, s := range b.symbols(n, kind, what, "type", "doc", "initial") {
		out = append(out, &Var{Sym: s})
	}
	return out
}

// symbols reads names with their types; their Index is their place among out.
func (b *builder) symbols(n *node, kind expr.SymKind, what string, keys ...string) []*expr.Symbol {
	var out []*expr.Symbol
	where := inExpressions
	if kind == expr.SymParam {
		where |= onTop
	}
	for _, e := range b.mapping(n) {
		b.names.declare(e.key, what, where)
		long := b.long(e.value, keys...)
		src := b.need(long, "type", "a "+what)
		if src == nil {
			continue
		}
		if src.kind == sequenceNode {
			b.diags.Add(diag.WrongShape, src.pos, "a type is wanted here; this is a list").
				WithHint("declare it under types, such as Side: [left, right], and write its name here")
			continue
		}
		t := b.typeOf(b.text(src), src.pos)
		if t == nil {
			continue
		}
		out = append(out, &expr.Symbol{
			Kind: kind, Name: e.key.text, Type: t, Index: len(out), Doc: b.sentence(long.get("doc")), Pos: e.key.pos,
		})
	}
	return out
}

// initials reads the values at the start, which may use constants and, but for
// those of parts, the variables before them; ghosts also the machine's.
func (b *builder) initials(root *node) {
	type section struct {
		n      *node
		vars   []*Var
		before []*Var
		part   bool
	}
	sections := []section{
		{n: root.get("vars"), vars: b.t.Vars},
		{n: root.get("shared").get("vars"), vars: b.t.Shared},
		{n: root.get("world").get("ghost"), vars: b.t.Ghosts, before: slices.Concat(b.t.Vars, b.t.Shared)},
	}
	for _, p := range b.t.Parts {
		sections = append(sections, section{n: root.get("parts").get(p.Name).get("vars"), vars: p.Vars, part: true})
	}
	for _, s := range sections {
		scope := b.consts
		if !s.part {
			scope = scope.With(expr.Names(symbolsOf(s.before)...))
		}
		for i, v := range s.vars {
			value := s.n.get(v.Sym.Name)
			if value != nil && value.kind == mappingNode && value.get("initial") != nil {
				why := "what a variable starts with may read those above it"
				if s.part {
					why = "a part starts in one way, whatever else is so"
				}
				var later []string
				for _, l := range s.vars[i:] {
					later = append(later, l.Sym.Name)
				}
				b.initial(v, value.get("initial"), scope.With(expr.Hidden(why, later...)), s.part)
			}
			if !s.part {
				scope = scope.With(expr.Names(v.Sym))
			}
		}
	}
}

// initial reads the value of v at the start.
func (b *builder) initial(v *Var, src *node, scope *expr.Scope, part bool) {
	if b.text(src) != "any" {
		v.Init = expr.Parse(b.text(src), src.pos, scope, v.Sym.Type, b.diags)
		return
	}
	of := v.Sym.Type
	if of.Kind == expr.Optional {
		of = of.Elem
	}
	switch {
	case part:
		b.diags.Add(diag.NotAllowedHere, src.pos, "a part starts in one way, since another one is made again and again").
			WithHint("say what it starts with, or set it by the move that makes it")
	case of.Kind == expr.Bool, of.Kind == expr.Int, of.Kind == expr.Enum:
		v.Any = true
	default:
		b.diags.Add(diag.BadType, src.pos, "%s is of type %s; any is for bool, ranges, enumerations, and optional ones of these", v.Sym.Name, v.Sym.Type).
			WithHint("say what it starts with: an empty set, none, one of the values")
	}
}

func symbolsOf(vars []*Var) []*expr.Symbol {
	var out []*expr.Symbol
	for _, v := range vars {
		out = append(out, v.Sym)
	}
	return out
}

func (b *builder) answers(n *node) {
	for _, e := range b.mapping(n) {
		if !isName(e.key.text) {
			b.diags.Add(diag.BadName, e.key.pos, "%q is no code", e.key.text)
		}
		b.t.Answers = append(b.t.Answers, &Answer{Code: e.key.text, Says: b.sentence(e.value), Pos: e.key.pos})
	}
}

// answer checks a code and returns it.
func (b *builder) answer(n *node) string {
	code := b.text(n)
	var known []string
	for _, a := range b.t.Answers {
		if a.Code == code {
			b.used[code] = true
			return code
		}
		known = append(known, a.Code)
	}
	if n.kind != scalarNode {
		return code // told already
	}
	d := b.unknown(diag.UnknownName, n, nil, "the code %s isn't declared under answers", code)
	d.Hint = "add it there with its sentence"
	if near := diag.Nearest(code, known); near != "" {
		d.Hint = "did you mean " + near + "?"
	} else if !isName(code) || code == "true" {
		d.Hint = "name a code here, such as NOT_YOURS, and give it its sentence under answers"
	}
	return code
}

// undeclaredElse finds codes that types answer and nobody declares.
func (b *builder) undeclaredElse() {
	declared := map[string]bool{}
	for _, a := range b.t.Answers {
		declared[a.Code] = true
	}
	for _, t := range b.t.Types {
		if t.Else != "" && !declared[t.Else] {
			b.diags.Add(diag.UnknownName, t.Pos, "the type %s answers %s, which isn't declared under answers", t.Name, t.Else).Width = len(t.Name)
		}
	}
}

func (b *builder) effects(n *node) {
	for _, e := range b.mapping(n) {
		sig := b.signature(e.key)
		if sig == nil {
			continue
		}
		b.names.declare(&node{kind: scalarNode, text: sig.name, pos: e.key.pos}, "effect", onTop)
		eff := &Effect{Name: sig.name, Doc: b.sentence(e.value), Pos: e.key.pos}
		for _, a := range sig.args {
			if a.fresh {
				b.diags.Add(diag.BadSignature, a.pos, "an effect tells values; it makes no fresh ones")
			}
			if t := b.typeOf(a.typ, a.pos); t != nil {
				eff.Args = append(eff.Args, &expr.Symbol{Kind: expr.SymEffect, Name: a.name, Type: t, Index: len(eff.Args), Pos: a.pos})
			}
		}
		b.t.Effects = append(b.t.Effects, eff)
	}
}
