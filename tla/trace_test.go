package tla_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/tla"
)

func TestTraceOfInvariant(t *testing.T) {
	res := recordingOf(t, "invariant").read(t, nil)
	off := tla.Var{Name: "on", Value: tla.Bool(false)}
	n := func(n int64) []tla.Var { return []tla.Var{{Name: "n", Value: tla.Int(n)}, off} }
	up := tla.Position{Module: "M", Line: 6, Col: 10, EndLine: 6, EndCol: 49}
	want := tla.Trace{States: []tla.State{
		{Number: 1, Action: "Initial predicate", Vars: n(0)},
		{Number: 2, Action: "Up", At: up, Vars: n(1)},
		{Number: 3, Action: "Up", At: up, Vars: n(3)},
	}}
	assert.Empty(t, cmp.Diff(want, res.Trace))

	v, ok := res.Trace.States[2].Get("n")
	assert.True(t, ok)
	assert.EqualValues(t, 3, v.Int())
	_, ok = res.Trace.States[2].Get("m")
	assert.False(t, ok)
}

func TestTraceOfInitialState(t *testing.T) {
	for _, name := range []string{"invariant_initial", "property_initial"} {
		res := recordingOf(t, name).read(t, nil)
		assert.True(t, res.Verdict.Initial)
		assert.NotContains(t, res.Verdict.Message, "\n")
		assert.Equal(t, "1: Initial predicate\n   /\\ n = 0\n   /\\ on = FALSE\n", res.Trace.String())
	}
}

func TestTraceOfLasso(t *testing.T) {
	back := recordingOf(t, "lasso_back").read(t, nil)
	assert.Equal(t, 4, back.Trace.BackTo)
	assert.Equal(t, "Toggle", back.Trace.BackAction)
	assert.False(t, back.Trace.Stuttering)
	assert.Contains(t, back.Trace.String(), "back to 4: Toggle\n")

	stutter := recordingOf(t, "lasso_stutter").read(t, nil)
	assert.Zero(t, stutter.Trace.BackTo)
	assert.True(t, stutter.Trace.Stuttering)
	assert.True(t, strings.HasSuffix(stutter.Trace.String(), "\nstuttering\n"))
}

// Values over several lines, in TLC's own layout, and a string that looks like
// the next variable.
func TestTraceWithWrappedValues(t *testing.T) {
	res := recordingOf(t, "wrapped").read(t, nil)
	none := tla.Model("None")
	long := tla.Record(
		tla.Field{Name: "id", Value: tla.Int(1)},
		tla.Field{Name: "name", Value: tla.Str("a name that is rather long")},
		tla.Field{Name: "owner", Value: none},
		tla.Field{Name: "states", Value: tla.Set(tla.Str("free"), tla.Str("running"), tla.Str("stop_requested"))},
	)
	on := func(v tla.Value) tla.Value {
		return tla.Func(tla.Pair{Arg: p1, Result: v}, tla.Pair{Arg: p2, Result: v})
	}
	item := tla.Tuple(long, on(tla.Tuple(long, none)))
	thirty := make([]tla.Value, 30)
	for i := range thirty {
		thirty[i] = tla.Int(int64(i + 1))
	}
	want := []tla.Var{
		{Name: "str", Value: tla.Str("line\nwith \"quotes\" and \\ backslash /\\ x = 1")},
		{Name: "seqs", Value: tla.Tuple(item, item)},
		{Name: "e", Value: tla.Tuple()},
		{Name: "f", Value: on(long)},
		{Name: "r", Value: long},
		{Name: "s", Value: tla.Set(thirty...)},
	}
	require.Len(t, res.Trace.States, 3)
	assert.Empty(t, cmp.Diff(want, res.Trace.States[2].Vars))
}

// A variable that a step leaves open is null.
func TestTraceWithUnassignedVariable(t *testing.T) {
	res := recordingOf(t, "eval_error_unassigned").read(t, nil)
	v, ok := res.Trace.States[1].Get("m")
	assert.True(t, ok)
	assert.Equal(t, tla.Model("null"), v)
}

func TestParseStateErrors(t *testing.T) {
	for text, want := range map[string]string{
		"/\\ x = 1\ny = 2": `line 2, column 1: expected /\ or the end of the state`,
		"/\\ x 1":          "line 1, column 6: expected =",
		"/\\ = 1":          "line 1, column 4: expected a variable",
		"/\\ 12 = 1":       "line 1, column 4: expected a variable",
		"/\\ x = ":         "expected a value, found end of text",
	} {
		_, err := tla.ParseState(text)
		assert.ErrorContains(t, err, want, text)
	}
	vars, err := tla.ParseState("/\\ x = 1\n/\\ y = ?")
	require.Error(t, err)
	assert.Len(t, vars, 1, "what came before the error")
}

