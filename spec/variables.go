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

// initials reads the values at the start, which may use constants.
func (b *builder) initials(root *node) {
	type section struct {
		n    *node
		vars []*Var
	}
	sections := []section{{root.get("vars"), b.t.Vars}, {root.get("shared").get("vars"), b.t.Shared}, {root.get("world").get("ghost"), b.t.Ghosts}}
	for _, p := range b.t.Parts {
		sections = append(sections, section{root.get("parts").get(p.Name).get("vars"), p.Vars})
	}
	for _, s := range sections {
		for _, v := range s.vars {
			value := s.n.get(v.Sym.Name)
			if value == nil || value.kind != mappingNode || value.get("initial") == nil {
				continue
			}
			src := value.get("initial")
			v.Init = expr.Parse(b.text(src), src.pos, b.consts, v.Sym.Type, b.diags)
		}
	}
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
