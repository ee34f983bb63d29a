package diff_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/diff"
	"github.com/interlock-go/interlock/spec"
)

var update = flag.Bool("update", false, "rewrite testdata")

const parcel = `machine: parcel
doc: Says where a parcel is.
types:
  Label: {is: serial, else: INVALID_LABEL, doc: What it is known by.}
  Way:   {one_of: [road, rail, air]}
states:
  shelf:     {initial: true, doc: It lies on a shelf.}
  packed:    {doc: It is ready.}
  delivered: {doc: Somebody has it.}
vars:
  label: {type: optional(Label), doc: What stands on it.}
  heavy: {type: bool, doc: It needs two people.}
answers:
  PACKED:        It is packed already.
  OTHER:         It is another parcel.
  NOT_HERE:      It isn't here.
  INVALID_LABEL: There is no label.
effects:
  told(way Way): Somebody is told.
events:
  pack(name fresh Label, big bool):
    checks:
      - {id: again, from: packed, refuse: PACKED}
      - {id: gone, from: delivered, refuse: NOT_HERE}
    rows:
      done: {from: shelf, to: packed, set: {label: some(name), heavy: big}}
  send(name Label, way Way):
    checks:
      - {id: other, unless: {holds: label.is(name), says: it is this one}, refuse: OTHER}
      - {id: gone, from: delivered, refuse: NOT_HERE}
    rows:
      heavy:   {from: packed, when: {holds: heavy && way == air, says: too heavy to fly}, refuse: NOT_HERE}
      done:    {from: packed, unless: heavy && way == air, to: delivered, emit: told(way)}
      unnamed: {from: shelf, never: nothing on a shelf has a label}
invariants:
  NamedIfPacked: {holds: state == shelf || label.hasValue(), doc: What left the shelf has a label.}
after:
  send: {OnlyNamed: {holds: label.is(name), doc: Only who knows the label sends.}}
models:
  small: {sizes: {Label: 2}}
`

func read(t *testing.T, src string) *spec.Table {
	t.Helper()
	table, err := spec.Read("parcel.yaml", []byte(src))
	require.NoError(t, err)
	return table
}

// changed compares the parcel's table with itself after replacements, old and
// new in turn.
func changed(t *testing.T, replace ...string) *diff.Report {
	t.Helper()
	src := parcel
	for i := 0; i < len(replace); i += 2 {
		require.Contains(t, src, replace[i])
		src = strings.ReplaceAll(src, replace[i], replace[i+1])
	}
	r, err := diff.Tables(context.Background(), read(t, parcel), read(t, src), diff.Options{})
	require.NoError(t, err)
	return r
}