func TestCoverage(t *testing.T) {
	res := recordingOf(t, "ok_coverage").read(t, nil)
	at := func(line, col, endCol int) tla.Position {
		return tla.Position{Module: "M", Line: line, Col: col, EndLine: line, EndCol: endCol}
	}
	want := tla.Coverage{
		{Name: "Init", At: at(5, 1, 4), Init: true, Distinct: 1, Generated: 1},
		{Name: "Up", At: at(6, 1, 5), Distinct: 8, Generated: 14},
		{Name: "Toggle", At: at(7, 1, 6), Distinct: 1, Generated: 10},
		{Name: "Dead", At: at(8, 1, 4)},
	}
	assert.Empty(t, cmp.Diff(want, res.Coverage))
	n, ok := res.Coverage.Generated("Dead")
	assert.True(t, ok)
	assert.Zero(t, n)
	_, ok = res.Coverage.Generated("Nowhere")
	assert.False(t, ok)
	assert.Equal(t, []string{"TypeOK"}, res.Judged)
}

// TLC reports coverage every minute, and the last report is the result.
func TestCoverageReportedTwice(t *testing.T) {
	text := recordingOf(t, "ok_coverage").file(t, "tlc.log")
	start := bytes.Index(text, []byte("@!@!@STARTMSG 2201"))
	end := bytes.Index(text, []byte("@!@!@STARTMSG 2202"))
	early := bytes.ReplaceAll(text[start:end], []byte(": 8:14"), []byte(": 1:2"))
	twice := slices.Concat(text[:start], early, text[start:])
	res, err := tla.ReadLog(bytes.NewReader(twice), 0, nil)
	require.NoError(t, err)
	assert.Empty(t, cmp.Diff(recordingOf(t, "ok_coverage").read(t, nil).Coverage, res.Coverage))
	assert.Equal(t, []string{"TypeOK"}, res.Judged)
}

func TestPrintedLines(t *testing.T) {
	var p tla.Parser
	var edges []tla.Value
	res := recordingOf(t, "prints").read(t, func(line []byte) {
		if string(line) == `"hello"` { // the assumption's
			return
		}
		v, err := p.ParsePrinted(line)
		require.NoError(t, err)
		edges = append(edges, v)
	})
	assert.EqualValues(t, res.Steps(), len(edges))
	assert.Equal(t, `<<"step", 1, <<0, "a \"q\" \\ b">>, <<1, "a \"q\" \\ b">>,`+
		` [long |-> "a text that makes the line longer than TLC's eighty columns", set |-> {1, 2}]>>`, edges[0].String())
}

// TLC takes the steps of a trace again.
func TestPrintedLinesOfViolation(t *testing.T) {
	lines := map[string]int{}
	res := recordingOf(t, "prints_violated").read(t, func(line []byte) { lines[string(line)]++ })
	assert.Equal(t, map[string]int{`"<<\"up\", 0, 1>>"`: 2, `"<<\"up\", 1, 2>>"`: 2}, lines)
	assert.Len(t, res.Trace.States, 3, "the lines stand between the trace's states")
}

func TestNameOfEvaluatedInvariant(t *testing.T) {
	assert.Equal(t, "Bad", recordingOf(t, "invariant_eval").read(t, nil).Verdict.Name)
}

// Without its end a log has no verdict, wherever it breaks off.
func TestReadLogTruncated(t *testing.T) {
	for _, name := range []string{"ok_coverage", "prints", "parse_error"} {
		text := recordingOf(t, name).file(t, "tlc.log")
		end := bytes.Index(text, []byte("STARTMSG 2193"))
		if end < 0 {
			end = bytes.Index(text, []byte("STARTMSG 3002"))
		}
		for at := range end {
			res, err := tla.ReadLog(bytes.NewReader(text[:at]), 0, nil)
			require.NoError(t, err)
			assert.Equal(t, tla.Crashed, res.Verdict.Kind)
		}
	}
}

// The exit code has to agree with the log.
func TestReadLogExitCode(t *testing.T) {
	read := func(name string, exit int) tla.Kind {
		res, err := tla.ReadLog(bytes.NewReader(recordingOf(t, name).file(t, "tlc.log")), exit, nil)
		require.NoError(t, err)
		return res.Verdict.Kind
	}
	assert.Equal(t, tla.Crashed, read("invariant", 0))
	assert.NotEqual(t, tla.OK, read("dump", 137))
}

func TestVerdictStrings(t *testing.T) {
	assert.Equal(t, "crashed: no", tla.Verdict{Kind: tla.Crashed, Message: "no"}.String())
	assert.Equal(t, "Kind(99)", tla.Kind(99).String())
	assert.Equal(t, "M:3", tla.Position{Module: "M", Line: 3}.String())
	assert.True(t, tla.Unknown.Failed())
}
