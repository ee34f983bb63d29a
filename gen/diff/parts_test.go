package diff_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/diff"
)

const tray = `machine: tray
types:
  Cup: {is: serial, else: NO_CUP}
states: {here: {initial: true}}
parts:
  cups:
    key: Cup
    states: {clean: {}, used: {}, broken: {}}
    vars: {chipped: bool}
    moves:
      use:  {from: clean, to: used}
      wash: {from: used, to: clean}
      drop: {from: [clean, used], to: broken, set: {it.chipped: "true"}}
vars: {last: optional(Cup)}
answers: {NO_CUP: There is none., NOT_CLEAN: It is used., BROKEN: It is broken.}
effects: {swept(): Somebody sweeps.}
tables:
  sweep:
    rows:
      twice: {when: last.hasValue(), set: {last: none()}, emit: swept()}
      once:  {unless: last.hasValue(), set: {last: none()}}
events:
  take(cup Cup) of cups:
    checks: [{id: broken, from: {cup: broken}, refuse: BROKEN}]
    rows:
      taken: {from: {cup: clean}, fire: {use: cup}}
      again: {from: {cup: used}, refuse: NOT_CLEAN}
  rinse(cup Cup) of cups:
    checks: [{id: broken, from: {cup: broken}, refuse: BROKEN}]
    rows:
      done: {from: {cup: used}, fire: {wash: cup}, set: {last: some(cup)}}
      none: {from: {cup: clean}, stay: NOT_CLEAN}
  fall(cup Cup) of cups:
    rows:
      breaks: {from: {cup: [clean, used]}, fire: {drop: cup}, then: sweep}
      lies:   {from: {cup: broken}, when: it.chipped, stay: BROKEN}
      whole:  {from: {cup: broken}, unless: it.chipped, never: what is broken is chipped}
models: {small: {sizes: {Cup: 1}}}
`

// TestParts changes parts, their moves and a sub-table.
func TestParts(t *testing.T) {
	for _, c := range []struct {
		name     string
		old, new string
		verdict  diff.Verdict
		says     []string
	}{
		{"a sub-table's row does something else", "once:  {unless: last.hasValue(), set: {last: none()}}", "once:  {unless: last.hasValue(), set: {last: none()}, emit: swept()}", diff.Breaking,
			[]string{"fall in here, cup clean:", "  before: → here (no effects)  [fall.breaks+sweep.once]", "  after:  → here (swept())  [fall.breaks+sweep.once]", "    1. fall(cup 1): fall.breaks+sweep.once"}},
		{"a sub-table's row is written otherwise", "once:  {unless: last.hasValue(), set: {last: none()}}", "once:  {unless: last.hasValue(), set: {last: last}}", diff.Harmless,
			[]string{"sweep in here is written otherwise: sweep.once; every model answers as before"}},
		{"a move leads elsewhere", "wash: {from: used, to: clean}", "wash: {from: used, to: broken}", diff.Breaking,
			[]string{"rinse in here, cup used:", "  before: → here (then cup clean)  [rinse.done]", "  after:  → here (then cup broken)  [rinse.done]", "  cups: used → broken by wash", "  cups: used → clean by wash", "  move cups.wash: to: clean → broken"}},
		{"a part's state renamed", "used", "dirty", diff.Harmless, []string{"  part state cups.used is now cups.dirty"}},
		{"a part's variable renamed", "chipped", "cracked", diff.Harmless, []string{"  part variable cups.chipped is now cups.cracked"}},
		{"a subject is answered otherwise", "none: {from: {cup: clean}, stay: NOT_CLEAN}", "none: {from: {cup: clean}, refuse: NOT_CLEAN}", diff.Breaking,
			[]string{"rinse in here, cup clean:", "  before: stay NOT_CLEAN  [rinse.none]", "  after:  refuse NOT_CLEAN  [rinse.none]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Contains(t, tray, c.old)
			r, err := diff.Tables(context.Background(), read(t, tray), read(t, strings.ReplaceAll(tray, c.old, c.new)), diff.Options{})
			require.NoError(t, err)
			assert.Equal(t, c.verdict, r.Verdict, r.Text())
			for _, line := range c.says {
				assert.Contains(t, strings.Split(r.Text(), "\n"), line, r.Text())
			}
		})
	}
	// Without a model, what a move sets is told too.
	old, _, _ := strings.Cut(tray, "models:")
	r, err := diff.Tables(context.Background(), read(t, old), read(t, strings.ReplaceAll(old, `, set: {it.chipped: "true"}`, "")), diff.Options{})
	require.NoError(t, err)
	assert.Equal(t, diff.Unknown, r.Verdict, r.Text())
}

