package tla

import "strings"

// cfgProperties returns the names under PROPERTY and PROPERTIES of a cfg.
func cfgProperties(cfg []byte) []string {
	var names []string
	listed := false
	for _, word := range cfgWords(string(cfg)) {
		switch word {
		case "PROPERTY", "PROPERTIES":
			listed = true
		case "CONSTANT", "CONSTANTS", "CONSTRAINT", "CONSTRAINTS", "ACTION_CONSTRAINT", "ACTION_CONSTRAINTS",
			"INVARIANT", "INVARIANTS", "INIT", "NEXT", "VIEW", "SYMMETRY", "SPECIFICATION", "CHECK_DEADLOCK",
			"POSTCONDITION", "ALIAS", "TYPE", "TYPE_CONSTRAINT":
			listed = false
		default:
			if listed {
				names = append(names, word)
			}
		}
	}
	return names
}

// cfgWords splits a cfg at space, without its comments: \* to the end of the
// line, and (* to *), nested.
func cfgWords(text string) []string {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(text); i++ {
		rest := text[i:]
		switch {
		case strings.HasPrefix(rest, "(*"):
			depth++
			i++
		case depth > 0 && strings.HasPrefix(rest, "*)"):
			depth--
			i++
			b.WriteByte(' ')
		case depth > 0:
		case strings.HasPrefix(rest, `\*`):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			i += end - 1
		case text[i] == ',':
			b.WriteByte(' ')
		default:
			b.WriteByte(text[i])
		}
	}
	return strings.Fields(b.String())
}
