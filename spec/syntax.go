package spec

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"

	"github.com/interlock-go/interlock/spec/diag"
)

// mishap is a place at which YAML's parser stopped, with what it said there.
type mishap struct {
	*diag.Diagnostic
	src    []byte
	lines  []string
	line   string // that of the place
	parser string // what it said
}

// notYAML says why a source isn't YAML, and what to write instead. What the
// parser says speaks of its own rules; so the line is held against what people
// write by mistake, and only if it is none of these the parser is quoted.
func notYAML(file string, src []byte, err error) *diag.Diagnostic {
	m := &mishap{src: src, parser: syntaxMessage(err), lines: strings.Split(lineBreaks.Replace(string(src)), "\n")}
	m.Diagnostic = &diag.Diagnostic{Code: diag.Syntax, Pos: syntaxPos(file, err), Message: "YAML's parser stops here: " + m.parser}
	if m.Pos.Line > len(m.lines) {
		return m.Diagnostic
	}
	m.line = m.lines[m.Pos.Line-1]
	for _, f := range []func(*mishap) bool{
		(*mishap).tab, (*mishap).tag, (*mishap).typed, (*mishap).unclosedQuote, (*mishap).special, (*mishap).pastQuote, (*mishap).colon,
		(*mishap).beforeBrace, (*mishap).trailing, (*mishap).bracket, (*mishap).noEntry, (*mishap).nested, (*mishap).dash, (*mishap).indent,
	} {
		if f(m) {
			break
		}
	}
	m.Hint = shortened(m.Hint, 300)
	return m.Diagnostic
}

// say replaces the message, and puts the place to a byte of the line.
func (m *mishap) say(at, width int, message string) *diag.Diagnostic {
	m.Message, m.Width = message, utf8.RuneCountInString(m.line[at:at+width])
	m.Pos.Col = utf8.RuneCountInString(m.line[:at]) + 1
	return m.Diagnostic
}

func (m *mishap) tab() bool {
	at := strings.Index(m.line, "\t")
	if at < 0 || strings.TrimSpace(m.line[:at]) != "" {
		return false
	}
	m.say(at, 1, "a tab in the indentation").WithHint("YAML is indented with spaces")
	return true
}

const quoteTags = "quote an expression that begins with !"

// unquoted finds a value that begins with !.
var unquoted = regexp.MustCompile(`(?:[:,\[-]\s+|\[)(![^\s,}\]]+)`)

func (m *mishap) tag() bool {
	at := unquoted.FindStringSubmatchIndex(m.line)
	if at == nil {
		return false
	}
	tag := m.line[at[2]:at[3]]
	m.say(at[2], len(tag), "YAML takes "+tag+" for a tag").WithHint("%s: \"%s\"", quoteTags, tag)
	return true
}

// typedArgument finds an event or effect whose arguments have colons.
var typedArgument = regexp.MustCompile(`^\s*(?:- )?(\w+\()([^()]*?:\s[^()]*)\)`)

func (m *mishap) typed() bool {
	at := typedArgument.FindStringSubmatchIndex(m.line)
	if at == nil {
		return false
	}
	args := m.line[at[4]:at[5]]
	colon := at[4] + strings.Index(args, ":")
	m.say(colon, 1, "a colon between an argument and its type").
		WithHint("name and type have a space between them: %s%s):", m.line[at[2]:at[3]], colons.ReplaceAllString(args, " "))
	m.Code = diag.BadSignature
	return true
}

var colons = regexp.MustCompile(`\s*:\s*`)

func (m *mishap) unclosedQuote() bool {
	if !strings.Contains(m.parser, "could not find end character") {
		return false
	}
	m.Message = "the quote that begins here isn't closed"
	m.WithHint("add the closing quote; inside of '..' a ' is written twice, and \\ is an escape inside of \"..\" alone")
	return true
}

// special characters begin something else than a text.
var special = regexp.MustCompile("[:,\\[{-]\\s+([*&@%`>|])")

func (m *mishap) special() bool {
	for _, at := range special.FindAllStringSubmatchIndex(m.line, -1) {
		if utf8.RuneCountInString(m.line[:at[2]]) < m.Pos.Col {
			c := m.line[at[2]:at[3]]
			m.say(at[2], len(c), "to YAML "+c+" at the start of a value has a meaning of its own").WithHint("quote the text: %s", m.quoted(at[2]))
			return true
		}
	}
	return false
}

