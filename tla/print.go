package tla

import "strconv"

// String prints v as TLA+ on one line, in canonical order and with TLC's
// spacing: the text TLC itself prints, but for the order of sets and domains
// and for intervals. [ParseValue] reads it back to an equal value.
func (v Value) String() string {
	return string(v.Append(nil))
}

// Append appends the text of [Value.String] to dst.
func (v Value) Append(dst []byte) []byte {
	switch v.typ {
	case IntType:
		return strconv.AppendInt(dst, v.n, 10)
	case BoolType:
		if v.n == 1 {
			return append(dst, "TRUE"...)
		}
		return append(dst, "FALSE"...)
	case StringType:
		return appendQuoted(dst, v.s)
	case ModelType:
		return append(dst, v.s...)
	case SetType:
		return append(appendList(append(dst, '{'), v.elems), '}')
	case TupleType:
		return append(appendList(append(dst, "<<"...), v.elems), ">>"...)
	case RecordType:
		return appendRecord(dst, v.elems)
	case FuncType:
		return appendFunc(dst, v.elems)
	}
	return append(dst, "(no value)"...)
}

func appendList(dst []byte, elems []Value) []byte {
	for i, e := range elems {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = e.Append(dst)
	}
	return dst
}

// appendRecord falls back to the notation of functions where a name, such as
// "a b", can't be written as a field.
func appendRecord(dst []byte, flat []Value) []byte {
	for i := 0; i < len(flat); i += 2 {
		if !isName(flat[i].s) {
			return appendFunc(dst, flat)
		}
	}
	dst = append(dst, '[')
	for i := 0; i < len(flat); i += 2 {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(dst, flat[i].s...)
		dst = append(dst, " |-> "...)
		dst = flat[i+1].Append(dst)
	}
	return append(dst, ']')
}

func appendFunc(dst []byte, flat []Value) []byte {
	dst = append(dst, '(')
	for i := 0; i < len(flat); i += 2 {
		if i > 0 {
			dst = append(dst, " @@ "...)
		}
		dst = flat[i].Append(dst)
		dst = append(dst, " :> "...)
		dst = flat[i+1].Append(dst)
	}
	return append(dst, ')')
}

// appendQuoted writes the escapes that TLC writes; it has no others.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := range len(s) {
		switch c := s[i]; c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, `\n`...)
		case '\t':
			dst = append(dst, `\t`...)
		case '\f':
			dst = append(dst, `\f`...)
		case '\r':
			dst = append(dst, `\r`...)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// isName says whether s can be written as an identifier and is read back as
// one: a word that is neither a number nor TRUE or FALSE.
func isName(s string) bool {
	letter := false
	for i := range len(s) {
		if !isWord(s[i]) {
			return false
		}
		letter = letter || !isDigit(s[i])
	}
	return letter && s != "TRUE" && s != "FALSE"
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isWord takes all of UTF-8 beyond ASCII for letters: TLC prints model values
// as the cfg spells them.
func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isDigit(c) || c == '_' || c >= 0x80
}
