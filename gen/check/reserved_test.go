package check_test

import (
	"errors"
	"flag"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen"
	"github.com/interlock-go/interlock/gen/golang"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

// everyKind has a name of every kind, each where an at sign stands before it.
const everyKind = `machine: @machine
doc: Has a name of every kind.
per: @Site
types:
  @Ticket: {is: serial, else: NO}
  Kind:  [@value, blue]
params: {@param: bool}
states: {@first: {initial: true}, shut: {}}
groups: {@closed: [shut]}
parts:
  @parts:
    key: @Ticket
    states: {@partState: {}, done: {}}
    groups: {@partGroup: [done]}
    vars: {@partVar: bool}
    moves: {@move: {from: @partState, to: done, set: {it.@partVar: "true"}}}
vars: {@variable: bool}
defs: {@definition: "@variable && @param"}
answers: {@ANSWER: No., NO: No.}
effects: {"@effect(@told Kind)": Tells.}
tables:
  @subtable: {rows: {@subrow: {emit: "@effect(Kind.@value)"}}}
events:
  @arrives(@subject @Ticket, @argument Kind) of @parts:
    checks: [{id: @check, from: {@site: @closed}, refuse: @ANSWER}]
    rows:
      @taken: {from: {@ticket: @partState}, when: "@argument == Kind.@value", to: {@ticket: done}, set: {@variable: "true"}, then: @subtable}
      gone: {from: {@ticket: @partGroup}, when: "@argument == Kind.@value", refuse: @ANSWER}
      rest: {unless: "@argument == Kind.@value", refuse: @ANSWER}
world:
  ghost:   {@ghost: bool}
  follows: {@arrives: {@ghost: "true"}}
  events:  {@worldEvent(): {rows: {@worldRow: {set: {@ghost: "false"}}}}}
  assume:  {@Assumption: {on: @arrives, only: "!@ghost"}}
invariants:
  @Property: {holds: "!@definition || @ghost || @Ticket.all(z, !@parts(z).@partVar)", given: [@Assumption]}
models:
  @model: {sizes: {@Site: 1, @Ticket: 2, @param: true}, assume: [@Assumption]}
`

// words are those that some output or reader gives a meaning to.
func words() []string {
	out := strings.Fields(`state states new it each event events row rows vars issued init main world system fairness never
		as const else false for function if import in let loop namespace null package return true var void while
		note class style click end direction subgraph graph flowchart default classDef linkStyle call href
		ACTION ASSUME ASSUMPTION AXIOM BOOLEAN BY CASE CHOOSE CONSTANT DOMAIN ELSE ENABLED EXCEPT EXTENDS IF IN INSTANCE LAMBDA LEMMA LET
		LOCAL MODULE OTHER PROOF QED RECURSIVE STRING SUBSET THEN THEOREM UNCHANGED UNION VARIABLE WITH Nat Int Seq Len Head Tail Append
		Init Next Spec TypeOK None Machine State Event Effect EffectKind Decision Row Rows NoRow Params Step Clone Explain Shared
		before_x leave_x enter_x after_x leave before enter string error any len min max fsm maps strconv m e d k to buf head stateNames`)
	for t := token.BREAK; t <= token.VAR; t++ {
		out = append(out, t.String())
	}
	out = append(out, types.Universe.Names()...)
	slices.Sort(out)
	return slices.Compact(out)
}

// named returns everyKind with a word in the place of one name.
func named(kind, word string) string {
	fields := strings.Split(everyKind, "@")
	var out strings.Builder
	out.WriteString(fields[0])
	for _, f := range fields[1:] {
		n := strings.IndexFunc(f, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') })
		name := f[:n]
		// The key of parts, and the instance, are written in small letters too.
		switch {
		case name == kind:
			name = word
		case name == strings.ToLower(kind[:1])+kind[1:] && (kind == "Ticket" || kind == "Site"):
			name = strings.ToLower(word[:1]) + word[1:]
		}
		out.WriteString(name + f[n:])
	}
	return out.String()
}

func kinds() []string {
	set := map[string]bool{}
	for _, f := range strings.Split(everyKind, "@")[1:] {
		set[f[:strings.IndexFunc(f, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') })]] = true
	}
	delete(set, "site")   // follows Site
	delete(set, "ticket") // follows Ticket
	return slices.Sorted(maps.Keys(set))
}

var allWords = flag.Bool("all-words", false, "give each kind every word, which takes a minute, and not every eighth")

// TestReservedWords gives the kinds of things the words in turn: the table is
// refused with a place, or every output takes it, and the Go that comes is
// sound.
func TestReservedWords(t *testing.T) {
	table, err := spec.Read("table.yaml", []byte(named("-", "")))
	require.NoError(t, err)
	require.Empty(t, table.Warnings)
	imports := importer.ForCompiler(token.NewFileSet(), "source", nil)
	taken, refused := 0, 0
	for i, kind := range kinds() {
		for j, word := range words() {
			if (i+j)%8 != 0 && !*allWords {
				continue
			}
			table, err := spec.Read("table.yaml", []byte(named(kind, word)))
			if err == nil {
				err = gen.Printable(table)
			}
			if err == nil {
				taken++
				sound(t, imports, table, kind+" "+word)
				continue
			}
			refused++
			var list diag.List
			require.True(t, errors.As(err, &list), "%s %s: %v", kind, word, err)
			for _, d := range list {
				require.True(t, d.Pos.IsValid(), "%s %s: %v", kind, word, d)
			}
		}
	}
	t.Logf("%d names taken, %d refused", taken, refused)
	require.NotZero(t, taken)
	require.NotZero(t, refused)
}

// sound type-checks the generated package.
func sound(t *testing.T, imports types.Importer, table *spec.Table, what string) {
	t.Helper()
	files, err := golang.Files(table)
	require.NoError(t, err, what)
	set := token.NewFileSet()
	var parsed []*ast.File
	for _, f := range files {
		file, err := parser.ParseFile(set, path.Base(f.Path), f.Data, parser.SkipObjectResolution)
		require.NoError(t, err, what)
		parsed = append(parsed, file)
	}
	conf := types.Config{Importer: imports, Error: func(err error) { t.Errorf("%s: %v", what, err) }}
	_, _ = conf.Check("example.org/"+table.Name, set, parsed, nil) // Error has been told
}
