package spec

import (
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec/diag"
)

// reader turns pieces of source into values and complains where they have
// another shape. All of its methods take nil for a piece that isn't there.
type reader struct {
	diags *diag.List
}

var shapes = [...]string{scalarNode: "a single value", mappingNode: "a mapping", sequenceNode: "a list"}

func (r *reader) wrong(n *node, want string) {
	r.diags.Add(diag.WrongShape, n.pos, "%s is wanted here; this is %s", want, shapes[n.kind])
}

// text returns a scalar as it is written.
func (r *reader) text(n *node) string {
	if n == nil {
		return ""
	}
	if n.kind != scalarNode {
		r.wrong(n, "a single value")
		return ""
	}
	return n.text
}

// sentence returns a scalar meant for people, without breaks.
func (r *reader) sentence(n *node) string {
	return strings.Join(strings.Fields(r.text(n)), " ")
}

// mapping returns n's entries; with keys given, others are complained about.
func (r *reader) mapping(n *node, keys ...string) []entry {
	if n == nil {
		return nil
	}
	if n.kind != mappingNode {
		r.wrong(n, "a mapping")
		return nil
	}
	if len(keys) == 0 {
		return n.entries
	}
	var known []entry
	for _, e := range n.entries {
		if slices.Contains(keys, e.key.text) {
			known = append(known, e)
			continue
		}
		d := r.diags.Add(diag.UnknownKey, e.key.pos, "unknown key %s", e.key.text)
		d.Width = len(e.key.text)
		if near := diag.Nearest(e.key.text, keys); near != "" {
			d.Hint = "did you mean " + near + "?"
		} else if strings.Contains(e.key.text, ")") {
			d.Hint = "an expression with a comma must be quoted, or YAML takes what follows for a key"
		} else {
			d.Hint = "known here: " + strings.Join(keys, ", ")
		}
	}
	return known
}

// list returns the items of a sequence; anything else is a list of one.
func (r *reader) list(n *node) []*node {
	switch {
	case n == nil:
		return nil
	case n.kind == sequenceNode:
		return n.items
	}
	return []*node{n}
}

// words returns the items of a list of scalars.
func (r *reader) words(n *node) []*node {
	var out []*node
	for _, item := range r.list(n) {
		if item.kind != scalarNode {
			r.wrong(item, "a name")
			continue
		}
		out = append(out, item)
	}
	return out
}

// long reads the long form {key: .., ...} of a value that may also stand
// alone as a scalar, which then is the value of main. keys[0] is main.
func (r *reader) long(n *node, keys ...string) *node {
	if n == nil || n.kind == mappingNode {
		r.mapping(n, keys...)
		return n
	}
	return &node{kind: mappingNode, pos: n.pos, entries: []entry{{key: &node{kind: scalarNode, text: keys[0], pos: n.pos}, value: n}}}
}

// need returns the value of key and complains if there is none.
func (r *reader) need(n *node, key, of string) *node {
	v := n.get(key)
	if v == nil && n != nil {
		r.diags.Add(diag.MissingKey, n.pos, "%s needs %s", of, key)
	}
	return v
}
