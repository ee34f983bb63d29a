package spec

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/interlock-go/interlock/spec/diag"
)

type nodeKind uint8

const (
	scalarNode nodeKind = iota + 1
	mappingNode
	sequenceNode
)

// node is a piece of a table's source: YAML without tags, anchors, aliases
// and nulls. Scalars are kept as they are written, so that 012 and on mean
// what they say.
type node struct {
	kind    nodeKind
	text    string   // of a scalar
	pos     diag.Pos // of a scalar's text, behind its quote
	entries []entry  // of a mapping, in order
	items   []*node  // of a sequence
}

type entry struct {
	key   *node
	value *node
}

// get returns the value of key, and nil if n has none.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	for _, e := range n.entries {
		if e.key.text == key {
			return e.value
		}
	}
	return nil
}

// maxTable bounds a table's source, in bytes, and maxDepth its nesting: no
// table that people read comes near, and hostile input costs little.
const (
	maxTable = 1 << 20
	maxDepth = 32
)

// parseYAML reads a table's source. What it returns is nil or whole; anything
// left out of the language is a complaint.
func parseYAML(file string, src []byte, diags *diag.List) *node {
	top := diag.Pos{File: file, Line: 1, Col: 1}
	switch {
	case len(src) > maxTable:
		diags.Add(diag.Syntax, top, "a table has at most %d bytes; this file has more", maxTable)
		return nil
	case !utf8.Valid(src):
		diags.Add(diag.Syntax, top, "this isn't UTF-8")
		return nil
	case bytes.HasPrefix(src, []byte("\xef\xbb\xbf")):
		diags.Add(diag.Syntax, top, "the file begins with a byte order mark").WithHint("save it as UTF-8 without one")
		return nil
	}
	if t := tooDeep(src); t != nil {
		pos := diag.Pos{File: file, Line: t.Position.Line, Col: t.Position.Column}
		diags.Add(diag.Syntax, pos, "nested more than %d deep", maxDepth)
		return nil
	}
	f, err := parser.ParseBytes(src, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		*diags = append(*diags, notYAML(file, src, err))
		return nil
	}
	docs := slices.DeleteFunc(f.Docs, func(d *ast.DocumentNode) bool { return d.Body == nil })
	if len(docs) == 0 {
		diags.Add(diag.Syntax, top, "the file is empty").WithHint("a table begins with its name: machine: door")
		return nil
	}
	if len(docs) != 1 {
		diags.Add(diag.Syntax, top, "a table is one YAML document; this file has %d", len(docs))
		return nil
	}
	r := &yamlReader{file: file, diags: diags}
	before := len(*diags)
	n := r.read(docs[0].Body, 0)
	if len(*diags) > before {
		return nil
	}
	return n
}

// tooDeep returns the first token that lies too deep, before YAML's recursive
// parser sees it: it needs time and memory for each level that grow with the
// rest of the file.
func tooDeep(src []byte) *token.Token {
	flow, entries, line := 0, 0, 0
	for _, t := range lexer.Tokenize(string(src)) {
		if t.Position.Line != line {
			line, entries = t.Position.Line, 0
		}
		switch t.Type {
		case token.MappingStartType, token.SequenceStartType:
			flow++
		case token.MappingEndType, token.SequenceEndType:
			flow = max(0, flow-1)
		case token.SequenceEntryType, token.MappingKeyType:
			entries++
		}
		if flow > maxDepth || entries > maxDepth {
			return t
		}
	}
	return nil
}

type yamlReader struct {
	file  string
	diags *diag.List
}

func (r *yamlReader) pos(t *token.Token) diag.Pos {
	return diag.Pos{File: r.file, Line: t.Position.Line, Col: t.Position.Column}
}

