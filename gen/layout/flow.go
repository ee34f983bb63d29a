package layout

import (
	"iter"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// flow prints a value in flow style on one line.
func flow(n ast.Node) string {
	switch n := n.(type) {
	case *ast.MappingNode:
		var items []string
		for _, v := range n.Values {
			items = append(items, flow(v))
		}
		return "{" + strings.Join(items, ", ") + "}"
	case *ast.MappingValueNode:
		return source(n.Key.GetToken()) + ": " + flow(n.Value)
	case *ast.SequenceNode:
		var items []string
		for _, v := range n.Values {
			items = append(items, flow(v))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case *ast.NullNode:
		return ""
	}
	return source(n.GetToken())
}

// source returns a scalar as it is written.
func source(t *token.Token) string {
	switch t.Type {
	case token.DoubleQuoteType, token.SingleQuoteType:
		return strings.Trim(t.Origin, space)
	}
	return strings.Trim(t.Value, space)
}

// last returns the last token of a value in flow style, and nil for others.
func last(n ast.Node) *token.Token {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.End
	case *ast.SequenceNode:
		return n.End
	}
	return nil
}

// tree prints what a tree says, and nothing of its layout.
func tree(n ast.Node) string {
	var b strings.Builder
	var walk func(n ast.Node)
	entry := func(v *ast.MappingValueNode) {
		b.WriteString(v.Key.GetToken().Value + "\x00")
		walk(v.Value)
	}
	walk = func(n ast.Node) {
		switch n := n.(type) {
		case *ast.MappingNode:
			b.WriteByte(1)
			for _, v := range n.Values {
				entry(v)
			}
			b.WriteByte(2)
		case *ast.MappingValueNode:
			b.WriteByte(1)
			entry(n)
			b.WriteByte(2)
		case *ast.SequenceNode:
			b.WriteByte(3)
			for _, v := range n.Values {
				walk(v)
			}
			b.WriteByte(4)
		case *ast.LiteralNode:
			b.WriteString(n.Value.Value + "\x00")
		case nil:
			b.WriteString("null\x00")
		default:
			b.WriteString(n.GetToken().Value + "\x00")
		}
	}
	walk(n)
	return b.String()
}

// comments returns the comments of a source in order.
func comments(n ast.Node) []string {
	var out []string
	for t := range tokens(n) {
		if t.Type == token.CommentType {
			out = append(out, strings.Trim(t.Value, space))
		}
	}
	return out
}

// tokens yields all tokens of the source that n is from.
func tokens(n ast.Node) iter.Seq[*token.Token] {
	return func(yield func(*token.Token) bool) {
		t := n.GetToken()
		for t.Prev != nil {
			t = t.Prev
		}
		for ; t != nil; t = t.Next {
			if !yield(t) {
				return
			}
		}
	}
}

// space is what YAML takes for white space.
const space = " \t\n"
