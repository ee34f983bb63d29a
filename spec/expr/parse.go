package expr

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"cel.dev/cel-go/common"
	"cel.dev/cel-go/common/ast"

	"github.com/interlock-go/interlock/spec/diag"
)

// maxSource bounds an expression's source, in bytes: CEL's parser recurses.
const maxSource = 10_000

// Parse reads src, which stands at pos, as an expression of type want (nil:
// any type) over scope. It returns nil and adds to diags when src is wrong.
func Parse(src string, pos diag.Pos, scope *Scope, want *Type, diags *diag.List) *Node {
	if strings.TrimSpace(src) == "" {
		diags.Add(diag.BadExpression, pos, "an expression is missing").WithHint("write one, or leave the key out")
		return nil
	}
	if len(src) > maxSource {
		diags.Add(diag.BadExpression, pos, "an expression of %d bytes; at most %d are read", len(src), maxSource)
		return nil
	}
	env, err := scope.env()
	if err != nil {
		diags.Add(diag.BadExpression, pos, "%v", err)
		return nil
	}
	parsed, issues := env.Parse(src)
	if issues.Err() != nil {
		complain(issues.Errors()[0], src, pos, scope, diags) // what follows comes of it
		return nil
	}
	fieldCalls(parsed.NativeRep().Expr(), scope)
	parsed, issues = env.Check(parsed)
	if issues.Err() != nil {
		for _, e := range issues.Errors() {
			complain(e, src, pos, scope, diags)
		}
		return nil
	}
	c := &converter{scope: scope, pos: pos, info: parsed.NativeRep().SourceInfo(), diags: diags}
	before := len(*diags)
	n := c.convert(parsed.NativeRep().Expr(), want)
	if len(*diags) > before {
		return nil
	}
	return n
}

// at returns the place of an offset in an expression's source: sources on one
// line, as nearly all are, are exact. What CEL has no place for is the whole.
func at(pos diag.Pos, line, col int) diag.Pos {
	if line != 1 || col < 0 {
		return pos
	}
	pos.Col += col
	return pos
}

var undeclared = regexp.MustCompile(`undeclared reference to '([^']*)'`)

// foreign is how a complaint quotes what other languages write, and what is
// written here.
type foreign struct{ in, hint string }

// nothings are other languages' words for no value.
var nothings = []string{"null", "nil", "None", "undefined", "nothing", "Nothing"}

const logic = "and is &&, or is ||, not is !"

// syntaxHint says how to mend what isn't an expression; empty: nothing is known
// of it.
func syntaxHint(msg, src string) string {
	switch {
	case negated.MatchString(src):
		return logic
	case strings.Count(src, "(") != strings.Count(src, ")"):
		return "each ( has its )"
	case strings.Count(src, `"`)%2 == 1:
		return "quotes stand around the whole of an expression, on both sides or not at all"
	case strings.Contains(msg, "input '"):
		return "something is missing before it: an operation such as &&, or a comma"
	}
	return ""
}

// negated finds a condition with a word for its sign.
var negated = regexp.MustCompile(`(?:^|\W)not\s`)

var elsewhere = []foreign{
	{"error at: '=>'", "implication is p.implies(q)"},
	{"input 'implies'", "implication is p.implies(q)"},
	{"reserved identifier: if", "implication is p.implies(q), and a choice of values p ? x : y"},
	{"error at: '=", "equality is =="},
	{"error at: ';", "an expression ends with its text: take ; out"},
	{"error at: ''", "what holds after the step is new.x, in properties of steps"},
	{"input 'and'", logic},
	{"input 'or'", logic},
}

// complain says CEL's complaint in the table's words.
func complain(e *common.Error, src string, pos diag.Pos, scope *Scope, diags *diag.List) {
	where := at(pos, e.Location.Line(), e.Location.Column())
	msg := strings.TrimSpace(e.Message)
	if m := undeclared.FindStringSubmatch(msg); m != nil {
		scope.unknown(m[1], where, diags)
		return
	}
	code, hint := diag.BadExpression, ""
	if rest, ok := strings.CutPrefix(msg, "found no matching overload for "); ok {
		code = diag.TypeMismatch
		name, args, _ := strings.Cut(rest, " applied to ")
		name, args = readable(name), strings.Trim(args, "'")
		msg = "the operation " + name + " " + refused(name, args)
		hint = unequal(name, args)
	}
	msg, _, _ = strings.Cut(msg, " expecting {") // a list of tokens says nothing
	if i := slices.IndexFunc(elsewhere, func(w foreign) bool { return strings.Contains(msg, w.in) }); i >= 0 {
		hint = elsewhere[i].hint
	}
	if hint == "" && strings.HasPrefix(msg, "Syntax error") {
		hint = syntaxHint(msg, src)
	}
	diags.Add(code, where, "%s", plainly(msg)).Hint = hint
}