func TestCases(t *testing.T) {
	for _, c := range []struct {
		name    string
		replace []string
		verdict diff.Verdict
		says    []string // lines of the text
	}{
		{"a condition put another way", []string{"unless: heavy && way == air,", `when: "!(way == air && heavy)",`}, diff.Same, []string{"parcel: nothing changed"}},
		{"a definition taken out", []string{"unless: heavy && way == air,", "unless: bulky && way == air,", "answers:", "defs: {bulky: {is: heavy, doc: It needs two.}}\nanswers:"},
			diff.Harmless, []string{"parcel: only wording or order changed", "  definition bulky is added"}},
		{"checks that never apply together", []string{"- {id: again, from: packed, refuse: PACKED}\n      - {id: gone, from: delivered, refuse: NOT_HERE}", "- {id: gone, from: delivered, refuse: NOT_HERE}\n      - {id: again, from: packed, refuse: PACKED}"},
			diff.Harmless, []string{"parcel: no decision changed", "  pack: again, gone → gone, again", "graph: no command of any model is answered otherwise; 2 other properties hold before and after; 1 model walked in lockstep, 5 pairs of states"}},
		{"a check split in two", []string{"- {id: again, from: packed, refuse: PACKED}", "- {id: again, from: packed, when: heavy, refuse: PACKED}\n      - {id: still, from: packed, refuse: PACKED}"},
			diff.Harmless, []string{"  check pack.still: from packed, refuse PACKED", "pack in packed is written otherwise: nothing → pack.again; every model answers as before"}},
		{"what was refused is accepted", []string{"heavy:   {from: packed, when: {holds: heavy && way == air, says: too heavy to fly}, refuse: NOT_HERE}", "heavy:   {from: packed, when: {holds: heavy && way == air, says: too heavy to fly}, to: delivered, emit: told(way)}"},
			diff.Breaking, []string{"send in packed, when too heavy to fly:", "  before: refuse NOT_HERE  [send.heavy]", "  after:  → delivered (told(way air))  [send.heavy]", "    1. pack(name 1, big true): pack.done", "    2. send(name 1, way air): send.heavy"}},
		{"what was refused changes nothing now", []string{"again, from: packed, refuse: PACKED", "again, from: packed, stay: PACKED"},
			diff.Breaking, []string{"  before: refuse PACKED  [pack.again]", "  after:  stay PACKED  [pack.again]"}},
		{"another code", []string{"again, from: packed, refuse: PACKED", "again, from: packed, refuse: OTHER", "  PACKED:        It is packed already.\n", ""},
			diff.Breaking, []string{"  before: refuse PACKED  [pack.again]", "  after:  refuse OTHER  [pack.again]", "  code PACKED: It is packed already.", "  PACKED is no longer answered by any row; callers may still look for it"}},
		{"a code renamed", []string{"PACKED", "BUNDLED"},
			diff.Harmless, []string{"parcel: no decision changed, 1 rename", "  code PACKED is now BUNDLED: 1 check or row, and every caller that looks for the old name"}},
		{"an update left out", []string{"set: {label: some(name), heavy: big}", "set: {label: some(name)}"},
			diff.Breaking, []string{"  before: → packed (label: some(name), heavy: big)  [pack.done]", "  after:  → packed (label: some(name))  [pack.done]"}},
		{"an effect left out", []string{"to: delivered, emit: told(way)", "to: delivered", "effects:\n  told(way Way): Somebody is told.\n", ""},
			diff.Breaking, []string{"  before: → delivered (told(way road))  [send.done]", "  after:  → delivered (no effects)  [send.done]", "  effect told: Somebody is told."}},
		{"a state renamed in a row that changes", []string{"packed:    {doc: It is ready.}", "wrapped:   {doc: It is ready.}", "from: packed", "from: wrapped", "to: packed, set: {label: some(name), heavy: big}", `to: wrapped, set: {label: some(name), heavy: "true"}`},
			diff.Breaking, []string{"  state packed is now wrapped", "  row pack.done: set heavy: big → true"}},
		{"a state renamed that is named in one more place", []string{"packed:    {doc: It is ready.}", "wrapped:   {doc: It is ready.}", "from: packed", "from: wrapped", "to: packed", "to: wrapped", "- {id: other, unless:", "- {id: other, from: [shelf, wrapped, delivered], unless:"},
			diff.Harmless, []string{"  state packed is now wrapped", "  check send.other: from: any → shelf; wrapped; delivered"}},
		{"codes renamed and put in another order", []string{"  PACKED:        It is packed already.\n  OTHER:         It is another parcel.\n  NOT_HERE:      It isn't here.\n", "  AWAY: It isn't here.\n  BUNDLED: It is packed already.\n  WRONG: It is another parcel.\n", "refuse: PACKED", "refuse: BUNDLED", "refuse: OTHER", "refuse: WRONG", "refuse: NOT_HERE", "refuse: AWAY"},
			diff.Harmless, []string{"  code NOT_HERE is now AWAY: 3 checks and rows, and every caller that looks for the old name", "  code PACKED is now BUNDLED: 1 check or row, and every caller that looks for the old name", "  code OTHER is now WRONG: 1 check or row, and every caller that looks for the old name", "  codes"}},
		{"rows renamed and put in another order", []string{"      heavy:   {from: packed,", "      flight:  {from: packed,", "      done:    {from: packed, unless: heavy && way == air, to: delivered, emit: told(way)}\n      unnamed: {from: shelf, never: nothing on a shelf has a label}\n", "",
			"    rows:\n      flight", "    rows:\n      blank: {from: shelf, never: nothing on a shelf has a label}\n      sent: {from: packed, unless: heavy && way == air, to: delivered, emit: told(way)}\n      flight"},
			diff.Harmless, []string{"  row send.unnamed is now send.blank", "  row send.done is now send.sent", "  row send.heavy is now send.flight", "  rows of send"}},
		{"a value gone", []string{"[road, rail, air]", "[road, air]"}, diff.Breaking, []string{"  value Way.rail"}},
		{"values in another order", []string{"[road, rail, air]", "[air, road, rail]"}, diff.Harmless, []string{"  values of Way"}},
		{"values in another order, and a check split in two", []string{"[road, rail, air]", "[air, road, rail]", "- {id: again, from: packed, refuse: PACKED}", "- {id: again, from: packed, when: heavy, refuse: PACKED}\n      - {id: still, from: packed, refuse: PACKED}"},
			diff.Harmless, []string{"  values of Way", "  check pack.still: from packed, refuse PACKED"}},
		{"a claim that isn't so", []string{"says: too heavy to fly}, refuse: NOT_HERE}", "says: too heavy to fly}, never: what is heavy never flies}"},
			diff.Breaking, []string{"  before: refuse NOT_HERE  [send.heavy]", "  after:  never: what is heavy never flies  [send.heavy]"}},
		{"an argument more", []string{"pack(name fresh Label, big bool):", "pack(name fresh Label, big bool, fast bool):", "done: {from: shelf, to: packed", "done: {from: shelf, when: fast || !fast, to: packed"}, diff.Breaking, []string{"  argument pack.fast"}},
		{"an argument less, and a change behind it", []string{"pack(name fresh Label, big bool):", "pack(name fresh Label):", "heavy: big", `heavy: "false"`, "to: delivered, emit", "to: shelf, emit"},
			diff.Breaking, []string{"  argument pack.big", "pack in shelf:", "  before: → delivered  [send.done]", "  after:  → shelf  [send.done]"}},
		{"what only a careless caller sees", []string{"models:", "world:\n  can: {send: label.is(name)}\nmodels:"}, diff.Harmless, []string{"  event send: can: nothing → label.is(name)"}},
		{"an event that nobody asks for", []string{"  send(name Label", "  lose() by timer:\n    rows: {done: {to: shelf, set: {label: none()}}}\n  send(name Label"}, diff.Breaking, []string{"  event lose", "  packed → shelf by lose", "  delivered → shelf by lose"}},
		{"an event that callers may use", []string{"  send(name Label", "  lose():\n    rows: {done: {to: shelf, set: {label: none()}}}\n  send(name Label"}, diff.Harmless, []string{"  event lose"}},
		{"something that may be asked for, and what it then forbids", []string{"heavy: {type: bool, doc: It needs two people.}", "heavy: {type: bool, doc: It needs two people.}\n  frozen: {type: bool, doc: Nothing may leave.}",
			"- {id: other, unless:", "- {id: frozen, when: frozen, refuse: NOT_HERE}\n      - {id: other, unless:", "  send(name Label", "  freeze():\n    rows: {done: {set: {frozen: \"true\"}}}\n  send(name Label"},
			diff.Unknown, []string{"  event freeze", "send in packed is written otherwise: nothing → send.frozen; met only in states that the other table can't be in", "  after:  refuse NOT_HERE  [send.frozen], when frozen"}},
		{"another start", []string{"shelf:     {initial: true, doc: It lies on a shelf.}\n  packed:    {doc: It is ready.}", "shelf:     {doc: It lies on a shelf.}\n  packed:    {initial: true, doc: It is ready.}"},
			diff.Breaking, []string{"  state packed: initial: nothing → initial", "  state shelf: initial: initial → nothing"}},
		{"a claim made a refusal where no model comes", []string{"unnamed: {from: shelf, never: nothing on a shelf has a label}", "unnamed: {from: shelf, refuse: NOT_HERE}"},
			diff.Harmless, []string{"send in shelf is written otherwise: send.unnamed; claimed never to occur, and no model comes there"}},
		{"a property that fails", []string{"OnlyNamed: {holds: label.is(name)", "OnlyNamed: {holds: label.is(name) && way != rail"}, diff.Breaking,
			[]string{"property OnlyNamed: holds before, fails now", "  holds: label.is(name) → label.is(name) && way != rail", "    2. send(name 1, way rail): send.done"}},
		{"a new property that fails", []string{"invariants:", "invariants:\n  Unpacked: {holds: state != packed, doc: Wrong.}"}, diff.Unknown,
			[]string{"  unknown: the new property Unpacked fails", "property Unpacked: new, fails"}},
		{"another size", []string{"{Label: 2}", "{Label: 3}"}, diff.Harmless, []string{"  model small: Label: 2 → 3", "graph: equal, names apart: the same states and steps; 2 other properties hold before and after"}},
		{"another type", []string{"heavy: {type: bool", "heavy: {type: bool, initial: true"}, diff.Breaking, []string{"  variable heavy: initial: nothing → initial"}},
		{"no code for what isn't a value", []string{"Label: {is: serial, else: INVALID_LABEL,", "Label: {is: serial,", "  INVALID_LABEL: There is no label.\n", "", "optional(Label)", "optional(Label)"},
			diff.Breaking, []string{"  type Label: else: INVALID_LABEL → nothing"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := changed(t, c.replace...)
			assert.Equal(t, c.verdict, r.Verdict, r.Text())
			for _, line := range c.says {
				assert.Contains(t, strings.Split(r.Text(), "\n"), line, r.Text())
			}
		})
	}
}

