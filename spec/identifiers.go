package spec

import (
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec/diag"
)

// names are the two name spaces of a table: what expressions read, and what
// stands at the top of a generated package or module. A variable may have its
// type's name in small letters, as in a Go struct.
type names struct {
	diags *diag.List
	seen  [2]map[string]declaration
}

type declaration struct {
	name, what string
	pos        diag.Pos
}

// space says where a name must be the only one.
type space uint8

const (
	inExpressions space = 1 << iota
	onTop
)

func newNames(diags *diag.List) *names {
	return &names{diags: diags, seen: [2]map[string]declaration{{}, {}}}
}

// declare takes a name for something, such as "variable".
func (ns *names) declare(n *node, what string, where space) {
	checkName(n, what, ns.diags)
	key := strings.ToLower(strings.ReplaceAll(n.text, "_", ""))
	d := declaration{n.text, what, n.pos}
	clashed := false
	for i, seen := range ns.seen {
		if where&(1<<i) == 0 {
			continue
		}
		if old, ok := seen[key]; ok && !clashed && !d.apart(old) {
			clashed = true
			ns.clash(d, old)
		}
		seen[key] = d
	}
}

// apart reports whether two names that differ in case are never seen together:
// an effect ticketState tells a TicketState, and is a small function in Go and
// a text in TLA+.
func (d declaration) apart(old declaration) bool {
	return d.what == "effect" && old.what == typeOfStates && d.name != old.name
}

const typeOfStates = "type of states"

func (ns *names) clash(d, old declaration) {
	c := ns.diags.Add(diag.DuplicateName, d.pos, "the %s %s has the name of the %s %s", d.what, d.name, old.what, old.name)
	if d.name != old.name {
		c.Code = diag.NameClash
		c.Hint = "letters' case and underscores don't tell names apart: in generated files " + old.name + " and " + d.name + " are one"
	}
	c.Width = len(d.name)
	c.Also(old.pos, "the %s %s", old.what, old.name)
}

// checkName demands letters, digits and underscores, a letter first, and a
// name that no target language keeps for itself.
func checkName(n *node, what string, diags *diag.List) {
	if !isName(n.text) {
		diags.Add(diag.BadName, n.pos, "%q is no name for a %s", n.text, what).
			WithHint("a name has letters, digits and underscores, a letter first and no underscore last or twice").Width = len(n.text)
		return
	}
	if lang := reserved(n.text, what); lang != "" {
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

// predeclared is the language of names that Go declares for all programs.
const predeclared = "Go, which declares it"

var keywords = []struct {
	language string
	words    string
}{
	{"interlock", "state new it each"},
	{"CEL", "as break const continue else false for function if import in let loop package namespace null return true var void while"},
	{"Go", "case chan default defer fallthrough func go goto interface map range select struct switch type"},
	{predeclared, "any append bool byte cap clear close comparable complex copy delete error imag int iota len make max min nil panic print println " +
		"real recover rune string uint uint64"},
	{"TLA+", "ASSUME ASSUMPTION AXIOM BOOLEAN BY CASE CHOOSE CONSTANT CONSTANTS DOMAIN ELSE ENABLED EXCEPT EXTENDS FALSE IF IN INSTANCE Int Integers " +
		"LAMBDA LET LOCAL MODULE Nat Next None OTHER Seq SUBSET Spec STRING THEN THEOREM TRUE TypeOK UNCHANGED UNION VARIABLE VARIABLES WITH Init vars issued"},
	{"Mermaid", "note class style click end"},
	{"generated code", "init main Machine State Event Effect EffectKind Decision Row Rows NoRow Params Step Clone clone Explain Never System World Fairness"},
}

// methods become methods and constants in Go, which a predeclared name doesn't
// clash with: an event delete is the type Delete and the method m.delete. In
// pictures they stand in labels only.
var methods = []string{"event", "row", "move", "sub-table"}

// reserved returns the language that keeps name for itself, or "".
func reserved(name, what string) string {
	for _, k := range keywords {
		if (k.language == predeclared || k.language == "Mermaid") && slices.Contains(methods, what) {
			continue
		}
		if slices.Contains(strings.Fields(k.words), name) {
			return k.language
		}
	}
	return ""
}
