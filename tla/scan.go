package tla

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	// maxDepth bounds nesting: no model comes near, and hostile input must
	// not exhaust the stack.
	maxDepth = 200
	// maxInterval bounds the elements that the intervals of one text may
	// have together, since 1..9999999 is short and its set is not.
	maxInterval = 1 << 16
	// minBlock and maxBlock are how many elements a Parser allocates at a
	// time, at first and after a while.
	minBlock = 8
	maxBlock = 256
)

// SyntaxError is what [ParseValue] and [Parser] report: text that isn't a value
// as TLC prints one. Line and Col count from 1; Col counts bytes.
type SyntaxError struct {
	Line, Col int
	Msg       string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("tla: line %d, column %d: %s", e.Line, e.Col, e.Msg)
}

// ParseValue parses a value as TLC prints it, on one line or wrapped over
// several. Any failure is a [*SyntaxError].
func ParseValue(text string) (Value, error) {
	return new(Parser).Parse(text)
}

// Parser parses many values with few allocations: it reuses its buffers, and
// the values it returns share memory with each other and with their text. The
// zero Parser is ready. It isn't safe for concurrent use; its values are.
type Parser struct {
	src   string
	pos   int
	depth int
	room  int     // how many elements intervals may still add
	open  []Value // the elements of all composites that aren't closed yet
	block []Value // memory for closed ones
	size  int     // of the last block
	raw   []byte  // a printed line without its quotes
}

// Parse is [ParseValue] with p's buffers.
func (p *Parser) Parse(text string) (Value, error) {
	p.reset(text)
	v, err := p.value()
	if err != nil {
		return Value{}, err
	}
	if p.space(); p.pos < len(p.src) {
		return Value{}, p.errorf("unexpected %s after the value", p.found())
	}
	return v, nil
}

// ParsePrinted parses a line that PrintT(ToString(v)) printed, and returns v:
// the line is a string whose characters are v's text. Positions of errors
// count in that text, not in the line. The line may be reused afterwards.
func (p *Parser) ParsePrinted(line []byte) (Value, error) {
	var err error
	if p.raw, err = unquoteLine(p.raw[:0], line); err != nil {
		return Value{}, err
	}
	return p.Parse(string(p.raw))
}

// unquoteLine appends the characters of the string that line holds.
func unquoteLine(dst, line []byte) ([]byte, error) {
	if len(line) < 2 || line[0] != '"' || line[len(line)-1] != '"' {
		return dst, &SyntaxError{Line: 1, Col: 1, Msg: "the line is not one string, as PrintT(ToString(v)) prints"}
	}
	body := line[1 : len(line)-1]
	for i := 0; i < len(body); i++ {
		c := body[i]
		if c == '"' {
			return dst, &SyntaxError{Line: 1, Col: i + 2, Msg: "text after the end of the string"}
		}
		if c != '\\' {
			dst = append(dst, c)
			continue
		}
		i++
		if i == len(body) {
			return dst, &SyntaxError{Line: 1, Col: i + 1, Msg: "the string does not end"}
		}
		c, ok := unescape(body[i])
		if !ok {
			return dst, &SyntaxError{Line: 1, Col: i + 1, Msg: "unknown escape in a string"}
		}
		dst = append(dst, c)
	}
	return dst, nil
}

func (p *Parser) reset(text string) {
	p.src, p.pos, p.depth, p.room = text, 0, 0, maxInterval
	p.open = p.open[:0]
}

func (p *Parser) errorf(format string, args ...any) error {
	at := min(p.pos, len(p.src))
	before := p.src[:at]
	return &SyntaxError{
		Line: 1 + strings.Count(before, "\n"),
		Col:  at - strings.LastIndexByte(before, '\n'),
		Msg:  fmt.Sprintf(format, args...),
	}
}

// found describes what stands at the position, for messages.
func (p *Parser) found() string {
	if p.pos >= len(p.src) {
		return "end of text"
	}
	rest := p.src[p.pos:]
	if len(rest) > 12 {
		rest = rest[:12] + "..."
	}
	return strconv.Quote(rest)
}

