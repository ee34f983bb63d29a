package verify_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/tla"
)

// liveCases are tables with a claim about behaviours without end: known traps,
// then random ones. Three events choose among two ways each.
func liveCases() map[string]string {
	out := map[string]string{
		"holds since nothing asks for it":    liveTable(2, moves{{0, 0, 0}: 1}, "state == s0 && state == s1", "state == s1", ""),
		"stuttering forgotten":               liveTable(2, moves{{0, 0, 0}: 1, {0, 0, 1}: 1}, "state == s0", "state == s1", ""),
		"fairness counted on stutters":       liveTable(2, moves{{0, 0, 0}: 0, {0, 0, 1}: 0, {0, 1, 0}: 1}, "state == s0", "state == s1", "a"),
		"possible now and then":              liveTable(3, moves{{0, 1, 0}: 1, {1, 1, 0}: 0, {0, 0, 0}: 2}, "state == s0", "state == s2", "a, b"),
		"possible again and again":           liveTable(3, moves{{0, 1, 0}: 1, {1, 1, 0}: 0, {0, 0, 0}: 2}, "state == s0", "state == s2", "{strong: a}, b"),
		"strong, but nobody has to go there": liveTable(3, moves{{0, 1, 0}: 1, {1, 2, 0}: 0, {0, 0, 0}: 2}, "state == s0", "state == s2", "{strong: a}"),
		"some way is enough":                 liveTable(3, moves{{0, 0, 0}: 1, {0, 0, 1}: 2, {1, 0, 0}: 0}, "state == s0", "state == s2", "a"),
		"each way is owed":                   liveTable(3, moves{{0, 0, 0}: 1, {0, 0, 1}: 2, {1, 0, 0}: 0}, "state == s0", "state == s2", "{strong: a, each: [k]}"),
		"a row is owed":                      liveTable(3, moves{{0, 0, 0}: 1, {0, 0, 1}: 2, {1, 0, 0}: 0}, "state == s0", "state == s2", "{strong: a.s0k1}, a"),
		"for ever from some time on":         liveTable(2, moves{{0, 0, 0}: 1, {1, 1, 0}: 0}, "state == s0 || state == s1", "state == s1", "a"),
		"connected, but no one loop is fair": liveTable(3, moves{{0, 0, 0}: 1, {1, 2, 0}: 0, {0, 1, 0}: 2, {2, 2, 0}: 0}, "state == s0", "state == s0 && state == s1", "{strong: a}, {strong: b}, c"),
	}
	for name, initial := range map[string]string{"one start, and it holds": "true", "several starts, of which one fails": "any"} {
		out[name] = startTable(initial)
	}
	maps.Copy(out, relapses())
	r := rand.New(rand.NewPCG(2026, 11))
	for i := range 37 {
		n, m := 2+r.IntN(3), moves{}
		for range 3 + r.IntN(6) {
			m[[3]int{r.IntN(n), r.IntN(3), r.IntN(2)}] = r.IntN(n)
		}
		var fair []string
		for _, e := range []string{"a", "b", "c"} {
			switch r.IntN(5) {
			case 0:
				fair = append(fair, e)
			case 1:
				fair = append(fair, "{weak: "+e+", each: [k]}")
			case 2:
				fair = append(fair, "{strong: "+e+"}")
			}
		}
		out[fmt.Sprint("random ", i)] = liveTable(n, m, fmt.Sprint("state == s", r.IntN(n)), fmt.Sprint("state == s", r.IntN(n)), strings.Join(fair, ", "))
	}
	return out
}

// moves says where a state, an event and a way lead.
type moves map[[3]int]int

func liveTable(states int, m moves, from, to, fair string) string {
	var b strings.Builder
	b.WriteString("machine: net\ndoc: A graph.\nstates:\n  s0: {initial: true}\n")
	for s := 1; s < states; s++ {
		fmt.Fprintf(&b, "  s%d: {}\n", s)
	}
	b.WriteString("answers:\n  SAME: Nothing happens.\nevents:\n")
	for e := range 3 {
		fmt.Fprintf(&b, "  %c(k 0..1):\n    rows:\n", 'a'+e)
		for s := range states {
			for k := range 2 {
				to, ok := m[[3]int{s, e, k}]
				what := "stay: SAME"
				if ok {
					what = fmt.Sprint("to: s", to)
				}
				fmt.Fprintf(&b, "      s%dk%d: {from: s%d, when: k == %d, %s}\n", s, k, s, k, what)
			}
		}
	}
	fmt.Fprintf(&b, "eventually:\n  Claim: {from: %q, to: %q, fair: [%s]}\nmodels:\n  only: {checks: [Claim]}\n", from, to, fair)
	return b.String()
}

// startTable is a machine that goes to s1 at once if it starts with on, and never
// else.
func startTable(initial string) string {
	return `machine: net
doc: A graph.
states: {s0: {initial: true}, s1: {}}
vars: {on: {type: bool, initial: ` + initial + `}}
answers: {SAME: Nothing happens.}
events:
  a():
    rows:
      goes:  {from: s0, when: on, to: s1}
      stays: {from: s0, unless: on, stay: SAME}
      is:    {from: s1, stay: SAME}
eventually:
  Claim: {from: state == s0, to: state == s1, fair: [a]}
models:
  only: {checks: [Claim]}
`
}

