package spec

import (
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec/diag"
)

// merge lays a rejected or changed design over its base. Sections of named
// things are merged name by name, a later one replacing an earlier; events are
// known by their name, whatever their arguments, and merged row by row, as
// sub-tables are; models are replaced as a whole, and what is recorded of the base
// isn't of what changes it. The base itself isn't changed.
func merge(base, over *node) *node {
	out := *base
	out.entries = slices.DeleteFunc(slices.Clone(base.entries), func(e entry) bool { return e.key.text == "record" })
	for _, e := range over.entries {
		out.put(mergeEntry(e.key.text, out.entry(e.key.text), e))
	}
	return &out
}

// put replaces the entry of the same key, or appends.
func (n *node) put(e entry) {
	if old := n.entry(e.key.text); old != nil {
		*old = e
		return
	}
	n.entries = append(n.entries, e)
}

func mergeEntry(key string, old *entry, e entry) entry {
	if old == nil || old.value.kind != mappingNode || e.value.kind != mappingNode {
		return e
	}
	switch key {
	case "models":
		return e
	case "world":
		return entry{e.key, merge(old.value, e.value)}
	case "events", "tables":
		return entry{e.key, mergeEvents(old.value, e.value)}
	case "parts":
		return entry{e.key, mergeEach(old.value, e.value, func(old, over *node) *node { return mergeEach(old, over, mergeNames) })}
	case "after", "refused", "answered", "shared":
		return entry{e.key, mergeEach(old.value, e.value, mergeNames)}
	}
	return entry{e.key, mergeNames(old.value, e.value)}
}

// mergeEach merges what stands in both by inner, where both are mappings.
func mergeEach(old, over *node, inner func(old, over *node) *node) *node {
	out := *old
	out.entries = slices.Clone(old.entries)
	for _, e := range over.entries {
		if was := out.entry(e.key.text); was != nil && was.value.kind == mappingNode && e.value.kind == mappingNode {
			e.value = inner(was.value, e.value)
		}
		out.put(e)
	}
	return &out
}

func mergeNames(old, over *node) *node {
	out := *old
	out.entries = slices.Clone(old.entries)
	for _, e := range over.entries {
		out.put(e)
	}
	return &out
}

// eventName is the part of a signature before its arguments.
func eventName(signature string) string {
	name, _, _ := strings.Cut(signature, "(")
	return strings.TrimSpace(name)
}

func mergeEvents(old, over *node) *node {
	out := *old
	out.entries = slices.Clone(old.entries)
	for _, e := range over.entries {
		i := slices.IndexFunc(out.entries, func(o entry) bool { return eventName(o.key.text) == eventName(e.key.text) })
		if i < 0 {
			out.entries = append(out.entries, e)
			continue
		}
		out.entries[i] = entry{e.key, mergeEvent(out.entries[i].value, e.value)}
	}
	return &out
}

func mergeEvent(old, over *node) *node {
	if old.kind != mappingNode || over.kind != mappingNode {
		return over
	}
	out := *old
	out.entries = slices.Clone(old.entries)
	for _, e := range over.entries {
		was := out.entry(e.key.text)
		switch {
		case was == nil:
		case e.key.text == "rows":
			e.value = mergeNames(was.value, e.value)
		case e.key.text == "checks":
			e.value = mergeChecks(was.value, e.value)
		}
		out.put(e)
	}
	return &out
}

func mergeChecks(old, over *node) *node {
	out := *old
	out.items = slices.Clone(old.items)
	for _, item := range over.items {
		i := slices.IndexFunc(out.items, func(o *node) bool {
			return o.get("id") != nil && item.get("id") != nil && o.get("id").text == item.get("id").text
		})
		if i < 0 {
			out.items = append(out.items, item)
			continue
		}
		out.items[i] = item
	}
	return &out
}

// drop returns root without the check or row of that name, "claim.busy" or of a
// sub-table "handOver.next", and whether there was one.
func drop(root *node, name string) (*node, bool) {
	event, id, _ := strings.Cut(name, ".")
	for _, path := range [][]string{{"events"}, {"tables"}, {"world", "events"}} {
		section := root
		for _, p := range path {
			section = section.get(p)
		}
		if section == nil {
			continue
		}
		for i, e := range section.entries {
			if eventName(e.key.text) != event {
				continue
			}
			if changed, ok := dropDecision(e.value, id); ok {
				return dropFollow(replaceEvent(root, path, i, changed), name), true
			}
		}
	}
	return root, false
}

func dropDecision(event *node, id string) (*node, bool) {
	out := *event
	out.entries = slices.Clone(event.entries)
	for i, e := range out.entries {
		section := *e.value
		switch e.key.text {
		case "checks":
			section.items = slices.DeleteFunc(slices.Clone(section.items), func(n *node) bool { return n.get("id") != nil && n.get("id").text == id })
		case "rows":
			section.entries = slices.DeleteFunc(slices.Clone(section.entries), func(e entry) bool { return e.key.text == id })
		}
		if len(section.items) < len(e.value.items) || len(section.entries) < len(e.value.entries) {
			out.entries[i].value = &section
			return &out, true
		}
	}
	return event, false
}

// dropFollow leaves out what speaks of a row that is gone: what the world does
// after it, and the clauses of properties that name it.
func dropFollow(root *node, row string) *node {
	for _, path := range [][]string{{"world", "follows"}, {"after"}, {"refused"}} {
		root = root.without(append(path, row))
	}
	return root
}

// without returns n without the entry of that path, if there is one; n itself
// isn't changed.
func (n *node) without(path []string) *node {
	old := n.entry(path[0])
	if old == nil {
		return n
	}
	out := *n
	out.entries = slices.Clone(n.entries)
	if len(path) > 1 {
		out.entry(path[0]).value = old.value.without(path[1:])
		return &out
	}
	out.entries = slices.DeleteFunc(out.entries, func(e entry) bool { return e.key.text == path[0] })
	return &out
}

// replaceEvent copies what lies above the event that changes.
func replaceEvent(root *node, path []string, index int, event *node) *node {
	out := *root
	out.entries = slices.Clone(root.entries)
	for i, e := range out.entries {
		if e.key.text != path[0] {
			continue
		}
		if len(path) > 1 {
			out.entries[i].value = replaceEvent(e.value, path[1:], index, event)
			continue
		}
		section := *e.value
		section.entries = slices.Clone(section.entries)
		section.entries[index].value = event
		out.entries[i].value = &section
	}
	return &out
}

// dropAll applies the drop list of a changed design.
func dropAll(root *node, names []*node, diags *diag.List) *node {
	for _, n := range names {
		var ok bool
		if root, ok = drop(root, n.text); !ok {
			diags.Add(diag.UnknownName, n.pos, "there is no check or row %s to drop", n.text).Width = len(n.text)
		}
	}
	return root
}
