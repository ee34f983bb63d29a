package spec

import (
	"regexp"
	"strings"
)

// keyless finds a line that has no key, and what may be meant for one.
var keyless = regexp.MustCompile(`^(\s*(?:- )?)(\w+(?:\([^()]*\)[^:=]*)?)(?:\s*=\s*|:|\s+)?([^:\s][^:]*)?$`)

// noEntry looks at the lines from the place on that have no colon and a space.
func (m *mishap) noEntry() bool {
	if !strings.Contains(m.parser, "unexpected key name") && !strings.Contains(m.parser, "non-map value") && !strings.Contains(m.parser, "implicit line break") {
		return false
	}
	for i := m.Pos.Line; i <= min(m.Pos.Line+1, len(m.lines)); i++ {
		line := m.lines[i-1]
		at := keyless.FindStringSubmatchIndex(line)
		if at == nil || strings.HasSuffix(strings.TrimSpace(line), ":") || strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		key, value := strings.TrimSpace(line[at[4]:at[5]]), ""
		if at[6] >= 0 {
			value = strings.TrimSpace(line[at[6]:at[7]])
		}
		m.line, m.Pos.Line = line, i
		m.say(at[4], len(key), "this is no entry: a key, a colon, a space and a value")
		m.WithHint("%s", strings.TrimSpace("write "+key+": "+value))
		if value == "" {
			m.WithHint("write %s: and below it, indented, what belongs to it", key)
		}
		return true
	}
	return false
}

// dash looks for a list whose next entry has no dash, and the reverse.
func (m *mishap) dash() bool {
	own := width(m.line)
	for i := m.Pos.Line - 2; i >= 0; i-- {
		line := m.lines[i]
		if strings.TrimSpace(line) == "" || width(line) > own {
			continue
		}
		if width(line) < own || dashed(line) == dashed(m.line) {
			return false
		}
		m.say(own, len(strings.TrimSpace(m.line)), "this entry begins with a dash, and the one before it doesn't")
		if dashed(line) {
			m.Message = "the entry before this one begins with a dash, and this one doesn't"
		}
		m.WithHint("only checks and other lists have dashes; states, variables, events and rows are NAME: ...")
		return true
	}
	return false
}

func dashed(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "- ") }

func width(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// indent looks for a line that begins where no block before it does.
func (m *mishap) indent() bool {
	own := width(m.line)
	if own == len(m.line) {
		return false
	}
	if own == 0 {
		return m.indentedTop()
	}
	least := own + 1
	for i := m.Pos.Line - 2; i >= 0; i-- {
		line := m.lines[i]
		if w := width(line); strings.TrimSpace(line) != "" && w < least {
			if w == own {
				return false
			}
			if least = w; w < own {
				break
			}
		}
	}
	m.say(own, len(strings.TrimSpace(m.line)), "this line is indented like no other around it")
	m.WithHint("what belongs together begins in the same column")
	return true
}

// indentedTop looks for a first line that is indented, before one that isn't.
func (m *mishap) indentedTop() bool {
	for i, line := range m.lines[:m.Pos.Line-1] {
		if text := strings.TrimSpace(line); text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		if width(line) == 0 {
			return false
		}
		m.line, m.Pos.Line = line, i+1
		m.say(0, width(line), "this line is indented, and those that belong beside it aren't")
		m.WithHint("what belongs together begins in the same column")
		return true
	}
	return false
}

// valued finds a key with a value behind it.
var valued = regexp.MustCompile(`^\s*(?:- )?[\w.()]+:\s+[^\s#|>]`)

// nested looks for a line that is indented as if it belonged to the one before
// it, which has a value.
func (m *mishap) nested() bool {
	if !valued.MatchString(m.line) || !strings.Contains(m.parser, "mapping value is not allowed") {
		return false
	}
	for i := m.Pos.Line; i < len(m.lines); i++ {
		line := m.lines[i]
		if text := strings.TrimSpace(line); text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		if width(line) <= width(m.line) {
			return false
		}
		m.line, m.Pos.Line = line, i+1
		m.say(0, max(1, width(line)), "this line is indented below one that has a value already")
		m.WithHint("what belongs together begins in the same column")
		return true
	}
	return false
}

// braced finds a key with no colon and space before its braces or its quote.
var braced = regexp.MustCompile(`^\s*(?:- )?(\w+(?:\([^()]*\))?)(\s*[:,;=]?\s*)([{\["'])`)

func (m *mishap) beforeBrace() bool {
	at := braced.FindStringSubmatchIndex(m.line)
	if at == nil {
		return false
	}
	between := m.line[at[4]:at[5]]
	if strings.HasPrefix(strings.TrimLeft(between, " "), ":") && strings.HasSuffix(between, " ") {
		return false
	}
	key := m.line[at[2]:at[3]]
	m.say(at[2], at[7]-at[2], "a key has a colon and a space behind it").WithHint("write %s: %s...", key, m.line[at[6]:at[7]])
	return true
}

// ended finds what other languages put at the end of a line.
var ended = regexp.MustCompile(`[}\]:"']\s*([,;]+)\s*$`)

// trailing looks for it in the line, and in the key that stands before in its
// column.
func (m *mishap) trailing() bool {
	at, i := ended.FindStringSubmatchIndex(m.line), m.Pos.Line-1
	for own := width(m.line); at == nil && i > 0; {
		if i--; strings.TrimSpace(m.lines[i]) == "" || width(m.lines[i]) > own {
			continue
		}
		at = ended.FindStringSubmatchIndex(m.lines[i])
		if at == nil || !strings.HasSuffix(strings.TrimSpace(m.lines[i][:at[2]]), ":") {
			return false
		}
	}
	if at == nil {
		return false
	}
	m.line, m.Pos.Line = m.lines[i], i+1
	m.say(at[2], at[3]-at[2], "in YAML nothing stands at the end of an entry").WithHint("take %s out", m.line[at[2]:at[3]])
	return true
}
