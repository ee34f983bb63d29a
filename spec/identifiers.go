package spec

import (
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec/diag"
)

// names is the one name space of a table. Values of enumerations, arguments
// and bound names are kept out of it where they may repeat.
type names struct {
	diags *diag.List
	pos   map[string]diag.Pos
	what  map[string]string
	order []string
}

func newNames(diags *diag.List) *names {
	return &names{diags: diags, pos: map[string]diag.Pos{}, what: map[string]string{}}
}

// declare takes a name for something, such as "variable".
func (ns *names) declare(n *node, what string) {
	checkName(n, what, ns.diags)
	key := strings.ToLower(strings.ReplaceAll(n.text, "_", ""))
	if old, ok := ns.pos[key]; ok {
		ns.diags.Add(diag.DuplicateName, n.pos, "the %s %s has the name of the %s", what, n.text, ns.what[key]).
			WithHint("letters' case and underscores don't tell names apart: generated names would be one").
			Also(old, "the %s", ns.what[key]).Width = len(n.text)
		return
	}
	ns.pos[key], ns.what[key] = n.pos, what
	ns.order = append(ns.order, n.text)
}

// checkName demands letters, digits and underscores, a letter first, and a
// name that no target language keeps for itself.
func checkName(n *node, what string, diags *diag.List) {
	if !isName(n.text) {
		diags.Add(diag.BadName, n.pos, "%q is no name for a %s", n.text, what).
			WithHint("a name has letters, digits and underscores, a letter first and no underscore last or twice").Width = len(n.text)
		return
	}
	if lang := reserved(n.text); lang != "" {
		diags.Add(diag.ReservedName, n.pos, "%s is reserved by %s", n.text, lang).Width = len(n.text)
	}
}

func isName(s string) bool {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r != '_' && (r < '0' || r > '9')) {
			return false
		}
	}
	return s != "" && !strings.HasSuffix(s, "_") && !strings.Contains(s, "__")
}

var keywords = []struct {
	language string
	words    string
}{
	{"interlock", "state new it each"},
	{"CEL", "as break const continue else false for function if import in let loop package namespace null return true var void while"},
	{"Go", "any append bool byte cap case chan clear clone close comparable complex copy default defer delete error fallthrough func go goto " +
		"imag int interface iota len make map max min nil panic print println range real recover rune select string struct switch type uint uint64"},
	{"TLA+", "ASSUME ASSUMPTION AXIOM BOOLEAN BY CASE CHOOSE CONSTANT CONSTANTS DOMAIN ELSE ENABLED EXCEPT EXTENDS FALSE IF IN INSTANCE Int Integers " +
		"LAMBDA LET LOCAL MODULE Nat Next None OTHER Seq SUBSET Spec STRING THEN THEOREM TRUE TypeOK UNCHANGED UNION VARIABLE VARIABLES WITH Init vars issued"},
	{"Mermaid", "note class style click end"},
	{"generated code", "Machine State Event Effect EffectKind Decision Row Rows NoRow Params Step Clone Explain Never System World Fairness"},
}

// reserved returns the language that keeps name for itself, or "".
func reserved(name string) string {
	for _, k := range keywords {
		if slices.Contains(strings.Fields(k.words), name) {
			return k.language
		}
	}
	return ""
}