// TestAnything changes an answer that the world of the models never asks for.
func TestAnything(t *testing.T) {
	old := strings.Replace(parcel, "models:", "world:\n  can: {send: label.is(name)}\nmodels:", 1)
	fresh := strings.Replace(old, "refuse: OTHER}", "refuse: NOT_HERE}", 1)
	fresh = strings.Replace(fresh, "  OTHER:         It is another parcel.\n", "", 1)
	r, err := diff.Tables(context.Background(), read(t, old), read(t, fresh), diff.Options{})
	require.NoError(t, err)
	assert.Equal(t, diff.Breaking, r.Verdict, r.Text())
	assert.Contains(t, r.Text(), "  before: refuse OTHER  [send.other]\n  after:  refuse NOT_HERE  [send.other]\n  shown in small, callers saying anything by:\n")
}

// TestNoModel has nothing to walk: what is written otherwise is told, and what
// it means isn't known.
func TestNoModel(t *testing.T) {
	const gate = `machine: gate
states: {shut: {initial: true}}
answers: {LATE: It is late., FULL: It is full.}
events:
  enter(late bool, full bool):
    checks: [{id: late, when: late, refuse: LATE}, {id: full, when: full, refuse: FULL}]
    rows: {done: {to: shut}}
`
	swapped := strings.Replace(gate, "{id: late, when: late, refuse: LATE}, {id: full, when: full, refuse: FULL}", "{id: full, when: full, refuse: FULL}, {id: late, when: late, refuse: LATE}", 1)
	r, err := diff.Tables(context.Background(), read(t, gate), read(t, swapped), diff.Options{})
	require.NoError(t, err)
	assert.Equal(t, diff.Unknown, r.Verdict, r.Text())
	assert.Contains(t, r.Text(), "enter in shut is written otherwise: the order of its checks; there is no model that could show it")
}

// TestCrossed renames two rows, and each to where the other stood.
func TestCrossed(t *testing.T) {
	const gate = `machine: gate
states: {shut: {initial: true}, open: {}, wide: {}}
answers: {LATE: It is late., FULL: It is full.}
events:
  enter():
    rows:
      one: {from: shut, refuse: LATE}
      two: {from: open, refuse: FULL}
      all: {from: wide, to: shut}
  push():
    rows: {more: {from: shut, to: open}, most: {from: [open, wide], to: wide}}
models: {small: {}}
`
	crossed := strings.Replace(gate, "      one: {from: shut, refuse: LATE}\n      two: {from: open, refuse: FULL}\n", "      first: {from: open, refuse: FULL}\n      second: {from: shut, refuse: LATE}\n", 1)
	r, err := diff.Tables(context.Background(), read(t, gate), read(t, crossed), diff.Options{})
	require.NoError(t, err)
	assert.Equal(t, diff.Harmless, r.Verdict, r.Text())
	assert.Contains(t, r.Text(), "  row enter.two is now enter.first\n  row enter.one is now enter.second\norder only:\n  rows of enter\n")
}

