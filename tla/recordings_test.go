package tla_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/tla"
)

// recording is a model in testdata/cases and what TLC made of it. The log
// beside the model was written by the pinned TLC; TestRecordings, which has
// the JVM at hand, keeps it so.
type recording struct {
	name     string
	config   func(*tla.Config) // beyond Dir and Module
	exit     int
	kind     tla.Kind
	verdict  string   // Verdict.String()
	states   [4]int64 // generated, distinct, initial generated, initial distinct
	actions  string   // of the trace
	unstable bool     // the log differs from run to run
}

func (r recording) dir() string { return filepath.Join("testdata", "cases", r.name) }

func (r recording) file(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir(), name))
	require.NoError(t, err)
	return text
}

func (r recording) read(t *testing.T, print func([]byte)) *tla.Result {
	t.Helper()
	res, err := tla.ReadLog(bytes.NewReader(r.file(t, "tlc.log")), r.exit, print)
	require.NoError(t, err)
	return res
}

func recordingOf(t *testing.T, name string) recording {
	t.Helper()
	for _, r := range recordings {
		if r.name == name {
			return r
		}
	}
	t.Fatalf("no recording %s", name)
	return recording{}
}

var recordings = []recording{
	{name: "ok_coverage", config: func(c *tla.Config) { c.Coverage = true },
		kind: tla.OK, verdict: "ok", states: [4]int64{25, 10, 1, 1}},
	{name: "dump", config: func(c *tla.Config) { c.Dump = true },
		kind: tla.OK, verdict: "ok", states: [4]int64{25, 10, 1, 1}},
	{name: "initial_states", kind: tla.OK, verdict: "ok", states: [4]int64{8, 3, 4, 3}},
	{name: "prints", kind: tla.OK, verdict: "ok", states: [4]int64{6, 4, 1, 1}},

	{name: "invariant", exit: 12, kind: tla.Invariant, verdict: "invariant Small is violated",
		states: [4]int64{10, 7, 1, 1}, actions: "Initial predicate, Up, Up"},
	{name: "invariant_initial", exit: 12, kind: tla.Invariant,
		verdict: "invariant Never is violated by an initial state", actions: "Initial predicate"},
	{name: "invariant_enabled", exit: 12, kind: tla.Invariant, verdict: "invariant NoDown is violated",
		states: [4]int64{4, 4, 1, 1}, actions: "Initial predicate, Up"},
	{name: "always_property", exit: 12, kind: tla.Invariant, verdict: "invariant Always is violated",
		states: [4]int64{10, 7, 1, 1}, actions: "Initial predicate, Up, Up"},
	{name: "action_property", exit: 13, kind: tla.ActionProperty, verdict: "action property StepsOfOne is violated",
		states: [4]int64{4, 4, 1, 1}, actions: "Initial predicate, Up"},
	{name: "action_property_conjunct", exit: 13, kind: tla.ActionProperty,
		verdict: "action property line 11, col 29 to line 11, col 48 of module M is violated",
		states:  [4]int64{4, 4, 1, 1}, actions: "Initial predicate, Up"},
	{name: "property_initial", exit: 13, kind: tla.StateProperty,
		verdict: "state property StartsHigh is violated by an initial state", actions: "Initial predicate"},
	{name: "lasso_stutter", exit: 13, kind: tla.TemporalProperty, verdict: "temporal property is violated",
		states: [4]int64{25, 10, 1, 1}, actions: "Initial predicate, Toggle, Up, Up"},
	{name: "lasso_back", exit: 13, kind: tla.TemporalProperty, verdict: "temporal property is violated",
		states: [4]int64{25, 10, 1, 1}, actions: "Initial predicate, Toggle, Up, Up, Toggle"},
	{name: "two_temporal", exit: 13, kind: tla.TemporalProperty, verdict: "temporal property is violated",
		states: [4]int64{25, 10, 1, 1}, actions: "Initial predicate, Toggle, Up, Up"},
	{name: "deadlock", exit: 11, kind: tla.Deadlock, verdict: "deadlock",
		states: [4]int64{3, 3, 1, 1}, actions: "Initial predicate, Up, Up"},
	{name: "assumption", exit: 10, kind: tla.Assumption, verdict: "assumption at M:11:20 is violated"},
	{name: "assertion", exit: 14, kind: tla.Assertion, verdict: "assertion at M:5:10 is violated",
		states: [4]int64{3, 3, 1, 1}, actions: "Initial predicate, Up, Up"},
	{name: "assertion_in_invariant", exit: 76, kind: tla.Assertion, verdict: "assertion Below is violated",
		states: [4]int64{3, 3, 1, 1}, actions: "Initial predicate, Up, Up"},
	{name: "wrapped", exit: 12, kind: tla.Invariant, verdict: "invariant Short is violated",
		states: [4]int64{3, 3, 1, 1}, actions: "Initial predicate, Grow, Grow"},
	{name: "prints_violated", exit: 12, kind: tla.Invariant, verdict: "invariant Small is violated",
		states: [4]int64{3, 3, 1, 1}, actions: "Initial predicate, Up, Up"},

	{name: "eval_error", exit: 75, kind: tla.EvalError,
		verdict: "evaluation error at M:6:14: Attempted to apply function:\n(0 :> 1 @@ 1 :> 2 @@ 2 :> 3)\n" +
			"to argument 3, which is not in the domain of the function.",
		states: [4]int64{4, 4, 1, 1}, actions: "Initial predicate, Step, Step, Step"},
	{name: "eval_error_initial", exit: 75, kind: tla.EvalError,
		verdict: "evaluation error at M:5:13: Attempted to apply function:\n(0 :> 1 @@ 1 :> 2 @@ 2 :> 3)\n" +
			"to argument 7, which is not in the domain of the function."},
	{name: "eval_error_unassigned", exit: 75, kind: tla.EvalError,
		verdict: "evaluation error: Successor state is not completely specified by the next-state action." +
			" The following variable is not assigned: m.",
		states: [4]int64{2, 1, 1, 1}, actions: "Initial predicate, Step"},
	{name: "invariant_eval", exit: 76, kind: tla.EvalError,
		verdict: "evaluation error: Evaluating invariant Bad failed.\n" +
			"Attempted to check equality of integer 2 with non-integer:\n\"x\"",
		states: [4]int64{4, 4, 1, 1}, actions: "Initial predicate, Up"},
	{name: "overflow", exit: 255, kind: tla.EvalError,
		verdict: "evaluation error at M:5:16: Overflow when computing 1073741824*2",
		states:  [4]int64{31, 31, 1, 1}, actions: "Initial predicate" + strings.Repeat(", Double", 30)},
	{name: "parse_error", exit: 150, kind: tla.ParseError,
		verdict: "parse error at M:4:15: Was expecting \"==== or more Module body\"\n" +
			"Encountered \"0\" at line 4, column 15 and token \"=\""},
	{name: "semantic_error", exit: 150, kind: tla.ParseError,
		verdict: "parse error at M:4:13: line 4, col 13 to line 4, col 16 of module M\nUnknown operator: `Zero'."},
	{name: "module_missing", exit: 150, kind: tla.ParseError,
		verdict: "parse error: Cannot find source file for module Elsewhere imported in module M."},
	{name: "cfg_error_name", exit: 151, kind: tla.ConfigError,
		verdict: "config error: The invariant Nowhere specified in the configuration file\nis not defined in the specification."},
	{name: "cfg_error_syntax", exit: 255, kind: tla.ConfigError,
		verdict: "config error at 2: TLC found an error in the configuration file at line 2\n" +
			"It was expecting a keyword, but did not find it."},
	{name: "cfg_missing_constant", exit: 151, kind: tla.ConfigError,
		verdict: "config error: The constant parameter K is not assigned a value by the configuration file."},
	{name: "cfg_missing", exit: 255, kind: tla.ConfigError,
		verdict: "config error: TLC encountered the following error when trying to read the configuration file M.cfg:\nFile not found."},
	{name: "exhausted", config: func(c *tla.Config) { c.HeapMB = 64 }, exit: 75, unstable: true,
		kind: tla.OutOfMemory, verdict: "out of memory at M:5:14: Java heap space\nTLC was unable to fingerprint.\n\nFingerprint Stack Trace:\n" +
			"0) line 5, col 14 to line 5, col 46 of module M\n\nReason:\nJava heap space", states: [4]int64{1, 1, 1, 1}},
}

func TestReadLog(t *testing.T) {
	for _, r := range recordings {
		t.Run(r.name, func(t *testing.T) {
			res := r.read(t, nil)
			assert.Equal(t, tla.JarVersion, res.Version)
			assert.Equal(t, r.kind, res.Verdict.Kind)
			assert.Equal(t, r.verdict, res.Verdict.String())
			assert.Equal(t, r.states, [4]int64{res.Generated, res.Distinct, res.InitGenerated, res.Init})
			var actions []string
			for i, s := range res.Trace.States {
				actions = append(actions, s.Action)
				assert.Equal(t, i+1, s.Number)
				assert.NotEmpty(t, s.Vars)
			}
			assert.Equal(t, r.actions, strings.Join(actions, ", "))
			assert.Empty(t, res.Warnings)
			assert.Equal(t, r.kind.Violated(), !r.kind.Failed() && r.kind != tla.OK)
		})
	}
}