// grammar is how CEL's parser puts what is wrong, and how a reader does.
var grammar = []struct {
	form *regexp.Regexp
	says string
}{
	{regexp.MustCompile(`^Syntax error: (?:mismatched|extraneous) input '<EOF>'.*$`), "the expression ends too early"},
	{regexp.MustCompile(`^Syntax error: no viable alternative at input '(.*)<EOF>'.*$`), "the expression ends too early"},
	{regexp.MustCompile(`^Syntax error: (?:mismatched|extraneous) input '(.*?)'(?: expecting .*)?$`), "an expression can't go on with $1 here"},
	{regexp.MustCompile(`^Syntax error: token recognition error at: '(\S+)(?: .*)?'$`), "an expression can't have $1 in it"},
	{regexp.MustCompile(`^Syntax error: no viable alternative at input '(.*)'$`), "an expression can't begin like $1"},
	{regexp.MustCompile(`^Syntax error: missing '(.*)' at '<EOF>'$`), "$1 is missing at the end"},
	{regexp.MustCompile(`^Syntax error: missing '(.*)' at '(.*)'$`), "$1 is missing before $2"},
}

// plainly says what the parser says without its grammar's words.
func plainly(msg string) string {
	for _, g := range grammar {
		if g.form.MatchString(msg) {
			return g.form.ReplaceAllString(msg, g.says)
		}
	}
	return msg
}

// unequal is the hint for a comparison of two types that are often mixed up;
// else it is empty. Args are as in (optional(Key), Key).
func unequal(operation, args string) string {
	x, y, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(args, "("), ")"), ", ")
	switch {
	case operation == "'=='" && (x == "string" || y == "string"):
		return "states and values are written without quotes"
	case operation != "'=='" && operation != "'!='":
		return ""
	case x == "optional("+y+")" || y == "optional("+x+")":
		return "o.is(x) says whether the optional o has the value x"
	case x == "bool" || y == "bool":
		return "comparisons are read from left to right: what is compared later goes in parentheses, a == (b == c)"
	}
	return ""
}

// setsOnly are the operations that sets have and lists, which CEL takes them
// for, haven't.
var setsOnly = []string{"'with'", "'without'", "'union'", "'minus'", "'subset'"}

// refused says what an operation isn't defined for: operands as in (bool, int),
// or a receiver with arguments, as in list(Key).(optional(Key)).
func refused(operation, args string) string {
	receiver, given, ok := strings.Cut(args, ".(")
	if !ok {
		return "isn't defined for " + args
	}
	if element, ok := strings.CutPrefix(receiver, "list("); ok && slices.Contains(setsOnly, operation) {
		receiver = "set(" + element
	}
	return "of " + receiver + " isn't defined for " + strings.TrimSuffix(given, ")")
}

// readable turns CEL's '_==_' into '=='.
func readable(op string) string {
	op = strings.Trim(op, "'")
	return "'" + strings.Trim(op, "_@") + "'"
}

func (s *Scope) unknown(name string, pos diag.Pos, diags *diag.List) {
	if why, ok := s.hidden[name]; ok {
		diags.Add(diag.NotAllowedHere, pos, "%s can't be read here: %s", name, why).Width = len(name)
		return
	}
	if s.partly {
		return
	}
	d := diags.Add(diag.UnknownName, pos, "unknown name %s", name)
	d.Width = len(name)
	if slices.Contains(nothings, name) {
		d.Hint = "no value of an optional is none(), and o.hasValue() asks for one"
		return
	}
	if slices.Contains(constants, name) {
		d.Hint = "write " + name + "()"
		return
	}
	candidates := append(slices.Clone(s.order), slices.Sorted(maps.Keys(s.fields))...)
	for _, f := range operations {
		candidates = append(candidates, f.name)
	}
	if dot := strings.LastIndex(name, "."); dot >= 0 && dot < pos.Col {
		d.Pos.Col -= dot // CEL's place of it is the dot
	}
	if before, ok := strings.CutPrefix(name, "old."); ok {
		d.Hint = "the state before a step has no prefix: " + before
		return
	}
	if i := slices.IndexFunc(candidates, func(c string) bool { return strings.HasSuffix(c, "."+name) }); i >= 0 {
		d.Hint = "did you mean " + candidates[i] + "?"
	} else if near := diag.Nearest(name, candidates); near != "" {
		d.Hint = "did you mean " + near + "?"
	}
}

// converter turns a checked CEL tree into Nodes. It types every node itself,
// so that nothing that CEL calls dyn is ever let through.
type converter struct {
	scope *Scope
	bound []*Symbol
	pos   diag.Pos
	info  *ast.SourceInfo
	diags *diag.List
}

func (c *converter) place(e ast.Expr) diag.Pos {
	loc := c.info.GetStartLocation(e.ID())
	if loc == common.NoLocation {
		return c.pos
	}
	return at(c.pos, loc.Line(), loc.Column())
}

// fail adds a complaint and returns nil; callers pass nil on.
func (c *converter) fail(code diag.Code, e ast.Expr, format string, args ...any) *Node {
	c.diags.Add(code, c.place(e), format, args...)
	return nil
}