// TestEndless breaks a property by a behaviour without end.
func TestEndless(t *testing.T) {
	const lamp = `machine: lamp
states: {off: {initial: true}, lit: {}}
answers: {LIT: It is lit., OFF: It is off.}
events:
  press():
    checks: [{id: again, from: lit, refuse: LIT}]
    rows: {done: {from: off, to: lit}}
  burn() by timer:
    checks: [{id: off, from: off, ignore: OFF}]
    rows: {out: {from: lit, to: off}}
eventually:
  GoesOut: {from: state == lit, to: state == off, fair: [{weak: burn, why: time passes}], doc: It goes out.}
models: {small: {}}
`
	for to, way := range map[string]string{
		"states: {off: {initial: true}, lit: {}, dim: {}}|out: {from: lit, to: dim}, up: {from: dim, to: lit}}|from: [lit, dim], refuse": "`press.done`; from there again and again `burn.out`, `burn.up`",
		"states: {off: {initial: true}, lit: {}}|out: {from: lit, to: lit}}|from: lit, refuse":                                           "`press.done`; from there nothing changes any more",
	} {
		words := strings.Split(to, "|")
		fresh := strings.NewReplacer("states: {off: {initial: true}, lit: {}}", words[0], "out: {from: lit, to: off}}", words[1], "from: lit, refuse", words[2]).Replace(lamp)
		r, err := diff.Tables(context.Background(), read(t, lamp), read(t, fresh), diff.Options{})
		require.NoError(t, err)
		assert.Contains(t, diff.Markdown([]*diff.Report{r}), "| GoesOut: It goes out. | holds | **fails** | "+way+" |\n", r.Text())
		assert.Contains(t, r.Text(), "GoesOut fails: state == lit is never followed by state == off")
	}
}

// TestTooLarge has a model that can't be run: what is told doesn't need it, and
// the rest isn't known.
func TestTooLarge(t *testing.T) {
	large := strings.Replace(parcel, "models:", "world:\n  ghost: {names: {type: list(Label) max 40}}\n  follows: {pack.done: {names: names.append(name)}}\nmodels:", 1)
	large = strings.Replace(large, "invariants:", "invariants:\n  Few: {holds: names.size() <= 40, doc: Not many.}", 1)
	large = strings.ReplaceAll(strings.Replace(large, "to: delivered, emit", "to: shelf, emit", 1), "PACKED", "BUNDLED")
	r, err := diff.Tables(context.Background(), read(t, parcel), read(t, large), diff.Options{})
	require.NoError(t, err)
	assert.Equal(t, diff.Unknown, r.Verdict, r.Text())
	assert.Contains(t, r.Text(), "too many lists")
	assert.Contains(t, r.Text(), "  code PACKED is now BUNDLED")
	assert.Contains(t, r.Text(), "  row send.done: to: delivered → shelf")
}

// TestTypesGrow gives types more values: what both tables can hold is the same
// thing on both sides, also inside of optionals, sets and lists.
func TestTypesGrow(t *testing.T) {
	const desk = `machine: desk
types:
  Colour: [red, green]
states: {open: {initial: true}}
vars:
  last:  optional(2..3)
  seen:  set(2..3)
  queue: list(Colour) max 2
answers: {FULL: The desk is full., NONE: Nobody waits.}
effects:
  called(colour Colour, at 2..3): Somebody is called.
events:
  enter(colour Colour, at 2..3):
    checks: [{id: full, when: queue.size() >= 2, refuse: FULL}, {id: same, when: last.is(3) && at == 3, refuse: NONE}]
    rows: {done: {to: open, set: {queue: queue.append(colour), last: some(at), seen: seen.with(at)}}}
  call():
    checks: [{id: none, unless: "!queue.isEmpty() && last.hasValue()", refuse: NONE}]
    rows: {done: {to: open, set: {queue: queue.tail()}, emit: "called(queue.head(), last.value())"}}
models: {small: {}}
`
	grown := strings.NewReplacer("[red, green]", "[blue, red, green]", "2..3", "1..3").Replace(desk)
	for _, tables := range [][2]string{{desk, grown}, {grown, desk}} {
		r, err := diff.Tables(context.Background(), read(t, tables[0]), read(t, tables[1]), diff.Options{})
		require.NoError(t, err)
		assert.Empty(t, r.Decisions, r.Text())
		assert.Greater(t, r.Explored[0].Pairs, 5)
	}
	changed := strings.Replace(grown, "queue: queue.tail()}", "queue: queue}", 1)
	r, err := diff.Tables(context.Background(), read(t, desk), read(t, changed), diff.Options{})
	require.NoError(t, err)
	assert.Len(t, r.Decisions, 1, r.Text())
}
