package tla_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/tla"
)

// What the package comment says of the pinned TLC, and what the generated
// models rely on. Another version may differ: that is what these tests are for.

// model is a config for a module and a cfg written inline.
func model(module, cfg string) tla.Config {
	return tla.Config{Module: "M", Files: map[string][]byte{
		"M.tla": []byte("---- MODULE M ----\n" + module + "\n====\n"),
		"M.cfg": []byte(cfg),
	}}
}

func labels(g *tla.Graph) map[string]int {
	counts := make(map[string]int)
	for _, e := range g.Edges {
		counts[e.Action]++
	}
	return counts
}

const counter = `
EXTENDS Integers, TLC
CONSTANT Lease
VARIABLE n
Init == n = 0
Up(k) == n + k <= 2 /\ n' = n + k
Stay(k) == n = k /\ UNCHANGED n
Event(k) == Up(k) \/ Stay(k)
`

const counterCfg = "INIT Init\nNEXT Next\nCONSTANT Lease = {1, 2}\nCHECK_DEADLOCK FALSE\n"

func TestEdgesAreLabelledByTheInnermostOperator(t *testing.T) {
	needTLC(t)
	for name, tt := range map[string]struct {
		next string
		want map[string]int
	}{
		"disjunction and quantifier over a constant set": {
			`Next == \E k \in Lease : Event(k)`, map[string]int{"Up": 3, "Stay": 2}},
		"conjunction": {
			`Honest == n >= 0
			 Next == (\E k \in Lease : Event(k)) /\ Honest`, map[string]int{"Next": 5}},
		"conjunction inside a row": {
			`Row(k) == Up(k) /\ n >= 0
			 Next == \E k \in Lease : Row(k)`, map[string]int{"Row": 3}},
		"a row without a body of its own": {
			`Row(k) == Up(k)
			 Next == \E k \in Lease : Row(k)`, map[string]int{"Up": 3}},
		"quantifier over a set that depends on the state": {
			`Next == \E k \in {l \in Lease : l >= n} : Event(k)`, map[string]int{"Next": 5}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := model(counter+tt.next, counterCfg)
			c.Dump = true
			res := run(t, c)
			require.Equal(t, tla.OK, res.Verdict.Kind)
			assert.Equal(t, tt.want, labels(res.Graph))
		})
	}
}

func TestDumpAndPrintedLinesHaveEachStep(t *testing.T) {
	needTLC(t)
	t.Parallel()
	c := model(counter+`
Edge(row, k) == PrintT(ToString(<<row, k, n, n'>>))
Next == \E k \in Lease : \/ Up(k) /\ Edge("up", k)
                         \/ Stay(k) /\ Edge("stay", k)`, counterCfg)
	c.Dump = true
	var lines []string
	var p tla.Parser
	c.Print = func(line []byte) {
		v, err := p.ParsePrinted(line)
		assert.NoError(t, err)
		lines = append(lines, v.String())
	}
	res := run(t, c)
	require.Equal(t, tla.OK, res.Verdict.Kind)
	assert.EqualValues(t, 3, res.Distinct)
	assert.EqualValues(t, 5, res.Steps())
	assert.Len(t, res.Graph.Edges, 5)
	assert.ElementsMatch(t, []string{
		`<<"up", 1, 0, 1>>`, `<<"up", 2, 0, 2>>`, `<<"up", 1, 1, 2>>`, `<<"stay", 1, 1, 1>>`, `<<"stay", 2, 2, 2>>`,
	}, lines)
	loops := 0
	for _, e := range res.Graph.Edges {
		if e.From == e.To {
			loops++
		}
	}
	assert.Equal(t, 2, loops, "steps that change nothing are self-loops")
}

