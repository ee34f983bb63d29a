package spec

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/token"

	"github.com/interlock-go/interlock/spec/diag"
)

// noValue complains of a key without a value: what a newcomer writes that way is
// seldom a key. Before are the entries that stand before it in its mapping.
func (r *yamlReader) noValue(key *node, null *token.Token, before []entry) {
	if last := cutBefore(before); last != nil && null.Type != token.NullType {
		r.cut(last, key)
		return
	}
	d := r.diags.Add(diag.Syntax, key.pos, "%s has no value", brief(key.text))
	d.Width = utf8.RuneCountInString(key.text)
	switch {
	case null.Type == token.NullType:
		d.Pos, d.Width = r.pos(null), len(null.Value)
		d.Message = key.text + " has the value " + null.Value + ", which is none"
		d.WithHint("take the entry out, or say what it is: a variable's type, such as %s: optional(Ticket), or in set the value none()", key.text)
	case slices.Contains([]string{"stay", "refuse", "ignore"}, key.text):
		d.Message = key.text + " stands without a code"
		d.WithHint("name the code that it answers, one of those under answers: %s: DONE_ALREADY", key.text)
	case key.text == "when" || key.text == "unless":
		d.WithHint("write a condition, or leave the key out")
	case key.text == "never":
		d.WithHint("say why it never occurs: never: nobody has it then")
	case strings.ContainsAny(key.text, " ()!"):
		d.Message = "to YAML this is a key, and it has no value"
		if name, value, ok := strings.Cut(key.text, " = "); ok {
			d.WithHint("a value stands behind a colon: {%s: %s}", name, value)
			return
		}
		d.WithHint("quote a text or an expression that has a comma in it")
	default:
		d.WithHint("write its value behind the colon, or below it and indented; a name of which there is nothing to say has {}: %s: {}", key.text)
	}
}

// cutBefore returns the text before a key if it has a bracket that is still
// open: then the key belongs to it.
func cutBefore(before []entry) *node {
	if len(before) == 0 || before[len(before)-1].value.kind != scalarNode {
		return nil
	}
	last := before[len(before)-1].value
	if strings.Count(last.text, "(") > strings.Count(last.text, ")") {
		return last
	}
	return nil
}

// cut complains once of a text that commas cut into pieces.
func (r *yamlReader) cut(last, piece *node) {
	if n := len(*r.diags); n > 0 && (*r.diags)[n-1].Pos == last.pos {
		(*r.diags)[n-1].WithHint("quote what has a comma")
		return
	}
	d := r.diags.Add(diag.Syntax, last.pos, "to YAML the comma ends this text")
	d.Width = utf8.RuneCountInString(last.text)
	d.WithHint("quote what has a comma: \"%s, %s\"", last.text, piece.text)
}

// colonWithin finds a word with a colon and a space, as a key has them.
var colonWithin = regexp.MustCompile(`(?:^|\s)([^\s:]+):\s`)

// plainScalar reports whether a value stands without quotes, in one line.
func plainScalar(t *token.Token) bool {
	switch t.Type {
	case token.DoubleQuoteType, token.SingleQuoteType, token.LiteralType, token.FoldedType:
		return false
	}
	return true
}

// colonWithin complains of a value that has a key in it, such as one before
// which a comma was forgotten. YAML's readers don't agree on what it is.
func (r *yamlReader) colonWithin(n *node, word string, at int) {
	pos := n.pos
	pos.Col += utf8.RuneCountInString(n.text[:at])
	d := r.diags.Add(diag.Syntax, pos, "%s: stands inside of a value", brief(word))
	d.Width = utf8.RuneCountInString(word) + 1
	d.WithHint("put a comma before it if it is a key; quote a text that has a colon: \"%s\"", brief(n.text))
}
