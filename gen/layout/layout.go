// Package layout gives tables their one layout: two spaces a level, lists
// indented under their key, one space in flow style behind a comma and a colon
// and none inside braces, no line left blank twice, nothing at the ends of lines.
//
// Entries of one mapping that stand on a line each, one under another, have
// their values in one column if any of them is set apart by more than one space
// already. What stands in flow style stays in it, and on its line: tables are
// read as tables. Comments, quotes and the order of keys stay.
package layout

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// ErrLoss is a source that can't be laid out without a change of what it says.
var ErrLoss = errors.New("the layout would change what the table says")

// Format returns src in the one layout. It doesn't ask whether src is a good
// table, only that it is one YAML document without tags and the like, as
// spec.Read demands. The error is YAML's, or ErrLoss.
func Format(src []byte) ([]byte, error) {
	src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	if bytes.ContainsRune(src, '\r') {
		return nil, ErrLoss // YAML has it for the end of a line
	}
	body, out, err := once(src)
	if err != nil {
		return nil, err
	}
	again, more, err := once(out)
	if err != nil || !bytes.Equal(out, more) || tree(body) != tree(again) || !slices.Equal(comments(body), comments(again)) {
		return nil, ErrLoss
	}
	return out, nil
}

// once lays out src, and returns what YAML reads in it.
func once(src []byte) (ast.Node, []byte, error) {
	body, err := parse(src)
	if err != nil {
		return nil, nil, err
	}
	l := &layout{lines: strings.Split(string(src), "\n")}
	l.starts = make([]*start, len(l.lines))
	l.literal = make([]bool, len(l.lines))
	l.comment = make([]int, len(l.lines))
	for t := range tokens(body) {
		switch t.Type {
		case token.CommentType:
			l.comment[t.Position.Line-1] = t.Position.Column
		case token.TagType, token.AnchorType, token.AliasType, token.MergeKeyType:
			return nil, nil, ErrLoss // no table has them
		}
	}
	l.place(body, 0)
	return body, []byte(l.print()), nil
}

func parse(src []byte) (ast.Node, error) {
	f, err := parser.ParseBytes(src, parser.ParseComments, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, err
	}
	docs := slices.DeleteFunc(f.Docs, func(d *ast.DocumentNode) bool { return d.Body == nil })
	if len(docs) != 1 {
		return nil, fmt.Errorf("a table is one YAML document; this has %d", len(docs))
	}
	return docs[0].Body, nil
}

// start is what begins on a line: an item of a list, an entry of a mapping, or
// both.
type start struct {
	indent int // as it is to be
	column int // as it was, from 0
	dash   bool
	entry  *ast.MappingValueNode // nil: the item is a scalar or in flow style
	value  ast.Node              // what stands behind it on the line; nil: nothing does
	of     ast.Node              // the mapping that the entry is of
}

// layout is a source with what begins on its lines.
type layout struct {
	lines   []string
	starts  []*start
	literal []bool // lines of block scalars
	comment []int  // columns of comments, from 1; 0: there is none
}

// place finds the starts below n, which is in block style.
func (l *layout) place(n ast.Node, indent int) {
	switch n := n.(type) {
	case *ast.MappingNode:
		for _, v := range n.Values {
			l.entry(v, n, indent)
		}
	case *ast.MappingValueNode:
		l.entry(n, n, indent)
	case *ast.SequenceNode:
		for _, e := range n.Entries {
			at := l.at(e.Start)
			at.indent, at.column, at.dash = indent, e.Start.Position.Column-1, true
			if block(e.Value) {
				l.place(e.Value, indent+2)
			} else {
				l.value(at, e.Start, e.Value)
			}
		}
	}
}

func (l *layout) entry(v *ast.MappingValueNode, of ast.Node, indent int) {
	at := l.at(v.Key.GetToken())
	if !at.dash { // else it stands behind the dash, which is placed already
		at.indent, at.column = indent, v.Key.GetToken().Position.Column-1
	}
	at.entry, at.of = v, of
	if block(v.Value) {
		l.place(v.Value, indent+2)
		return
	}
	l.value(at, v.Start, v.Value)
}

// at returns the start of a token's line.
func (l *layout) at(t *token.Token) *start {
	i := t.Position.Line - 1
	if l.starts[i] == nil {
		l.starts[i] = &start{}
	}
	return l.starts[i]
}

// value notes what stands behind a dash or a colon.
func (l *layout) value(at *start, behind *token.Token, v ast.Node) {
	if lit, ok := v.(*ast.LiteralNode); ok {
		n := strings.Count(lit.Value.GetToken().Origin, "\n")
		for i := range n {
			if line := behind.Position.Line + i; line < len(l.lines) {
				l.literal[line] = true
			}
		}
	}
	if v != nil && first(v).Position.Line == behind.Position.Line {
		at.value = v
	}
}

// block reports whether n is a mapping or list in block style.
func block(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.MappingNode:
		return !n.IsFlowStyle
	case *ast.MappingValueNode:
		return !n.IsFlowStyle
	case *ast.SequenceNode:
		return !n.IsFlowStyle
	}
	return false
}

// first returns the first token of n.
func first(n ast.Node) *token.Token {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Start
	case *ast.SequenceNode:
		return n.Start
	case *ast.LiteralNode:
		return n.Start
	}
	return n.GetToken()
}

// width counts the places that s takes in a line.
func width(s string) int { return utf8.RuneCountInString(s) }