// quoted is the line's text from a byte on, as far as it goes, in quotes.
func (m *mishap) quoted(from int) string {
	text := strings.TrimSpace(m.line[from:])
	if strings.Contains(m.line[:from], "{") || strings.Contains(m.line[:from], "[") {
		text = strings.TrimSpace(text[:strings.IndexAny(text+",", ",}]")])
	}
	text = brief(text)
	if strings.Contains(text, `"`) {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return `"` + text + `"`
}

// behindQuote finds a quoted text that goes on behind its quote.
var behindQuote = regexp.MustCompile(`[:,\[{-]\s+('[^']*'|"(?:[^"\\]|\\.)*")\s*[^\s,}\]:#]`)

func (m *mishap) pastQuote() bool {
	at := behindQuote.FindStringSubmatchIndex(m.line)
	if at == nil {
		return false
	}
	if m.line[at[2]] == '\'' {
		m.say(at[1]-1, 1, "the text goes on behind the quote that ends it").WithHint("inside of '..' a ' is written twice; or put the text into \"..\"")
	} else {
		m.say(at[1]-1, 1, "the text goes on behind the quote that ends it").WithHint("put the whole text into quotes: %s", m.quoted(at[2]))
	}
	return true
}

// colonInText finds a text with a colon that makes a key of what is before it.
var colonInText = regexp.MustCompile(`^\s*(?:- )?[\w.()]+:\s+([^\s"'{\[#][^{\[#]*?(:))(?:\s|$)`)

func (m *mishap) colon() bool {
	at := colonInText.FindStringSubmatchIndex(m.line)
	if at == nil || !strings.Contains(m.parser, "mapping value is not allowed") {
		return false
	}
	if text := m.line[at[2]:]; strings.Count(text, "}") > strings.Count(text, "{") {
		m.say(at[2], 1, "a { is missing before this").WithHint("write {%s", brief(strings.TrimSpace(text)))
		return true
	}
	m.say(at[4], 1, "the text has a colon in it, so YAML takes what is before that for a key").WithHint("quote the text: %s", m.quoted(at[2]))
	return true
}

// bracket looks for a bracket without its other half.
func (m *mishap) bracket() bool {
	at := len(string([]rune(m.line)[:min(m.Pos.Col-1, utf8.RuneCountInString(m.line))]))
	var open []*token.Token
	for _, t := range lexer.Tokenize(string(m.src)) {
		if t.Position.Line > m.Pos.Line || t.Position.Line == m.Pos.Line && t.Position.Column > m.Pos.Col {
			break
		}
		switch t.Type {
		case token.MappingStartType, token.SequenceStartType:
			open = append(open, t)
		case token.MappingEndType, token.SequenceEndType:
			open = open[:max(0, len(open)-1)]
		}
	}
	if len(open) == 0 && at < len(m.line) && strings.ContainsRune("}]", rune(m.line[at])) {
		m.say(at, 1, "this "+m.line[at:at+1]+" closes nothing").WithHint("take it out, or quote the text that it belongs to")
		return true
	}
	if len(open) == 0 || !slices.ContainsFunc([]string{"must be specified", "not found", "could not find", "value is not allowed", "unexpected"}, func(s string) bool { return strings.Contains(m.parser, s) }) {
		return false
	}
	last := open[len(open)-1]
	if last.Position.Line == m.Pos.Line && at < len(m.line) && strings.ContainsRune("{[", rune(m.line[at])) && inText.MatchString(m.line[:at]) {
		m.say(at, 1, "inside of { } and [ ] a text ends at "+m.line[at:at+1]).WithHint("quote a text or an expression that has a bracket in it")
		return true
	}
	m.Pos.Line, m.Pos.Col, m.Width = last.Position.Line, last.Position.Column, 1
	m.Message = "this " + last.Value + " isn't closed"
	m.WithHint("add the %s that belongs to it, or quote the text that has it", map[string]string{"{": "}", "[": "]"}[last.Value])
	return true
}

// inText finds that a text goes on.
var inText = regexp.MustCompile(`[^\s:,\[{]\s*$`)

// lineBreaks makes all of YAML's line breaks one.
var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func syntaxPos(file string, err error) diag.Pos {
	pos := diag.Pos{File: file, Line: 1, Col: 1}
	var y yaml.Error
	if errors.As(err, &y) && y.GetToken() != nil {
		p := y.GetToken().Position
		pos.Line, pos.Col = p.Line, p.Column
	}
	return pos
}

func syntaxMessage(err error) string {
	var y yaml.Error
	if errors.As(err, &y) {
		return y.GetMessage()
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