// TestMended has a mistake and its repair: the property that found it holds now.
func TestMended(t *testing.T) {
	wrong := strings.Replace(parcel, "unless: {holds: label.is(name)", "unless: {holds: label.hasValue()", 1)
	require.NotEqual(t, parcel, wrong)
	r, err := diff.Tables(context.Background(), read(t, wrong), read(t, parcel), diff.Options{})
	require.NoError(t, err)
	assert.Equal(t, "parcel: 2 of 6 cells decide differently, 1 property holds that failed", r.Headline())
}

func TestSame(t *testing.T) {
	paths, err := filepath.Glob("../../spec/*.yaml")
	require.NoError(t, err)
	rejected, err := filepath.Glob("../../spec/rejected/*.yaml")
	require.NoError(t, err)
	for _, path := range append(paths, rejected...) {
		table, err := spec.Load(path)
		require.NoError(t, err)
		r, err := diff.Tables(context.Background(), table, table, diff.Options{})
		require.NoError(t, err)
		again, err := spec.Load(path)
		require.NoError(t, err)
		s, err := diff.Tables(context.Background(), table, again, diff.Options{})
		require.NoError(t, err)
		for _, r := range []*diff.Report{r, s} {
			assert.Equal(t, diff.Same, r.Verdict, r.Text())
			assert.Equal(t, table.Name+": nothing changed", r.Headline())
		}
	}
}

