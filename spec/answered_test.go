package spec

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/spec/diag"
)

const answeredTable = `machine: door
doc: A door.
types: {Key: {is: serial, else: NO_KEY}}
states: {shut: {initial: true}, open: {}}
vars: {VAR: {type: bool}, hurt: {type: bool}}
answers: {OPEN: It is open., SHUT: It is shut., NO_KEY: No key., AGAIN: Again.}
events:
  push(key Key):
    checks: [{id: again, from: open, refuse: OPEN}]
    rows: {opens: {from: shut, to: open, set: {hurt: VAR}}}
  pull():
    rows:
      shuts: {from: open, unless: hurt, to: shut}
      soft:  {from: open, when: hurt, stay: AGAIN}
      shut:  {from: shut, unless: VAR, ignore: SHUT}
      flag:  {from: shut, when: VAR, set: {VAR: "false"}}
answered:
  push: {Tells: "HOLDS"}
models: {small: {sizes: {Key: 1}}}
`

// answeredClauses returns what is left of a condition for each answer of push,
// or of pull.
func answeredClauses(t *testing.T, event, holds string) (*Table, string) {
	t.Helper()
	src := strings.NewReplacer("VAR", "loud", "HOLDS", holds, "  push: {Tells", "  "+event+": {Tells").Replace(answeredTable)
	table, err := Read("door.yaml", []byte(src))
	require.NoError(t, err)
	kinds := map[ClauseKind]string{After: "after", Refused: "refused", Ignored: "ignored"}
	var out []string
	for _, p := range table.Properties {
		for _, c := range p.Clauses {
			require.True(t, c.Answered)
			require.Equal(t, holds, c.Src)
			out = append(out, kinds[c.Kind]+" "+c.Row.Name())
			if c.Holds.IsFalse() {
				out[len(out)-1] += " never"
			}
		}
	}
	return table, strings.Join(out, "; ")
}

func TestAnswered(t *testing.T) {
	for _, c := range []struct{ event, holds, want string }{
		{"push", "(answer == OPEN) == (state == open)", "refused push.again; after push.opens"},
		{"push", "(answer == OPEN).implies(state == open)", "refused push.again"},
		{"push", "answer == moved || state == open && refused", "refused push.again"},
		{"push", "answer != OPEN", "refused push.again never"},
		{"push", "refused", "after push.opens never"},
		{"push", "refused ? answer == OPEN : answer == moved && state == shut", "after push.opens"},
		{"push", "!(answer == moved && state == open)", "after push.opens"},
		{"pull", "!refused && (answer == SHUT) == (state == shut && !loud)", "after pull.shuts; after pull.soft; ignored pull.shut; after pull.flag"},
		{"pull", "(answer == SHUT || answer == AGAIN).implies(new.state == state)", "after pull.soft; ignored pull.shut"},
	} {
		table, got := answeredClauses(t, c.event, c.holds)
		require.Equal(t, c.want, got, c.holds)
		require.Empty(t, table.Warnings, c.holds)
	}
}

// TestTold counts what each answer sends.
func TestTold(t *testing.T) {
	const table = `machine: bell
states: {still: {initial: true}, gone: {}}
vars: {loud: {type: bool}}
answers: {AGAIN: Again.}
effects: {rang(): It rang., left(): It left.}
tables:
  after:
    rows: {quiet: {unless: loud, emit: left()}, noisy: {when: loud, set: {loud: "false"}, emit: [left(), rang()]}}
events:
  ring():
    rows:
      once:  {from: still, unless: loud, set: {loud: "true"}, emit: rang()}
      twice: {from: still, when: loud, to: gone, emit: [rang(), rang()]}
      again: {from: gone, stay: AGAIN}
  depart():
    rows: {off: {from: still, to: gone, then: after}, done: {from: gone, to: still, emit: rang()}}
answered:
  EVENT: {Tells: "HOLDS"}
models: {small: {}}
`
	for _, c := range []struct{ event, holds, want string }{
		{"ring", "told.rang == (answer == moved ? (loud ? 2 : 1) : 0)", "ring.once ring.twice"},
		{"ring", "(told.rang > 0) == (answer == moved) && told.left <= 0", "ring.once"}, // the table does so: one is kept to be printed
		{"ring", "told.rang < 2", "ring.twice never"},
		{"depart", "told.left >= 1", "depart.done never"},
		{"depart", "told.left == 1", "depart.done never"},
		{"depart", "told.rang == 0", "depart.off depart.done never"}, // only one row of the sub-table doesn't ring
		{"depart", "told.rang == (state == gone || loud ? 1 : 0)", "depart.off depart.done"},
	} {
		src := strings.NewReplacer("EVENT", c.event, "HOLDS", c.holds).Replace(table)
		got, err := Read("bell.yaml", []byte(src))
		require.NoError(t, err)
		require.Empty(t, got.Warnings, c.holds)
		var rows []string
		for _, cl := range got.Properties[0].Clauses {
			name := cl.Row.Name()
			if cl.Holds.IsFalse() {
				name += " never"
			}
			rows = append(rows, name)
		}
		require.Equal(t, c.want, strings.Join(rows, " "), c.holds)
	}
}

// What says nothing of an answer is of no use, and names of its own may not be
// the table's too.
func TestAnsweredNothing(t *testing.T) {
	table, got := answeredClauses(t, "push", "answer == moved || answer == OPEN")
	require.Equal(t, "refused push.again", got) // so that back ends have something to print
	require.Len(t, table.Warnings, 1)
	require.Equal(t, diag.Vacuous, table.Warnings[0].Code)

	for _, name := range []string{"answer", "refused", "moved", "told"} {
		src := strings.NewReplacer("VAR", name, "HOLDS", "state == open").Replace(answeredTable)
		_, err := Read("door.yaml", []byte(src))
		require.ErrorContains(t, err, "under answered, "+name+" has a meaning of its own")
	}
	for holds, want := range map[string]string{"answer == OTHER": "OTHER", "hurt == answer": "", "Answer.x == answer": ""} {
		src := strings.NewReplacer("VAR", "loud", "HOLDS", holds).Replace(answeredTable)
		_, err := Read("door.yaml", []byte(src))
		require.ErrorContains(t, err, want, holds)
	}
	src := strings.NewReplacer("VAR", "loud", `{Tells: "HOLDS"}`, "state == open").Replace(answeredTable)
	_, err := Read("door.yaml", []byte(src))
	require.ErrorContains(t, err, "a property needs a name")
}

// TestUndecided reads tables that the front end refuses.
func TestUndecided(t *testing.T) {
	src := strings.NewReplacer("VAR", "loud", "HOLDS", "answer == moved", "from: shut, to: open", "from: open, to: open").Replace(answeredTable)
	_, err := Read("door.yaml", []byte(src))
	require.Error(t, err)
	var found diag.List
	table, err := Read("door.yaml", []byte(src), Undecided(&found))
	require.NoError(t, err)
	require.NotNil(t, table)
	require.Equal(t, diag.Gap, found[0].Code)
	_, err = Read("door.yaml", []byte("machine: door\n"), Undecided(&found))
	require.Error(t, err)
}