// relapses are the graphs of TLC's own tests Github971a to Github971e, in which
// TLC with several workers missed that a property fails (tlaplus issue 971), and a
// twin for either kind in which it holds. The language has no box within a box:
// seen remembers how far x has come towards breaking the inner ones, and what
// must hold for ever in d and e is broken again and again by fair steps.
func relapses() map[string]string {
	const (
		once  = "      to0: {when: k == 0, to: zero, set: {seen: \"seen == 1 ? 2 : seen\"}}\n"
		again = "      to1: {when: k == 1, to: one, set: {seen: \"seen == 0 ? 1 : seen == 2 ? 3 : seen\"}}\n"
		kept  = "      to1: {when: k == 1 && seen != 2, to: one, set: {seen: \"seen == 0 ? 1 : seen\"}}\n      not: {when: k == 1 && seen == 2, stay: SAME}\n"
		three = "      to0: {when: k == 0, to: zero, set: {seen: \"seen == 0 ? 0 : 3\"}}\n" +
			"      to1: {when: k == 1, to: one, set: {seen: \"seen == 0 ? 1 : seen\"}}\n      to2: {when: k == 2, to: two}\n"
		plain = "      to0: {when: k == 0, to: zero}\n      to1: {when: k == 1, to: one}\n"
		with  = "      to0: {when: k == 0, to: zero, set: {y: z}}\n      to1: {when: k == 1, to: one, set: {y: z}}\n"

		seen, y      = "seen: {type: 0..3}", "y: {type: 0..1}"
		broken       = "{from: seen == 3, to: seen == 0, fair: [step]}"
		whatever     = "{from: state == zero, to: state == zero && state == one, fair: [{strong: step, each: [k]}]}"
		whateverWith = "{from: state == zero, to: state == zero && state == one, fair: [{strong: step, each: [k, z]}]}"
		comesBack    = "{from: state == one, to: state == zero, fair: [{strong: step, each: [k]}]}"
	)
	table := func(start, vars, args, rows, claim string) string {
		var b strings.Builder
		b.WriteString("machine: net\ndoc: A graph.\nstates: {")
		for _, s := range []string{"before", "zero", "one", "two"} {
			if s == start {
				s += ": {initial: true}"
			} else {
				s += ": {}"
			}
			b.WriteString(s + ", ")
		}
		b.WriteString("}\nanswers: {SAME: Nothing happens.}\n")
		if vars != "" {
			b.WriteString("vars: {" + vars + "}\n")
		}
		return b.String() + "events:\n  step(" + args + "):\n    rows:\n" + rows + "eventually:\n  Claim: " + claim + "\nmodels:\n  only: {checks: [Claim]}\n"
	}
	return map[string]string{
		"Github971a":               table("zero", seen, "k 0..1", once+again, broken),
		"Github971b":               table("before", seen, "k 0..1", once+again, broken),
		"Github971c":               table("before", seen, "k 0..2", three, broken),
		"Github971d":               table("zero", "", "k 0..1", plain, whatever),
		"Github971e":               table("zero", y, "k 0..1, z 0..1", with, whateverWith),
		"Github971a, and it holds": table("zero", seen, "k 0..1", once+kept, broken),
		"Github971d, and it holds": table("zero", "", "k 0..1", plain, comesBack),
	}
}

// TestLivenessAgreesWithTLC has both judge claims under weak and strong fairness
// of events, rows and arguments.
func TestLivenessAgreesWithTLC(t *testing.T) {
	if !haveTLC(t) {
		t.Skip("TLC can't run")
	}
	var runs []tlaplus.Run
	want := map[string]explore.Verdict{}
	count := map[explore.Verdict]int{}
	for name, text := range liveCases() {
		table, err := spec.Read("net.yaml", []byte(text))
		require.NoError(t, err, text)
		m, err := interp.New(table, table.Models[0])
		require.NoError(t, err)
		results, err := interp.Endings(t.Context(), m, true, table.Properties...)
		require.NoError(t, err)
		want[name] = results[0].Verdict
		count[results[0].Verdict]++
		if strings.HasPrefix(name, "Github971") {
			require.Equal(t, strings.HasSuffix(name, "it holds"), want[name] == explore.Holds, name)
		}
		rs, err := tlaplus.Alone(table, table.Models[0], table.Properties[0])
		require.NoError(t, err)
		rs[0].Name = name
		runs = append(runs, rs[0])
	}
	require.GreaterOrEqual(t, len(runs), 40)
	require.Greater(t, count[explore.Holds], 10)
	require.Greater(t, count[explore.Violated], 10)
	for _, p := range verify.Prove(t.Context(), runs, nil) {
		require.NoError(t, p.Err, p.Name)
		kind := p.Result.Verdict.Kind
		require.Contains(t, []tla.Kind{tla.OK, tla.TemporalProperty}, kind, p.Name)
		if (kind == tla.OK) != (want[p.Name] == explore.Holds) {
			t.Errorf("%s: TLC: %s; the explorer: %s\n%s", p.Name, p.Result.Verdict, want[p.Name], liveCases()[p.Name])
		}
	}
}