// TestRejected compares each rejected design with its base: all of them break,
// and each decision that is told is true. What is told of each stands in
// testdata/rejected.txt.
func TestRejected(t *testing.T) {
	paths, err := filepath.Glob("../../spec/rejected/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	told := make([]string, len(paths))
	t.Run("designs", func(t *testing.T) {
		for i, path := range paths {
			t.Run(filepath.Base(path), func(t *testing.T) {
				if testing.Short() && strings.HasPrefix(filepath.Base(path), "queue_") {
					t.Skip("the queue's designs take seconds each")
				}
				t.Parallel()
				told[i] = rejected(t, path)
			})
		}
	})
	if testing.Short() {
		return
	}
	golden(t, "testdata/rejected.txt", strings.Join(told, ""))
}

func rejected(t *testing.T, path string) string {
	design, err := spec.Load(path)
	require.NoError(t, err)
	base, err := spec.Load(filepath.Join("../../spec", design.Base+".yaml"))
	require.NoError(t, err)
	// The designs are small; the largest size of the base would be most of the time.
	base.Models = slices.DeleteFunc(base.Models, func(m *spec.Model) bool { return m.Name == "everyday" })
	r, err := diff.Tables(context.Background(), base, design, diff.Options{})
	require.NoError(t, err)
	assert.Equal(t, diff.Breaking, r.Verdict, r.Text())
	for _, d := range r.Decisions {
		if !strings.Contains(strings.Join(r.Reasons, "\n"), "the argument") { // else no call is the same text on both sides
			assert.NoError(t, replayed(base, design, d), r.Text())
		}
	}
	if base.Name != "queue" { // that one takes long
		back, err := diff.Tables(context.Background(), design, base, diff.Options{})
		require.NoError(t, err)
		mirrored(t, r, back)
	}
	return fmt.Sprintf("%s\n  %s\n  %s\n", filepath.Base(path), r.Headline(), strings.Join(r.Reasons, "\n  "))
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

func TestAlwaysTheSame(t *testing.T) {
	var first [3]string
	for i := range 20 {
		r := changed(t, "big bool", "large bool", "heavy: big", "heavy: large", "packed", "wrapped", "to: delivered, emit", "to: shelf, emit", "It lies", "It stood")
		var b bytes.Buffer
		require.NoError(t, json.NewEncoder(&b).Encode(r))
		got := [3]string{r.Text(), b.String(), diff.Markdown([]*diff.Report{r})}
		if i == 0 {
			first = got
		}
		require.Equal(t, first, got)
	}
}

// TestCut ends a walk early: then nothing can be said of what wasn't seen.
func TestCut(t *testing.T) {
	src := strings.ReplaceAll(parcel, "- {id: again, from: packed, refuse: PACKED}\n      - {id: gone, from: delivered, refuse: NOT_HERE}", "- {id: gone, from: delivered, refuse: NOT_HERE}\n      - {id: again, from: packed, refuse: PACKED}")
	r, err := diff.Tables(context.Background(), read(t, parcel), read(t, src), diff.Options{MaxPairs: 1})
	require.NoError(t, err)
	assert.Equal(t, diff.Unknown, r.Verdict)
	assert.Contains(t, r.Text(), "a walk ended at 1 pairs of states")

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = diff.Tables(ctx, read(t, parcel), read(t, src), diff.Options{})
	require.ErrorIs(t, err, context.Canceled)
}

// TestLimit makes a change that is too long for a comment.
func TestLimit(t *testing.T) {
	var events, answers strings.Builder
	long := strings.Repeat("It is a | <long> *story* of @everybody. ", 12)
	for i := range 400 {
		fmt.Fprintf(&events, "  e%d():\n    doc: %q\n    rows: {done: {from: shelf, to: packed, set: {label: none()}}, c: {from: [packed, delivered], refuse: C%d}}\n", i, long, i)
		fmt.Fprintf(&answers, "  C%d: %q\n", i, long)
	}
	r := changed(t, "events:\n", "events:\n"+events.String(), "answers:\n", "answers:\n"+answers.String(), "to: delivered, emit: told(way)", "to: shelf, emit: told(way)")
	text := diff.Markdown([]*diff.Report{r})
	assert.Less(t, utf8.RuneCountInString(text), diff.Limit)
	assert.Greater(t, utf8.RuneCountInString(text), 5000)
	assert.Regexp(t, `… and \d+ more`, text)
	assert.NotContains(t, text, "@e")
	assert.True(t, strings.HasPrefix(text, diff.Marker+"\n"))

	many := make([]*diff.Report, 500)
	for i := range many {
		many[i] = r
	}
	text = diff.Markdown(many)
	assert.Less(t, utf8.RuneCountInString(text), diff.Limit)
	assert.Equal(t, 500, strings.Count(text, "\n- parcel")+strings.Count(text, "cut"))
}
