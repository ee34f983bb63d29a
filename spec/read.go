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
	d := r.diags.Add(diag.WrongShape, n.pos, "%s is wanted here; this is %s", want, shapes[n.kind])
	switch {
	case want == shapes[mappingNode]:
		d.Hint = asMapping(n)
	case want == shapes[scalarNode] && n.kind == sequenceNode && len(n.items) == 1 && n.items[0].kind == scalarNode:
		d.WithHint("there is one: write %s, without brackets", n.items[0].text)
	}
}

// asMapping says how a mapping with the same names is written; empty: there is
// nothing to say.
func asMapping(n *node) string {
	if n.kind == scalarNode {
		if name, value, ok := strings.Cut(n.text, "="); ok && isName(strings.TrimSpace(name)) {
			return "write {" + strings.TrimSpace(name) + ": " + strings.TrimSpace(value) + "}"
		}
		if name, _, ok := strings.Cut(n.text, ":"); ok && isName(name) {
			return "a colon has a space behind it: write " + name + ": ..."
		}
		if strings.Contains(n.text, " ") && !strings.ContainsAny(n.text, "()=<>&|") {
			return "a text about it is its doc: {doc: " + brief(n.text) + "}"
		}
		return "each has a name, which is its key: {NAME: " + brief(n.text) + "}"
	}
	var keys []string
	for _, item := range n.items {
		switch {
		case item.kind == scalarNode && isName(item.text):
			keys = append(keys, item.text+": {}")
		case item.kind == mappingNode && len(item.entries) > 0 && item.entries[0].key.text != "id":
			return "take the dash out: each is an entry with its name as the key, " + item.entries[0].key.text + ": ..."
		case item.kind == mappingNode && item.get("id") != nil && item.get("id").kind == scalarNode:
			return "take the dash out and let the name be the key: " + item.get("id").text + ": {...}"
		}
	}
	if len(keys) == 0 || len(keys) < len(n.items) {
		return "take the dashes out: each has a name, which is its key, NAME: ..."
	}
	if keys[0] == strings.ToUpper(keys[0][:len(keys[0])-4])+": {}" {
		return "the codes are keys, and each has its sentence: " + strings.TrimSuffix(keys[0], "{}") + "What it means."
	}
	return "the names are keys: {" + strings.Join(keys, ", ") + "}"
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
		d.Hint = keyHint(e.key.text, keys)
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
