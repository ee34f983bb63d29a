package spec

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

func (b *builder) typeSection(n *node) {
	for _, e := range b.mapping(n) {
		b.names.declare(e.key, "type", onTop)
		if c := e.key.text; c != "" && (c[0] < 'A' || c[0] > 'Z') {
			b.diags.Add(diag.BadName, e.key.pos, "a type's name begins with a capital: %s", c)
		}
		t := b.declaredType(e)
		if t == nil {
			continue
		}
		t.Name, t.Pos = e.key.text, e.key.pos
		b.types[t.Name] = t
		b.t.Types = append(b.t.Types, t)
	}
}

func (b *builder) declaredType(e entry) *expr.Type {
	if e.value.kind == sequenceNode {
		return b.enumeration(e.value)
	}
	long := b.long(e.value, "is", "one_of", "go", "else", "doc")
	is, oneOf := long.get("is"), long.get("one_of")
	var t *expr.Type
	switch {
	case (is == nil) == (oneOf == nil):
		b.diags.Add(diag.BadType, e.key.pos, "a type says either is: or one_of:")
		return nil
	case oneOf != nil:
		t = b.enumeration(oneOf)
	default:
		t = b.namedKind(is)
	}
	if t == nil {
		return nil
	}
	t.Doc = b.sentence(long.get("doc"))
	if in := long.get("go"); in != nil {
		if t.Text = b.text(in) == "string" && t.Kind == expr.Identity; !t.Text {
			b.diags.Add(diag.BadType, in.pos, "only an identity can be told what it is in Go, and only string").
				WithHint("leave the key out for a number")
		}
	}
	if code := long.get("else"); code != nil {
		t.Else = b.text(code)
		b.used[t.Else] = true
	}
	return t
}

func (b *builder) enumeration(n *node) *expr.Type {
	t := &expr.Type{Kind: expr.Enum}
	seen := map[string]*node{}
	for _, v := range b.words(n) {
		checkName(v, "value", b.diags)
		if old := seen[v.text]; old != nil {
			b.diags.Add(diag.DuplicateName, v.pos, "the value %s stands here twice", v.text).Also(old.pos, "the first one")
		}
		seen[v.text] = v
		t.Values = append(t.Values, v.text)
	}
	if len(t.Values) == 0 {
		b.diags.Add(diag.BadType, n.pos, "an enumeration needs a value")
		return nil
	}
	return t
}

// namedKind reads what a declared type may be; other kinds need no name.
func (b *builder) namedKind(n *node) *expr.Type {
	switch b.text(n) {
	case "serial":
		return &expr.Type{Kind: expr.Serial}
	case "identity":
		return &expr.Type{Kind: expr.Identity}
	}
	if m := span.FindStringSubmatch(n.text); m != nil {
		return b.integers(n, m)
	}
	b.diags.Add(diag.BadType, n.pos, "%s is no kind of type", n.text).
		WithHint("identity, serial, a range such as 0..3, or one_of: [a, b]").Width = len(n.text)
	return nil
}

var (
	span    = regexp.MustCompile(`^(-?\d+)\.\.(-?\d+)$`)
	generic = regexp.MustCompile(`^(optional|set)\((.*)\)$`)
	listing = regexp.MustCompile(`^list\((.*)\)\s*(?:max\s+(\S+))?$`)
)

// listType reads list(T) max N.
func (b *builder) listType(src, elem, bound string, pos diag.Pos) *expr.Type {
	if bound == "" {
		b.diags.Add(diag.BadType, pos, "%s has no bound", src).WithHint("write it like list(Ticket) max 8, with a number or a constant")
		return nil
	}
	e, n := b.typeOf(elem, pos), b.bound(bound, pos)
	if e == nil || n == nil {
		return nil
	}
	if e.Kind != expr.Identity && e.Kind != expr.Serial && e.Kind != expr.Enum {
		b.diags.Add(diag.BadType, pos, "%s: a list holds identities, serials or values of an enumeration", src)
		return nil
	}
	return &expr.Type{Kind: expr.List, Elem: e, Bound: n}
}

// bound reads a number of at least 0: a literal or a constant.
func (b *builder) bound(src string, pos diag.Pos) *expr.Node {
	if n, err := strconv.ParseInt(src, 10, 31); err == nil && n >= 0 {
		return &expr.Node{Op: expr.OpInt, Type: expr.IntType, Int: int(n), Pos: pos}
	}
	for _, p := range b.t.Params {
		if p.Name == src && p.Type.Kind == expr.Int && p.Type.Lo >= 0 {
			b.named[p] = true
			return &expr.Node{Op: expr.OpRef, Type: p.Type, Sym: p, Pos: pos}
		}
	}
	b.diags.Add(diag.BadType, pos, "%s is no bound", src).WithHint("a number, or a constant of a range of numbers").Width = len(src)
	return nil
}

