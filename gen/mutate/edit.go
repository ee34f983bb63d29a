package mutate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// edit puts text in the place of the source's start to end.
type edit struct {
	start, end int
	text       string
}

// apply returns the source with some edits done.
func (s *source) apply(edits []edit) ([]byte, error) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b edit) int { return a.start - b.start })
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.start < at || e.end < e.start {
			return nil, fmt.Errorf("two changes of one place, near line %d", s.line(e.start))
		}
		out.Write(s.text[at:e.start])
		out.WriteString(e.text)
		at = e.end
	}
	out.Write(s.text[at:])
	return out.Bytes(), nil
}

// replace puts a text in the place of a value, quoted where YAML wants it.
func (s *source) replace(n *node, text string) edit { return edit{n.start, n.end, quoted(text)} }

// quoted returns a text as a scalar: plain if it can be nothing else.
func quoted(text string) string {
	for i, c := range text {
		plain := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && (c == '.' || c == '(' || c == ')' || c >= '0' && c <= '9')
		if !plain {
			return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(text) + `"`
		}
	}
	if text == "true" || text == "false" || text == "null" || text == "" {
		return `"` + text + `"`
	}
	return text
}

// change takes keys out of a mapping, and adds entries, such as "never: x", at
// its end. Something must be left in it.
func (s *source) change(n *node, without []string, add ...string) []edit {
	if n.flow {
		var parts []string
		for _, e := range n.entries {
			if !slices.Contains(without, e.key) {
				parts = append(parts, string(s.text[e.start:e.value.end]))
			}
		}
		return []edit{{n.start, n.end, "{" + strings.Join(append(parts, add...), ", ") + "}"}}
	}
	gone := func(i int) bool { return i < len(n.entries) && slices.Contains(without, n.entries[i].key) }
	var out []edit
	for i := 0; i < len(n.entries); i++ {
		if !gone(i) {
			continue
		}
		first := i
		for gone(i + 1) {
			i++
		}
		out = append(out, s.cut(n, first, i))
	}
	indent := strings.Repeat(" ", n.entries[0].fromColumn)
	end := s.lineEnd(s.line(n.end - 1))
	for _, a := range add {
		out = append(out, edit{end, end, "\n" + indent + a})
	}
	return out
}

// cut takes entries first to last out of a block mapping.
func (s *source) cut(n *node, first, last int) edit {
	start := n.entries[first].start
	if last+1 < len(n.entries) {
		return edit{start, n.entries[last+1].start, ""} // the next one comes where it was
	}
	if first > 0 {
		start = s.lineEnd(s.line(n.entries[first-1].value.end - 1))
	}
	return edit{start, s.lineEnd(s.line(n.end - 1)), ""}
}

// dropKey takes one key out of the mapping that path leads to, and what lies
// above it as well where it was alone.
func (s *source) dropKey(path []string) []edit {
	n := s.root
	var chain []*node
	for _, key := range path {
		if n.get(key) == nil {
			return nil
		}
		chain = append(chain, n)
		n = n.get(key)
	}
	i := len(path) - 1
	for i > 0 && len(chain[i].entries) == 1 {
		i--
	}
	return s.change(chain[i], []string{path[i]})
}

// dropItem takes item i out of a list that has more.
func (s *source) dropItem(n *node, i int) edit {
	if n.flow {
		if i+1 < len(n.items) {
			return edit{n.items[i].start, n.items[i+1].start, ""}
		}
		return edit{n.items[i-1].end, n.items[i].end, ""}
	}
	if i+1 < len(n.items) {
		return edit{n.items[i].start, n.items[i+1].start, ""}
	}
	return edit{s.lineEnd(s.line(n.items[i-1].end - 1)), s.lineEnd(s.line(n.items[i].end - 1)), ""}
}

// swap puts two values each in the other's place.
func (s *source) swap(a, b *node) []edit {
	return []edit{{a.start, a.end, s.raw(b)}, {b.start, b.end, s.raw(a)}}
}
