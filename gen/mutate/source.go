package mutate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// source is a table's text, with what YAML reads in it.
type source struct {
	text  []byte
	lines []int // where each line begins
	root  *node
}

// node is a value in a source: text[start:end].
type node struct {
	start, end int
	flow       bool
	scalar     string // of a scalar, what it says
	isScalar   bool
	entries    []entry // of a mapping
	items      []*node // of a list; in block style each begins with its dash
}

// entry is text[start:value.end] of a mapping.
type entry struct {
	key        string
	start      int
	value      *node
	fromColumn int // of the key, from 0
}

// read reads a table's text, which spec.Read has taken.
func read(text []byte) (*source, error) {
	f, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, err
	}
	docs := slices.DeleteFunc(f.Docs, func(d *ast.DocumentNode) bool { return d.Body == nil })
	if len(docs) != 1 {
		return nil, fmt.Errorf("a table is one YAML document; this has %d", len(docs))
	}
	s := &source{text: text, lines: []int{0}}
	for i, c := range text {
		if c == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	s.root, err = s.node(docs[0].Body)
	return s, err
}

// at returns where a token begins; its column counts characters.
func (s *source) at(t *token.Token) int {
	at := s.lines[t.Position.Line-1]
	for range t.Position.Column - 1 {
		_, n := utf8.DecodeRune(s.text[at:])
		at += n
	}
	return at
}

// line returns the line that a place is on, from 1.
func (s *source) line(at int) int {
	i, found := slices.BinarySearch(s.lines, at)
	if found {
		return i + 1
	}
	return i
}

func (s *source) node(n ast.Node) (*node, error) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return s.mapping(n.Values, n.IsFlowStyle, n.Start, n.End)
	case *ast.MappingValueNode:
		return s.mapping([]*ast.MappingValueNode{n}, n.IsFlowStyle, n.Start, nil)
	case *ast.SequenceNode:
		return s.sequence(n)
	case *ast.LiteralNode:
		// Its lines are those that its value is made of.
		t := n.Start
		last := min(t.Position.Line+strings.Count(n.Value.GetToken().Origin, "\n"), len(s.lines))
		return &node{start: s.at(t), end: s.lineEnd(last), isScalar: true, scalar: n.Value.Value}, nil
	}
	return s.scalar(n.GetToken())
}

func (s *source) scalar(t *token.Token) (*node, error) {
	out := &node{start: s.at(t), isScalar: true, scalar: t.Value}
	quote := s.text[out.start]
	if t.Type != token.DoubleQuoteType && t.Type != token.SingleQuoteType {
		out.end = out.start + len(t.Value)
		if !bytes.HasPrefix(s.text[out.start:], []byte(t.Value)) {
			return nil, fmt.Errorf("line %d: a value on several lines must be quoted to be changed", t.Position.Line)
		}
		return out, nil
	}
	for at := out.start + 1; at < len(s.text); at++ {
		switch c := s.text[at]; {
		case c == '\\' && quote == '"':
			at++
		case c == quote && quote == '\'' && at+1 < len(s.text) && s.text[at+1] == quote:
			at++
		case c == quote:
			out.end = at + 1
			return out, nil
		}
	}
	return nil, fmt.Errorf("line %d: a quote without an end", t.Position.Line)
}

func (s *source) mapping(values []*ast.MappingValueNode, flow bool, start, end *token.Token) (*node, error) {
	out := &node{flow: flow}
	for _, v := range values {
		value, err := s.node(v.Value)
		if err != nil {
			return nil, err
		}
		key := v.Key.GetToken()
		out.entries = append(out.entries, entry{key: key.Value, start: s.at(key), value: value, fromColumn: key.Position.Column - 1})
	}
	switch {
	case flow:
		out.start, out.end = s.at(start), s.at(end)+1
	case len(out.entries) > 0:
		out.start, out.end = out.entries[0].start, out.entries[len(out.entries)-1].value.end
	}
	return out, nil
}

func (s *source) sequence(n *ast.SequenceNode) (*node, error) {
	out := &node{flow: n.IsFlowStyle}
	for _, v := range n.Values {
		item, err := s.node(v)
		if err != nil {
			return nil, err
		}
		out.items = append(out.items, item)
	}
	switch {
	case n.IsFlowStyle:
		out.start, out.end = s.at(n.Start), s.at(n.End)+1
	case len(out.items) > 0:
		out.start, out.end = s.at(n.Start), out.items[len(out.items)-1].end
	}
	return out, nil
}

// lineEnd returns where the text of a line ends.
func (s *source) lineEnd(line int) int {
	if line >= len(s.lines) {
		return len(bytes.TrimRight(s.text, "\n"))
	}
	return s.lines[line] - 1
}

// get returns the value of a key, or nil.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	for _, e := range n.entries {
		if e.key == key {
			return e.value
		}
	}
	return nil
}

// list returns the items of a list; anything else is a list of one, and nil of
// none.
func (n *node) list() []*node {
	switch {
	case n == nil:
		return nil
	case n.isScalar || n.entries != nil:
		return []*node{n}
	}
	return n.items
}

// raw returns a value as it is written.
func (s *source) raw(n *node) string { return string(s.text[n.start:n.end]) }
