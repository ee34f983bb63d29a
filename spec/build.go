package spec

import (
	"context"
	"slices"

	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

var topKeys = []string{
	"machine", "base", "drop", "fails", "doc", "per", "shared", "types", "params", "states", "groups", "parts", "vars", "defs",
	"answers", "effects", "tables", "events", "world", "invariants", "after", "always", "refused", "answered", "isolated", "sometimes", "eventually", "ends", "models", "record",
}

// builder turns a table's source into a Table. Its steps run in the order of
// build; each reads what those before it declared.
type builder struct {
	*reader
	t     *Table
	names *names

	types  map[string]*expr.Type
	used   map[string]bool // codes that some row or type answers
	broken map[string]bool // events whose signatures can't be read
	named  map[any]bool    // groups, types and constants that something outside of expressions names
	idle   []idleClause    // under answered
	ctx    context.Context
	consts *expr.Scope // values, types and constants
	guards *expr.Scope // what rows may read, arguments apart
	ghosts *expr.Scope // guards and the world's variables
	after  *expr.Scope // ghosts and new.x
}

// build returns the table of root. What it returns is of use only if nothing
// was added to the diagnostics.
func build(ctx context.Context, root *node, r *reader) *Table {
	b := &builder{
		reader: r, t: &Table{}, names: newNames(r.diags), ctx: ctx,
		types: map[string]*expr.Type{"bool": expr.BoolType}, used: map[string]bool{}, named: map[any]bool{}, broken: map[string]bool{},
	}
	b.mapping(root, topKeys...)
	b.header(root)
	b.typeSection(root.get("types"))
	b.sharedTypes(root.get("shared"))
	b.stateSection(b.need(root, "states", "a table"), root.get("groups"))
	b.partSection(root.get("parts"))
	b.variables(root)
	b.answers(root.get("answers"))
	b.effects(root.get("effects"))
	if len(*b.diags) > 0 {
		return b.t // what follows would only repeat it
	}
	b.scopes()
	b.definitions(root.get("defs"))
	b.initials(root)
	b.partMoves(root)
	b.tables(root.get("tables"))
	b.events(b.need(root, "events", "a table"))
	b.subRows(root.get("tables"))
	b.world(root.get("world"))
	b.properties(root)
	b.fails(root.get("fails"))
	b.models(root.get("models"))
	b.record(root.get("record"))
	if len(*b.diags) == 0 { // names that are wrong already would be told as unused
		b.undeclaredElse()
		b.cells()
	}
	if b.t.Fails == "" {
		b.unused()
		b.t.Warnings.Sort()
	} else {
		b.t.Warnings = nil
	}
	return b.t
}

func (b *builder) header(root *node) {
	b.t.Name = b.text(b.need(root, "machine", "a table"))
	if m := root.get("machine"); m != nil && m.kind == scalarNode {
		checkName(m, "machine", b.diags)
		b.t.Pos = m.pos
	}
	b.t.Doc = b.sentence(root.get("doc"))
	if per := root.get("per"); per != nil {
		b.t.Per, b.t.PerPos = b.text(per), per.pos
		b.names.declare(per, "kind of instances", onTop)
	}
}

// scopes are made once, when every name is known.
func (b *builder) scopes() {
	var vars, shared, ghosts []*expr.Symbol
	for _, v := range b.t.Vars {
		vars = append(vars, v.Sym)
	}
	for _, v := range b.t.Shared {
		shared = append(shared, v.Sym)
	}
	hidden := []string{}
	for _, v := range b.t.Ghosts {
		ghosts = append(ghosts, v.Sym)
		hidden = append(hidden, v.Sym.Name)
	}
	groups, fields := slices.Clone(b.t.Groups), []*expr.Symbol{}
	machine := append(append([]*expr.Symbol{b.t.State}, vars...), shared...)
	values := append([]*expr.Type{b.t.State.Type}, b.t.Types...)
	for _, p := range b.t.Parts {
		values, groups, fields = append(values, p.State.Type), append(groups, p.Groups...), append(fields, p.Fields()...)
	}
	b.consts = expr.NewScope(expr.Types(values...), expr.Names(b.t.Params...), expr.Names(groups...))
	b.guards = b.consts.With(expr.Names(machine...), expr.Fields(fields...),
		expr.Hidden("it belongs to the world, which the machine doesn't know", hidden...),
		expr.Hidden("only properties of steps may read the state after one: after, refused and always", "new"))
	b.ghosts = b.guards.With(expr.Names(ghosts...))
	b.after = b.ghosts.With(expr.After(machine...), expr.After(ghosts...), expr.FieldsAfter(fields...))
}

// definitions are readable from where they stand on.
func (b *builder) definitions(n *node) {
	for _, e := range b.mapping(n) {
		b.names.declare(e.key, "definition", inExpressions|onTop)
		long := b.long(e.value, "is", "doc")
		src := b.need(long, "is", "a definition")
		body := expr.Parse(b.text(src), posOf(src, e.key), b.guards, nil, b.diags)
		if body == nil {
			continue
		}
		def := &expr.Symbol{
			Kind: expr.SymDef, Name: e.key.text, Type: body.Type, Index: len(b.t.Defs),
			Body: body, Src: b.sentence(src), Doc: b.sentence(long.get("doc")), Pos: e.key.pos,
		}
		b.t.Defs = append(b.t.Defs, def)
		for _, s := range []**expr.Scope{&b.guards, &b.ghosts, &b.after} {
			*s = (*s).With(expr.Names(def))
		}
	}
}

func posOf(n, fallback *node) diag.Pos {
	if n == nil {
		return fallback.pos
	}
	return n.pos
}