func (b *builder) integers(n *node, m []string) *expr.Type {
	lo, err1 := strconv.ParseInt(m[1], 10, 32)
	hi, err2 := strconv.ParseInt(m[2], 10, 32)
	if err1 != nil || err2 != nil || lo > hi {
		b.diags.Add(diag.BadType, n.pos, "%s is no range of 32-bit numbers", n.text)
		return nil
	}
	return &expr.Type{Kind: expr.Int, Lo: int(lo), Hi: int(hi)}
}

// typeOf reads the type of a variable or argument.
func (b *builder) typeOf(src string, pos diag.Pos) *expr.Type {
	src = strings.TrimSpace(src)
	if t := b.types[src]; t != nil {
		b.named[t] = true
		return t
	}
	if m := span.FindStringSubmatch(src); m != nil {
		return b.integers(&node{kind: scalarNode, text: src, pos: pos}, m)
	}
	if m := listing.FindStringSubmatch(src); m != nil {
		return b.listType(src, m[1], m[2], pos)
	}
	if m := generic.FindStringSubmatch(src); m != nil {
		elem := b.typeOf(m[2], pos)
		switch {
		case elem == nil:
			return nil
		case elem.Kind == expr.Optional || elem.Kind == expr.Set || elem.Kind == expr.List:
			b.diags.Add(diag.BadType, pos, "%s: an optional or a set holds plain values only", src)
			return nil
		case m[1] == "optional":
			return expr.OptionalOf(elem)
		}
		return expr.SetOf(elem)
	}
	known := slices.Sorted(maps.Keys(b.types))
	d := b.unknown(diag.BadType, &node{text: src, pos: pos}, append(known, "optional", "set", "list"), "unknown type %s", src)
	if hint := typeHint(src); hint != "" {
		d.Hint = hint
	} else if !strings.HasPrefix(d.Hint, "did you mean") {
		d.Hint = "" // the code's says what else a type may be
	}
	return nil
}

func (b *builder) sharedTypes(n *node) {
	if n == nil {
		return
	}
	b.mapping(n, "types", "vars")
	if b.t.Per == "" {
		b.diags.Add(diag.WrongShape, n.pos, "shared needs per: there is just one machine").WithHint("add per: and what there is one machine of")
	}
	for _, w := range b.words(n.get("types")) {
		t := b.types[w.text]
		if t == nil || t.Kind != expr.Serial && t.Kind != expr.Identity {
			b.diags.Add(diag.BadType, w.pos, "%s is no identity or serial of this table: only those have values to share", w.text)
			continue
		}
		t.Shared = true
	}
}

func (b *builder) stateSection(states, groups *node) {
	t := &expr.Type{Kind: expr.Enum, Name: "State"}
	b.t.State = &expr.Symbol{Kind: expr.SymState, Name: "state", Type: t, Doc: "the control state"}
	b.types["State"] = t
	index := map[string]int{}
	for _, e := range b.mapping(states) {
		b.names.declare(e.key, "state", inExpressions|onTop)
		b.mapping(e.value, "initial", "doc")
		s := &State{Name: e.key.text, Index: len(b.t.States), Doc: b.sentence(e.value.get("doc")), Pos: e.key.pos}
		s.Initial = b.boolean(e.value.get("initial"))
		index[s.Name] = s.Index
		b.t.States = append(b.t.States, s)
		t.Values = append(t.Values, s.Name)
	}
	b.checkInitial(states)
	b.t.Groups = b.groupSection(groups, t, b.t.States)
}

func (b *builder) checkInitial(states *node) {
	if states == nil || states.kind != mappingNode {
		return // told already
	}
	var initial []*State
	for _, s := range b.t.States {
		if s.Initial {
			initial = append(initial, s)
		}
	}
	switch len(initial) {
	case 0:
		b.diags.Add(diag.NoInitial, states.pos, "no state is the initial one").WithHint("%s", b.initialHint())
	case 1:
	default:
		b.diags.Add(diag.NoInitial, initial[1].Pos, "%s is initial as well", initial[1].Name).Also(initial[0].Pos, "the first one")
	}
}

// initialHint says what to write in the first state.
func (b *builder) initialHint() string {
	if len(b.t.States) == 0 {
		return "give one state initial: true"
	}
	return "give one state initial: true, such as " + b.t.States[0].Name + ": {initial: true}"
}

func (b *builder) boolean(n *node) bool {
	switch b.text(n) {
	case "true":
		return true
	case "", "false":
		return false
	}
	b.diags.Add(diag.WrongShape, n.pos, "true or false is wanted here; this is %s", brief(n.text)).WithHint("write true or false, in small letters and without quotes").
		Width = len(n.text)
	return slices.Contains([]string{"yes", "on", "y", "1"}, strings.ToLower(n.text))
}