func (r *yamlReader) read(n ast.Node, depth int) *node {
	pos := r.pos(n.GetToken())
	if depth > maxDepth {
		r.diags.Add(diag.Syntax, pos, "nested more than %d deep", maxDepth)
		return nil
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		return r.mapping(n.Values, pos, depth)
	case *ast.MappingValueNode:
		return r.mapping([]*ast.MappingValueNode{n}, pos, depth)
	case *ast.SequenceNode:
		out := &node{kind: sequenceNode, pos: pos}
		for _, v := range n.Values {
			if item := r.read(v, depth+1); item != nil {
				out.items = append(out.items, item)
			}
		}
		return out
	case *ast.LiteralNode:
		if n.Value.Value != "" {
			pos.Line, pos.Col = pos.Line+1, 1
		}
		r.printable(n.Value.Value, pos)
		return &node{kind: scalarNode, text: strings.TrimRight(n.Value.Value, "\n"), pos: pos}
	case *ast.NullNode:
		r.diags.Add(diag.Syntax, pos, "a value is missing").WithHint("take the entry out, or say what it is; a text that says so is quoted")
		return nil
	case *ast.TagNode:
		tag := n.GetToken().Value
		r.diags.Add(diag.Syntax, pos, "YAML takes %s for a tag", tag).WithHint("%s: \"%s\"", quoteTags, tag).Width = utf8.RuneCountInString(tag)
		return nil
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		r.diags.Add(diag.Syntax, pos, "anchors, aliases and merge keys aren't part of the language: a reader would have to look elsewhere").
			WithHint("say it again where it is used; quote a text that begins with & or *")
		return nil
	}
	return r.scalar(n.GetToken())
}

func (r *yamlReader) scalar(t *token.Token) *node {
	pos := r.pos(t)
	if t.Type == token.DoubleQuoteType || t.Type == token.SingleQuoteType {
		pos.Col++
	}
	r.printable(t.Value, pos)
	n := &node{kind: scalarNode, text: t.Value, pos: pos}
	if at := colonWithin.FindStringSubmatchIndex(t.Value); at != nil && plainScalar(t) {
		r.colonWithin(n, t.Value[at[2]:at[3]], at[2])
	}
	return n
}

// printable refuses what no reader sees: control characters, which generated
// files can't hold, and those that turn the direction of a line.
func (r *yamlReader) printable(text string, pos diag.Pos) {
	for _, c := range text {
		if unicode.IsControl(c) && !strings.ContainsRune("\t\n\r", c) || unicode.Is(unicode.Bidi_Control, c) || c == '\ufeff' {
			r.diags.Add(diag.Syntax, pos, "a character that can't be seen, %U", c).WithHint("take it out")
			return
		}
	}
}

func (r *yamlReader) mapping(values []*ast.MappingValueNode, pos diag.Pos, depth int) *node {
	out := &node{kind: mappingNode, pos: pos}
	if len(values) > 0 {
		out.pos = r.pos(values[0].Key.GetToken())
	}
	first := make(map[string]diag.Pos, len(values))
	for _, v := range values {
		if _, ok := v.Key.(*ast.MergeKeyNode); ok {
			r.read(v.Key, depth+1)
			continue
		}
		key := r.scalar(v.Key.GetToken())
		if old, twice := first[key.text]; twice {
			r.diags.Add(diag.DuplicateKey, key.pos, "the key %s stands here twice", key.text).Also(old, "the first one").Width = len(key.text)
			continue
		}
		first[key.text] = key.pos
		if at := strings.IndexAny(key.text, "{["); at > 0 && plainScalar(v.Key.GetToken()) {
			r.diags.Add(diag.Syntax, key.pos, "a key has a colon and a space behind it").
				WithHint("write %s: %s...", strings.TrimRight(key.text[:at], " :,;="), key.text[at:at+1]).Width = utf8.RuneCountInString(key.text[:at+1])
			continue
		}
		if null, ok := v.Value.(*ast.NullNode); ok {
			r.noValue(key, null.GetToken(), out.entries)
			continue
		}
		if value := r.read(v.Value, depth+1); value != nil {
			out.entries = append(out.entries, entry{key, value})
		}
	}
	return out
}

func (n *node) entry(key string) *entry {
	for i := range n.entries {
		if n.entries[i].key.text == key {
			return &n.entries[i]
		}
	}
	return nil
}