func TestDisjunctionInAGuardTakesTheStepTwice(t *testing.T) {
	needTLC(t)
	t.Parallel()
	guards := []struct {
		name, guard string
		times       int
	}{
		{"Or", `(n = 0 \/ n < 5)`, 2},
		{"Exists", `(\E x \in {0, 1} : x >= n)`, 2},
		{"ForAllOr", `(\A x \in {0} : n = 0 \/ n < 5)`, 2},
		{"NamedOr", `Either`, 2},
		{"LetOr", `(LET e == n = 0 \/ n < 5 IN e)`, 2},
		{"In", `n \in {0, 1}`, 1},
		{"Implies", `(n < 5 => n = 0)`, 1},
		{"NotAndNot", `~(~(n = 0) /\ ~(n < 5))`, 1},
		{"NotEmpty", `{x \in {0, 1} : x >= n} # {}`, 1},
		{"OrEqualsTrue", `(n = 0 \/ n < 5) = TRUE`, 1},
	}
	var b strings.Builder
	b.WriteString("EXTENDS Integers\nVARIABLE n\nInit == n = 0\nEither == n = 0 \\/ n < 5\n")
	next := "Next =="
	want := map[string]int{}
	for _, g := range guards {
		b.WriteString(g.name + " == n = 0 /\\ " + g.guard + " /\\ n' = 1\n")
		next += " \\/ " + g.name
		want[g.name] = g.times
	}
	c := model(b.String()+next, "INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE")
	c.Dump = true
	res := run(t, c)
	require.Equal(t, tla.OK, res.Verdict.Kind)
	assert.Equal(t, want, labels(res.Graph))
	assert.EqualValues(t, res.Steps(), len(res.Graph.Edges))
}

func TestPrintWithoutToStringWraps(t *testing.T) {
	needTLC(t)
	t.Parallel()
	value := `<<"` + strings.Repeat("a", 40) + `", {"` + strings.Repeat("b", 40) + `"}, <<1, [c |-> {2}]>>>>`
	c := model("EXTENDS Integers, TLC\nVARIABLE n\nASSUME PrintT("+value+") /\\ PrintT(ToString("+value+"))\n"+
		"Init == n = 0\nNext == UNCHANGED n", "INIT Init\nNEXT Next")
	lines := 0
	c.Print = func([]byte) { lines++ }
	require.Equal(t, tla.OK, run(t, c).Verdict.Kind)
	assert.Greater(t, lines, 2)
}

func TestDeadlockHidesLiveness(t *testing.T) {
	needTLC(t)
	const module = `EXTENDS Integers
VARIABLE n
Spec == n = 0 /\ [][n < 2 /\ n' = n + 1]_n
Never == <>(n = 3)`
	t.Run("checked", func(t *testing.T) {
		t.Parallel()
		res := run(t, model(module, "SPECIFICATION Spec\nPROPERTY Never"))
		assert.Equal(t, "deadlock", res.Verdict.String())
		assert.Equal(t, 11, res.ExitCode)
	})
	t.Run("not checked", func(t *testing.T) {
		t.Parallel()
		c := model(module, "SPECIFICATION Spec\nPROPERTY Never\nCHECK_DEADLOCK TRUE")
		c.NoDeadlock = true
		res := run(t, c)
		assert.Equal(t, "temporal property Never is violated", res.Verdict.String())
		assert.Equal(t, 13, res.ExitCode)
	})
}

func TestPinnedVersionLacks(t *testing.T) {
	needTLC(t)
	const module = "VARIABLE n\nInit == n = TRUE\nNext == UNCHANGED n\nDone == TRUE"
	t.Run("POSTCONDITION", func(t *testing.T) {
		t.Parallel()
		res := run(t, model(module, "INIT Init\nNEXT Next\nPOSTCONDITION Done"))
		assert.Equal(t, tla.ConfigError, res.Verdict.Kind)
	})
	t.Run("Json", func(t *testing.T) {
		t.Parallel()
		res := run(t, model("EXTENDS Json\n"+module, "INIT Init\nNEXT Next"))
		assert.Equal(t, tla.ParseError, res.Verdict.Kind)
	})
}

// Also that a JVM is really killed, which would else run until it is full.
func TestTimeoutOfAnEndlessModel(t *testing.T) {
	needTLC(t)
	t.Parallel()
	c := model("EXTENDS Integers\nVARIABLE n\nInit == n = 0\nNext == n' = n + 1", "INIT Init\nNEXT Next")
	c.Timeout = 2 * time.Second
	start := time.Now()
	res := run(t, c)
	assert.Equal(t, tla.TimedOut, res.Verdict.Kind)
	assert.Less(t, time.Since(start), 10*time.Second)
}
