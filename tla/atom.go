package tla

import "strings"

// word parses a number, TRUE, FALSE or a model value. A word that starts with
// a digit is a name if it has a letter, as in TLA+.
func (p *Parser) word() (Value, error) {
	start, digits := p.pos, true
	end := start
	for end < len(p.src) && isWord(p.src[end]) {
		digits = digits && isDigit(p.src[end])
		end++
	}
	if digits {
		return p.number()
	}
	p.pos = end
	switch name := p.src[start:end]; name {
	case "TRUE":
		return Bool(true), nil
	case "FALSE":
		return Bool(false), nil
	default:
		return Value{typ: ModelType, s: name}, nil
	}
}

// number parses an integer or an interval of them.
func (p *Parser) number() (Value, error) {
	low, err := p.integer()
	if err != nil {
		return Value{}, err
	}
	if !p.accept("..") {
		return Int(low), nil
	}
	p.space()
	high, err := p.integer()
	if err != nil {
		return Value{}, err
	}
	if high < low {
		return Value{typ: SetType}, nil
	}
	// The difference may overflow, so it is compared unsigned.
	if size := uint64(high) - uint64(low); size >= uint64(p.room) {
		return Value{}, p.errorf("intervals with more than %d elements", maxInterval)
	}
	n := int(high - low + 1)
	p.room -= n
	elems := make([]Value, n)
	for i := range elems {
		elems[i] = Int(low + int64(i))
	}
	return Value{typ: SetType, elems: elems}, nil
}

func (p *Parser) integer() (int64, error) {
	i, negative := p.pos, false
	if i < len(p.src) && p.src[i] == '-' {
		negative = true
		i++
	}
	start := i
	var n int64
	for ; i < len(p.src) && isDigit(p.src[i]); i++ {
		// 18 digits always fit; TLC's integers have at most 10.
		if i-start == 18 {
			return 0, p.errorf("an integer of more than 18 digits")
		}
		n = n*10 + int64(p.src[i]-'0')
	}
	if i == start {
		return 0, p.errorf("expected an integer, found %s", p.found())
	}
	p.pos = i
	if negative {
		n = -n
	}
	return n, nil
}

// quoted parses a string. One without escapes shares memory with the text.
func (p *Parser) quoted() (string, error) {
	start := p.pos + 1
	for i := start; i < len(p.src); i++ {
		switch p.src[i] {
		case '"':
			p.pos = i + 1
			return p.src[start:i], nil
		case '\\':
			return p.escaped(start, i)
		}
	}
	return "", p.errorf("the string does not end")
}

// escaped is quoted for a string that starts at start and whose first escape
// is at i.
func (p *Parser) escaped(start, i int) (string, error) {
	var b strings.Builder
	b.WriteString(p.src[start:i])
	for ; i < len(p.src); i++ {
		switch c := p.src[i]; c {
		case '"':
			p.pos = i + 1
			return b.String(), nil
		case '\\':
			i++
			if i == len(p.src) {
				return "", p.errorf("the string does not end")
			}
			c, ok := unescape(p.src[i])
			if !ok {
				p.pos = i
				return "", p.errorf("unknown escape in a string")
			}
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return "", p.errorf("the string does not end")
}

func unescape(c byte) (byte, bool) {
	switch c {
	case '"', '\\':
		return c, true
	case 'n':
		return '\n', true
	case 't':
		return '\t', true
	case 'f':
		return '\f', true
	case 'r':
		return '\r', true
	}
	return 0, false
}