func (p *Parser) space() {
	for p.pos < len(p.src) {
		switch p.src[p.pos] {
		case ' ', '\n', '\t', '\r':
			p.pos++
		default:
			return
		}
	}
}

// accept skips space and then token, if that is what follows.
func (p *Parser) accept(token string) bool {
	p.space()
	if strings.HasPrefix(p.src[p.pos:], token) {
		p.pos += len(token)
		return true
	}
	return false
}

func (p *Parser) expect(token string) error {
	if !p.accept(token) {
		return p.errorf("expected %s, found %s", token, p.found())
	}
	return nil
}

func (p *Parser) value() (Value, error) {
	p.space()
	if p.pos >= len(p.src) {
		return Value{}, p.errorf("expected a value, found end of text")
	}
	switch c := p.src[p.pos]; {
	case c == '"':
		s, err := p.quoted()
		return Value{typ: StringType, s: s}, err
	case c == '-':
		return p.number()
	case isWord(c):
		return p.word()
	}
	if p.depth == maxDepth {
		return Value{}, p.errorf("more than %d values inside each other", maxDepth)
	}
	p.depth++
	v, err := p.composite()
	p.depth--
	return v, err
}

func (p *Parser) composite() (Value, error) {
	switch {
	case p.accept("{"):
		elems, err := p.list("}")
		if err != nil {
			return Value{}, err
		}
		return makeSet(elems), nil
	case p.accept("<<"):
		elems, err := p.list(">>")
		return Value{typ: TupleType, elems: elems}, err
	case p.accept("["):
		return p.record()
	case p.accept("("):
		return p.function()
	}
	return Value{}, p.errorf("expected a value, found %s", p.found())
}

// take moves the elements that were opened since mark into memory of their own.
func (p *Parser) take(mark int) []Value {
	n := len(p.open) - mark
	if n > len(p.block) {
		p.size = min(max(2*p.size, minBlock), maxBlock)
		p.block = make([]Value, max(p.size, n))
	}
	elems := p.block[:n:n]
	p.block = p.block[n:]
	copy(elems, p.open[mark:])
	p.open = p.open[:mark]
	return elems
}

// list parses what follows the opening bracket.
func (p *Parser) list(end string) ([]Value, error) {
	mark := len(p.open)
	for first := true; !p.accept(end); first = false {
		if !first {
			if !p.accept(",") {
				return nil, p.errorf("expected , or %s, found %s", end, p.found())
			}
		}
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		p.open = append(p.open, v)
	}
	return p.take(mark), nil
}

func (p *Parser) record() (Value, error) {
	mark := len(p.open)
	for {
		p.space()
		start := p.pos
		for p.pos < len(p.src) && isWord(p.src[p.pos]) {
			p.pos++
		}
		name := p.src[start:p.pos]
		if name == "" {
			return Value{}, p.errorf("expected a field's name, found %s", p.found())
		}
		if err := p.expect("|->"); err != nil {
			return Value{}, err
		}
		v, err := p.value()
		if err != nil {
			return Value{}, err
		}
		p.open = append(p.open, Value{typ: StringType, s: name}, v)
		if p.accept("]") {
			return makeFunc(p.take(mark)), nil
		}
		if !p.accept(",") {
			return Value{}, p.errorf("expected , or ], found %s", p.found())
		}
	}
}

func (p *Parser) function() (Value, error) {
	mark := len(p.open)
	for {
		arg, err := p.value()
		if err != nil {
			return Value{}, err
		}
		if err := p.expect(":>"); err != nil {
			return Value{}, err
		}
		result, err := p.value()
		if err != nil {
			return Value{}, err
		}
		p.open = append(p.open, arg, result)
		if p.accept(")") {
			return makeFunc(p.take(mark)), nil
		}
		if !p.accept("@@") {
			return Value{}, p.errorf("expected @@ or ), found %s", p.found())
		}
	}
}
